"""An entity that tells of everything assistants change or try to change, to build automations on."""

from homeassistant.components.event import EventEntity
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .access.audit import Audit, AuditRecord
from .bridge import McpBridgeConfigEntry
from .const import DOMAIN, NAME

_OUTCOMES = [
    "ok",
    "refused",
    "mistake",
    "error",
    "unknown",
    "confirm_requested",
    "dry_run",
    "repeated",
    "cancelled",
]


async def async_setup_entry(
    hass: HomeAssistant,
    entry: McpBridgeConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the one entity."""
    async_add_entities([ActivityEvent(entry.entry_id, entry.runtime_data.audit)])


class ActivityEvent(EventEntity):
    """Fires for every attempt to change something.

    It names entities by id and nothing by name: what assistants may not see is taken out of the ids when they read it.
    """

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_translation_key = "activity"
    _attr_event_types = _OUTCOMES

    def __init__(self, entry_id: str, audit: Audit) -> None:
        """Listen to the audit once it is added."""
        self._audit = audit
        self._attr_unique_id = f"{entry_id}_activity"
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, entry_id)},
            name=NAME,
            entry_type=DeviceEntryType.SERVICE,
        )

    async def async_added_to_hass(self) -> None:
        """Follow the audit."""
        self.async_on_remove(self._audit.async_listen(self._heard))

    @callback
    def _heard(self, record: AuditRecord, context: Context) -> None:
        _, _, rule = record.outcome.partition(":")
        told = {
            "client": record.client,
            "user": record.user,
            "tool": record.tool,
            "outcome": record.outcome,
            "entities": list(record.targets),
        }
        if rule:
            told["rule"] = rule
        self.async_set_context(context)
        self._trigger_event(record.kind, told)
        self.async_write_ha_state()
