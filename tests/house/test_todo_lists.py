"""To-do lists are read with the uid of every item, and an item is found by what people call it."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from custom_components.mcp_bridge.errors import (
    BridgeError,
    InvalidArguments,
    NotFound,
    Unavailable,
)
from custom_components.mcp_bridge.house import todo_lists
from custom_components.mcp_bridge.house.todo_lists import (
    TodoItem,
    find_item,
    read_todo_list,
)
from homeassistant.components.todo import (
    TodoItem as StoredItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature as Feature,
)
from homeassistant.core import HomeAssistant

from .platforms import add_entities

SHOPPING = "todo.shopping"
DUE = datetime(2026, 3, 29, 2, 30, tzinfo=UTC)


class Shopping(TodoListEntity):
    """A list that holds what it is given."""

    _attr_name = "Shopping"
    _attr_unique_id = "shopping"

    def __init__(
        self, items: list[StoredItem] | None, features: int | None = 0
    ) -> None:
        """Take the items."""
        self._attr_todo_items = items
        self._attr_supported_features = features


async def test_items(hass: HomeAssistant) -> None:
    """In the order of the list, with all there is to know; odd ones too."""
    items = [
        StoredItem("Milk", "1", TodoItemStatus.NEEDS_ACTION, date(2026, 4, 1)),
        StoredItem("Tax", "2", TodoItemStatus.COMPLETED, DUE, "By post", completed=DUE),
        StoredItem(),
    ]
    await add_entities(hass, "todo", [Shopping(items)])

    todo = read_todo_list(hass, SHOPPING)

    assert (todo.entity_id, todo.name) == (SHOPPING, "Shopping")
    assert todo.items == (
        TodoItem("1", "Milk", "needs_action", date(2026, 4, 1)),
        TodoItem("2", "Tax", "completed", DUE, "By post", DUE),
        TodoItem(None, ""),
    )
    assert [item.reference for item in todo.items] == ["1", "2", ""]


async def test_empty_list(hass: HomeAssistant) -> None:
    """It is no error."""
    await add_entities(hass, "todo", [Shopping([])])

    assert read_todo_list(hass, SHOPPING).items == ()


@pytest.mark.parametrize(
    ("feature", "field"),
    [
        (Feature.CREATE_TODO_ITEM, "can_create"),
        (Feature.UPDATE_TODO_ITEM, "can_update"),
        (Feature.DELETE_TODO_ITEM, "can_delete"),
        (Feature.MOVE_TODO_ITEM, "can_move"),
        (Feature.SET_DUE_DATE_ON_ITEM, "has_due_date"),
        (Feature.SET_DUE_DATETIME_ON_ITEM, "has_due_datetime"),
        (Feature.SET_DESCRIPTION_ON_ITEM, "has_description"),
    ],
)
async def test_features(hass: HomeAssistant, feature: int, field: str) -> None:
    """Each one means one thing."""
    await add_entities(hass, "todo", [Shopping([], feature)])
    todo = read_todo_list(hass, SHOPPING)

    on = [
        name
        for name in type(todo).__slots__
        if name.startswith(("can_", "has_")) and getattr(todo, name)
    ]
    assert on == [field]


async def test_all_features_and_none(hass: HomeAssistant) -> None:
    """They go together; an entity may have none at all."""
    await add_entities(hass, "todo", [Shopping([], None)])
    assert not read_todo_list(hass, SHOPPING).can_create

    assert todo_lists._can(127)(Feature.SET_DESCRIPTION_ON_ITEM)  # noqa: SLF001


@pytest.mark.parametrize(
    ("entity_id", "error"),
    [("light.lamp", InvalidArguments), ("todo.missing", NotFound)],
)
async def test_no_list(
    hass: HomeAssistant, entity_id: str, error: type[BridgeError]
) -> None:
    """With and without the to-do integration."""
    with pytest.raises(error):
        read_todo_list(hass, entity_id)
    await add_entities(hass, "todo", [Shopping([])])
    with pytest.raises(error):
        read_todo_list(hass, entity_id)


async def test_list_that_does_not_answer(hass: HomeAssistant) -> None:
    """Not loaded, unavailable, or a state with nothing behind it: that is not an empty list."""
    hass.states.async_set(SHOPPING, "3")
    with pytest.raises(Unavailable):
        read_todo_list(hass, SHOPPING)
    hass.states.async_remove(SHOPPING)

    shopping = Shopping(None)
    await add_entities(hass, "todo", [shopping])
    with pytest.raises(Unavailable):
        read_todo_list(hass, SHOPPING)

    shopping._attr_todo_items = []  # noqa: SLF001
    shopping._attr_available = False  # noqa: SLF001
    shopping.async_write_ha_state()
    with pytest.raises(Unavailable):
        read_todo_list(hass, SHOPPING)


ITEMS = (
    TodoItem("1", "Milk"),
    TodoItem("2", "milk chocolate"),
    TodoItem("3", "Bread", "needs_action"),
    TodoItem("4", "bread", "completed"),
    TodoItem("5", " Straße "),
    TodoItem("6", "1"),
    TodoItem(None, "Eggs"),
    TodoItem("8", ""),
    TodoItem("9", "Apples red"),
    TodoItem("10", "Apples green"),
    TodoItem("11", "Pears", "needs_action"),
    TodoItem("12", "Pears", "completed"),
)


@pytest.mark.parametrize(
    ("text", "uid"),
    [
        ("1", "1"),
        ("12", "12"),
        ("Milk", "1"),
        ("MILK", "1"),
        ("  milk ", "1"),
        ("milk c", "2"),
        ("Bread", "3"),
        ("bread", "4"),
        ("STRASSE", "5"),
        ("stra", "5"),
        ("egg", None),
        ("apples r", "9"),
    ],
)
def test_item_is_found(text: str, uid: str | None) -> None:
    """By uid, then exactly, then whatever the case, then by how it begins."""
    assert find_item(ITEMS, text).uid == uid


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("BREAD", ["'Bread' (needs_action, uid 3)", "'bread' (completed, uid 4)"]),
        ("Pears", ["2 items", "uid 11", "uid 12"]),
        ("apples", ["uid 9", "uid 10"]),
    ],
)
def test_several_are_meant(text: str, words: list[str]) -> None:
    """Home Assistant would take the first; here they are listed."""
    with pytest.raises(InvalidArguments) as error:
        find_item(ITEMS, text)

    assert [word for word in words if word not in error.value.message] == []
    assert error.value.hint == "Name one by its uid."


def test_many_of_the_same_name() -> None:
    """The message stays readable."""
    with pytest.raises(InvalidArguments) as error:
        find_item([TodoItem(str(n), "x" * 500) for n in range(1000)], "x" * 500)

    assert error.value.message.startswith("1000 items")
    assert len(error.value.message) < 2_000


@pytest.mark.parametrize(
    ("items", "text", "hint"),
    [
        (ITEMS, "Mlik", "Did you mean 'Milk'"),
        (ITEMS, "xyzzy", None),
        (ITEMS, "ilk", "Did you mean"),
        ((), "Milk", None),
    ],
)
def test_nothing_is_meant(
    items: tuple[TodoItem, ...], text: str, hint: str | None
) -> None:
    """Near ones are told."""
    with pytest.raises(NotFound) as error:
        find_item(items, text)

    assert (error.value.hint or "").startswith(hint or "")


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_no_name(text: str) -> None:
    """An item without a summary cannot be meant by nothing."""
    with pytest.raises(InvalidArguments):
        find_item(ITEMS, text)


def odd_states() -> list[Any]:
    """Return what supported_features may be in a state that was set by hand."""
    return [None, "1", [1], {}]


@pytest.mark.parametrize("features", odd_states(), ids=repr)
async def test_odd_features(hass: HomeAssistant, features: Any) -> None:
    """Then it can do nothing."""
    await add_entities(hass, "todo", [Shopping([])])
    hass.states.async_set(SHOPPING, "0", {"supported_features": features})

    assert not read_todo_list(hass, SHOPPING).can_create
