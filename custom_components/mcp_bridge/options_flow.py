"""Options flow: a menu, and a form for each subject. Changes are in force at once."""

from collections.abc import Iterable, Mapping
import re
from typing import Any

import probatio as vol

from homeassistant.components.notify import DOMAIN as NOTIFY_DOMAIN
from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
from homeassistant.data_entry_flow import Optional
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from .access.options import AccessOptions, Approval
from .const import (
    CONF_ANNOUNCEMENT_LIMIT,
    CONF_APPROVAL,
    CONF_APPROVAL_PHONE,
    CONF_APPROVERS,
    CONF_ASSIST_EXPOSED_ONLY,
    CONF_CONFIRM_DOMAINS,
    CONF_FILTER_READS,
    CONF_NOTIFICATION_LIMIT,
    CONF_REQUIRE_ADMIN,
    CONF_SERVICE_DENYLIST,
    CONF_TOOLSETS,
    CONF_WRITE_LIMIT,
    DEFAULT_ANNOUNCEMENT_LIMIT,
    DEFAULT_CONFIRM_DOMAINS,
    DEFAULT_NOTIFICATION_LIMIT,
    DEFAULT_SERVICE_DENYLIST,
    DEFAULT_WRITE_LIMIT,
)
from .flow_fields import (
    MAY_DO,
    Fields,
    cleaned_globs,
    cleaned_lists,
    entity_lists,
    globs,
    is_glob,
    people,
    switches,
    toolset_choice,
    user_choice,
    with_toolsets,
    without_all_toolsets,
    wrong_patterns,
)

_DOMAIN_GLOB = re.compile(r"[a-z0-9_*]+")
_LIMITS = {
    CONF_NOTIFICATION_LIMIT: DEFAULT_NOTIFICATION_LIMIT,
    CONF_ANNOUNCEMENT_LIMIT: DEFAULT_ANNOUNCEMENT_LIMIT,
    CONF_WRITE_LIMIT: DEFAULT_WRITE_LIMIT,
}
# Lists that are stored only when they differ from these, so that what a later release adds to them is in force.
_DEFAULT_LISTS = {
    CONF_SERVICE_DENYLIST: list(DEFAULT_SERVICE_DENYLIST),
    CONF_CONFIRM_DOMAINS: list(DEFAULT_CONFIRM_DOMAINS),
}
_MOST_PER_MINUTE = 600


class McpBridgeOptionsFlow(OptionsFlow):
    """What assistants may do and see. Each form keeps what the others have stored."""

    _pointed_out = False

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the menu."""
        return self.async_show_menu(
            step_id="init",
            menu_options=["permissions", "visibility", "confirmation", "tools"],
        )

    async def async_step_permissions(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask what assistants may do."""
        fields = {**switches(*MAY_DO), **switches(CONF_REQUIRE_ADMIN, on=True)}
        if user_input is not None:
            return self._store(fields, user_input)
        return self._show("permissions", fields, self.config_entry.options)

    async def async_step_visibility(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask what they may see."""
        shown = self.config_entry.options if user_input is None else user_input
        fields = {
            **switches(CONF_ASSIST_EXPOSED_ONLY, CONF_FILTER_READS),
            **entity_lists(shown),
        }
        if user_input is None:
            return self._show("visibility", fields, shown)
        chosen = cleaned_lists(user_input)
        if wrong := wrong_patterns(chosen):
            errors = {"base": "invalid_pattern"}
            return self._show("visibility", fields, shown, errors, wrong)
        options = AccessOptions.from_entry_options(
            {**self.config_entry.options, **chosen}
        )
        if options.lists_without_effect and not self._pointed_out:
            # No mistake, perhaps, but whoever fills a list believes that it hides something.
            self._pointed_out = True
            errors = {CONF_FILTER_READS: "lists_without_effect"}
            return self._show("visibility", fields, shown, errors)
        return self._store(fields, chosen)

    async def async_step_confirmation(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask what needs a person to agree, and how often things may be done."""
        fields = await self._confirmation_fields()
        if user_input is None:
            stored = {**_DEFAULT_LISTS, **self.config_entry.options}
            return self._show("confirmation", fields, stored)
        chosen = _cleaned(user_input)
        errors, wrong = _mistakes(chosen)
        if errors:
            return self._show("confirmation", fields, user_input, errors, wrong)
        usual = [
            name for name, value in _DEFAULT_LISTS.items() if chosen[name] == value
        ]
        return self._store(
            fields, {name: chosen[name] for name in chosen if name not in usual}
        )

    async def async_step_tools(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which families of tools are offered."""
        fields = toolset_choice()
        if user_input is None:
            return self._show("tools", fields, with_toolsets(self.config_entry.options))
        if not user_input[CONF_TOOLSETS]:
            return self._show(
                "tools", fields, user_input, {CONF_TOOLSETS: "no_toolsets"}
            )
        return self._store(fields, without_all_toolsets(user_input))

    def _store(self, fields: Fields, chosen: Mapping[str, Any]) -> ConfigFlowResult:
        """Store what a form says: what is not in it any more goes, what other forms have stored stays."""
        others = {
            name: value
            for name, value in self.config_entry.options.items()
            if name not in fields
        }
        return self.async_create_entry(data={**others, **chosen})

    def _show(
        self,
        step: str,
        fields: Fields,
        shown: Mapping[str, Any],
        errors: dict[str, str] | None = None,
        wrong: Iterable[str] = (),
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step,
            data_schema=self.add_suggested_values_to_schema(vol.Schema(fields), shown),
            errors=errors,
            description_placeholders={"patterns": ", ".join(wrong)},
        )

    async def _confirmation_fields(self) -> Fields:
        stored = AccessOptions.from_entry_options(self.config_entry.options)
        approvers = [
            user
            for user in await people(self.hass)
            if user.is_admin or user.id in stored.approvers
        ]
        return {
            vol.Optional(CONF_CONFIRM_DOMAINS): globs(),
            vol.Required(CONF_APPROVAL, default=Approval.ASK.value): _approval_choice(),
            _by_phone(CONF_APPROVAL_PHONE): SelectSelector(
                SelectSelectorConfig(
                    options=self._phones(stored.approval_phone),
                    mode=SelectSelectorMode.DROPDOWN,
                )
            ),
            _by_phone(CONF_APPROVERS): user_choice(approvers, multiple=True),
            vol.Optional(CONF_SERVICE_DENYLIST): globs(),
            **{
                vol.Required(name, default=usual): _limit()
                for name, usual in _LIMITS.items()
            },
        }

    def _phones(self, stored: str | None) -> list[SelectOptionDict]:
        """Return the phones that can be asked, also the stored one if it is not there for the moment."""
        services = self.hass.services.async_services_for_domain(NOTIFY_DOMAIN)
        phones = {name for name in services if name.startswith("mobile_app_")}
        return [
            SelectOptionDict(
                value=name,
                label=name.removeprefix("mobile_app_").replace("_", " ").capitalize(),
            )
            for name in sorted(phones | ({stored} if stored else set()))
        ]


def _by_phone(name: str) -> Optional:
    """Return a field that is there only when a phone is to confirm."""
    return Optional(
        name, visible={"field": CONF_APPROVAL, "value": Approval.PHONE.value}
    )


def _approval_choice() -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=[approval.value for approval in Approval],
            mode=SelectSelectorMode.LIST,
            translation_key=CONF_APPROVAL,
        )
    )


def _limit() -> NumberSelector:
    return NumberSelector(
        NumberSelectorConfig(
            min=1, max=_MOST_PER_MINUTE, step=1, mode=NumberSelectorMode.BOX
        )
    )


def _cleaned(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form as it is stored: whole numbers, patterns as they are matched."""
    cleaned = dict(user_input)
    for name in _LIMITS:
        cleaned[name] = int(user_input[name])
    cleaned[CONF_CONFIRM_DOMAINS] = cleaned_globs(
        user_input.get(CONF_CONFIRM_DOMAINS, ())
    )
    denied = cleaned_globs(user_input.get(CONF_SERVICE_DENYLIST, ()))
    # A domain alone stands for all of its services.
    cleaned[CONF_SERVICE_DENYLIST] = [
        f"{glob}.*" if _DOMAIN_GLOB.fullmatch(glob) and "*" not in glob else glob
        for glob in denied
    ]
    return cleaned


def _mistakes(chosen: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """Return the errors by field, and the patterns that can match nothing."""
    errors = {}
    domains = [
        glob
        for glob in chosen[CONF_CONFIRM_DOMAINS]
        if not _DOMAIN_GLOB.fullmatch(glob)
    ]
    if domains:
        errors[CONF_CONFIRM_DOMAINS] = "invalid_domain"
    services = [glob for glob in chosen[CONF_SERVICE_DENYLIST] if not is_glob(glob)]
    if services:
        errors[CONF_SERVICE_DENYLIST] = "invalid_service"
    if chosen[CONF_APPROVAL] == Approval.PHONE:
        if not chosen.get(CONF_APPROVAL_PHONE):
            errors[CONF_APPROVAL_PHONE] = "phone_missing"
        if not chosen.get(CONF_APPROVERS):
            errors[CONF_APPROVERS] = "approvers_missing"
    return errors, domains + services
