"""Diagnostics for a bug report: how the bridge is set up, nothing of what it sees."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .bridge import McpBridgeConfigEntry
from .const import CONF_PATTERNS, CONF_TARGET

# Entity ids and names tell about a home.
_REDACTED = (CONF_PATTERNS, CONF_TARGET)


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: McpBridgeConfigEntry
) -> Mapping[str, Any]:
    """Return the options, the tools and the numbers."""
    bridge = entry.runtime_data
    runtime = bridge.runtime()
    return {
        "version": bridge.version,
        "started": runtime.started.isoformat(),
        "options": async_redact_data(dict(entry.options), _REDACTED),
        "open_sessions": runtime.open_sessions,
        "catalog": {
            "entities": len(bridge.catalog.records),
            "searchable": len(bridge.catalog.index),
            "in_step": runtime.catalog_in_step,
            "registered": len(er.async_get(hass).entities),
        },
        "tools": bridge.registry.names,
    }
