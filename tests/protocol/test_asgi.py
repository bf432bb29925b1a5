"""The way from aiohttp to an ASGI application and back."""

import asyncio
from collections.abc import Awaitable, Callable
import json
from typing import Any

from aiohttp import ClientConnectionError, web
from aiohttp.test_utils import TestClient, make_mocked_request
import pytest
from pytest_aiohttp.plugin import AiohttpClient

from custom_components.mcp_bridge.protocol import asgi
from custom_components.mcp_bridge.protocol.asgi import (
    App,
    AsgiHost,
    Exchange,
    Message,
    Receive,
    Send,
    build_scope,
)

NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}
QUESTION = {"jsonrpc": "2.0", "id": 7, "method": "elicitation/create", "params": {}}
ANSWER = {"jsonrpc": "2.0", "id": 1, "result": {"text": "größer"}}

type Serve = Callable[..., Awaitable[TestClient[web.Request, web.Application]]]


@pytest.fixture(name="host")
def fixture_host() -> AsgiHost:
    """Return the host under test."""
    return AsgiHost()


@pytest.fixture(name="serve")
def fixture_serve(
    host: AsgiHost, aiohttp_client: AiohttpClient, socket_enabled: None
) -> Serve:
    """Return a function that serves an application, and gives a client to ask it."""

    async def serve(application: App, *, streams: bool = True) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            exchange = Exchange(request, await request.read(), streams=streams)
            scope = build_scope(
                request, {"X-Replaced": "new", "X-Dropped": None}, {"seen": 1}
            )
            response = await host.serve(application, scope, exchange)
            return response or web.Response(status=500)

        app = web.Application()
        app.router.add_route("*", "/", handle)
        return await aiohttp_client(app)

    return serve


def _event(message: dict[str, Any]) -> bytes:
    return b"event: message\r\ndata: " + json.dumps(message).encode() + b"\r\n\r\n"


def _streaming(*parts: bytes) -> App:
    """Return an application that sends these parts of an event stream."""

    async def app(scope: Any, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"mcp-session-id", b"42")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return app


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize("cut", [0, 5, 40])
async def test_a_stream_that_begins_with_the_answer_becomes_json(
    serve: Serve, streams: bool, cut: int
) -> None:
    """However the event is cut into parts; the other headers stay."""
    event = _event(ANSWER)
    client = await serve(_streaming(event[:cut], event[cut:]), streams=streams)
    response = await client.post("/")
    assert response.content_type == "application/json"
    assert response.headers["Mcp-Session-Id"] == "42"
    assert await response.json() == ANSWER


@pytest.mark.parametrize("first", [NOTIFICATION, QUESTION])
async def test_a_stream_that_begins_with_something_else_is_streamed(
    serve: Serve, first: dict[str, Any]
) -> None:
    """Nothing of it is lost."""
    parts = (_event(first), _event(ANSWER))
    response = await (await serve(_streaming(*parts))).post("/")
    assert response.content_type == "text/event-stream"
    assert await response.read() == b"".join(parts)


@pytest.mark.parametrize("before", [NOTIFICATION, QUESTION, None])
async def test_a_client_that_cannot_read_streams_gets_the_answer(
    serve: Serve, before: dict[str, Any] | None
) -> None:
    """What came before it is left out."""
    first = _event(before) if before else b": ping\r\n\r\n"
    response = await (
        await serve(_streaming(first, _event(ANSWER)), streams=False)
    ).post("/")
    assert response.content_type == "application/json"
    assert await response.json() == ANSWER


async def test_a_sign_of_life_opens_the_stream(serve: Serve) -> None:
    """A call that takes long is kept alive by comments."""
    parts = (b": ping\r\n\r\n", _event(ANSWER))
    response = await (await serve(_streaming(*parts))).post("/")
    assert response.content_type == "text/event-stream"
    assert await response.read() == b"".join(parts)


async def test_a_stream_without_an_event_is_no_answer(serve: Serve) -> None:
    """The caller is to tell why; the client is not left waiting."""
    assert (await (await serve(_streaming())).post("/")).status == 500


async def test_a_plain_body_has_a_length(serve: Serve) -> None:
    """Also when it comes in parts; the status and repeated headers are kept."""

    async def app(scope: Any, receive: Receive, send: Send) -> None:
        headers = [(b"x-twice", b"a"), (b"x-twice", b"b"), (b"content-length", b"999")]
        await send({"type": "http.response.start", "status": 418, "headers": headers})
        await send({"type": "http.response.body", "body": b"tea", "more_body": True})
        await send({"type": "http.response.body", "body": b"pot"})

    response = await (await serve(app)).post("/")
    assert response.status == 418
    assert response.headers["Content-Length"] == "6"
    assert response.headers.getall("X-Twice") == ["a", "b"]
    assert await response.read() == b"teapot"


async def test_the_application_sees_the_request(serve: Serve) -> None:
    """The whole body at once, the headers as they are to be, and the state."""
    seen: dict[str, Any] = {}

    async def app(scope: Any, receive: Receive, send: Send) -> None:
        seen.update(scope, message=await receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    client = await serve(app)
    await client.post(
        "/?a=%C3%A9",
        data="body",
        headers={"X-Replaced": "old", "X-Dropped": "1", "X-Kept": "k"},
    )
    assert seen["message"] == {
        "type": "http.request",
        "body": b"body",
        "more_body": False,
    }
    headers = dict(seen["headers"])
    assert headers[b"x-replaced"] == b"new"
    assert headers[b"x-kept"] == b"k"
    assert b"x-dropped" not in headers
    assert (seen["method"], seen["path"], seen["state"]) == ("POST", "/", {"seen": 1})


async def test_an_application_that_fails_before_it_answers(serve: Serve) -> None:
    """The error is the caller's to tell; here it becomes aiohttp's own 500."""

    async def app(scope: Any, receive: Receive, send: Send) -> None:
        raise ValueError("on purpose")

    assert (await (await serve(app)).post("/")).status == 500


async def test_what_comes_after_the_answer_is_waited_for(
    serve: Serve, host: AsgiHost
) -> None:
    """The client has its answer; the application ends in its own time, and closing the host waits for it."""
    done = asyncio.Event()

    async def app(scope: Any, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})
        await asyncio.sleep(0.05)
        done.set()

    assert await (await (await serve(app)).post("/")).read() == b"done"
    assert not done.is_set()
    await host.close()
    assert done.is_set()


async def test_a_client_that_goes_away_is_reported(
    serve: Serve, host: AsgiHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an http.disconnect message, not as a cancellation."""
    monkeypatch.setattr(asgi, "_DISCONNECT_POLL", 0.05)
    messages: list[Message] = []
    gone = asyncio.Event()

    async def app(scope: Any, receive: Receive, send: Send) -> None:
        messages.extend([await receive(), await receive()])
        gone.set()

    client = await serve(app)
    with pytest.raises((TimeoutError, ClientConnectionError)):
        async with asyncio.timeout(0.2):
            await client.post("/")
    await client.session.close()
    async with asyncio.timeout(5):
        await gone.wait()
    assert messages[1] == {"type": "http.disconnect"}


async def test_closing_ends_what_does_not_end_by_itself(
    serve: Serve, host: AsgiHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a moment."""
    monkeypatch.setattr(asgi, "_CLOSE_SECONDS", 0.05)
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def app(scope: Any, receive: Receive, send: Send) -> None:
        started.set()
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    client = await serve(app)
    request = asyncio.ensure_future(client.post("/"))
    await started.wait()
    await host.close()
    assert cancelled.is_set()
    assert (await request).status == 500


async def test_the_headers_are_told_also_when_the_client_has_gone() -> None:
    """A session that was opened for a client that hung up must not be nobody's."""
    told: list[str] = []
    exchange = Exchange(
        make_mocked_request("POST", "/"),
        b"",
        streams=True,
        started=lambda headers: told.append(headers["mcp-session-id"]),
    )
    exchange.finish()
    await _streaming(_event(ANSWER))({}, exchange.receive, exchange.send)
    assert told == ["42"]
    assert exchange.response is None
