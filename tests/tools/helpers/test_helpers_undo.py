"""Every change of a helper can be taken back, and that again; not when somebody has changed the same since."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.house import helper_store
from custom_components.mcp_bridge.models import Caller
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from tests.conftest import CallTool
from tests.tools.checks import refused, whole

from .helper_house import (
    CHANGED,
    GUESTS,
    NUMBER,
    OPTIONS,
    each_type,
    entry_of,
    made,
    made_of,
    state_of,
    undone,
)


async def changed(
    call_tool: CallTool, entity_id: str, **changes: Any
) -> dict[str, Any]:
    """Change a helper, and return the answer."""
    return whole(
        await call_tool("ha_update_helper", entity_id=entity_id, changes=changes)
    )


async def deleted(call_tool: CallTool, entity_id: str) -> dict[str, Any]:
    """Delete a helper, and return the answer."""
    return whole(await call_tool("ha_delete_helper", entity_id=entity_id))


@each_type
async def test_creation(
    hass: HomeAssistant, call_tool: CallTool, helper_type: str
) -> None:
    """Undone: gone; undone again: back as it was; and once more gone."""
    created = await made(call_tool, helper_type, area="kitchen")
    entity_id = created["helper"]["entity_id"]
    kept = helper_store.find(hass, entity_id)

    gone = whole(await undone(call_tool, created["change_id"]))
    assert gone["summary"].startswith("undo: create")
    assert made_of(hass, helper_type) == []

    back = whole(await undone(call_tool, gone["change_id"]))
    assert back["helper"] == created["helper"]
    assert "note" not in back
    assert helper_store.find(hass, entity_id) == kept
    assert entry_of(hass, entity_id).area_id == "kitchen"

    whole(await undone(call_tool, back["change_id"]))
    assert made_of(hass, helper_type) == []


@each_type
async def test_update(
    hass: HomeAssistant, call_tool: CallTool, helper_type: str
) -> None:
    """The one field, the name and the area go back, and forth again."""
    await made(call_tool, helper_type)
    entity_id = f"{helper_type}.guest_mode"
    before = helper_store.find(hass, entity_id)
    field, value = CHANGED[helper_type]
    change = await changed(
        call_tool, entity_id, **{field: value}, name="Visitors", area="cellar"
    )
    after = helper_store.find(hass, entity_id)

    back = whole(await undone(call_tool, change["change_id"]))
    assert helper_store.find(hass, entity_id) == before
    assert state_of(hass, entity_id).name == "Guest mode"

    whole(await undone(call_tool, back["change_id"]))
    assert helper_store.find(hass, entity_id) == after


@each_type
@pytest.mark.parametrize("remembered", [True, False])
async def test_deletion(
    hass: HomeAssistant, call_tool: CallTool, helper_type: str, remembered: bool
) -> None:
    """It comes back with what people had set on its entity, whether Home Assistant remembers that or not."""
    await made(call_tool, helper_type)
    entity_id = f"{helper_type}.party"
    er.async_get(hass).async_update_entity(
        f"{helper_type}.guest_mode",
        new_entity_id=entity_id,
        name="Party",
        area_id="cellar",
        aliases=[er.COMPUTED_NAME, "fête"],
        icon="mdi:party-popper",
    )
    await hass.async_block_till_done()
    kept = helper_store.find(hass, entity_id)
    change = await deleted(call_tool, entity_id)
    if not remembered:
        er.async_get(hass).deleted_entities.clear()

    back = whole(await undone(call_tool, change["change_id"]))
    await hass.async_block_till_done()

    assert helper_store.find(hass, entity_id) == kept
    assert back["helper"] == change["deleted"]
    assert back["helper"]["shown_as"] == "Party"
    assert state_of(hass, entity_id).name == "Party"
    whole(await undone(call_tool, back["change_id"]))
    assert made_of(hass, helper_type) == []


async def test_what_can_be_undone_is_listed(call_tool: CallTool) -> None:
    """In words, with the entity that is new; and each only once."""
    created = await made(call_tool)
    change = await changed(call_tool, GUESTS, icon="mdi:home")
    gone = await deleted(call_tool, GUESTS)
    back = whole(await undone(call_tool, gone["change_id"]))

    items = whole(await call_tool("ha_list_changes"))["items"]

    assert [item["change_id"] for item in items] == [
        answer["change_id"] for answer in (back, gone, change, created)
    ]
    assert [item["what"] for item in items] == [
        "undo: delete input_boolean: Guest mode",
        "delete input_boolean: Guest mode",
        "change input_boolean: Guest mode",
        "create input_boolean: Guest mode",
    ]
    assert [item["can_be_undone"] for item in items] == [True, False, True, True]
    assert all(item["entities"] == [GUESTS] for item in items)
    refused(await undone(call_tool, gone["change_id"]), "conflict", "already")


async def test_a_dry_run_of_undo(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Tells what would be, and is no undo."""
    created = await made(call_tool)
    preview = whole(await undone(call_tool, created["change_id"], dry_run=True))
    assert preview["would_do"]["undoes"] == "create input_boolean: Guest mode"
    change = await changed(call_tool, GUESTS, icon="mdi:home")

    preview = whole(await undone(call_tool, change["change_id"], dry_run=True))

    assert preview["would_do"]["after"] == {"icon": "mdi:account"}

    assert state_of(hass, GUESTS).attributes["icon"] == "mdi:home"


async def test_creation_that_was_changed_since(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Somebody has made it their own: it stays, and the difference is told; an area is none."""
    created = await made(call_tool)
    er.async_get(hass).async_update_entity(GUESTS, area_id="cellar")
    await helper_store.update(hass, GUESTS, {"icon": "mdi:party-popper"})

    answer = await undone(call_tool, created["change_id"])

    error = refused(answer, "conflict", "icon", "mdi:account", "mdi:party-popper")
    assert error["rule"] == "changed_since"
    assert made_of(hass, "input_boolean") == [GUESTS]
    await helper_store.update(hass, GUESTS, {"icon": "mdi:account", "initial": True})
    refused(
        await undone(call_tool, created["change_id"]), "conflict", "initial", "not set"
    )
    await helper_store.update(hass, GUESTS, {"initial": None})
    whole(await undone(call_tool, created["change_id"]))


async def test_update_that_was_changed_since(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Only what the change has set has to be as it was left; the rest is kept."""
    await made(call_tool, "input_number")
    change = await changed(call_tool, NUMBER, max=12, area="kitchen")
    await helper_store.update(hass, NUMBER, {"max": 15, "mode": "box"})

    refused(await undone(call_tool, change["change_id"]), "conflict", "max was 12")

    await helper_store.update(hass, NUMBER, {"max": 12})
    er.async_get(hass).async_update_entity(NUMBER, area_id="cellar")
    refused(await undone(call_tool, change["change_id"]), "conflict", "area")
    er.async_get(hass).async_update_entity(NUMBER, area_id="kitchen")
    whole(await undone(call_tool, change["change_id"]))
    config = helper_store.find(hass, NUMBER).config
    assert (config["max"], config["mode"]) == (9, "box")


async def test_update_that_would_not_fit_any_more(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """What was valid before need not be so with what somebody has set since."""
    await made(call_tool, "input_number")
    change = await changed(call_tool, NUMBER, max=50)
    await helper_store.update(hass, NUMBER, {"min": 20})

    answer = await undone(call_tool, change["change_id"])

    refused(answer, "invalid_arguments", "not greater")
    assert state_of(hass, NUMBER).attributes["max"] == 50


async def test_a_helper_that_is_gone(hass: HomeAssistant, call_tool: CallTool) -> None:
    """There is nothing to take back."""
    created = await made(call_tool)
    change = await changed(call_tool, GUESTS, icon="mdi:home")
    await helper_store.delete(hass, GUESTS)

    for done in (created, change):
        answer = await undone(call_tool, done["change_id"])
        refused(answer, "conflict", GUESTS, "deleted since")


async def test_renamed_since(hass: HomeAssistant, call_tool: CallTool) -> None:
    """The helper is found under its new entity id."""
    created = await made(call_tool)
    change = await changed(call_tool, GUESTS, icon="mdi:home")
    er.async_get(hass).async_update_entity(GUESTS, new_entity_id="input_boolean.party")
    await hass.async_block_till_done()

    back = whole(await undone(call_tool, change["change_id"]))
    assert back["helper"]["entity_id"] == "input_boolean.party"
    whole(await undone(call_tool, created["change_id"]))
    assert made_of(hass, "input_boolean") == []


@pytest.mark.parametrize("by", ["another helper", "something else"])
async def test_the_entity_id_is_taken(
    hass: HomeAssistant, call_tool: CallTool, by: str
) -> None:
    """Both live, and the answer tells which id it got, a preview too."""
    await made(call_tool)
    gone = await deleted(call_tool, GUESTS)
    if by == "another helper":
        await made(call_tool)
    else:
        hass.states.async_set(GUESTS, "on")

    preview = whole(await undone(call_tool, gone["change_id"], dry_run=True))
    back = whole(await undone(call_tool, gone["change_id"]))

    assert preview["would_do"]["entity_id"] == f"{GUESTS}_2"
    assert back["helper"]["entity_id"] == f"{GUESTS}_2"
    assert GUESTS in back["note"] and f"{GUESTS}_2" in back["note"]
    assert back["helper"]["options"] == OPTIONS["input_boolean"]
    assert made_of(hass, "input_boolean") == [GUESTS, f"{GUESTS}_2"]


async def test_disabled_helpers(hass: HomeAssistant, call_tool: CallTool) -> None:
    """They come back disabled."""
    await made(call_tool)
    er.async_get(hass).async_update_entity(
        GUESTS, disabled_by=er.RegistryEntryDisabler.USER
    )
    await hass.async_block_till_done()
    gone = await deleted(call_tool, GUESTS)

    back = whole(await undone(call_tool, gone["change_id"]))

    assert back["helper"]["disabled"] is True
    assert hass.states.get(GUESTS) is None


async def test_the_state_comes_back_too(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Where the change took it, and only there."""
    await made(call_tool, "input_select")
    select = "input_select.guest_mode"

    async def choose(option: str) -> None:
        await hass.services.async_call(
            "input_select",
            "select_option",
            {"entity_id": select, "option": option},
            True,
        )

    await choose("night")
    change = await changed(call_tool, select, options=["day", "dusk"])
    assert state_of(hass, select).state == "unknown"

    back = whole(await undone(call_tool, change["change_id"]))
    assert state_of(hass, select).state == "night"
    assert [told["after"] for told in back["entities"]] == ["night"]

    forth = whole(await undone(call_tool, back["change_id"]))
    assert state_of(hass, select).state == "unknown"
    await choose("day")
    whole(await undone(call_tool, forth["change_id"]))
    assert state_of(hass, select).state == "day"


async def test_a_number_that_was_cut(hass: HomeAssistant, call_tool: CallTool) -> None:
    """A smaller maximum takes the value with it."""
    await made(call_tool, "input_number")
    await hass.services.async_call(
        "input_number", "set_value", {"entity_id": NUMBER, "value": 8}, True
    )
    change = await changed(call_tool, NUMBER, max=4)
    assert state_of(hass, NUMBER).state == "4.0"

    whole(await undone(call_tool, change["change_id"]))

    assert state_of(hass, NUMBER).state == "8.0"


async def test_after_a_restart(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    call_tool: CallTool,
    config_entry: MockConfigEntry,
    caller: Caller,
) -> None:
    """The journal has all that is needed."""
    created = await made(call_tool, "timer", area="kitchen")
    change = await changed(call_tool, "timer.guest_mode", duration=600, name="Tea")
    kept = helper_store.find(hass, "timer.guest_mode")
    gone = await deleted(call_tool, "timer.guest_mode")
    before = config_entry.runtime_data
    await hass.config_entries.async_reload(config_entry.entry_id)
    await hass.async_block_till_done()
    assert config_entry.runtime_data is not before
    assert len(hass_storage["mcp_bridge.journal"]["data"]["changes"]) == 3

    async def call_again(name: str, /, **arguments: Any) -> Any:
        registry = config_entry.runtime_data.registry
        return await registry.call(name, arguments, caller)

    whole(await undone(call_again, gone["change_id"]))
    assert helper_store.find(hass, "timer.guest_mode") == kept
    whole(await undone(call_again, change["change_id"]))
    assert state_of(hass, "timer.guest_mode").name == "Guest mode"
    whole(await undone(call_again, created["change_id"]))
    assert made_of(hass, "timer") == []
