"""A person agrees in the client, at once or by a call of its own. Once, and for exactly this."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from custom_components.mcp_bridge.access.guard.attempt import (
    AskFirst,
    CannotAsk,
    Question,
    Reply,
)
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.tools.registry import Answer
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from tests.conftest import CallTool
from tests.tools.checks import refused

from .acting_house import FRONT
from .people import administrator, call_as

UNLOCK: dict[str, Any] = {"service": "lock.unlock", "target": {"entity_id": FRONT}}


def is_open(hass: HomeAssistant) -> bool:
    """Tell whether the front door is unlocked."""
    state = hass.states.get(FRONT)
    assert state is not None
    return state.state == "unlocked"


class Client:
    """A client with a person in front of it, who answers at once, or by a call of its own."""

    def __init__(self, answer: Callable[[], Awaitable[Reply]]) -> None:
        """Take what the person does."""
        self._answer = answer
        self.asked: list[str] = []
        self.answered: tuple[str, Reply] | None = None

    async def ask(self, question: Question, seconds: float) -> Reply:
        """Put the question."""
        self.asked.append(question.message)
        return await self._answer()


def says(reply: Reply) -> Callable[[], Awaitable[Reply]]:
    """Return a person who says one thing."""

    async def answer() -> Reply:
        return reply

    return answer


@pytest.fixture(name="ask")
async def fixture_ask(
    hass: HomeAssistant, bridge: Bridge
) -> Callable[..., Awaitable[Answer]]:
    """Return a function that calls a tool through a client."""
    caller = await administrator(hass)

    async def ask(client: Client, **arguments: Any) -> Answer:
        return await call_as(bridge, caller, asker=client)(
            "ha_call_service", **arguments
        )

    return ask


async def test_the_person_says_yes(hass: HomeAssistant, ask: Any) -> None:
    """The question names the door and how it is now."""
    client = Client(says(Reply.ACCEPTED))

    answer = await ask(client, **UNLOCK)

    assert answer.data["outcome"] == "done"
    assert is_open(hass)
    [question] = client.asked
    assert "Front door" in question
    assert "locked" in question


@pytest.mark.parametrize("reply", [Reply.DECLINED, Reply.CANCELLED, Reply.TIMED_OUT])
async def test_the_person_does_not_agree(
    hass: HomeAssistant, ask: Any, reply: Reply
) -> None:
    """Nothing happens, and there is no token to get round it."""
    answer = await ask(Client(says(reply)), **UNLOCK)

    error = refused(answer, "not_allowed", "Nothing was changed")
    assert error["rule"] == Rule.CONFIRMATION
    assert "token" not in answer.text
    assert not is_open(hass)


async def test_nobody_is_asked_about_a_light(hass: HomeAssistant, ask: Any) -> None:
    """Only where it is needed."""
    client = Client(says(Reply.DECLINED))

    answer = await ask(
        client, service="light.turn_on", target={"entity_id": "light.hall"}
    )

    assert answer.data["outcome"] == "done"
    assert client.asked == []


async def test_a_client_that_cannot_ask_after_all(
    hass: HomeAssistant, ask: Any
) -> None:
    """Goes on by token."""

    async def cannot() -> Reply:
        raise CannotAsk

    answer = await ask(Client(cannot), **UNLOCK)

    assert answer.data["confirm_token"]
    assert not is_open(hass)


async def test_the_house_changes_while_the_person_thinks(
    hass: HomeAssistant, ask: Any
) -> None:
    """Another door has come into the room."""

    async def moves() -> Reply:
        er.async_get(hass).async_update_entity("lock.back", area_id="entrance")
        await hass.async_block_till_done()
        return Reply.ACCEPTED

    answer = await ask(
        Client(moves), service="lock.unlock", target={"area_id": "entrance"}
    )

    assert refused(answer, "conflict")["rule"] == Rule.CHANGED_SINCE
    assert not is_open(hass)


async def test_the_owner_closes_the_door_while_the_person_thinks(
    hass: HomeAssistant, bridge: Bridge, ask: Any
) -> None:
    """The options of the moment count, not those of the question."""

    async def closes() -> Reply:
        bridge.access.async_set_options(
            {"allow_write": True, "entity_denylist": {"patterns": ["lock.*"]}}
        )
        return Reply.ACCEPTED

    answer = await ask(Client(closes), **UNLOCK)

    assert refused(answer, "not_allowed")["rule"] == Rule.ENTITY_LISTS
    assert not is_open(hass)


async def test_writing_is_switched_off_while_the_person_thinks(
    hass: HomeAssistant, bridge: Bridge, ask: Any
) -> None:
    """The tool is gone by then."""

    async def switches_off() -> Reply:
        bridge.access.async_set_options({})
        return Reply.ACCEPTED

    refused(await ask(Client(switches_off), **UNLOCK), "not_allowed")
    assert not is_open(hass)


async def ask_first() -> Reply:
    """Return nothing: the client is to call again."""
    raise AssertionError


class CallingAgain(Client):
    """A client of 2026-07-28, which gets the question back and calls again."""

    async def ask(self, question: Question, seconds: float) -> Reply:
        """End the call."""
        raise AskFirst(question)


async def test_the_answer_comes_with_a_call_of_its_own(
    hass: HomeAssistant, ask: Any
) -> None:
    """Once: the ticket is used up, whoever repeats it."""
    client = CallingAgain(ask_first)
    with pytest.raises(AskFirst) as asked:
        await ask(client, **UNLOCK)
    assert not is_open(hass)

    client.answered = asked.value.question.ticket, Reply.ACCEPTED
    done = await ask(client, **UNLOCK)
    assert done.data["outcome"] == "done"
    assert is_open(hass)

    hass.states.async_set("input_boolean.front", "off")
    await hass.async_block_till_done()
    again = await ask(client, **UNLOCK)
    assert again.data["change_id"] == done.data["change_id"]
    assert not is_open(hass)


@pytest.mark.parametrize(
    ("ticket", "arguments"),
    [
        (None, UNLOCK),
        ("", {"service": "lock.open", "target": {"entity_id": FRONT}}),
    ],
    ids=["made up", "for another call"],
)
async def test_an_answer_without_its_question_is_asked_anew(
    hass: HomeAssistant, ask: Any, ticket: str | None, arguments: dict[str, Any]
) -> None:
    """A ticket that was never given out, or for something else."""
    client = CallingAgain(ask_first)
    with pytest.raises(AskFirst) as asked:
        await ask(client, **UNLOCK)

    client.answered = ticket or asked.value.question.ticket, Reply.ACCEPTED
    if ticket is None:
        client.answered = "made up", Reply.ACCEPTED
    with pytest.raises(AskFirst):
        await ask(client, **arguments)
    assert not is_open(hass)


async def test_a_ticket_of_a_question_is_no_confirm_token(
    hass: HomeAssistant, call_tool: CallTool, bridge: Bridge
) -> None:
    """What a client was given to ask its user cannot be used by the assistant itself, and the other way round."""
    caller = await administrator(hass)
    client = CallingAgain(ask_first)
    asking, plain = call_as(bridge, caller, asker=client), call_as(bridge, caller)
    with pytest.raises(AskFirst) as asked:
        await asking("ha_call_service", **UNLOCK)
    ticket = asked.value.question.ticket

    answer = await plain("ha_call_service", **UNLOCK, confirm_token=ticket)
    assert "unknown" in answer.data["note"]
    client.answered = answer.data["confirm_token"], Reply.ACCEPTED
    with pytest.raises(AskFirst):
        await asking("ha_call_service", **UNLOCK)
    assert not is_open(hass)


async def test_no_is_no_also_when_it_is_repeated(hass: HomeAssistant, ask: Any) -> None:
    """The used-up answer of a call of its own is not told as something that was done."""
    client = CallingAgain(ask_first)
    with pytest.raises(AskFirst) as asked:
        await ask(client, **UNLOCK)
    client.answered = asked.value.question.ticket, Reply.DECLINED

    for _ in range(2):
        error = refused(await ask(client, **UNLOCK), "not_allowed")
        assert error["rule"] == Rule.CONFIRMATION
    assert not is_open(hass)
