"""How long it takes to read a house of 5,000 entities, to follow it, and to tell what a restricted caller may see of it."""

from collections.abc import Generator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from custom_components.mcp_bridge.access.options import AccessOptions
from custom_components.mcp_bridge.access.view import HouseView
from custom_components.mcp_bridge.access.visibility import Visibility
from custom_components.mcp_bridge.house.catalog import Catalog
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from tests.access.people import ASSIST, owner, user_who_may
from tests.house.building import Building

ENTITIES = 5000
PER_DEVICE = 5
AREAS = 25
DOMAINS = ("light", "switch", "sensor", "binary_sensor", "lock")
OPTIONS = {
    "filter_reads": True,
    "entity_allowlist": {
        "patterns": ["light.*", "sensor.*", "*_7", "binary_sensor.*"],
        "target": {"area_id": ["area_3"], "label_id": ["party"]},
    },
    "entity_denylist": {
        "patterns": ["lock.*", "*_13*", "sensor.*_private"],
        "target": {"area_id": ["area_1"], "floor_id": ["upstairs"]},
    },
}


@pytest.fixture(name="building")
async def fixture_building(hass: HomeAssistant) -> Building:
    """Return a house with areas on floors, devices with five entities each, and a state for every entity."""
    assert await async_setup_component(hass, "homeassistant", {})
    building = Building(hass)
    floors = [building.floor("Upstairs"), building.floor("Ground")]
    party = building.label("Party")
    areas = [
        building.area(f"Area {number}", floor_id=floors[number % 2])
        for number in range(AREAS)
    ]
    for number in range(ENTITIES // PER_DEVICE):
        labels = {party} if number % 10 == 0 else None
        device = building.device(f"Device {number}", areas[number % AREAS], labels)
        for domain in DOMAINS:
            key = building.entity(f"{domain}.part_{number}", "Part", device=device)
            building.state(key, f"Device {number} part", device_class="power")
    return building


@pytest.fixture(name="catalog")
def fixture_catalog(hass: HomeAssistant, building: Building) -> Generator[Catalog]:
    """Return the catalogue of the house, filled."""
    catalog = Catalog(hass)
    hass.loop.run_until_complete(catalog.async_start())
    yield catalog
    catalog.async_stop()


def test_fill_the_catalogue(
    hass: HomeAssistant, building: Building, benchmark: BenchmarkFixture
) -> None:
    """All entities, and the search index over them, as when the integration starts."""

    def fill() -> int:
        catalog = Catalog(hass)
        hass.loop.run_until_complete(catalog.async_start())
        catalog.async_stop()
        return len(catalog.records)

    result = benchmark.pedantic(fill, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]

    assert result == ENTITIES


def test_read_again_after_an_area_was_renamed(
    building: Building, catalog: Catalog, benchmark: BenchmarkFixture
) -> None:
    """The 200 entities of one area, asked for at once."""
    names = iter(range(1000))

    def rename() -> int:
        building.areas.async_update("area_3", name=f"Renamed {next(names)}")
        return len(catalog.records)

    result = benchmark.pedantic(rename, rounds=20, warmup_rounds=1)  # type: ignore[no-untyped-call]

    assert result == ENTITIES


@pytest.mark.parametrize("caller", ["lists", "policy", "exposed only"])
@pytest.mark.parametrize("memory", ["cold", "warm"])
def test_what_a_restricted_caller_sees(
    hass: HomeAssistant,
    catalog: Catalog,
    benchmark: BenchmarkFixture,
    *,
    caller: str,
    memory: str,
) -> None:
    """Filtering all entities, for the first time and again."""
    options, user = AccessOptions(), owner()
    if caller == "lists":
        options = AccessOptions.from_entry_options(OPTIONS)
    elif caller == "policy":
        domains, areas = {"light": {"read": True}}, {"area_3": {"read": True}}
        user = user_who_may(hass, {"domains": domains, "area_ids": areas})
    else:
        options = AccessOptions(assist_exposed_only=True)
        async_expose_entity(hass, ASSIST, "lock.part_7", True)
    kept = Visibility(hass, options, user)

    def count() -> int:
        visibility = kept if memory == "warm" else Visibility(hass, options, user)
        return sum(1 for _ in HouseView(hass, catalog, visibility).entities())

    expected = count()
    assert 0 < expected < ENTITIES
    result = benchmark.pedantic(count, rounds=20, warmup_rounds=1)  # type: ignore[no-untyped-call]

    assert result == expected
