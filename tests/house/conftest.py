"""Fixtures for the tests of the house."""

from collections.abc import AsyncGenerator

import pytest

from custom_components.mcp_bridge.house.catalog import Catalog
from homeassistant.core import HomeAssistant

from .building import Building


@pytest.fixture(name="building")
async def fixture_building(hass: HomeAssistant) -> Building:
    """Return an empty house to build in."""
    return Building(hass)


@pytest.fixture(name="catalog")
async def fixture_catalog(
    hass: HomeAssistant, building: Building
) -> AsyncGenerator[Catalog]:
    """Return a catalogue that follows the house from its first day on."""
    catalog = Catalog(hass)
    await catalog.async_start()
    yield catalog
    catalog.async_stop()
