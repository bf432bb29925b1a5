"""Entity lists: what a pattern and a pick name, and above all what they do not."""

from functools import cache
import time
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.mcp_bridge.access.rules import EntityRule, compile_globs
from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.records import EntityRecord
from homeassistant.core import HomeAssistant
from tests.house.building import Building


def record(entity_id: str, **more: Any) -> EntityRecord:
    """Return an entity of which only the id matters, unless told otherwise."""
    return EntityRecord(entity_id, entity_id.partition(".")[0], entity_id, **more)


def names(patterns: list[str], entity_id: str) -> bool:
    """Tell whether a list of patterns names an entity."""
    rule = EntityRule.from_option({"patterns": patterns})
    return rule.matches(record(entity_id))


@cache
def naive(glob: str, text: str) -> bool:
    """Match by the letter of the rule: a star is any run of characters, everything else is itself."""
    if not glob:
        return not text
    if glob[0] == "*":
        return any(naive(glob[1:], text[start:]) for start in range(len(text) + 1))
    return bool(text) and glob[0] == text[0] and naive(glob[1:], text[1:])


@pytest.mark.parametrize(
    ("pattern", "entity_id"),
    [
        ("light.kitchen", "light.kitchen"),
        ("light.*", "light.kitchen"),
        ("*.kitchen", "light.kitchen"),
        ("*", "light.kitchen"),
        ("**", "light.kitchen"),
        ("*light*kitchen*", "light.kitchen"),
        ("l*t.k*n", "light.kitchen"),
        ("*.garage_*", "cover.garage_door"),
        ("*.garage_*", "cover.garage_"),
        ("li*en", "light.kitchen"),
        ("LIGHT.Kitchen", "light.kitchen"),
        ("  light.*\t\n", "light.kitchen"),
    ],
)
def test_pattern_names_entity(pattern: str, entity_id: str) -> None:
    """A star stands for any run of characters, dots and nothing included; case and blanks around do not count."""
    assert names([pattern], entity_id)


@pytest.mark.parametrize(
    ("pattern", "entity_id"),
    [
        ("light", "light.kitchen"),
        ("light.", "light.kitchen"),
        ("kitchen", "light.kitchen"),
        ("ight.*", "light.kitchen"),
        ("light.kitche", "light.kitchen"),
        ("*.kitch", "light.kitchen"),
        ("light.kitche?", "light.kitchen"),
        ("light.[k]itchen", "light.kitchen"),
        ("light.[!x]*", "light.kitchen"),
        ("light?kitchen", "light.kitchen"),
        ("light.kitchen", "lightxkitchen"),
        ("light.*", "lightxkitchen"),
        (".*", "light.kitchen"),
        (r"light\.*", "light.kitchen"),
        ("^light.*$", "light.kitchen"),
        ("light.kitchen|switch.*", "switch.kitchen"),
        ("light.(kitchen)", "light.kitchen"),
        ("light.k+itchen", "light.kitchen"),
        ("light.{kitchen}", "light.kitchen"),
        ("!light.kitchen", "light.kitchen"),
        ("light. *", "light.kitchen"),
        ("light.kitchen light.bath", "light.kitchen"),
        ("*a*a*", "light.bath"),
        ("light.kitchen*kitchen", "light.kitchen"),
    ],
)
def test_pattern_does_not_name_entity(pattern: str, entity_id: str) -> None:
    """Both ends are fixed, and nothing but the star has a meaning of its own."""
    assert not names([pattern], entity_id)


@pytest.mark.parametrize("patterns", [[], [""], ["  ", "\t", "\n"]], ids=repr)
def test_blank_patterns_are_no_patterns(patterns: list[str]) -> None:
    """A list of blanks names nothing, and counts as empty."""
    assert compile_globs(patterns) is None
    assert EntityRule.from_option({"patterns": patterns}).is_empty
    assert not names(patterns, "light.kitchen")


def test_each_pattern_stands_for_itself() -> None:
    """Patterns are alternatives; the ends of one are not those of another."""
    patterns = ["light.a", " ", "switch.*", "*.b"]

    assert all(names(patterns, key) for key in ("light.a", "switch.x", "sensor.b"))
    assert not any(
        names(patterns, key) for key in ("light.ab", "light.aswitch.x", "xswitch.y")
    )


GLOBS = st.text("ab._*?[]|\\^$+(){} AB", max_size=8)
IDS = st.text("ab._", max_size=10)


@settings(max_examples=800, deadline=None)
@given(globs=st.lists(GLOBS, max_size=4), entity_id=IDS)
def test_patterns_match_by_the_letter(globs: list[str], entity_id: str) -> None:
    """Never more and never less than the rule says."""
    expected = any(
        naive(glob.strip().lower(), entity_id) for glob in globs if glob.strip()
    )

    assert names(globs, entity_id) is expected


@settings(max_examples=300, deadline=None)
@given(entity_id=IDS.filter(bool), data=st.data())
def test_patterns_made_from_an_id_name_it(entity_id: str, data: st.DataObject) -> None:
    """Any part of an id may be left to a star."""
    start = data.draw(st.integers(0, len(entity_id)))
    end = data.draw(st.integers(start, len(entity_id)))

    assert names([f"{entity_id[:start]}*{entity_id[end:]}"], entity_id)


def test_pattern_of_many_stars_is_matched_in_no_time() -> None:
    """No pattern may hold the event loop up, however unfortunate id and pattern are."""
    started = time.process_time()

    assert not names(["*a*a*a*a*b"], f"light.{'a' * 100}")

    assert time.process_time() - started < 0.02


@pytest.mark.parametrize(
    ("target", "named"),
    [
        ({"entity_id": ["light.a"]}, {"light.a"}),
        ({"entity_id": "light.a"}, {"light.a"}),
        ({"area_id": ["attic"]}, {"light.a"}),
        ({"area_id": "attic"}, {"light.a"}),
        ({"floor_id": ["up"]}, {"light.a", "light.b"}),
        ({"device_id": ["lamp"]}, {"light.a"}),
        ({"device_id": ["hub"]}, {"light.a", "light.b"}),
        ({"label_id": ["party"]}, {"light.b"}),
        ({"label_id": ["party"], "entity_id": ["light.c"]}, {"light.b", "light.c"}),
        ({"floor_id": ["up"], "exclude": {"area_id": ["attic"]}}, {"light.b"}),
        ({"floor_id": ["up"], "exclude": {"label_id": "party"}}, {"light.a"}),
        ({"device_id": ["hub"], "exclude": {"device_id": ["lamp"]}}, {"light.b"}),
        ({"floor_id": ["up"], "exclude": {"floor_id": ["up"]}}, set()),
        ({"entity_id": ["light.A", "light", "light.*"]}, set()),
        ({"area_id": ["up"], "floor_id": ["attic"]}, set()),
        ({"entity_id": [], "area_id": None}, set()),
        ({}, set()),
        (None, set()),
    ],
)
def test_picks_name_entities(target: dict[str, Any] | None, named: set[str]) -> None:
    """A pick names what it is the id of, and each kind of pick only its own kind."""
    records = (
        record("light.a", device_ids=("lamp", "hub"), area_id="attic", floor_id="up"),
        record("light.b", device_ids=("hub",), area_id="cellar", floor_id="up", labels=frozenset({"party"})),
        record("light.c"),
    )  # fmt: skip
    rule = EntityRule.from_option({"target": target})

    assert {known.entity_id for known in records if rule.matches(known)} == named
    assert rule.is_empty is not any((target or {}).values())


def test_exclusion_takes_from_the_picks_only() -> None:
    """A pattern names what it names; an exclusion alone names nothing, and makes no list of exceptions."""
    target = {"area_id": ["attic"], "exclude": {"entity_id": ["light.a", "light.b"]}}
    both = EntityRule.from_option({"patterns": ["*.a"], "target": target})

    assert both.matches(record("light.a", area_id="attic"))
    assert not both.matches(record("light.b", area_id="attic"))
    assert both.matches(record("light.c", area_id="attic"))
    alone = EntityRule.from_option({"target": {"exclude": target["exclude"]}})
    assert alone.is_empty
    assert not alone.matches(record("light.c"))


@pytest.mark.parametrize("option", [None, {}, {"patterns": None, "target": None}])
def test_absent_list_is_empty(option: dict[str, Any] | None) -> None:
    """Nothing said, nothing named: an entity without area, floor and device included."""
    rule = EntityRule.from_option(option)

    assert rule.is_empty
    assert rule == EntityRule()
    assert not rule.matches(record("light.a"))


def test_a_plain_list_is_a_list_of_patterns() -> None:
    """As a person would write it by hand."""
    rule = EntityRule.from_option(["light.*"])

    assert rule.matches(record("light.kitchen"))
    assert not rule.matches(record("lock.front_door"))


def test_patterns_given_as_one_text_are_one_pattern() -> None:
    """A text is not taken for a list of characters, of which one would be the star that opens everything."""
    rule = EntityRule.from_option({"patterns": "light.*"})

    assert rule.matches(record("light.kitchen"))
    assert not rule.matches(record("lock.front_door"))


@pytest.mark.parametrize(
    "kind", ["device", "parent device", "area", "floor", "label of entity", "label of device", "label of area"]
)  # fmt: skip
async def test_pick_reaches_entities_of_a_real_house(
    hass: HomeAssistant, building: Building, catalog: Catalog, kind: str
) -> None:
    """A lamp on a child device whose parent stands in an area on a floor, and one that is nowhere."""
    floor = building.floor("Upstairs")
    area = building.area("Attic", floor_id=floor, labels={building.label("Area")})
    hub = building.device("Hub", area)
    lamp = building.child(hub, "Lamp")
    building.devices.async_update_child_device(lamp, labels={building.label("Device")})
    building.entity(
        "light.lamp", "Light", device=lamp, labels={building.label("Entity")}
    )
    building.entity("light.elsewhere", "Light")
    target: dict[str, dict[str, list[str]]] = {
        "device": {"device_id": [lamp]},
        "parent device": {"device_id": [hub]},
        "area": {"area_id": [area]},
        "floor": {"floor_id": [floor]},
        "label of entity": {"label_id": ["entity"]},
        "label of device": {"label_id": ["device"]},
        "label of area": {"label_id": ["area"]},
    }
    rule = EntityRule.from_option({"target": target[kind]})

    assert [key for key, known in catalog.records.items() if rule.matches(known)] == [
        "light.lamp"
    ]
