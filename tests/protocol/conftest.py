"""Fixtures of the protocol tests."""

from typing import Any

from aiohttp.test_utils import TestClient
import pytest

from custom_components.mcp_bridge.const import ENDPOINT
from homeassistant.core import HomeAssistant


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> None:
    """Put two lights into the house."""
    hass.states.async_set("light.kitchen", "on", {"friendly_name": "Kitchen ceiling"})
    hass.states.async_set("light.cellar", "off", {"friendly_name": "Cellar"})


@pytest.fixture(name="url")
def fixture_url(http: TestClient[Any, Any]) -> str:
    """Return the address of the endpoint."""
    return str(http.make_url(ENDPOINT))
