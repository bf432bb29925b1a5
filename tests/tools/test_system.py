"""Home Assistant itself."""

import pytest

from homeassistant.const import __version__ as HA_VERSION
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

from .checks import refused, whole


async def test_the_configuration_is_told(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Version, place in the world and units, as Home Assistant has them."""
    hass.config.location_name = "Zuhause 🏠"
    hass.config.country = None

    data = whole(await call_tool("ha_get_system", section=" Config "))

    assert data["version"] == HA_VERSION
    assert data["location_name"] == "Zuhause 🏠"
    assert data["time_zone"] == "Europe/Paris"
    assert data["unit_system"]["temperature"] == "°C"
    assert data["country"] is None
    assert data["state"] == "RUNNING"
    assert data["components"] >= 2


async def test_where_the_house_stands_is_not_told(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Nobody needs the coordinates to turn on a light."""
    hass.config.latitude, hass.config.longitude = 48.123, 11.456

    answer = await call_tool("ha_get_system", section="config")

    assert "48.123" not in answer.text
    assert "11.456" not in answer.text


@pytest.mark.parametrize(
    "section", ["", "  ", "secrets", "💡", 7, True, [], "x" * 10**6]
)
async def test_an_unknown_section_is_refused(
    call_tool: CallTool, section: object
) -> None:
    """The sections there are stand in the error."""
    refused(
        await call_tool("ha_get_system", section=section),
        "invalid_arguments",
        "section",
    )


async def test_the_usual_section_need_not_be_named(call_tool: CallTool) -> None:
    """It is the configuration."""
    usual = whole(await call_tool("ha_get_system"))
    assert usual == whole(await call_tool("ha_get_system", section="config"))
