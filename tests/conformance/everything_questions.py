"""Tools of the everything server that ask by ending the call: the client repeats it with its answers (2026-07-28)."""

from collections.abc import Mapping
from typing import Any

import mcp_types as types

from custom_components.mcp_bridge.protocol.server import Context

from .everything_media import text
from .everything_tools import FixtureTool, ToolResult, result

type Request = types.ElicitRequest | types.CreateMessageRequest | types.ListRootsRequest


def form(message: str, name: str, kind: str = "string") -> types.ElicitRequest:
    """Return a question with one field."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind}},
        "required": [name],
    }
    return types.ElicitRequest(
        params=types.ElicitRequestFormParams(message=message, requested_schema=schema)
    )


def _sampling(prompt: str, max_tokens: int) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=text(prompt))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(
            messages=[message], max_tokens=max_tokens
        )
    )


def _roots() -> types.ListRootsRequest:
    return types.ListRootsRequest(params=types.RequestParams())


def ask(
    questions: Mapping[str, Request], state: str | None = None
) -> types.InputRequiredResult:
    """Return the questions as the result of this round."""
    return types.InputRequiredResult(
        input_requests=dict(questions), request_state=state
    )


def has_answers(params: Any, *names: str) -> bool:
    """Tell whether all these questions have been answered; what else was sent does not matter."""
    return set(names) <= (params.input_responses or {}).keys()


def _once(questions: Mapping[str, Request], state: str | None = None) -> FixtureTool:
    """Return a tool that asks until everything is answered, with the state that it gave out."""

    async def run(ctx: Context, params: types.CallToolRequestParams) -> ToolResult:
        if not has_answers(params, *questions) or params.request_state != state:
            return ask(questions, state)
        return result(text(f"state-ok, answered: {params.input_responses}"))

    return FixtureTool(run=run)


async def _two_rounds(ctx: Context, params: types.CallToolRequestParams) -> ToolResult:
    if params.request_state == "named" and has_answers(params, "step2"):
        return result(text("Both steps were answered."))
    if params.request_state == "started" and has_answers(params, "step1"):
        question = form("Step 2: What is your favorite color?", "color")
        return ask({"step2": question}, "named")
    return ask({"step1": form("Step 1: What is your name?", "name")}, "started")


async def _what_the_client_can(
    ctx: Context, params: types.CallToolRequestParams
) -> ToolResult:
    capabilities = ctx.session.client_capabilities or types.ClientCapabilities()
    questions: dict[str, Request] = {}
    if capabilities.sampling is not None:
        questions["thought"] = _sampling("Think of a number", 50)
    if capabilities.elicitation is not None:
        questions["number"] = form("Which number?", "number", "integer")
    return ask(questions) if questions else result(text("The client cannot be asked."))


async def _stream_then_ask(
    ctx: Context, params: types.CallToolRequestParams
) -> ToolResult:
    """Ask after a notification, so that there is a stream on which nothing may be asked."""
    await ctx.session.report_progress(1, 2)
    return ask({"user_name": _NAME})


_NAME = form("What is your name?", "name")
_CONFIRM = form("Please confirm", "ok", "boolean")

QUESTION_TOOLS = {
    "test_streaming_elicitation": FixtureTool(run=_stream_then_ask),
    "test_input_required_result_elicitation": _once({"user_name": _NAME}),
    "test_input_required_result_sampling": _once(
        {"capital_question": _sampling("What is the capital of France?", 100)}
    ),
    "test_input_required_result_list_roots": _once({"client_roots": _roots()}),
    "test_input_required_result_request_state": _once({"confirm": _CONFIRM}, "asked"),
    "test_input_required_result_tampered_state": _once({"confirm": _CONFIRM}, "asked"),
    "test_input_required_result_multiple_inputs": _once(
        {
            "user_name": _NAME,
            "greeting": _sampling("Generate a greeting", 50),
            "client_roots": _roots(),
        },
        "asked",
    ),
    "test_input_required_result_multi_round": FixtureTool(run=_two_rounds),
    "test_input_required_result_capabilities": FixtureTool(run=_what_the_client_can),
}
