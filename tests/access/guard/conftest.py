"""A house to act in, with everything switched on that lets assistants act."""

from typing import Any

import pytest

from homeassistant.core import HomeAssistant

from . import acting_house


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act."""
    return {"allow_write": True}


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> None:
    """Furnish the house before the bridge starts."""
    await acting_house.furnish(hass)
