"""A deleted helper comes back as it was."""

import json
from typing import Any

import pytest

from custom_components.mcp_bridge.house import helper_store
from custom_components.mcp_bridge.house.helper_store import Helper
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .building import Building

AIM = "input_number.aim"


@pytest.fixture(name="helper")
async def fixture_helper(hass: HomeAssistant, building: Building) -> Helper:
    """Return a helper with everything that people can set on it."""
    assert await async_setup_component(hass, "input_number", {})
    options = {"min": 1, "max": 9, "initial": 3, "step": 0.5, "mode": "box"}
    helper = await helper_store.create(hass, "input_number", "Target", options)
    await helper_store.update(hass, helper.entity_id, {"name": "Temperature"})
    building.change(
        helper.entity_id,
        new_entity_id=AIM,
        name="Aim",
        icon="mdi:target",
        area_id=building.area("Kitchen"),
        labels={building.label("Heating"), building.label("Mine")},
        aliases=[er.COMPUTED_NAME, "goal"],
        categories={"helpers": "climate"},
        hidden_by=er.RegistryEntryHider.USER,
    )
    building.entities.async_update_entity_options(
        AIM, "conversation", {"should_expose": True}
    )
    await hass.async_block_till_done()
    return helper_store.find(hass, AIM)


def forget_deleted(hass: HomeAssistant) -> None:
    """Make Home Assistant forget what it remembers of deleted entities, as it does after a month."""
    er.async_get(hass).deleted_entities.clear()


@pytest.mark.parametrize("remembered", [True, False])
async def test_everything_comes_back(
    hass: HomeAssistant, helper: Helper, remembered: bool
) -> None:
    """The definition, the ids and what people had set, by way of JSON; even when Home Assistant remembers nothing."""
    deleted = await helper_store.delete(hass, AIM)
    assert deleted == helper
    if not remembered:
        forget_deleted(hass)
    kept = json.loads(
        json.dumps([deleted.entity_id, deleted.id, deleted.config, deleted.registry])
    )

    back = await helper_store.restore(
        hass, Helper(kept[0], kept[1], "input_number", kept[2], kept[3])
    )
    await hass.async_block_till_done()

    assert back == helper == helper_store.find(hass, AIM)
    state = hass.states.get(AIM)
    assert state is not None
    assert (state.name, state.attributes["max"]) == ("Aim", 9)
    entry = er.async_get(hass).async_get(AIM)
    assert entry is not None
    assert entry.aliases == [er.COMPUTED_NAME, "goal"]
    assert entry.original_name == "Temperature"


async def test_disabled_helper_comes_back_disabled(
    hass: HomeAssistant, helper: Helper
) -> None:
    """It was so before."""
    er.async_get(hass).async_update_entity(
        AIM, disabled_by=er.RegistryEntryDisabler.USER
    )
    await hass.async_block_till_done()
    deleted = await helper_store.delete(hass, AIM)
    forget_deleted(hass)

    back = await helper_store.restore(hass, deleted)
    await hass.async_block_till_done()

    assert back == deleted
    assert hass.states.get(AIM) is None


async def test_area_and_labels_that_have_gone(
    hass: HomeAssistant, building: Building, helper: Helper
) -> None:
    """They are left out; the rest comes back."""
    deleted = await helper_store.delete(hass, AIM)
    forget_deleted(hass)
    building.areas.async_delete("kitchen")
    building.labels.async_delete("heating")

    back = await helper_store.restore(hass, deleted)

    assert back.registry == {**helper.registry, "area_id": None, "labels": ["mine"]}


async def test_taken_entity_id(
    hass: HomeAssistant, building: Building, helper: Helper
) -> None:
    """Somebody else has it now and keeps it."""
    deleted = await helper_store.delete(hass, AIM)
    forget_deleted(hass)
    building.state(AIM)

    back = await helper_store.restore(hass, deleted)

    assert (back.entity_id, back.id) == ("input_number.target", "target")
    assert back.config == helper.config


async def test_taken_id(hass: HomeAssistant, helper: Helper) -> None:
    """A new helper has the id: both live."""
    deleted = await helper_store.delete(hass, AIM)
    other = await helper_store.create(
        hass, "input_number", "Target", {"min": 0, "max": 1}
    )

    back = await helper_store.restore(hass, deleted)

    assert other.id == "target"
    assert back.id == "target_2"
    assert back.config == helper.config
    assert helper_store.find(hass, other.entity_id).config == other.config


async def test_nothing_known_of_the_registry(hass: HomeAssistant) -> None:
    """Then the definition alone comes back."""
    assert await async_setup_component(hass, "counter", {})
    config: dict[str, Any] = {"name": "Cups", "step": 2}

    back = await helper_store.restore(
        hass, Helper("counter.mugs", "c", "counter", config)
    )

    assert (back.entity_id, back.id, back.config["step"]) == ("counter.mugs", "c", 2)
