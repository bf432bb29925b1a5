"""Config flow (one step, one instance) and options flow."""

from collections.abc import Iterable, Mapping
import re
from typing import Any

import probatio as vol

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult, OptionsFlow
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers.http import current_request
from homeassistant.helpers.network import NoURLAvailableError, get_url
from homeassistant.helpers.selector import (
    BooleanSelector,
    TargetSelector,
    TextSelector,
    TextSelectorConfig,
)

from .access.options import AccessOptions
from .access.rules import EntityRule
from .bridge import McpBridgeConfigEntry
from .const import (
    CONF_ASSIST_EXPOSED_ONLY,
    CONF_ENTITY_ALLOWLIST,
    CONF_ENTITY_DENYLIST,
    CONF_FILTER_READS,
    CONF_PATTERNS,
    CONF_REQUIRE_ADMIN,
    CONF_TARGET,
    DOMAIN,
    ENDPOINT,
    NAME,
)

_ENTITY_LISTS = (CONF_ENTITY_ALLOWLIST, CONF_ENTITY_DENYLIST)
# What can match an entity id: a domain, a dot and an object id, of which * may stand for any part. Anything else is a
# mistake that would silently do nothing.
_GLOB = re.compile(r"(?=.*[.*])[a-z0-9_*]+(\.[a-z0-9_*]+)?")


class McpBridgeConfigFlow(ConfigFlow, domain=DOMAIN):
    """Sets the bridge up. There is nothing to ask: it is read only on arrival."""

    VERSION = 1

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Explain what will be there, and create the entry."""
        if user_input is None:
            return self.async_show_form(step_id="user")
        return self.async_create_entry(
            title=NAME,
            data={},
            description_placeholders={"address": _address(self.hass)},
        )

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: McpBridgeConfigEntry) -> OptionsFlow:
        """Return the options flow."""
        return McpBridgeOptionsFlow()


class McpBridgeOptionsFlow(OptionsFlow):
    """What assistants may see. Changes are in force at once."""

    _pointed_out = False

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the options, and store them when they are right."""
        errors: dict[str, str] = {}
        wrong: list[str] = []
        if user_input is not None:
            options = _cleaned(user_input)
            wrong = [glob for glob in _globs(options) if not _GLOB.fullmatch(glob)]
            if wrong:
                errors["base"] = "invalid_pattern"
            elif (
                AccessOptions.from_entry_options(options).lists_without_effect
                and not self._pointed_out
            ):
                # No mistake, perhaps, but whoever fills a list believes that it hides something.
                self._pointed_out = True
                errors[CONF_FILTER_READS] = "lists_without_effect"
            else:
                return self.async_create_entry(
                    data={**self.config_entry.options, **options}
                )
        shown = user_input if user_input is not None else self.config_entry.options
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                _options_schema(shown), shown
            ),
            errors=errors,
            description_placeholders={"patterns": ", ".join(wrong)},
        )


def _options_schema(shown: Mapping[str, Any]) -> vol.Schema:
    """Return the schema of the form. A list that has something in it is shown open."""
    switches = {
        vol.Required(CONF_REQUIRE_ADMIN, default=True): BooleanSelector(),
        vol.Required(CONF_ASSIST_EXPOSED_ONLY, default=False): BooleanSelector(),
        vol.Required(CONF_FILTER_READS, default=False): BooleanSelector(),
    }
    lists = {
        vol.Required(name): section(
            vol.Schema(
                {
                    vol.Optional(CONF_PATTERNS): TextSelector(
                        TextSelectorConfig(multiple=True)
                    ),
                    vol.Optional(CONF_TARGET): TargetSelector(),
                }
            ),
            {"collapsed": EntityRule.from_option(shown.get(name)).is_empty},
        )
        for name in _ENTITY_LISTS
    }
    return vol.Schema({**switches, **lists})


def _cleaned(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with their patterns as they are matched: in lower case, without blanks and empty rows."""
    cleaned = dict(options)
    for name in _ENTITY_LISTS:
        entity_list = dict(options.get(name, {}))
        patterns = (glob.strip().lower() for glob in entity_list.pop(CONF_PATTERNS, ()))
        if kept := [glob for glob in patterns if glob]:
            entity_list[CONF_PATTERNS] = kept
        cleaned[name] = entity_list
    return cleaned


def _globs(options: Mapping[str, Any]) -> Iterable[str]:
    for name in _ENTITY_LISTS:
        yield from options[name].get(CONF_PATTERNS, ())


def _address(hass: HomeAssistant) -> str:
    """Return the address of the endpoint: for other machines where it is known, else as the user reaches it now."""
    try:
        base = get_url(hass, prefer_external=True)
    except NoURLAvailableError:
        request = current_request.get()
        base = str(request.url.origin()) if request else ""
    return base + ENDPOINT
