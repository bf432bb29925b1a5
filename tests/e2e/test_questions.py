"""Assistants ask the person in front of the client, in both eras of MCP, and only an explicit yes opens a door."""

import asyncio
from collections.abc import Iterator
from typing import Any

import mcp_types as types
import pytest

from demo_house.house import House
from tests.clients import MODES, SHAKING_HANDS, official_client

from .talking import LOCK, UNLOCK, acting, state_of, told

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]


@pytest.fixture(autouse=True)
def may_act(house: House) -> Iterator[None]:
    """Let assistants act, and shut the door afterwards."""
    with acting(house):
        yield


class Person:
    """Somebody in front of the client."""

    def __init__(self, action: str, content: Any = None) -> None:
        """Take the answer they give."""
        self.action = action
        self.content = content
        self.asked: list[str] = []

    async def __call__(
        self, context: Any, params: types.ElicitRequestParams
    ) -> types.ElicitResult:
        """Answer the question."""
        self.asked.append(params.message)
        if self.action == "nothing":
            await asyncio.sleep(60)
        return types.ElicitResult(action=self.action, content=self.content)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
async def test_the_person_says_yes(house: House, mode: str) -> None:
    """In the client; the question tells which door, and how it is."""
    person = Person("accept", {"confirm": True})
    async with official_client(
        house.mcp_url, house.token, mode, elicitation_callback=person
    ) as client:
        done = await told(client, "ha_call_service", **UNLOCK)
    assert done["outcome"] == "done"
    assert state_of(house, LOCK) == "unlocked"
    [question] = person.asked
    assert "Front Door" in question
    assert "locked" in question


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("action", "content"),
    [
        ("decline", None),
        ("cancel", None),
        ("accept", {"confirm": False}),
        ("accept", None),
    ],
    ids=str,
)
async def test_the_person_does_not_agree(
    house: House, mode: str, action: str, content: Any
) -> None:
    """Only an explicit yes is one."""
    person = Person(action, content)
    async with official_client(
        house.mcp_url, house.token, mode, elicitation_callback=person
    ) as client:
        answer = await told(client, "ha_call_service", **UNLOCK)
    assert answer["error"]["rule"] == "confirmation"
    assert "confirm_token" not in str(answer)
    assert state_of(house, LOCK) == "locked"


async def test_the_person_does_not_answer(house: House) -> None:
    """The client gives up waiting: the door stays shut, and the server goes on."""
    person = Person("nothing")
    async with official_client(
        house.mcp_url, house.token, SHAKING_HANDS, elicitation_callback=person
    ) as client:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2):
                await client.call_tool("ha_call_service", UNLOCK)
        assert person.asked
    async with official_client(house.mcp_url, house.token) as client:
        assert (await told(client, "ha_get_entity", entity_id=LOCK))[
            "state"
        ] == "locked"
