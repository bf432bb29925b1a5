"""The options of the config entry, and what they leave open."""

from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.mcp_bridge.access.options import AccessOptions
from custom_components.mcp_bridge.access.rules import EntityRule
from custom_components.mcp_bridge.house.records import EntityRecord

LAMP = EntityRecord("light.lamp", "light", "Lamp", area_id="attic")
LOCK = EntityRecord("lock.door", "lock", "Door", area_id="hall")
LIGHTS = {"patterns": ["light.*"]}
LOCKS = {"patterns": ["lock.*"]}
ALL = {"patterns": ["*"]}


def options(**chosen: Any) -> AccessOptions:
    """Return the options of a config entry."""
    return AccessOptions.from_entry_options(chosen)


def test_defaults_are_those_of_a_new_entry() -> None:
    """Administrators only, and they see everything."""
    assert options() == AccessOptions()
    assert options().require_admin
    assert not options().filter_reads
    assert not options().assist_exposed_only
    assert not options().has_lists
    assert options().lists_permit(LAMP)


def test_every_option_is_read() -> None:
    """None is mixed up with another."""
    assert options(
        filter_reads=True,
        entity_allowlist=LIGHTS,
        entity_denylist=LOCKS,
        assist_exposed_only=True,
        require_admin=False,
    ) == AccessOptions(
        filter_reads=True,
        allow=EntityRule.from_option(LIGHTS),
        deny=EntityRule.from_option(LOCKS),
        assist_exposed_only=True,
        require_admin=False,
    )


def test_options_of_others_are_ignored() -> None:
    """An entry may hold options that are not about access."""
    assert options(log_level="info") == AccessOptions()


@pytest.mark.parametrize(
    ("allow", "deny", "lamp", "lock"),
    [
        (None, None, True, True),
        ({}, {}, True, True),
        (LIGHTS, None, True, False),
        (None, LIGHTS, False, True),
        (LIGHTS, LIGHTS, False, False),
        (ALL, LOCKS, True, False),
        (LIGHTS, ALL, False, False),
        ({"target": {"area_id": ["attic"]}}, None, True, False),
        ({"target": {"area_id": ["attic"]}}, LIGHTS, False, False),
        ({"patterns": ["vacuum.*"]}, None, False, False),
        ({"patterns": [" "]}, None, True, True),
    ],
    ids=repr,
)
def test_deny_wins_and_allow_closes_the_rest(
    allow: dict[str, Any] | None, deny: dict[str, Any] | None, *, lamp: bool, lock: bool
) -> None:
    """An empty list closes nothing; one that names something else closes everything else."""
    chosen = options(entity_allowlist=allow, entity_denylist=deny)

    assert (chosen.lists_permit(LAMP), chosen.lists_permit(LOCK)) == (lamp, lock)


@pytest.mark.parametrize("filter_reads", [True, False])
@pytest.mark.parametrize("allow_write", [True, False])
@pytest.mark.parametrize("allow", [None, LIGHTS, {"target": {"label_id": ["x"]}}])
@pytest.mark.parametrize("deny", [None, LOCKS, {"target": {"entity_id": ["lock.x"]}}])
def test_whether_the_lists_have_an_effect(
    allow: dict[str, Any] | None,
    deny: dict[str, Any] | None,
    *,
    filter_reads: bool,
    allow_write: bool,
) -> None:
    """They hide when they filter reads, and they keep things from being controlled where anything can be."""
    chosen = options(
        filter_reads=filter_reads,
        allow_write=allow_write,
        entity_allowlist=allow,
        entity_denylist=deny,
    )

    assert chosen.has_lists is (allow is not None or deny is not None)
    assert chosen.lists_without_effect is (
        chosen.has_lists and not filter_reads and not allow_write
    )


PLACES = st.sampled_from(["attic", "hall", "cellar"])
KEYS = ("light.a", "light.b", "lock.a")
RECORDS = st.builds(
    EntityRecord,
    entity_id=st.sampled_from(KEYS),
    domain=st.just("light"),
    name=st.just("Name"),
    area_id=st.none() | PLACES,
    floor_id=st.none() | PLACES,
    device_ids=st.lists(PLACES, max_size=2, unique=True).map(tuple),
    labels=st.frozensets(PLACES, max_size=2),
)
CHOICES = {
    "entity_id": st.lists(st.sampled_from(KEYS), max_size=2),
    "device_id": st.lists(PLACES, max_size=2),
    "area_id": st.lists(PLACES, max_size=2) | PLACES,
    "floor_id": st.lists(PLACES, max_size=2),
    "label_id": st.lists(PLACES, max_size=2),
}
PICKS = st.fixed_dictionaries(
    {},
    optional={**CHOICES, "exclude": st.fixed_dictionaries({}, optional=CHOICES)},
)
LISTS = st.fixed_dictionaries(
    {},
    optional={
        "patterns": st.lists(st.sampled_from(["light.*", "*.a", " ", ""]), max_size=2),
        "target": PICKS,
    },
)


def picks(target: dict[str, Any], record: EntityRecord) -> list[str]:
    """Return the kinds of pick by which a target names an entity."""
    belongs_to = {
        "entity_id": (record.entity_id,),
        "device_id": record.device_ids,
        "area_id": (record.area_id,),
        "floor_id": (record.floor_id,),
        "label_id": record.labels,
    }
    found = []
    for kind, owners in belongs_to.items():
        ids = target.get(kind, [])
        ids = [ids] if isinstance(ids, str) else ids
        found += [kind for picked in ids if picked in owners]
    return found


def reasons(entity_list: dict[str, Any], record: EntityRecord) -> list[str]:
    """Return, spelt out at length, why a list names an entity."""
    target = entity_list.get("target", {})
    by_pattern = [
        pattern
        for pattern in entity_list.get("patterns", [])
        if (pattern == "light.*" and record.entity_id.startswith("light."))
        or (pattern == "*.a" and record.entity_id.endswith(".a"))
    ]
    if picks(target.get("exclude", {}), record):
        return by_pattern
    return [*by_pattern, *picks(target, record)]


def says_something(entity_list: dict[str, Any]) -> bool:
    """Tell whether a list has any pattern or pick in it."""
    patterns = entity_list.get("patterns", [])
    target = entity_list.get("target", {})
    return any(pattern.strip() for pattern in patterns) or any(
        picked for kind, picked in target.items() if kind != "exclude"
    )


@settings(max_examples=400, deadline=None)
@given(allow=LISTS, deny=LISTS, record=RECORDS)
def test_nothing_is_open_without_a_reason(
    allow: dict[str, Any], deny: dict[str, Any], record: EntityRecord
) -> None:
    """Open is what no denial names and, if anything is allowed at all, what is allowed."""
    expected = not reasons(deny, record) and (
        not says_something(allow) or bool(reasons(allow, record))
    )

    assert (
        options(entity_allowlist=allow, entity_denylist=deny).lists_permit(record)
        is expected
    )


@settings(max_examples=200, deadline=None)
@given(allow=LISTS, deny=LISTS, more=LISTS, record=RECORDS)
def test_denying_more_opens_nothing(
    allow: dict[str, Any],
    deny: dict[str, Any],
    more: dict[str, Any],
    record: EntityRecord,
) -> None:
    """A longer denylist never lets anything in that a shorter one kept out."""
    longer: dict[str, Any] = {
        "patterns": [*deny.get("patterns", []), *more.get("patterns", [])],
        "target": {**more.get("target", {}), **deny.get("target", {})},
    }
    # An exclusion is part of what a list says, and one more of those does let something in.
    longer["target"]["exclude"] = deny.get("target", {}).get("exclude", {})
    before = options(entity_allowlist=allow, entity_denylist=deny).lists_permit(record)
    afterwards = options(entity_allowlist=allow, entity_denylist=longer).lists_permit(
        record
    )

    assert before or not afterwards
