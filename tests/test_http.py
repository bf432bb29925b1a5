"""Who gets in, and how requests that are none are refused."""

import asyncio
from collections.abc import AsyncIterator
import gzip
import json
import logging
from typing import Any

from aiohttp.test_utils import TestClient
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT, REQUEST_BYTES
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_READ_ONLY, GROUP_ID_USER
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .clients import CALL, MODERN, error_code, modern_request, open_session, request


@pytest.fixture(name="stranger")
async def fixture_stranger(
    bridge: Bridge, hass_client_no_auth: ClientSessionGenerator, socket_enabled: None
) -> TestClient[Any, Any]:
    """Return an HTTP client without a login."""
    return await hass_client_no_auth()


async def test_a_stranger_is_told_where_to_log_in(
    hass: HomeAssistant, stranger: TestClient[Any, Any]
) -> None:
    """The pointer is built from the address that the client used."""
    response = await stranger.post(ENDPOINT, json=CALL)
    assert response.status == 401
    pointer = f"{stranger.make_url('/.well-known/oauth-protected-resource')}"
    assert (
        response.headers["WWW-Authenticate"] == f'Bearer resource_metadata="{pointer}"'
    )
    assert (await response.json())["error"]["message"]


@pytest.mark.parametrize(
    "token", ["", "Bearer", "Bearer wrong", "Basic eDp5", "Bearer \u00e9"]
)
async def test_a_wrong_login_raises_no_alarm(
    hass: HomeAssistant,
    stranger: TestClient[Any, Any],
    token: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Clients try without a login to learn how to; that is no attack."""
    assert await async_setup_component(hass, "persistent_notification", {})
    response = await stranger.post(
        ENDPOINT, json=CALL, headers={"Authorization": token}
    )
    assert response.status == 401
    assert not hass.data.get("persistent_notification")
    assert not [
        record for record in caplog.records if "Login attempt" in record.message
    ]


@pytest.mark.parametrize("group", [GROUP_ID_USER, GROUP_ID_READ_ONLY])
@pytest.mark.parametrize(
    ("options", "status"), [({}, 403), ({"require_admin": False}, 200)]
)
async def test_users_who_are_no_administrators(
    hass: HomeAssistant, stranger: TestClient[Any, Any], group: str, status: int
) -> None:
    """They get in only where the option says so; refusing them is no failed login."""
    await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    user = await hass.auth.async_create_user("Guest", group_ids=[group])
    response = await stranger.post(
        ENDPOINT, json=CALL, headers=await _login(hass, user)
    )
    assert response.status == status


async def test_an_inactive_user_is_a_stranger(
    hass: HomeAssistant, stranger: TestClient[Any, Any]
) -> None:
    """As for the rest of Home Assistant."""
    await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    user = await hass.auth.async_create_user("Gone", group_ids=[GROUP_ID_ADMIN])
    headers = await _login(hass, user)
    assert (await stranger.post(ENDPOINT, json=CALL, headers=headers)).status == 200
    await hass.auth.async_update_user(user, is_active=False)
    assert (await stranger.post(ENDPOINT, json=CALL, headers=headers)).status == 401


@pytest.mark.parametrize("end", ["token", "user"])
async def test_an_access_that_ends_while_the_body_arrives(
    hass: HomeAssistant, stranger: TestClient[Any, Any], end: str
) -> None:
    """A body may take minutes to come, and so the login is looked at again."""
    await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    user = await hass.auth.async_create_user("Slow", group_ids=[GROUP_ID_ADMIN])
    headers = {**await _login(hass, user), "Content-Type": "application/json"}

    async def slowly() -> AsyncIterator[bytes]:
        """Give the body in two parts, and take the access away between them."""
        body = json.dumps(CALL).encode()
        yield body[:10]
        await asyncio.sleep(0.1)
        if end == "token":
            for token in list(user.refresh_tokens.values()):
                hass.auth.async_remove_refresh_token(token)
        else:
            await hass.auth.async_update_user(user, is_active=False)
        yield body[10:]

    response = await stranger.post(ENDPOINT, data=slowly(), headers=headers)
    assert response.status == 401


async def _login(hass: HomeAssistant, user: Any) -> dict[str, str]:
    token = await hass.auth.async_create_refresh_token(user, "http://127.0.0.1/")
    return {"Authorization": f"Bearer {hass.auth.async_create_access_token(token)}"}


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("http://localhost:6274", 200),
        ("http://127.0.0.1", 200),
        ("http://[::1]:3000", 200),
        ("https://home.example.org", 200),
        ("http://192.168.1.5:8123", 200),
        ("https://evil.example.com", 403),
        ("http://home.example.org", 403),
        ("https://home.example.org.evil.example.com", 403),
        ("http://localhost.evil.example.com", 403),
        ("null", 403),
        ("", 403),
        ("http://", 403),
        ("http://[::1", 403),
        ("http://xn--a.com", 403),
        (f"http://xn--{'a' * 70}", 403),
        ("http://xn--zzzzzz--", 403),
    ],
)
async def test_the_origin_of_a_page_is_checked(
    hass: HomeAssistant, http: TestClient[Any, Any], origin: str | None, status: int
) -> None:
    """Home Assistant's own addresses and this machine may; no other page."""
    await hass.config.async_update(
        external_url="https://home.example.org", internal_url="http://192.168.1.5:8123"
    )
    headers = {} if origin is None else {"Origin": origin}
    assert (await http.post(ENDPOINT, json=CALL, headers=headers)).status == status


async def test_a_browser_gets_a_page(stranger: TestClient[Any, Any]) -> None:
    """Without a login: it says what the address is for."""
    response = await stranger.get(ENDPOINT, headers={"Accept": "text/html,*/*;q=0.8"})
    assert response.status == 200
    assert response.content_type == "text/html"
    assert "MCP Bridge" in await response.text()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", -32700),
        ("{", -32700),
        ('{"jsonrpc": NaN}', -32700),
        ('{"a": "\\ud800"}', -32700),
        ("\ud7ff".encode("utf-16"), -32700),
        ("[" * 5_000, -32700),
        ("[]", -32600),
        ("[{}]", -32600),
        ("null", -32600),
        ("1", -32600),
        ('"text"', -32600),
        ("{}", -32600),
        ('{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": 1}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": 7}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "result": {}, "params": []}', -32602),
        ('{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', -32602),
    ],
)
@pytest.mark.parametrize("version", [None, "2025-06-18", MODERN])
async def test_a_body_that_is_no_message(
    http: TestClient[Any, Any],
    body: str | bytes,
    code: int,
    version: str | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A short JSON-RPC error in both eras, and nothing in the log."""
    headers = {"Content-Type": "application/json"}
    if version:
        headers["MCP-Protocol-Version"] = version
    response = await http.post(ENDPOINT, data=body, headers=headers)
    assert response.status == 400
    assert await error_code(response) == code
    assert _complaints(caplog) == []


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", ""]
)
async def test_a_wrong_content_type(
    http: TestClient[Any, Any], content_type: str
) -> None:
    """415, so that no form of a web page can call a tool."""
    headers = {"Content-Type": content_type}
    response = await http.post(ENDPOINT, data=json.dumps(CALL), headers=headers)
    assert response.status == 415
    assert await error_code(response) == -32600


async def test_json_with_a_charset_is_json(http: TestClient[Any, Any]) -> None:
    """Some clients name it."""
    headers = {"Content-Type": "application/json; charset=utf-8"}
    response = await http.post(ENDPOINT, data=json.dumps(CALL), headers=headers)
    assert response.status == 200


@pytest.mark.parametrize(("extra", "status"), [(0, 200), (1, 413)])
async def test_the_body_has_a_limit(
    http: TestClient[Any, Any], extra: int, status: int
) -> None:
    """4 MiB are served, one byte more is refused with 413."""
    body = json.dumps(CALL).encode()
    body += b" " * (REQUEST_BYTES - len(body) + extra)
    headers = {"Content-Type": "application/json"}
    response = await http.post(ENDPOINT, data=body, headers=headers)
    assert response.status == status
    if extra:
        assert await error_code(response) == -32600


async def test_a_compressed_body_is_refused(http: TestClient[Any, Any]) -> None:
    """Before it is read: it could be anything when it is unpacked."""
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    body = gzip.compress(json.dumps(CALL).encode())
    response = await http.post(ENDPOINT, data=body, headers=headers)
    assert response.status == 415
    assert await error_code(response) == -32600


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "x"])
async def test_a_body_that_is_not_compressed_as_it_says(
    http: TestClient[Any, Any], coding: str
) -> None:
    """The client's fault, and never a failure of ours."""
    headers = {"Content-Encoding": coding, "Content-Type": "application/json"}
    response = await http.post(
        ENDPOINT, data=json.dumps(CALL).encode(), headers=headers
    )
    assert response.status in (400, 415)


@pytest.mark.parametrize(
    "part",
    [b'"a",', b"[],", b"{},", b"1.5,", b"["],
    ids=["texts", "lists", "objects", "numbers", "nested"],
)
async def test_a_message_has_only_so_many_parts(
    http: TestClient[Any, Any], part: bytes
) -> None:
    """What a message costs to read grows with its parts: 4 MB of them would stop Home Assistant for a second."""
    start = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":['
    body = start + part * 100_000 + b"1]}}}"
    headers = {"Content-Type": "application/json"}
    response = await http.post(ENDPOINT, data=body, headers=headers)
    assert response.status == 413
    assert await error_code(response) == -32600


@pytest.mark.parametrize("method", ["initialize", "subscriptions/listen"])
async def test_what_is_kept_is_small(http: TestClient[Any, Any], method: str) -> None:
    """A session and a stream hold their first message for as long as they are open."""
    message, headers = modern_request(method, {"x": "y" * 100_000})
    for sent in ({}, headers):
        response = await http.post(ENDPOINT, json=message, headers=sent)
        assert response.status == 413
        assert await error_code(response) == -32600


@pytest.mark.parametrize("member", ["id", "method"])
async def test_what_is_given_back_is_short(
    http: TestClient[Any, Any], member: str
) -> None:
    """An error repeats the id and the method, but not a megabyte of them."""
    message = {**request("ping"), member: "x" * 1_000_000}
    response = await http.post(ENDPOINT, json=message)
    assert response.status == 400
    assert await error_code(response) == -32600


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("notifications/cancelled", None),
        ("notifications/cancelled", {"requestId": {}}),
        ("notifications/progress", {}),
        ("notifications/roots/list_changed", {"_meta": 5}),
        ("notifications/initialized", {"_meta": 5}),
        ("notifications/of/tomorrow", {"a": 1}),
    ],
)
@pytest.mark.parametrize("era", ["session", "stateless", "modern"])
async def test_a_notification_that_means_nothing_is_acknowledged(
    http: TestClient[Any, Any],
    era: str,
    method: str,
    params: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """And nothing is said of it in the log."""
    headers: dict[str, str] = {}
    if era == "session":
        headers = {"Mcp-Session-Id": await open_session(http)}
    elif era == "modern":
        headers = {"MCP-Protocol-Version": MODERN}
    message = {"jsonrpc": "2.0", "method": method} | (
        {} if params is None else {"params": params}
    )
    assert (await http.post(ENDPOINT, json=message, headers=headers)).status == 202
    assert _complaints(caplog) == []


@pytest.mark.parametrize("version", [None, "2025-06-18", MODERN])
async def test_an_answer_to_nothing_is_no_failure(
    http: TestClient[Any, Any], version: str | None
) -> None:
    """Clients answer questions of the server; here is none to answer."""
    headers = {"MCP-Protocol-Version": version} if version else {}
    params = {"_meta": {"progressToken": 1}}
    message = {"jsonrpc": "2.0", "id": 1, "result": {}, "params": params}
    assert (await http.post(ENDPOINT, json=message, headers=headers)).status < 500


async def test_a_slash_at_the_end_does_not_matter(http: TestClient[Any, Any]) -> None:
    """People paste addresses that way."""
    assert (await http.post(f"{ENDPOINT}/", json=CALL)).status == 200


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
async def test_other_methods(http: TestClient[Any, Any], method: str) -> None:
    """405."""
    assert (await http.request(method, ENDPOINT, json=CALL)).status == 405


async def test_without_a_loaded_entry_the_endpoint_says_so(
    hass: HomeAssistant, http: TestClient[Any, Any], config_entry: MockConfigEntry
) -> None:
    """The view stays when the entry is unloaded, and serves again when it is back."""
    await hass.config_entries.async_unload(config_entry.entry_id)
    response = await http.post(ENDPOINT, json=CALL)
    assert response.status == 503
    assert await error_code(response) == -32603
    await hass.config_entries.async_setup(config_entry.entry_id)
    assert (await http.post(ENDPOINT, json=CALL)).status == 200


async def test_hostile_arguments_are_answered(
    http: TestClient[Any, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """A megabyte of text, deep nesting, odd characters: a tool error in both eras, and nothing in the log."""
    deep: Any = "x"
    for _ in range(100):
        deep = [deep]
    hostiles: list[Any] = [
        "x" * 1_000_000,
        deep,
        "\u202e\u0000\U0001f98a",
        {"a": {}},
        [[]] * 1000,
    ]
    for hostile in hostiles:
        params = {
            "name": "ha_search_entities",
            "arguments": {"query": hostile, "limit": -1},
        }
        handshake: tuple[dict[str, Any], dict[str, str]]
        handshake = request("tools/call", params), {}
        for message, headers in (handshake, modern_request("tools/call", params)):
            response = await http.post(ENDPOINT, json=message, headers=headers)
            assert response.status == 200, await response.text()
            result = (await response.json())["result"]
            assert result["isError"]
            assert result["structuredContent"]["error"]["code"] == "invalid_arguments"
    assert _complaints(caplog) == []


def _complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what we, or the SDK because of us, have logged as a warning or worse."""
    return [
        record.message
        for record in caplog.records
        if record.levelno >= logging.WARNING
        and record.name.startswith(("custom_components.", "mcp"))
    ]
