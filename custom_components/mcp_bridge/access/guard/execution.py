"""Step 9: the change is made, in its own time, and what came of it is watched.

It runs in a task of its own: a client that goes away, or a limit of time that is reached, ends the waiting and never
the change, whose record and way back would be lost with it.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import probatio as vol

from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError

from ...house.waiting import StateChange, StateWatch
from ..refusals import Refusal, Rule
from ..view import HouseView
from .attempt import Attempt
from .plan import Action, Performed, Plan

# How long the caller waits for the change, and for the states of its targets to follow.
EXECUTE_SECONDS = 30.0
SETTLE_SECONDS = 2.0
STOP_SECONDS = 5.0
_MOST_CHANGES_TOLD = 40
_MOST_ATTRIBUTES_TOLD = 6
# They open the picture of a camera without a login.
_NEVER_TOLD = frozenset(("access_token", "entity_picture"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a change: the states of its targets before and after, and more to tell."""

    performed: Performed
    changes: list[StateChange]


class ChangeFailed(Exception):
    """Home Assistant refused, or failed half way: `changed` are the entities that have changed all the same."""

    def __init__(self, reason: Exception, changed: list[str]) -> None:
        """Hold the reason."""
        super().__init__(str(reason))
        self.reason = reason
        self.changed = changed


type Finish = Callable[[Outcome | BaseException], Mapping[str, Any]]


class Execution:
    """Makes changes, each only once at a time."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with nothing running."""
        self._hass = hass
        # What is being done, by the hash of the call.
        self._running: dict[str, asyncio.Task[Mapping[str, Any]]] = {}

    def check_idle(self, attempt: Attempt) -> None:
        """Raise a Refusal if exactly this is being done right now."""
        if attempt.call_hash in self._running:
            raise Refusal(
                Rule.STILL_RUNNING,
                "Exactly this is being done already.",
                "Do not repeat it: read the states of its targets to see how it goes on.",
            )

    async def carry_out(
        self, action: Action, plan: Plan, attempt: Attempt, finish: Finish
    ) -> Mapping[str, Any] | None:
        """Make the change, and return what `finish` makes of its outcome; None when it still runs.

        `finish` is called when the change ends, whoever still waits for it. Raises what went wrong.
        """
        assert attempt.context is not None
        key = attempt.call_hash
        task = self._hass.async_create_task(
            self._run(action, plan, attempt.context, finish),
            f"mcp_bridge {attempt.tool}",
        )
        self._running[key] = task
        task.add_done_callback(lambda done: self._running.pop(key))
        # Without this, an error that nobody waits for any more would be logged as one that was never looked at.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        finished, _ = await asyncio.wait((task,), timeout=EXECUTE_SECONDS)
        return task.result() if finished else None

    async def async_finish(self) -> None:
        """Give what still runs a moment to end, and so to get on record."""
        if self._running:
            await asyncio.wait(self._running.values(), timeout=STOP_SECONDS)

    async def _run(
        self, action: Action, plan: Plan, context: Context, finish: Finish
    ) -> Mapping[str, Any]:
        try:
            with StateWatch(self._hass, plan.watched) as watch:
                performed = await self._perform(action, plan, context, watch)
            return finish(Outcome(performed, _own(watch.changes(), plan, context)))
        except BaseException as err:
            finish(err)
            raise

    async def _perform(
        self, action: Action, plan: Plan, context: Context, watch: StateWatch
    ) -> Performed:
        try:
            performed = await action.perform(self._hass, plan, context)
        except (HomeAssistantError, vol.Invalid) as err:
            changed = [c.entity_id for c in watch.changes() if has_changed(c)]
            raise ChangeFailed(err, changed) from err
        await watch.settle(SETTLE_SECONDS)
        return performed


def _own(changes: list[StateChange], plan: Plan, context: Context) -> list[StateChange]:
    """Return the changes of the targets, and others as far as they have come of this one."""
    targets = frozenset(plan.targets)
    return [
        change
        for change in changes
        if change.entity_id in targets
        or (
            change.after is not None
            and context.id in (change.after.context.id, change.after.context.parent_id)
        )
    ]


def told_changes(
    changes: list[StateChange], targets: Collection[str], view: HouseView
) -> list[dict[str, Any]]:
    """Return the targets, and whatever else has changed, with their states before and after; changes come first."""
    told = [
        change
        for change in changes
        if change.entity_id in targets or has_changed(change)
    ]
    told.sort(key=lambda change: not has_changed(change))
    return [_told(change, view) for change in told[:_MOST_CHANGES_TOLD]]


def _told(change: StateChange, view: HouseView) -> dict[str, Any]:
    record = view.find(change.entity_id)
    told: dict[str, Any] = {
        "entity_id": change.entity_id,
        "name": record.name if record else None,
        "before": change.before.state if change.before else None,
        "after": change.after.state if change.after else None,
    }
    if attributes := _changed_attributes(change.before, change.after):
        told["attributes"] = attributes
    return told


def has_changed(change: StateChange) -> bool:
    """Tell whether the state of an entity, or one of its plain attributes, is another one."""
    return (change.before and change.before.state) != (
        change.after and change.after.state
    ) or bool(_changed_attributes(change.before, change.after))


def _changed_attributes(
    before: State | None, after: State | None
) -> dict[str, list[Any]]:
    """Return the plain attributes that differ, each with its values before and after."""
    if before is None or after is None or before.attributes == after.attributes:
        return {}
    changed = {
        key: [before.attributes.get(key), after.attributes.get(key)]
        for key in {**before.attributes, **after.attributes}
        if key not in _NEVER_TOLD
        and before.attributes.get(key) != after.attributes.get(key)
        and _is_plain(before.attributes.get(key))
        and _is_plain(after.attributes.get(key))
    }
    return dict(list(changed.items())[:_MOST_ATTRIBUTES_TOLD])


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str)
