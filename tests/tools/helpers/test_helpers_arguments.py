"""What is asked of helpers in odd ways is understood, or refused by name before anything is done."""

from typing import Any

import pytest

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.house import helper_store
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool
from tests.tools.checks import refused, well_formed
from tests.tools.odd_values import nested

from .helper_house import GUESTS, NUMBER, made, made_of, state_of


async def test_area_that_is_not_there(hass: HomeAssistant, call_tool: CallTool) -> None:
    """The helper is not made somewhere else instead."""
    answer = await call_tool(
        "ha_create_helper", helper_type="timer", name="Tea", area="kitchne"
    )

    refused(answer, "not_found", "kitchne", "Kitchen")
    assert hass.states.get("timer.tea") is None


@pytest.mark.parametrize(
    "given",
    [
        {"type": "input_number", "min": 0, "max": 5},
        {"name": "Guest mode", "min": 0, "max": 5, "initial": None},
        {"helper_type": "input_number", "id": None, "min": "0", "max": "5"},
        '{"min": 0, "max": 5}',
    ],
)
async def test_what_only_repeats_is_understood(
    hass: HomeAssistant, call_tool: CallTool, given: Any
) -> None:
    """Models send the kind and the name once more, numbers as texts, and objects as JSON."""
    await made(call_tool, "input_number", options=given)

    attributes = state_of(hass, NUMBER).attributes
    assert (attributes["min"], attributes["max"]) == (0, 5)


@pytest.mark.parametrize(
    ("helper_type", "given", "words"),
    [
        ("input_boolean", {"type": "timer"}, ["type", "timer"]),
        ("input_boolean", {"id": "mine"}, ["id", "given by Home Assistant"]),
        ("input_boolean", {"name": "Another"}, ["name", "Another"]),
        ("input_boolean", {"intial": True}, ["intial", "initial"]),
        ("input_boolean", {"intial": None}, ["intial", "initial"]),
        ("input_boolean", {"icon": "lamp"}, ["icon"]),
        ("input_boolean", {"initial": [1]}, ["initial"]),
        ("input_boolean", {"icon": "{{ states('lock.front') }}"}, ["icon"]),
        ("input_boolean", {"icon": "mdi:\ud83d"}, ["cannot be stored"]),
        ("input_boolean", {"x" * 20_000: 1}, ["too long"]),
        ("input_number", {}, ["min"]),
        ("input_number", {"min": 5, "max": 1}, ["not greater"]),
        ("input_number", {"min": 0, "max": float("inf")}, ["max"]),
        ("input_number", {"min": 0, "max": 5, "initial": 9}, ["0.0-5.0"]),
        ("input_select", {"options": ["a", "a"]}, ["Duplicate"]),
        ("input_select", {"options": ["🏠" * 10] * 2_000}, ["too long"]),
        ("input_select", {"options": nested(5_000)}, ["too large"]),
        ("input_text", {"min": 9, "max": 3}, ["not greater"]),
        ("input_datetime", {}, ["date or a time"]),
        ("counter", {"initial": 10**400}, []),
        ("timer", {"duration": "soon"}, ["duration"]),
    ],
)
async def test_options_that_do_not_fit(
    hass: HomeAssistant,
    call_tool: CallTool,
    helper_type: str,
    given: dict[str, Any],
    words: list[str],
) -> None:
    """Told by name, the same whether it is done or only tried out; nothing is left behind."""
    arguments = {"helper_type": helper_type, "name": "Odd", "options": given}

    for how in ({}, {"dry_run": True}):
        answer = await call_tool("ha_create_helper", **arguments, **how)
        refused(answer, "invalid_arguments", *words)

    assert made_of(hass, helper_type) == []


@pytest.mark.parametrize(
    ("name", "object_id"),
    [
        ("Été à la mer", "ete_a_la_mer"),
        ("お風呂", "ofeng_lu"),
        ("🎉", "unknown"),
        ("👨‍👩‍👧 home", "home"),
        ("{{ states('lock.front') }}", "states_lock_front"),
        ("../../secrets.yaml", "secrets_yaml"),
        ("a\nb\x00c", "a_b_c"),
        ("\u202etxet", "txet"),
        (5, "5"),
    ],
)
async def test_odd_names(
    hass: HomeAssistant,
    call_tool: CallTool,
    name: Any,
    object_id: str,
) -> None:
    """They are kept as they are, and what is told of them stays on one line."""
    answer = await made(call_tool, name=name)

    assert answer["helper"]["entity_id"] == f"input_boolean.{object_id}"
    assert answer["helper"]["name"] == str(name)
    assert "\n" not in answer["summary"]
    assert helper_store.find(hass, answer["helper"]["entity_id"]).config["name"] == str(
        name
    )


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 300, "🏠" * 256, "\ud83d", None, {}, True, "ä" * 250]
)
async def test_names_that_are_none(
    hass: HomeAssistant, call_tool: CallTool, name: Any
) -> None:
    """Neither for a new helper nor for one that is there."""
    answer = await call_tool("ha_create_helper", helper_type="timer", name=name)
    refused(answer, "invalid_arguments")
    assert hass.states.async_entity_ids("timer") == []

    await made(call_tool)
    if name == "ä" * 250:
        return  # Long, but only an entity id could not be made of it.
    answer = await call_tool(
        "ha_update_helper", entity_id=GUESTS, changes={"name": name}
    )
    refused(answer, "invalid_arguments", "name" if name != "\ud83d" else "stored")
    assert state_of(hass, GUESTS).name == "Guest mode"


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({}, "invalid_arguments", ["changes"]),
        ({"max": 9, "name": "Guest mode"}, "invalid_arguments", ["already"]),
        ({"maxx": 3}, "invalid_arguments", ["maxx", "max"]),
        ({"maxx": None}, "invalid_arguments", ["maxx", "max"]),
        ({"max": 0}, "invalid_arguments", ["not greater"]),
        ({"min": None}, "invalid_arguments", ["min"]),
        ({"name": None}, "invalid_arguments", ["name"]),
        ({"name": ["a"]}, "invalid_arguments", ["name"]),
        ({"area": ""}, "invalid_arguments", ["area"]),
        ({"area": "attic"}, "not_found", ["attic"]),
        ({"area_id": "attic"}, "not_found", ["attic"]),
        ({"id": "x"}, "invalid_arguments", ["id"]),
        ({"entity_id": "input_number.x"}, "invalid_arguments", ["entity_id"]),
        ({"max": nested(5_000)}, "invalid_arguments", ["too large"]),
        ("max=3", "invalid_arguments", ["object"]),
    ],
)
async def test_changes_that_do_not_fit(
    hass: HomeAssistant,
    call_tool: CallTool,
    changes: Any,
    code: str,
    words: list[str],
) -> None:
    """The helper stays as it is."""
    await made(call_tool, "input_number")
    kept = helper_store.find(hass, NUMBER)

    answer = await call_tool("ha_update_helper", entity_id=NUMBER, changes=changes)

    refused(answer, code, *words)
    assert helper_store.find(hass, NUMBER) == kept


async def test_the_way_a_model_asks_for_it(bridge: Bridge, call_tool: CallTool) -> None:
    """Whatever it sends, there is an answer that fits, and never our own fault."""
    for arguments in (
        {},
        {"helper_type": "switch", "name": "A"},
        {"helper_type": "INPUT_BOOLEAN", "name": " A ", "options": {}},
        {"helper_type": "timer", "name": "A", "options": []},
        {"helper_type": "timer", "name": "A", "duration": "0:05:00"},
        {"helper_type": "timer", "name": "A", "options": "not json"},
        {"helper_type": ["timer"], "name": "A"},
    ):
        well_formed(await call_tool("ha_create_helper", **arguments))
    assert bridge.journal.get("nothing") is None


@pytest.mark.parametrize(
    ("helper_type", "wrong"),
    [("timer", {"initial": 1}), ("counter", {"icon": "mdi:cup", "min": 1})],
)
async def test_options_of_another_kind(
    call_tool: CallTool, helper_type: str, wrong: dict[str, Any]
) -> None:
    """What fits another kind is told by name."""
    answer = await call_tool(
        "ha_create_helper", helper_type=helper_type, name="A", options=wrong
    )

    refused(answer, "invalid_arguments", list(wrong)[-1])
