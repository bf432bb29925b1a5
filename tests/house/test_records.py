"""One entity, joined from the registries and the state."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.records import EntityRecord, read_record
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .building import Building, found, record_of

LAMP = "light.lamp"


async def test_unknown_entity_has_no_record(hass: HomeAssistant) -> None:
    """Neither state nor registry entry: nothing is known."""
    assert read_record(hass, LAMP) is None


async def test_registry_ids_are_no_entity_ids(
    building: Building, catalog: Catalog
) -> None:
    """An entity goes by one id only, though the registry also knows a second one."""
    building.entity(LAMP, "Lamp")
    entry = building.entities.async_get(LAMP)

    assert entry is not None
    assert building.entities.async_get(entry.id) is entry
    assert list(catalog.records) == [LAMP]


async def test_state_alone(hass: HomeAssistant, building: Building) -> None:
    """Without a registry entry only what the state says is known."""
    building.state(
        "sensor.rain", "Rain", device_class="precipitation", unit_of_measurement="mm"
    )

    assert record_of(hass, "sensor.rain") == EntityRecord(
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

    assert record_of(hass, "sensor.hub_power") == EntityRecord(
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
    assert record_of(hass, "sensor.hub_power").device_id == device


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
    assert record_of(hass, LAMP).area_id == parents

    building.devices.async_update_child_device(child, area_id=devices)
    assert record_of(hass, LAMP).area_id == devices

    building.change(LAMP, area_id=own)
    assert record_of(hass, LAMP).area_id == own
    assert record_of(hass, LAMP).device_ids == (child, parent)
    assert record_of(hass, LAMP).device_id == child


async def test_labels_of_the_parent_device_reach_its_child_devices(
    hass: HomeAssistant, building: Building
) -> None:
    """As Home Assistant's targets have it: who denies the label means all of it."""
    parent = building.device("Hub", labels={building.label("Party")})
    building.entity(LAMP, "Lamp", device=building.child(parent, "Channel"))

    assert record_of(hass, LAMP).labels == {"party"}


async def test_every_name_of_an_entity_on_a_child_device(
    hass: HomeAssistant, building: Building
) -> None:
    """The name shown comes first; the full one, the user's and the integration's are kept beside it."""
    child = building.child(building.device("Hub"), "Channel 1")
    building.entity(LAMP, "Ceiling", device=child)
    building.change(LAMP, name="Big lamp", aliases=["Glimmer"])
    building.state(LAMP, "Channel 1 Big lamp")

    record = record_of(hass, LAMP)

    assert record.name == "Channel 1 Big lamp"
    assert record.other_names == ("Hub Channel 1 Big lamp", "Big lamp", "Ceiling")
    assert record.aliases == ("Glimmer",)


async def test_entity_without_a_name_is_called_like_its_device(
    hass: HomeAssistant, building: Building
) -> None:
    """The main entity of a device has no name of its own."""
    building.entity(LAMP, device=building.device("Salt lamp"))

    assert record_of(hass, LAMP).name == "Salt lamp"


async def test_class_and_unit_of_the_state_come_before_the_registry(
    hass: HomeAssistant, building: Building
) -> None:
    """The state has what the user chose; the registry helps out while there is no state."""
    building.entity(
        "sensor.x", "X", original_device_class="power", unit_of_measurement="W"
    )
    assert (
        record_of(hass, "sensor.x").device_class,
        record_of(hass, "sensor.x").unit,
    ) == (
        "power",
        "W",
    )

    building.change("sensor.x", device_class="energy")
    assert record_of(hass, "sensor.x").device_class == "energy"

    building.state("sensor.x", device_class="apparent_power", unit_of_measurement="VA")
    assert (
        record_of(hass, "sensor.x").device_class,
        record_of(hass, "sensor.x").unit,
    ) == (
        "apparent_power",
        "VA",
    )


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

    assert record_of(hass, "switch.socket").aliases == expected


@pytest.mark.parametrize("aliases", [[er.COMPUTED_NAME], [], ["Salt lamp"]])
async def test_full_name_is_known_whatever_the_aliases_say(
    hass: HomeAssistant, building: Building, aliases: list[Any]
) -> None:
    """On a child device the full name is another than that of the state: it is kept, and told once."""
    child = building.child(building.device("Hub"), "Channel 1")
    building.entity(LAMP, "Ceiling", device=child)
    building.change(LAMP, aliases=aliases)
    building.state(LAMP, "Channel 1 Ceiling")

    record = record_of(hass, LAMP)
    names = (record.name, *record.other_names, *record.aliases)

    assert names.count("Hub Channel 1 Ceiling") == 1
    assert len(names) == len(set(names))


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

    assert record_of(hass, LAMP).aliases == ("Staande lamp",)
    assert record_of(hass, LAMP).name == "Floor lamp"


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
