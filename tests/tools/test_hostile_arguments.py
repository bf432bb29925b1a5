"""Arguments of all kinds, for every tool: a good answer or one clear error, never a failure."""

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.mcp_bridge.access.guard import execution
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.errors import ErrorCode
from custom_components.mcp_bridge.models import Caller, Kind
from custom_components.mcp_bridge.tools import all_tools
from custom_components.mcp_bridge.tools.declaration import DRY_RUN, Tool
from custom_components.mcp_bridge.tools.registry import Answer
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

from .checks import CODES, ERROR_BYTES, assert_quiet, refused, well_formed
from .furniture import House, equip, furnish
from .odd_values import nested

TOOLS = {tool.name: tool for tool in all_tools()}
each_tool = pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)

# Good values for what tools need.
NEEDED: Mapping[str, Any] = {
    "query": "kitchen",
    "entity_id": "light.dining",
    "name": "Odd",
    "service": "homeassistant.update_entity",
    "enabled": True,
    "change_id": "01abc",
    "changes": {"icon": "mdi:door"},
}
# Good values for single tools, where those above would not do.
NEEDED_BY: Mapping[str, Mapping[str, Any]] = {
    "ha_call_service": {
        "service": "input_boolean.turn_on",
        "target": {"entity_id": "input_boolean.guests"},
    },
    "ha_run_script": {"entity_id": "script.movie_night"},
    "ha_trigger_automation": {"entity_id": "automation.good_night"},
    "ha_set_automation": {"entity_id": "automation.good_night", "enabled": True},
    "ha_get_camera_snapshot": {"entity_id": "camera.front"},
    "ha_update_helper": {
        "entity_id": "input_boolean.guests",
        "changes": {"icon": "mdi:door"},
    },
    "ha_delete_helper": {"entity_id": "input_boolean.guests"},
    "ha_manage_todo": {"entity_id": "todo.shopping"},
}
# What becomes of an odd value that a tool only reads by; whoever acts may be refused for any reason.
ANSWERED_BY_READS = {ErrorCode.INVALID_ARGUMENTS, ErrorCode.NOT_FOUND}
ANSWERED_BY_ACTS = {ErrorCode(code) for code in CODES} - {
    ErrorCode.INTERNAL,
    ErrorCode.TIMEOUT,
}

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


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Everything there is may be used, as often as one likes."""
    return {
        "allow_write": True,
        "allow_config_write": True,
        "allow_camera": True,
        "allow_raw_api": True,
        "writes_per_minute": 1_000_000,
        "notifications_per_minute": 1_000_000,
        "announcements_per_minute": 1_000_000,
    }


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> House:
    """Furnish the house with something for every tool; nobody waits for furniture without a motor to move."""
    monkeypatch.setattr(execution, "SETTLE_SECONDS", 0.0)
    house = furnish(hass)
    await equip(hass)
    for entity_id in ("camera.front", "todo.shopping"):
        hass.states.async_set(entity_id, "0")
    return house


def acts(tool: Tool) -> bool:
    """Tell whether a tool does more than tell what Home Assistant knows."""
    return tool.kind is not Kind.READ


def needed(tool: Tool) -> dict[str, Any]:
    """Return good values for the arguments that a tool needs."""
    own = NEEDED_BY.get(tool.name, {})
    return {**{name: _needed(tool, name) for name in required(tool)}, **own}


def _needed(tool: Tool, parameter: str) -> Any:
    if parameter in NEEDED:
        return NEEDED[parameter]
    schema = tool.input_schema["properties"][parameter]
    return schema.get("enum", ["odd"])[0]


def required(tool: Tool) -> list[str]:
    """Return the names of the arguments that a tool cannot do without."""
    names: list[str] = tool.input_schema.get("required", [])
    return names


def answered(tool: Tool, parameter: str, kind: str, answer: Answer) -> None:
    """Check the answer to an odd value: it is well formed, and an error is short and of the kinds that may come of it."""
    well_formed(answer)
    if not answer.is_error:
        return
    where = (tool.name, parameter, kind, answer.text[:500])
    code = ErrorCode(answer.data["error"]["code"])
    assert code in (ANSWERED_BY_ACTS if acts(tool) else ANSWERED_BY_READS), where
    assert len(answer.text.encode()) < ERROR_BYTES, where
    if code is ErrorCode.INVALID_ARGUMENTS and not acts(tool):
        assert parameter in answer.text, where


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
            "input_boolean.guests",
            "script.movie_night",
            "automation.good_night",
            "input_boolean.turn_off",
            "homeassistant.turn_on",
            "persistent_notification",
            '{"entity_id": "input_boolean.guests"}',
            '{"area_id": "kitchen"}',
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


async def test_every_tool_is_there_to_be_tried(bridge: Bridge, caller: Caller) -> None:
    """Else the tests below would prove nothing for those that are missing; and what they start from is good."""
    assert bridge.registry.offered(caller) == list(TOOLS.values())
    for tool in TOOLS.values():
        answer = await bridge.registry.call(tool.name, needed(tool), caller)
        well_formed(answer)
        assert "The argument" not in answer.text


@each_tool
async def test_nothing_is_no_value(
    bridge: Bridge, caller: Caller, caplog: pytest.LogCaptureFixture, tool: Tool
) -> None:
    """An empty value is refused by the name of its argument; it never means everything."""
    for parameter, schema in tool.input_schema["properties"].items():
        for value in EMPTY:
            if value == {} and schema["type"] == "object":
                continue
            arguments = {**needed(tool), parameter: value}
            answer = await bridge.registry.call(tool.name, arguments, caller)
            refused(answer, "invalid_arguments", f"'{parameter}'")
    assert_quiet(caplog)


@each_tool
async def test_null_is_an_argument_that_was_left_out(
    bridge: Bridge, caller: Caller, tool: Tool
) -> None:
    """Clients that send every argument are served like the others."""
    trying = {DRY_RUN: True} if tool.acts else {}
    for parameter in tool.input_schema["properties"].keys() - trying.keys():
        arguments = {**needed(tool), **trying}
        arguments.pop(parameter, None)
        given_null = await bridge.registry.call(
            tool.name, {**arguments, parameter: None}, caller
        )

        if parameter in required(tool):
            refused(given_null, "invalid_arguments", f"'{parameter}' is missing")
        else:
            left_out = await bridge.registry.call(tool.name, arguments, caller)
            assert given_null == left_out, parameter


@each_tool
async def test_an_odd_value_is_answered_or_refused_in_a_few_words(
    bridge: Bridge, caller: Caller, caplog: pytest.LogCaptureFixture, tool: Tool
) -> None:
    """Nothing of it reaches the log, and no error is long."""
    for parameter in tool.input_schema["properties"]:
        for kind, value in ODD.items():
            arguments = {**needed(tool), parameter: value}
            answer = await bridge.registry.call(tool.name, arguments, caller)
            answered(tool, parameter, kind, answer)
    assert_quiet(caplog)


@each_tool
async def test_arguments_that_are_no_object_are_refused(
    bridge: Bridge, caller: Caller, tool: Tool
) -> None:
    """Whatever tool they are for."""
    arguments: list[Any] = ["light.dining", ["a"], 7, True, 1.5, nested(5_000)]
    for argument in arguments:
        answer = await bridge.registry.call(tool.name, argument, caller)
        refused(answer, "invalid_arguments", "object")


@each_tool
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
