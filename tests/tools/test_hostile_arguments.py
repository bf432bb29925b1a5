"""Arguments of all kinds, for every tool: a good answer or one clear error, never a failure."""

from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from custom_components.mcp_bridge.tools import all_tools
from custom_components.mcp_bridge.tools.declaration import Tool
from tests.conftest import CallTool

from .checks import ERROR_BYTES, assert_quiet, refused, well_formed
from .odd_values import nested

TOOLS = {tool.name: tool for tool in all_tools()}
PARAMETERS = [
    pytest.param(tool, name, id=f"{tool.name}-{name}")
    for tool in TOOLS.values()
    for name in tool.input_schema["properties"]
]
each_parameter = pytest.mark.parametrize(("tool", "parameter"), PARAMETERS)

# A good value for what a tool needs.
NEEDED = {"query": "kitchen", "entity_id": "light.dining", "section": "config"}

EMPTY: list[Any] = ["", "   ", "\t\n", [], {}]
ODD: dict[str, Any] = {
    "megabyte": "x" * 1_000_000,
    "wide megabyte": "🏠" * 250_000,
    "many": ["light.x"] * 100_000,
    "many different": [f"light.x{number}" for number in range(100_000)],
    "commas": "," * 1_000_000,
    "ids": "light.x," * 100_000,
    "deep list": nested(5_000),
    "deep text": "[" * 100_000,
    "object": {"a": {"b": [1, {"c": None}]}},
    "true": True,
    "nan": float("nan"),
    "infinity": float("inf"),
    "huge": 10**400,
    "negative": -1,
    "fraction": 0.5,
    "list of lists": [["light.x"], ["light.y"]],
    "list of null": [None],
    "list of objects": [{"entity_id": "light.x"}],
    "emoji": "💡🏠",
    "right to left": "\u202elight.x\u202c",
    "surrogate": "\ud83d",
    "control": "\x00\x1b[31m\r\n",
    "quotes": "';\"`$(reboot){{ states }}",
    "path": "../../secrets.yaml",
    "template": "{{ states('lock.vault') }}",
    "glob": "*",
    "pattern": "(a+)+$",
    "other domain": "notify.nobody",
    "markup": "<script>alert(1)</script>",
}


def needed(tool: Tool) -> dict[str, Any]:
    """Return good values for the arguments that a tool needs."""
    return {name: NEEDED[name] for name in tool.input_schema.get("required", [])}


def json_objects(tool: Tool) -> st.SearchStrategy[Any]:
    """Return argument objects, most of them with the right names, some of them good."""
    texts = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(
        (
            "kitchen",
            "light.dining",
            "light.dining,sensor.soil",
            "on",
            ">20",
            "20",
            "true",
            "config",
            "light",
            "name,state",
            "!=off",
            "Buro",
            "lock.vault",
            " Light.Kitchen ",
        )
    )
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | texts,
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3)
        ),
        max_leaves=6,
    )
    known = st.fixed_dictionaries(
        {}, optional=dict.fromkeys(tool.input_schema["properties"], texts | values)
    )
    return (
        known
        | known.map(lambda arguments: {**needed(tool), **arguments})
        | st.dictionaries(texts, values, max_size=3)
        | values
    )


@each_parameter
async def test_nothing_is_no_value(
    bridge: Bridge,
    caller: Caller,
    caplog: pytest.LogCaptureFixture,
    tool: Tool,
    parameter: str,
) -> None:
    """An empty value is refused by the name of its argument; it never means everything."""
    for value in EMPTY:
        arguments = {**needed(tool), parameter: value}
        answer = await bridge.registry.call(tool.name, arguments, caller)
        refused(answer, "invalid_arguments", f"'{parameter}'")
    assert_quiet(caplog)


@each_parameter
async def test_null_is_an_argument_that_was_left_out(
    bridge: Bridge, caller: Caller, tool: Tool, parameter: str
) -> None:
    """Clients that send every argument are served like the others."""
    given_null = await bridge.registry.call(
        tool.name, {**needed(tool), parameter: None}, caller
    )

    if parameter in tool.input_schema.get("required", []):
        refused(given_null, "invalid_arguments", f"'{parameter}' is missing")
    else:
        assert given_null == await bridge.registry.call(tool.name, needed(tool), caller)


@each_parameter
async def test_an_odd_value_is_answered_or_refused_in_a_few_words(
    bridge: Bridge,
    caller: Caller,
    caplog: pytest.LogCaptureFixture,
    tool: Tool,
    parameter: str,
) -> None:
    """Nothing of it reaches the log, and no error is long."""
    for kind, value in ODD.items():
        arguments = {**needed(tool), parameter: value}
        answer = await bridge.registry.call(tool.name, arguments, caller)

        well_formed(answer)
        if answer.is_error:
            code = answer.data["error"]["code"]
            assert code in ("invalid_arguments", "not_found"), (kind, answer.text[:500])
            assert len(answer.text.encode()) < ERROR_BYTES, (kind, answer.text[:500])
            if code == "invalid_arguments":
                assert parameter in answer.text, (kind, answer.text)
    assert_quiet(caplog)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
async def test_arguments_that_are_no_object_are_refused(
    bridge: Bridge, caller: Caller, tool: Tool
) -> None:
    """Whatever tool they are for."""
    arguments: list[Any] = ["light.dining", ["a"], 7, True, 1.5, nested(5_000)]
    for argument in arguments:
        answer = await bridge.registry.call(tool.name, argument, caller)
        refused(answer, "invalid_arguments", "object")


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
async def test_an_argument_that_a_tool_does_not_know_is_named(
    bridge: Bridge, caller: Caller, caplog: pytest.LogCaptureFixture, tool: Tool
) -> None:
    """It is never dropped in silence: a filter that is not applied would give wrong answers."""
    for unknown in ("x", "💡", "\u202e", "a" * 100_000, "__proto__", "limit_", ""):
        answer = await bridge.registry.call(
            tool.name, {**needed(tool), unknown: 1}, caller
        )
        refused(answer, "invalid_arguments", "no argument")
    assert_quiet(caplog)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
async def test_no_arguments_make_a_tool_fail(
    bridge: Bridge, caller: Caller, name: str, data: st.DataObject
) -> None:
    """There is always an answer, it can be sent, and an error is never our own fault."""
    arguments = data.draw(json_objects(TOOLS[name]))

    well_formed(await bridge.registry.call(name, arguments, caller))


@pytest.mark.parametrize(
    "entity_id",
    [
        "Light.Dining",
        " light.dining ",
        "LIGHT.DINING\n",
        "['light.dining']",
        ["light.dining"],
    ],
)
async def test_an_id_is_understood_however_it_is_written(
    call_tool: CallTool, entity_id: Any
) -> None:
    """In capitals, with blanks around it, or as a list of one."""
    assert (await call_tool("ha_get_entity", entity_id=entity_id)).data[
        "entity_id"
    ] == "light.dining"
