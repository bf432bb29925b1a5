"""Tools of the everything server that answer by themselves, or ask while the call is running.

Names and behaviour are those that the scenarios of the conformance suite describe.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
import warnings

from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp.shared.message import ServerMessageMetadata
import mcp_types as types

from custom_components.mcp_bridge.protocol.server import Context

from .everything_media import audio, embedded, image, text

type ToolResult = types.CallToolResult | types.InputRequiredResult
type ToolFunction = Callable[
    [Context, types.CallToolRequestParams], Awaitable[ToolResult]
]

# Seconds between the notifications of one call.
_PAUSE = 0.05


@dataclass(frozen=True, kw_only=True)
class FixtureTool:
    """A tool and what it does."""

    run: ToolFunction
    schema: dict[str, Any] = field(default_factory=lambda: {"type": "object"})


def result(
    *content: types.ContentBlock, is_error: bool = False
) -> types.CallToolResult:
    """Return a finished result."""
    return types.CallToolResult(content=list(content), is_error=is_error)


def _constant(*content: types.ContentBlock, is_error: bool = False) -> FixtureTool:
    async def run(ctx: Context, params: types.CallToolRequestParams) -> ToolResult:
        return result(*content, is_error=is_error)

    return FixtureTool(run=run)


async def _log(ctx: Context, message: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        await ctx.session.send_log_message(
            "info", message, related_request_id=ctx.request_id
        )


async def _log_three_times(
    ctx: Context, params: types.CallToolRequestParams
) -> ToolResult:
    await _log(ctx, "Tool execution started")
    await asyncio.sleep(_PAUSE)
    await _log(ctx, "Tool processing data")
    await asyncio.sleep(_PAUSE)
    await _log(ctx, "Tool execution completed")
    return result(text("Three messages were logged."))


async def _report_progress(
    ctx: Context, params: types.CallToolRequestParams
) -> ToolResult:
    for done in (0, 50, 100):
        await ctx.session.report_progress(done, 100)
        await asyncio.sleep(_PAUSE)
    return result(text("Progress was reported three times."))


async def _reconnect(ctx: Context, params: types.CallToolRequestParams) -> ToolResult:
    """Close the stream in the middle of the call, where there is something to resume it from."""
    if ctx.close_sse_stream is not None:
        await ctx.close_sse_stream()
    await asyncio.sleep(_PAUSE)
    return result(text("The call went on while the stream was closed."))


async def _sample(ctx: Context, params: types.CallToolRequestParams) -> ToolResult:
    prompt = (params.arguments or {})["prompt"]
    answer = await ctx.session.send_request(
        types.CreateMessageRequest(
            params=types.CreateMessageRequestParams(
                messages=[types.SamplingMessage(role="user", content=text(prompt))],
                max_tokens=100,
            )
        ),
        types.CreateMessageResult,
        metadata=ServerMessageMetadata(related_request_id=ctx.request_id),
    )
    return result(text(f"LLM response: {answer.content}"))


async def _ask(ctx: Context, message: str, properties: dict[str, Any]) -> ToolResult:
    answer = await ctx.session.elicit_form(
        message,
        {"type": "object", "properties": properties},
        related_request_id=ctx.request_id,
    )
    return result(
        text(f"Elicitation completed: action={answer.action}, content={answer.content}")
    )


async def _elicit(ctx: Context, params: types.CallToolRequestParams) -> ToolResult:
    properties = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    return await _ask(ctx, (params.arguments or {})["message"], properties)


async def _elicit_defaults(
    ctx: Context, params: types.CallToolRequestParams
) -> ToolResult:
    states = ["active", "inactive", "pending"]
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": states, "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _ask(ctx, "Look at what is filled in", properties)


async def _elicit_choices(
    ctx: Context, params: types.CallToolRequestParams
) -> ToolResult:
    plain = {"type": "string", "enum": ["option1", "option2", "option3"]}
    titled = [
        {"const": "value1", "title": "First"},
        {"const": "value2", "title": "Second"},
        {"const": "value3", "title": "Third"},
    ]
    properties = {
        "untitledSingle": plain,
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["One", "Two", "Three"],
        },
        "untitledMulti": {"type": "array", "items": plain},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _ask(ctx, "Choose", properties)


async def _need_sampling(
    ctx: Context, params: types.CallToolRequestParams
) -> ToolResult:
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        raise MCPError(
            types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This tool needs sampling",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return result(text("The client can sample."))


def _text_argument(name: str, **more: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string", **more}},
        "required": [name],
    }


# Every keyword in here has to reach the client.
_JSON_SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {
        "properties": {"contactMethod": {"const": "phone"}},
        "required": ["contactMethod"],
    },
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

TOOLS = {
    "test_simple_text": _constant(text("This is a simple text response for testing.")),
    "test_image_content": _constant(image()),
    "test_audio_content": _constant(audio()),
    "test_embedded_resource": _constant(
        embedded("test://embedded-resource", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": _constant(
        text("Multiple content types test:"),
        image(),
        embedded(
            "test://mixed-content-resource",
            '{"test":"data","value":123}',
            "application/json",
        ),
    ),
    "test_error_handling": _constant(
        text("This tool intentionally returns an error for testing"), is_error=True
    ),
    "test_tool_with_logging": FixtureTool(run=_log_three_times),
    "test_logging_tool": FixtureTool(run=_log_three_times),
    "test_tool_with_progress": FixtureTool(run=_report_progress),
    "test_reconnection": FixtureTool(run=_reconnect),
    "test_sampling": FixtureTool(run=_sample, schema=_text_argument("prompt")),
    "test_elicitation": FixtureTool(run=_elicit, schema=_text_argument("message")),
    "test_elicitation_sep1034_defaults": FixtureTool(run=_elicit_defaults),
    "test_elicitation_sep1330_enums": FixtureTool(run=_elicit_choices),
    "test_missing_capability": FixtureTool(run=_need_sampling),
    "test_x_mcp_header": FixtureTool(
        run=_constant(text("The header matches.")).run,
        schema=_text_argument("region", **{"x-mcp-header": "Region"}),
    ),
    "json_schema_2020_12_tool": FixtureTool(
        run=_constant(text("The arguments match.")).run, schema=_JSON_SCHEMA_2020_12
    ),
}
