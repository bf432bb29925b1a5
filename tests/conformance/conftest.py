"""Fixtures: Home Assistant on a real port, and the programs that talk to it."""

from collections.abc import AsyncGenerator

import pytest

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT
from custom_components.mcp_bridge.protocol.endpoint import Endpoint
from homeassistant.core import HomeAssistant

from .everything import Everything
from .proxy import authorizing_proxy, serve


@pytest.fixture(name="address")
async def fixture_address(
    hass: HomeAssistant, bridge: Bridge, socket_enabled: None
) -> AsyncGenerator[str]:
    """Return the address of the endpoint."""
    async with serve(hass.http.app) as port:
        yield f"http://127.0.0.1:{port}{ENDPOINT}"


@pytest.fixture(name="proxied_address")
async def fixture_proxied_address(
    address: str, hass_access_token: str
) -> AsyncGenerator[str]:
    """Return an address of the endpoint where no login is needed."""
    async with authorizing_proxy(address, hass_access_token) as proxied:
        yield proxied


@pytest.fixture(name="everything")
async def fixture_everything(
    hass: HomeAssistant, bridge: Bridge
) -> AsyncGenerator[None]:
    """Put the everything server in the place of MCP Bridge's own."""
    own, everything = bridge.endpoint, Everything()
    endpoint = Endpoint(hass, everything.build)
    everything.announce_changes = endpoint.async_announce_changes
    await endpoint.async_start()
    bridge.endpoint = endpoint
    yield
    bridge.endpoint = own
    await endpoint.async_stop()
