"""MCP Bridge: connects AI assistants to Home Assistant over the Model Context Protocol."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import ConfigType

from .bridge import McpBridgeConfigEntry, async_create_bridge
from .const import DOMAIN
from .http import McpBridgeView

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register the endpoint. A view cannot be taken away again, so it asks for the loaded entry at each request."""
    hass.http.register_view(McpBridgeView(hass))
    return True


async def async_setup_entry(hass: HomeAssistant, entry: McpBridgeConfigEntry) -> bool:
    """Start the bridge."""
    entry.runtime_data = await async_create_bridge(hass, entry)
    entry.async_on_unload(entry.add_update_listener(_async_options_changed))
    return True


async def async_unload_entry(hass: HomeAssistant, entry: McpBridgeConfigEntry) -> bool:
    """Stop the bridge."""
    await entry.runtime_data.async_stop()
    return True


async def _async_options_changed(
    hass: HomeAssistant, entry: McpBridgeConfigEntry
) -> None:
    """Put the options in force at once, without a reload that would end all sessions."""
    await entry.runtime_data.async_set_options(entry.options)
