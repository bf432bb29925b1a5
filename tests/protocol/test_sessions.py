"""Sessions of the handshake era, and requests without one."""

import asyncio
from collections.abc import Mapping
from typing import Any

from aiohttp import ClientTimeout
from aiohttp.test_utils import TestClient
import pytest

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT, SESSIONS_PER_LOGIN
from custom_components.mcp_bridge.protocol import sessions as sessions_module
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.core import HomeAssistant
from tests.clients import (
    CALL,
    INITIALIZE,
    MODERN,
    error_code,
    modern_request,
    open_session,
    request,
)

type Http = TestClient[Any, Any]

STALE = {"Mcp-Session-Id": "0123456789abcdef0123456789abcdef"}
STREAM = {"Accept": "text/event-stream"}
ACCEPTS = (
    None,
    "*/*",
    "application/json",
    "text/event-stream",
    "application/json, text/event-stream",
    "application/json;q=0.9, text/html",
)


def _in(session_id: str, **headers: str) -> dict[str, str]:
    return {"Mcp-Session-Id": session_id, **headers}


@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.parametrize("era", ["session", "stateless", "modern"])
async def test_simple_calls_are_answered_with_json(
    http: Http, accept: str | None, era: str
) -> None:
    """Whatever a client says it accepts, in both eras, with and without a session."""
    message: Mapping[str, Any] = CALL
    headers: dict[str, str] = {}
    if era == "session":
        headers = _in(await open_session(http))
    elif era == "modern":
        message, headers = modern_request("tools/call", CALL["params"])
    if accept is not None:
        headers["Accept"] = accept
    skip = ("Accept",) if accept is None else ()
    response = await http.post(
        ENDPOINT, json=message, headers=headers, skip_auto_headers=skip
    )
    assert response.status == 200
    assert response.content_type == "application/json"
    result = (await response.json())["result"]
    assert result["structuredContent"]["version"] == "2026.11.0"


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26"])
async def test_the_version_asked_for_is_negotiated(http: Http, version: str) -> None:
    """All of the handshake era, back to 2025-03-26."""
    message = request(
        "initialize", {**INITIALIZE["params"], "protocolVersion": version}
    )
    result = (await (await http.post(ENDPOINT, json=message)).json())["result"]
    assert result["protocolVersion"] == version
    assert result["capabilities"]["tools"] == {"listChanged": True}
    assert result["serverInfo"]["name"] == "mcp_bridge"


async def test_a_version_from_the_future_gets_the_newest(http: Http) -> None:
    """In the handshake the server names what it speaks."""
    message = request(
        "initialize", {**INITIALIZE["params"], "protocolVersion": "2031-01-01"}
    )
    result = (await (await http.post(ENDPOINT, json=message)).json())["result"]
    assert result["protocolVersion"] == "2025-11-25"


async def test_an_unknown_version_header_names_those_that_are_served(
    http: Http,
) -> None:
    """400 with the list."""
    headers = {"MCP-Protocol-Version": "1999-01-01"}
    response = await http.post(ENDPOINT, json=CALL, headers=headers)
    assert response.status == 400
    body = await response.json()
    assert body["id"] == 1
    assert body["error"]["code"] == -32022
    assert MODERN in body["error"]["data"]["supported"]
    assert "2025-03-26" in body["error"]["data"]["supported"]


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "ping"])
async def test_a_session_from_before_a_restart_is_served_without_one(
    http: Http, method: str
) -> None:
    """Several clients never shake hands again."""
    response = await http.post(ENDPOINT, json=request(method), headers=STALE)
    assert response.status == 200
    assert "result" in await response.json()
    assert "Mcp-Session-Id" not in response.headers


async def test_notifications_of_a_stale_session_are_accepted(http: Http) -> None:
    """They need no answer."""
    message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert (await http.post(ENDPOINT, json=message, headers=STALE)).status == 202


async def test_the_end_of_a_stale_session_is_fine(http: Http) -> None:
    """It is gone, which is what the client wants; its stream is refused with 405, which clients live with."""
    assert (await http.delete(ENDPOINT, headers=STALE)).status == 204
    response = await http.get(ENDPOINT, headers={**STALE, **STREAM})
    assert response.status == 405
    assert response.headers["Allow"] == "POST"


async def test_a_handshake_with_a_stale_session_starts_a_new_one(http: Http) -> None:
    """The client is given an id of its own."""
    response = await http.post(ENDPOINT, json=INITIALIZE, headers=STALE)
    assert response.status == 200
    assert response.headers["Mcp-Session-Id"] != STALE["Mcp-Session-Id"]


async def test_an_ended_session_is_refused(http: Http, bridge: Bridge) -> None:
    """404, as the specification asks, so that the client shakes hands again."""
    session_id = await open_session(http)
    assert bridge.endpoint.open_sessions == 1
    assert (await http.delete(ENDPOINT, headers=_in(session_id))).status == 200
    assert bridge.endpoint.open_sessions == 0
    for response in (
        await http.post(ENDPOINT, json=CALL, headers=_in(session_id)),
        await http.get(ENDPOINT, headers=_in(session_id, **STREAM)),
        await http.delete(ENDPOINT, headers=_in(session_id)),
    ):
        assert response.status == 404
        assert await error_code(response) == -32600


async def test_a_session_belongs_to_the_login_that_opened_it(
    hass: HomeAssistant, http: Http, bridge: Bridge
) -> None:
    """For any other it does not exist, also for the same user's other token; the session goes on."""
    session_id = await open_session(http)
    user = await hass.auth.async_create_user("Other", group_ids=[GROUP_ID_ADMIN])
    token = await hass.auth.async_create_refresh_token(user, "http://127.0.0.1/")
    login = {"Authorization": f"Bearer {hass.auth.async_create_access_token(token)}"}
    for response in (
        await http.post(ENDPOINT, json=CALL, headers=_in(session_id, **login)),
        await http.get(ENDPOINT, headers=_in(session_id, **STREAM, **login)),
        await http.delete(ENDPOINT, headers=_in(session_id, **login)),
    ):
        assert response.status == 404
    assert bridge.endpoint.open_sessions == 1
    assert (await http.post(ENDPOINT, json=CALL, headers=_in(session_id))).status == 200


async def test_a_stream_opens_at_once_and_ends_with_the_session(http: Http) -> None:
    """Its headers come before the first event; the end of the session ends it."""
    session_id = await open_session(http)
    async with asyncio.timeout(5):
        stream = await http.get(ENDPOINT, headers=_in(session_id, **STREAM))
        assert stream.status == 200
        assert stream.content_type == "text/event-stream"
        await http.delete(ENDPOINT, headers=_in(session_id))
        assert await stream.content.read() == b""


async def test_a_stream_is_not_resumed(http: Http) -> None:
    """There is no store of past events: the stream starts anew, and the client is not left without an answer."""
    session_id = await open_session(http)
    headers = _in(session_id, **STREAM, **{"Last-Event-ID": "7"})
    async with asyncio.timeout(5):
        stream = await http.get(ENDPOINT, headers=headers)
        assert stream.status == 200
        stream.close()


async def test_a_client_that_hangs_up_keeps_its_session(http: Http) -> None:
    """Its stream is closed; the next one can be opened."""
    session_id = await open_session(http)
    for _ in range(2):
        stream = await http.get(ENDPOINT, headers=_in(session_id, **STREAM))
        assert stream.status == 200
        stream.close()
        async with asyncio.timeout(5):
            while (
                await http.post(ENDPOINT, json=CALL, headers=_in(session_id))
            ).status != 200:
                await asyncio.sleep(0.05)
        await asyncio.sleep(
            1.2
        )  # the test server does not cancel handlers: they look for themselves


async def test_a_json_only_client_cannot_listen(http: Http) -> None:
    """406 instead of an answer that never comes."""
    message, headers = modern_request(
        "subscriptions/listen", {"notifications": {"toolsListChanged": True}}
    )
    headers["Accept"] = "application/json"
    timeout = ClientTimeout(total=5)
    response = await http.post(ENDPOINT, json=message, headers=headers, timeout=timeout)
    assert response.status == 406
    assert await error_code(response) == -32600


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_the_modern_era_has_posts_only(http: Http, method: str) -> None:
    """405, with an error to read."""
    headers = {"MCP-Protocol-Version": MODERN}
    response = await http.request(method, ENDPOINT, headers=headers)
    assert response.status == 405
    assert response.headers["Allow"] == "POST"
    assert await error_code(response) == -32600


async def test_a_stream_for_a_client_that_reads_none_is_refused(http: Http) -> None:
    """406."""
    headers = _in(await open_session(http), Accept="application/json")
    response = await http.get(ENDPOINT, headers=headers)
    assert response.status == 406
    assert await error_code(response) == -32600


async def test_one_login_has_only_so_many_sessions(http: Http, bridge: Bridge) -> None:
    """The oldest one ends for a new one; a program that never ends its sessions locks nobody out."""
    first = await open_session(http)
    others = [await open_session(http) for _ in range(SESSIONS_PER_LOGIN)]
    assert bridge.endpoint.open_sessions == SESSIONS_PER_LOGIN
    assert (await http.post(ENDPOINT, json=CALL, headers=_in(first))).status == 404
    assert (await http.post(ENDPOINT, json=CALL, headers=_in(others[0]))).status == 200


async def test_sessions_opened_at_once_are_counted(http: Http, bridge: Bridge) -> None:
    """Those that are just opening count; what is too many is refused, and one more can be opened afterwards."""
    answers = await asyncio.gather(
        *(http.post(ENDPOINT, json=INITIALIZE) for _ in range(SESSIONS_PER_LOGIN * 2))
    )
    assert {answer.status for answer in answers} <= {200, 429}
    assert 0 < bridge.endpoint.open_sessions <= SESSIONS_PER_LOGIN
    newest = await open_session(http)
    assert bridge.endpoint.open_sessions <= SESSIONS_PER_LOGIN
    assert (await http.post(ENDPOINT, json=CALL, headers=_in(newest))).status == 200


async def test_sessions_are_limited_altogether(
    http: Http,
    bridge: Bridge,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One too many is refused with 503; those that are open go on, and the log stays clean."""
    first = await open_session(http)
    monkeypatch.setattr(sessions_module, "MAX_SESSIONS", 2)
    await open_session(http)
    response = await http.post(ENDPOINT, json=INITIALIZE)
    assert response.status == 503
    assert await error_code(response) == -32603
    assert (await http.post(ENDPOINT, json=CALL, headers=_in(first))).status == 200
    assert not [
        record
        for record in caplog.records
        if record.name.startswith("mcp") and record.levelname == "WARNING"
    ]


async def test_only_so_many_session_ids_are_remembered(
    http: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of ended sessions are forgotten first, and then served without a session."""
    monkeypatch.setattr(sessions_module, "_REMEMBERED", 2)
    open_one = await open_session(http)
    ended = await open_session(http)
    await http.delete(ENDPOINT, headers=_in(ended))
    await open_session(http)
    assert (await http.post(ENDPOINT, json=CALL, headers=_in(ended))).status == 200
    assert (await http.get(ENDPOINT, headers=_in(open_one, **STREAM))).status == 200


async def test_the_event_streams_leave_no_task_behind(http: Http) -> None:
    """The library of the streams would poll for the shutdown of a web server, for ever."""
    session_id = await open_session(http)
    stream = await http.get(ENDPOINT, headers=_in(session_id, **STREAM))
    names = {task.get_coro().__qualname__ for task in asyncio.all_tasks()}  # type: ignore[union-attr]
    assert not [name for name in names if "shutdown_watcher" in name]
    stream.close()
