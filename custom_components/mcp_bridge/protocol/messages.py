"""JSON-RPC messages as they come over HTTP: checked before the SDK sees them.

So errors are short and clear, and no message costs more than it may: what a message costs to read grows with its parts
rather than its bytes, and some messages are kept for as long as a session or a stream.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from aiohttp import web
import mcp_types as types

from homeassistant.util.json import JSON_DECODE_EXCEPTIONS, json_loads

# Commas and brackets in a body: a hundred times what any tool takes, and a few milliseconds of work.
_MOST_PARTS = 20_000
# Bytes of the messages that the SDK keeps: the handshake of a session, and what a client listens to.
_KEPT_BYTES = 64 * 1024
_KEPT_METHODS = frozenset(("initialize", "subscriptions/listen"))
# Characters of an id or a method, which are given back in errors.
_LONGEST_NAME = 256
# The notifications of clients that mean anything here. The SDK complains in the log about any other that is malformed.
_NOTIFICATIONS = frozenset(("notifications/initialized", "notifications/cancelled"))
# Members of a request's _meta that ask for notifications before the answer.
_NOTIFYING_KEYS = frozenset(("progressToken", types.LOG_LEVEL_META_KEY))


class Refused(Exception):
    """A request that is not served; `response` says why, with a JSON-RPC error, which is what MCP clients can show."""

    def __init__(
        self,
        status: HTTPStatus,
        message: str,
        code: int = types.INVALID_REQUEST,
        *,
        data: Mapping[str, Any] | None = None,
        request_id: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Put the response together."""
        super().__init__(message)
        error: dict[str, Any] = {"code": code, "message": message}
        if data is not None:
            error["data"] = data
        body = {"jsonrpc": "2.0", "id": request_id, "error": error}
        self.response = web.json_response(body, status=status, headers=headers)


def read_message(body: bytes) -> Mapping[str, Any]:
    """Return the one JSON-RPC message in a body, or raise Refused."""
    if body.count(b",") + body.count(b"[") + body.count(b"{") > _MOST_PARTS:
        raise Refused(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The message has too many parts"
        )
    try:
        message = json_loads(body)
    except JSON_DECODE_EXCEPTIONS:
        raise _bad("The body is not valid JSON", types.PARSE_ERROR) from None
    if isinstance(message, list):
        raise _bad("Batches are not supported: send one message at a time")
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise _bad("The body must be one JSON-RPC 2.0 message")
    _check_members(message)
    if message.get("method") in _KEPT_METHODS and len(body) > _KEPT_BYTES:
        raise Refused(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            "The message is too large",
            request_id=message.get("id"),
        )
    return message


def _check_members(message: Mapping[str, Any]) -> None:
    identifier = message.get("id", 0)
    if isinstance(identifier, bool) or not isinstance(identifier, str | int):
        raise _bad("'id' must be a string or a whole number")
    if isinstance(identifier, str) and len(identifier) > _LONGEST_NAME:
        raise _bad("'id' is too long")
    if not isinstance(message.get("params", {}), dict):
        raise _bad("'params' must be an object", types.INVALID_PARAMS)
    if "method" in message:
        if (
            not isinstance(message["method"], str)
            or len(message["method"]) > _LONGEST_NAME
        ):
            raise _bad("'method' must be a string of at most 256 characters")
    elif "id" not in message or not ("result" in message or "error" in message):
        raise _bad("The message has no 'method'")


def _bad(message: str, code: int = types.INVALID_REQUEST) -> Refused:
    return Refused(HTTPStatus.BAD_REQUEST, message, code)


def needs_no_answer(message: Mapping[str, Any]) -> bool:
    """Tell whether a message is a notification that changes nothing: it is acknowledged, and that is all."""
    if "id" in message or "method" not in message:
        return False
    params = message.get("params", {})
    if message["method"] not in _NOTIFICATIONS or not isinstance(
        params.get("_meta", {}), dict
    ):
        return True
    cancelled = params.get("requestId")
    is_id = isinstance(cancelled, str | int) and not isinstance(cancelled, bool)
    return message["method"] == "notifications/cancelled" and not is_id


def has_envelope(message: Mapping[str, Any]) -> bool:
    """Tell whether a request says for itself which protocol version it speaks, as they do since 2026-07-28."""
    return types.PROTOCOL_VERSION_META_KEY in _meta(message)


def wants_notifications(message: Mapping[str, Any]) -> bool:
    """Tell whether a request asks to hear of its progress, or to listen: then its answer is a stream."""
    if "method" not in message:
        return False
    if message["method"] == "subscriptions/listen":
        return True
    return not _NOTIFYING_KEYS.isdisjoint(_meta(message))


def _meta(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a request says of itself; anything but an object says nothing."""
    meta = message.get("params", {}).get("_meta")
    return meta if isinstance(meta, dict) else {}
