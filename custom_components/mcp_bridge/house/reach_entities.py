"""What stands behind one entity: the entities it hands its commands on to, and the actions it runs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from types import NoneType
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import DATA_DOMAIN_ENTITIES
from homeassistant.helpers.script import Script
from homeassistant.loader import IntegrationNotLoaded, async_get_loaded_integration

from .call_data import strings_of
from .entity_services import is_entity_service
from .group_members import id_list, listed_members, members_of
from .reach_triggers import TriggerReader
from .turns import Work, only

# What runs actions, with the attribute that holds them.
RUNNING = {"automation": "action_script", "script": "script"}
# Nothing can be done to these.
_READ_ONLY = frozenset(
    {
        "binary_sensor",
        "device_tracker",
        "event",
        "person",
        "sensor",
        "sun",
        "weather",
        "zone",
    }
)
# Built in with a config flow, and yet with entities that run actions of the user's.
_MIXED = frozenset({"wake_on_lan"})
_PLAIN_TYPES = (NoneType, bool, int, float)
# Of a long list that an entity holds, such as the sources of a radio, only so much is looked at.
_MOST_HELD = 1000


@dataclass(frozen=True, slots=True)
class Behind:
    """What stands behind an entity.

    `opened` are the members that Home Assistant puts in the place of a group; `entities` get its commands in turn, in
    whatever form; `sequences` are actions that it may run; `unreadable` tells that it runs some that cannot be read.
    """

    opened: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    sequences: tuple[Any, ...] = ()
    definition: Any = None
    unreadable: bool = False


class EntityReader:
    """Reads what stands behind entities; made anew for each question, for it remembers what it has read."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the house."""
        self._hass = hass
        self._registry = er.async_get(hass)
        self._live = hass.data.get(DATA_DOMAIN_ENTITIES, {})
        self._opaque: dict[str, bool] = {}
        self._services: dict[str, frozenset[str]] = {}
        self._more_behind: dict[str, list[str]] = {}
        self.triggers = TriggerReader(hass)

    def live(self, entity_id: str) -> Entity | None:
        """Return the entity as an object, None for one that is not loaded."""
        return self._live.get(entity_id.partition(".")[0], {}).get(entity_id)

    def script_of_service(self, object_id: str) -> Entity | None:
        """Return the script that is run by the service of its key; its entity may have been given another id."""
        scripts = self._live.get("script", {}).values()
        return next((item for item in scripts if item.unique_id == object_id), None)

    def services_of(self, domain: str) -> frozenset[str]:
        """Return the services that can act on entities of a domain."""
        if domain not in self._services:
            names = self._hass.services.async_services_internal().get(domain, {})
            self._services[domain] = frozenset(
                f"{domain}.{name}"
                for name in names
                if is_entity_service(self._hass, domain, name)
            )
        return self._services[domain]

    def behind(self, entity_id: str) -> Behind:
        """Return what stands behind an entity that is no script and no automation."""
        entity = self.live(entity_id)
        opened = frozenset(members_of(self._hass, entity_id))
        members = {
            *listed_members(self._hass, entity_id),
            *self._playing_along(entity_id),
        }
        held = self._held(entity) if entity is not None else Behind()
        wrapped = held.entities.union(
            self._wrappers.get(entity_id, ()), self._in_options(entity_id)
        )
        # Members are listed whatever their kind; what else an entity holds may well be where it gets its data from.
        members.update(id_ for id_ in wrapped if _can_be_acted_on(id_))
        return Behind(
            opened - {entity_id},
            frozenset(members - opened - {entity_id}),
            held.sequences,
            _scene_states(entity),
            held.unreadable,
        )

    def with_more_behind(self, domain: str) -> Work[list[str]]:
        """Return those entities of a domain that are more than themselves: something is behind them, or set off."""
        if domain not in self._more_behind:
            ids = {
                *self._hass.states.async_entity_ids(domain),
                *self._live.get(domain, ()),
            }
            found = yield from only(sorted(ids), self._has_more_behind)
            self._more_behind[domain] = found
        return self._more_behind[domain]

    def _has_more_behind(self, entity_id: str) -> bool:
        if entity_id.partition(".")[0] in RUNNING or self.triggers.set_off_by(
            entity_id
        ):
            return True
        behind = self.behind(entity_id)
        return behind.unreadable or any(
            (behind.opened, behind.entities, behind.sequences)
        )

    def _playing_along(self, entity_id: str) -> list[str]:
        """Return the players that play the same, and so follow one another."""
        state = self._hass.states.get(entity_id)
        return id_list(state.attributes.get("group_members")) if state else []

    @cached_property
    def _wrappers(self) -> Mapping[str, set[str]]:
        """Switches that are shown as something else, with what they are shown as: the same thing twice."""
        wrappers: defaultdict[str, set[str]] = defaultdict(set)
        for entry in self._hass.config_entries.async_entries("switch_as_x"):
            for source in self._existing(strings_of(dict(entry.options))):
                wrappers[source].update(
                    item.entity_id
                    for item in er.async_entries_for_config_entry(
                        self._registry, entry.entry_id
                    )
                )
        return wrappers

    def _in_options(self, entity_id: str) -> set[str]:
        """Return the entities in the settings of the helper that an entity belongs to."""
        registered = self._registry.entities.get(entity_id)
        if registered is None or self._is_opaque(registered.platform):
            return set()
        entry = self._hass.config_entries.async_get_entry(
            registered.config_entry_id or ""
        )
        if entry is None:
            return set()
        subentry = entry.subentries.get(registered.config_subentry_id or "")
        settings = [dict(entry.data), dict(entry.options)]
        if subentry is not None:
            settings.append(dict(subentry.data))
        return self._existing(strings_of(settings))

    def _held(self, entity: Entity) -> Behind:
        """Return the entities and actions that an entity object holds.

        That is how wrappers of every kind (thermostats over a switch, universal media players, lights over a switch)
        and template entities keep what they act on, and the only place where it is kept. Integrations of devices are
        passed over.
        """
        platform = _platform(entity)
        if self._is_opaque(platform):
            return Behind()
        texts: list[tuple[str, str]] = []
        sequences: list[Any] = []
        held = getattr(entity, "__dict__", {})
        for value in list(held.values()):
            # An entity has about eighty attributes, and nearly all of them are of this kind.
            if type(value) in _PLAIN_TYPES:
                continue
            for item in _flat(value):
                if isinstance(item, str):
                    texts.append(("", item))
                elif isinstance(item, Script):
                    sequences.append(item.sequence)
                elif isinstance(item, dict) and _is_action(item):
                    sequences.append(item)
        return Behind(
            entities=frozenset(self._existing(texts)),
            sequences=tuple(sequences),
            unreadable=platform == "template" and "_action_scripts" not in held,
        )

    def _is_opaque(self, platform: str) -> bool:
        """Tell whether an integration is one of devices, which act by themselves and on no other entity."""
        if platform not in self._opaque:
            try:
                integration = async_get_loaded_integration(self._hass, platform)
            except IntegrationNotLoaded:
                self._opaque[platform] = False
            else:
                self._opaque[platform] = (
                    integration.is_built_in
                    and bool(integration.config_flow)
                    and integration.integration_type in ("device", "hub", "service")
                    and platform not in _MIXED
                )
        return self._opaque[platform]

    def _existing(self, texts: Iterable[tuple[str, str]]) -> set[str]:
        """Return those of some texts that are entities, also by the ids of the registry."""
        found: set[str] = set()
        for _key, text in texts:
            if "." in text:
                text = text.strip().lower()
                known = text in self._registry.entities or self._hass.states.get(text)
                if known:
                    found.add(text)
            elif len(text) == 32 and (entry := self._registry.entities.get_entry(text)):
                found.add(entry.entity_id)
        return found


def _platform(entity: Entity) -> str:
    platform = getattr(entity, "platform", None)
    return str(getattr(platform, "platform_name", ""))


def _flat(value: Any) -> Iterable[Any]:
    """Return a value, or the ones in a collection."""
    if isinstance(value, dict):
        inner = islice(value.values(), _MOST_HELD)
        return chain((value,), inner) if _is_action(value) else inner
    if isinstance(value, list | tuple | set | frozenset):
        return islice(value, _MOST_HELD)
    return (value,)


def _is_action(value: Mapping[Any, Any]) -> bool:
    return "action" in value or "service" in value


def _can_be_acted_on(entity_id: str) -> bool:
    return entity_id.partition(".")[0] not in _READ_ONLY


def _scene_states(entity: Entity | None) -> Any:
    """Return the states that a scene of the user's brings about, by entity."""
    states = getattr(getattr(entity, "scene_config", None), "states", None)
    if not isinstance(states, Mapping):
        return None
    return {
        entity_id: (state.state, dict(state.attributes))
        for entity_id, state in states.items()
    }
