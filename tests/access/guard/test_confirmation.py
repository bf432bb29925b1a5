"""A person agrees, where one has to: by a token. Once, and for exactly this."""

import asyncio
from typing import Any

from freezegun.api import FrozenDateTimeFactory
import pytest

from custom_components.mcp_bridge.access.guard import execution, guard, tickets
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from tests.conftest import CallTool

from .acting_house import FRONT
from .people import administrator, call_as

UNLOCK: dict[str, Any] = {"service": "lock.unlock", "target": {"entity_id": FRONT}}


def is_open(hass: HomeAssistant) -> bool:
    """Tell whether the front door is unlocked."""
    state = hass.states.get(FRONT)
    assert state is not None
    return state.state == "unlocked"


async def token_of(call_tool: CallTool, **arguments: Any) -> str:
    """Ask for something, and return the token that confirms it."""
    answer = await call_tool("ha_call_service", **(arguments or UNLOCK))
    token: str = answer.data["confirm_token"]
    return token


async def test_the_token_opens_the_door_once(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The second call with it is answered with what the first one did, and does nothing."""
    token = await token_of(call_tool)
    assert not is_open(hass)

    done = await call_tool("ha_call_service", **UNLOCK, confirm_token=token)
    assert done.data["outcome"] == "done"
    assert is_open(hass)

    await call_tool(
        "ha_call_service",
        service="lock.lock",
        data={"entity_id": FRONT},
        confirm_token=token,
    )
    hass.states.async_set("input_boolean.front", "off")
    await hass.async_block_till_done()
    again = await call_tool("ha_call_service", **UNLOCK, confirm_token=token)

    assert again.data["change_id"] == done.data["change_id"]
    assert "already" in again.data["note"]
    assert not is_open(hass)


async def test_the_same_token_twice_at_once(
    hass: HomeAssistant, call_tool: CallTool, bridge: Bridge
) -> None:
    """Both calls get the one answer."""
    token = await token_of(call_tool)

    first, second = await asyncio.gather(
        call_tool("ha_call_service", **UNLOCK, confirm_token=token),
        call_tool("ha_call_service", **UNLOCK, confirm_token=token),
    )

    assert first.data["change_id"] == second.data["change_id"]
    assert len(list(bridge.journal)) == 1


async def test_the_order_of_keys_does_not_matter(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Models write the same call down in another order, or with a text for a list."""
    token = await token_of(
        call_tool,
        service="lock.unlock",
        target={"entity_id": FRONT},
        data={
            "code": "1",
        },
    )

    answer = await call_tool(
        "ha_call_service",
        confirm_token=token,
        data={"code": "1"},
        target={"entity_id": [FRONT.upper()]},
        service="LOCK.unlock",
    )

    assert answer.data["outcome"] == "done", answer.text


OTHER_CALLS: dict[str, dict[str, Any]] = {
    "another door": {"service": "lock.unlock", "target": {"entity_id": "lock.back"}},
    "one more door": {
        "service": "lock.unlock",
        "target": {"entity_id": f"{FRONT},lock.back"},
    },
    "another service": {"service": "lock.open", "target": {"entity_id": FRONT}},
    "other data": {**UNLOCK, "data": {"code": "2"}},
    "in the data": {"service": "lock.unlock", "data": {"entity_id": FRONT}},
}


@pytest.mark.parametrize("call", OTHER_CALLS.values(), ids=list(OTHER_CALLS))
async def test_a_token_is_good_for_nothing_else(
    hass: HomeAssistant, call_tool: CallTool, call: dict[str, Any]
) -> None:
    """It is gone after that: a fresh preview has a token of its own."""
    token = await token_of(call_tool)

    answer = await call_tool("ha_call_service", **call, confirm_token=token)
    late = await call_tool("ha_call_service", **UNLOCK, confirm_token=token)

    assert answer.data["confirmation_required"], answer.text
    assert "made for something else" in answer.data["note"]
    assert late.data["confirmation_required"]
    assert late.data["confirm_token"] not in (token, answer.data["confirm_token"])
    assert not is_open(hass)


async def test_a_token_of_somebody_else(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Another user, another login of the same user: neither can use it."""
    other = await administrator(hass)
    logins = (other, Caller(other.user, "another login"))
    token = (await call_as(bridge, other)("ha_call_service", **UNLOCK)).data[
        "confirm_token"
    ]

    for call in (call_tool, call_as(bridge, logins[1])):
        answer = await call("ha_call_service", **UNLOCK, confirm_token=token)
        assert answer.data["confirmation_required"]
        token = (await call_as(bridge, other)("ha_call_service", **UNLOCK)).data[
            "confirm_token"
        ]

    assert not is_open(hass)


@pytest.mark.parametrize("token", ["nonsense", "", " ", "é\ud83d", "x" * 200])
async def test_a_made_up_token_gets_a_preview(
    hass: HomeAssistant, call_tool: CallTool, token: str
) -> None:
    """With a good token in it, and a word about the bad one."""
    answer = await call_tool("ha_call_service", **UNLOCK, confirm_token=token)

    assert not is_open(hass)
    if not answer.is_error:
        assert "unknown" in answer.data["note"]
        done = await call_tool(
            "ha_call_service", **UNLOCK, confirm_token=answer.data["confirm_token"]
        )
        assert done.data["outcome"] == "done"


async def test_a_token_expires(
    hass: HomeAssistant, call_tool: CallTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After five minutes it is too late."""
    token = await token_of(call_tool)
    monkeypatch.setattr(tickets, "LIFETIME_SECONDS", -1)

    answer = await call_tool("ha_call_service", **UNLOCK, confirm_token=token)

    assert "expired" in answer.data["note"]
    assert not is_open(hass)


async def test_the_oldest_of_too_many_tokens_ends(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """At most twenty questions of one client are open."""
    token = await token_of(call_tool)
    for number in range(20):
        await token_of(call_tool, **UNLOCK, data={"code": str(number)})

    answer = await call_tool("ha_call_service", **UNLOCK, confirm_token=token)

    assert "unknown" in answer.data["note"]
    assert not is_open(hass)


async def test_what_it_reaches_has_changed(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The person agreed to one door in that room; now there are two."""
    room = {"service": "lock.unlock", "target": {"area_id": "entrance"}}
    token = await token_of(call_tool, **room)
    er.async_get(hass).async_update_entity("lock.back", area_id="entrance")

    answer = await call_tool("ha_call_service", **room, confirm_token=token)

    assert answer.data["confirmation_required"]
    assert not is_open(hass)


async def test_a_token_where_none_is_needed(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """It is ignored."""
    answer = await call_tool(
        "ha_call_service",
        service="light.turn_on",
        target={"entity_id": "light.hall"},
        confirm_token="anything",
    )

    assert answer.data["outcome"] == "done"


async def test_a_dry_run_does_not_use_a_token_up(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """It only tells, and tells that a question would come."""
    token = await token_of(call_tool)

    tried = await call_tool(
        "ha_call_service", **UNLOCK, confirm_token=token, dry_run=True
    )
    assert "lock" in tried.data["needs_confirmation"]
    assert not is_open(hass)

    await call_tool("ha_call_service", **UNLOCK, confirm_token=token)
    assert is_open(hass)


async def test_a_restart_forgets_the_questions(
    hass: HomeAssistant,
    bridge: Bridge,
    call_tool: CallTool,
    caller: Caller,
    freezer: FrozenDateTimeFactory,
) -> None:
    """The preview comes anew, and nothing is done twice."""
    token = await token_of(call_tool)
    [entry] = hass.config_entries.async_entries("mcp_bridge")
    assert await hass.config_entries.async_reload(entry.entry_id)

    answer = await entry.runtime_data.registry.call(
        "ha_call_service", {**UNLOCK, "confirm_token": token}, caller
    )

    assert "unknown" in answer.data["note"]
    assert not is_open(hass)


async def test_a_dry_run_with_a_used_token(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Tells what would happen, not what has."""
    token = await token_of(call_tool)
    await call_tool("ha_call_service", **UNLOCK, confirm_token=token)

    tried = await call_tool(
        "ha_call_service", **UNLOCK, confirm_token=token, dry_run=True
    )

    assert tried.data["dry_run"] is True


async def test_a_confirmed_call_that_still_runs_is_repeated(
    hass: HomeAssistant,
    bridge: Bridge,
    call_tool: CallTool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second call does not wait for ever."""
    monkeypatch.setattr(execution, "EXECUTE_SECONDS", 0.05)
    monkeypatch.setattr(guard, "EXECUTE_SECONDS", 0.05)
    bridge.access.async_set_options(
        {"allow_write": True, "confirm_domains": ["script"]}
    )
    token = (await call_tool("ha_run_script", entity_id="script.slow")).data[
        "confirm_token"
    ]

    for _ in range(2):
        answer = await call_tool(
            "ha_run_script", entity_id="script.slow", confirm_token=token
        )
        assert answer.data["outcome"] == "unknown"
    await hass.services.async_call(
        "script", "turn_off", {"entity_id": "script.slow"}, blocking=True
    )


async def test_one_client_does_not_push_out_the_tokens_of_others(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """However much it asks."""
    token = await token_of(call_tool)
    other = call_as(bridge, await administrator(hass))
    for number in range(150):
        await other("ha_call_service", **UNLOCK, data={"code": str(number)})

    await call_tool("ha_call_service", **UNLOCK, confirm_token=token)

    assert is_open(hass)
