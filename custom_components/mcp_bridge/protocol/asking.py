"""Questions to the person in front of the client (elicitation), in both eras of MCP.

With a session the question goes out while the call waits. Since 2026-07-28 the call ends with the question, and the
client makes it again with the answer and the ticket that came with the question.
"""

import asyncio
from typing import Any

from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from ..access.guard.attempt import Asker, AskFirst, CannotAsk, Question, Reply

type _Context = ServerRequestContext[Any, Any]

_KEY = "confirm"
_FORM: types.ElicitRequestedSchema = {
    "type": "object",
    "properties": {
        _KEY: {"type": "boolean", "title": "Yes, do it", "default": False},
    },
    "required": [_KEY],
}


def asker_of(ctx: _Context, params: types.CallToolRequestParams) -> Asker | None:
    """Return the client as one that can ask its user; None if it cannot."""
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    # One that names neither form nor URL means forms.
    if elicitation is None or (
        elicitation.form is None and elicitation.url is not None
    ):
        return None
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return _AskingAgain(params)
    assert ctx.request is not None
    if not ctx.session.can_send_request or not ctx.request.scope["state"]["streams"]:
        return None
    return _AskingMeanwhile(ctx)


def input_required(question: Question) -> types.InputRequiredResult:
    """Return the result that makes a client ask and call again."""
    request = types.ElicitRequest(
        params=types.ElicitRequestFormParams(
            message=question.message, requested_schema=_FORM
        )
    )
    return types.InputRequiredResult(
        input_requests={_KEY: request}, request_state=question.ticket
    )


class _AskingAgain:
    """A client of 2026-07-28."""

    def __init__(self, params: types.CallToolRequestParams) -> None:
        """Look whether this call brings an answer."""
        self.answered: tuple[str, Reply] | None = None
        responses = params.input_responses or {}
        if params.request_state is not None and _KEY in responses:
            self.answered = params.request_state, _reply(responses[_KEY])

    async def ask(self, question: Question, seconds: float) -> Reply:
        """End the call with the question."""
        raise AskFirst(question)


class _AskingMeanwhile:
    """A client with a session, which is asked while the call waits."""

    answered: tuple[str, Reply] | None = None

    def __init__(self, ctx: _Context) -> None:
        """Hold the session."""
        self._ctx = ctx

    async def ask(self, question: Question, seconds: float) -> Reply:
        """Ask on the stream of this very call."""
        try:
            async with asyncio.timeout(seconds):
                result = await self._ctx.session.elicit_form(
                    question.message, _FORM, related_request_id=self._ctx.request_id
                )
        except TimeoutError:
            return Reply.TIMED_OUT
        except MCPError as err:
            # It said that it can, and cannot.
            raise CannotAsk from err
        return _reply(result)


def _reply(response: Any) -> Reply:
    """Return what an answer means: only an explicit yes is one."""
    if not isinstance(response, types.ElicitResult) or response.action == "cancel":
        return Reply.CANCELLED
    if response.action == "accept" and (response.content or {}).get(_KEY) is True:
        return Reply.ACCEPTED
    return Reply.DECLINED
