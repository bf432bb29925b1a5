"""Messages reach whom they are for, once, also when a part of them fails."""

import asyncio
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import (
    async_get_persistent_notifications,
)

from custom_components.mcp_bridge.access.guard import execution
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from tests.conftest import CallTool
from tests.house.platforms import add_entities
from tests.house.test_notifiers import Bell, Phones
from tests.tools.callers import outcomes
from tests.tools.checks import refused, whole

from .phones import LEA, PAUL, PHONE, SCREEN, TOOL


class Broken(Bell):
    """A notify entity that does not work."""

    error: Exception = HomeAssistantError("The line is dead")

    async def async_send_message(self, message: str, title: str | None = None) -> None:
        """Fail."""
        raise self.error


def sent(phones: Phones) -> list[tuple[str, list[str]]]:
    """Return what the older service has sent to whom."""
    return [(heard["message"], heard["target"]) for heard in phones.heard]


async def test_a_message(call_tool: CallTool, bell: Bell, bridge: Bridge) -> None:
    """It arrives, is told, is on record, and cannot be undone."""
    answer = whole(await call_tool(TOOL, target="phone", message="Hello", title="T"))

    assert bell.heard == [("Hello", "T")]
    assert answer["outcome"] == "done"
    assert answer["summary"] == f"send a message to {PHONE}"
    assert answer["reached"] == [PHONE]
    assert answer["can_be_undone"] is False
    assert "notes" not in answer
    assert outcomes(bridge) == ["ok"]


async def test_where_messages_can_be_sent(
    call_tool: CallTool, phones: Phones, bell: Bell, bridge: Bridge
) -> None:
    """Without a target, and without a message; nothing is sent, and no attempt is on record."""
    for arguments in ({}, {"message": "Hello"}, {"target": None}):
        answer = whole(await call_tool(TOOL, **arguments))
        assert [target["target"] for target in answer["targets"]] == [
            PHONE,
            LEA,
            PAUL,
            SCREEN,
        ]
    assert answer["targets"][0] == {
        "target": PHONE,
        "name": "Phone",
        "takes_data": True,
    }
    assert answer["total"] == 4
    assert not (bell.heard or phones.heard)
    assert outcomes(bridge) == []


async def test_several_targets(
    hass: HomeAssistant, call_tool: CallTool, phones: Phones, bell: Bell
) -> None:
    """In one text or in a list; a phone with two names gets it once."""
    target = f"phone, {LEA},{PAUL} ,{SCREEN}, notify.persistent_notification"
    answer = whole(await call_tool(TOOL, target=target, message="Hi"))

    assert answer["reached"] == [PAUL, LEA, SCREEN]
    assert sorted(sent(phones)) == [("Hi", ["webhook-1"]), ("Hi", ["webhook-2"])]
    assert bell.heard == []
    assert len(async_get_persistent_notifications(hass)) == 1


async def test_data_goes_by_the_service_that_takes_it(
    call_tool: CallTool, phones: Phones, bell: Bell
) -> None:
    """Also when the phone is named by its entity; the data may come as a text."""
    data = {"tag": "x", "channel": {"name": "Doorbell"}}
    whole(await call_tool(TOOL, target=PHONE, message="Hi", data=data))
    whole(await call_tool(TOOL, target=LEA, message="Hi", data='{"tag": "x"}'))

    assert bell.heard == []
    assert phones.heard[0]["data"] == data
    assert phones.heard[1]["data"] == {"tag": "x"}


@pytest.mark.parametrize(
    ("message", "data"),
    [
        ("Hi", {"actions": [{"action": "YES", "title": "Yes"}]}),
        ("command_activity", {"intent_action": "CALL"}),
        ("Hi", {"tag": "mcp_bridge_approval"}),
    ],
    ids=["buttons", "command", "approval"],
)
async def test_what_does_more_than_tell_something_is_asked_about(
    call_tool: CallTool, phones: Phones, message: str, data: dict[str, Any]
) -> None:
    """Buttons set automations off, commands operate the phone, and approvals are the bridge's own."""
    answer = await call_tool(TOOL, target=PHONE, message=message, data=data)

    assert answer.data["confirmation_required"]
    assert phones.heard == []


async def test_a_long_message_is_cut(call_tool: CallTool, bell: Bell) -> None:
    """At 1,000 characters, which is told, also beforehand."""
    long = "é" * 1_001
    tried = whole(await call_tool(TOOL, target=PHONE, message=long, dry_run=True))
    answer = whole(await call_tool(TOOL, target=PHONE, message=long))
    whole(await call_tool(TOOL, target=PHONE, message="a" * 1_000))

    note = "The message was cut at 1000 of its 1001 characters."
    assert answer["notes"] == tried["would_do"]["notes"] == [note]
    assert [len(message) for message, _ in bell.heard] == [1_000, 1_000]
    assert bell.heard[0][0].endswith("é…")


async def test_trying_it_out(
    call_tool: CallTool, phones: Phones, bell: Bell, bridge: Bridge
) -> None:
    """The calls are told, with the whole message; nothing is sent."""
    answer = whole(
        await call_tool(TOOL, target=f"{PHONE},{LEA}", message="Hi", dry_run=True)
    )

    assert answer["dry_run"] is True
    assert answer["would_do"]["calls"] == [
        {"to": PHONE, "service": "notify.send_message", "data": {"message": "Hi"}},
        {"to": LEA, "service": LEA, "data": {"message": "Hi"}},
    ]
    assert answer["would_do"]["targets"][0]["entity_id"] == PHONE
    assert not (bell.heard or phones.heard)
    assert outcomes(bridge) == ["dry_run"]


async def test_one_of_two_fails(
    hass: HomeAssistant, call_tool: CallTool, bell: Bell, bridge: Bridge
) -> None:
    """The other one got it, and must not get it again."""
    await add_entities(hass, "notify", [Broken("Dead")])

    answer = whole(await call_tool(TOOL, target=f"notify.dead,{PHONE}", message="Hi"))

    assert answer["outcome"] == "partly_done"
    assert answer["reached"] == [PHONE]
    assert answer["failed"] == {"notify.dead": "The line is dead"}
    assert bell.heard == [("Hi", None)]
    assert outcomes(bridge) == ["ok"]


async def test_all_fail(
    hass: HomeAssistant, call_tool: CallTool, bridge: Bridge
) -> None:
    """Then it is an error, in Home Assistant's words."""
    await add_entities(hass, "notify", [Broken("Dead"), Broken("Deader")])

    answer = await call_tool(TOOL, target="notify.dead,notify.deader", message="Hi")

    refused(answer, "home_assistant_error", "The line is dead")
    assert outcomes(bridge) == ["error"]


async def test_an_unexpected_failure(
    hass: HomeAssistant,
    call_tool: CallTool,
    bell: Bell,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Integrations raise anything; what it is stands in the log, not in the answer."""
    dead = Broken("Dead")
    dead.error = ValueError("secret inside")
    await add_entities(hass, "notify", [dead])

    answer = whole(await call_tool(TOOL, target=f"notify.dead,{PHONE}", message="Hi"))

    assert "unexpectedly" in answer["failed"]["notify.dead"]
    assert bell.heard == [("Hi", None)]
    assert "secret inside" in caplog.text
    caplog.clear()


async def test_an_unavailable_phone(
    hass: HomeAssistant, call_tool: CallTool, bell: Bell
) -> None:
    """Said before anything is sent, and in the list."""
    away = Bell("Away", available=False)
    await add_entities(hass, "notify", [away])

    answer = await call_tool(TOOL, target=f"{PHONE},notify.away", message="Hi")
    listed = whole(await call_tool(TOOL))

    refused(answer, "unavailable", "notify.away")
    assert bell.heard == []
    assert listed["targets"][0]["available"] is False


async def test_a_slow_service(
    hass: HomeAssistant,
    call_tool: CallTool,
    bridge: Bridge,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It goes on, which is told; the same is not sent twice meanwhile."""
    monkeypatch.setattr(execution, "EXECUTE_SECONDS", 0.01)
    done = asyncio.Event()

    class Slow(Bell):
        async def async_send_message(
            self, message: str, title: str | None = None
        ) -> None:
            await done.wait()
            self.heard.append((message, title))

    slow = Slow("Slow")
    await add_entities(hass, "notify", [slow])

    answer = whole(await call_tool(TOOL, target="slow", message="Hi"))
    again = await call_tool(TOOL, target="slow", message="Hi")
    done.set()
    await hass.async_block_till_done()

    assert answer["outcome"] == "unknown"
    assert refused(again, "conflict")["rule"] == Rule.STILL_RUNNING
    assert slow.heard == [("Hi", None)]
    assert outcomes(bridge) == ["unknown", f"refused:{Rule.STILL_RUNNING}", "ok"]
