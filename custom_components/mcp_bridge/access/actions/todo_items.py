"""Changing an item of a to-do list: from what it is to what it is to be. Taking that back is the same, the other way."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util

from ...errors import InvalidArguments, quoted
from ...house.todo_lists import TodoItem, TodoList, read_todo_list
from ..canonical import fingerprint
from ..guard.plan import Action, Performed, Plan, Undo
from ..refusals import Refusal, Rule
from ..view import HouseView
from .service import ServiceAction

KIND = "todo"
COMPLETED = "completed"
NEEDS_ACTION = "needs_action"
_DOMAIN = "todo"
# What is compared, and put back.
_FIELDS = ("summary", "status", "due", "description")


@dataclass(frozen=True, slots=True)
class ChangeItem(Action):
    """Make an item what it is to be.

    before: the item as it is now; None for one that is not there yet.
    after: as it is to be; None for one that is to go.
    """

    entity_id: str
    before: TodoItem | None
    after: TodoItem | None

    @classmethod
    def from_undo(cls, data: Mapping[str, Any]) -> ChangeItem:
        """Read what `perform` has stored."""
        return cls(data["entity_id"], _loaded(data["before"]), _loaded(data["after"]))

    @property
    def calls(self) -> tuple[str, ...]:
        """The services for it."""
        return tuple(call.name for call in self._steps(self.after))

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Check that the item still is as it was, and that the list can do this."""
        view.entity(self.entity_id)
        todo = read_todo_list(hass, self.entity_id)
        self._check_unchanged(todo)
        _check_possible(todo, self.before, self.after)
        plans = [await step.plan(hass, view) for step in self._steps(self.after)]
        before, after = (told(item) for item in (self.before, self.after))
        return replace(
            plans[0],
            summary=self._summary(todo),
            what={"list": self.entity_id, "before": before, "after": after},
            services=frozenset().union(*(plan.services for plan in plans)),
            base=fingerprint([plans[0].base, before]),
        )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Call the services, and read what has become of the item."""
        present = {item.uid for item in read_todo_list(hass, self.entity_id).items}
        first, *more = self._steps(self.after)
        await first.perform(hass, plan, context)
        todo = read_todo_list(hass, self.entity_id)
        found = self._found(todo, present)
        for step in more:
            if found is None:
                break
            # It is known by its uid only now.
            named = replace(step, data={**step.data, "item": found.reference})
            await named.perform(hass, replace(plan, call_data=named.data), context)
            todo = read_todo_list(hass, self.entity_id)
            found = self._found(todo, present)
        result: dict[str, Any] = {
            "list": todo.name,
            "items_on_list": len(todo.items),
        }
        if found is not None:
            result["item"] = told(found)
        elif self.after is not None:
            result["note"] = "The list does not show the item yet."
        return Performed(result, self._undo(found))

    def _steps(self, after: TodoItem | None) -> list[ServiceAction]:
        """Return the calls that lead to the change, one after the other."""
        if after is None:
            assert self.before is not None
            return [self._call("remove_item", item=[self.before.reference])]
        if self.before is not None:
            changed = _changed(self.before, after)
            return [self._call("update_item", item=self.before.reference, **changed)]
        more = _changed(TodoItem(None, after.summary, NEEDS_ACTION), after)
        # Every item is new and open at first.
        status = more.pop("status", None)
        steps = [self._call("add_item", item=after.summary, **more)]
        if status == COMPLETED:
            steps.append(
                self._call("update_item", item=after.summary, status=COMPLETED)
            )
        return steps

    def _call(self, service: str, **data: Any) -> ServiceAction:
        return ServiceAction(
            domain=_DOMAIN,
            service=service,
            data=data,
            target={ATTR_ENTITY_ID: [self.entity_id]},
            reversible=False,
        )

    def _check_unchanged(self, todo: TodoList) -> None:
        """Raise a Refusal if somebody has changed the item, or InvalidArguments if Home Assistant takes another for it."""
        if self.before is None:
            self._check_not_back(todo)
            return
        present = next(
            (item for item in todo.items if item.reference == self.before.reference),
            None,
        )
        if difference := _difference(self.before, present):
            raise Refusal(
                Rule.CHANGED_SINCE,
                f"{quoted(self.before.summary)} was changed since: {difference}. Nothing was changed now.",
                "Ask the person what they want now.",
            )
        reference = self.before.reference
        first = next(
            item for item in todo.items if reference in (item.uid, item.summary)
        )
        if first is not present:
            raise InvalidArguments(
                f"Another item of the list is called {quoted(reference)}, so this one cannot be reached.",
                "Rename that one first.",
            )

    def _check_not_back(self, todo: TodoList) -> None:
        """Raise a Refusal if an item that is to be put back is there again."""
        uid = self.after.uid if self.after else None
        if uid and any(item.uid == uid for item in todo.items):
            raise Refusal(
                Rule.CHANGED_SINCE, "It is on the list again. Nothing was changed now."
            )

    def _found(self, todo: TodoList, present: set[str | None]) -> TodoItem | None:
        """Return the item as it stands on the list; None when it is not there, or cannot be told from others."""
        if self.after is None:
            return None
        if self.before is not None and self.before.uid:
            found = [item for item in todo.items if item.uid == self.before.uid]
        else:
            found = [
                item
                for item in todo.items
                if item.summary == self.after.summary
                and (self.before is not None or item.uid not in present)
            ]
        return found[0] if len(found) == 1 else None

    def _undo(self, found: TodoItem | None) -> Undo | None:
        """Return the way back, from the item as it has really become."""
        if self.after is not None:
            if found is None:
                return None
            # A list that takes its time to be read again still shows what was.
            if self.before is not None and not _difference(self.before, found):
                found = replace(self.after, uid=found.uid)
        return Undo(
            KIND,
            {
                "entity_id": self.entity_id,
                "before": told(found),
                "after": told(self.before),
            },
        )

    def _summary(self, todo: TodoList) -> str:
        if self.after is None:
            return f"remove from {todo.name}: {self.before.summary if self.before else '?'}"
        if self.before is None:
            return f"add to {todo.name}: {self.after.summary}"
        words = ", ".join(_changed(self.before, self.after))
        return f"change on {todo.name}: {self.before.summary} ({words})"


def _check_possible(
    todo: TodoList, before: TodoItem | None, after: TodoItem | None
) -> None:
    """Raise InvalidArguments for what the list has no place for."""
    can, words = todo.can_update, "cannot change its items"
    if before is None:
        can, words = todo.can_create, "takes no new items"
    elif after is None:
        can, words = todo.can_delete, "cannot remove its items"
    if not can:
        raise InvalidArguments(f"The list {todo.entity_id} {words}.")
    if after is None:
        return
    old = before or TodoItem(None, "")
    if after.description != old.description and not todo.has_description:
        raise InvalidArguments(f"The list {todo.entity_id} has no descriptions.")
    if after.due != old.due:
        _check_due(todo, after.due)


def _check_due(todo: TodoList, due: date | datetime | None) -> None:
    has_time = isinstance(due, datetime)
    if due is None or (todo.has_due_datetime if has_time else todo.has_due_date):
        return
    if todo.has_due_date:
        hint = "Give a date without a time, such as 2026-12-24."
    elif todo.has_due_datetime:
        hint = "Give a date with a time, such as 2026-12-24T18:00."
    else:
        hint = "Leave due out."
    kind = "due times" if has_time else "due dates"
    raise InvalidArguments(f"The list {todo.entity_id} has no {kind}.", hint)


def _changed(before: TodoItem, after: TodoItem) -> dict[str, Any]:
    """Return the fields that differ, as the services of Home Assistant take them."""
    changed: dict[str, Any] = {}
    if after.summary != before.summary:
        changed["rename"] = after.summary
    if after.status != before.status and after.status is not None:
        changed["status"] = after.status
    if after.due != before.due:
        # What is to go is named as what it was.
        kind = before.due if after.due is None else after.due
        field = "due_datetime" if isinstance(kind, datetime) else "due_date"
        changed[field] = None if after.due is None else after.due.isoformat()
    if after.description != before.description:
        changed["description"] = after.description
    return changed


def _difference(expected: TodoItem, present: TodoItem | None) -> str | None:
    """Return what has changed since, in words."""
    if present is None:
        return "it is not on the list any more"
    for field in _FIELDS:
        was, now = getattr(expected, field), getattr(present, field)
        if was != now:
            return f"its {field} was {quoted(str(was))}, now {quoted(str(now))}"
    return None


def told(item: TodoItem | None) -> dict[str, Any] | None:
    """Return an item as callers see it."""
    if item is None:
        return None
    return {
        field: value.isoformat() if isinstance(value, date) else value
        for field in ("uid", *_FIELDS)
        if (value := getattr(item, field)) is not None
    }


def _loaded(stored: Mapping[str, Any] | None) -> TodoItem | None:
    if stored is None:
        return None
    fields: dict[str, Any] = {"uid": None, "summary": "", **stored}
    return TodoItem(**{**fields, "due": read_due(fields.get("due"))})


def read_due(text: str | None) -> date | datetime | None:
    """Return a day or a moment from ISO 8601; one without an offset is in Home Assistant's time zone.

    Raises ValueError for anything else.
    """
    if text is None:
        return None
    if len(text) <= len("2026-12-24"):
        return date.fromisoformat(text)
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else dt_util.as_local(moment)
