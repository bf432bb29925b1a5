"""Parameters that are objects: what models really send for them, and what becomes of it."""

from collections import OrderedDict
import json
from types import MappingProxyType
from typing import Any

from hypothesis import given, strategies as st
import probatio as vol
import pytest

from custom_components.mcp_bridge.tools.objects import Data, EntityOf, Fields, Target
from custom_components.mcp_bridge.tools.parameters import (
    Flag,
    Name,
    Parameter,
    Whole,
    input_schema,
)

from .odd_values import nested

LONGEST_ERROR = 200
TARGET = Target()
LAMP = Fields(
    {"on": ("whether it is on", Flag()), "level": ("how bright", Whole(0, 255))}
)
# What is no object, however it is looked at.
NO_OBJECT: list[Any] = [
    None,
    True,
    7,
    1.5,
    float("nan"),
    [],
    [{"a": 1}],
    (),
    {1},
    b"{}",
    object(),
    "",
    "  ",
    "light.kitchen",
    "null",
    "7",
    '"{}"',
    "[]",
    "{",
    '{"a": 1',
    "{'a': 1}",
    "{a: 1}",
    '{"a": NaN}',
    '{"a": 1} {"b": 2}',
    "\ud83d",
    '{"a": "\ud83d"}',
    "\x00",
    "[" * 100_000,
    '{"a":' * 50_000,
    "x" * 1_000_000,
    "🏠" * 250_000,
    '{"a": "' + "x" * 100_000 + '"}',
]


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations() -> None:
    """Nothing here needs Home Assistant to run."""


def refusal(parameter: Parameter, value: Any) -> str:
    """Return why a value is refused: in a few words that can be sent."""
    with pytest.raises(vol.Invalid) as raised:
        parameter(value)
    message = str(raised.value)
    assert 0 < len(message.encode()) <= LONGEST_ERROR, message[:500]
    return message


@pytest.mark.parametrize("value", NO_OBJECT, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("parameter", [Data(), LAMP])
def test_what_is_no_object_is_refused(parameter: Parameter, value: Any) -> None:
    """Also where it was to be JSON, and whatever its size."""
    refusal(parameter, value)


@pytest.mark.parametrize(
    "value",
    [
        "light.a, light.b",
        ["light.a", "light.b"],
        ("LIGHT.A", " light.b "),
        '["light.a", "light.b"]',
    ],
)
def test_a_target_may_be_its_entities(value: Any) -> None:
    """Models leave the object out."""
    assert TARGET(value) == {"entity_id": ["light.a", "light.b"]}


@pytest.mark.parametrize(
    "value", [7, True, None, b"light.a", {"light.a"}, object], ids=repr
)
def test_what_is_no_target_is_refused(value: Any) -> None:
    """Neither an object nor entities."""
    refusal(TARGET, value)


@pytest.mark.parametrize(
    "value",
    [
        {"a": 1, "b": None, "c": [{"d": True}]},
        MappingProxyType({"a": 1, "b": None, "c": [{"d": True}]}),
        OrderedDict(a=1, b=None, c=[{"d": True}]),
        '{"a": 1, "b": null, "c": [{"d": true}]}',
        ' \n{"a":1,"b":null,"c":[{"d":true}]}\t',
    ],
    ids=lambda value: type(value).__name__,
)
def test_data_is_kept_as_it_is(value: Any) -> None:
    """Null stays: for a service it may mean something; and what is inside is the service's to judge."""
    assert Data()(value) == {"a": 1, "b": None, "c": [{"d": True}]}


def test_data_has_texts_for_keys() -> None:
    """As JSON has it."""
    assert Data()({1: "a", None: "b", 2.5: "c"}) == {
        "1": "a",
        "None": "b",
        "2.5": "c",
    }


def test_data_may_be_empty() -> None:
    """A service without fields is called with an object, too."""
    assert Data()({}) == Data()("{}") == {}


@pytest.mark.parametrize(
    "value", [{"a": nested(50_000)}, {"a": [0] * 30_000}], ids=["deep", "wide"]
)
def test_data_without_end_is_refused(value: Any) -> None:
    """Before anything looks through it, for which there would be no stack, or no time."""
    with pytest.raises(vol.Invalid, match="is too large"):
        Data()(value)


def test_what_was_sent_stays_as_it_was() -> None:
    """The object is a new one: a caller may send one object twice."""
    sent = {"on": "yes", "level": None}

    assert LAMP(sent) == {"on": True}
    assert sent == {"on": "yes", "level": None}
    assert Data()(sent) is not sent


@pytest.mark.parametrize(
    ("value", "coerced"),
    [
        ({}, {}),
        ({"on": None, "level": None}, {}),
        ({"level": "20"}, {"level": 20}),
        ('{"on": "off", "level": 20.0}', {"on": False, "level": 20}),
    ],
)
def test_members_are_coerced_and_null_is_left_out(
    value: Any, coerced: dict[str, Any]
) -> None:
    """As with the arguments of a tool."""
    assert LAMP(value) == coerced


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"colour": "red"}, ("'colour'", "on, level")),
        ({"On": True}, ("'On'", "on, level")),
        ({"": 1}, ("''", "on, level")),
        ({"x" * 1_000_000: 1}, ("xxx", "on, level")),
        ({"💡" * 10_000: 1}, ("💡", "on, level")),
        ({"\ud83d\x00\n": None}, ("on, level",)),
        ({"level": 256}, ("from 0 to 255",)),
        ({"level": {}}, ("whole number",)),
        ({"on": "perhaps"}, ("true or false",)),
    ],
    ids=lambda value: str(value)[:20].encode("ascii", "replace").decode(),
)
def test_a_wrong_member_is_named(value: Any, words: tuple[str, ...]) -> None:
    """An unknown one with those that there are; null is no excuse for one that there is not."""
    message = refusal(LAMP, value)

    message.encode()
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("value", "target"),
    [
        ({"entity_id": "light.a"}, {"entity_id": ["light.a"]}),
        ({"entity_id": " Light.A , light.b,"}, {"entity_id": ["light.a", "light.b"]}),
        ({"entity_id": ["light.a,light.b", "light.a"]}, {"entity_id": ["light.a", "light.b"]}),
        ({"entity_id": "['light.a', \"light.b\"]"}, {"entity_id": ["light.a", "light.b"]}),
        ('{"area_id": ["Kitchen"], "device_id": null}', {"area_id": ["kitchen"]}),
        (
            {"floor_id": "ground", "label_id": "night, day", "entity_id": None},
            {"floor_id": ["ground"], "label_id": ["night", "day"]},
        ),
        ({"area_id": 7}, {"area_id": ["7"]}),
        ({"entity_id": "all"}, {"entity_id": ["all"]}),
        ({}, {}),
    ],
)  # fmt: skip
def test_targets_are_understood_however_they_are_written(
    value: Any, target: dict[str, list[str]]
) -> None:
    """One id, several in one text, a list, or a list that was written down; each once and in lower case."""
    assert TARGET(value) == target


@pytest.mark.parametrize("member", ["entity_id", "device_id", "area_id", "label_id"])
@pytest.mark.parametrize(
    "value",
    [
        "",
        " , ,",
        [],
        [""],
        [None],
        [[["light.a"]]],
        [{"entity_id": "light.a"}],
        {"entity_id": "light.a"},
        True,
        "," * 1_000_000,
        "light.a," * 100_000,
        [f"light.x{number}" for number in range(501)],
        ["light.a"] * 1_000_000,
        "x" * 300,
        nested(5_000),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_targets_that_name_nothing_or_far_too_much_are_refused(
    member: str, value: Any
) -> None:
    """An empty list is not everything, and not nothing either."""
    refusal(TARGET, {member: value})


def test_a_target_may_have_many_ids() -> None:
    """As many as a large house has of one kind."""
    ids = [f"light.x{number}" for number in range(500)]

    assert TARGET({"entity_id": ids}) == {"entity_id": ids}
    assert TARGET({"entity_id": ",".join(ids)}) == {"entity_id": ids}


@pytest.mark.parametrize("member", ["entity", "area", "ENTITY_ID", "exclude", ""])
def test_a_target_of_another_kind_is_refused(member: str) -> None:
    """It is never dropped in silence: the rest of the target would be all that is left of it."""
    message = refusal(TARGET, {"entity_id": "light.a", member: "light.b"})

    assert "entity_id, device_id, area_id, floor_id, label_id" in message


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(st.characters(codec=None)),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_anything_is_either_a_target_or_refused(value: Any) -> None:
    """Nothing else is raised, and what comes out has lists of names only."""
    for parameter in (TARGET, Data(), LAMP, EntityOf("script")):
        for sent in (value, {"entity_id": value}, json.dumps(value)):
            try:
                result = parameter(sent)
            except vol.Invalid:
                continue
            if parameter is TARGET and isinstance(result, dict):
                names = [name for names in result.values() for name in names]
                assert all(isinstance(name, str) and name for name in names)


@pytest.mark.parametrize(
    ("value", "entity_id"),
    [
        ("script.movie", "script.movie"),
        ("movie", "script.movie"),
        (" Script.Movie\n", "script.movie"),
        ("MOVIE", "script.movie"),
        (7, "script.7"),
        ("script.a.b", "script.a.b"),
        ("film à la carte", "script.film_a_la_carte"),
    ],
)
def test_the_domain_may_be_left_out(value: Any, entity_id: str) -> None:
    """It is said by the tool; whether there is such an entity is asked later."""
    assert EntityOf("script")(value) == entity_id


@pytest.mark.parametrize(
    "value", ["light.movie", "scripts.movie", ".movie", "script .a"]
)
def test_an_entity_of_another_domain_is_refused(value: str) -> None:
    """It would be called as if it were one of these."""
    assert "script" in refusal(EntityOf("script"), value)


@pytest.mark.parametrize(
    "value", ["", " ", None, True, [], ["script.a"], {}, "x" * 256, nested(5_000)]
)
def test_what_is_no_id_is_refused(value: Any) -> None:
    """One id, and nothing else."""
    refusal(EntityOf("script"), value)


def test_schemas_are_plain_objects() -> None:
    """With properties, also where any member is taken; clients refuse what has none."""
    schema = input_schema(
        vol.Schema(
            {
                vol.Optional("data", description="data"): Data(),
                vol.Optional("lamp", description="lamp"): LAMP,
                vol.Optional("target", description="target"): TARGET,
                vol.Optional("script", description="script"): EntityOf("script"),
            }
        )
    )["properties"]

    assert schema["data"] == {"type": "object", "properties": {}, "description": "data"}
    assert schema["lamp"] == {
        "type": "object",
        "properties": {
            "on": {"type": "boolean", "description": "whether it is on"},
            "level": {
                "type": "integer",
                "minimum": 0,
                "maximum": 255,
                "description": "how bright",
            },
        },
        "description": "lamp",
    }
    assert list(schema["target"]["properties"]) == [
        "entity_id",
        "device_id",
        "area_id",
        "floor_id",
        "label_id",
    ]
    for member in schema["target"]["properties"].values():
        assert member.keys() == {"type", "description"}
        assert member["type"] == "string"
    assert schema["script"] == {"type": "string", "description": "script"}


def test_a_schema_is_a_new_one_each_time() -> None:
    """Whoever adds to it changes no other tool."""
    first = TARGET.json_schema
    first["properties"]["entity_id"]["description"] = "changed"

    assert TARGET.json_schema["properties"]["entity_id"]["description"] != "changed"


def test_one_type_may_stand_inside_another() -> None:
    """An object in an object, with the names of both in lower case as their types say."""
    inner = Fields({"who": ("who", Name())})
    outer = Fields({"inner": ("inner", inner)})

    assert outer('{"inner": {"who": "ANNA"}}') == {"inner": {"who": "anna"}}
    assert outer({"inner": '{"who": "ANNA"}'}) == {"inner": {"who": "anna"}}
