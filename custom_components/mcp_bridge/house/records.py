"""One entity as the house knows it: the registries and the state, joined."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_FRIENDLY_NAME,
    ATTR_UNIT_OF_MEASUREMENT,
)
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """What is known of an entity apart from its changing state.

    `area_id` and `floor_id` are the effective ones (own area, else the device's, else the parent device's). `labels`
    are the ids of the labels on the entity, its device, the parent device and its area, as Home Assistant's targets
    have it. `other_names` are further names that people may
    use for it, apart from `aliases`.
    """

    entity_id: str
    domain: str
    name: str
    other_names: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    area_id: str | None = None
    floor_id: str | None = None
    device_ids: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()
    integration: str | None = None
    device_class: str | None = None
    unit: str | None = None
    category: str | None = None
    hidden: bool = False
    disabled_by: str | None = None

    @property
    def device_id(self) -> str | None:
        """Return the id of the entity's own device; `device_ids` goes on with the parent device."""
        return self.device_ids[0] if self.device_ids else None


def read_record(hass: HomeAssistant, entity_id: str) -> EntityRecord | None:
    """Read one entity, or None when Home Assistant knows neither a state nor a registry entry for it."""
    state = hass.states.get(entity_id)
    entry = er.async_get(hass).async_get(entity_id)
    if entry is None:
        return _bare(state) if state is not None else None
    return _registered(hass, entry, state)


def _bare(state: State) -> EntityRecord:
    """Return the record of an entity that has a state only."""
    return EntityRecord(
        entity_id=state.entity_id,
        domain=state.domain,
        name=_friendly_name(state) or state.entity_id,
        device_class=text_or_none(state.attributes.get(ATTR_DEVICE_CLASS)),
        unit=text_or_none(state.attributes.get(ATTR_UNIT_OF_MEASUREMENT)),
    )


def _registered(
    hass: HomeAssistant, entry: er.RegistryEntry, state: State | None
) -> EntityRecord:
    area_id = er.async_get_effective_area_id(hass, entry)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    devices = _devices(hass, entry.device_id)
    names, aliases = _names(hass, entry)
    name = _friendly_name(state) or next(iter(names), entry.entity_id)
    attributes = state.attributes if state else {}
    return EntityRecord(
        entity_id=entry.entity_id,
        domain=split_entity_id(entry.entity_id)[0],
        name=name,
        other_names=_distinct((other for other in names if other not in aliases), name),
        aliases=_distinct(aliases, name),
        area_id=area.id if area else None,
        floor_id=area.floor_id if area else None,
        device_ids=tuple(device.id for device in devices),
        labels=frozenset(entry.labels).union(
            *(device.labels for device in devices), area.labels if area else ()
        ),
        integration=entry.platform,
        device_class=first_text(
            attributes.get(ATTR_DEVICE_CLASS),
            entry.device_class,
            entry.original_device_class,
        ),
        unit=first_text(
            attributes.get(ATTR_UNIT_OF_MEASUREMENT), entry.unit_of_measurement
        ),
        category=entry.entity_category.value if entry.entity_category else None,
        hidden=entry.hidden_by is not None,
        disabled_by=entry.disabled_by.value if entry.disabled_by else None,
    )


def _names(hass: HomeAssistant, entry: er.RegistryEntry) -> tuple[list[str], list[str]]:
    """Return the names of an entity, the one Home Assistant computes first, and its aliases.

    An integration may have registered a name that is no text, which Home Assistant cannot compute with.
    """
    computed: str | None = None
    aliases: list[str] = []
    with suppress(AttributeError, TypeError):
        computed = er.async_get_full_entity_name(hass, entry)
        aliases = er.async_get_entity_aliases(hass, entry, allow_empty=True)
    names = map(text_or_none, (computed, entry.name, entry.original_name))
    return [name for name in names if name], aliases


def _friendly_name(state: State | None) -> str | None:
    return text_or_none(state.attributes.get(ATTR_FRIENDLY_NAME)) if state else None


def first_text(*values: object) -> str | None:
    """Return the first value that is a text with content."""
    return next(filter(None, map(text_or_none, values)), None)


def _devices(
    hass: HomeAssistant, device_id: str | None
) -> list[dr.DeviceEntry | dr.ChildDeviceEntry]:
    """Return the device and, for a child device, its parent."""
    registry = dr.async_get(hass)
    devices: list[dr.DeviceEntry | dr.ChildDeviceEntry] = []
    while device_id and len(devices) < 2 and (device := registry.async_get(device_id)):
        devices.append(device)
        device_id = (
            device.parent_device_id if isinstance(device, dr.ChildDeviceEntry) else None
        )
    return devices


def text_or_none(value: object) -> str | None:
    """Return what an integration gave as a name, class or unit; anything but a text with content counts as none."""
    return str(value) if isinstance(value, str) and value.strip() else None


def _distinct(names: Iterable[str], known: str) -> tuple[str, ...]:
    """Return the names in order, without the repeated ones and the one that is known already."""
    stripped = (name.strip() for name in names)
    return tuple(dict.fromkeys(name for name in stripped if name and name != known))
