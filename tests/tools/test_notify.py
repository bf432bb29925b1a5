"""Messages reach whom they are for, once, and nobody else."""

import asyncio
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import (
    MockUser,
    async_get_persistent_notifications,
)

from custom_components.mcp_bridge.access.guard import execution
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from tests.access.people import ordinary_user, reader, user_who_may
from tests.conftest import CallTool
from tests.house.platforms import add_entities
from tests.house.test_notifiers import Bell, Phones, add_phones

from .callers import calling_as_client, calling_as_user, outcomes
from .checks import assert_quiet, refused, well_formed, whole

TOOL = "ha_send_notification"
PHONE = "notify.phone"
PAUL = "notify.mobile_app_paul"
LEA = "notify.mobile_app_lea"
SCREEN = "persistent_notification"


class Broken(Bell):
    """A notify entity that does not work."""

    error: Exception = HomeAssistantError("The line is dead")

    async def async_send_message(self, message: str, title: str | None = None) -> None:
        """Fail."""
        raise self.error


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
    data = {"tag": "x", "actions": [{"action": "YES", "title": "Yes"}]}
    whole(await call_tool(TOOL, target=PHONE, message="Hi", data=data))
    whole(await call_tool(TOOL, target=LEA, message="Hi", data='{"tag": "x"}'))

    assert bell.heard == []
    assert phones.heard[0]["data"] == data
    assert phones.heard[1]["data"] == {"tag": "x"}


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
