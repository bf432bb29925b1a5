"""A furnished house for the tests of the tools."""

import pytest

from homeassistant.core import HomeAssistant

from .furniture import House, furnish


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> House:
    """Furnish the house before the bridge starts."""
    await hass.config.async_set_time_zone("Europe/Paris")
    return furnish(hass)
