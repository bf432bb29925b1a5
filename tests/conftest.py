"""Fixtures for all tests."""

# Before Home Assistant mounts its own config folder, which holds a custom_components package too.
import custom_components  # noqa: F401, I001

from collections.abc import Awaitable, Callable
import logging
from typing import Any

from aiohttp.test_utils import TestClient
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import DOMAIN, NAME
from custom_components.mcp_bridge.models import Caller
from custom_components.mcp_bridge.tools.registry import Answer

# The test plugin turns the statements of the recorder on, which drown everything else.
logging.getLogger("sqlalchemy.engine").setLevel(logging.WARNING)

type CallTool = Callable[..., Awaitable[Answer]]


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations(enable_custom_integrations: None) -> None:
    """Let Home Assistant load the integration out of this repository."""


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Options of the config entry; a test module or a parametrization may replace them."""
    return {}


@pytest.fixture(name="config_entry")
def fixture_config_entry(options: dict[str, Any]) -> MockConfigEntry:
    """Return the config entry, not set up yet."""
    return MockConfigEntry(domain=DOMAIN, title=NAME, options=options)


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> None:
    """Fill the house before the bridge starts; test modules bring their own."""


@pytest.fixture(name="bridge")
async def fixture_bridge(
    hass: HomeAssistant, config_entry: MockConfigEntry, house: None
) -> Bridge:
    """Return the running bridge."""
    assert await async_setup_component(hass, "homeassistant", {})
    config_entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    await hass.async_block_till_done()
    bridge: Bridge = config_entry.runtime_data
    return bridge


@pytest.fixture(name="caller")
def fixture_caller(hass_admin_user: MockUser) -> Caller:
    """Return an administrator as the caller."""
    return Caller(hass_admin_user)


@pytest.fixture(name="call_tool")
def fixture_call_tool(bridge: Bridge, caller: Caller) -> CallTool:
    """Return a function that calls a tool as the administrator."""

    async def call_tool(name: str, /, **arguments: Any) -> Answer:
        return await bridge.registry.call(name, arguments, caller)

    return call_tool


@pytest.fixture(name="http")
async def fixture_http(
    bridge: Bridge, hass_client: ClientSessionGenerator, socket_enabled: None
) -> TestClient[Any, Any]:
    """Return an HTTP client of an administrator."""
    return await hass_client()
