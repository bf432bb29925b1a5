"""Not too many changes in a minute."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.mcp_bridge.access.guard import rates
from custom_components.mcp_bridge.access.guard.rates import Cap, CapKind, Rates
from custom_components.mcp_bridge.access.options import AccessOptions
from custom_components.mcp_bridge.access.refusals import Refusal, Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool
from tests.tools.checks import refused

from .acting_house import FRONT, HALL
from .people import administrator, call_as

ON: dict[str, Any] = {"service": "light.turn_on", "target": {"entity_id": HALL}}
OPTIONS = AccessOptions(write_limit=3, notification_limit=2, announcement_limit=1)
WRITE = Cap(CapKind.WRITE, "client")


@pytest.fixture(name="clock")
def fixture_clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time, to be turned on by hand."""
    now = [1000.0]
    monkeypatch.setattr(rates, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("kind", "limit"),
    [(CapKind.WRITE, 3), (CapKind.NOTIFICATION, 2), (CapKind.ANNOUNCEMENT, 1)],
)
def test_each_kind_has_its_limit(clock: list[float], kind: CapKind, limit: int) -> None:
    """In any minute, and for each key by itself."""
    done = Rates()
    cap = Cap(kind, "one")
    for _ in range(limit):
        done.check([cap], OPTIONS)
        done.count([cap])
        clock[0] += 1

    with pytest.raises(Refusal) as refusal:
        done.check([cap], OPTIONS)
    assert refusal.value.rule is Rule.RATE_LIMIT
    assert refusal.value.hint == f"Wait {60 - limit} seconds."
    done.check([Cap(kind, "other")], OPTIONS)
    clock[0] += 60 - limit
    done.check([cap], OPTIONS)


def test_checking_does_not_count(clock: list[float]) -> None:
    """Only what is done does."""
    done = Rates()
    for _ in range(100):
        done.check([WRITE], OPTIONS)


def test_what_is_long_ago_is_forgotten(clock: list[float]) -> None:
    """However many targets there were."""
    done = Rates()
    for number in range(5_000):
        done.count([Cap(CapKind.WRITE, str(number))])

    assert len(done._done) <= 1_000  # noqa: SLF001


@pytest.mark.parametrize("options", [{"allow_write": True, "writes_per_minute": 3}])
async def test_only_what_is_done_counts(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Neither dry runs nor refusals nor questions; and each client for itself."""
    for _ in range(5):
        await call_tool("ha_call_service", **ON, dry_run=True)
        await call_tool("ha_call_service", service="homeassistant.stop")
        await call_tool(
            "ha_call_service", service="lock.unlock", target={"entity_id": FRONT}
        )
    for _ in range(3):
        assert (await call_tool("ha_call_service", **ON)).data["outcome"] == "done"

    answer = await call_tool("ha_call_service", **ON)
    refused(answer, "rate_limited", "Wait")
    other = call_as(bridge, await administrator(hass))
    assert (await other("ha_call_service", **ON)).data["outcome"] == "done"


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "notifications_per_minute": 2}]
)
async def test_messages_to_one_target(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Are limited for all clients together."""
    sent = async_mock_service(hass, "notify", "phone")
    for number in range(4):
        await call_tool(
            "ha_call_service", service="notify.phone", data={"message": str(number)}
        )

    assert len(sent) == 2
