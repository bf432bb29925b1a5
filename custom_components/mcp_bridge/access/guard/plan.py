"""What a change would do, before anybody has agreed to it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.core import Context, HomeAssistant

from ...house.records import EntityRecord
from ...house.waiting import StateChange
from ..canonical import fingerprint
from ..view import HouseView
from .rates import Cap

# Why a plan is elevated that sets automations off.
RUNS_AUTOMATIONS = (
    "This starts an automation, which acts without the rights of any user."
)
# Entities whose states are watched during a change.
_MOST_WATCHED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A change with everything that it touches.

    summary: the change in a few words: "light.turn_on: Kitchen Lights".
    what: the change as data, for previews and records: service, data, configuration …
    call_target, call_data: target and data as the service gets them.
    targets: the entities that are acted on, whose states are told before and after.
    named: entities that stand anywhere else in the data, which the caller has to be allowed to control as well.
    skipped: entities that the change leaves out because they do not answer.
    touches: the entities that may be acted on as a consequence.
    becomes: entities as they will be, new or in another place: the caller has to have control of them then, too.
    services: the services that are called, by it and as a consequence.
    open_domains: the domains of which any entity might be touched, because that is decided only when it runs; "*" for
        anything at all.
    elevated: why it needs an administrator, or a client with that right; None if it does not.
    admin_only: whether Home Assistant itself keeps it for administrators.
    has_templates: whether Home Assistant might render a template out of the data.
    confirm: why a person has to agree, whatever the options say; None if that depends on them.
    caps: what it counts for.
    base: what it was made from; a confirmation does not hold for another one.
    is_unbound: whether it acts on no entity at all, but on Home Assistant as a whole, or on somebody.
    watches: whether states are to be watched: what is said or sent shows in none.
    """

    summary: str
    what: Mapping[str, Any]
    call_target: Mapping[str, Any] = field(default_factory=dict)
    call_data: Mapping[str, Any] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    skipped: tuple[str, ...] = ()
    touches: frozenset[str] = frozenset()
    becomes: tuple[EntityRecord, ...] = ()
    services: frozenset[str] = frozenset()
    open_domains: frozenset[str] = frozenset()
    elevated: str | None = None
    admin_only: bool = False
    has_templates: bool = False
    confirm: str | None = None
    caps: tuple[Cap, ...] = ()
    base: str = ""
    watches: bool = True
    is_unbound: bool = False

    @property
    def fingerprint(self) -> str:
        """A hash of what it touches: a confirmation holds only for the same."""
        reach = (
            self.targets,
            self.named,
            self.touches,
            self.services,
            self.open_domains,
        )
        return fingerprint([*map(sorted, reach), self.base])

    @property
    def watched(self) -> tuple[str, ...]:
        """The entities whose states tell what came of it: those acted on, then those that may be reached."""
        if not self.watches:
            return ()
        return (*self.targets, *sorted(self.named | self.touches))[:_MOST_WATCHED]


@dataclass(frozen=True, slots=True)
class Undo:
    """How to take a change back: `kind` names the action, `data` is what it needs, as JSON."""

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Performed:
    """What came of a change: more to tell the caller, the way back if there is one, and the entities that are new."""

    result: Mapping[str, Any] = field(default_factory=dict)
    undo: Undo | None = None
    made: tuple[str, ...] = ()


class Action(ABC):
    """A change that a tool asks for."""

    @property
    def calls(self) -> tuple[str, ...]:
        """The services that it calls by name."""
        return ()

    @abstractmethod
    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Return what it would do, or raise what is wrong with it. Nothing may be changed here."""

    @abstractmethod
    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Make the change."""

    def undo(
        self, hass: HomeAssistant, plan: Plan, changes: list[StateChange]
    ) -> Undo | None:
        """Return how to take it back, when that follows from the states of its targets."""
        return None
