"""A house with speakers, in which assistants may act."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.components.media_player import MediaPlayerEntityFeature as Feature
from homeassistant.core import HomeAssistant, ServiceCall
from tests.house.platforms import add_entities
from tests.house.test_speakers import Radio, Voice, add_old_voice
from tests.tools.checks import assert_quiet

from .speakers import ROBOT


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act."""
    return {"allow_write": True, "allow_camera": True}


@pytest.fixture(name="radio")
def fixture_radio() -> Radio:
    """Return a media player that stops for an announcement."""
    return Radio()


@pytest.fixture(name="speaker")
def fixture_speaker() -> Radio:
    """Return a media player that goes on after an announcement."""
    return Radio("Speaker", Feature.PLAY_MEDIA | Feature.MEDIA_ANNOUNCE)


@pytest.fixture(name="said")
async def fixture_said(
    hass: HomeAssistant, house: None, radio: Radio, speaker: Radio
) -> list[ServiceCall]:
    """Install speakers, and engines of either kind; return what the satellite says."""
    await add_old_voice(hass, ["fr"])
    await add_entities(hass, "media_player", [radio, speaker])
    await add_entities(hass, "tts", [Voice()], integration="voices")
    hass.states.async_set(ROBOT, "idle", {"supported_features": 1})
    return async_mock_service(hass, "assist_satellite", "announce")


@pytest.fixture(autouse=True)
async def a_settled_house(
    said: list[ServiceCall], bridge: Bridge, caplog: pytest.LogCaptureFixture
) -> Any:
    """Start the bridge when the speakers are there; nothing is said in the log."""
    yield
    assert_quiet(caplog)
