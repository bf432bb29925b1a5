"""Messages reach nobody else: what is wrong, closed, not agreed to or too much is sent to nobody at all."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import (
    MockUser,
    async_get_persistent_notifications,
)

from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant
from tests.access.people import ordinary_user, reader, user_who_may
from tests.conftest import CallTool
from tests.house.platforms import add_entities
from tests.house.test_notifiers import Bell, Phones
from tests.tools.callers import calling_as_client, calling_as_user
from tests.tools.checks import refused, well_formed, whole

from .phones import LEA, PAUL, PHONE, SCREEN, TOOL


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({"target": PHONE}, "invalid_arguments", "'message' is missing"),
        ({"target": PHONE, "message": " "}, "invalid_arguments", "'message'"),
        ({"target": PHONE, "message": {}}, "invalid_arguments", "'message'"),
        ({"target": PHONE, "message": "a" * 100_001}, "invalid_arguments", "too long"),
        ({"target": [], "message": "a"}, "invalid_arguments", "'target'"),
        ({"target": ",", "message": "a"}, "invalid_arguments", "'target'"),
        ({"target": "x," * 20, "message": "a"}, "not_found", "'x'"),
        (
            {"target": [f"x{n}" for n in range(21)], "message": "a"},
            "invalid_arguments",
            "at most 20",
        ),
        ({"target": "phnoe", "message": "a"}, "not_found", "notify.phone"),
        ({"target": "light.lamp", "message": "a"}, "not_found", "light.lamp"),
        ({"target": f"{PHONE},nope", "message": "a"}, "not_found", "'nope'"),
        ({"target": PHONE, "message": "a", "data": []}, "invalid_arguments", "'data'"),
        ({"target": SCREEN, "message": "a", "data": {"x": 1}}, "invalid_arguments", ""),
        ({"target": PHONE, "message": "a", "tilte": "x"}, "invalid_arguments", "title"),
        (
            {"target": PHONE, "message": "a", "title": "a" * 256},
            "invalid_arguments",
            "",
        ),
    ],
)
async def test_wrong_arguments(
    hass: HomeAssistant,
    *,
    call_tool: CallTool,
    phones: Phones,
    bell: Bell,
    arguments: dict[str, Any],
    code: str,
    words: str,
) -> None:
    """One is enough, and nothing is sent to anybody."""
    refused(await call_tool(TOOL, **arguments), code, words)

    assert not (bell.heard or phones.heard)
    assert not async_get_persistent_notifications(hass)


async def test_data_that_is_deeper_than_any(call_tool: CallTool, bell: Bell) -> None:
    """It is refused before it is looked through to its end."""
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]

    answer = await call_tool(TOOL, target=PHONE, message="a", data={"x": deep})

    refused(answer, "invalid_arguments")
    well_formed(answer)
    assert bell.heard == []


async def test_an_entity_that_takes_no_data(
    hass: HomeAssistant, call_tool: CallTool, bell: Bell
) -> None:
    """One that cannot take it is enough for nothing to be sent."""
    other = Bell("Other")
    await add_entities(hass, "notify", [other])
    both = f"{PHONE},notify.other"

    answer = await call_tool(TOOL, target=both, message="a", data={"tag": "x"})

    refused(answer, "invalid_arguments", "notify.other")
    assert bell.heard == other.heard == []


HIDDEN = {
    "allow_write": True,
    "filter_reads": True,
    "entity_denylist": {"patterns": [PHONE]},
}


@pytest.mark.parametrize("options", [HIDDEN])
async def test_a_hidden_phone(call_tool: CallTool, phones: Phones, bell: Bell) -> None:
    """It is not there under either of its names, and nothing near it is suggested."""
    listed = whole(await call_tool(TOOL))
    assert [target["target"] for target in listed["targets"]] == [LEA, SCREEN]
    for target in (PHONE, PAUL, "mobile_app_pual"):
        answer = await call_tool(TOOL, target=f"{LEA},{target}", message="Hi")
        refused(answer, "not_found", target)
        assert "paul" not in answer.text.replace(target, "")
        assert "notify.phone" not in answer.text.replace(target, "")

    assert not (bell.heard or phones.heard)


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "entity_denylist": {"patterns": [PHONE]}}]
)
async def test_a_phone_that_is_denied(
    call_tool: CallTool, phones: Phones, bell: Bell
) -> None:
    """By either of its names; and nothing is sent to others."""
    for target in (PHONE, PAUL, f"{LEA},{PHONE}", f"{LEA},{PAUL}"):
        error = refused(
            await call_tool(TOOL, target=target, message="Hi"), "not_allowed"
        )
        assert error["rule"] == Rule.ENTITY_LISTS
    by_service = await call_tool(
        "ha_call_service", service=PAUL, data={"message": "Hi"}
    )
    assert refused(by_service, "not_allowed")["rule"] == Rule.ENTITY_LISTS

    assert not (bell.heard or phones.heard)
    whole(await call_tool(TOOL, target=LEA, message="Hi"))


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "service_denylist": ["notify.mobile_app_*"]}]
)
async def test_a_service_that_is_denied(
    call_tool: CallTool, phones: Phones, bell: Bell
) -> None:
    """Only by the service, which the data needs."""
    more = {"message": "Hi", "data": {"tag": "x"}}
    error = refused(await call_tool(TOOL, target=PHONE, **more), "not_allowed")

    assert error["rule"] == Rule.SERVICE_DENYLIST
    assert not (bell.heard or phones.heard)
    whole(await call_tool(TOOL, target=PHONE, message="Hi"))


async def test_a_client_with_limits(
    hass_admin_user: MockUser, bridge: Bridge, options: dict[str, Any], bell: Bell
) -> None:
    """Its lists count as those of the owner do; without the right to act there is no such tool."""
    limited = calling_as_client(
        bridge, hass_admin_user, options, entity_denylist={"patterns": ["notify.*"]}
    )
    for target in (PHONE, PAUL):
        error = refused(await limited(TOOL, target=target, message="a"), "not_allowed")
        assert error["rule"] == Rule.CLIENT_LISTS
    reading = calling_as_client(bridge, hass_admin_user, options, allow_write=False)
    with pytest.raises(Exception, match="no tool"):
        await reading(TOOL, target=PHONE, message="a")

    assert bell.heard == []


async def test_users_with_fewer_rights(
    hass: HomeAssistant, bridge: Bridge, options: dict[str, Any], bell: Bell
) -> None:
    """A user of the house may, one who may control lights only may not, one who only reads has no such tool."""
    anna = calling_as_user(hass, bridge, ordinary_user(), options)
    whole(await anna(TOOL, target=PHONE, message="From Anna"))
    hass.states.async_set("light.lamp", "on")
    lights: Any = {
        "domains": {"light": {"read": True, "control": True}, "notify": {"read": True}}
    }
    bert = calling_as_user(hass, bridge, user_who_may(hass, lights), options)
    for target in (PHONE, PAUL):
        error = refused(await bert(TOOL, target=target, message="a"), "not_allowed")
        assert error["rule"] == Rule.USER_RIGHTS
    carl = calling_as_user(hass, bridge, reader(), options)
    with pytest.raises(Exception, match="no tool"):
        await carl(TOOL, target=PHONE, message="a")

    assert bell.heard == [("From Anna", None)]


@pytest.mark.parametrize(
    "options",
    [{"allow_write": True, "confirm_domains": ["notify"], "approval": "token"}],
)
async def test_confirmed_messages(call_tool: CallTool, bell: Bell) -> None:
    """Where the owner wants to be asked: once for all targets, and sent once."""
    arguments = {"target": f"{PHONE},{LEA}", "message": "Hi"}
    asked = whole(await call_tool(TOOL, **arguments))
    assert asked["confirmation_required"] is True
    assert bell.heard == []
    token = asked["confirm_token"]

    first = whole(await call_tool(TOOL, **arguments, confirm_token=token))
    again = whole(await call_tool(TOOL, **arguments, confirm_token=token))

    assert first["reached"] == again["reached"] == [PHONE, LEA]
    assert bell.heard == [("Hi", None)]


async def test_not_too_many_to_one_target(
    call_tool: CallTool, phones: Phones, bell: Bell
) -> None:
    """Six in a minute, by whatever name; another target has its own six, and what is refused is not sent to that either."""
    for number in range(6):
        target = (PHONE, PAUL)[number % 2]
        whole(await call_tool(TOOL, target=target, message=str(number)))
        await call_tool(TOOL, target=target, message="tried", dry_run=True)
        await call_tool(TOOL, target="nope", message="tried")

    for target in (PHONE, PAUL, f"{LEA},{PHONE}"):
        error = refused(
            await call_tool(TOOL, target=target, message="more"), "rate_limited"
        )
        assert error["rule"] == Rule.RATE_LIMIT
    assert len(bell.heard) == 3
    assert len(phones.heard) == 3
    whole(await call_tool(TOOL, target=LEA, message="Hi"))
