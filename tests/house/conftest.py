"""Fixtures for the tests of the house, and of access to it."""

from collections.abc import AsyncGenerator

import pytest

from custom_components.mcp_bridge.house.catalog import Catalog
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .building import Building


@pytest.fixture(name="building")
async def fixture_building(hass: HomeAssistant) -> Building:
    """Return an empty house to build in, whose entities can be exposed to Assist."""
    assert await async_setup_component(hass, "homeassistant", {})
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
