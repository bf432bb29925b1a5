"""Random houses under random rules: no answer has a byte of what its caller may not see.

Every word of a house begins alike and is of one entity only, so that it is known in any answer, also when it was cut.
A failure names the seed of its house.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
import json
import logging
from random import Random
import re
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.clients import Client
from custom_components.mcp_bridge.access.guard import execution
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import RESOURCE_BYTES
from custom_components.mcp_bridge.models import Caller
from custom_components.mcp_bridge.protocol.instructions import instructions
from custom_components.mcp_bridge.protocol.resources import (
    RESOURCES,
    ResourceFailed,
    ResourceNotFound,
    read_resource,
)
from custom_components.mcp_bridge.protocol.server import wire_tool
from custom_components.mcp_bridge.tools import all_tools
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from tests.access.people import user_who_may

from .checks import well_formed
from .furniture import equip
from .questions import general, journal_entries, of_entity, of_name, of_word
from .random_house import MARK, RandomHouse, Thing, found

HOUSES = 40
SEED = 20_261_101
SWITCHED_ON = {
    "allow_write": True,
    "allow_config_write": True,
    "allow_camera": True,
    "allow_raw_api": True,
    "require_admin": False,
    "writes_per_minute": 1_000_000,
    "notifications_per_minute": 1_000_000,
    "announcements_per_minute": 1_000_000,
}
_WORD = re.compile(f"{MARK}[a-z]*")
# What may be different for a hidden id and for one that is not there: what is near to it.
_HINT = re.compile(r', "hint": "[^"]*"')


@dataclass
class Rule:
    """An entity list, as it is configured and as it is meant."""

    patterns: list[str]
    picked: dict[str, list[str]]
    house: RandomHouse

    @classmethod
    def random(cls, house: RandomHouse) -> Rule:
        """Return a list that names some of the entities."""
        rng, things = house.rng, list(house.things.values())
        domains = [f"{thing.domain}.*" for thing in things]
        parts = [f"*{rng.choice(sorted(thing.words))[2:9]}*" for thing in things]
        patterns = house.some([*domains, *parts, *house.things], 0, 4)
        picked = {
            "entity_id": house.some(house.things, 0, 3),
            "device_id": house.some(house.device_words, 0, 1),
            "area_id": house.some(house.areas, 0, 1),
            "floor_id": house.some(house.floors, 0, 1) if rng.random() < 0.3 else [],
            "label_id": house.some(house.labels, 0, 1),
        }
        return cls(patterns, picked, house)

    @property
    def option(self) -> dict[str, Any]:
        """The list as it is stored."""
        return {"patterns": self.patterns, "target": self.picked}

    @property
    def is_empty(self) -> bool:
        """Whether it names nothing."""
        return not (self.patterns or any(self.picked.values()))

    def names(self, thing: Thing) -> bool:
        """Tell whether it names an entity."""
        area = self.house.area_of(thing)
        floor = self.house.floor_of[area] if area else None
        return (
            any(fnmatchcase(thing.entity_id, pattern) for pattern in self.patterns)
            or thing.entity_id in self.picked["entity_id"]
            or thing.device in self.picked["device_id"]
            or area in self.picked["area_id"]
            or floor in self.picked["floor_id"]
            or not thing.labels.isdisjoint(self.picked["label_id"])
        )


@dataclass
class Grant:
    """What is configured for everybody, or for one client."""

    deny: Rule
    allow: Rule | None
    exposed_only: bool = False

    @classmethod
    def random(cls, house: RandomHouse, exposed_only: bool = False) -> Grant:
        """Return lists that hide some of the entities."""
        allow = Rule.random(house) if house.rng.random() < 0.25 else None
        return cls(Rule.random(house), allow, exposed_only)

    @property
    def options(self) -> dict[str, Any]:
        """The options as they are stored."""
        return {
            "filter_reads": True,
            "entity_denylist": self.deny.option,
            "entity_allowlist": self.allow.option if self.allow else {},
        }

    def shows(self, thing: Thing) -> bool:
        """Tell whether it leaves an entity to be seen."""
        allowed = self.allow is None or self.allow.is_empty or self.allow.names(thing)
        exposed = thing.exposed or not self.exposed_only
        return allowed and exposed and not self.deny.names(thing)


class Onlooker:
    """A caller, and what it may know."""

    def __init__(
        self, bridge: Bridge, house: RandomHouse, caller: Caller, seen: set[str]
    ) -> None:
        """Work out the words that it may hear."""
        self.bridge, self.house, self.caller, self.seen = bridge, house, caller, seen
        self.tried = set[str]()
        self.hidden = sorted(house.things.keys() - seen)
        self.words = set(house.public)
        for entity_id in seen:
            thing = house.things[entity_id]
            self.words |= thing.words
            if thing.device:
                self.words |= house.device_words[thing.device]
        self.hidden_words = sorted(
            word
            for words in (
                *(house.things[entity_id].words for entity_id in self.hidden),
                *house.device_words.values(),
            )
            for word in words - self.words
        )

    async def ask(self, tool: str, arguments: dict[str, Any]) -> str:
        """Return the data of an answer, after a look whether there is anything in it that the caller may not know."""
        answer = await self.bridge.registry.call(tool, arguments, self.caller)
        self.tried.add(tool)
        well_formed(answer)
        data = json.dumps(answer.data, ensure_ascii=False)
        self.check(f"{answer.text} {data}", arguments)
        return data

    async def read(self, uri: str) -> str:
        """Return the body of a resource, after the same look."""
        try:
            text = await read_resource(self.bridge.registry, self.caller, uri)
        except (ResourceNotFound, ResourceFailed) as err:
            text = f"{type(err).__name__} {err}"
        assert len(text.encode()) <= RESOURCE_BYTES
        self.check(text, uri)
        return text

    def check(self, text: str, sent: Any) -> None:
        """Look for words that are none of the caller's, and that it has not sent itself; half a word is too much."""
        known = self.words | set(_WORD.findall(str(sent).lower()))
        leaked = [
            word
            for word in set(_WORD.findall(text.lower())) - known
            if any(hidden.startswith(word) for hidden in self.hidden_words)
            and not any(other.startswith(word) for other in known)
        ]
        around = [
            text[max(text.lower().find(word) - 150, 0) :][:200] for word in leaked[:1]
        ]
        assert not leaked, (sent, leaked, around)

    async def compare(
        self, tool: str, one: Any, other: Any, swap: tuple[str, str]
    ) -> None:
        """Check that what is hidden is answered for like what is not there, word for word."""
        hidden, ghost = (name.rpartition(".")[2] for name in swap)
        answers = [
            await (self.read(question) if tool == "read" else self.ask(tool, question))
            for question in (one, other)
        ]
        first, second = (_HINT.sub("", answer) for answer in answers)
        first = re.sub(re.escape(hidden), ghost, first, flags=re.IGNORECASE)
        second = re.sub(re.escape(ghost), ghost, second, flags=re.IGNORECASE)
        assert first == second, (tool, one)


async def move_in(
    hass: HomeAssistant, bridge: Bridge, house: RandomHouse, admin: MockUser
) -> list[Onlooker]:
    """Return callers of three kinds, after the rules for them have been put in force."""
    rng = house.rng
    common = Grant.random(house, exposed_only=rng.random() < 0.25)
    own = Grant.random(house)
    for thing in house.things.values():
        thing.exposed = rng.random() < 0.7
        async_expose_entity(hass, conversation.DOMAIN, thing.entity_id, thing.exposed)
    readable = house.some(house.things, 5, 15)
    domains = house.some({thing.domain for thing in house.things.values()}, 0, 4)
    device = house.rng.choice(list(house.device_words))
    user = user_who_may(
        hass,
        {
            "entity_ids": {id_: {"read": True, "control": True} for id_ in readable},
            "domains": dict.fromkeys(domains, True),
            "device_ids": {device: {"read": True}},
        },
    ).add_to_hass(hass)
    profile = Client.from_subentry("client", "Client", {**SWITCHED_ON, **own.options})
    bridge.access.async_set_options(
        {
            **SWITCHED_ON,
            **common.options,
            "assist_exposed_only": common.exposed_only,
        },
        [profile],
    )
    everything = house.things.values()
    may_read = {
        thing.entity_id
        for thing in everything
        if thing.entity_id in readable
        or thing.domain in domains
        or thing.device == device
    }
    shown = {thing.entity_id for thing in everything if common.shows(thing)}
    shown_to_client = {thing.entity_id for thing in everything if own.shows(thing)}
    return [
        Onlooker(bridge, house, Caller(admin), shown),
        Onlooker(
            bridge,
            house,
            Caller(admin, profile.credential, profile.id),
            shown & shown_to_client,
        ),
        Onlooker(bridge, house, Caller(user), shown & may_read),
    ]


def differing(house: RandomHouse, onlooker: Onlooker) -> Iterator[tuple[Any, ...]]:
    """Yield questions about what is hidden, each with the same one about what is not there."""
    known = sorted(onlooker.seen)
    for entity_id in house.some(onlooker.hidden, 0, 2):
        ghost = f"{entity_id.partition('.')[0]}.{house.word()}"
        pairs = zip(of_entity(entity_id, known), of_entity(ghost, known), strict=True)
        for (tool, one), (_, other) in pairs:
            yield tool, one, other, (entity_id, ghost)
        address = "ha://entity/"
        yield "read", address + entity_id, address + ghost, (entity_id, ghost)
    for word in house.some(onlooker.hidden_words, 0, 4):
        ghost = house.word()
        for (tool, one), (_, other) in zip(of_word(word), of_word(ghost), strict=True):
            yield tool, one, other, (word, ghost)


async def look_around(bridge: Bridge, house: RandomHouse, onlooker: Onlooker) -> int:
    """Ask everything there is to ask, and return how often something was asked."""
    asked = 0
    for tool, arguments in general(house, sorted(onlooker.seen)):
        await onlooker.ask(tool, arguments)
        asked += 1
    for change in list(bridge.journal)[:20]:
        undo = {"change_id": change.id, "dry_run": True}
        await onlooker.ask("ha_undo_change", undo)
        asked += 1
        if change.tool != "ha_create_helper":
            await onlooker.ask("ha_undo_change", {"change_id": change.id})
            asked += 1
    for word in house.some(onlooker.hidden_words, 0, 3):
        for tool, arguments in of_name(word):
            await onlooker.ask(tool, arguments)
            asked += 1
    for tool, one, other, swap in differing(house, onlooker):
        await onlooker.compare(tool, one, other, swap)
        asked += 2
    for resource in RESOURCES:
        uris = [resource.uri]
        if resource.is_template:
            values = [*house.areas, *onlooker.hidden[:3], *onlooker.hidden_words[:3]]
            prefix = resource.uri.partition("{")[0]
            uris = [prefix + value for value in values]
        for uri in uris:
            await onlooker.read(uri)
            asked += 1
    tools = list(map(wire_tool, bridge.registry.offered(onlooker.caller)))
    onlooker.check(json.dumps(tools), "")
    onlooker.check(instructions(bridge.access, onlooker.caller), "")
    return asked


@pytest.fixture(name="ground")
async def fixture_ground(
    hass: HomeAssistant,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Set up everything that tools need, and leave out what only costs time."""
    monkeypatch.setattr(execution, "SETTLE_SECONDS", 0.0)
    hass.loop.set_debug(False)
    caplog.set_level(logging.WARNING)
    await equip(hass)
    await found(hass)


async def watch(
    hass: HomeAssistant,
    bridge: Bridge,
    house: RandomHouse,
    people: tuple[MockUser, MockUser],
) -> tuple[int, int, set[str]]:
    """Build a house, have it lived in, look at it through all eyes, and tear it down.

    Returns how much was hidden, how much was asked, and with which tools.
    """
    owner, admin = people
    await house.build()
    bridge.access.async_set_options(SWITCHED_ON)
    for tool, arguments in journal_entries(house):
        await bridge.registry.call(tool, arguments, Caller(owner))
    onlookers = await move_in(hass, bridge, house, admin)
    await bridge.access.async_settle()
    asked = 0
    for onlooker in onlookers:
        view = bridge.access.view(onlooker.caller)
        assert {id_ for id_ in house.things if view.find(id_)} == onlooker.seen
        asked += await look_around(bridge, house, onlooker)
    bridge.access.async_set_options(SWITCHED_ON)
    await house.clear()
    tools = set[str]().union(*(onlooker.tried for onlooker in onlookers))
    return sum(len(onlooker.hidden) for onlooker in onlookers), asked, tools


@pytest.mark.parametrize("house", [None])
async def test_no_answer_has_a_byte_of_what_is_hidden(
    hass: HomeAssistant,
    ground: None,
    bridge: Bridge,
    hass_admin_user: MockUser,
    house: None,
) -> None:
    """Neither of its id nor of its names, states, attributes and devices; whatever is asked, and by whom."""
    people = MockUser(is_owner=True).add_to_hass(hass), hass_admin_user
    hidden = asked = 0
    tried: set[str] = set()
    for seed in range(SEED, SEED + HOUSES):
        try:
            results = await watch(hass, bridge, RandomHouse(hass, Random(seed)), people)
        except AssertionError as err:
            err.add_note(f"The seed of the house is {seed}.")
            raise
        hidden, asked, tried = (
            hidden + results[0],
            asked + results[1],
            tried | results[2],
        )
    # Else nothing was proven.
    assert tried == {tool.name for tool in all_tools()}
    assert hidden > HOUSES * 10
    assert asked > HOUSES * 500
