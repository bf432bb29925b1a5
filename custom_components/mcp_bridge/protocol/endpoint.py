"""The endpoint: which of MCP's two eras a request belongs to, and which session.

Since 2026-07-28 MCP is stateless: each request carries everything, and the SDK serves it by itself. Before, a client
first shakes hands and gets a session id. Home Assistant forgets sessions when it restarts, and several clients never
shake hands again: a request with a session id from before is served without a session, while an id that was ended in
this run is refused with 404, as the specification asks, so that the client starts anew.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
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
    Refused,
    has_envelope,
    needs_no_answer,
    read_message,
    wants_notifications,
)
from .server import Context
from .sessions import Sessions
from .streams import OpenStreams

_LOGGER = logging.getLogger(__name__)

SESSION_HEADER = "Mcp-Session-Id"
VERSION_HEADER = "MCP-Protocol-Version"
# The SDK insists on a client that accepts both. What the client really accepts is seen to when the answer is sent.
_ACCEPT = f"application/json, {EVENT_STREAM}"
_JSON = "application/json"


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
        self._stateful = StreamableHTTPSessionManager(
            server,
            max_sessions=MAX_SESSIONS,
            session_idle_timeout=SESSION_IDLE_SECONDS,
            max_request_body_size=REQUEST_BYTES,
        )
        self._stateless = StreamableHTTPSessionManager(
            server,
            json_response=True,
            stateless=True,
            max_request_body_size=REQUEST_BYTES,
        )
        self._sessions = Sessions(hass, self._stateful)
        self._streams = OpenStreams(hass)
        self._asgi = AsgiHost()
        self._stopping = False
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def async_start(self) -> None:
        """Start the SDK's session managers, which have to be entered and left in one task."""
        _prevent_shutdown_watcher()
        started = self._hass.loop.create_future()
        self._task = self._hass.async_create_background_task(
            self._run(started), "mcp_bridge sessions"
        )
        await asyncio.wait((started, self._task), return_when=asyncio.FIRST_COMPLETED)
        if not started.done():
            # It ended before it started: this raises what went wrong.
            await self._task

    async def async_stop(self) -> None:
        """Answer what is being asked, then end all streams and sessions."""
        self._stopping = True
        self._listen.close()
        self._streams.end()
        self._sessions.forget()
        await self._asgi.close()
        self._stop.set()
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def _run(self, started: asyncio.Future[None]) -> None:
        async with self._stateful.run(), self._stateless.run():
            started.set_result(None)
            await self._stop.wait()

    @property
    def open_sessions(self) -> int:
        """How many sessions are open."""
        return len(self._sessions.open)

    async def async_end(self, admits: Callable[[Caller], bool]) -> None:
        """End the streams and the sessions of callers who are not admitted any more."""
        self._streams.end(admits)
        await self._sessions.async_end(admits)

    async def async_announce_changes(self) -> None:
        """Tell all clients that the lists of tools and resources may have changed."""
        await self._bus.publish(ToolsListChanged())
        await self._bus.publish(ResourcesListChanged())
        await self._sessions.announce_changes()

    async def _session_ready(
        self, ctx: Context, params: types.NotificationParams
    ) -> None:
        """Remember a session that has shaken hands, to tell it of changes."""
        self._sessions.ready(
            ctx.request.headers.get(SESSION_HEADER) if ctx.request else None,
            ctx.session,
        )

    def _remember_session(self, caller: Caller, headers: Mapping[str, str]) -> None:
        """Note whose a session is as soon as it is there, even if its client has gone meanwhile."""
        session_id = headers.get(SESSION_HEADER)
        if session_id is not None:
            self._sessions.remember(session_id, caller)

    async def handle(
        self, request: web.Request, body: bytes, caller: Caller
    ) -> web.StreamResponse:
        """Serve one request, or raise Refused."""
        if self._stopping:
            raise _shutting_down()
        message = read_message(body) if request.method == hdrs.METH_POST else {}
        if message and needs_no_answer(message):
            return web.Response(status=HTTPStatus.ACCEPTED)
        version = request.headers.get(VERSION_HEADER)
        if version is None or version in HANDSHAKE_PROTOCOL_VERSIONS:
            return await self._handle_handshake_era(request, body, message, caller)
        if version not in MODERN_PROTOCOL_VERSIONS and not has_envelope(message):
            raise _unsupported_version(version, message.get("id"))
        if request.method != hdrs.METH_POST:
            raise _only_posts(
                "This protocol version has no streams and no sessions: POST your requests"
            )
        if not wants_notifications(message):
            # There is nothing to stream, and the SDK spares the machinery for it.
            return await self._serve(self._stateless, request, body, caller)
        is_listening = message["method"] == "subscriptions/listen"
        if is_listening:
            _check_reads_streams(request, message.get("id"))
        return await self._serve(
            self._stateful, request, body, caller, stays_open=is_listening
        )

    async def _handle_handshake_era(
        self,
        request: web.Request,
        body: bytes,
        message: Mapping[str, Any],
        caller: Caller,
    ) -> web.StreamResponse:
        known = self._sessions.is_known(request.headers.get(SESSION_HEADER), caller)
        if request.method != hdrs.METH_POST:
            return await self._handle_session(request, caller, known=known)
        if known:
            return await self._serve(self._stateful, request, body, caller)
        if message.get("method") != "initialize":
            return await self._serve(
                self._stateless, request, body, caller, session=False
            )
        async with self._sessions.opening(caller):
            return await self._serve(
                self._stateful, request, body, caller, session=False
            )

    async def _handle_session(
        self, request: web.Request, caller: Caller, *, known: bool
    ) -> web.StreamResponse:
        """Serve GET (the stream of a session) and DELETE (its end)."""
        is_get = request.method == hdrs.METH_GET
        if known:
            if is_get:
                _check_reads_streams(request)
            return await self._serve(
                self._stateful, request, b"", caller, stays_open=is_get
            )
        if not is_get and SESSION_HEADER in request.headers:
            # From before a restart: it is gone, which is what the client wants.
            return web.Response(status=HTTPStatus.NO_CONTENT)
        raise _only_posts("There is no session, and so no stream: POST your requests")

    async def _serve(
        self,
        manager: StreamableHTTPSessionManager,
        request: web.Request,
        body: bytes,
        caller: Caller,
        *,
        session: bool = True,
        stays_open: bool = False,
    ) -> web.StreamResponse:
        # There is no store of past events to resume from, and the SDK answers nothing at all when asked for one.
        headers: dict[str, str | None] = {
            hdrs.ACCEPT: _ACCEPT,
            hdrs.CONTENT_TYPE: _JSON,
            "Last-Event-ID": None,
        }
        if not session:
            headers[SESSION_HEADER] = None
        scope = build_scope(
            request, headers, {"caller": caller, "streams": _reads_streams(request)}
        )
        exchange = Exchange(
            request,
            body,
            streams=_reads_streams(request),
            started=partial(self._remember_session, caller),
        )
        response = None
        with self._streams.opened(exchange, caller) if stays_open else nullcontext():
            try:
                response = await self._asgi.serve(
                    manager.handle_request, scope, exchange
                )
            except Exception:
                _LOGGER.exception("A request could not be served")
                raise Refused(
                    HTTPStatus.INTERNAL_SERVER_ERROR,
                    "Internal error",
                    types.INTERNAL_ERROR,
                ) from None
        if self._stopping and (
            response is None or response.status == HTTPStatus.INTERNAL_SERVER_ERROR
        ):
            raise _shutting_down()
        if response is None:
            # The session was ended while this request was served.
            raise Refused(HTTPStatus.NOT_FOUND, "Session not found")
        return response


def _shutting_down() -> Refused:
    return Refused(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "MCP Bridge is shutting down",
        types.INTERNAL_ERROR,
    )


def _only_posts(message: str) -> Refused:
    return Refused(
        HTTPStatus.METHOD_NOT_ALLOWED, message, headers={hdrs.ALLOW: hdrs.METH_POST}
    )


def _unsupported_version(version: str, request_id: Any) -> Refused:
    supported = [*MODERN_PROTOCOL_VERSIONS, *reversed(HANDSHAKE_PROTOCOL_VERSIONS)]
    return Refused(
        HTTPStatus.BAD_REQUEST,
        "Unsupported protocol version",
        types.UNSUPPORTED_PROTOCOL_VERSION,
        data={"supported": supported, "requested": version[:64]},
        request_id=request_id,
    )


def _reads_streams(request: web.Request) -> bool:
    """Tell whether the client reads event streams; one that does not say what it accepts reads everything."""
    accept = request.headers.get(hdrs.ACCEPT, "*/*").lower()
    return any(accepted in accept for accepted in (EVENT_STREAM, "*/*", "text/*"))


def _check_reads_streams(request: web.Request, request_id: Any = None) -> None:
    if not _reads_streams(request):
        message = f"This is answered with a stream: accept {EVENT_STREAM}"
        raise Refused(HTTPStatus.NOT_ACCEPTABLE, message, request_id=request_id)


def _prevent_shutdown_watcher() -> None:
    """Keep the library of the event streams from polling, for ever, for the shutdown of a web server that is not there.

    It has no setting for that. Our streams are ended by `async_stop`.
    """
    try:
        sse._get_shutdown_state().watcher_started = True  # noqa: SLF001
    except AttributeError:
        _LOGGER.warning("The library of the event streams has changed; it will poll")
