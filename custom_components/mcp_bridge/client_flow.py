"""Client flow: one assistant, with its token or its login, and what it may do."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

import probatio as vol

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_NAME
from homeassistant.helpers.selector import DateSelector, TextSelector
from homeassistant.util import dt as dt_util

from .access.clients import (
    Client,
    client_with_login,
    hash_token,
    new_token,
    read_clients,
)
from .access.options import Grant, read_grant
from .bridge import McpBridgeConfigEntry
from .connecting import address, lines_to_paste
from .const import (
    CONF_ALLOW_ELEVATED,
    CONF_EXPIRES,
    CONF_FILTER_READS,
    CONF_OAUTH_CLIENT_ID,
    CONF_TOKEN_HASH,
    CONF_TOOLSETS,
    CONF_USER_ID,
)
from .flow_fields import (
    MAY_DO,
    Fields,
    cleaned_lists,
    entity_lists,
    people,
    switches,
    toolset_choice,
    user_choice,
    with_toolsets,
    without_all_toolsets,
    wrong_patterns,
)

# As the form has it; what is stored is the moment at which the day is over.
CONF_LAST_DAY = "last_day"
# There has to be a day after it.
_LAST_DATE = date(9000, 1, 1)
_CLAUDE_AI = "https://claude.ai"
_NEVER = "–"


class ClientFlow(ConfigSubentryFlow):
    """Adds a client, changes it, or gives it a new token. Removing one is Home Assistant's own."""

    _pointed_out = False

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask how the new client is known."""
        return self.async_show_menu(step_id="user", menu_options=["token", "login"])

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask what is to change, and tell when the client was last used."""
        has_token = CONF_TOKEN_HASH in self._get_reconfigure_subentry().data
        return self.async_show_menu(
            step_id="reconfigure",
            menu_options=["token", "rotate"] if has_token else ["login"],
            description_placeholders={"last_used": self._last_used()},
        )

    async def async_step_token(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the settings of a client with a token."""
        users = await people(self.hass)
        whom: Fields = {vol.Required(CONF_USER_ID): user_choice(users)}
        return self._settings("token", whom, user_input)

    async def async_step_login(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the settings of a client that logs in."""
        users = await people(self.hass)
        whom: Fields = {
            vol.Required(CONF_OAUTH_CLIENT_ID, default=_CLAUDE_AI): TextSelector(),
            vol.Optional(CONF_USER_ID): user_choice(users),
        }
        return self._settings("login", whom, user_input)

    async def async_step_rotate(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Replace the token, and show the new one, which is in force by then."""
        if user_input is None:
            return self.async_show_form(step_id="rotate")
        token = new_token()
        subentry = self._get_reconfigure_subentry()
        self.hass.config_entries.async_update_subentry(
            self._get_entry(),
            subentry,
            data={**subentry.data, CONF_TOKEN_HASH: hash_token(token)},
        )
        return self.async_show_form(
            step_id="new_token",
            last_step=True,
            description_placeholders=self._how_to_connect(token),
        )

    async def async_step_new_token(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """End after the new token was shown."""
        return self.async_abort(reason="token_replaced")

    def _settings(
        self, step: str, whom: Fields, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        shown = self._shown() if user_input is None else user_input
        fields = {
            vol.Required(CONF_NAME): TextSelector(),
            **whom,
            **switches(*MAY_DO, CONF_ALLOW_ELEVATED),
            vol.Optional(CONF_LAST_DAY): DateSelector(),
            **switches(CONF_FILTER_READS, on=True),
            **entity_lists(shown),
            **toolset_choice(),
        }
        errors: dict[str, str] = {}
        wrong: list[str] = []
        if user_input is not None:
            chosen = _cleaned(user_input)
            wrong = wrong_patterns(chosen)
            errors = self._mistakes(chosen, wrong)
            if not errors:
                return self._finish(chosen)
        return self.async_show_form(
            step_id=step,
            data_schema=self.add_suggested_values_to_schema(vol.Schema(fields), shown),
            errors=errors,
            description_placeholders={"patterns": ", ".join(wrong)},
        )

    def _shown(self) -> dict[str, Any]:
        """Return what the form starts with."""
        if self.source != SOURCE_RECONFIGURE:
            return {}
        subentry = self._get_reconfigure_subentry()
        shown = {**with_toolsets(subentry.data), CONF_NAME: subentry.title}
        if expires := subentry.data.get(CONF_EXPIRES):
            shown[CONF_LAST_DAY] = _last_day(expires)
        return shown

    def _mistakes(self, chosen: Mapping[str, Any], wrong: list[str]) -> dict[str, str]:
        """Return the errors by field."""
        errors = {}
        if not chosen[CONF_NAME]:
            errors[CONF_NAME] = "name_missing"
        elif chosen[CONF_NAME].casefold() in self._other_names():
            errors[CONF_NAME] = "name_taken"
        if CONF_OAUTH_CLIENT_ID in chosen:
            if not chosen[CONF_OAUTH_CLIENT_ID]:
                errors[CONF_OAUTH_CLIENT_ID] = "client_id_missing"
            elif self._is_taken(chosen):
                errors[CONF_OAUTH_CLIENT_ID] = "login_taken"
        if CONF_LAST_DAY in chosen and _end_of(chosen[CONF_LAST_DAY]) <= dt_util.now():
            errors[CONF_LAST_DAY] = "in_the_past"
        if not chosen[CONF_TOOLSETS]:
            errors[CONF_TOOLSETS] = "no_toolsets"
        if wrong:
            errors["base"] = "invalid_pattern"
        grant = Grant(**read_grant(chosen))
        if not errors and grant.lists_without_effect and not self._pointed_out:
            # No mistake, perhaps, but whoever fills a list believes that it hides something.
            self._pointed_out = True
            errors[CONF_FILTER_READS] = "lists_without_effect"
        return errors

    def _other_names(self) -> set[str]:
        return {client.name.casefold() for client in self._others()}

    def _is_taken(self, chosen: Mapping[str, Any]) -> bool:
        """Tell whether the logins of this client, and of this user, belong to another client already."""
        user_id = chosen.get(CONF_USER_ID)
        same_user = [other for other in self._others() if other.user_id == user_id]
        client_id = chosen[CONF_OAUTH_CLIENT_ID]
        return client_with_login(same_user, user_id or "", client_id) is not None

    def _others(self) -> list[Client]:
        own = (
            self._reconfigure_subentry_id if self.source == SOURCE_RECONFIGURE else None
        )
        return [
            client for client in read_clients(self._get_entry()) if client.id != own
        ]

    def _finish(self, chosen: Mapping[str, Any]) -> SubentryFlowResult:
        """Store the client; the token of a new one is shown, and is in force by then."""
        title, data = chosen[CONF_NAME], _stored(chosen)
        if self.source == SOURCE_RECONFIGURE:
            subentry = self._get_reconfigure_subentry()
            if CONF_TOKEN_HASH in subentry.data:
                data[CONF_TOKEN_HASH] = subentry.data[CONF_TOKEN_HASH]
            return self.async_update_and_abort(
                self._get_entry(), subentry, title=title, data=data
            )
        if CONF_OAUTH_CLIENT_ID in data:
            return self.async_create_entry(
                title=title,
                data=data,
                description="login",
                description_placeholders={
                    "address": address(self.hass),
                    "client_id": data[CONF_OAUTH_CLIENT_ID],
                },
            )
        token = new_token()
        return self.async_create_entry(
            title=title,
            data={**data, CONF_TOKEN_HASH: hash_token(token)},
            description="token",
            description_placeholders=self._how_to_connect(token),
        )

    def _how_to_connect(self, token: str) -> dict[str, str]:
        url = address(self.hass)
        return {"token": token, "address": url, **lines_to_paste(url, token)}

    def _last_used(self) -> str:
        """Return when the client was last let in, as a person reads it."""
        entry: McpBridgeConfigEntry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return _NEVER
        used = entry.runtime_data.last_used.of(self._reconfigure_subentry_id)
        return f"{dt_util.as_local(used):%Y-%m-%d %H:%M}" if used else _NEVER


def _cleaned(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form without blanks around what was typed."""
    cleaned = cleaned_lists(user_input)
    for name in (CONF_NAME, CONF_OAUTH_CLIENT_ID):
        if name in cleaned:
            cleaned[name] = cleaned[name].strip()
    return cleaned


def _stored(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form as the data of the subentry."""
    data = without_all_toolsets(chosen)
    del data[CONF_NAME]
    if (day := data.pop(CONF_LAST_DAY, None)) is not None:
        data[CONF_EXPIRES] = _end_of(day).isoformat()
    return data


def _end_of(day: str) -> datetime:
    """Return the moment at which a day is over where Home Assistant is, in UTC."""
    next_day = min(date.fromisoformat(day), _LAST_DATE) + timedelta(days=1)
    return dt_util.as_utc(dt_util.start_of_local_day(next_day))


def _last_day(expires: str) -> str:
    """Return the day that is over at this moment."""
    moment = dt_util.parse_datetime(expires, raise_on_error=True)
    return (dt_util.as_local(moment) - timedelta(seconds=1)).date().isoformat()
