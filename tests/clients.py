"""Clients that talk to the endpoint: the official one in both eras of MCP, and plain HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientResponse
from aiohttp.test_utils import TestClient
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from custom_components.mcp_bridge.const import ENDPOINT

MODERN = "2026-07-28"
# How the official client may connect: ask the server first, which leads to 2026-07-28, or shake hands.
ASKING = "auto"
SHAKING_HANDS = "legacy"
MODES = (ASKING, SHAKING_HANDS)


@asynccontextmanager
async def official_client(
    url: str, token: str, mode: str = ASKING, **options: Any
) -> AsyncIterator[Client]:
    """Connect the official Python client; `mode` is one of MODES."""
    headers = {"Authorization": f"Bearer {token}"}
    http = httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False)
    transport = streamable_http_client(url, http_client=http)
    async with http, Client(transport, mode=mode, **options) as client:
        yield client


def request(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a JSON-RPC request of the handshake era."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}


def modern_request(
    method: str, params: dict[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a JSON-RPC request of 2026-07-28, and the headers it needs."""
    envelope = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = request(method, {**(params or {}), "_meta": envelope})
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    if name := (params or {}).get("name") or (params or {}).get("uri"):
        headers["Mcp-Name"] = name
    return message, headers


INITIALIZE = request(
    "initialize",
    {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
)
CALL = request(
    "tools/call", {"name": "ha_get_system", "arguments": {"section": "config"}}
)


async def open_session(http: TestClient[Any, Any]) -> str:
    """Shake hands, and return the session id."""
    response = await http.post(ENDPOINT, json=INITIALIZE)
    session_id = response.headers["Mcp-Session-Id"]
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    accepted = await http.post(
        ENDPOINT, json=ready, headers={"Mcp-Session-Id": session_id}
    )
    assert accepted.status == 202
    return session_id


async def error_code(response: ClientResponse) -> int:
    """Return the code of the JSON-RPC error in a response; there must be one, and it must be short."""
    body = await response.json()
    assert body["jsonrpc"] == "2.0"
    assert len(await response.text()) < 600
    code: int = body["error"]["code"]
    return code
