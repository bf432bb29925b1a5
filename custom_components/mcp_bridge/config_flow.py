"""Config flow: one step, one instance; and where the flows of the options and of the clients are found."""

from typing import Any

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.core import callback

from .bridge import McpBridgeConfigEntry
from .client_flow import ClientFlow
from .connecting import address
from .const import DOMAIN, NAME, SUBENTRY_CLIENT
from .options_flow import McpBridgeOptionsFlow


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
            description_placeholders={"address": address(self.hass)},
        )

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: McpBridgeConfigEntry) -> OptionsFlow:
        """Return the options flow."""
        return McpBridgeOptionsFlow()

    @classmethod
    @callback
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return the client flow."""
        return {SUBENTRY_CLIENT: ClientFlow}
