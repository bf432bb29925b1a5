"""Items of to-do lists are changed one at a time, exactly the one that was meant, and put back as they were."""

from datetime import date, datetime
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus as Status,
    TodoListEntity,
    TodoListEntityFeature as Feature,
)
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from tests.access.people import ordinary_user, reader, user_who_may
from tests.conftest import CallTool
from tests.house.platforms import add_entities

from .callers import calling_as_client, calling_as_user, outcomes
from .checks import assert_quiet, refused, whole

TOOL = "ha_manage_todo"
SHOPPING = "todo.shopping"
PARIS = ZoneInfo("Europe/Paris")
MILK = TodoItem("Milk", "1", Status.NEEDS_ACTION, date(2026, 4, 1), "Two bottles")
BREAD = TodoItem("Bread", "2", Status.COMPLETED)


class Shopping(TodoListEntity):
    """A list that keeps what it is given, as the one of Home Assistant does."""

    def __init__(
        self,
        name: str = "Shopping",
        features: int = 127,
        items: tuple[TodoItem, ...] = (),
    ) -> None:
        """Take the items."""
        self._attr_name = self._attr_unique_id = name
        self._attr_supported_features = Feature(features)
        self._attr_todo_items = list(items)
        self.error: Exception | None = None
        self._uids = count(100)

    @property
    def listed(self) -> list[TodoItem]:
        """Return the items."""
        assert self._attr_todo_items is not None
        return self._attr_todo_items

    def put(self, items: list[TodoItem]) -> None:
        """Change the list, by a service or by hand."""
        if self.error:
            raise self.error
        self._attr_todo_items = items
        self.async_write_ha_state()

    async def async_create_todo_item(self, item: TodoItem) -> None:
        """Add an item at the end."""
        item.uid = str(next(self._uids))
        self.put([*self.listed, item])

    async def async_update_todo_item(self, item: TodoItem) -> None:
        """Put an item in the place of the one with its uid."""
        assert item.uid in {old.uid for old in self.listed}
        self.put([item if old.uid == item.uid else old for old in self.listed])

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        """Take items away."""
        self.put([old for old in self.listed if old.uid not in uids])


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act."""
    return {"allow_write": True, "allow_camera": True}


@pytest.fixture(name="shopping")
async def fixture_shopping(hass: HomeAssistant, house: None) -> Shopping:
    """Install a list of which nothing is missing, and one of which everything is."""
    shopping = Shopping(items=(MILK, BREAD))
    plain = Shopping("Plain", 0, (TodoItem("Tea", "1", Status.NEEDS_ACTION),))
    await add_entities(hass, "todo", [shopping, plain])
    return shopping


@pytest.fixture(autouse=True)
async def a_settled_house(
    shopping: Shopping, bridge: Bridge, caplog: pytest.LogCaptureFixture
) -> Any:
    """Start the bridge when the lists are there; nothing is said in the log."""
    yield
    assert_quiet(caplog)


async def manage(call_tool: CallTool, action: str, item: str, **more: Any) -> Any:
    """Change the list, and return the answer."""
    answer = await call_tool(TOOL, entity_id=SHOPPING, action=action, item=item, **more)
    return whole(answer)


async def undo(call_tool: CallTool, change: dict[str, Any]) -> Any:
    """Take a change back, and return the answer."""
    assert change["can_be_undone"] is True
    answer = await call_tool("ha_undo_change", change_id=change["change_id"])
    return whole(answer)


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
