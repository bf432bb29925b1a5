"""Putting states back, with what Home Assistant has for it: the same as scenes use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import Context, HomeAssistant, State, split_entity_id
from homeassistant.helpers.state import async_reproduce_state
from homeassistant.loader import async_get_loaded_integration

from ...errors import NotFound, some_of
from ...house.reach import reach_of
from ...house.storable import INTEGER_LIMIT, plain_text
from ...house.waiting import StateChange
from ..guard.plan import RUNS_AUTOMATIONS, Action, Performed, Plan, Undo
from ..guard.targets import answers, unavailable
from ..refusals import Refusal, Rule
from ..view import HouseView

KIND = "states"
_UNKNOWN = frozenset((STATE_UNAVAILABLE, STATE_UNKNOWN))
# States that are kept of one change.
_MOST_STATES = 200


def undo_by_states(hass: HomeAssistant, changes: Sequence[StateChange]) -> Undo | None:
    """Return how to put back the states that have changed; None when nothing can be put back."""
    changed = [
        (change.before, change.after)
        for change in changes
        if change.before and change.after and _can_restore(hass, change)
    ][:_MOST_STATES]
    if not changed:
        return None
    return Undo(
        KIND,
        {
            "before": [_stored(before) for before, _ in changed],
            "after": [_stored(after) for _, after in changed],
        },
    )


def _can_restore(hass: HomeAssistant, change: StateChange) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or before.state in _UNKNOWN:
        return False
    if not (_is_plain(before.state) and _is_plain(after.state)):
        return False
    if before.state == after.state and before.attributes == after.attributes:
        return False
    domain = split_entity_id(change.entity_id)[0]
    try:
        integration = async_get_loaded_integration(hass, domain)
    except KeyError:
        return False
    return bool(integration.platforms_exists(("reproduce_state",)))


def _stored(state: State) -> dict[str, Any]:
    """Return a state as plain JSON data; attributes of other types are nothing that could be put back."""
    attributes = {
        key: value for key, value in state.attributes.items() if _is_plain(value)
    }
    return {
        "entity_id": state.entity_id,
        "state": state.state,
        "attributes": attributes,
    }


def _is_plain(value: Any) -> bool:
    """Tell whether a value can be stored; one that cannot would keep the whole journal from being written."""
    if isinstance(value, list | tuple):
        return all(_is_plain(inner) for inner in value)
    if isinstance(value, str):
        return plain_text(value) == value
    if isinstance(value, int):
        return abs(value) < INTEGER_LIMIT
    return value is None or isinstance(value, float)


@dataclass(frozen=True, slots=True)
class RestoreStates(Action):
    """Put states back, unless somebody else has changed them since."""

    before: tuple[State, ...]
    after: tuple[State, ...]

    @classmethod
    def from_undo(cls, data: Mapping[str, Any]) -> RestoreStates:
        """Read what `undo_by_states` has stored."""
        return cls(
            tuple(State(**state) for state in data["before"]),
            tuple(State(**state) for state in data["after"]),
        )

    @property
    def calls(self) -> tuple[str, ...]:
        """No service by name: which ones are called is up to the domains."""
        return ()

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Check that everything still is as the change has left it."""
        if not all(view.find(state.entity_id) for state in self.before):
            raise NotFound(
                "Not everything that was changed is still there.",
                "Change what is there by itself.",
            )
        dead = [
            state.entity_id
            for state in self.before
            if not answers(view, state.entity_id)
        ]
        if dead:
            raise unavailable(dead)
        self._check_unchanged(hass, view)
        targets = tuple(state.entity_id for state in self.before)
        reach = await reach_of(hass, "homeassistant.turn_on", targets)
        names = [view.entity(entity_id).name for entity_id in targets]
        return Plan(
            summary=f"put back: {some_of(names, 4)}",
            what={"restores": {state.entity_id: state.state for state in self.before}},
            targets=targets,
            touches=reach.entities - set(targets),
            services=services_of(hass, targets) | reach.services,
            open_domains=reach.open_domains,
            elevated=RUNS_AUTOMATIONS if reach.runs_automations else None,
            base=reach.fingerprint,
        )

    def _check_unchanged(self, hass: HomeAssistant, view: HouseView) -> None:
        differences = []
        for before, after in zip(self.before, self.after, strict=True):
            present = hass.states.get(before.entity_id)
            assert present is not None
            if difference := _difference(before, after, present):
                differences.append(f"{before.entity_id} {difference}")
        if differences:
            raise Refusal(
                Rule.CHANGED_SINCE,
                f"Changed since by somebody else: {'; '.join(differences[:5])}. Nothing was put back.",
                "Ask the person what they want now.",
            )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Put the states back."""
        await async_reproduce_state(hass, self.before, context=context)
        return Performed()

    def undo(
        self, hass: HomeAssistant, plan: Plan, changes: list[StateChange]
    ) -> Undo | None:
        """Do it all again."""
        return undo_by_states(hass, changes)


def _difference(before: State, after: State, present: State) -> str | None:
    """Return what has changed since, in words; what the change has not touched may be as it likes."""
    if present.state != after.state:
        return f"was {after.state}, now {present.state}"
    for key, value in after.attributes.items():
        if before.attributes.get(key) != value:
            now = present.attributes.get(key)
            if _listed(now) != _listed(value):
                return f"{key} was {value}, now {now}"
    return None


def _listed(value: Any) -> Any:
    """Return a value as it comes back from storage, where a tuple becomes a list."""
    return (
        [_listed(inner) for inner in value]
        if isinstance(value, list | tuple)
        else value
    )


def services_of(hass: HomeAssistant, entity_ids: Sequence[str]) -> frozenset[str]:
    """Return every service that may be called to put the states back: all of the domains."""
    registered = hass.services.async_services_internal()
    return frozenset(
        f"{domain}.{service}"
        for domain in {entity_id.partition(".")[0] for entity_id in entity_ids}
        for service in registered.get(domain, ())
    )
