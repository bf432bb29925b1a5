"""What was done can be taken back, once, and unless somebody has changed it since; also after a restart."""

from typing import Any

import pytest

from custom_components.mcp_bridge.access.audit import STORE_KEY as AUDIT_KEY
from custom_components.mcp_bridge.access.journal import (
    STORE_KEY as JOURNAL_KEY,
    Change,
    Journal,
)
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from tests.conftest import CallTool
from tests.tools.checks import refused, whole

from .acting_house import FRONT, HALL, state_of
from .people import call_as, ordinary

ON: dict[str, Any] = {"service": "light.turn_on", "target": {"entity_id": HALL}}


async def test_undo(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Takes back what was done, once; and can be taken back itself."""
    done = whole(await call_tool("ha_call_service", **ON))

    undone = whole(await call_tool("ha_undo_change", change_id=done["change_id"]))
    assert undone["outcome"] == "done"
    assert state_of(hass, HALL) == "off"
    again = await call_tool("ha_undo_change", change_id=done["change_id"])
    assert refused(again, "conflict")["rule"] == Rule.CHANGED_SINCE
    whole(await call_tool("ha_undo_change", change_id=undone["change_id"]))
    assert state_of(hass, HALL) == "on"

    items = whole(await call_tool("ha_list_changes"))["items"]
    assert [item["can_be_undone"] for item in items] == [True, False, False]
    assert [bool(item.get("undone")) for item in items] == [False, True, True]


async def test_undo_asks_about_doors_too(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Locking is taken back by unlocking."""
    await hass.services.async_call(
        "lock", "unlock", {"entity_id": FRONT}, blocking=True
    )
    lock = {"service": "lock.lock", "target": {"entity_id": FRONT}}
    token = (await call_tool("ha_call_service", **lock)).data["confirm_token"]
    done = whole(await call_tool("ha_call_service", **lock, confirm_token=token))

    answer = await call_tool("ha_undo_change", change_id=done["change_id"])

    assert answer.data["confirmation_required"]
    assert state_of(hass, FRONT) == "locked"
    await call_tool(
        "ha_undo_change",
        change_id=done["change_id"],
        confirm_token=answer.data["confirm_token"],
    )
    assert state_of(hass, FRONT) == "unlocked"


async def test_undo_of_what_somebody_has_changed(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Is refused, with the difference, and changes nothing."""
    done = whole(await call_tool("ha_call_service", **ON))
    await hass.services.async_call(
        "light", "turn_off", {"entity_id": HALL}, blocking=True
    )
    await hass.async_block_till_done()

    answer = await call_tool("ha_undo_change", change_id=done["change_id"])

    error = refused(answer, "conflict", HALL, "was on, now off")
    assert error["rule"] == Rule.CHANGED_SINCE
    assert state_of(hass, HALL) == "off"


async def test_a_dry_run_of_undo(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Tells what would be put back."""
    done = whole(await call_tool("ha_call_service", **ON))

    data = whole(
        await call_tool("ha_undo_change", change_id=done["change_id"], dry_run=True)
    )

    assert data["would_do"]["restores"][HALL] == "off"
    assert state_of(hass, HALL) == "on"


@pytest.mark.parametrize("change_id", ["nope", "../..", "x" * 200, "{{ 1 }}"])
async def test_no_such_change(call_tool: CallTool, change_id: str) -> None:
    """The error says where to look."""
    refused(
        await call_tool("ha_undo_change", change_id=change_id),
        "not_found",
        "ha_list_changes",
    )


async def test_what_cannot_be_undone(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Says so at once, and when it is tried."""
    done = whole(
        await call_tool(
            "ha_call_service",
            service="input_button.press",
            target={"entity_id": "input_button.harmless"},
        )
    )

    assert done["can_be_undone"] is False
    refused(
        await call_tool("ha_undo_change", change_id=done["change_id"]),
        "invalid_arguments",
        "cannot be taken back",
    )


async def test_a_target_that_has_gone(hass: HomeAssistant, call_tool: CallTool) -> None:
    """The entity was removed, or does not answer any more."""
    done = whole(await call_tool("ha_call_service", **ON))
    hass.states.async_set(HALL, "unavailable")

    refused(
        await call_tool("ha_undo_change", change_id=done["change_id"]),
        "unavailable",
        HALL,
    )


async def test_whose_changes_are_seen(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Administrators see all, others their own; nobody those of what is hidden from them."""
    bridge.access.async_set_options({"allow_write": True, "require_admin": False})
    person = await ordinary(hass)
    theirs = whole(await call_as(bridge, person)("ha_call_service", **ON))
    ours = whole(
        await call_tool(
            "ha_call_service",
            service="light.turn_on",
            target={"entity_id": "light.kitchen"},
        )
    )

    seen = whole(await call_as(bridge, person)("ha_list_changes"))["items"]
    assert [item["change_id"] for item in seen] == [theirs["change_id"]]
    assert len(whole(await call_tool("ha_list_changes"))["items"]) == 2
    refused(
        await call_as(bridge, person)("ha_undo_change", change_id=ours["change_id"]),
        "not_found",
    )

    bridge.access.async_set_options(
        {
            "allow_write": True,
            "filter_reads": True,
            "entity_denylist": {"patterns": [HALL]},
        }
    )
    hidden = await call_tool("ha_list_changes")
    assert [item["change_id"] for item in hidden.data["items"]] == [ours["change_id"]]
    assert "Hall" not in hidden.text
    refused(
        await call_tool("ha_undo_change", change_id=theirs["change_id"]), "not_found"
    )


async def test_a_restart_between_write_and_undo(
    hass: HomeAssistant,
    bridge: Bridge,
    call_tool: CallTool,
    caller: Caller,
    hass_storage: dict[str, Any],
) -> None:
    """The record and the way back are still there, each once."""
    done = whole(await call_tool("ha_call_service", **ON))
    [entry] = hass.config_entries.async_entries("mcp_bridge")
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert len(hass_storage[JOURNAL_KEY]["data"]["changes"]) == 1
    assert len(hass_storage[AUDIT_KEY]["data"]["records"]) == 1
    assert await hass.config_entries.async_setup(entry.entry_id)
    registry = entry.runtime_data.registry

    listed = whole(await registry.call("ha_list_changes", {}, caller))
    assert [item["change_id"] for item in listed["items"]] == [done["change_id"]]
    whole(
        await registry.call("ha_undo_change", {"change_id": done["change_id"]}, caller)
    )

    assert state_of(hass, HALL) == "off"
    assert [record["outcome"] for record in entry.runtime_data.audit.records] == [
        "ok",
        "ok",
    ]


def change(number: int, size: int = 10) -> Change:
    """Return a change for the journal."""
    undo = {"kind": "states", "data": {"before": "x" * size, "after": []}}
    return Change(
        id=f"{number:05}",
        time="",
        user="",
        user_id="",
        client="",
        tool="",
        summary="",
        targets=(),
        undo=undo,
    )


@pytest.mark.parametrize(
    ("count", "size", "kept"), [(250, 10, 200), (12, 1_000_000, 4), (1, 6_000_000, 0)]
)
async def test_the_journal_is_bounded(
    hass: HomeAssistant, count: int, size: int, kept: int
) -> None:
    """The oldest are dropped first."""
    journal = Journal(hass)
    for number in range(count):
        journal.add(change(number, size))

    assert [kept_change.id for kept_change in journal] == [
        f"{number:05}" for number in reversed(range(count - kept, count))
    ]


async def test_a_removed_entry_leaves_nothing(
    hass: HomeAssistant,
    bridge: Bridge,
    call_tool: CallTool,
    hass_storage: dict[str, Any],
) -> None:
    """Neither records nor ways back."""
    await call_tool("ha_call_service", **ON)
    [entry] = hass.config_entries.async_entries("mcp_bridge")

    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()

    assert JOURNAL_KEY not in hass_storage
    assert AUDIT_KEY not in hass_storage


async def test_undo_needs_the_rights_of_what_it_does(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """Switching an automation off is anybody's to do, switching it on again is not."""
    bridge.access.async_set_options({"allow_write": True, "require_admin": False})
    call = call_as(bridge, await ordinary(hass))
    done = whole(
        await call(
            "ha_set_automation", entity_id="automation.night_light", enabled=False
        )
    )

    answer = await call("ha_undo_change", change_id=done["change_id"])

    assert refused(answer, "not_allowed")["rule"] == Rule.ELEVATED
    assert state_of(hass, "automation.night_light") == "off"


async def test_the_difference_names_nothing_hidden(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Some entities tell the id of another one."""
    assert await async_setup_component(
        hass, "input_text", {"input_text": {"note": {"name": "Note", "initial": "a"}}}
    )
    write = {
        "service": "input_text.set_value",
        "target": {"entity_id": "input_text.note"},
    }
    done = whole(await call_tool("ha_call_service", **write, data={"value": "x"}))
    hass.states.async_set("input_text.note", FRONT)
    bridge.access.async_set_options(
        {
            "allow_write": True,
            "filter_reads": True,
            "entity_denylist": {"patterns": ["lock.*"]},
        }
    )

    answer = await call_tool("ha_undo_change", change_id=done["change_id"])

    refused(answer, "conflict", "(hidden)")
    assert FRONT not in answer.text


@pytest.mark.parametrize(
    ("state", "attributes"),
    [
        ("\ud83d", {}),
        (
            "on",
            {
                "effect": "\ud83d",
                "level": 2**70,
                "when": object(),
                "rate": float("nan"),
            },
        ),
    ],
    ids=["state", "attributes"],
)
async def test_a_state_that_cannot_be_stored(
    hass: HomeAssistant, call_tool: CallTool, state: str, attributes: dict[str, Any]
) -> None:
    """Keeps nothing else from being stored."""
    hass.states.async_set(HALL, state, attributes)
    whole(await call_tool("ha_call_service", **ON))
    [entry] = hass.config_entries.async_entries("mcp_bridge")

    assert await hass.config_entries.async_unload(entry.entry_id)
