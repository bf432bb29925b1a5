"""Which entities a service call names, directly or by place, before it is made.

What Home Assistant acts on is always among `CallTargets.acted_on` and what `reach.reach_of` finds from there: groups
are reported by their own id here, and opened there.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
import logging
import re
from typing import Any

from homeassistant.const import (
    ATTR_AREA_ID,
    ATTR_DEVICE_ID,
    ATTR_ENTITY_ID,
    ATTR_FLOOR_ID,
    ATTR_LABEL_ID,
    CONF_EXCLUDE,
    ENTITY_MATCH_ALL,
    ENTITY_MATCH_NONE,
)
from homeassistant.core import HomeAssistant, valid_entity_id
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.helpers.group import ENTITY_PREFIX
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.helpers.target import (
    SelectedEntities,
    TargetSelection,
    async_extract_excluded_entity_ids,
    async_extract_referenced_entity_ids,
)

from .call_data import is_template, means_entities, pieces, strings_of
from .entity_services import EntityScope, entity_scope, is_entity_service, takes_target
from .group_members import members_of, open_groups

_LOGGER = logging.getLogger(__name__)

_PLACE_KEYS = (ATTR_DEVICE_ID, ATTR_AREA_ID, ATTR_FLOOR_ID, ATTR_LABEL_ID)
_TARGET_KEYS = frozenset({ATTR_ENTITY_ID, *_PLACE_KEYS})
_REGISTRY_ID = re.compile(r"[0-9a-f]{32}")
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
    `missing`: what is named and does not exist, in words such as "light.nope" or "area nope". Callers' own text.
    `wrong_domain`: named ones that the service cannot act on, so that Home Assistant would silently do nothing.
    `resolved_by_core`: Home Assistant itself makes entities of the target before anything is done, so that a call with
    `acted_on` as entity ids, and nothing else of the target, does the same: to all that are loaded and available.
    """

    named: tuple[str, ...] = ()
    expanded: tuple[str, ...] = ()
    in_data: tuple[str, ...] = ()
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

    Raises InvalidArguments for data that is too deep or too large to be looked through.
    """
    if domain.lower() in _RUN_SERVICES or not is_entity_service(hass, domain, service):
        await _load_descriptions(hass)
    return resolve_now(hass, domain, service, target, data)


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
    domain, service = domain.lower(), service.lower()
    scope = entity_scope(hass, domain, service)
    core_resolves = scope is not None or f"{domain}.{service}" in _RESOLVED_ALIKE
    exclude = _exclude(target, data) if core_resolves else None
    call = _Call(hass, exclude, core_resolves)
    call.read(target)
    call.read(data)
    if exclude is not None:
        call.leave_out(_excluded(hass, exclude))
    return CallTargets(
        named=tuple(call.named),
        expanded=tuple(sorted(_expanded(call, scope) - call.named.keys())),
        in_data=tuple(id_ for id_ in call.in_data if id_ not in call.named),
        missing=tuple(call.missing),
        wrong_domain=_wrong_domain(call, scope),
        takes_target=takes_target(hass, domain, service),
        is_entity_service=is_entity_service(hass, domain, service),
        has_target=call.has_target,
        resolved_by_core=core_resolves,
    )


def _exclude(
    target: Mapping[str, Any], data: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return the exclude block that Home Assistant will honour, which lets the target overrule the data."""
    exclude = target[CONF_EXCLUDE] if CONF_EXCLUDE in target else data.get(CONF_EXCLUDE)
    return exclude if isinstance(exclude, Mapping) else None


type _Places = dict[str, dict[str, None]]


class _Call:
    """What the texts of one call mean. Dicts stand for ordered sets."""

    def __init__(
        self,
        hass: HomeAssistant,
        exclude: Mapping[str, Any] | None,
        core_resolves: bool,
    ) -> None:
        self.hass = hass
        self.exclude = exclude
        self.core_resolves = core_resolves
        self._entities = er.async_get(hass).entities
        self._devices = dr.async_get(hass)
        self.named: dict[str, None] = {}
        self.in_data: dict[str, None] = {}
        self.missing: dict[str, None] = {}
        # The places that Home Assistant resolves, and those that the service may do something with.
        self.places: _Places = {key: {} for key in _PLACE_KEYS}
        self.other_places: _Places = {key: {} for key in _PLACE_KEYS}
        self.all_entities = False
        self.has_target = False
        # By an exclude block, and what it leaves of named groups.
        self.excluded: frozenset[str] = frozenset()
        self.left: set[str] = set()

    def read(self, data: Mapping[str, Any]) -> None:
        """Take in the target or the data of the call; Home Assistant makes no difference between the two."""
        rest: dict[Any, Any] = {}
        for key, value in data.items():
            if key in _TARGET_KEYS:
                self._read_target(key, value)
            elif key != CONF_EXCLUDE or self.exclude is None:
                rest[key] = value
        for key, text in strings_of(rest):
            self._read_text(key, text)

    def leave_out(self, excluded: Collection[str]) -> None:
        """Take the entities of an exclude block out of what is named, groups included."""
        self.excluded = frozenset(excluded)
        for entity_id in list(self.named):
            opened = open_groups(self.hass, [entity_id])
            if entity_id not in self.missing and not opened.isdisjoint(excluded):
                del self.named[entity_id]
                self.in_data[entity_id] = None
                self.left |= {
                    id_
                    for id_ in opened - self.excluded
                    if self._existing(id_) and not members_of(self.hass, id_)
                }

    def _read_target(self, key: str, value: Any) -> None:
        for inner_key, text in strings_of(value, key):
            if not text.strip() or _is(text, ENTITY_MATCH_NONE):
                continue
            self.has_target = True
            if key == inner_key == ATTR_ENTITY_ID:
                self._read_entities(key, text, self.named)
            elif inner_key == key:
                self.places[key][text] = None
                if not self.core_resolves:
                    self._read_place(key, text)
            else:
                self._read_text(inner_key, text)

    def _read_text(self, key: str, text: str) -> None:
        if key in self.other_places:
            self._read_place(key, text)
        elif means_entities(key):
            self._read_entities(key, text, self.in_data)
        else:
            for piece in pieces(text):
                self._read_word(piece)

    def _read_all(self, key: str) -> None:
        """Read what stands for every entity: of the service, or of the domain that another key names."""
        domain = key.removesuffix("s").removesuffix(f"_{ATTR_ENTITY_ID}")
        if domain in (key, key.removesuffix("s")):
            self.all_entities = True
        else:
            self.in_data |= dict.fromkeys(self.hass.states.async_entity_ids(domain))

    def _read_entities(self, key: str, text: str, into: dict[str, None]) -> None:
        """Read a text that should be made of entity ids."""
        for piece in (text,) if is_template(text) else pieces(text):
            if _is(piece, ENTITY_MATCH_ALL):
                self._read_all(key)
            elif _is(piece, ENTITY_MATCH_NONE):
                continue
            elif (entity_id := self._existing(piece)) is not None:
                into[entity_id] = None
            elif into is self.named or not self._read_device(piece):
                self.missing[piece] = None
                if into is self.named and valid_entity_id(piece.lower()):
                    into[piece.lower()] = None

    def _read_place(self, key: str, text: str) -> None:
        """Read the id of a place in any form. As a target, Home Assistant takes it letter by letter only."""
        if not _is(text, ENTITY_MATCH_NONE):
            for piece in pieces(text):
                self.other_places[key][piece] = None
                self.other_places[key][piece.lower()] = None

    def _read_word(self, word: str) -> None:
        """Read a text that can be anything: it counts when it is the whole id of an entity or device."""
        if (entity_id := self._existing(word)) is not None:
            self.in_data[entity_id] = None
        else:
            self._read_device(word)

    def _read_device(self, word: str) -> bool:
        word = word.lower()
        if not _REGISTRY_ID.fullmatch(word) or self._devices.async_get(word) is None:
            return False
        self.other_places[ATTR_DEVICE_ID][word] = None
        return True

    def _existing(self, text: str) -> str | None:
        text = text.lower()
        if "." in text:
            known = text in self._entities or self.hass.states.get(text) is not None
            return text if known else None
        if _REGISTRY_ID.fullmatch(text) and (entry := self._entities.get_entry(text)):
            return entry.entity_id
        return None


def _is(text: str, word: str) -> bool:
    return text.strip().lower() == word


def _expanded(call: _Call, scope: EntityScope | None) -> set[str]:
    """Return the entities in the places that the call names."""
    selected = async_extract_referenced_entity_ids(
        call.hass, _selection(call.places), False
    )
    call.missing.update(dict.fromkeys(_missing_places(call.places, selected)))
    found = selected.indirectly_referenced
    if call.all_entities:
        found = found.union(call.hass.states.async_entity_ids())
    found = found - call.excluded
    if scope is not None:
        found = {id_ for id_ in found if scope.holds(id_) and scope.suits(id_)}
        found = _with_able_members(call.hass, found, scope)
        found |= {id_ for id_ in call.left if scope.holds(id_)}
    elif call.core_resolves:
        # In a place, a group is one entity more; only one that is named is opened.
        found = {id_ for id_ in found if not id_.startswith(ENTITY_PREFIX)} | call.left
    if not call.core_resolves:
        found = found | _with_hidden(call.hass, call.places)
    found = found | _with_hidden(call.hass, call.other_places)
    entities = er.async_get(call.hass).entities
    # No service acts on a disabled entity, for there is none.
    return {
        entity_id
        for entity_id in found
        if not ((entry := entities.get(entity_id)) and entry.disabled_by)
    }


def _with_able_members(
    hass: HomeAssistant, found: set[str], scope: EntityScope
) -> set[str]:
    """Put those members of groups that can do it in the place of groups with others, for which Home Assistant fails."""
    able: set[str] = set()
    for entity_id in found:
        if members_of(hass, entity_id):
            members = set(filter(scope.holds, open_groups(hass, [entity_id])))
            if not all(map(scope.suits, members)):
                able |= {
                    id_
                    for id_ in members
                    if scope.suits(id_) and not members_of(hass, id_)
                }
                continue
        able.add(entity_id)
    return able


def _selection(places: _Places) -> TargetSelection:
    return TargetSelection({key: list(ids) for key, ids in places.items()})


def _with_hidden(hass: HomeAssistant, places: _Places) -> set[str]:
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
    ids = {key: _list(exclude.get(key)) for key in _TARGET_KEYS}
    entity_ids = ids.pop(ATTR_ENTITY_ID)
    excluded = async_extract_excluded_entity_ids(
        hass, TargetSelection({CONF_EXCLUDE: ids}), False
    )
    return excluded | open_groups(hass, entity_ids)


def _list(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str)]


def _missing_places(places: _Places, selected: SelectedEntities) -> Iterator[str]:
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


def _wrong_domain(call: _Call, scope: EntityScope | None) -> tuple[str, ...]:
    """Return those of the named entities that a service cannot act on, nor on members of theirs."""
    if scope is None:
        return ()
    return tuple(
        entity_id
        for entity_id in call.named
        if entity_id not in call.missing
        and not scope.holds(entity_id)
        and not any(map(scope.holds, open_groups(call.hass, [entity_id])))
    )
