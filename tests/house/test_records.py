"""One entity, joined from the registries and the state, however odd they are."""

from datetime import UTC, date, datetime
from typing import Any, cast

import pytest
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.records import EntityRecord, read_record
from homeassistant.components.sensor import SensorDeviceClass
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .building import Building, found

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


def read(hass: HomeAssistant, entity_id: str = LAMP) -> EntityRecord:
    """Return the record of an entity that exists."""
    record = read_record(hass, entity_id)
    assert record is not None
    return record


async def test_unknown_entity_has_no_record(hass: HomeAssistant) -> None:
    """Neither state nor registry entry: nothing is known."""
    assert read_record(hass, LAMP) is None


async def test_registry_ids_are_no_entity_ids(
    hass: HomeAssistant, building: Building
) -> None:
    """An entity goes by one id only, though the registry also knows a second one."""
    building.entity(LAMP, "Lamp")
    entry = building.entities.async_get(LAMP)

    assert entry is not None
    assert entry.id not in await _records(hass)


async def _records(hass: HomeAssistant) -> dict[str, EntityRecord]:
    catalog = Catalog(hass)
    await catalog.async_start()
    catalog.async_stop()
    return dict(catalog.records)


async def test_state_alone(hass: HomeAssistant, building: Building) -> None:
    """Without a registry entry only what the state says is known."""
    building.state(
        "sensor.rain", "Rain", device_class="precipitation", unit_of_measurement="mm"
    )

    assert read(hass, "sensor.rain") == EntityRecord(
        "sensor.rain", "sensor", "Rain", device_class="precipitation", unit="mm"
    )


async def test_everything_joined(hass: HomeAssistant, building: Building) -> None:
    """Entity, device, area, floor and state in one record."""
    area = building.area(
        "Attic", floor_id=building.floor("Upstairs"), labels={building.label("Area")}
    )
    device = building.device("Hub", area, {building.label("Device")})
    building.entity(
        "sensor.hub_power",
        "Power",
        device=device,
        labels={building.label("Entity")},
        entity_category=EntityCategory.DIAGNOSTIC,
        original_device_class="power",
        unit_of_measurement="W",
        hidden_by=er.RegistryEntryHider.INTEGRATION,
        disabled_by=er.RegistryEntryDisabler.INTEGRATION,
    )

    assert read(hass, "sensor.hub_power") == EntityRecord(
        entity_id="sensor.hub_power",
        domain="sensor",
        name="Hub Power",
        other_names=("Power",),
        area_id=area,
        floor_id="upstairs",
        device_ids=(device,),
        labels=frozenset({"area", "device", "entity"}),
        integration="test",
        device_class="power",
        unit="W",
        category="diagnostic",
        hidden=True,
        disabled_by="integration",
    )
    assert read(hass, "sensor.hub_power").device_id == device


async def test_area_of_the_entity_then_the_device_then_the_parent(
    hass: HomeAssistant, building: Building
) -> None:
    """The nearest area counts."""
    own, devices, parents = (
        building.area(name) for name in ("Own", "Device's", "Parent's")
    )
    parent = building.device("Hub", parents)
    child = building.child(parent, "Channel")
    building.entity(LAMP, "Lamp", device=child)
    assert read(hass).area_id == parents

    building.devices.async_update_child_device(child, area_id=devices)
    assert read(hass).area_id == devices

    building.change(LAMP, area_id=own)
    assert read(hass).area_id == own
    assert read(hass).device_ids == (child, parent)
    assert read(hass).device_id == child


async def test_labels_of_the_parent_device_are_its_own(
    hass: HomeAssistant, building: Building
) -> None:
    """Unlike areas, labels do not pass from a device to its child devices."""
    parent = building.device("Hub", labels={building.label("Party")})
    building.entity(LAMP, "Lamp", device=building.child(parent, "Channel"))

    assert read(hass).labels == frozenset()


async def test_area_that_is_gone_counts_as_none(
    hass: HomeAssistant, building: Building
) -> None:
    """A registry entry may point to an area that nobody knows."""
    building.entity(LAMP, "Lamp", area="atlantis")

    assert (read(hass).area_id, read(hass).floor_id) == (None, None)


async def test_every_name_of_an_entity_on_a_child_device(
    hass: HomeAssistant, building: Building
) -> None:
    """The name shown comes first; the full one, the user's and the integration's are kept beside it."""
    child = building.child(building.device("Hub"), "Channel 1")
    building.entity(LAMP, "Ceiling", device=child)
    building.change(LAMP, name="Big lamp")
    building.state(LAMP, "Channel 1 Big lamp")

    record = read(hass)

    assert record.name == "Channel 1 Big lamp"
    assert record.other_names == ("Hub Channel 1 Big lamp", "Big lamp", "Ceiling")


@pytest.mark.parametrize("name", NO_TEXT, ids=repr)
async def test_friendly_name_that_is_no_name(
    hass: HomeAssistant, building: Building, name: Any
) -> None:
    """A name without text is none: the registry's takes its place, else the id."""
    building.entity(LAMP, "Salt lamp")
    hass.states.async_set(LAMP, "on", {"friendly_name": name})
    hass.states.async_set("sun.sun", "up", {"friendly_name": name})

    assert read(hass).name == "Salt lamp"
    assert read(hass, "sun.sun").name in ("sun", "sun.sun")


async def test_entity_without_any_name_is_called_by_its_id(
    hass: HomeAssistant, building: Building
) -> None:
    """Neither the entity nor its state has a name, and there is no device."""
    building.entity(LAMP)

    assert read(hass).name == LAMP
    assert read(hass).other_names == ()


async def test_entity_without_a_name_is_called_like_its_device(
    hass: HomeAssistant, building: Building
) -> None:
    """The main entity of a device has no name of its own."""
    building.entity(LAMP, device=building.device("Salt lamp"))

    assert read(hass).name == "Salt lamp"


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

    assert (read(hass, "sensor.x").device_class, read(hass, "sensor.x").unit) == (
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

    assert type(read(hass, "sensor.x").device_class) is str
    assert read(hass, "sensor.x").device_class == "temperature"


async def test_class_and_unit_of_the_state_come_before_the_registry(
    hass: HomeAssistant, building: Building
) -> None:
    """The state has what the user chose; the registry helps out while there is no state."""
    building.entity(
        "sensor.x", "X", original_device_class="power", unit_of_measurement="W"
    )
    assert (read(hass, "sensor.x").device_class, read(hass, "sensor.x").unit) == (
        "power",
        "W",
    )

    building.change("sensor.x", device_class="energy")
    assert read(hass, "sensor.x").device_class == "energy"

    building.state("sensor.x", device_class="apparent_power", unit_of_measurement="VA")
    assert (read(hass, "sensor.x").device_class, read(hass, "sensor.x").unit) == (
        "apparent_power",
        "VA",
    )


async def test_native_dates_in_attributes(
    hass: HomeAssistant, building: Building
) -> None:
    """A state with dates in it is read like any other, and so is its neighbour."""
    dates = {"next": datetime(2026, 3, 29, 2, 30, tzinfo=UTC), "day": date(2026, 4, 1)}
    building.state("sensor.bin", "Bin", **dates)
    building.state("sensor.plain", "Plain")

    records = await _records(hass)

    assert [records[key].name for key in ("sensor.bin", "sensor.plain")] == [
        "Bin",
        "Plain",
    ]


@pytest.mark.parametrize(
    ("aliases", "expected"),
    [
        ([er.COMPUTED_NAME], ()),
        ([er.COMPUTED_NAME, "Salt lamp"], ("Salt lamp",)),
        (["Salt lamp", er.COMPUTED_NAME, "Glimmer"], ("Salt lamp", "Glimmer")),
        (["Salt lamp", "Salt lamp", " Salt lamp "], ("Salt lamp",)),
        (["Multi socket 2"], ()),
        (["", "  "], ()),
        ([], ()),
    ],
    ids=repr,
)
async def test_aliases_are_names_only(
    hass: HomeAssistant,
    building: Building,
    aliases: list[Any],
    expected: tuple[str, ...],
) -> None:
    """The mark for "the entity's own name" is replaced by that name, and no name is told twice."""
    building.entity("switch.socket", "Multi socket 2")
    building.change("switch.socket", aliases=aliases)

    assert read(hass, "switch.socket").aliases == expected


async def test_own_name_among_the_aliases_differs_from_the_name_shown(
    hass: HomeAssistant, building: Building
) -> None:
    """On a child device the full name is another than that of the state: then it is an alias."""
    child = building.child(building.device("Hub"), "Channel 1")
    building.entity(LAMP, "Ceiling", device=child)
    building.state(LAMP, "Channel 1 Ceiling")

    assert read(hass).aliases == ("Hub Channel 1 Ceiling",)


async def test_alias_null_from_the_user_interface(
    hass: HomeAssistant,
    building: Building,
    hass_ws_client: WebSocketGenerator,
) -> None:
    """Over the web the mark for the own name is null; it never shows as a name."""
    assert await async_setup_component(hass, "config", {})
    building.entity(LAMP, "Floor lamp")
    client = await hass_ws_client(hass)
    await client.send_json_auto_id(
        {
            "type": "config/entity_registry/update",
            "entity_id": LAMP,
            "aliases": [None, "Staande lamp"],
        }
    )
    assert (await client.receive_json())["success"]

    assert read(hass).aliases == ("Staande lamp",)
    assert read(hass).name == "Floor lamp"


@pytest.mark.parametrize(
    "query",
    [
        "Multi socket 2, Salt lamp",
        "Salt lamp, Multi socket 2",
        "multi socket 2,salt lamp",
    ],
)
async def test_name_and_alias_joined_by_a_comma_find_the_entity(
    hass: HomeAssistant, building: Building, query: str
) -> None:
    """Assist shows names joined by commas, and models ask for them just so."""
    building.entity("switch.socket", "Multi socket 2")
    building.change("switch.socket", aliases=[er.COMPUTED_NAME, "Salt lamp"])
    building.entity("switch.other", "Multi socket 1")
    building.entity("light.salt", "Salt shaker")
    catalog = Catalog(hass)
    await catalog.async_start()

    assert found(catalog, query)[0] == "switch.socket"
    catalog.async_stop()
