"""Fixtures: Home Assistant on a real port, and the programs that talk to it."""

from collections.abc import AsyncGenerator
from pathlib import Path
import subprocess

import pytest

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT
from custom_components.mcp_bridge.protocol.endpoint import Endpoint
from homeassistant.core import HomeAssistant

from .everything import Everything
from .proxy import authorizing_proxy, serve

_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session", name="node")
def fixture_node() -> Path:
    """Return the path of node, with the packages of tests/node installed."""
    done = subprocess.run(
        [_ROOT / "scripts" / "node"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()) / "node"


@pytest.fixture(scope="session", name="packages")
def fixture_packages(node: Path) -> Path:
    """Return the folder of the MCP project's packages."""
    return _ROOT / "tests" / "node" / "node_modules" / "@modelcontextprotocol"


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
