"""What goes wrong half-way leaves no half helper behind, and what happens at once does not mix."""

import asyncio
from typing import Any

import pytest

from custom_components.mcp_bridge.errors import Failed, InvalidArguments
from custom_components.mcp_bridge.house import helper_store
from homeassistant.components.input_boolean.entity import InputBoolean
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component


@pytest.fixture(autouse=True)
async def helpers(hass: HomeAssistant) -> None:
    """Load the integrations of two kinds."""
    for helper_type in ("input_boolean", "input_number"):
        assert await async_setup_component(hass, helper_type, {})


async def test_entity_that_cannot_be_made(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Home Assistant has stored the helper already when it fails to make the entity of it."""

    def from_storage(config: Any) -> InputBoolean:
        raise TypeError("no such thing")

    monkeypatch.setattr(InputBoolean, "from_storage", from_storage)

    with pytest.raises(InvalidArguments, match="no such thing"):
        await helper_store.create(hass, "input_boolean", "Guests", {})

    monkeypatch.undo()
    helper = await helper_store.create(hass, "input_boolean", "Guests", {})
    assert helper.entity_id == "input_boolean.guests"


async def test_entity_that_does_not_come(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an error, but not into the registry either, without which it could never be found again."""
    make = InputBoolean.from_storage

    def from_storage(config: Any) -> InputBoolean:
        entity = make(config)
        entity._attr_unique_id = None  # noqa: SLF001
        return entity

    monkeypatch.setattr(InputBoolean, "from_storage", from_storage)

    with pytest.raises(Failed, match="no entity"):
        await helper_store.create(hass, "input_boolean", "Guests", {})

    monkeypatch.undo()
    assert (
        await helper_store.create(hass, "input_boolean", "Guests", {})
    ).id == "guests"


async def test_many_at_once(hass: HomeAssistant, hass_storage: dict[str, Any]) -> None:
    """Each gets its own id, no change is lost, and all of it is on disk."""
    made = await asyncio.gather(
        *(helper_store.create(hass, "input_boolean", "Guests", {}) for _ in range(8))
    )
    assert len({helper.entity_id for helper in made}) == 8

    number = await helper_store.create(
        hass, "input_number", "Target", {"min": 0, "max": 9}
    )
    changes: list[dict[str, Any]] = [
        {"name": "Aim"},
        {"initial": 3},
        {"step": 2},
        {"mode": "box"},
        {"icon": "mdi:home"},
    ]
    await asyncio.gather(
        *(helper_store.update(hass, number.entity_id, change) for change in changes)
    )

    config = helper_store.find(hass, number.entity_id).config
    assert config == {"min": 0, "max": 9} | {
        key: value for change in changes for key, value in change.items()
    }
    on_disk = {
        helper_type: hass_storage[helper_type]["data"]["items"]
        for helper_type in ("input_boolean", "input_number")
    }
    assert on_disk["input_number"] == [{"id": "target", **config}]
    assert sorted(item["id"] for item in on_disk["input_boolean"]) == sorted(
        helper.id for helper in made
    )
