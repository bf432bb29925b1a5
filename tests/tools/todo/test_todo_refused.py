"""What a list cannot do, and what an assistant may not do with it, is refused before anything is changed."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus as Status,
    TodoListEntityFeature as Feature,
)
from homeassistant.core import HomeAssistant
from tests.access.people import ordinary_user, reader, user_who_may
from tests.conftest import CallTool
from tests.tools.callers import calling_as_client, calling_as_user
from tests.tools.checks import refused, whole

from .shopping import BREAD, MILK, SHOPPING, TOOL, Shopping


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({}, "invalid_arguments", "is missing"),
        ({"action": "add"}, "invalid_arguments", "'item' is missing"),
        ({"action": "burn", "item": "Milk"}, "invalid_arguments", "uncomplete"),
        ({"action": "add", "item": " "}, "invalid_arguments", "'item'"),
        ({"action": "add", "item": ["a"]}, "invalid_arguments", "'item'"),
        ({"action": "add", "item": "x" * 256}, "invalid_arguments", "too long"),
        ({"action": "remove", "item": "Mlik"}, "not_found", "'Milk'"),
        ({"action": "rename", "item": "Milk"}, "invalid_arguments", "new_name"),
        ({"action": "update", "item": "Milk"}, "invalid_arguments", "due"),
        (
            {"action": "complete", "item": "Milk", "due": "2026-01-01"},
            "invalid_arguments",
            "takes no due",
        ),
        (
            {"action": "add", "item": "x", "due": "tomorrow"},
            "invalid_arguments",
            "2026-12-24T18:00",
        ),
        ({"action": "add", "item": "x", "due": "2026-02-30"}, "invalid_arguments", ""),
        (
            {"action": "add", "item": "x", "due": "9" * 200},
            "invalid_arguments",
            "no date",
        ),
        (
            {"action": "add", "item": "x", "due": "0001-01-01T00:00"},
            "invalid_arguments",
            "no date",
        ),
        (
            {"action": "add", "item": "x", "description": "x" * 5_001},
            "invalid_arguments",
            "too long",
        ),
        ({"action": "add", "item": "x", "status": "x"}, "invalid_arguments", "status"),
        (
            {"entity_id": "light.dining", "action": "add", "item": "x"},
            "invalid_arguments",
            "domain todo",
        ),
        (
            {"entity_id": "todo.shoping", "action": "add", "item": "x"},
            "not_found",
            SHOPPING,
        ),
        (
            {"entity_id": f"{SHOPPING},todo.plain", "action": "add", "item": "x"},
            "not_found",
            "",
        ),
    ],
)
async def test_wrong_arguments(
    *,
    call_tool: CallTool,
    shopping: Shopping,
    arguments: dict[str, Any],
    code: str,
    words: str,
) -> None:
    """They are told, and nothing is changed."""
    refused(await call_tool(TOOL, **{"entity_id": SHOPPING, **arguments}), code, words)

    assert shopping.listed == [MILK, BREAD]


@pytest.mark.parametrize(
    ("features", "arguments", "words"),
    [
        (0, {"action": "add", "item": "x"}, "takes no new items"),
        (0, {"action": "remove", "item": "Milk"}, "cannot remove"),
        (0, {"action": "complete", "item": "Milk"}, "cannot change"),
        (1, {"action": "add", "item": "x", "due": "2026-01-01"}, "no due dates"),
        (
            1 | Feature.SET_DUE_DATE_ON_ITEM,
            {"action": "add", "item": "x", "due": "2026-01-01T10:00"},
            "without a time",
        ),
        (
            1 | Feature.SET_DUE_DATETIME_ON_ITEM,
            {"action": "add", "item": "x", "due": "2026-01-01"},
            "with a time",
        ),
        (1, {"action": "add", "item": "x", "description": "x"}, "no descriptions"),
        (4, {"action": "update", "item": "Milk", "due": "2026-01-01"}, "no due dates"),
    ],
)
async def test_what_a_list_cannot_do(
    call_tool: CallTool, shopping: Shopping, features: int, arguments: Any, words: str
) -> None:
    """It is said before, in words that help."""
    shopping._attr_supported_features = Feature(features)  # noqa: SLF001
    shopping.async_write_ha_state()

    answer = await call_tool(TOOL, entity_id=SHOPPING, **arguments)

    refused(answer, "invalid_arguments", words)
    assert shopping.listed == [MILK, BREAD]


async def test_an_unavailable_list(call_tool: CallTool, shopping: Shopping) -> None:
    """It is not empty."""
    shopping._attr_available = False  # noqa: SLF001
    shopping.async_write_ha_state()

    answer = await call_tool(TOOL, entity_id=SHOPPING, action="add", item="x")

    refused(answer, "unavailable", SHOPPING)


DENIED = {"entity_denylist": {"patterns": [SHOPPING]}}


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "filter_reads": True, **DENIED}]
)
async def test_a_hidden_list(call_tool: CallTool, shopping: Shopping) -> None:
    """It is not there, and nothing of it is told."""
    answer = await call_tool(TOOL, entity_id=SHOPPING, action="remove", item="Mil")

    refused(answer, "not_found", SHOPPING)
    assert "Milk" not in answer.text
    assert shopping.listed == [MILK, BREAD]


@pytest.mark.parametrize("options", [{"allow_write": True, **DENIED}])
async def test_a_list_that_is_denied(call_tool: CallTool, shopping: Shopping) -> None:
    """It can be read, and not written on."""
    answer = await call_tool(TOOL, entity_id=SHOPPING, action="remove", item="Milk")

    assert refused(answer, "not_allowed")["rule"] == Rule.ENTITY_LISTS
    assert shopping.listed == [MILK, BREAD]


async def test_others(
    hass: HomeAssistant,
    bridge: Bridge,
    hass_admin_user: MockUser,
    options: dict[str, Any],
    shopping: Shopping,
) -> None:
    """A client with lists of its own, users with more and with fewer rights."""
    add = {"entity_id": SHOPPING, "action": "add", "item": "Eggs"}
    kid = calling_as_client(bridge, hass_admin_user, options, **DENIED)
    error = refused(await kid(TOOL, **add), "not_allowed")
    assert error["rule"] == Rule.CLIENT_LISTS
    hass.states.async_set("light.lamp", "on")
    rights: Any = {"domains": {"light": True, "todo": {"read": True}}}
    bert = calling_as_user(hass, bridge, user_who_may(hass, rights), options)
    error = refused(await bert(TOOL, **add), "not_allowed")
    assert error["rule"] == Rule.USER_RIGHTS
    carl = calling_as_user(hass, bridge, reader(), options)
    with pytest.raises(Exception, match="no tool"):
        await carl(TOOL, **add)
    assert len(shopping.listed) == 2

    anna = calling_as_user(hass, bridge, ordinary_user(), options)
    whole(await anna(TOOL, **add))
    assert len(shopping.listed) == 3


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "confirm_domains": ["todo"], "approval": "token"}]
)
async def test_a_confirmed_change(call_tool: CallTool, shopping: Shopping) -> None:
    """The confirmation is for the item as it was shown."""
    arguments = {"entity_id": SHOPPING, "action": "remove", "item": "1"}
    asked = whole(await call_tool(TOOL, **arguments))
    shopping.put([TodoItem("Champagne", "1", Status.NEEDS_ACTION), BREAD])

    again = whole(
        await call_tool(TOOL, **arguments, confirm_token=asked["confirm_token"])
    )
    assert again["confirmation_required"] is True
    assert len(shopping.listed) == 2

    whole(await call_tool(TOOL, **arguments, confirm_token=again["confirm_token"]))
    assert shopping.listed == [BREAD]
