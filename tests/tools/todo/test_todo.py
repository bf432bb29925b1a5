"""Items of to-do lists are changed one at a time, exactly the one that was meant, and put back as they were."""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.components.todo import TodoItem, TodoItemStatus as Status
from homeassistant.exceptions import HomeAssistantError
from tests.conftest import CallTool
from tests.tools.callers import outcomes
from tests.tools.checks import refused

from .shopping import BREAD, MILK, SHOPPING, TOOL, Shopping, manage, undo

PARIS = ZoneInfo("Europe/Paris")


async def test_adding(call_tool: CallTool, shopping: Shopping, bridge: Bridge) -> None:
    """The answer has the new item with its uid, and how long the list is."""
    answer = await manage(
        call_tool, "add", " Eggs ", due="2026-12-24", description="Ten"
    )

    assert shopping.listed[-1] == TodoItem(
        "Eggs", "100", Status.NEEDS_ACTION, date(2026, 12, 24), "Ten"
    )
    assert answer["outcome"] == "done"
    assert answer["summary"] == "add to Shopping: Eggs"
    assert answer["items_on_list"] == 3
    assert answer["item"] == {
        "uid": "100",
        "summary": "Eggs",
        "status": "needs_action",
        "due": "2026-12-24",
        "description": "Ten",
    }
    assert answer["entities"][0]["before"] == "1"
    assert answer["entities"][0]["after"] == "2"
    assert outcomes(bridge) == ["ok"]

    await undo(call_tool, answer)
    assert shopping.listed == [MILK, BREAD]


@pytest.mark.parametrize(
    ("action", "item", "more", "expected"),
    [
        ("complete", "milk", {}, {"status": Status.COMPLETED}),
        ("complete", "1", {}, {"status": Status.COMPLETED}),
        ("rename", "MILK", {"new_name": "Oat milk"}, {"summary": "Oat milk"}),
        ("update", "Milk", {"due": "2026-12-24"}, {"due": date(2026, 12, 24)}),
        (
            "update",
            "Milk",
            {"due": "2026-12-24 18:00"},
            {"due": datetime(2026, 12, 24, 18, tzinfo=PARIS)},
        ),
        (
            "update",
            "Milk",
            {"due": "2026-12-24T18:00:00Z"},
            {"due": datetime(2026, 12, 24, 19, tzinfo=PARIS)},
        ),
        ("update", "Milk", {"due": "none"}, {"due": None}),
        ("update", "Milk", {"description": "None"}, {"description": None}),
        (
            "update",
            "Milk",
            {"description": "One\nbottle", "new_name": "Oat milk"},
            {"description": "One\nbottle", "summary": "Oat milk"},
        ),
    ],
)
async def test_changing(
    *,
    call_tool: CallTool,
    shopping: Shopping,
    action: str,
    item: str,
    more: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    """Only what was asked for is another; it can be taken back, and that again."""
    answer = await manage(call_tool, action, item, **more)

    milk, bread = shopping.listed
    fields = ("uid", "summary", "status", "due", "description")
    before = {field: getattr(MILK, field) for field in fields}
    assert {field: getattr(milk, field) for field in fields} == before | expected
    assert bread == BREAD
    assert answer["items_on_list"] == 2
    assert answer["item"]["uid"] == "1"

    back = await undo(call_tool, answer)
    assert shopping.listed == [MILK, BREAD]
    await undo(call_tool, back)
    assert shopping.listed == [milk, bread]


async def test_uncompleting(call_tool: CallTool, shopping: Shopping) -> None:
    """And back."""
    answer = await manage(call_tool, "uncomplete", "Bread")
    assert shopping.listed[1].status == Status.NEEDS_ACTION

    await undo(call_tool, answer)
    assert shopping.listed == [MILK, BREAD]


@pytest.mark.parametrize("item", [MILK, BREAD], ids=["open", "completed"])
async def test_removing(
    call_tool: CallTool, shopping: Shopping, item: TodoItem
) -> None:
    """It comes back with all that it had, though with another uid; and goes once more."""
    answer = await manage(call_tool, "remove", str(item.summary))
    assert item not in shopping.listed
    assert len(shopping.listed) == 1
    assert "item" not in answer
    assert answer["items_on_list"] == 1

    back = await undo(call_tool, answer)
    put_back = shopping.listed[-1]
    assert put_back.uid == "100"
    for field in ("summary", "status", "due", "description"):
        assert getattr(put_back, field) == getattr(item, field)
    await undo(call_tool, back)
    assert len(shopping.listed) == 1


async def test_nothing_to_do(
    call_tool: CallTool, shopping: Shopping, bridge: Bridge
) -> None:
    """What is so already is told."""
    answer = await manage(call_tool, "complete", "Bread")

    assert answer["outcome"] == "nothing_to_do"
    assert answer["item"]["status"] == "completed"
    assert outcomes(bridge) == []


async def test_several_items_of_one_name(
    call_tool: CallTool, shopping: Shopping
) -> None:
    """None is taken at random: the uids are told, and one of them is enough."""
    twice = [TodoItem("Pears", uid, Status.NEEDS_ACTION) for uid in ("a", "b")]
    shopping.put(list(twice))
    arguments = {"entity_id": SHOPPING, "action": "remove"}

    answer = await call_tool(TOOL, **arguments, item="pears")
    refused(answer, "invalid_arguments", "uid a", "uid b")
    await manage(call_tool, "remove", "b")

    assert shopping.listed == twice[:1]


async def test_an_item_that_only_begins_like_that(
    call_tool: CallTool, shopping: Shopping
) -> None:
    """It is suggested, and left alone."""
    shopping.put([TodoItem("Milkshake", "x", Status.NEEDS_ACTION)])

    answer = await call_tool(TOOL, entity_id=SHOPPING, action="remove", item="Milk")

    refused(answer, "not_found", "'Milkshake' (uid x)")
    assert len(shopping.listed) == 1


async def test_an_item_that_home_assistant_would_not_reach(
    call_tool: CallTool, shopping: Shopping
) -> None:
    """Another one, earlier in the list, is called as its uid is: that one would be changed."""
    shopping.put([TodoItem("7", "x"), TodoItem("Real", "7", Status.NEEDS_ACTION)])

    answer = await call_tool(TOOL, entity_id=SHOPPING, action="complete", item="Real")

    refused(answer, "invalid_arguments", "Another item")


async def test_trying_it_out(
    call_tool: CallTool, shopping: Shopping, bridge: Bridge
) -> None:
    """The item before and after is told."""
    answer = await manage(call_tool, "complete", "Milk", dry_run=True)

    assert answer["would_do"]["before"]["status"] == "needs_action"
    assert answer["would_do"]["after"]["status"] == "completed"
    assert shopping.listed == [MILK, BREAD]
    assert outcomes(bridge) == ["dry_run"]


async def test_undo_is_refused_when_somebody_has_changed_it(
    call_tool: CallTool, shopping: Shopping
) -> None:
    """The difference is told, and nothing is changed."""
    completed = await manage(call_tool, "complete", "Milk")
    renamed = TodoItem("Oat milk", "1", Status.COMPLETED, MILK.due, MILK.description)
    shopping.put([renamed])

    answer = await call_tool("ha_undo_change", change_id=completed["change_id"])

    error = refused(answer, "conflict", "its summary was 'Milk', now 'Oat milk'")
    assert error["rule"] == Rule.CHANGED_SINCE
    assert shopping.listed == [renamed]
    shopping.put([])
    answer = await call_tool("ha_undo_change", change_id=completed["change_id"])
    refused(answer, "conflict", "not on the list any more")


async def test_undo_is_refused_when_it_is_back(
    call_tool: CallTool, shopping: Shopping
) -> None:
    """It would be there twice."""
    removed = await manage(call_tool, "remove", "Milk")
    shopping.put([MILK])

    answer = await call_tool("ha_undo_change", change_id=removed["change_id"])

    refused(answer, "conflict", "on the list again")
    assert shopping.listed == [MILK]


async def test_home_assistant_fails(
    call_tool: CallTool, shopping: Shopping, bridge: Bridge
) -> None:
    """In its own words; nothing can be undone then."""
    shopping.error = HomeAssistantError("The shop is closed")

    answer = await call_tool(TOOL, entity_id=SHOPPING, action="add", item="Eggs")

    refused(answer, "home_assistant_error", "The shop is closed", "Nothing has changed")
    assert outcomes(bridge) == ["error"]
    assert not list(bridge.journal)


async def test_a_list_that_shows_it_later(
    call_tool: CallTool, shopping: Shopping, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those that are asked now and then: what is known is told, and what is not cannot be undone."""

    async def later(item: TodoItem) -> None:
        shopping.async_write_ha_state()

    monkeypatch.setattr(shopping, "async_create_todo_item", later)
    monkeypatch.setattr(shopping, "async_update_todo_item", later)

    added = await manage(call_tool, "add", "Eggs")
    completed = await manage(call_tool, "complete", "Milk")

    assert added["can_be_undone"] is False
    assert "does not show" in added["note"]
    assert completed["can_be_undone"] is True
    answer = await call_tool("ha_undo_change", change_id=completed["change_id"])
    refused(answer, "conflict", "its status was 'completed'")
