"""Which entities a service call names, directly or by place, before it is made.

What Home Assistant acts on is always among `CallTargets.acted_on` and what `reach.reach_of` finds from there: groups
are reported by their own id here, and opened there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
import logging
from typing import Any

from homeassistant.const import (
    ATTR_AREA_ID,
    ATTR_DEVICE_ID,
    ATTR_ENTITY_ID,
    ATTR_FLOOR_ID,
    ATTR_LABEL_ID,
    CONF_EXCLUDE,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.group import ENTITY_PREFIX
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.helpers.target import (
    SelectedEntities,
    TargetSelection,
    async_extract_excluded_entity_ids,
    async_extract_referenced_entity_ids,
)

from .entity_services import (
    EntityScope,
    Scope,
    TurnScope,
    entity_scope,
    is_entity_service,
    takes_target,
)
from .group_members import members_of, open_groups
from .target_reading import TARGET_KEYS, CallReader, Places
from .turns import Work, at_once, in_turns, only

_LOGGER = logging.getLogger(__name__)

# Not entity services, but Home Assistant resolves their target in the same way.
_RESOLVED_ALIKE = frozenset(
    {f"homeassistant.{service}" for service in ("turn_on", "turn_off", "toggle")}
)
# What they act on calls services in turn, whose descriptions are needed as well.
_RUN_SERVICES = frozenset({"automation", "scene", "script"})


@dataclass(frozen=True, slots=True)
class CallTargets:
    """What a service call acts on. All ids are in the order of the call, without repeats.

    `named`: entity ids under `entity_id` of target and data, as Home Assistant reads them: lower case, split at commas,
    registry ids resolved. Ids that do not exist are among them, and in `missing`, too.
    `expanded`: from device, area, floor and label ids, anywhere in the data, and from `entity_id: all`; less `named`.
    `in_data`: existing entities that stand anywhere else in the data, keys included; less `named`. Named ones that an
    exclude block takes out are among them, also groups of which it leaves some: these are in `expanded`.
    `makes`: entities that come into being, of services that are told a part of their id.
    `missing`: what is named and does not exist, in words such as "light.nope" or "area nope". Callers' own text.
    `wrong_domain`: named ones that the service cannot act on, so that Home Assistant would silently do nothing.
    `resolved_by_core`: Home Assistant itself makes entities of the target before anything is done, so that a call with
    `acted_on` as entity ids, and nothing else of the target, does the same: to all that are loaded and available.
    """

    named: tuple[str, ...] = ()
    expanded: tuple[str, ...] = ()
    in_data: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    wrong_domain: tuple[str, ...] = ()
    takes_target: bool = False
    is_entity_service: bool = False
    has_target: bool = False
    resolved_by_core: bool = False

    @property
    def acted_on(self) -> tuple[str, ...]:
        """Return the entities that the service acts on, before groups are opened."""
        return self.named + self.expanded


async def resolve_targets(
    hass: HomeAssistant,
    domain: str,
    service: str,
    target: Mapping[str, Any],
    data: Mapping[str, Any],
) -> CallTargets:
    """Return what a service call acts on, as the house is at the moment of the answer.

    Raises InvalidArguments for data that is too deep or too large to be looked through, or names too many entities.
    """
    if domain.lower() in _RUN_SERVICES or not is_entity_service(hass, domain, service):
        await _load_descriptions(hass)
    return await in_turns(_resolving(hass, domain, service, target, data))


async def _load_descriptions(hass: HomeAssistant) -> None:
    """Have Home Assistant load the descriptions of services, which say whether they have a target."""
    try:
        await async_get_all_descriptions(hass)
    except Exception:
        # One integration that cannot be loaded must not stop every call: what is not known counts as without a target.
        _LOGGER.exception("The descriptions of the services cannot be loaded")


def resolve_now(
    hass: HomeAssistant,
    domain: str,
    service: str,
    target: Mapping[str, Any],
    data: Mapping[str, Any],
) -> CallTargets:
    """Do as `resolve_targets`, which makes sure that `takes_target` is right, without awaiting."""
    return at_once(_resolving(hass, domain, service, target, data))


def _resolving(
    hass: HomeAssistant,
    domain: str,
    service: str,
    target: Mapping[str, Any],
    data: Mapping[str, Any],
) -> Work[CallTargets]:
    domain, service = domain.lower(), service.lower()
    scope = _scope(hass, domain, service)
    core_resolves = scope is not None
    exclude = _exclude(target, data) if core_resolves else None
    call = CallReader(hass, exclude, core_resolves)
    yield from call.read(target, data)
    call.read_made(f"{domain}.{service}", data)
    if exclude is not None:
        yield from call.leave_out(_excluded(hass, exclude))
    expanded = yield from _expanded(call, scope)
    wrong_domain = yield from _wrong_domain(call, scope)
    return CallTargets(
        named=tuple(call.named),
        expanded=tuple(sorted(expanded - call.named.keys())),
        in_data=tuple(id_ for id_ in call.in_data if id_ not in call.named),
        makes=tuple(call.makes),
        missing=tuple(call.missing),
        wrong_domain=wrong_domain,
        takes_target=takes_target(hass, domain, service),
        is_entity_service=is_entity_service(hass, domain, service),
        has_target=call.has_target,
        resolved_by_core=core_resolves,
    )


def _scope(hass: HomeAssistant, domain: str, service: str) -> Scope | None:
    """Return which entities a service can act on, where Home Assistant makes entities of its target; else None."""
    if f"{domain}.{service}" in _RESOLVED_ALIKE:
        return TurnScope(hass, service)
    return entity_scope(hass, domain, service)


def _exclude(
    target: Mapping[str, Any], data: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return the exclude block that Home Assistant will honour, which lets the target overrule the data."""
    exclude = target[CONF_EXCLUDE] if CONF_EXCLUDE in target else data.get(CONF_EXCLUDE)
    return exclude if isinstance(exclude, Mapping) else None


def _expanded(call: CallReader, scope: Scope | None) -> Work[set[str]]:
    """Return the entities in the places that the call names."""
    selected = async_extract_referenced_entity_ids(
        call.hass, _selection(call.places), False
    )
    call.missing.update(dict.fromkeys(_missing_places(call.places, selected)))
    found = selected.indirectly_referenced
    if call.all_entities:
        found = found.union(call.hass.states.async_entity_ids())
    found = found - call.excluded
    yield
    if isinstance(scope, TurnScope):
        # In a place, a group is one entity more; only one that is named is opened.
        found = {id_ for id_ in found if not id_.startswith(ENTITY_PREFIX)}
        found = set((yield from only(found, scope.acts_on)))
        found |= set(filter(scope.holds, call.left))
    elif scope is not None:
        held = yield from only(found, scope.acts_on)
        found = yield from _with_able_members(call.hass, held, scope)
        found |= set(filter(scope.holds, call.left))
    else:
        found = found | _with_hidden(call.hass, call.places)
    found = found | _with_hidden(call.hass, call.other_places)
    yield
    return set((yield from only(found, partial(_is_enabled, call.hass))))


def _is_enabled(hass: HomeAssistant, entity_id: str) -> bool:
    """Tell whether an entity is not disabled: no service acts on one that is, for there is none."""
    entry = er.async_get(hass).entities.get(entity_id)
    return entry is None or entry.disabled_by is None


def _with_able_members(
    hass: HomeAssistant, found: list[str], scope: EntityScope
) -> Work[set[str]]:
    """Put those members of groups that can do it in the place of groups with others, for which Home Assistant fails."""
    able = set(found)
    for group in (yield from only(found, partial(_is_group, hass))):
        members = set(filter(scope.holds, open_groups(hass, [group])))
        if not all(map(scope.suits, members)):
            able.remove(group)
            able |= {
                id_ for id_ in members if scope.suits(id_) and not _is_group(hass, id_)
            }
        yield
    return able


def _is_group(hass: HomeAssistant, entity_id: str) -> bool:
    return bool(members_of(hass, entity_id))


def _selection(places: Places) -> TargetSelection:
    return TargetSelection({key: list(ids) for key, ids in places.items()})


def _with_hidden(hass: HomeAssistant, places: Places) -> set[str]:
    """Return all entities in some places, hidden ones and those of a category included.

    A service that is no entity service may act on the device as a whole, so all of its entities are touched. Home
    Assistant resolves a target in this way only for what is to be left out of another.
    """
    exclude = {key: list(ids) for key, ids in places.items() if ids}
    return async_extract_excluded_entity_ids(
        hass, TargetSelection({CONF_EXCLUDE: exclude}), False
    )


def _excluded(hass: HomeAssistant, exclude: Mapping[str, Any]) -> set[str]:
    """Return what an exclude block takes out; ids of any odd form take out nothing."""
    ids = {key: _list(exclude.get(key)) for key in TARGET_KEYS}
    entity_ids = ids.pop(ATTR_ENTITY_ID)
    excluded = async_extract_excluded_entity_ids(
        hass, TargetSelection({CONF_EXCLUDE: ids}), False
    )
    return excluded | open_groups(hass, entity_ids)


def _list(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str)]


def _missing_places(places: Places, selected: SelectedEntities) -> Iterator[str]:
    """Yield what was asked for and is no place, in the order of the call."""
    missing = {
        ATTR_DEVICE_ID: selected.missing_devices,
        ATTR_AREA_ID: selected.missing_areas,
        ATTR_FLOOR_ID: selected.missing_floors,
        ATTR_LABEL_ID: selected.missing_labels,
    }
    for key, ids in places.items():
        kind = key.removesuffix("_id")
        yield from (f"{kind} {id_}" for id_ in ids if id_ in missing[key])


def _wrong_domain(call: CallReader, scope: Scope | None) -> Work[tuple[str, ...]]:
    """Return those of the named entities that a service cannot act on, nor on members of theirs."""
    wrong: list[str] = []
    if scope is None:
        return ()
    for entity_id in call.named:
        if entity_id in call.missing or scope.holds(entity_id):
            continue
        if not any(map(scope.holds, open_groups(call.hass, [entity_id]))):
            wrong.append(entity_id)
        yield
    return tuple(wrong)
