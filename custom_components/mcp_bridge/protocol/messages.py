"""JSON-RPC messages as they come over HTTP: checked before the SDK sees them, so that errors are short and clear."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from aiohttp import web
import mcp_types as types

from homeassistant.util.json import JSON_DECODE_EXCEPTIONS, json_loads

# Members of a request's _meta that ask for notifications before the answer.
_NOTIFYING_KEYS = frozenset(("progressToken", types.LOG_LEVEL_META_KEY))


class RefusedMessage(Exception):
    """The body is no message that can be served; `response` says why."""

    def __init__(self, code: int, message: str) -> None:
        """Hold the error."""
        super().__init__(message)
        self.response = rpc_error(HTTPStatus.BAD_REQUEST, code, message)


def read_message(body: bytes) -> Mapping[str, Any]:
    """Return the one JSON-RPC message in a body, or raise RefusedMessage."""
    try:
        message = json_loads(body)
    except JSON_DECODE_EXCEPTIONS:
        raise RefusedMessage(types.PARSE_ERROR, "The body is not valid JSON") from None
    if isinstance(message, list):
        raise RefusedMessage(
            types.INVALID_REQUEST,
            "Batches are not supported: send one message at a time",
        )
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise RefusedMessage(
            types.INVALID_REQUEST, "The body must be one JSON-RPC 2.0 message"
        )
    _check_members(message)
    return message


def _check_members(message: Mapping[str, Any]) -> None:
    identifier = message.get("id", 0)
    if isinstance(identifier, bool) or not isinstance(identifier, str | int):
        raise RefusedMessage(
            types.INVALID_REQUEST, "'id' must be a string or a whole number"
        )
    if "method" in message:
        if not isinstance(message["method"], str):
            raise RefusedMessage(types.INVALID_REQUEST, "'method' must be a string")
        if not isinstance(message.get("params", {}), dict):
            raise RefusedMessage(types.INVALID_PARAMS, "'params' must be an object")
    elif "id" not in message or not ("result" in message or "error" in message):
        raise RefusedMessage(types.INVALID_REQUEST, "The message has no 'method'")


def has_envelope(message: Mapping[str, Any]) -> bool:
    """Tell whether a request says for itself which protocol version it speaks, as they do since 2026-07-28."""
    meta = message.get("params", {}).get("_meta")
    return isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta


def wants_notifications(message: Mapping[str, Any]) -> bool:
    """Tell whether a request asks to hear of its progress, or to listen: then its answer is a stream."""
    if message.get("method") == "subscriptions/listen":
        return True
    meta = message.get("params", {}).get("_meta")
    return isinstance(meta, dict) and not _NOTIFYING_KEYS.isdisjoint(meta)


def rpc_error(
    status: HTTPStatus,
    code: int,
    message: str,
    data: Mapping[str, Any] | None = None,
    request_id: Any = None,
) -> web.Response:
    """Return an HTTP error whose body is a JSON-RPC error, which is what MCP clients can show."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return web.json_response(
        {"jsonrpc": "2.0", "id": request_id, "error": error}, status=status
    )
