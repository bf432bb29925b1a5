"""The first call of an MCP client, made by the official Python SDK."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
import json

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from .errors import HouseError

TIMEOUT_SECONDS = 30
OVERVIEW = "ha_get_overview"


@dataclass(frozen=True)
class FirstCall:
    """What MCP Bridge answered."""

    server: str
    protocol_version: str
    tools: list[str]
    overview: str


def make_first_call(url: str, token: str) -> FirstCall:
    """List the tools of MCP Bridge and ask for the overview of the house."""
    try:
        return asyncio.run(_make_first_call(url, token))
    except* (MCPError, httpx2.HTTPError, TimeoutError) as errors:
        causes = "; ".join(str(cause) or repr(cause) for cause in _causes(errors))
        raise HouseError(f"no answer from {url}: {causes}") from errors


@asynccontextmanager
async def connect(url: str, token: str) -> AsyncIterator[Client]:
    """Connect to MCP Bridge as any MCP client does."""
    # The house is on this machine: not through a proxy that the environment names.
    http = httpx2.AsyncClient(
        headers={"Authorization": f"Bearer {token}"},
        timeout=TIMEOUT_SECONDS,
        trust_env=False,
    )
    transport = streamable_http_client(url, http_client=http)
    async with http, Client(transport, read_timeout_seconds=TIMEOUT_SECONDS) as client:
        yield client


async def _make_first_call(url: str, token: str) -> FirstCall:
    async with connect(url, token) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool(OVERVIEW, {})
        server, version = client.server_info, client.protocol_version
    parts = [part.text for part in result.content if isinstance(part, TextContent)]
    text = "\n".join(parts)
    if result.is_error:
        raise HouseError(f"{OVERVIEW} answered with an error: {text}")
    name = f"{server.name} {server.version}" if server else "The server"
    return FirstCall(name, version, tools, _readable(text))


def _readable(text: str) -> str:
    """Return a JSON object with each of its members on a line; anything else as it is."""
    try:
        members = json.loads(text).items()
    except ValueError, AttributeError:
        return text
    return "\n".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in members
    )


def _causes(errors: BaseException) -> list[BaseException]:
    if isinstance(errors, BaseExceptionGroup):
        return [cause for error in errors.exceptions for cause in _causes(error)]
    return [errors]
