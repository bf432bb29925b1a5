"""One entity as the house knows it: the registries and the state, joined."""

from collections.abc import Iterable
from dataclasses import dataclass

from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_UNIT_OF_MEASUREMENT
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
    are the ids of the labels on the entity, its device and its area. `other_names` are further names that people may
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
    if entry is not None:
        return _registered(hass, entry, state)
    if state is not None:
        return EntityRecord(
            entity_id=entity_id,
            domain=state.domain,
            name=_text(state.name) or entity_id,
            device_class=_text(state.attributes.get(ATTR_DEVICE_CLASS)),
            unit=_text(state.attributes.get(ATTR_UNIT_OF_MEASUREMENT)),
        )
    return None


def _registered(
    hass: HomeAssistant, entry: er.RegistryEntry, state: State | None
) -> EntityRecord:
    area_id = er.async_get_effective_area_id(hass, entry)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    devices = _devices(hass, entry.device_id)
    full_name = er.async_get_full_entity_name(hass, entry)
    name = _text(state.name if state else None) or full_name or entry.entity_id
    attributes = state.attributes if state else {}
    return EntityRecord(
        entity_id=entry.entity_id,
        domain=split_entity_id(entry.entity_id)[0],
        name=name,
        other_names=_distinct((full_name, entry.name, entry.original_name), name),
        aliases=_distinct(
            er.async_get_entity_aliases(hass, entry, allow_empty=True), name
        ),
        area_id=area.id if area else None,
        floor_id=area.floor_id if area else None,
        device_ids=tuple(device.id for device in devices),
        labels=frozenset(entry.labels).union(
            *(device.labels for device in devices[:1]), area.labels if area else ()
        ),
        integration=entry.platform,
        device_class=_text(attributes.get(ATTR_DEVICE_CLASS))
        or entry.device_class
        or entry.original_device_class,
        unit=_text(attributes.get(ATTR_UNIT_OF_MEASUREMENT))
        or entry.unit_of_measurement,
        category=entry.entity_category.value if entry.entity_category else None,
        hidden=entry.hidden_by is not None,
        disabled_by=entry.disabled_by.value if entry.disabled_by else None,
    )


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


def _text(value: object) -> str | None:
    """Return what an integration gave as a name, class or unit; anything but a text with content counts as none."""
    return str(value) if isinstance(value, str) and value.strip() else None


def _distinct(names: Iterable[str | None], known: str) -> tuple[str, ...]:
    """Return the names in order, without the empty ones, repeated ones and the one that is known already."""
    return tuple(dict.fromkeys(name for name in names if name and name != known))
