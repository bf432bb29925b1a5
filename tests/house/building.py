"""Builds and rebuilds the house of a test, in Home Assistant's own registries."""

from itertools import count
from typing import Any

from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.records import EntityRecord, read_record
from homeassistant.const import STATE_ON
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)

type Device = dr.DeviceEntry | dr.ChildDeviceEntry

_NUMBERS = count()


class Building:
    """The registries of one Home Assistant, with short ways to fill them."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the registries, and own a config entry for devices to hang on."""
        self.hass = hass
        self.areas = ar.async_get(hass)
        self.devices = dr.async_get(hass)
        self.entities = er.async_get(hass)
        self.floors = fr.async_get(hass)
        self.labels = lr.async_get(hass)
        self.config_entry = MockConfigEntry(domain="test")
        self.config_entry.add_to_hass(hass)

    def floor(self, name: str, **more: Any) -> str:
        """Add a floor; returns its id."""
        return self.floors.async_create(name, **more).floor_id

    def area(self, name: str, **more: Any) -> str:
        """Add an area; returns its id."""
        return self.areas.async_create(name, **more).id

    def label(self, name: str) -> str:
        """Add a label; returns its id."""
        return self.labels.async_create(name).label_id

    def device(
        self, name: str | None, area: str | None = None, labels: set[str] | None = None
    ) -> str:
        """Add a device; returns its id."""
        device = self.devices.async_get_or_create(
            config_entry_id=self.config_entry.entry_id,
            identifiers={("test", str(next(_NUMBERS)))},
            name=name,
        )
        self.devices.async_update_device(
            device.id, area_id=area, labels=labels or set()
        )
        return device.id

    def child(self, parent: str, name: str) -> str:
        """Add a child device; returns its id."""
        return self.devices.async_get_or_create_child(
            config_entry_id=self.config_entry.entry_id,
            identifiers={("test", str(next(_NUMBERS)))},
            name=name,
            parent_device_id=parent,
        ).id

    def entity(
        self,
        entity_id: str,
        name: str | None = None,
        *,
        device: str | None = None,
        area: str | None = None,
        labels: set[str] | None = None,
        **more: Any,
    ) -> str:
        """Add an entity to the registry, without a state; returns its id."""
        domain, object_id = split_entity_id(entity_id)
        entry = self.entities.async_get_or_create(
            domain,
            "test",
            str(next(_NUMBERS)),
            suggested_object_id=object_id,
            config_entry=self.config_entry,
            device_id=device,
            original_name=name,
            has_entity_name=True,
            **more,
        )
        assert entry.entity_id == entity_id
        if area is not None or labels:
            self.change(entity_id, area_id=area, labels=labels or set())
        return entity_id

    def change(self, entity_id: str, **changes: Any) -> None:
        """Change the registry entry of an entity."""
        self.entities.async_update_entity(entity_id, **changes)

    def state(self, entity_id: str, name: str | None = None, **attributes: Any) -> str:
        """Give an entity a state; returns its id."""
        if name is not None:
            attributes["friendly_name"] = name
        self.hass.states.async_set(entity_id, STATE_ON, attributes)
        return entity_id


def found(catalog: Catalog, query: str) -> list[str]:
    """Return the ids of the entities that a query finds, best first."""
    return [hit.key for hit in catalog.index.search(query)]


def record_of(hass: HomeAssistant, entity_id: str) -> EntityRecord:
    """Return the record of an entity that exists, as it is read now."""
    record = read_record(hass, entity_id)
    assert record is not None
    return record
