"""Odd data of integrations makes an odd record at most, never a catalogue that stops."""

from datetime import UTC, date, datetime
from typing import Any, cast

import pytest

from custom_components.mcp_bridge.house.catalog import Catalog
from homeassistant.components.sensor import SensorDeviceClass
from homeassistant.core import HomeAssistant

from .building import Building, found, record_of

LAMP = "light.lamp"
NO_TEXT = (
    None,
    "",
    "  ",
    5,
    0,
    True,
    ["Lamp"],
    {"name": "Lamp"},
    date(2026, 4, 1),
    b"Lamp",
)


async def test_area_that_is_gone_counts_as_none(
    hass: HomeAssistant, building: Building
) -> None:
    """A registry entry may point to an area that nobody knows."""
    building.entity(LAMP, "Lamp", area="atlantis")

    assert (record_of(hass, LAMP).area_id, record_of(hass, LAMP).floor_id) == (
        None,
        None,
    )


@pytest.mark.parametrize("name", NO_TEXT, ids=repr)
async def test_friendly_name_that_is_no_name(
    hass: HomeAssistant, building: Building, name: Any
) -> None:
    """A name without text is none: the registry's takes its place, else the id."""
    building.entity(LAMP, "Salt lamp")
    hass.states.async_set(LAMP, "on", {"friendly_name": name})
    hass.states.async_set("sun.sun", "up", {"friendly_name": name})

    assert record_of(hass, LAMP).name == "Salt lamp"
    assert record_of(hass, "sun.sun").name in ("sun", "sun.sun")


async def test_entity_without_any_name_is_called_by_its_id(
    hass: HomeAssistant, building: Building
) -> None:
    """Neither the entity nor its state has a name, and there is no device."""
    building.entity(LAMP)

    assert record_of(hass, LAMP).name == LAMP
    assert record_of(hass, LAMP).other_names == ()


@pytest.mark.parametrize("value", NO_TEXT, ids=repr)
@pytest.mark.parametrize("registered", [True, False])
async def test_class_and_unit_that_are_no_text(
    hass: HomeAssistant, building: Building, *, registered: bool, value: Any
) -> None:
    """They count as none, and the entity is found all the same."""
    if registered:
        building.entity("sensor.x", "Glimmer")
    building.state("sensor.x", "Glimmer", device_class=value, unit_of_measurement=value)
    catalog = Catalog(hass)
    await catalog.async_start()

    assert (
        record_of(hass, "sensor.x").device_class,
        record_of(hass, "sensor.x").unit,
    ) == (
        None,
        None,
    )
    assert found(catalog, "glimmer") == ["sensor.x"]
    catalog.async_stop()


@pytest.mark.parametrize(
    "odd",
    [
        {"original_device_class": 5},
        {"original_device_class": ["door"]},
        {"unit_of_measurement": 5},
        {"original_device_class": 5, "unit_of_measurement": ["W"]},
    ],
    ids=repr,
)
async def test_odd_registry_entry_does_not_stop_the_catalogue(
    hass: HomeAssistant, building: Building, odd: dict[str, Any]
) -> None:
    """What an integration wrote into the registry is not checked by anybody; the others must not suffer."""
    building.entities.async_get_or_create(
        "sensor", "test", "odd", suggested_object_id="odd", **odd
    )
    building.state("sensor.odd", "Odd glimmer")
    building.entity("sensor.plain", "Plain glimmer")
    catalog = Catalog(hass)
    await catalog.async_start()

    record = catalog.records["sensor.odd"]
    assert (record.device_class, record.unit) == (None, None)
    assert sorted(found(catalog, "glimmer")) == ["sensor.odd", "sensor.plain"]
    catalog.async_stop()


async def test_entity_whose_name_cannot_be_worked_out_does_not_stop_the_catalogue(
    hass: HomeAssistant, building: Building
) -> None:
    """Home Assistant itself fails over a name that is no text; the house is there all the same."""
    building.entities.async_get_or_create(
        "sensor", "test", "odd", suggested_object_id="odd", original_name=cast(Any, 5)
    )
    building.entity("sensor.plain", "Plain glimmer")
    catalog = Catalog(hass)

    await catalog.async_start()

    assert found(catalog, "glimmer") == ["sensor.plain"]
    assert "sensor.odd" in catalog.records
    catalog.async_stop()


async def test_entity_that_turns_odd_does_not_stop_the_catalogue(
    hass: HomeAssistant, building: Building, catalog: Catalog
) -> None:
    """The same while the catalogue is running: others that changed at the time are read."""
    building.entity("sensor.odd", "Odd")
    building.entity("sensor.plain", "Plain")
    assert len(catalog.records) == 2

    building.change("sensor.odd", original_name=cast(Any, 5))
    building.change("sensor.plain", name="Glimmer")

    assert catalog.records["sensor.plain"].name == "Glimmer"
    assert found(catalog, "glimmer") == ["sensor.plain"]


async def test_class_given_as_enumeration_is_plain_text(
    hass: HomeAssistant, building: Building
) -> None:
    """Integrations write members of enumerations into attributes."""
    building.state("sensor.x", device_class=SensorDeviceClass.TEMPERATURE)

    assert type(record_of(hass, "sensor.x").device_class) is str
    assert record_of(hass, "sensor.x").device_class == "temperature"


async def test_native_dates_in_attributes(building: Building, catalog: Catalog) -> None:
    """A state with dates in it is read like any other, and so is its neighbour."""
    dates = {"next": datetime(2026, 3, 29, 2, 30, tzinfo=UTC), "day": date(2026, 4, 1)}
    building.state("sensor.bin", "Bin", **dates)
    building.state("sensor.plain", "Plain")

    names = [record.name for record in catalog.records.values()]

    assert names == ["Bin", "Plain"]
