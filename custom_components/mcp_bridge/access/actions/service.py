"""Calling a service (action) of Home Assistant: most changes are that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import probatio as vol

from homeassistant.const import (
    ATTR_ENTITY_ID,
    CONF_EXCLUDE,
    ENTITY_MATCH_ALL,
    ENTITY_MATCH_NONE,
)
from homeassistant.core import Context, HomeAssistant, SupportsResponse
from homeassistant.helpers.service import async_get_cached_service_description

from ...errors import InvalidArguments, quoted, some_of
from ...house.call_data import has_template
from ...house.open_services import open_ended
from ...house.reach import reach_of
from ...house.reach_actions import ANYTHING
from ...house.records import EntityRecord
from ...house.service_requests import ServiceRequest
from ...house.target_reading import TARGET_KEYS
from ...house.targets import CallTargets, resolve_targets
from ...house.waiting import StateChange
from ..guard.plan import RUNS_AUTOMATIONS, Action, Performed, Plan, Undo
from ..guard.rates import Cap
from ..guard.targets import Acted, check_has_target, check_targets
from ..messages import caps_of, operates_phone, same_devices
from ..refusals import Refusal, Rule
from ..secrets import masked
from ..view import HouseView
from .states import undo_by_states

type Target = Mapping[str, Sequence[str]]

# What a call may name its targets by.
_TARGET_KEYS = TARGET_KEYS | {CONF_EXCLUDE}
_ASKS_NOBODY = "Home Assistant asks for no permission when {} is called."


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAction(Action):
    """A call of one service.

    target: ids by kind (entity_id, device_id, area_id, floor_id, label_id).
    returns: whether the response of the service is wanted.
    words: the words for the change; else it is told by the service and its targets.
    reversible: whether the states that it changes are to be put back. watches: whether it changes any that show.
    """

    domain: str
    service: str
    data: Mapping[str, Any] = field(default_factory=dict)
    target: Target = field(default_factory=dict)
    returns: bool = False
    words: str | None = None
    reversible: bool = True
    watches: bool = True
    caps: tuple[Cap, ...] = ()

    @classmethod
    def message(cls, request: ServiceRequest) -> ServiceAction:
        """Return the action for a call that sends or says something, which can be neither seen nor taken back."""
        return cls(
            domain=request.domain,
            service=request.service,
            data=request.data,
            target={kind: [id_] for kind, id_ in request.target.items()},
            reversible=False,
            watches=False,
        )

    @property
    def name(self) -> str:
        """The service in full."""
        return f"{self.domain}.{self.service}"

    @property
    def calls(self) -> tuple[str, ...]:
        """The one service."""
        return (self.name,)

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Resolve the targets, and look at what is behind them."""
        found = await resolve_targets(
            hass, self.domain, self.service, self.target, self.data
        )
        acted = check_targets(view, self.name, found)
        check_has_target(self.name, found, acted.targets)
        _check_response(hass, self)
        target, data = _exact(self, found, acted)
        _check_fields(hass, self, {**data, **target})
        is_open = open_ended(hass, self.name)
        may_be_anything = is_open or operates_phone(hass, self.name, self.data)
        reach = await reach_of(hass, self.name, (*acted.targets, *found.in_data))
        return Plan(
            summary=self._summary(view, acted.targets),
            what=self._what(),
            call_target=target,
            call_data=data,
            targets=acted.targets,
            skipped=acted.skipped,
            named=frozenset(found.in_data).difference(acted.targets),
            becomes=tuple(map(_coming, found.makes)),
            touches=reach.entities.union(
                same_devices(hass, self.name, acted.targets)
            ).difference(acted.targets, found.in_data),
            services=reach.services | {self.name},
            open_domains=reach.open_domains
            | ({ANYTHING} if may_be_anything else set()),
            elevated=self._elevated(is_open, reach.runs_automations),
            has_templates=has_template(self.data),
            caps=self.caps or caps_of(hass, self.name, acted.targets, self.data),
            base=reach.fingerprint,
            is_unbound=not (acted.targets or found.in_data),
            watches=self.watches and not _only_responds(hass, self),
        )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Call the service."""
        response = await hass.services.async_call(
            self.domain,
            self.service,
            dict(plan.call_data),
            blocking=True,
            context=context,
            target=dict(plan.call_target),
            return_response=_returns(hass, self),
        )
        return Performed({} if response is None else {"response": response})

    def undo(
        self, hass: HomeAssistant, plan: Plan, changes: list[StateChange]
    ) -> Undo | None:
        """Put the states back that the call has changed."""
        return undo_by_states(hass, changes) if self.reversible else None

    def _summary(self, view: HouseView, targets: tuple[str, ...]) -> str:
        if self.words is not None:
            return self.words
        names = [view.entity(entity_id).name for entity_id in targets]
        return f"{self.name}: {some_of(names, 4)}" if names else self.name

    def _what(self) -> dict[str, Any]:
        what: dict[str, Any] = {"service": self.name}
        if self.data:
            what["data"] = masked(self.data)
        return what

    def _elevated(self, is_open: bool, runs_automations: bool) -> str | None:
        if runs_automations:
            return RUNS_AUTOMATIONS
        return _ASKS_NOBODY.format(self.name) if is_open else None


def _coming(entity_id: str) -> EntityRecord:
    """Return what is known of an entity that the call brings into being."""
    domain, _, name = entity_id.partition(".")
    return EntityRecord(entity_id, domain, name)


def _exact(
    action: ServiceAction, found: CallTargets, acted: Acted
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return target and data of the call as it will be made.

    Where Home Assistant makes entities of the target, these are exactly the ones that were checked, by their ids:
    neither what has come into a room since, nor what is hidden from the caller, nor what does not answer.
    """
    if found.resolved_by_core:
        data = {
            key: value for key, value in action.data.items() if key not in _TARGET_KEYS
        }
        return {ATTR_ENTITY_ID: list(acted.targets)}, data
    if acted.hidden:
        raise Refusal(
            Rule.ENTITY_LISTS, "This reaches something that may not be controlled."
        )
    return {key: _word(ids) for key, ids in action.target.items()}, dict(action.data)


def _word(ids: Sequence[str]) -> Any:
    """Return ids as Home Assistant takes them: what stands for every entity, or for none, is no list."""
    listed = list(ids)
    words = (ENTITY_MATCH_ALL, ENTITY_MATCH_NONE)
    return listed[0] if len(listed) == 1 and listed[0] in words else listed


def _only_responds(hass: HomeAssistant, action: ServiceAction) -> bool:
    """Tell whether a service is called for its response, so that no state is waited for."""
    supports = hass.services.supports_response(action.domain, action.service)
    return supports is SupportsResponse.ONLY


def _returns(hass: HomeAssistant, action: ServiceAction) -> bool:
    """Tell whether a response is asked for: some services are called for nothing else."""
    supports = hass.services.supports_response(action.domain, action.service)
    return _only_responds(hass, action) or (
        action.returns and supports is SupportsResponse.OPTIONAL
    )


def _check_response(hass: HomeAssistant, action: ServiceAction) -> None:
    supports = hass.services.supports_response(action.domain, action.service)
    if action.returns and supports is SupportsResponse.NONE:
        raise InvalidArguments(
            f"{action.name} has no response.", "Leave return_response out."
        )


def _check_fields(
    hass: HomeAssistant, action: ServiceAction, call: Mapping[str, Any]
) -> None:
    """Raise InvalidArguments for what the service would not accept, before anybody is asked to confirm it."""
    registered = hass.services.async_services_internal()[action.domain][action.service]
    if registered.schema is None:
        return
    try:
        registered.schema(dict(call))
    except vol.Invalid as err:
        first = err.errors[0] if isinstance(err, vol.MultipleInvalid) else err
        where = f" (at {quoted('.'.join(map(str, first.path)))})" if first.path else ""
        known = _fields(hass, action)
        raise InvalidArguments(
            f"{action.name} does not accept this data{where}: {first.msg.rstrip('.?! ')}.",
            f"Its fields are: {some_of(known, 30)}" if known else None,
        ) from None


def _fields(hass: HomeAssistant, action: ServiceAction) -> list[str]:
    """Return the names of the fields, those in sections included."""
    description = async_get_cached_service_description(
        hass, action.domain, action.service
    )
    names: list[str] = []
    for name, details in ((description or {}).get("fields") or {}).items():
        inner = details.get("fields") if isinstance(details, Mapping) else None
        names += list(inner) if inner else [name]
    return names
