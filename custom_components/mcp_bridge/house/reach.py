"""What a service call reaches beyond the entities it acts on: members, wrapped entities, scenes, and actions that run.

Everything is read without running it. What cannot be followed, and is the everyday life of the house: automations that
react to an ordinary change of state or to an event, also one that a script fires or a television that is asked to turn
on; a script or automation that waits already for what is done now; what talks to a device past Home Assistant, and what
an integration of devices does by itself; and template entities that merely show the state of another. Triggers count
where a button is pressed or a scene is activated, not where something else changes its state.
"""

from collections.abc import Iterable
from dataclasses import dataclass
import hashlib
from typing import Any

from homeassistant.core import HomeAssistant

from ..errors import InvalidArguments
from .entity_services import entity_scope
from .group_members import members_of
from .open_services import always_open, open_ended
from .reach_actions import (
    ANYTHING,
    DeviceStep,
    ServiceStep,
    open_domains_of,
    steps_of,
    written,
)
from .reach_entities import RUNNING, EntityReader
from .reach_triggers import PRESSABLE, automation_ids
from .targets import resolve_now
from .turns import Work, in_turns

# Entities and actions that are followed before the call counts as reaching anything.
MAX_NODES = 2_000

# Parts of definitions that are written for the fingerprint before others have their turn.
_SLICE_TEXTS = 100

# Called on a script, automation or scene, they run nothing; called on anything else, they do nothing further.
_INERT = frozenset(
    {
        "automation.turn_off",
        "homeassistant.update_entity",
        "logbook.log",
        "scene.delete",
        "script.turn_off",
    }
)
_SCRIPT_SERVICES = frozenset({"reload", "toggle", "turn_off", "turn_on"})
# Stands for a service that is not known. No service has this name.
_ANY_SERVICE = "*"
_TURN_SERVICES = frozenset({"turn_on", "turn_off", "toggle"})


@dataclass(frozen=True, slots=True)
class Reach:
    """What a call may reach on the way.

    `entities`: everything that may be acted on, less the entities that the call started from. Of open domains, what is
    behind their entities.
    `services`: every "domain.service" that may be called for it. Of entities that are commanded in an unknown way
    (members of scenes, what a helper wraps) these are all services of their domain.
    `open_domains`: domains of which any entity may be reached, because a template says which; "*" for anything at all.
    `runs_automations`: actions of an automation run, now or, for one that is switched on, later. They run with no user
    of their own.
    `fingerprint`: another one as soon as anything of this, or a definition that was read for it, has changed.
    """

    entities: frozenset[str]
    services: frozenset[str]
    open_domains: frozenset[str]
    runs_automations: bool
    fingerprint: str


async def reach_of(
    hass: HomeAssistant, service: str, entity_ids: Iterable[str]
) -> Reach:
    """Return what calling a service ("domain.service") on some entities reaches beyond them.

    `entity_ids` are those of targets.py, `acted_on` and `in_data`. Whether the service itself is open-ended is told by
    `open_services.open_ended`, not here.
    """
    return await in_turns(_Walk(hass).run(service.lower(), entity_ids))


class _Walk:
    """One question, from its start to its end."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._reader = EntityReader(hass)
        self._entities: set[str] = set()
        self._services: set[str] = set()
        self._open: set[str] = set()
        self._runs_automations = False
        self._definitions: dict[str, Any] = {}
        # Pairs of the service and the entity it is called on.
        self._waiting: list[tuple[str, str]] = []
        self._seen: set[tuple[str, str]] = set()
        # Pairs of the service and a domain of which it may be called on any entity.
        self._any_of: set[tuple[str, str]] = set()
        self._waiting_domains: list[tuple[str, str]] = []
        self._followed = 0

    def run(self, service: str, entity_ids: Iterable[str]) -> Work[Reach]:
        """Follow everything, and sum it up."""
        start = frozenset(entity_ids)
        # What the call starts from does not count as followed, however many they are.
        self._seen = {(service, entity_id) for entity_id in start}
        self._waiting = sorted(self._seen)
        try:
            self._script_service(*_split(service))
            while ANYTHING not in self._open:
                if self._waiting:
                    yield from self._follow(*self._waiting.pop())
                elif self._waiting_domains:
                    yield from self._follow_domain(*self._waiting_domains.pop())
                else:
                    break
                yield
        except InvalidArguments:
            # Actions that are too large to be looked through.
            self._open.add(ANYTHING)
        return (yield from self._reach(start))

    def _reach(self, start: frozenset[str]) -> Work[Reach]:
        facts = (
            sorted(self._entities),
            sorted(self._services),
            sorted(self._open),
            self._runs_automations,
            sorted(self._definitions.items()),
        )
        fingerprint = hashlib.sha256()
        for number, text in enumerate(written(facts), 1):
            fingerprint.update(text.encode())
            if number % _SLICE_TEXTS == 0:
                yield
        return Reach(
            entities=frozenset(self._entities - start),
            services=frozenset(self._services),
            open_domains=frozenset(self._open),
            runs_automations=self._runs_automations,
            fingerprint=fingerprint.hexdigest(),
        )

    def _call(self, service: str, entity_id: str) -> None:
        """Note that a service is called on an entity, and that this is to be followed."""
        self._entities.add(entity_id)
        self._wait_for(service, entity_id)

    def _wait_for(self, service: str, entity_id: str) -> None:
        if (service, entity_id) not in self._seen:
            self._seen.add((service, entity_id))
            self._waiting.append((service, entity_id))
            self._count()

    def _call_any(self, service: str, domain: str) -> None:
        """Note that a service may be called on any entity of a domain."""
        if domain != ANYTHING and not _is_inert(service):
            if (service, domain) not in self._any_of:
                self._any_of.add((service, domain))
                self._waiting_domains.append((service, domain))

    def _count(self) -> None:
        self._followed += 1
        if self._followed > MAX_NODES:
            self._open.add(ANYTHING)

    def _follow(self, service: str, entity_id: str) -> Work[None]:
        domain = entity_id.partition(".")[0]
        service_domain, name = _split(service)
        if _is_inert(service):
            return
        if service_domain == "homeassistant" and name in _TURN_SERVICES:
            if self._hass.services.has_service(domain, name):
                self._services.add(f"{domain}.{name}")
        if domain in RUNNING:
            if service != "homeassistant.turn_off":
                yield from self._run(domain, entity_id)
            return
        yield from self._follow_behind(service, entity_id)
        if domain in PRESSABLE:
            yield from self._follow_set_off(entity_id)

    def _follow_domain(self, service: str, domain: str) -> Work[None]:
        """Follow a call on every entity of a domain; of the entities themselves, the open domain tells."""
        if domain in PRESSABLE:
            yield from self._reader.triggers.load()
        for entity_id in (yield from self._reader.with_more_behind(domain)):
            self._wait_for(service, entity_id)

    def _follow_set_off(self, entity_id: str) -> Work[None]:
        yield from self._reader.triggers.load()
        set_off = self._reader.triggers.set_off_by(entity_id)
        for automation_id in automation_ids(set_off):
            self._call("automation.trigger", automation_id)
        for item in set_off:
            if item.automation_id is None:
                self._runs_automations = True
                self._definitions.setdefault(entity_id, []).append(item.sequence)
                yield from self._follow_actions(item.sequence)

    def _follow_behind(self, service: str, entity_id: str) -> Work[None]:
        behind = self._reader.behind(entity_id)
        scope = entity_scope(self._hass, *_split(service))
        for member in sorted(behind.opened):
            # Home Assistant puts the members in the place of the group, and drops those that the service is not for.
            if scope is None or scope.holds(member) or members_of(self._hass, member):
                self._hand_on(service, member)
        for other in sorted(behind.entities):
            self._hand_on(service, other)
        if behind.unreadable:
            self._open.add(ANYTHING)
        if behind.sequences or behind.definition:
            self._definitions[entity_id] = [behind.definition, *behind.sequences]
        for sequence in behind.sequences:
            yield from self._follow_actions(sequence)

    def _hand_on(self, service: str, entity_id: str) -> None:
        """Note that an entity hands a command on to another one, with the same service if that is for both."""
        domain = entity_id.partition(".")[0]
        if _split(service)[0] not in (domain, "homeassistant") and domain != "group":
            self._services |= self._reader.services_of(domain)
            service = f"{domain}.{_ANY_SERVICE}"
        if (service, domain) in self._any_of:
            # It may be any of them in the first place.
            self._wait_for(service, entity_id)
        else:
            self._call(service, entity_id)

    def _run(self, domain: str, entity_id: str) -> Work[None]:
        """Follow the actions of a script or automation."""
        self._runs_automations |= domain == "automation"
        entity = self._reader.live(entity_id)
        if entity is None or not entity.available:
            # Not loaded, or not valid: nothing runs.
            return
        sequence = getattr(getattr(entity, RUNNING[domain], None), "sequence", None)
        if sequence is None:
            self._open.add(ANYTHING)
        raw = getattr(entity, "raw_config", None)
        self._definitions[entity_id] = [raw, sequence]
        yield from self._follow_actions(sequence)

    def _follow_actions(self, sequence: Any) -> Work[None]:
        for step in steps_of(sequence):
            self._count()
            if ANYTHING in self._open:
                return
            if isinstance(step, DeviceStep):
                self._follow_device(step)
            else:
                self._follow_service(step)
            yield

    def _follow_service(self, step: ServiceStep) -> None:
        domains = open_domains_of(self._hass, step)
        self._open |= domains
        if step.service is None:
            return
        for domain in domains:
            self._call_any(step.service, domain)
        self._services.add(step.service)
        if open_ended(self._hass, step.service):
            self._open.add(ANYTHING)
        domain, name = _split(step.service)
        self._script_service(domain, name)
        targets = resolve_now(self._hass, domain, name, step.target, step.data)
        for entity_id in targets.acted_on + targets.in_data:
            self._call(step.service, entity_id)

    def _follow_device(self, step: DeviceStep) -> None:
        service = f"{step.domain}.{step.type}"
        if always_open(service):
            self._open.add(ANYTHING)
        if self._hass.services.has_service(step.domain, step.type):
            self._services.add(service)
        else:
            # The action is named otherwise than the service it ends in.
            self._services |= self._reader.services_of(step.domain)
        for entity_id in resolve_now(self._hass, "", "", {}, step.ids).acted_on:
            self._call(service, entity_id)

    def _script_service(self, domain: str, name: str) -> None:
        """Follow the script that a service of its name runs."""
        if domain != "script" or name in _SCRIPT_SERVICES:
            return
        script = self._reader.script_of_service(name)
        if script is not None:
            self._call("script.turn_on", script.entity_id)
        elif self._hass.services.has_service(domain, name):
            self._open.add(ANYTHING)


def _is_inert(service: str) -> bool:
    return service in _INERT or service.endswith(".reload")


def _split(service: str) -> tuple[str, str]:
    domain, _, name = service.partition(".")
    return domain, name
