"""Helpers that something uses are deleted only when a person has seen what would miss them, and agrees."""

from typing import Any

import pytest

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.house import helper_store
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from tests.conftest import CallTool
from tests.tools.checks import refused, whole

from .helper_house import GUESTS, made, made_of, state_of, undone

AUTOMATION = {
    "id": "1",
    "alias": "Welcome",
    "triggers": [{"trigger": "state", "entity_id": GUESTS}],
    "actions": [{"action": "test.nothing"}],
}
SCRIPT = {
    "leave": {
        "sequence": [
            {"action": "input_boolean.turn_off", "target": {"entity_id": GUESTS}}
        ]
    }
}
CARD = {"views": [{"cards": [{"type": "tile", "entity": GUESTS}]}]}


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act; they ask by token."""
    return {"allow_write": True, "approval": "token"}


@pytest.fixture(name="created")
async def fixture_created(hass: HomeAssistant, call_tool: CallTool) -> dict[str, Any]:
    """Create the helper, and an automation that uses it."""
    created = await made(call_tool)
    assert await async_setup_component(hass, "automation", {"automation": [AUTOMATION]})
    await hass.async_block_till_done()
    return created


async def ask(call_tool: CallTool, **arguments: Any) -> dict[str, Any]:
    """Ask to delete the helper, and return the question."""
    question = whole(await call_tool("ha_delete_helper", entity_id=GUESTS, **arguments))
    assert question["confirmation_required"] is True
    return question


async def test_the_question_names_what_would_miss_it(
    hass: HomeAssistant, call_tool: CallTool, created: dict[str, Any]
) -> None:
    """Automations, scripts, groups and dashboards; and once a person agrees, it is done, and can be undone."""
    group = {"visitors": {"entities": [GUESTS]}}
    assert await async_setup_component(hass, "script", {"script": SCRIPT})
    assert await async_setup_component(hass, "group", {"group": group})
    assert await async_setup_component(hass, "lovelace", {})
    await hass.data["lovelace"].dashboards[None].async_save(CARD)
    await hass.async_block_till_done()

    question = await ask(call_tool)

    assert question["would_do"]["used_by"] == {
        "automations": ["automation.welcome"],
        "scripts": ["script.leave"],
        "groups": ["group.visitors"],
        "dashboards": ["lovelace"],
    }
    assert question["would_do"]["options"] == {"icon": "mdi:account"}
    for name in ("automation.welcome", "script.leave", "the dashboard lovelace"):
        assert name in question["reason"]
    assert made_of(hass, "input_boolean") == [GUESTS]

    token = question["confirm_token"]
    done = whole(
        await call_tool("ha_delete_helper", entity_id=GUESTS, confirm_token=token)
    )
    assert done["deleted"]["used_by"] == question["would_do"]["used_by"]
    assert made_of(hass, "input_boolean") == []
    whole(await undone(call_tool, done["change_id"]))
    assert state_of(hass, GUESTS).attributes["icon"] == "mdi:account"


async def test_a_dry_run_says_that_it_would_be_asked(
    call_tool: CallTool, created: dict[str, Any]
) -> None:
    """So that the person is told in one go."""
    preview = whole(await call_tool("ha_delete_helper", entity_id=GUESTS, dry_run=True))

    assert "automation.welcome" in preview["needs_confirmation"]


async def test_changes_need_no_question(
    call_tool: CallTool, created: dict[str, Any]
) -> None:
    """They can be taken back, and what uses the helper stays whole."""
    changes = {"icon": "mdi:home"}
    answer = await call_tool("ha_update_helper", entity_id=GUESTS, changes=changes)

    assert whole(answer)["outcome"] == "done"


async def test_taking_a_creation_back_asks_as_well(
    hass: HomeAssistant, call_tool: CallTool, created: dict[str, Any]
) -> None:
    """Something has begun to use it."""
    question = whole(await undone(call_tool, created["change_id"]))

    assert question["confirmation_required"] is True
    assert "automation.welcome" in question["reason"]
    assert made_of(hass, "input_boolean") == [GUESTS]
    token = question["confirm_token"]
    done = whole(await undone(call_tool, created["change_id"], confirm_token=token))
    assert done["outcome"] == "done"
    assert made_of(hass, "input_boolean") == []


@pytest.mark.parametrize("changed", ["the helper", "what uses it"])
async def test_what_has_changed_since_the_question(
    hass: HomeAssistant, call_tool: CallTool, created: dict[str, Any], changed: str
) -> None:
    """The person agreed to something else: they are asked again, with what is there now."""
    token = (await ask(call_tool))["confirm_token"]
    if changed == "the helper":
        await helper_store.update(hass, GUESTS, {"icon": "mdi:home"})
    else:
        assert await async_setup_component(hass, "script", {"script": SCRIPT})
        await hass.async_block_till_done()

    again = await ask(call_tool, confirm_token=token)

    assert made_of(hass, "input_boolean") == [GUESTS]
    assert again["confirm_token"] != token
    if changed == "the helper":
        assert again["would_do"]["options"] == {"icon": "mdi:home"}
    else:
        assert again["would_do"]["used_by"]["scripts"] == ["script.leave"]
    token = again["confirm_token"]
    whole(await call_tool("ha_delete_helper", entity_id=GUESTS, confirm_token=token))


async def test_a_token_for_another_helper(
    hass: HomeAssistant, call_tool: CallTool, created: dict[str, Any]
) -> None:
    """It is good for the one it was asked about, once."""
    other = await made(call_tool, name="Other")
    token = (await ask(call_tool))["confirm_token"]
    whole(
        await call_tool(
            "ha_delete_helper",
            entity_id=other["helper"]["entity_id"],
            confirm_token=token,
        )
    )
    assert made_of(hass, "input_boolean") == [GUESTS]

    await ask(call_tool, confirm_token="nonsense")
    first, second = [
        await call_tool("ha_delete_helper", entity_id=GUESTS, confirm_token=token)
        for _ in range(2)
    ]
    assert whole(first)["change_id"] == whole(second)["change_id"]


async def test_users_that_are_hidden_are_counted(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool, created: dict[str, Any]
) -> None:
    """The question is asked all the same, and names none of them."""
    bridge.access.async_set_options(
        {
            "allow_write": True,
            "approval": "token",
            "filter_reads": True,
            "entity_allowlist": {"patterns": ["input_boolean.*"]},
        }
    )

    question = await ask(call_tool)

    assert question["would_do"]["used_by"] == {"others": 1}
    assert "1 that cannot be named" in question["reason"]
    assert "welcome" not in str(question)


async def test_an_agreement_that_is_refused(
    call_tool: CallTool, created: dict[str, Any], bridge: Bridge
) -> None:
    """What may not be done by now is not done with a confirmation either."""
    token = (await ask(call_tool))["confirm_token"]
    bridge.access.async_set_options(
        {"allow_write": True, "entity_denylist": {"patterns": [GUESTS]}}
    )

    answer = await call_tool("ha_delete_helper", entity_id=GUESTS, confirm_token=token)

    refused(answer, "not_allowed", GUESTS)
