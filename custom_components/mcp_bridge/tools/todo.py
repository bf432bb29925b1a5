"""Writing on to-do lists."""

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import probatio as vol

from ..access.actions.todo_items import (
    COMPLETED,
    NEEDS_ACTION,
    ChangeItem,
    read_due,
    told,
)
from ..errors import InvalidArguments, NotFound, quoted
from ..house.todo_lists import TodoItem, find_item, read_todo_list
from ..models import Kind
from .declaration import Call, Result, tool
from .objects import EntityOf
from .parameters import OneOf, Text

_TODO = "todo"
_NONE = "none"
_LONGEST_DESCRIPTION = 5_000
# Home Assistant cannot bring the first and the last years of the calendar to another time zone.
_FIRST_YEAR, _LAST_YEAR = 1_900, 9_000
_STATUS = {"complete": COMPLETED, "uncomplete": NEEDS_ACTION}
# The arguments that each action takes, beside the item.
_TAKES: dict[str, tuple[str, ...]] = {
    "add": ("due", "description"),
    "complete": (),
    "uncomplete": (),
    "remove": (),
    "rename": ("new_name",),
    "update": ("new_name", "due", "description"),
}


class Due(Text):
    """A day or a moment; "none" for no longer having one."""

    def __call__(self, value: Any) -> date | datetime | str:  # type: ignore[override]
        """Return the date, the datetime, or "none"."""
        text = super().__call__(value)
        if text.lower() == _NONE:
            return _NONE
        try:
            due = read_due(text.replace(" ", "T", 1))
        except ValueError, OverflowError:
            due = None
        if due is None or not _FIRST_YEAR <= due.year <= _LAST_YEAR:
            raise vol.Invalid(
                f"{quoted(text)} is no date: write 2026-12-24 or 2026-12-24T18:00"
            )
        return due


@tool(
    name="ha_manage_todo",
    title="Change a to-do list",
    description="Add an item to a to-do or shopping list, or complete, uncomplete, remove, rename or update one. It can be undone.",
    parameters={
        vol.Required("entity_id", description="such as todo.shopping_list"): EntityOf(
            _TODO
        ),
        vol.Required("action", description="what to do"): OneOf(*_TAKES),
        vol.Required("item", description="its whole summary, or its uid"): Text(),
        vol.Optional("new_name", description="for rename and update"): Text(),
        vol.Optional(
            "due",
            description="date or local date and time, such as 2026-12-24 or 2026-12-24T18:00; none to clear",
        ): Due(),
        vol.Optional("description", description="none to clear"): Text(
            _LONGEST_DESCRIPTION
        ),
    },
    kind=Kind.WRITE,
    needs=_TODO,
)
async def manage_todo(call: Call) -> Result:
    """Change one item."""
    _check_arguments(call)
    record = call.view.entity(call.args["entity_id"])
    todo = read_todo_list(call.hass, record.entity_id)
    if call.args["action"] == "add":
        new = TodoItem(None, call.args["item"], NEEDS_ACTION)
        after = _with_fields(call, new)
        return await call.act(ChangeItem(record.entity_id, None, after))
    before = _item(todo.items, call.args["item"])
    if call.args["action"] == "remove":
        return await call.act(ChangeItem(record.entity_id, before, None))
    after = _with_fields(call, before)
    if after == before:
        return {
            "outcome": "nothing_to_do",
            "item": told(before),
            "note": "The item is like that already.",
        }
    return await call.act(ChangeItem(record.entity_id, before, after))


def _check_arguments(call: Call) -> None:
    """Raise InvalidArguments for what the action does not take, or lacks."""
    action: str = call.args["action"]
    takes = _TAKES[action]
    for name in ("new_name", "due", "description"):
        if call.get(name) is not None and name not in takes:
            raise InvalidArguments(
                f"The action {action} takes no {name}.", f"{_users(name)} does."
            )
    if action in ("rename", "update") and not any(map(call.get, takes)):
        raise InvalidArguments(f"The action {action} needs {' or '.join(takes)}.")


def _users(name: str) -> str:
    return " or ".join(action for action, takes in _TAKES.items() if name in takes)


def _item(items: tuple[TodoItem, ...], text: str) -> TodoItem:
    """Return the item that is meant. What only begins like that is suggested, and not touched."""
    found = find_item(items, text)
    if text == found.uid or text.casefold() == found.summary.strip().casefold():
        return found
    raise NotFound(
        f"There is no item {quoted(text)} on the list.",
        f"Did you mean {quoted(found.summary)} (uid {found.uid})?",
    )


def _with_fields(call: Call, item: TodoItem) -> TodoItem:
    """Return the item as the call wants it."""
    changes: dict[str, Any] = {}
    if (status := _STATUS.get(call.args["action"])) is not None:
        changes["status"] = status
    if (name := call.get("new_name")) is not None:
        changes["summary"] = name
    for field in ("due", "description"):
        if (value := call.get(field)) is not None:
            cleared = isinstance(value, str) and value.lower() == _NONE
            changes[field] = None if cleared else value
    return replace(item, **changes)
