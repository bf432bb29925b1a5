"""The house rules for schemas: what every MCP client accepts. One tool that breaks them disables all of them."""

from collections.abc import Iterator
import json
import re
from typing import Any

import pytest

from custom_components.mcp_bridge.models import Kind
from custom_components.mcp_bridge.protocol.server import wire_tool
from custom_components.mcp_bridge.tools import all_tools
from custom_components.mcp_bridge.tools.declaration import CONFIRM_TOKEN, DRY_RUN, Tool

# Everything a schema may say. What is not here, some client refuses: combinators, $ref, const, format, pattern,
# default, exclusive bounds, $schema, additionalProperties, nullable …
ROOT_KEYS = {"type", "properties", "required"}
PROPERTY_KEYS = {
    "string": {"type", "description", "enum"},
    "integer": {"type", "description", "minimum", "maximum"},
    "number": {"type", "description", "minimum", "maximum"},
    "boolean": {"type", "description"},
    "array": {"type", "description", "items", "maxItems"},
    "object": {"type", "description", "properties", "required"},
}
MOST_TOOLS = 60
MOST_TOKENS = 2_000
MOST_TOKENS_WRITE = 400
MOST_TOKENS_READ_ONLY = 8_000
MOST_TOKENS_EVERYTHING = 16_000

TOOLS = list(all_tools())
ACTING = [
    tool for tool in TOOLS if tool.kind in (Kind.WRITE, Kind.CONFIG_WRITE, Kind.RAW)
]
LOOKING = [tool for tool in TOOLS if tool not in ACTING]


def each(tools: list[Tool]) -> pytest.MarkDecorator:
    """Run a test for each of some tools."""
    return pytest.mark.parametrize("tool", tools, ids=lambda tool: tool.name)


each_tool = each(TOOLS)


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations() -> None:
    """Nothing here needs Home Assistant to run."""


def tokens(data: Any) -> float:
    """Return about how many tokens a model reads."""
    return len(json.dumps(data, ensure_ascii=False).encode()) / 4


def offences(schema: dict[str, Any], where: str) -> Iterator[str]:
    """Yield what a schema below the root says that some client does not accept."""
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in PROPERTY_KEYS:
        yield f"{where}: no single type, but {kind!r}"
        return
    yield from (f"{where}: {key}" for key in schema.keys() - PROPERTY_KEYS[kind])
    if "enum" in schema and not all(
        isinstance(word, str) and word for word in schema["enum"] or [None]
    ):
        yield f"{where}: enum of something other than words"
    if kind == "array":
        yield from offences(schema.get("items") or {}, f"{where}[]")
    if kind == "object":
        if "properties" not in schema or not schema.get("description"):
            yield f"{where}: object without properties or description"
        for name, inner in schema.get("properties", {}).items():
            yield from offences(inner, f"{where}.{name}")


def test_there_are_tools_and_not_too_many() -> None:
    """Clients hide or refuse what goes over their limit."""
    assert 0 < len(TOOLS) <= MOST_TOOLS
    assert len({tool.name for tool in TOOLS}) == len(TOOLS)
    assert len({tool.title for tool in TOOLS}) == len(TOOLS)


@each_tool
def test_names_fit_every_client(tool: Tool) -> None:
    """Short enough to stand behind the name of the server."""
    assert re.fullmatch(r"[a-z][a-z0-9_]{2,39}", tool.name)


@each_tool
def test_the_root_is_a_plain_object(tool: Tool) -> None:
    """With properties also where there are none, and no alternative forms."""
    schema = tool.input_schema

    assert schema["type"] == "object"
    assert isinstance(schema["properties"], dict)
    assert schema.keys() <= ROOT_KEYS
    assert all(name in schema["properties"] for name in schema.get("required", []))
    assert "required" not in schema or schema["required"]


@each_tool
def test_every_property_is_plain(tool: Tool) -> None:
    """One scalar type, typed items, and no keyword beyond the few that all clients know."""
    properties = tool.input_schema["properties"]

    assert [
        offence
        for name, schema in properties.items()
        for offence in offences(schema, name)
    ] == []


@each_tool
def test_every_property_has_a_plain_name_and_a_description(tool: Tool) -> None:
    """A model chooses arguments by what is written there."""
    for name, schema in tool.input_schema["properties"].items():
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name)
        assert schema["description"].strip(), name


@each_tool
def test_every_tool_is_described(tool: Tool) -> None:
    """In plain text, with a title for people."""
    assert tool.title.strip()
    assert tool.description.strip().endswith(".")
    assert tool.description.isprintable()
    assert len(tool.title) <= 40


@each(LOOKING)
def test_tools_that_look_say_that_they_only_read(tool: Tool) -> None:
    """And nothing else, so that clients need not ask."""
    assert tool.kind in (Kind.READ, Kind.CAMERA)
    assert tool.annotations == {"readOnlyHint": True}


@each(ACTING)
def test_tools_that_act_say_so_in_full(tool: Tool) -> None:
    """What is left out counts as the worst, and a client that shows it would frighten people."""
    assert list(tool.annotations) == [
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
    ]
    assert all(isinstance(hint, bool) for hint in tool.annotations.values())
    assert tool.annotations["readOnlyHint"] is False


@each_tool
def test_a_change_can_be_tried_and_confirmed(tool: Tool) -> None:
    """By the same two arguments, which stand behind all others; who only looks has nothing to try."""
    names = list(tool.input_schema["properties"])
    both = [DRY_RUN, CONFIRM_TOKEN]

    if tool.kind in (Kind.WRITE, Kind.CONFIG_WRITE):
        assert names[-2:] == both
        assert not set(both) & set(tool.input_schema.get("required", []))
    else:
        assert not set(both) & set(names)


@each_tool
def test_no_output_schema_is_promised(tool: Tool) -> None:
    """An answer that does not meet one is refused by clients, errors included."""
    assert not hasattr(tool, "output_schema")


@each_tool
def test_each_tool_is_small(tool: Tool) -> None:
    """One large tool is enough for some clients to refuse them all."""
    assert tokens(wire_tool(tool)) < MOST_TOKENS


@each(ACTING)
def test_each_tool_that_acts_is_smaller_still(tool: Tool) -> None:
    """There are many of them."""
    assert tokens(wire_tool(tool)) < MOST_TOKENS_WRITE


def test_the_whole_list_is_not_too_large() -> None:
    """Some clients refuse a server with more."""
    assert tokens({"tools": list(map(wire_tool, TOOLS))}) < MOST_TOKENS_EVERYTHING


def test_the_read_only_list_is_small() -> None:
    """It is in the context of every conversation."""
    tools = [wire_tool(tool) for tool in TOOLS if tool.kind is Kind.READ]

    assert tokens({"tools": tools}) < MOST_TOKENS_READ_ONLY


@each_tool
def test_a_schema_is_the_same_each_time(tool: Tool) -> None:
    """Clients compare lists to see what has changed."""
    again = next(other for other in all_tools() if other.name == tool.name)

    assert json.dumps(again.input_schema) == json.dumps(tool.input_schema)
    for name, schema in tool.input_schema["properties"].items():
        others = {
            key: value
            for key, value in tool.input_schema["properties"].items()
            if key != name
        }
        assert all(schema is not other for other in others.values())


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}]},
        {"type": "string", "format": "date"},
        {"type": "string", "enum": [""]},
        {"type": "string", "enum": []},
        {"type": "string", "pattern": "a"},
        {"type": "integer", "exclusiveMinimum": 0},
        {"type": "integer", "default": 0},
        {"type": "array"},
        {"type": "array", "items": {}},
        {"type": "array", "items": {"type": "object"}},
        {"type": "object", "description": "a", "properties": {"b": {"const": 1}}},
        {
            "type": "object",
            "description": "a",
            "properties": {},
            "additionalProperties": False,
        },
    ],
    ids=str,
)
def test_the_rules_find_what_clients_refuse(schema: dict[str, Any]) -> None:
    """Else the rules would prove nothing."""
    assert list(offences(schema, "a"))
