"""Helpers: made, changed, deleted and put back. Home Assistant keeps all of it for administrators."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from homeassistant.const import CONF_NAME, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.state import async_reproduce_state

from ...errors import InvalidArguments, some_of
from ...house import helper_store
from ...house.customisations import put_into_area
from ...house.helper_store import Helper
from ...house.new_helpers import moved_record, new_records, restored_record
from ...house.records import EntityRecord
from ...house.usage import users_of
from ..canonical import fingerprint
from ..guard.plan import Action, Performed, Plan, Undo
from ..refusals import Refusal, Rule
from ..view import HouseView
from .helper_fields import (
    AREA,
    Fields,
    check_unchanged,
    definition,
    differing,
    fields,
    readable,
    shown,
    told,
)
from .states import services_of

KIND = "helper"
_DASHBOARDS = "dashboards"
# What no entity can be brought back to.
_NO_STATE = (None, STATE_UNAVAILABLE, STATE_UNKNOWN)


@dataclass(frozen=True, slots=True)
class Which:
    """A helper by its entity, as callers name it; or by its item, (type, id), whose entity may have another id now."""

    entity_id: str
    item: tuple[str, str] | None = None

    def find(self, hass: HomeAssistant, view: HouseView) -> Helper:
        """Return the helper, or raise what keeps it from being found."""
        entity_id = self._entity_id(hass)
        view.entity(entity_id)
        return helper_store.find(hass, entity_id)

    def _entity_id(self, hass: HomeAssistant) -> str:
        if self.item is None:
            return self.entity_id
        helper_type, item_id = self.item
        registry = er.async_get(hass)
        entity_id = registry.async_get_entity_id(helper_type, helper_type, item_id)
        if entity_id is None:
            raise Refusal(
                Rule.CHANGED_SINCE,
                f"{self.entity_id} was deleted since. Nothing was changed.",
                "Ask the person what they want now.",
            )
        return entity_id


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateHelper(Action):
    """Make a new helper."""

    helper_type: str
    name: str
    options: Fields
    area_id: str | None = None

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Check it, and look whether there is one of that name already."""
        named = {CONF_NAME: self.name, **self.options}
        config = await helper_store.check(hass, self.helper_type, named)
        what = definition(hass, self.helper_type, config, self.area_id)
        if twins := _of_that_name(view, self.helper_type, self.name):
            what["already_of_that_name"] = twins
        return Plan(
            summary=f"create {self.helper_type}: {shown(self.name)}",
            what=what,
            becomes=new_records(hass, self.helper_type, self.name, self.area_id),
            admin_only=True,
        )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Make it."""
        made = await helper_store.create(
            hass, self.helper_type, self.name, self.options
        )
        if self.area_id is not None:
            put_into_area(hass, made.entity_id, self.area_id)
            made = helper_store.find(hass, made.entity_id)
        return Performed(
            {"helper": told(hass, made)}, _undo("delete", made), (made.entity_id,)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateHelper(Action):
    """Change some fields of a helper, and keep the others.

    changes: the fields with their new values; None removes one.
    expected: what these fields have to be now, for it to be done; None if that does not matter.
    state: the state that it had before and has now, where it is to get the one before back.
    """

    which: Which
    changes: Fields
    expected: Fields | None = None
    state: tuple[str, str] | None = None

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Check it, and tell the fields that would be different."""
        helper = self.which.find(hass, view)
        before = fields(helper)
        if self.expected is not None:
            present = {key: before.get(key) for key in self.expected}
            check_unchanged(helper.entity_id, self.expected, present)
        config = {**helper.config, **self._config_changes}
        after = {
            AREA: before[AREA],
            **self.changes,
            **await helper_store.check(hass, helper.type, config),
        }
        different = differing(before, after)
        if not different:
            raise InvalidArguments(
                f"Nothing would change: {helper.entity_id} has these values already."
            )
        return Plan(
            summary=f"change {helper.type}: {shown(helper.config[CONF_NAME])}",
            what={
                "before": readable(hass, before, different),
                "after": readable(hass, after, different),
            },
            targets=(helper.entity_id,),
            becomes=self._becomes(hass, view, helper),
            services=self._services(hass, helper),
            admin_only=True,
            base=fingerprint([helper.fingerprint, before[AREA]]),
        )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Change it, from what it is by now."""
        [entity_id] = plan.targets
        before, state = helper_store.find(hass, entity_id), _state(hass, entity_id)
        if self._config_changes:
            await helper_store.update(hass, entity_id, self._config_changes)
        if AREA in self.changes:
            put_into_area(hass, entity_id, self.changes[AREA])
        if self.state is not None and state == self.state[1]:
            await async_reproduce_state(
                hass, State(entity_id, self.state[0]), context=context
            )
        after = helper_store.find(hass, entity_id)
        states = (state, _state(hass, entity_id))
        return Performed(
            {"helper": told(hass, after)}, _undo_update(before, after, states)
        )

    @property
    def _config_changes(self) -> Fields:
        return {key: value for key, value in self.changes.items() if key != AREA}

    def _becomes(
        self, hass: HomeAssistant, view: HouseView, helper: Helper
    ) -> tuple[EntityRecord, ...]:
        if AREA not in self.changes:
            return ()
        record = view.entity(helper.entity_id)
        return (moved_record(hass, record, self.changes[AREA]),)

    def _services(self, hass: HomeAssistant, helper: Helper) -> frozenset[str]:
        return services_of(hass, (helper.entity_id,)) if self.state else frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteHelper(Action):
    """Delete a helper; a person has to agree if something uses it.

    expected: the configuration that it has to have, for it to be done; None if that does not matter.
    """

    which: Which
    expected: Fields | None = None

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Look what it is, and what uses it."""
        helper = self.which.find(hass, view)
        if self.expected is not None:
            check_unchanged(helper.entity_id, self.expected, helper.config)
        users = await users_of(hass, helper.entity_id)
        seen = _seen(view, users)
        others = _count(users) - _count(seen)
        what = told(hass, helper)
        if seen or others:
            what["used_by"] = {**seen, **({"others": others} if others else {})}
        return Plan(
            summary=f"delete {helper.type}: {shown(helper.config[CONF_NAME])}",
            what=what,
            targets=(helper.entity_id,),
            admin_only=True,
            confirm=_why_ask(helper, seen, others),
            base=fingerprint([helper.fingerprint, users]),
        )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Delete it."""
        helper = await helper_store.delete(hass, plan.targets[0])
        return Performed({"deleted": dict(plan.what)}, _undo("restore", helper))


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreHelper(Action):
    """Put a deleted helper back, as it was."""

    helper: Helper

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Check that it still can be made, and look which entity id it would get."""
        helper = self.helper
        await helper_store.check(hass, helper.type, helper.config)
        record = restored_record(hass, helper)
        return Plan(
            summary=f"restore {helper.type}: {shown(helper.config[CONF_NAME])}",
            what={**told(hass, helper), **_other_id(helper, record.entity_id)},
            becomes=(record,),
            admin_only=True,
        )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Put it back."""
        back = await helper_store.restore(hass, self.helper)
        result = {
            "helper": told(hass, back),
            **_other_id(self.helper, back.entity_id),
        }
        return Performed(result, _undo("delete", back), (back.entity_id,))


def from_undo(data: Mapping[str, Any]) -> Action:
    """Return the action that takes a change of a helper back, by what `_undo` and `_undo_update` have stored."""
    if data["do"] == "update":
        state = data["state"]
        return UpdateHelper(
            which=Which(data["entity_id"], (data["type"], data["id"])),
            changes=data["changes"],
            expected=data["expected"],
            state=(state[0], state[1]) if state else None,
        )
    helper = Helper(**data["helper"])
    if data["do"] == "restore":
        return RestoreHelper(helper=helper)
    which = Which(helper.entity_id, (helper.type, helper.id))
    return DeleteHelper(which=which, expected=helper.config)


def _undo(do: str, helper: Helper) -> Undo:
    return Undo(KIND, {"do": do, "helper": asdict(helper)})


def _undo_update(
    before: Helper, after: Helper, states: tuple[str | None, str | None]
) -> Undo:
    """Return the way back to the fields before, and to the state, if the change took that as well."""
    old, new = fields(before), fields(after)
    lost = states[0] not in _NO_STATE and states[1] not in (None, states[0])
    different = differing(old, new)
    return Undo(
        KIND,
        {
            "do": "update",
            "entity_id": before.entity_id,
            "type": before.type,
            "id": before.id,
            "changes": {key: old.get(key) for key in different},
            "expected": {key: new.get(key) for key in different},
            "state": states if lost else None,
        },
    )


def _state(hass: HomeAssistant, entity_id: str) -> str | None:
    state = hass.states.get(entity_id)
    return state.state if state is not None else None


def _of_that_name(view: HouseView, helper_type: str, name: str) -> list[str]:
    """Return the helpers of a name that there are: a call that is repeated would make another one."""
    return [
        record.entity_id
        for record in view.entities()
        if record.domain == helper_type and record.name.casefold() == name.casefold()
    ][:5]


def _seen(view: HouseView, users: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return of what uses a helper that which the caller may see. Dashboards are open to administrators."""
    seen = {
        kind: names
        if kind == _DASHBOARDS
        else [name for name in names if view.find(name) is not None]
        for kind, names in users.items()
    }
    return {kind: names for kind, names in seen.items() if names}


def _count(users: Mapping[str, list[str]]) -> int:
    return sum(map(len, users.values()))


def _why_ask(helper: Helper, seen: Mapping[str, list[str]], others: int) -> str | None:
    if not seen and not others:
        return None
    named = [
        f"the dashboard {name}" if kind == _DASHBOARDS else name
        for kind, names in seen.items()
        for name in names
    ]
    hidden = [f"{others} that cannot be named here"] if others else []
    return f"{helper.entity_id} is in use and would be missing there: {some_of((*named, *hidden))}."


def _other_id(helper: Helper, entity_id: str) -> dict[str, str]:
    """Return what to tell when a helper does not get its entity id back."""
    if entity_id == helper.entity_id:
        return {}
    return {
        "entity_id": entity_id,
        "note": f"{helper.entity_id} is taken by now: what used it has to be changed to {entity_id}.",
    }
