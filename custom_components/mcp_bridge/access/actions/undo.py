"""Taking a change back, by what the journal knows of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.core import Context, HomeAssistant

from ...errors import InvalidArguments
from ...house.waiting import StateChange
from ..audit import now_text
from ..guard.plan import Action, Performed, Plan, Undo
from ..journal import Change, Journal
from ..refusals import Refusal, Rule
from ..view import HouseView
from . import helpers, scenes, states, todo_items

# The actions that take changes back, by the kind that stands in the journal.
_ACTIONS: Mapping[str, Callable[[Mapping[str, Any]], Action]] = {
    states.KIND: states.RestoreStates.from_undo,
    helpers.KIND: helpers.from_undo,
    scenes.KIND: scenes.DeleteScene.from_undo,
    todo_items.KIND: todo_items.ChangeItem.from_undo,
}


@dataclass(frozen=True, slots=True)
class UndoAction(Action):
    """Take one change back, once."""

    inner: Action
    change: Change
    journal: Journal

    @property
    def calls(self) -> tuple[str, ...]:
        """Those of the action that takes it back."""
        return self.inner.calls

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Tell what that would do."""
        present = self.journal.get(self.change.id)
        if present is None or present.undone:
            raise Refusal(
                Rule.CHANGED_SINCE, "This change was taken back already.", None
            )
        plan = await self.inner.plan(hass, view)
        undoes = {"change_id": self.change.id, "undoes": self.change.summary}
        return replace(
            plan,
            summary=f"undo: {self.change.summary}",
            what={**undoes, **plan.what},
        )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Take it back, and note that."""
        performed = await self.inner.perform(hass, plan, context)
        self.journal.mark_undone(self.change.id, now_text())
        # It is told by the words of what it takes back, so it is hidden from whom that is hidden from.
        known = {*performed.made, *plan.targets}
        also = tuple(id_ for id_ in self.change.targets if id_ not in known)
        return replace(performed, made=(*performed.made, *also))

    def undo(
        self, hass: HomeAssistant, plan: Plan, changes: list[StateChange]
    ) -> Undo | None:
        """As the action that takes it back says."""
        return self.inner.undo(hass, plan, changes)


def undo_of(change: Change, journal: Journal) -> UndoAction:
    """Return the action that takes a change back, or raise InvalidArguments if there is none."""
    if change.undo is None or change.undo["kind"] not in _ACTIONS:
        raise InvalidArguments(
            f"This change cannot be taken back: {change.summary}.",
            "ha_list_changes tells which ones can.",
        )
    inner = _ACTIONS[change.undo["kind"]](change.undo["data"])
    return UndoAction(inner, change, journal)
