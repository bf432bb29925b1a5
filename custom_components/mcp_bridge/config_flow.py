"""Config flow (one step, one instance) and options flow."""

from collections.abc import Iterable, Mapping
import re
from typing import Any

import probatio as vol

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult, OptionsFlow
from homeassistant.core import callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import (
    BooleanSelector,
    TargetSelector,
    TextSelector,
    TextSelectorConfig,
)

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
    NAME,
)

# What can match an entity id; anything else is a mistake that would silently do nothing.
_GLOB = re.compile(r"[a-z0-9_*]*[.*][a-z0-9_*]*")

_ENTITY_LIST = section(
    vol.Schema(
        {
            vol.Optional(CONF_PATTERNS): TextSelector(
                TextSelectorConfig(multiple=True)
            ),
            vol.Optional(CONF_TARGET): TargetSelector(),
        }
    ),
    {"collapsed": True},
)
_OPTIONS_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_REQUIRE_ADMIN, default=True): BooleanSelector(),
        vol.Required(CONF_ASSIST_EXPOSED_ONLY, default=False): BooleanSelector(),
        vol.Required(CONF_FILTER_READS, default=False): BooleanSelector(),
        vol.Required(CONF_ENTITY_ALLOWLIST): _ENTITY_LIST,
        vol.Required(CONF_ENTITY_DENYLIST): _ENTITY_LIST,
    }
)


class McpBridgeConfigFlow(ConfigFlow, domain=DOMAIN):
    """Sets the bridge up. There is nothing to ask: it is read only on arrival."""

    VERSION = 1

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Explain what will be there, and create the entry."""
        if user_input is None:
            return self.async_show_form(step_id="user")
        return self.async_create_entry(title=NAME, data={})

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: McpBridgeConfigEntry) -> OptionsFlow:
        """Return the options flow."""
        return McpBridgeOptionsFlow()


class McpBridgeOptionsFlow(OptionsFlow):
    """What assistants may see. Changes are in force at once."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the options, and store them when they are right."""
        errors: dict[str, str] = {}
        wrong: list[str] = []
        if user_input is not None:
            wrong = [
                glob
                for glob in _globs(user_input)
                if not _GLOB.fullmatch(glob.strip().lower())
            ]
            if not wrong:
                return self.async_create_entry(
                    data={**self.config_entry.options, **user_input}
                )
            errors["base"] = "invalid_pattern"
        shown = user_input if user_input is not None else self.config_entry.options
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(_OPTIONS_SCHEMA, shown),
            errors=errors,
            description_placeholders={"patterns": ", ".join(wrong)},
        )


def _globs(options: Mapping[str, Any]) -> Iterable[str]:
    for entity_list in (CONF_ENTITY_ALLOWLIST, CONF_ENTITY_DENYLIST):
        yield from options.get(entity_list, {}).get(CONF_PATTERNS, ())
