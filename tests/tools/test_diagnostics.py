"""The bridge looks at itself."""

from datetime import timedelta
from unittest.mock import patch

import pytest

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.util import dt as dt_util
from tests.conftest import CallTool

from .checks import refused, whole
from .furniture import PIECES


async def checks(call_tool: CallTool) -> dict[str, str]:
    """Return the status of each check."""
    data = whole(await call_tool("ha_get_self_test"))
    return {check["check"]: check["status"] for check in data["checks"]}


async def test_the_self_test_tells_version_and_uptime(
    bridge: Bridge, call_tool: CallTool
) -> None:
    """Time that has passed since the bridge was started, in seconds."""
    later = dt_util.utcnow() + timedelta(hours=2)
    # A clock that stands still would stop the event loop, whose delay is measured too.
    with patch("homeassistant.util.dt.utcnow", return_value=later):
        data = whole(await call_tool("ha_get_self_test"))

    assert data["version"] == bridge.version
    assert data["uptime_seconds"] == pytest.approx(7200, abs=60)
    assert {check["status"] for check in data["checks"]} <= {"ok", "warning", "failed"}


async def test_a_house_without_recorder_is_degraded(call_tool: CallTool) -> None:
    """One warning is enough for the verdict."""
    data = whole(await call_tool("ha_get_self_test"))

    assert data["verdict"] == "degraded"
    assert (await checks(call_tool))["recorder"] == "warning"


async def test_a_house_that_is_starting_is_a_warning(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Until it runs, entities may be missing."""
    hass.set_state(CoreState.starting)
    status = (await checks(call_tool))["home_assistant"]
    hass.set_state(CoreState.running)

    assert status == "warning"


async def test_entities_that_come_and_go_are_known_at_once(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The catalogue is never behind."""
    hass.states.async_set("light.new", "on")
    assert (await checks(call_tool))["catalog"] == "ok"
    hass.states.async_remove("light.new")
    assert (await checks(call_tool))["catalog"] == "ok"


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({}, "ok"),
        ({"require_admin": False}, "ok"),
        ({"entity_denylist": {"patterns": ["lock.*"]}}, "warning"),
        ({"entity_denylist": {"patterns": ["lock.*"]}, "filter_reads": True}, "ok"),
        ({"entity_denylist": {"patterns": [" "]}}, "ok"),
        ({"entity_denylist": {"patterns": ["lock.*"]}, "allow_write": True}, "ok"),
        ({"allow_write": True}, "ok"),
        ({"allow_write": True, "confirm_domains": []}, "warning"),
        ({"allow_write": True, "service_denylist": []}, "warning"),
        ({"allow_write": True, "approval": "phone"}, "warning"),
        ({"confirm_domains": [], "service_denylist": []}, "ok"),
    ],
)
async def test_options_that_are_unsafe_are_told(
    call_tool: CallTool, status: str
) -> None:
    """A list that hides nothing is easily taken for one that does."""
    assert (await checks(call_tool))["options"] == status


async def test_the_self_test_tells_nothing_of_the_house(
    bridge: Bridge, caller: Caller
) -> None:
    """Not one name, id or state."""
    answer = await bridge.registry.call("ha_get_self_test", {}, caller)

    for piece in PIECES:
        assert piece.entity_id not in answer.text
        assert piece.name not in answer.text


async def test_the_self_test_takes_no_arguments(call_tool: CallTool) -> None:
    """It says so."""
    refused(
        await call_tool("ha_get_self_test", deep=True),
        "invalid_arguments",
        "'deep'",
        "takes no arguments",
    )
