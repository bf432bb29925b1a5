"""Arguments: what models really send is understood, and everything else gets one clear error."""

from typing import Any

from hypothesis import given, settings, strategies as st
import probatio as vol
import pytest

from custom_components.mcp_bridge.errors import InvalidArguments
from custom_components.mcp_bridge.tools.parameters import (
    Flag,
    ListOf,
    Name,
    Names,
    OneOf,
    Parameter,
    Text,
    Whole,
    input_schema,
    validate,
)

SCHEMA = vol.Schema(
    {
        vol.Required("entity_id", description="an id"): Names(5),
        vol.Optional("name", description="a name"): Text(20),
        vol.Optional("domain", description="a domain"): Name(),
        vol.Optional("limit", description="how many"): Whole(1, 50),
        vol.Optional("deep", description="how deep"): Flag(),
        vol.Optional("kind", description="which kind"): OneOf("light", "switch"),
        vol.Optional("fields", description="columns"): ListOf(OneOf("a", "b", "c"), 3),
    }
)

HUGE = "x" * 1_000_000

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations() -> None:
    """Nothing here needs Home Assistant to run."""


def checked(**arguments: Any) -> dict[str, Any]:
    """Validate arguments beside a good entity id."""
    return validate(SCHEMA, {"entity_id": "light.a", **arguments})


def complaint(arguments: Any) -> str:
    """Return message and hint of the error; it is short, on one line, and can be sent."""
    with pytest.raises(InvalidArguments) as raised:
        validate(SCHEMA, arguments)
    text = f"{raised.value.message} {raised.value.hint or ''}".strip()
    assert len(text.encode()) < 600
    assert text.isprintable()
    return text


@pytest.mark.parametrize(
    ("name", "sent", "understood"),
    [
        ("limit", 20, 20),
        ("limit", "20", 20),
        ("limit", " 20 ", 20),
        ("limit", 20.0, 20),
        ("limit", "20.0", 20),
        ("deep", True, True),
        ("deep", "true", True),
        ("deep", " FALSE ", False),
        ("deep", 1, True),
        ("deep", 0, False),
        ("deep", "off", False),
        ("name", "  Big lamp\n", "Big lamp"),
        ("name", 7, "7"),
        ("name", "💡 שלום", "💡 שלום"),
        ("domain", " Light ", "light"),
        ("kind", " SWITCH", "switch"),
        ("fields", "a", ["a"]),
        ("fields", "a, B", ["a", "b"]),
        ("fields", '["a", "b"]', ["a", "b"]),
        ("fields", ["a", "b", "a"], ["a", "b"]),
        ("entity_id", " Light.Kitchen ", ["light.kitchen"]),
        ("entity_id", "light.a,light.b, ,", ["light.a", "light.b"]),
        ("entity_id", "['light.a', 'light.b']", ["light.a", "light.b"]),
        ("entity_id", ["light.b", "LIGHT.B", "light.a"], ["light.b", "light.a"]),
        ("entity_id", ["light.a, light.b"], ["light.a", "light.b"]),
    ],
)
def test_the_usual_ways_to_send_a_value_are_understood(
    name: str, sent: Any, understood: Any
) -> None:
    """Models send numbers as texts and lists as one text."""
    assert checked(**{name: sent})[name] == understood


def test_null_is_as_good_as_nothing() -> None:
    """Many clients send every argument, those not meant as null."""
    assert checked(name=None, limit=None) == {"entity_id": ["light.a"]}


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("name", ""),
        ("name", " \t\n "),
        ("name", True),
        ("name", ["a"]),
        ("name", {"a": 1}),
        ("name", "x" * 21),
        ("name", HUGE),
        ("domain", ""),
        ("limit", 0),
        ("limit", 51),
        ("limit", -1),
        ("limit", 1.5),
        ("limit", "many"),
        ("limit", ""),
        ("limit", True),
        ("limit", [20]),
        ("limit", {}),
        ("limit", float("nan")),
        ("limit", "nan"),
        ("limit", float("inf")),
        ("limit", 10**400),
        ("limit", "9" * 1_000_000),
        ("deep", "maybe"),
        ("deep", 2),
        ("deep", []),
        ("deep", HUGE),
        ("kind", "fan"),
        ("kind", HUGE),
        ("kind", "\u202egnl\ud800\x00"),
        ("fields", []),
        ("fields", ""),
        ("fields", " , "),
        ("fields", "[]"),
        ("fields", {"a": 1}),
        ("fields", ["a", ["b"]]),
        ("fields", [None]),
        ("fields", ["a", "b", "c", "a"]),
        ("entity_id", []),
        ("entity_id", ""),
        ("entity_id", True),
        ("entity_id", [{"entity_id": "light.a"}]),
        ("entity_id", [f"light.x{number}" for number in range(100_000)]),
        ("entity_id", "light.a," * 100_000),
        ("entity_id", HUGE),
        ("entity_id", [HUGE]),
    ],
)
def test_what_cannot_be_meant_is_one_short_error_that_names_the_argument(
    name: str, sent: Any
) -> None:
    """Nothing is guessed, and what was sent is never sent back at length."""
    assert f"'{name}'" in complaint({"entity_id": "light.a", name: sent})


@pytest.mark.parametrize("name", ["limit", "name", "domain", "kind", "deep"])
def test_a_number_too_long_to_be_written_down_is_refused(name: str) -> None:
    """Python itself refuses to make a text of it."""
    assert f"'{name}'" in complaint({"entity_id": "light.a", name: 10**5000})


def test_the_error_tells_what_would_be_right() -> None:
    """One look at the message is enough to correct the call."""
    good = {"entity_id": "light.a"}

    assert "from 1 to 50" in complaint({**good, "limit": 1_000})
    assert "light, switch" in complaint({**good, "kind": "fan"})
    assert "at most 5" in complaint({"entity_id": ["a", "b", "c", "d", "e", "f"]})
    assert "missing" in complaint({"name": "a"})
    assert "missing" in complaint({"entity_id": None})


def test_the_count_in_the_error_is_the_count_that_was_sent() -> None:
    """A text with many ids is counted like a list."""
    assert "1000" in complaint({"entity_id": ",".join(["light.a"] * 1000)})


@pytest.mark.parametrize(
    ("unknown", "near"),
    [
        ("entity", "entity_id"),
        ("entityId", "entity_id"),
        ("entity_ids", "entity_id"),
        ("Limit", "limit"),
        ("field", "fields"),
    ],
)
def test_an_unknown_argument_is_named_with_the_nearest_one(
    unknown: str, near: str
) -> None:
    """A slip of the pen costs one call, not three."""
    text = complaint({"entity_id": "light.a", unknown: "x"})

    assert f"'{unknown}'" in text
    assert near in text.replace(f"'{unknown}'", "")


@pytest.mark.parametrize(
    "unknown", ["", "💡", "\u202e\ud800\n", HUGE, "__class__", "a'b\"c"]
)
def test_an_argument_of_any_name_is_refused_in_a_few_words(unknown: str) -> None:
    """Also where nothing is near: then the real ones are listed."""
    assert "entity_id" in complaint({"entity_id": "light.a", unknown: 1})


def test_a_tool_without_arguments_says_so() -> None:
    """There is nothing to suggest."""
    with pytest.raises(InvalidArguments) as raised:
        validate(vol.Schema({}), {"a": 1})

    assert raised.value.hint == "This tool takes no arguments."
    assert validate(vol.Schema({}), None) == {}


@pytest.mark.parametrize("sent", ["light.a", ["light.a"], 7, True, 1.5])
def test_arguments_that_are_no_object_are_refused(sent: Any) -> None:
    """Only an object or nothing at all can be arguments."""
    assert "must be an object" in complaint(sent)


@pytest.mark.parametrize(
    "parameter",
    [Text(), Name(), Whole(0, 9), Flag(), OneOf("a"), ListOf(Text(), 2), Names(2)],
)
@settings(max_examples=100, deadline=None)
@given(value=json_values)
def test_no_value_breaks_a_parameter(parameter: Parameter, value: Any) -> None:
    """A value is coerced or refused; what was coerced is stable."""
    try:
        coerced = parameter(value)
    except vol.Invalid:
        return
    assert parameter(coerced) == coerced


def test_the_schema_is_as_plain_as_clients_need_it() -> None:
    """Types, bounds and words, and nothing that some client chokes on."""
    assert input_schema(SCHEMA) == {
        "type": "object",
        "properties": {
            "entity_id": {"type": "string", "description": "an id"},
            "name": {"type": "string", "description": "a name"},
            "domain": {"type": "string", "description": "a domain"},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 50,
                "description": "how many",
            },
            "deep": {"type": "boolean", "description": "how deep"},
            "kind": {
                "type": "string",
                "enum": ["light", "switch"],
                "description": "which kind",
            },
            "fields": {
                "type": "array",
                "items": {"type": "string", "enum": ["a", "b", "c"]},
                "maxItems": 3,
                "description": "columns",
            },
        },
        "required": ["entity_id"],
    }
    assert input_schema(vol.Schema({})) == {"type": "object", "properties": {}}
