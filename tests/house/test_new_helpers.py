"""Which entity a helper would get is known before it is made, and checking makes nothing."""

from typing import Any

import pytest

from custom_components.mcp_bridge.errors import InvalidArguments
from custom_components.mcp_bridge.house import helper_store
from custom_components.mcp_bridge.house.new_helpers import (
    moved_record,
    new_records,
    restored_record,
)
from custom_components.mcp_bridge.house.records import read_record
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .building import Building


@pytest.fixture(autouse=True)
async def helpers(hass: HomeAssistant) -> None:
    """Load one kind of helpers."""
    assert await async_setup_component(hass, "input_number", {})


async def make(hass: HomeAssistant, name: str = "Target") -> str:
    """Create a helper, and return the id of its entity."""
    options = {"min": 0, "max": 5}
    return (await helper_store.create(hass, "input_number", name, options)).entity_id


def foretold(hass: HomeAssistant, name: str = "Target") -> str:
    """Return the entity id that is foretold."""
    return new_records(hass, "input_number", name, None)[-1].entity_id


@pytest.mark.parametrize(
    "name", ["Target", "Été", "🎉", "お風呂", "1", "_", "a.b", "long " * 40]
)
async def test_the_id_that_it_gets(hass: HomeAssistant, name: str) -> None:
    """The first, the second, and after one was renamed, deleted, or its id taken."""
    ids = []
    for _ in range(3):
        ids.append(foretold(hass, name))
        assert await make(hass, name) == ids[-1]
    registry = er.async_get(hass)
    registry.async_update_entity(
        ids[0], new_entity_id="input_number.other", name="Something"
    )
    await hass.async_block_till_done()
    await helper_store.delete(hass, "input_number.other")
    assert foretold(hass, name) == "input_number.other"
    hass.states.async_set("input_number.other", "1")
    expected = foretold(hass, name)
    assert await make(hass, name) == expected


async def test_places_and_labels(hass: HomeAssistant, building: Building) -> None:
    """Those that are asked for, those Home Assistant remembers, and those of the area."""
    kitchen, cellar = building.area("Kitchen"), building.area("Cellar")
    label = building.label("Mine")
    [record] = new_records(hass, "input_number", "Target", kitchen)
    assert (record.area_id, record.domain) == (kitchen, "input_number")

    entity_id = await make(hass)
    building.change(entity_id, area_id=cellar, labels={label})
    await hass.async_block_till_done()
    present = read_record(hass, entity_id)
    assert present is not None
    moved = moved_record(hass, present, kitchen)
    assert (moved.area_id, moved.labels) == (kitchen, frozenset((label,)))
    assert moved_record(hass, present, None).area_id is None

    gone = await helper_store.delete(hass, entity_id)
    [record] = new_records(hass, "input_number", "Target", None)
    assert (record.area_id, record.labels) == (cellar, frozenset((label,)))
    record = restored_record(hass, gone)
    assert (record.entity_id, record.area_id) == (entity_id, cellar)
    hass.states.async_set(entity_id, "1")
    other = restored_record(hass, gone).entity_id
    assert other != entity_id
    assert (await helper_store.restore(hass, gone)).entity_id == other


@pytest.mark.parametrize(
    "options", [{"min": 5, "max": 1}, {"min": 0, "max": 5, "initial": 9}, {}]
)
async def test_a_check_tells_what_creating_would(
    hass: HomeAssistant, options: dict[str, Any]
) -> None:
    """In the same words."""
    with pytest.raises(InvalidArguments) as checked:
        await helper_store.check(hass, "input_number", {"name": "A", **options})
    with pytest.raises(InvalidArguments) as created:
        await helper_store.create(hass, "input_number", "A", options)

    assert checked.value.as_dict() == created.value.as_dict()


async def test_a_check_stores_nothing(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """It returns what would be stored."""
    options = {"name": "A", "min": 0, "max": 5}

    would_be = await helper_store.check(hass, "input_number", options)

    assert would_be == {**options, "step": 1, "mode": "slider"}
    assert hass.states.async_entity_ids("input_number") == []
    assert "input_number" not in hass_storage


@pytest.mark.parametrize("name", ["\ud83d", "a\udfffb"])
async def test_half_characters(hass: HomeAssistant, name: str) -> None:
    """One of them would keep all helpers of the kind from being stored."""
    with pytest.raises(InvalidArguments, match="cannot be stored"):
        await make(hass, name)

    assert await make(hass, "Whole") == "input_number.whole"
