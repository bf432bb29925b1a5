"""The catalogue keeps step with devices, areas, floors and labels, whose changes fire no event of the entity."""

import pytest

from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.records import EntityRecord
from homeassistant.helpers import device_registry as dr, entity_registry as er

from .building import Building, found

LAMP = "light.lamp"


def lamp(catalog: Catalog) -> EntityRecord:
    """Return the record of the one lamp that all of these houses have."""
    return catalog.records[LAMP]


async def test_device_moved_to_another_area(
    building: Building, catalog: Catalog
) -> None:
    """An entity without an area of its own goes with its device."""
    attic, cellar = (
        building.area("Attic", floor_id=building.floor("Upstairs")),
        building.area("Cellar"),
    )
    device = building.device("Hub", attic)
    building.entity(LAMP, "Lamp", device=device)
    assert (lamp(catalog).area_id, lamp(catalog).floor_id) == (attic, "upstairs")

    building.devices.async_update_device(device, area_id=cellar)

    assert (lamp(catalog).area_id, lamp(catalog).floor_id) == (cellar, None)
    assert found(catalog, "cellar lamp") == [LAMP]
    assert found(catalog, "attic") == found(catalog, "upstairs") == []


async def test_disabled_entity_goes_with_its_device_too(
    building: Building, catalog: Catalog
) -> None:
    """The lists that name an area must know where a disabled entity is."""
    attic = building.area("Attic")
    device = building.device("Hub")
    building.entity(LAMP, "Lamp", device=device)
    building.change(LAMP, disabled_by=er.RegistryEntryDisabler.USER)
    assert lamp(catalog).area_id is None

    building.devices.async_update_device(device, area_id=attic)

    assert lamp(catalog).area_id == attic


async def test_device_moved_leaves_entities_with_an_own_area(
    building: Building, catalog: Catalog
) -> None:
    """The entity's own area comes first."""
    attic, cellar = building.area("Attic"), building.area("Cellar")
    device = building.device("Hub", attic)
    building.entity(LAMP, "Lamp", device=device, area=attic)
    assert lamp(catalog).area_id == attic

    building.devices.async_update_device(device, area_id=cellar)

    assert lamp(catalog).area_id == attic
    assert found(catalog, "cellar") == []


async def test_device_renamed(building: Building, catalog: Catalog) -> None:
    """The full name of an entity begins with its device's."""
    device = building.device("Hub")
    building.entity(LAMP, "Lamp", device=device)
    assert lamp(catalog).name == "Hub Lamp"

    building.devices.async_update_device(device, name_by_user="Glimmer")

    assert lamp(catalog).name == "Glimmer Lamp"
    assert found(catalog, "glimmer") == [LAMP]
    assert found(catalog, "hub") == []


async def test_device_label_added_and_removed(
    building: Building, catalog: Catalog
) -> None:
    """A label on the device marks its entities."""
    label = building.label("Party")
    device = building.device("Hub")
    building.entity(LAMP, "Lamp", device=device)
    assert lamp(catalog).labels == frozenset()

    building.devices.async_update_device(device, labels={label})

    assert lamp(catalog).labels == {label}
    assert found(catalog, "party") == [LAMP]

    building.devices.async_update_device(device, labels=set())

    assert lamp(catalog).labels == frozenset()
    assert found(catalog, "party") == []


async def test_device_removed_takes_its_entities_along(
    building: Building, catalog: Catalog
) -> None:
    """Home Assistant removes the entities of a removed device."""
    device = building.device("Hub")
    building.entity(LAMP, "Lamp", device=device)
    assert lamp(catalog).device_id == device

    building.devices.async_remove_device(device)

    assert not catalog.records


async def test_entity_of_another_integration_outlives_its_device(
    building: Building, catalog: Catalog
) -> None:
    """An entity that was only attached to a device loses the device and the device's area."""
    device = building.device("Hub", building.area("Attic"))
    building.entity(LAMP, "Lamp")
    building.change(LAMP, device_id=device, config_entry_id=None)
    assert lamp(catalog).area_id == "attic"

    building.devices.async_remove_device(device)

    assert (lamp(catalog).device_ids, lamp(catalog).area_id) == ((), None)
    assert found(catalog, "attic") == []


async def test_device_disabled_and_enabled(
    building: Building, catalog: Catalog
) -> None:
    """A disabled device takes its entities out of the search."""
    device = building.device("Hub")
    building.entity(LAMP, "Lamp", device=device)
    assert found(catalog, "lamp") == [LAMP]

    building.devices.async_update_device(
        device, disabled_by=dr.DeviceEntryDisabler.USER
    )

    assert lamp(catalog).disabled_by == "device"
    assert found(catalog, "lamp") == []

    building.devices.async_update_device(device, disabled_by=None)

    assert lamp(catalog).disabled_by is None
    assert found(catalog, "lamp") == [LAMP]


async def test_parent_device_moved(building: Building, catalog: Catalog) -> None:
    """A child device without an area of its own goes with its parent, and its entities with it."""
    attic, cellar = building.area("Attic"), building.area("Cellar")
    parent = building.device("Hub", attic)
    child = building.child(parent, "Channel")
    building.entity(LAMP, "Lamp", device=child)
    assert lamp(catalog).device_ids == (child, parent)
    assert lamp(catalog).area_id == attic

    building.devices.async_update_device(parent, area_id=cellar)

    assert lamp(catalog).area_id == cellar
    assert found(catalog, "cellar") == [LAMP]
    assert found(catalog, "attic") == []


async def test_parent_device_renamed(building: Building, catalog: Catalog) -> None:
    """The full name of an entity on a child device begins with the parent's."""
    parent = building.device("Hub")
    building.entity(LAMP, "Lamp", device=building.child(parent, "Channel"))
    assert lamp(catalog).name == "Hub Channel Lamp"

    building.devices.async_update_device(parent, name_by_user="Glimmer")

    assert lamp(catalog).name == "Glimmer Channel Lamp"
    assert found(catalog, "glimmer") == [LAMP]


async def test_child_device_moved_and_renamed(
    building: Building, catalog: Catalog
) -> None:
    """Events of child devices count like those of devices."""
    attic = building.area("Attic")
    child = building.child(building.device("Hub"), "Channel")
    building.entity(LAMP, "Lamp", device=child)
    assert lamp(catalog).area_id is None

    building.devices.async_update_child_device(
        child, area_id=attic, name_by_user="Glimmer", labels={building.label("Party")}
    )

    assert lamp(catalog).area_id == attic
    assert lamp(catalog).labels == {"party"}
    assert found(catalog, "glimmer attic party") == [LAMP]


async def test_device_that_becomes_a_child_gets_its_parents_area(
    building: Building, catalog: Catalog
) -> None:
    """Integrations turn devices into child devices when they are updated."""
    parent = building.device("Hub", building.area("Attic"))
    device = building.device("Channel")
    building.entity(LAMP, "Lamp", device=device)
    assert lamp(catalog).device_ids == (device,)

    entry = building.devices.async_get(device)
    assert entry is not None
    building.devices.async_config_entry_unloaded(building.config_entry.entry_id)
    building.devices.async_get_or_create_child(
        config_entry_id=building.config_entry.entry_id,
        identifiers=entry.identifiers,
        name="Channel",
        parent_device_id=parent,
    )

    assert lamp(catalog).device_ids == (device, parent)
    assert lamp(catalog).area_id == "attic"
    assert found(catalog, "attic") == [LAMP]


async def test_parent_device_removed(building: Building, catalog: Catalog) -> None:
    """Child devices and their entities go with the parent."""
    parent = building.device("Hub")
    building.entity(LAMP, "Lamp", device=building.child(parent, "Channel"))
    assert LAMP in catalog.records

    building.devices.async_remove_device(parent)

    assert not catalog.records


@pytest.mark.parametrize("where", ["entity", "device", "parent device"])
async def test_area_renamed(building: Building, catalog: Catalog, where: str) -> None:
    """Everything in the area is found by its new name, by whichever way it is in there."""
    area = building.area("Attic")
    parent = building.device("Hub", area if where == "parent device" else None)
    device = building.child(parent, "Channel")
    if where == "device":
        building.devices.async_update_child_device(device, area_id=area)
    building.entity(
        LAMP, "Lamp", device=device, area=area if where == "entity" else None
    )
    assert found(catalog, "attic") == [LAMP]

    building.areas.async_update(area, name="Studio")

    assert lamp(catalog).area_id == area
    assert found(catalog, "studio") == [LAMP]
    assert found(catalog, "attic") == []


async def test_area_alias_added_and_removed(
    building: Building, catalog: Catalog
) -> None:
    """An alias of the area leads to what is in it."""
    area = building.area("Attic")
    building.entity(LAMP, "Lamp", area=area)
    assert found(catalog, "studio") == []

    building.areas.async_update(area, aliases={"Studio"})

    assert found(catalog, "studio") == [LAMP]

    building.areas.async_update(area, aliases=set())

    assert found(catalog, "studio") == []


async def test_area_label_added_and_removed(
    building: Building, catalog: Catalog
) -> None:
    """A label on the area marks everything in it."""
    area, label = building.area("Attic"), building.label("Party")
    building.entity(LAMP, "Lamp", device=building.device("Hub", area))
    assert lamp(catalog).labels == frozenset()

    building.areas.async_update(area, labels={label})

    assert lamp(catalog).labels == {label}
    assert found(catalog, "party") == [LAMP]

    building.areas.async_update(area, labels=set())

    assert lamp(catalog).labels == frozenset()
    assert found(catalog, "party") == []


async def test_area_moved_to_another_floor(
    building: Building, catalog: Catalog
) -> None:
    """The floor of an entity is that of its area."""
    upstairs, ground = building.floor("Upstairs"), building.floor("Ground")
    area = building.area("Attic", floor_id=upstairs)
    building.entity(LAMP, "Lamp", area=area)
    assert lamp(catalog).floor_id == upstairs

    building.areas.async_update(area, floor_id=ground)

    assert lamp(catalog).floor_id == ground
    assert found(catalog, "ground") == [LAMP]
    assert found(catalog, "upstairs") == []


async def test_area_removed(building: Building, catalog: Catalog) -> None:
    """Area, floor and area labels are gone with the area."""
    area = building.area(
        "Attic", floor_id=building.floor("Upstairs"), labels={building.label("Party")}
    )
    building.entity(LAMP, "Lamp", area=area)
    building.entity("light.other", "Other", device=building.device("Hub", area))
    assert lamp(catalog).floor_id == "upstairs"

    building.areas.async_delete(area)

    for record in catalog.records.values():
        assert (record.area_id, record.floor_id, record.labels) == (
            None,
            None,
            frozenset[str](),
        )
    assert found(catalog, "attic") == found(catalog, "upstairs") == []


async def test_floor_renamed_and_given_an_alias(
    building: Building, catalog: Catalog
) -> None:
    """What is on the floor is found by the floor's names."""
    floor = building.floor("Upstairs")
    building.entity(LAMP, "Lamp", area=building.area("Attic", floor_id=floor))
    assert found(catalog, "upstairs") == [LAMP]

    building.floors.async_update(floor, name="Heaven", aliases={"Sky"})

    assert found(catalog, "heaven") == found(catalog, "sky") == [LAMP]
    assert found(catalog, "upstairs") == []


async def test_floor_removed(building: Building, catalog: Catalog) -> None:
    """The area stays, without a floor."""
    floor = building.floor("Upstairs")
    area = building.area("Attic", floor_id=floor)
    building.entity(LAMP, "Lamp", area=area)
    assert lamp(catalog).floor_id == floor

    building.floors.async_delete(floor)

    assert (lamp(catalog).area_id, lamp(catalog).floor_id) == (area, None)
    assert found(catalog, "upstairs") == []


@pytest.mark.parametrize("where", ["entity", "device", "area"])
async def test_label_renamed_and_removed(
    building: Building, catalog: Catalog, where: str
) -> None:
    """A label on entity, device or area is found by its new name, and forgotten when it is removed."""
    label = building.label("Party")
    marked = {
        place: {label} if place == where else set[str]()
        for place in ("entity", "device", "area")
    }
    area = building.area("Attic", labels=marked["area"])
    device = building.device("Hub", area, marked["device"])
    building.entity(LAMP, "Lamp", device=device, labels=marked["entity"])
    assert found(catalog, "party") == [LAMP]

    building.labels.async_update(label, name="Carnival")

    assert lamp(catalog).labels == {label}
    assert found(catalog, "carnival") == [LAMP]
    assert found(catalog, "party") == []

    building.labels.async_delete(label)

    assert lamp(catalog).labels == frozenset()
    assert found(catalog, "carnival") == []


async def test_areas_and_floors_put_in_another_order(
    building: Building, catalog: Catalog
) -> None:
    """Reordering concerns no entity, and breaks nothing."""
    floors = [building.floor("Ground"), building.floor("Upstairs")]
    areas = [building.area("Attic", floor_id=floors[0]), building.area("Cellar")]
    building.entity(LAMP, "Lamp", area=areas[0])
    building.entity("light.nowhere", "Lamp")
    before = dict(catalog.records)

    building.areas.async_reorder(areas[::-1])
    building.floors.async_reorder(floors[::-1])

    for entity_id, record in before.items():
        assert catalog.records[entity_id] is record
