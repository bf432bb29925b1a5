"""The self-test of a house that has a recorder."""

import pytest

from homeassistant.components.recorder import Recorder
from tests.conftest import CallTool

from .checks import whole


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations(
    recorder_mock: Recorder, enable_custom_integrations: None
) -> None:
    """The recorder has to be there before anything else."""


async def test_a_house_in_order_is_ok(call_tool: CallTool) -> None:
    """No check has anything to say."""
    data = whole(await call_tool("ha_get_self_test"))

    assert data["verdict"] == "ok", data
    assert {check["status"] for check in data["checks"]} == {"ok"}


async def test_a_recorder_that_is_paused_is_a_warning(
    recorder_mock: Recorder, call_tool: CallTool
) -> None:
    """Recording may be switched off by a service."""
    recorder_mock.set_enable(False)

    data = whole(await call_tool("ha_get_self_test"))

    warnings = [check for check in data["checks"] if check["status"] == "warning"]
    assert data["verdict"] == "degraded"
    assert [check["check"] for check in warnings] == ["recorder"]
