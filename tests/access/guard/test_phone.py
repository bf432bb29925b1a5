"""Approval on a phone: only the answer of somebody who may give it, from outside, to this very question."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_mock_service

from custom_components.mcp_bridge.access.guard import phone
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.tools.registry import Answer
from homeassistant.core import Context, EventOrigin, HomeAssistant, ServiceCall
from tests.conftest import CallTool
from tests.tools.checks import refused

from .acting_house import FRONT, state_of

UNLOCK: dict[str, Any] = {"service": "lock.unlock", "target": {"entity_id": FRONT}}


@pytest.fixture(name="options")
def fixture_options(hass_admin_user: MockUser) -> dict[str, Any]:
    """The phone of the administrator is asked."""
    return {
        "allow_write": True,
        "approval": "phone",
        "approval_phone": "mobile_app_phone",
        "approvers": [hass_admin_user.id],
    }


@pytest.fixture(name="sent")
def fixture_sent(hass: HomeAssistant) -> list[ServiceCall]:
    """Return what the phone gets."""
    return async_mock_service(hass, "notify", "mobile_app_phone")


@pytest.fixture(name="impatient")
def fixture_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for an answer a moment only."""
    monkeypatch.setattr(phone, "_WAIT_SECONDS", 0.2)


type Press = Callable[..., None]


@pytest.fixture(name="press")
def fixture_press(
    hass: HomeAssistant, sent: list[ServiceCall], hass_admin_user: MockUser
) -> Press:
    """Return a function that presses a button of the notification, as the app does."""

    def press(
        button: int = 0,
        *,
        action: str | None = None,
        user_id: str | None = hass_admin_user.id,
        origin: EventOrigin = EventOrigin.remote,
    ) -> None:
        pressed = action or sent[-1].data["data"]["actions"][button]["action"]
        hass.bus.async_fire(
            phone.EVENT, {"action": pressed}, origin, Context(user_id=user_id)
        )

    return press


async def asking(
    call_tool: CallTool, sent: list[ServiceCall], **arguments: Any
) -> asyncio.Future[Answer]:
    """Call a tool, and wait until the phone is asked."""
    before = len(sent)
    call = asyncio.ensure_future(call_tool("ha_call_service", **(arguments or UNLOCK)))
    while len(sent) == before and not call.done():
        await asyncio.sleep(0)
    return call


async def test_allowed(
    hass: HomeAssistant, call_tool: CallTool, sent: list[ServiceCall], press: Press
) -> None:
    """The message says what and which; the call waits for it."""
    call = await asking(call_tool, sent)
    assert state_of(hass, FRONT) == "locked"
    assert "Front door" in sent[0].data["message"]

    press()
    answer = await call

    assert answer.data["outcome"] == "done"
    assert state_of(hass, FRONT) == "unlocked"


async def test_denied(
    hass: HomeAssistant, call_tool: CallTool, sent: list[ServiceCall], press: Press
) -> None:
    """And nothing happens; a button that is pressed afterwards changes nothing."""
    call = await asking(call_tool, sent)

    press(1)
    error = refused(await call, "not_allowed", "said no")
    press(0)
    await hass.async_block_till_done()

    assert error["rule"] == Rule.CONFIRMATION
    assert state_of(hass, FRONT) == "locked"


async def test_nobody_answers(
    hass: HomeAssistant,
    call_tool: CallTool,
    sent: list[ServiceCall],
    press: Press,
    impatient: None,
) -> None:
    """In time; too late is too late."""
    answer = await call_tool("ha_call_service", **UNLOCK)
    press()
    await hass.async_block_till_done()

    refused(answer, "not_allowed", "Nobody answered")
    assert state_of(hass, FRONT) == "locked"


async def test_answers_that_do_not_count(
    hass: HomeAssistant,
    call_tool: CallTool,
    sent: list[ServiceCall],
    press: Press,
    hass_read_only_user: MockUser,
) -> None:
    """From inside Home Assistant, from nobody, from others, with another number: the call goes on waiting."""
    call = await asking(call_tool, sent)
    allowing = sent[-1].data["data"]["actions"][0]["action"]

    press(origin=EventOrigin.local)
    press(user_id=None)
    press(user_id=hass_read_only_user.id)
    press(action=allowing[:-1])
    press(action=allowing.upper())
    press(action="MCP_BRIDGE_ALLOW_")
    hass.bus.async_fire(phone.EVENT, {}, EventOrigin.remote)
    await hass.async_block_till_done()
    assert not call.done()
    assert state_of(hass, FRONT) == "locked"

    press(1)
    assert (await call).is_error


async def test_the_answer_to_another_question(
    hass: HomeAssistant, call_tool: CallTool, sent: list[ServiceCall], press: Press
) -> None:
    """Each question has a number of its own, which is good once."""
    first = await asking(call_tool, sent)
    second = await asking(
        call_tool, sent, service="lock.open", target={"entity_id": "lock.back"}
    )
    assert len({call.data["data"]["actions"][0]["action"] for call in sent}) == 2

    press()
    assert (await second).data["outcome"] == "done"
    assert not first.done()
    assert state_of(hass, FRONT) == "locked"
    press(action=sent[0].data["data"]["actions"][1]["action"])
    assert (await first).is_error


async def test_the_same_question_twice(
    hass: HomeAssistant, call_tool: CallTool, sent: list[ServiceCall], press: Press
) -> None:
    """Is asked once."""
    first = await asking(call_tool, sent)
    again = await call_tool("ha_call_service", **UNLOCK)

    assert refused(again, "conflict")["rule"] == Rule.STILL_RUNNING
    assert len(sent) == 1
    press(1)
    await first


@pytest.mark.parametrize("change", ["approver inactive", "approver no administrator"])
async def test_an_approver_who_is_none_any_more(
    hass: HomeAssistant,
    call_tool: CallTool,
    sent: list[ServiceCall],
    press: Press,
    bridge: Bridge,
    *,
    change: str,
    impatient: None,
) -> None:
    """Their answer counts no longer."""
    approver = MockUser(name="approver", is_owner=False).add_to_hass(hass)
    bridge.access.async_set_options(
        {
            "allow_write": True,
            "approval": "phone",
            "approval_phone": "mobile_app_phone",
            "approvers": [approver.id],
        }
    )
    if change == "approver inactive":
        approver.is_active = False
    call = await asking(call_tool, sent)

    press(user_id=approver.id)

    refused(await call, "not_allowed", "Nobody answered")
    assert state_of(hass, FRONT) == "locked"


async def test_no_phone(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Without the phone nobody agrees, and there is no other way."""
    answer = await call_tool("ha_call_service", **UNLOCK)

    refused(answer, "not_allowed", "phone")
    assert "token" not in answer.text
    assert state_of(hass, FRONT) == "locked"


async def test_a_confirm_token_does_not_help(
    hass: HomeAssistant,
    call_tool: CallTool,
    sent: list[ServiceCall],
    press: Press,
    bridge: Bridge,
) -> None:
    """One from before the owner has chosen the phone."""
    options = {"allow_write": True}
    bridge.access.async_set_options(options)
    token = (await call_tool("ha_call_service", **UNLOCK)).data["confirm_token"]
    bridge.access.async_set_options(
        {
            **options,
            "approval": "phone",
            "approval_phone": "mobile_app_phone",
            "approvers": [],
        }
    )
    call = await asking(call_tool, sent, **UNLOCK, confirm_token=token)

    assert not call.done()
    assert state_of(hass, FRONT) == "locked"
    call.cancel()
    await asyncio.wait((call,))
