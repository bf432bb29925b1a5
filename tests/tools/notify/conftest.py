"""A house with the phones of Paul and of Léa, in which assistants may act."""

from typing import Any

import pytest

from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from tests.house.test_notifiers import Bell, Phones, add_phones
from tests.tools.checks import assert_quiet

from .phones import SCREEN


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act."""
    return {"allow_write": True, "allow_camera": True}


@pytest.fixture(name="bell")
def fixture_bell() -> Bell:
    """Return the notify entity of Paul's phone."""
    return Bell("Phone")


@pytest.fixture(name="phones")
async def fixture_phones(hass: HomeAssistant, house: None, bell: Bell) -> Phones:
    """Set up the phones of Paul and of Léa, the latter without an entity."""
    assert await async_setup_component(hass, SCREEN, {})
    return await add_phones(hass, bell)


@pytest.fixture(autouse=True)
async def a_settled_house(
    hass: HomeAssistant,
    phones: Phones,
    bridge: Bridge,
    caplog: pytest.LogCaptureFixture,
) -> Any:
    """Start the bridge when the phones are there; nothing is said in the log."""
    yield
    assert_quiet(caplog)
