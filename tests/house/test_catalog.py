"""The catalogue keeps step with states and with the entity registry."""

from typing import Any

import pytest

from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.records import EntityRecord
from homeassistant.components.sensor import SensorDeviceClass
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .building import Building, found


def record(catalog: Catalog, entity_id: str) -> EntityRecord:
    """Return the record of an entity that is known."""
    return catalog.records[entity_id]


async def test_start_reads_states_and_registry(
    hass: HomeAssistant, building: Building
) -> None:
    """What is only a state, only registered or disabled is there; what is disabled is not searched."""
    building.state("sun.sun", "Sun")
    building.entity("light.registered", "Registered lamp")
    building.entity(
        "light.disabled", "Disabled lamp", disabled_by=er.RegistryEntryDisabler.USER
    )
    building.entity("light.both", "Both")
    building.state("light.both", "Both lamp")
    catalog = Catalog(hass)

    await catalog.async_start()

    assert {key: known.name for key, known in catalog.records.items()} == {
        "sun.sun": "Sun",
        "light.registered": "Registered lamp",
        "light.disabled": "Disabled lamp",
        "light.both": "Both lamp",
    }
    assert sorted(found(catalog, "lamp")) == ["light.both", "light.registered"]
    assert len(catalog.index) == 3
    assert catalog.is_in_step
    catalog.async_stop()


async def test_start_reads_a_house_of_many_slices(
    hass: HomeAssistant, building: Building
) -> None:
    """However many entities there are, all are read before the start is over."""
    for number in range(350):
        building.state(f"sensor.n{number}")
    catalog = Catalog(hass)

    await catalog.async_start()

    assert len(catalog.records) == len(catalog.index) == 350
    catalog.async_stop()


async def test_records_cannot_be_changed_from_outside(catalog: Catalog) -> None:
    """Readers get a view, not the catalogue's own table."""
    with pytest.raises(TypeError):
        catalog.records["light.x"] = None  # type: ignore[index]


async def test_registered_entity_appears(building: Building, catalog: Catalog) -> None:
    """An entity without a state yet is known by its registry entry."""
    assert not catalog.records

    building.entity("light.lamp", "Salt lamp")

    assert record(catalog, "light.lamp").name == "Salt lamp"
    assert record(catalog, "light.lamp").integration == "test"
    assert found(catalog, "salt") == ["light.lamp"]


async def test_entity_with_a_new_id_is_known_by_that_id_only(
    building: Building, catalog: Catalog
) -> None:
    """A changed entity id takes the record and the search along."""
    building.entity("light.old_id", "Salt lamp")
    assert found(catalog, "old id") == ["light.old_id"]

    building.change("light.old_id", new_entity_id="light.fresh")

    assert list(catalog.records) == ["light.fresh"]
    assert record(catalog, "light.fresh").entity_id == "light.fresh"
    assert found(catalog, "salt lamp") == ["light.fresh"]
    assert found(catalog, "old id") == []


async def test_removed_entity_is_gone(building: Building, catalog: Catalog) -> None:
    """What left the registry and has no state does not exist."""
    building.entity("light.lamp", "Salt lamp")
    assert "light.lamp" in catalog.records

    building.entities.async_remove("light.lamp")

    assert not catalog.records
    assert found(catalog, "salt") == []


async def test_entity_removed_from_the_registry_lives_on_as_a_state(
    building: Building, catalog: Catalog
) -> None:
    """With the entry goes what only the entry knew."""
    area = building.area("Attic")
    building.entity("light.lamp", "Salt lamp", area=area)
    building.state("light.lamp", "Lamp of the state")
    assert record(catalog, "light.lamp").area_id == area

    building.entities.async_remove("light.lamp")

    lamp = record(catalog, "light.lamp")
    assert (lamp.name, lamp.area_id, lamp.integration) == (
        "Lamp of the state",
        None,
        None,
    )
    assert found(catalog, "attic") == []


async def test_disabled_entity_stays_known_but_is_not_found(
    building: Building, catalog: Catalog
) -> None:
    """Disabling takes an entity out of the search, enabling brings it back."""
    building.entity("light.lamp", "Salt lamp")
    assert record(catalog, "light.lamp").disabled_by is None

    building.change("light.lamp", disabled_by=er.RegistryEntryDisabler.USER)

    assert record(catalog, "light.lamp").disabled_by == "user"
    assert found(catalog, "salt") == []

    building.change("light.lamp", disabled_by=None)

    assert record(catalog, "light.lamp").disabled_by is None
    assert found(catalog, "salt") == ["light.lamp"]


async def test_hidden_entity_is_found_last(
    building: Building, catalog: Catalog
) -> None:
    """Hiding moves an entity behind all others, showing it again moves it back."""
    building.entity("light.a", "Salt lamp")
    building.entity("light.b", "Salt lamp")
    assert found(catalog, "salt lamp") == ["light.a", "light.b"]

    building.change("light.a", hidden_by=er.RegistryEntryHider.USER)

    assert record(catalog, "light.a").hidden
    assert found(catalog, "salt lamp") == ["light.b", "light.a"]

    building.change("light.a", hidden_by=None)

    assert not record(catalog, "light.a").hidden
    assert found(catalog, "salt lamp") == ["light.a", "light.b"]


@pytest.mark.parametrize(
    ("changes", "field", "value", "query"),
    [
        (
            {"aliases": [er.COMPUTED_NAME, "Glimmer"]},
            "aliases",
            ("Glimmer",),
            "glimmer",
        ),
        ({"name": "Bedside"}, "name", "Bedside", "bedside"),
        ({"original_name": "Reading"}, "name", "Reading", "reading"),
        ({"area_id": "attic"}, "area_id", "attic", "attic"),
        ({"area_id": "attic"}, "floor_id", "top", "top"),
        ({"labels": {"party"}}, "labels", frozenset({"party"}), "party"),
        ({"device_class": "outlet"}, "device_class", "outlet", "outlet"),
        ({"unit_of_measurement": "lm"}, "unit", "lm", "lm"),
        (
            {"entity_category": EntityCategory.CONFIG},
            "category",
            "config",
            "salt",
        ),
    ],
)
async def test_changed_registry_entry_is_read_again(
    building: Building,
    catalog: Catalog,
    *,
    changes: dict[str, Any],
    field: str,
    value: object,
    query: str,
) -> None:
    """Whatever of the entry a record holds follows the entry, and so does the search."""
    building.area("Attic", floor_id=building.floor("Top"))
    building.label("Party")
    building.entity("switch.lamp", "Salt")
    assert getattr(record(catalog, "switch.lamp"), field) != value

    building.change("switch.lamp", **changes)

    assert getattr(record(catalog, "switch.lamp"), field) == value
    assert found(catalog, query) == ["switch.lamp"]


async def test_every_name_of_an_entity_leads_to_it(
    building: Building, catalog: Catalog
) -> None:
    """The name of the state, the user's and the integration's, one of which is shown."""
    building.entity("light.lamp", "Integration")
    building.change("light.lamp", name="User", aliases=["Alias"])
    building.state("light.lamp", "State")

    for name in ("integration", "user", "alias", "state"):
        assert found(catalog, name) == ["light.lamp"]


async def test_aliases_taken_back_are_not_found_any_more(
    building: Building, catalog: Catalog
) -> None:
    """The search forgets what the entry no longer says."""
    building.entity("light.lamp", "Salt")
    building.change("light.lamp", aliases=["Glimmer"], labels={building.label("Party")})
    assert found(catalog, "glimmer party") == ["light.lamp"]

    building.change("light.lamp", aliases=[], labels=set())

    assert record(catalog, "light.lamp").aliases == ()
    assert found(catalog, "glimmer") == found(catalog, "party") == []


async def test_state_without_registry_entry_comes_and_goes(
    hass: HomeAssistant, building: Building, catalog: Catalog
) -> None:
    """An entity that was never registered exists as long as its state does."""
    assert not catalog.records

    building.state("sensor.rain", "Rain gauge")

    assert record(catalog, "sensor.rain").name == "Rain gauge"
    assert found(catalog, "rain gauge") == ["sensor.rain"]

    hass.states.async_remove("sensor.rain")

    assert not catalog.records
    assert found(catalog, "rain gauge") == []


async def test_state_of_a_registered_entity_comes_and_goes(
    hass: HomeAssistant, building: Building, catalog: Catalog
) -> None:
    """With a state the entity bears the state's name, without one the registry's."""
    building.entity("light.lamp", "Registered")
    assert record(catalog, "light.lamp").name == "Registered"

    building.state("light.lamp", "Glimmer")

    assert record(catalog, "light.lamp").name == "Glimmer"
    assert found(catalog, "glimmer") == ["light.lamp"]

    hass.states.async_remove("light.lamp")

    assert record(catalog, "light.lamp").name == "Registered"
    assert found(catalog, "glimmer") == []


@pytest.mark.parametrize(
    ("attribute", "field", "old", "new"),
    [
        ("friendly_name", "name", "Before", "Afterwards"),
        ("device_class", "device_class", "humidity", "temperature"),
        ("device_class", "device_class", "humidity", SensorDeviceClass.MOISTURE),
        ("unit_of_measurement", "unit", "kWh", "ppm"),
    ],
)
async def test_changed_attribute_is_read_again(
    building: Building,
    catalog: Catalog,
    *,
    attribute: str,
    field: str,
    old: str,
    new: str,
) -> None:
    """Name, class and unit follow the state, there and in the search."""
    building.state("sensor.x", **{attribute: old})
    assert getattr(record(catalog, "sensor.x"), field) == old
    assert found(catalog, old) == ["sensor.x"]

    building.state("sensor.x", **{attribute: new})

    assert getattr(record(catalog, "sensor.x"), field) == str(new)
    assert found(catalog, str(new)) == ["sensor.x"]
    assert found(catalog, old) == []


@pytest.mark.parametrize(
    "attribute", ["friendly_name", "device_class", "unit_of_measurement"]
)
async def test_attribute_that_is_gone_is_forgotten(
    building: Building, catalog: Catalog, attribute: str
) -> None:
    """A state that no longer has the attribute takes its words out of the search."""
    building.state("sensor.x", **{attribute: "glimmer"})
    assert found(catalog, "glimmer") == ["sensor.x"]

    building.state("sensor.x")

    assert found(catalog, "glimmer") == []


async def test_other_changes_of_a_state_leave_the_record_alone(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """Values and attributes that nobody catalogues cost nothing: the very same record stays."""
    attributes = {"friendly_name": "Name", "device_class": "humidity"}
    hass.states.async_set("sensor.x", "1", attributes)
    before = catalog.records["sensor.x"]

    hass.states.async_set("sensor.x", "2", attributes)
    hass.states.async_set("sensor.x", "2", attributes | {"voltage": 3})

    assert catalog.records["sensor.x"] is before


async def test_catalogue_is_in_step_after_any_change(
    hass: HomeAssistant, building: Building, catalog: Catalog
) -> None:
    """A state that just appeared counts as known, since whoever asks gets it."""
    building.state("sensor.a")
    building.state("sensor.b")
    hass.states.async_remove("sensor.a")

    assert catalog.is_in_step
    assert list(catalog.records) == ["sensor.b"]


async def test_stopped_catalogue_is_out_of_step(
    building: Building, catalog: Catalog
) -> None:
    """What appears after the end is not followed, and the catalogue owns up to it."""
    catalog.async_stop()

    building.state("sensor.late")

    assert not catalog.records
    assert not catalog.is_in_step
