"""The items of a to-do list, read from the entity itself: the service that returns them needs the right to control."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, split_entity_id

from ..errors import InvalidArguments, NotFound, Unavailable, did_you_mean, quoted
from .nearest import nearest

_TODO = "todo"
# TodoListEntityFeature
_CREATE, _DELETE, _UPDATE, _MOVE, _DUE_DATE, _DUE_DATETIME, _DESCRIPTION = (
    1 << bit for bit in range(7)
)
# Items of the same name that an error lists.
_MOST_LISTED = 10


@dataclass(frozen=True, slots=True)
class TodoItem:
    """One item. `due` is a day or a moment; `status` is "needs_action" or "completed"."""

    uid: str | None
    summary: str
    status: str | None = None
    due: date | datetime | None = None
    description: str | None = None
    completed: datetime | None = None

    @property
    def reference(self) -> str:
        """What a service call names it by. The summary would mean the first of several with the same name."""
        return self.uid or self.summary


@dataclass(frozen=True, slots=True)
class TodoList:
    """A list with its items in its own order, and what it can do."""

    entity_id: str
    name: str
    items: tuple[TodoItem, ...]
    can_create: bool
    can_update: bool
    can_delete: bool
    can_move: bool
    has_due_date: bool
    has_due_datetime: bool
    has_description: bool


def read_todo_list(hass: HomeAssistant, entity_id: str) -> TodoList:
    """Return a to-do list, or raise InvalidArguments, NotFound or Unavailable."""
    if split_entity_id(entity_id)[0] != _TODO:
        raise InvalidArguments(
            f"{quoted(entity_id)} is no to-do list.", "The id of one begins: todo."
        )
    component = hass.data.get(_TODO)
    entity = component.get_entity(entity_id) if component is not None else None
    state = hass.states.get(entity_id)
    if state is None:
        raise NotFound(f"There is no to-do list {quoted(entity_id)}.")
    items = entity.todo_items if entity is not None else None
    if items is None or state.state == STATE_UNAVAILABLE:
        raise Unavailable(f"The to-do list {entity_id} is unavailable.")
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES)
    can = _can(features if isinstance(features, int) else 0)
    return TodoList(
        entity_id=entity_id,
        name=state.name,
        items=tuple(map(_item, items)),
        can_create=can(_CREATE),
        can_update=can(_UPDATE),
        can_delete=can(_DELETE),
        can_move=can(_MOVE),
        has_due_date=can(_DUE_DATE),
        has_due_datetime=can(_DUE_DATETIME),
        has_description=can(_DESCRIPTION),
    )


def find_item(items: Sequence[TodoItem], text: str) -> TodoItem:
    """Return the item that a text means: by uid, by summary, then by how the summary begins, case ignored.

    Raises InvalidArguments when several are meant, and NotFound, with near ones, when none is.
    """
    wanted = text.strip()
    if not wanted:
        raise InvalidArguments("The item must be named by its summary or its uid.")
    for matches in _ways(wanted):
        found = [item for item in items if matches(item)]
        if len(found) == 1:
            return found[0]
        if found:
            raise _ambiguous(text, found)
    near = nearest(wanted, dict.fromkeys(item.summary for item in items))
    raise NotFound(
        f"There is no item {quoted(text)} on the list.",
        did_you_mean([quoted(name) for name in near]),
    )


def _ways(wanted: str) -> tuple[Callable[[TodoItem], bool], ...]:
    folded = wanted.casefold()
    return (
        lambda item: item.uid == wanted,
        lambda item: item.summary.strip() == wanted,
        lambda item: item.summary.strip().casefold() == folded,
        lambda item: item.summary.strip().casefold().startswith(folded),
    )


def _ambiguous(text: str, found: Sequence[TodoItem]) -> InvalidArguments:
    listed = ", ".join(
        f"{quoted(item.summary)} ({item.status or 'no status'}, uid {item.uid})"
        for item in found[:_MOST_LISTED]
    )
    return InvalidArguments(
        f"{len(found)} items are meant by {quoted(text)}: {listed}",
        "Name one by its uid.",
    )


def _can(features: int) -> Callable[[int], bool]:
    return lambda feature: bool(features & feature)


def _item(item: Any) -> TodoItem:
    return TodoItem(
        uid=item.uid,
        summary=item.summary or "",
        # Some lists keep the plain text that the service gives them.
        status=str(item.status) if item.status else None,
        due=item.due,
        description=item.description,
        completed=item.completed,
    )
