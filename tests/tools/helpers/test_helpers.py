"""Helpers are created, changed and deleted as Home Assistant itself would do it, or refused before anything is done."""

import asyncio
from typing import Any

import pytest

from custom_components.mcp_bridge.house import helper_store
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from tests.conftest import CallTool
from tests.tools.checks import refused, whole

from .helper_house import (
    CHANGED,
    GUESTS,
    NUMBER,
    OPTIONS,
    YAML,
    each_type,
    entry_of,
    made,
    made_of,
    state_of,
)


@each_type
async def test_life_of_a_helper(
    hass: HomeAssistant, call_tool: CallTool, helper_type: str
) -> None:
    """Made, changed in one field without losing another, deleted."""
    entity_id = f"{helper_type}.guest_mode"
    created = await made(call_tool, helper_type)

    helper = created["helper"]
    assert created["outcome"] == "done"
    assert created["can_be_undone"]
    assert (helper["entity_id"], helper["name"]) == (entity_id, "Guest mode")
    assert helper["options"].items() >= OPTIONS[helper_type].items()
    assert state_of(hass, entity_id).name == "Guest mode"

    field, value = CHANGED[helper_type]
    changed = whole(
        await call_tool("ha_update_helper", entity_id=entity_id, changes={field: value})
    )
    assert changed["helper"]["options"] == {**helper["options"], field: value}
    assert changed["helper"]["name"] == "Guest mode"
    await hass.async_block_till_done()
    if field not in ("icon", "step", "duration"):
        assert state_of(hass, entity_id).attributes[field] == value

    deleted = whole(await call_tool("ha_delete_helper", entity_id=entity_id))
    assert deleted["deleted"] == changed["helper"]
    assert [change["after"] for change in deleted["entities"]] == [None]
    await hass.async_block_till_done()
    assert hass.states.get(entity_id) is None
    assert er.async_get(hass).async_get(entity_id) is None


@each_type
async def test_rename_keeps_everything_else(
    hass: HomeAssistant, call_tool: CallTool, helper_type: str
) -> None:
    """Home Assistant's own command would drop what is not sent."""
    before = (await made(call_tool, helper_type))["helper"]

    after = whole(
        await call_tool(
            "ha_update_helper",
            entity_id=before["entity_id"],
            changes={"name": "Visitors"},
        )
    )["helper"]

    assert after == {**before, "name": "Visitors"}
    assert state_of(hass, before["entity_id"]).name == "Visitors"


async def test_an_area_by_its_alias(hass: HomeAssistant, call_tool: CallTool) -> None:
    """On creation, and when it is moved or taken out again."""
    created = await made(call_tool, area="Cuisine")
    assert created["helper"]["area"] == "Kitchen"
    assert entry_of(hass, GUESTS).area_id == "kitchen"

    moved = whole(
        await call_tool(
            "ha_update_helper", entity_id=GUESTS, changes={"area": "cellar"}
        )
    )
    assert moved["helper"]["area"] == "Cellar"
    nowhere = whole(
        await call_tool("ha_update_helper", entity_id=GUESTS, changes={"area": None})
    )
    assert "area" not in nowhere["helper"]
    assert entry_of(hass, GUESTS).area_id is None


async def test_null_removes_a_field(call_tool: CallTool) -> None:
    """One with a default gets that."""
    await made(call_tool, "input_number")

    changed = whole(
        await call_tool(
            "ha_update_helper",
            entity_id=NUMBER,
            changes={"unit_of_measurement": None, "step": None},
        )
    )

    options = changed["helper"]["options"]
    assert "unit_of_measurement" not in options
    assert options["step"] == 1


async def test_the_same_name_again_is_told(call_tool: CallTool) -> None:
    """A call that is repeated by mistake makes another one, as in the user interface; a preview says so."""
    await made(call_tool)

    preview = await made(call_tool, name="guest MODE", dry_run=True)
    again = await made(call_tool)

    assert preview["would_do"]["already_of_that_name"] == [GUESTS]
    assert again["helper"]["entity_id"] == f"{GUESTS}_2"


async def test_many_at_once(hass: HomeAssistant, call_tool: CallTool) -> None:
    """The same call at the same time is one, or two whole helpers; different ones do not mix."""
    same = await asyncio.gather(
        *(
            call_tool("ha_create_helper", helper_type="input_boolean", name="Twin")
            for _ in range(4)
        )
    )
    other = await asyncio.gather(
        *(
            call_tool("ha_create_helper", helper_type="counter", name=f"Cups {number}")
            for number in range(5)
        )
    )

    twins = [answer for answer in same if not answer.is_error]
    for answer in same:
        if answer.is_error:
            refused(answer, "conflict")
    answers = [whole(answer)["helper"] for answer in (*twins, *other)]
    entity_ids = [helper["entity_id"] for helper in answers]
    assert len(set(entity_ids)) == len(entity_ids) >= 6
    assert made_of(hass, "input_boolean", "counter") == sorted(entity_ids)
    for entity_id in entity_ids:
        helper_store.find(hass, entity_id)


@each_type
async def test_dry_run_changes_nothing(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    call_tool: CallTool,
    helper_type: str,
) -> None:
    """It tells all that would be, and stores none of it."""
    preview = await made(call_tool, helper_type, area="kitchen", dry_run=True)
    assert preview["would_do"]["helper_type"] == helper_type
    assert preview["would_do"]["options"].items() >= OPTIONS[helper_type].items()
    assert preview["would_do"]["area"] == "Kitchen"
    assert made_of(hass, helper_type) == []

    entity_id = (await made(call_tool, helper_type))["helper"]["entity_id"]
    kept = helper_store.find(hass, entity_id)
    field, value = CHANGED[helper_type]
    changes = {field: value, "area": "kitchen"}
    preview = whole(
        await call_tool(
            "ha_update_helper", entity_id=entity_id, changes=changes, dry_run=True
        )
    )
    before, after = (preview["would_do"][key] for key in ("before", "after"))
    assert after == {field: value, "area": "Kitchen"}
    assert before == {field: OPTIONS[helper_type][field], "area": None}
    whole(await call_tool("ha_delete_helper", entity_id=entity_id, dry_run=True))

    assert helper_store.find(hass, entity_id) == kept
    assert len(hass_storage[helper_type]["data"]["items"]) == 1
    assert len(whole(await call_tool("ha_list_changes"))["items"]) == 1


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ha_update_helper", {"changes": {"icon": "mdi:home"}}),
        ("ha_delete_helper", {}),
    ],
)
class TestWhatCannotBeEdited:
    """The reason is told, and nothing is changed."""

    async def test_one_that_is_not_there(
        self, call_tool: CallTool, tool: str, arguments: dict[str, Any]
    ) -> None:
        """With what is near."""
        await made(call_tool)
        for entity_id in ("input_boolean.guest_mod", "guest_mode", "x" * 200, "🏠"):
            answer = await call_tool(tool, entity_id=entity_id, **arguments)
            refused(answer, "not_found")

    async def test_no_helper_at_all(
        self,
        hass: HomeAssistant,
        call_tool: CallTool,
        tool: str,
        arguments: dict[str, Any],
    ) -> None:
        """A light is none."""
        hass.states.async_set("light.hall", "on")

        answer = await call_tool(tool, entity_id="light.hall", **arguments)

        refused(answer, "invalid_arguments", "light.hall", "input_boolean")

    async def test_one_of_another_integration(
        self,
        hass: HomeAssistant,
        call_tool: CallTool,
        tool: str,
        arguments: dict[str, Any],
    ) -> None:
        """It only has the domain of a helper."""
        er.async_get(hass).async_get_or_create("timer", "oven", "1")

        answer = await call_tool(tool, entity_id="timer.oven_1", **arguments)

        refused(answer, "invalid_arguments", "oven")


async def test_an_entity_that_was_renamed(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Its item is still the same one."""
    await made(call_tool)
    er.async_get(hass).async_update_entity(GUESTS, new_entity_id="input_boolean.party")
    await hass.async_block_till_done()

    changes = {"icon": "mdi:party-popper"}
    changed = whole(
        await call_tool(
            "ha_update_helper", entity_id="input_boolean.party", changes=changes
        )
    )
    assert changed["helper"]["options"] == changes
    refused(await call_tool("ha_delete_helper", entity_id=GUESTS), "not_found")
    whole(await call_tool("ha_delete_helper", entity_id=" Input_Boolean.Party "))
    assert er.async_get(hass).async_get("input_boolean.party") is None


async def test_name_of_its_own_on_the_entity(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """It goes on being shown, which the answer tells."""
    await made(call_tool)
    er.async_get(hass).async_update_entity(GUESTS, name="Party")

    changed = whole(
        await call_tool(
            "ha_update_helper", entity_id=GUESTS, changes={"name": "Visitors"}
        )
    )

    assert changed["helper"]["name"] == "Visitors"
    assert changed["helper"]["shown_as"] == "Party"


async def test_a_disabled_helper(
    hass: HomeAssistant, hass_storage: dict[str, Any], call_tool: CallTool
) -> None:
    """It has no state, and is changed and deleted all the same."""
    await made(call_tool)
    er.async_get(hass).async_update_entity(
        GUESTS, disabled_by=er.RegistryEntryDisabler.USER
    )
    await hass.async_block_till_done()
    assert hass.states.get(GUESTS) is None

    changed = whole(
        await call_tool(
            "ha_update_helper", entity_id=GUESTS, changes={"icon": "mdi:home"}
        )
    )
    assert changed["helper"]["disabled"] is True
    deleted = whole(await call_tool("ha_delete_helper", entity_id=GUESTS))

    assert deleted["deleted"]["options"] == {"icon": "mdi:home"}
    assert er.async_get(hass).async_get(GUESTS) is None
    assert hass_storage["input_boolean"]["data"]["items"] == []


async def test_integration_that_is_not_loaded(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The way to load it is told."""
    del hass.data["websocket_api"]["timer/create"]

    answer = await call_tool("ha_create_helper", helper_type="timer", name="Tea")

    refused(answer, "unavailable", "timer", "default_config")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("ha_update_helper", {"changes": {"step": 2}}), ("ha_delete_helper", {})],
)
async def test_a_helper_of_the_configuration_file(
    hass: HomeAssistant, call_tool: CallTool, tool: str, arguments: dict[str, Any]
) -> None:
    """Only the file can change it."""
    answer = await call_tool(tool, entity_id=YAML, **arguments)

    refused(answer, "invalid_arguments", YAML, "configuration.yaml")
    assert state_of(hass, YAML).attributes["step"] == 1
