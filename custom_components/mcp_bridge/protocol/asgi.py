"""From aiohttp to ASGI and back, for one HTTP exchange at a time.

The MCP SDK is an ASGI application, Home Assistant's web server is aiohttp. Two things are particular:

- The application runs in a task of its own. Home Assistant cancels the handler when a client goes away; the SDK expects
  an `http.disconnect` message instead, and would throw a session away that it had just opened.
- An event stream is sent as plain JSON whenever its first event is the answer already, which it is for every simple
  call. Clients that cannot read event streams always get their answer that way.
"""

import asyncio
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    MutableMapping,
)
import logging
from typing import Any

from aiohttp import hdrs, web
from multidict import CIMultiDict

from homeassistant.util.json import json_loads_object

type Message = MutableMapping[str, Any]
type Receive = Callable[[], Awaitable[Message]]
type Send = Callable[[Message], Awaitable[None]]
type App = Callable[
    [MutableMapping[str, Any], Receive, Send], Coroutine[Any, Any, None]
]

_LOGGER = logging.getLogger(__name__)

EVENT_STREAM = "text/event-stream"
# aiohttp works these out itself.
_COMPUTED_HEADERS = frozenset(
    (b"connection", b"keep-alive", b"transfer-encoding", b"content-length")
)
# Seconds between looks at the connection, for a server that does not cancel its handlers.
_DISCONNECT_POLL = 1.0
_CLOSE_SECONDS = 2.0


class Exchange:
    """The `receive` and `send` of one request."""

    def __init__(
        self,
        request: web.Request,
        body: bytes,
        *,
        streams: bool,
        started: Callable[[CIMultiDict[str]], None] | None = None,
    ) -> None:
        """Hold the request; `streams` tells whether the client can read an event stream.

        `started` is called with the headers of the response, also when nobody waits for it any more.
        """
        self._started = started
        self._request = request
        self._body: bytes | None = body
        self._streams = streams
        self._status = 500
        self._headers: CIMultiDict[str] = CIMultiDict()
        self._held = b""
        self.response: web.StreamResponse | None = None
        # Done when the response is complete or the client has gone.
        self._done = asyncio.get_running_loop().create_future()

    async def receive(self) -> Message:
        """Give the whole body first, then wait until the client is gone."""
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        while not self._done.done():
            transport = self._request.transport
            if transport is None or transport.is_closing():
                break
            await asyncio.wait((self._done,), timeout=_DISCONNECT_POLL)
        return {"type": "http.disconnect"}

    def finish(self) -> None:
        """Let the application know that nobody waits for more."""
        if not self._done.done():
            self._done.set_result(None)

    async def answered(self, task: asyncio.Task[None]) -> None:
        """Wait until the response is complete, or the application has ended without one."""
        await asyncio.wait((task, self._done), return_when=asyncio.FIRST_COMPLETED)

    async def send(self, message: Message) -> None:
        """Turn the messages of a response into one for aiohttp."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = _response_headers(message)
            if self._started is not None:
                self._started(self._headers)
        if self._done.done():
            return
        if message["type"] == "http.response.start":
            # A client that opens a stream waits for its headers; the first event may be hours away.
            if self._is_stream and self._request.method == hdrs.METH_GET:
                await self._open_stream()
        elif message["type"] == "http.response.body":
            await self._take(
                message.get("body", b""), more=message.get("more_body", False)
            )

    async def _take(self, data: bytes, *, more: bool) -> None:
        if self.response is not None:
            await self._write(data, more=more)
        elif self._is_stream:
            await self._hold(data, more=more)
        elif more:
            self._held += data
        else:
            self._answer(self._held + data)

    async def _hold(self, data: bytes, *, more: bool) -> None:
        """Hold events back until it shows whether they have to be streamed."""
        self._held += data
        for event in _events(self._held):
            if _is_answer(event):
                self._headers[hdrs.CONTENT_TYPE] = "application/json"
                self._answer(event)
                return
            if self._streams:
                await self._open_stream()
                await self._write(self._held, more=more)
                return
        if not more:
            # Not one event, and so no answer.
            self.finish()

    def _answer(self, body: bytes) -> None:
        self.response = web.Response(
            status=self._status, headers=self._headers, body=body or None
        )
        self.finish()

    async def _open_stream(self) -> None:
        self.response = web.StreamResponse(status=self._status, headers=self._headers)
        try:
            await self.response.prepare(self._request)
        except ConnectionError:
            self.finish()

    async def _write(self, data: bytes, *, more: bool) -> None:
        assert self.response is not None
        try:
            if data:
                await self.response.write(data)
            if not more:
                await self.response.write_eof()
                self.finish()
        except ConnectionError:
            self.finish()

    @property
    def _is_stream(self) -> bool:
        return self._headers.get(hdrs.CONTENT_TYPE, "").startswith(EVENT_STREAM)


class AsgiHost:
    """Runs ASGI applications for aiohttp requests, and ends what is left of them."""

    def __init__(self) -> None:
        """Start with nothing running."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(
        self, app: App, scope: MutableMapping[str, Any], exchange: Exchange
    ) -> web.StreamResponse | None:
        """Serve one request; None when the application gave no response."""
        task = asyncio.create_task(
            app(scope, exchange.receive, exchange.send),
            name=f"mcp_bridge {scope['method']}",
            eager_start=True,
        )
        if not task.done():
            self._tasks.add(task)
            task.add_done_callback(self._ended)
            try:
                await exchange.answered(task)
            finally:
                # Also when the client has gone, which cancels this wait and not the application.
                exchange.finish()
        if exchange.response is None and task.done() and not task.cancelled():
            # Nothing was answered: what went wrong is the caller's to tell.
            task.result()
        return exchange.response

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (err := task.exception()) is not None:
            _LOGGER.debug("An exchange ended with an error", exc_info=err)

    async def close(self) -> None:
        """Wait a moment for what is running, then cancel it."""
        if not self._tasks:
            return
        _, pending = await asyncio.wait(self._tasks, timeout=_CLOSE_SECONDS)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


def build_scope(
    request: web.Request, headers: Mapping[str, str | None], state: dict[str, Any]
) -> dict[str, Any]:
    """Return the ASGI scope of a request; `headers` replaces some of its headers, or drops those that are None."""
    replaced = {name.lower().encode("latin-1") for name in headers}
    kept = [
        (name.lower(), value)
        for name, value in request.raw_headers
        if name.lower() not in replaced
    ]
    added = [
        (name.lower().encode(), value.encode("latin-1"))
        for name, value in headers.items()
        if value is not None
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": f"{request.version.major}.{request.version.minor}",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.rel_url.raw_path.encode("latin-1", "replace"),
        "query_string": request.query_string.encode("latin-1", "replace"),
        "root_path": "",
        "headers": kept + added,
        "client": (request.remote or "", 0),
        "server": None,
        "state": state,
    }


def _response_headers(start: Message) -> CIMultiDict[str]:
    return CIMultiDict(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in start.get("headers", ())
        if name not in _COMPUTED_HEADERS
    )


def _events(stream: bytes) -> Iterator[bytes]:
    """Yield the data of each complete event; a comment, which keeps the connection alive, has none."""
    *complete, _rest = stream.replace(b"\r\n", b"\n").split(b"\n\n")
    for event in complete:
        lines = [
            line[5:].lstrip(b" ")
            for line in event.split(b"\n")
            if line.startswith(b"data:")
        ]
        yield b"\n".join(lines)


def _is_answer(data: bytes) -> bool:
    """Tell whether an event is the answer, and not a notification or a question of the server."""
    return bool(data) and "method" not in json_loads_object(data)
