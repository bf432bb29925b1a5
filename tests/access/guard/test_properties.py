"""What has to hold for any rules, any calls and any arguments: no false allow, and no two calls with one hash."""

from dataclasses import fields
import json
import random
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.actions.several import _together
from custom_components.mcp_bridge.access.canonical import fingerprint
from custom_components.mcp_bridge.access.clients import Client
from custom_components.mcp_bridge.access.guard.permission import check_permission
from custom_components.mcp_bridge.access.guard.plan import Plan
from custom_components.mcp_bridge.access.guard.rates import Cap, CapKind
from custom_components.mcp_bridge.access.refusals import Refusal
from custom_components.mcp_bridge.access.rules import compile_globs
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.house.records import EntityRecord
from custom_components.mcp_bridge.models import Caller, Kind
from homeassistant.auth.permissions.const import CAT_ENTITIES
from homeassistant.core import HomeAssistant

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


def shuffled(value: Any) -> Any:
    """Return the same data with the keys of its objects in another order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return [shuffled(inner) for inner in value] if isinstance(value, list) else value


@settings(max_examples=500, deadline=None)
@given(_JSON)
def test_the_order_of_keys_makes_no_difference(value: Any) -> None:
    """Nor does a way through JSON."""
    assert fingerprint(shuffled(value)) == fingerprint(value)
    assert fingerprint(json.loads(json.dumps(value))) == fingerprint(value)


@settings(max_examples=1_500, deadline=None)
@given(_JSON, _JSON)
def test_different_arguments_have_different_hashes(one: Any, other: Any) -> None:
    """Equal only where JSON has no difference: 1 and 1.0 are one number, while true is none."""
    same = _typed(one) == _typed(other)
    assert (fingerprint(one) == fingerprint(other)) is same


def _typed(value: Any) -> Any:
    """Return data in which Python, too, tells true from 1."""
    match value:
        case bool():
            return ("bool", value)
        case dict():
            return {key: _typed(inner) for key, inner in value.items()}
        case list():
            return [_typed(inner) for inner in value]
        case _:
            return value


_ALPHABET = st.sampled_from("ab_.*")


def _matches(glob: str, text: str) -> bool:
    """Match a glob in the plainest way there is, to compare with."""
    if not glob:
        return not text
    if glob[0] == "*":
        return any(_matches(glob[1:], text[start:]) for start in range(len(text) + 1))
    return bool(text) and glob[0] == text[0] and _matches(glob[1:], text[1:])


@settings(max_examples=1_500, deadline=None)
@given(
    st.lists(st.text(_ALPHABET, min_size=1, max_size=6), min_size=1, max_size=4),
    st.text(st.sampled_from("ab_."), max_size=8),
)
def test_patterns_match_as_the_plainest_matcher_says(
    globs: list[str], text: str
) -> None:
    """However many stars there are."""
    pattern = compile_globs(globs)
    assert pattern is not None
    assert bool(pattern.fullmatch(text)) is any(_matches(glob, text) for glob in globs)


_DOMAINS = ("light", "lock", "switch")
_NAMES = ("a", "b", "hall", "hall_2", "door")
_IDS = [f"{domain}.{name}" for domain in _DOMAINS for name in _NAMES]
_GLOBS = [
    "*",
    "light.*",
    "*.a",
    "*hall*",
    "lock.door",
    "*_2",
    "l*k.*",
    "switch.b",
    "nope.*",
]
_WRITES = frozenset((Kind.READ, Kind.WRITE))


def _some(rng: random.Random, items: list[str], most: int) -> list[str]:
    return rng.sample(items, rng.randint(0, most))


def _random_options(rng: random.Random) -> dict[str, Any]:
    options: dict[str, Any] = {"allow_write": True, "require_admin": False}
    for name in ("entity_allowlist", "entity_denylist"):
        if rng.random() < 0.5:
            options[name] = {
                "patterns": _some(rng, _GLOBS, 2),
                "target": {"entity_id": _some(rng, _IDS, 2)},
            }
    return options


def _closed(options: dict[str, Any], entity_id: str) -> bool:
    """Tell whether the lists close an entity, by the words of the design and nothing of the code."""

    def names(entity_list: dict[str, Any]) -> bool:
        return entity_id in entity_list.get("target", {}).get("entity_id", []) or any(
            _matches(glob, entity_id) for glob in entity_list.get("patterns", [])
        )

    allow = options.get("entity_allowlist", {})
    is_empty = not (allow.get("patterns") or allow.get("target", {}).get("entity_id"))
    return names(options.get("entity_denylist", {})) or not (is_empty or names(allow))


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> None:
    """A house of names only: nothing is done in it."""
    for entity_id in _IDS:
        hass.states.async_set(entity_id, "on")


async def test_no_false_allow(hass: HomeAssistant, bridge: Bridge) -> None:
    """A hundred thousand plans under random options, clients and users: nothing that is closed is ever let through."""
    rng = random.Random(20261130)
    refused = allowed = 0
    for _ in range(1_000):
        options, limits = _random_options(rng), _random_options(rng)
        user = MockUser(id=str(rng.random()))
        controls = dict.fromkeys(_some(rng, _IDS, 15), True)
        everything = rng.random() < 0.5
        user.mock_policy(
            {CAT_ENTITIES: True if everything else {"entity_ids": controls}}
        )
        client = Client.from_subentry(
            "client", "Client", {**limits, "user_id": user.id}
        )
        caller = Caller(user, client.credential, client.id)
        bridge.access.async_set_options(options, [client])
        rights, view = bridge.access.rights(caller), bridge.access.view(caller)
        for _ in range(100):
            visible = [entity_id for entity_id in _IDS if view.find(entity_id)]
            plan = _random_plan(rng, visible)
            touched = {*plan.targets, *plan.named, *plan.touches}
            open_ids = {
                entity_id
                for entity_id in _IDS
                if entity_id.partition(".")[0] in plan.open_domains
            }
            closed = {
                entity_id
                for entity_id in touched | open_ids
                if _closed(options, entity_id)
                or _closed(limits, entity_id)
                or not (everything or entity_id in controls)
            }
            try:
                check_permission(plan, rights, view)
            except Refusal:
                refused += 1
                assert closed or "*" in plan.open_domains, (plan, options, limits)
            else:
                allowed += 1
                assert not closed, (plan, options, limits)

    assert refused > 10_000
    assert allowed > 2_000


def _random_plan(rng: random.Random, visible: list[str]) -> Plan:
    def some(items: list[str]) -> list[str]:
        return rng.sample(items, min(rng.choice((0, 0, 1, 1, 2)), len(items)))

    return Plan(
        summary="random",
        what={},
        targets=tuple(some(visible)),
        named=frozenset(some(visible)),
        touches=frozenset(some(_IDS)),
        open_domains=frozenset(rng.choice(((), (), (), ("light",), ("*",)))),
    )


def test_a_plan_of_several_forgets_nothing() -> None:
    """A new member of a plan has to be taken together, too."""
    given: dict[str, Any] = {
        "summary": "one",
        "what": {"a": 1},
        "call_data": {"a": 1},
        "targets": ("light.a",),
        "named": frozenset(("light.b",)),
        "skipped": ("light.c",),
        "touches": frozenset(("light.d",)),
        "becomes": (EntityRecord("light.e", "light", "e"),),
        "services": frozenset(("light.turn_on",)),
        "open_domains": frozenset(("light",)),
        "elevated": "why",
        "admin_only": True,
        "has_templates": True,
        "confirm": "why",
        "caps": (Cap(CapKind.WRITE, "x"),),
        "base": "base",
        "watches": False,
        "is_unbound": True,
    }
    one = Plan(**given)
    assert {field.name for field in fields(Plan)} == {*given, "call_target"}

    both = _together([Plan(summary="other", what={}, watches=False), one], "both", {})

    # What belongs to each part stays with it.
    own = {"summary", "what", "call_data", "call_target", "base"}
    assert {name: getattr(both, name) for name in given.keys() - own} == {
        name: value for name, value in given.items() if name not in own
    }
