"""MCP Bridge: connects AI assistants to Home Assistant over the Model Context Protocol."""

from homeassistant.const import Platform
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.typing import ConfigType

from .access.audit import STORE_KEY as AUDIT_KEY
from .access.clients import read_clients
from .access.journal import STORE_KEY as JOURNAL_KEY
from .access.kept import async_remove_kept
from .access.last_used import async_remove_last_used
from .access.options import with_renamed_entity
from .bridge import McpBridgeConfigEntry, async_create_bridge
from .const import DOMAIN, SUBENTRY_CLIENT
from .http import McpBridgeView

_PLATFORMS = [Platform.EVENT]

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register the endpoint. A view cannot be taken away again, so it asks for the loaded entry at each request."""
    hass.http.register_view(McpBridgeView(hass))
    return True


async def async_setup_entry(hass: HomeAssistant, entry: McpBridgeConfigEntry) -> bool:
    """Start the bridge."""
    entry.runtime_data = await async_create_bridge(hass, entry)
    entry.async_on_unload(entry.add_update_listener(_async_options_changed))
    entry.async_on_unload(_follow_renames(hass, entry))
    await hass.config_entries.async_forward_entry_setups(entry, _PLATFORMS)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: McpBridgeConfigEntry) -> bool:
    """Stop the bridge."""
    if not await hass.config_entries.async_unload_platforms(entry, _PLATFORMS):
        return False
    await entry.runtime_data.async_stop()
    return True


async def async_remove_entry(hass: HomeAssistant, entry: McpBridgeConfigEntry) -> None:
    """Leave nothing behind."""
    await async_remove_last_used(hass)
    for key in (AUDIT_KEY, JOURNAL_KEY):
        await async_remove_kept(hass, key)


async def _async_options_changed(
    hass: HomeAssistant, entry: McpBridgeConfigEntry
) -> None:
    """Put the options and clients in force at once, without a reload that would end all sessions."""
    await entry.runtime_data.async_set_options(entry.options, read_clients(entry))


@callback
def _follow_renames(hass: HomeAssistant, entry: McpBridgeConfigEntry) -> CALLBACK_TYPE:
    """Keep what was picked in the options and for the clients when an entity gets another id; returns the way to stop."""

    @callback
    def renamed(event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        if event.data["action"] == "update" and "old_entity_id" in event.data:
            old, new = event.data["old_entity_id"], event.data["entity_id"]
            if _rename(hass, entry, old, new):
                # At once, not when the config entry gets round to it: until then the entity would be open.
                entry.runtime_data.access.async_set_options(
                    entry.options, read_clients(entry)
                )

    return hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, renamed)


@callback
def _rename(
    hass: HomeAssistant, entry: McpBridgeConfigEntry, old: str, new: str
) -> bool:
    """Put the new id of an entity in the place of the old one; returns whether it was anywhere."""
    options = with_renamed_entity(entry.options, old, new)
    if options:
        hass.config_entries.async_update_entry(entry, options=options)
    changed = bool(options)
    for subentry in entry.get_subentries_of_type(SUBENTRY_CLIENT):
        if data := with_renamed_entity(subentry.data, old, new):
            hass.config_entries.async_update_subentry(entry, subentry, data=data)
            changed = True
    return changed
