"""The endpoint: which of MCP's two eras a request belongs to, and which session.

Since 2026-07-28 MCP is stateless: each request carries everything, and the SDK serves it by itself. Before, a client
first shakes hands and gets a session id. Home Assistant forgets sessions when it restarts, and several clients never
shake hands again: a request with a session id from before is served without a session, while an id that was ended in
this run is refused with 404, as the specification asks, so that the client starts anew.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
import logging
from typing import Any

from aiohttp import hdrs, web
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ToolsListChanged,
)
import mcp_types as types
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from sse_starlette import sse

from homeassistant.core import HomeAssistant

from ..const import MAX_SESSIONS, REQUEST_BYTES, SESSION_IDLE_SECONDS
from ..models import Caller
from .asgi import EVENT_STREAM, AsgiHost, Exchange, build_scope
from .messages import (
    RefusedMessage,
    has_envelope,
    read_message,
    rpc_error,
    wants_notifications,
)
from .server import Context

_LOGGER = logging.getLogger(__name__)

SESSION_HEADER = "Mcp-Session-Id"
VERSION_HEADER = "MCP-Protocol-Version"
# The SDK insists on a client that accepts both. What the client really accepts is seen to when the answer is sent.
_ACCEPT = f"application/json, {EVENT_STREAM}"
# Session ids remembered, of sessions that are open and such that have ended.
_REMEMBERED_SESSIONS = 10_000


class Endpoint:
    """Serves MCP requests of callers who have been let in."""

    def __init__(
        self, hass: HomeAssistant, build: Callable[[ListenHandler], Server[Any]]
    ) -> None:
        """Take the server that `build` makes around the handler of listening clients."""
        self._hass = hass
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus, max_subscriptions=MAX_SESSIONS)
        server = build(self._listen)
        server.add_notification_handler(
            "notifications/initialized", types.NotificationParams, self._session_ready
        )
        limits: dict[str, Any] = {"max_request_body_size": REQUEST_BYTES}
        self._sessions = StreamableHTTPSessionManager(
            server,
            max_sessions=MAX_SESSIONS,
            session_idle_timeout=SESSION_IDLE_SECONDS,
            **limits,
        )
        self._stateless = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, **limits
        )
        self._asgi = AsgiHost()
        # Whose the session ids given out in this run are, by credential.
        self._owners: OrderedDict[str, str | None] = OrderedDict()
        self._ready: dict[str, Any] = {}
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def async_start(self) -> None:
        """Start the SDK's session managers, which have to be entered and left in one task."""
        _prevent_shutdown_watcher()
        started = self._hass.loop.create_future()
        self._task = self._hass.async_create_background_task(
            self._run(started), "mcp_bridge sessions"
        )
        await started

    async def async_stop(self) -> None:
        """End all sessions and streams."""
        self._listen.close()
        self._stop.set()
        if self._task is not None:
            await asyncio.wait((self._task,))
        await self._asgi.close()

    async def _run(self, started: asyncio.Future[None]) -> None:
        async with self._sessions.run(), self._stateless.run():
            started.set_result(None)
            await self._stop.wait()

    @property
    def open_sessions(self) -> int:
        """How many sessions are open."""
        return len(self._open_ids)

    @property
    def _open_ids(self) -> Mapping[str, Any]:
        return self._sessions._server_instances  # noqa: SLF001  (the SDK has no public view of its sessions)

    async def async_announce_changes(self) -> None:
        """Tell all clients that the lists of tools and resources may have changed."""
        await self._bus.publish(ToolsListChanged())
        await self._bus.publish(ResourcesListChanged())
        self._forget_ended()
        for session in list(self._ready.values()):
            await session.send_tool_list_changed()
            await session.send_resource_list_changed()

    async def _session_ready(
        self, ctx: Context, params: types.NotificationParams
    ) -> None:
        """Remember a session that has shaken hands, to tell it of changes."""
        self._forget_ended()
        session_id = ctx.request.headers.get(SESSION_HEADER) if ctx.request else None
        if session_id is not None and session_id in self._open_ids:
            self._ready[session_id] = ctx.session

    def _forget_ended(self) -> None:
        for session_id in self._ready.keys() - self._open_ids.keys():
            del self._ready[session_id]

    async def handle(
        self, request: web.Request, body: bytes, caller: Caller
    ) -> web.StreamResponse:
        """Serve one request."""
        message: Mapping[str, Any] = {}
        if request.method == hdrs.METH_POST:
            try:
                message = read_message(body)
            except RefusedMessage as err:
                return err.response
        version = request.headers.get(VERSION_HEADER)
        method = message.get("method")
        if version is None or version in HANDSHAKE_PROTOCOL_VERSIONS:
            return await self._handle_handshake_era(request, body, method, caller)
        if version not in MODERN_PROTOCOL_VERSIONS and not has_envelope(message):
            return _unsupported_version(version, message.get("id"))
        if method == "subscriptions/listen" and not _reads_streams(request):
            return rpc_error(
                HTTPStatus.NOT_ACCEPTABLE,
                types.INVALID_REQUEST,
                f"This is answered with a stream: accept {EVENT_STREAM}",
                request_id=message.get("id"),
            )
        # Without notifications there is nothing to stream, and the SDK spares the machinery for it.
        manager = self._sessions if wants_notifications(message) else self._stateless
        return await self._serve(manager, request, body, caller)

    async def _handle_handshake_era(
        self, request: web.Request, body: bytes, method: Any, caller: Caller
    ) -> web.StreamResponse:
        session_id = request.headers.get(SESSION_HEADER)
        known = session_id in self._owners
        if known and self._owners[str(session_id)] != caller.credential:
            # Answered as if the session did not exist.
            return rpc_error(
                HTTPStatus.NOT_FOUND, types.INVALID_REQUEST, "Session not found"
            )
        if request.method != hdrs.METH_POST:
            return await self._handle_session(request, caller, known=known)
        if known:
            return await self._serve(self._sessions, request, body, caller)
        if method == "initialize":
            response = await self._serve(
                self._sessions, request, body, caller, session=False
            )
            self._remember(response.headers.get(SESSION_HEADER), caller)
            return response
        return await self._serve(self._stateless, request, body, caller, session=False)

    async def _handle_session(
        self, request: web.Request, caller: Caller, *, known: bool
    ) -> web.StreamResponse:
        """Serve GET (the stream of a session) and DELETE (its end)."""
        if known:
            return await self._serve(self._sessions, request, b"", caller)
        if request.method == hdrs.METH_DELETE and SESSION_HEADER in request.headers:
            # From before a restart: it is gone, which is what the client wants.
            return web.Response(status=HTTPStatus.NO_CONTENT)
        message = "There is no session, and so no stream: POST your requests"
        response = rpc_error(
            HTTPStatus.METHOD_NOT_ALLOWED, types.INVALID_REQUEST, message
        )
        response.headers[hdrs.ALLOW] = hdrs.METH_POST
        return response

    def _remember(self, session_id: str | None, caller: Caller) -> None:
        if session_id is None:
            return
        self._owners[session_id] = caller.credential
        while len(self._owners) > _REMEMBERED_SESSIONS:
            self._owners.popitem(last=False)

    async def _serve(
        self,
        manager: StreamableHTTPSessionManager,
        request: web.Request,
        body: bytes,
        caller: Caller,
        *,
        session: bool = True,
    ) -> web.StreamResponse:
        if self._stop.is_set():
            return _shutting_down()
        # There is no store of past events to resume from, and the SDK answers nothing at all when asked for one.
        headers: dict[str, str | None] = {hdrs.ACCEPT: _ACCEPT, "Last-Event-ID": None}
        if not session:
            headers[SESSION_HEADER] = None
        scope = build_scope(request, headers, {"caller": caller})
        exchange = Exchange(request, body, streams=_reads_streams(request))
        try:
            response = await self._asgi.serve(manager.handle_request, scope, exchange)
        except Exception:
            _LOGGER.exception("A request could not be served")
            response = None
        if response is not None:
            return response
        if self._stop.is_set():
            return _shutting_down()
        return rpc_error(
            HTTPStatus.INTERNAL_SERVER_ERROR, types.INTERNAL_ERROR, "Internal error"
        )


def _shutting_down() -> web.Response:
    return rpc_error(
        HTTPStatus.SERVICE_UNAVAILABLE,
        types.INTERNAL_ERROR,
        "MCP Bridge is shutting down",
    )


def _prevent_shutdown_watcher() -> None:
    """Keep the library of the event streams from polling, for ever, for the shutdown of a web server that is not there.

    It has no setting for that. Our streams are ended by `async_stop`.
    """
    with suppress(AttributeError):
        sse._get_shutdown_state().watcher_started = True  # noqa: SLF001


def _unsupported_version(version: str, request_id: Any) -> web.Response:
    supported = [*MODERN_PROTOCOL_VERSIONS, *reversed(HANDSHAKE_PROTOCOL_VERSIONS)]
    return rpc_error(
        HTTPStatus.BAD_REQUEST,
        types.UNSUPPORTED_PROTOCOL_VERSION,
        "Unsupported protocol version",
        {"supported": supported, "requested": version[:64]},
        request_id,
    )


def _reads_streams(request: web.Request) -> bool:
    """Tell whether the client reads event streams; one that does not say what it accepts reads everything."""
    accept = request.headers.get(hdrs.ACCEPT, "*/*").lower()
    return any(accepted in accept for accepted in (EVENT_STREAM, "*/*", "text/*"))
