"""Assistants act on a real Home Assistant, with the official client in both eras of MCP, as far as they are let."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from mcp import Client
import mcp_types as types
import pytest

from demo_house.house import House
from tests.clients import ASKING, MODES, SHAKING_HANDS, official_client

from .talking import (
    LOCK,
    UNLOCK,
    USUAL,
    acting,
    content_of,
    options,
    save,
    state_of,
    told,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

LIGHT = "light.bed_light"


@pytest.fixture(autouse=True)
def may_act(house: House) -> Iterator[None]:
    """Let assistants act, and shut the door afterwards."""
    with acting(house):
        yield


@pytest.mark.parametrize("mode", MODES)
async def test_a_light_is_switched_and_put_back(house: House, mode: str) -> None:
    """What the answer says is what Home Assistant says."""
    house.client.act("light.turn_off", entity_id=LIGHT)
    async with official_client(house.mcp_url, house.token, mode) as client:
        target = {"area_id": "Bedroom"}
        tried = await told(
            client,
            "ha_call_service",
            service="light.turn_on",
            target=target,
            dry_run=True,
        )
        assert [told["entity_id"] for told in tried["would_do"]["targets"]] == [LIGHT]
        assert state_of(house, LIGHT) == "off"

        done = await told(
            client,
            "ha_call_service",
            service="light.turn_on",
            target=target,
            data={"brightness_pct": 40},
        )
        assert done["outcome"] == "done"
        assert (done["entities"][0]["before"], done["entities"][0]["after"]) == (
            "off",
            "on",
        )
        assert state_of(house, LIGHT) == "on"

        undone = await told(client, "ha_undo_change", change_id=done["change_id"])
        assert undone["outcome"] == "done"
        assert state_of(house, LIGHT) == "off"


ROUTES: dict[str, tuple[str, dict[str, Any]]] = {
    "plainly": ("ha_call_service", UNLOCK),
    "in the data": (
        "ha_call_service",
        {"service": "lock.unlock", "data": {"entity_id": LOCK}},
    ),
    "with commas": (
        "ha_call_service",
        {
            "service": "lock.unlock",
            "target": {"entity_id": f"{LOCK}, lock.openable_lock"},
        },
    ),
    "all": (
        "ha_call_service",
        {"service": "lock.unlock", "target": {"entity_id": "all"}},
    ),
    "in capitals": (
        "ha_call_service",
        {"service": "Lock.UNLOCK", "target": {"entity_id": LOCK.upper()}},
    ),
    "opened": (
        "ha_call_service",
        {"service": "lock.open", "target": {"entity_id": "lock.openable_lock"}},
    ),
    "turned off": (
        "ha_call_service",
        {"service": "homeassistant.turn_off", "target": {"entity_id": LOCK}},
    ),
    "toggled": (
        "ha_call_service",
        {"service": "homeassistant.toggle", "target": {"entity_id": LOCK}},
    ),
    "a scene": (
        "ha_call_service",
        {"service": "scene.apply", "data": {"entities": {LOCK: "unlocked"}}},
    ),
    "a scene with attributes": (
        "ha_call_service",
        {"service": "scene.apply", "data": {"entities": {LOCK: {"state": "unlocked"}}}},
    ),
    "a scene made": (
        "ha_call_service",
        {
            "service": "scene.create",
            "data": {"scene_id": "open", "entities": {LOCK: "unlocked"}},
        },
    ),
    "a snapshot": ("ha_snapshot_scene", {"name": "Doors", "entities": [LOCK]}),
    "words": (
        "ha_call_service",
        {"service": "conversation.process", "data": {"text": "unlock the front door"}},
    ),
    "a group": (
        "ha_call_service",
        {"service": "group.set", "data": {"object_id": "mine", "entities": [LOCK]}},
    ),
    "code": ("ha_call_service", {"service": "python_script.open"}),
    "the supervisor": ("ha_call_service", {"service": "hassio.host_reboot"}),
    "a restart": ("ha_call_service", {"service": "homeassistant.restart"}),
}


async def test_no_route_opens_the_door_unasked(house: House) -> None:
    """Seventeen ways, of which none is gone to its end; nothing has been changed by then."""
    house.client.act("lock.lock", entity_id=[LOCK, "lock.openable_lock"])
    async with official_client(house.mcp_url, house.token) as client:
        for way, (name, arguments) in ROUTES.items():
            answer = await told(client, name, **arguments)
            assert "error" in answer or answer.get("confirmation_required"), (
                way,
                answer,
            )
            assert state_of(house, LOCK) == "locked", way
            assert state_of(house, "lock.openable_lock") == "locked", way
        changes = await told(client, "ha_list_changes")
    assert not [change for change in changes["items"] if "lock" in change["what"]]


async def test_the_door_by_token(house: House) -> None:
    """Preview, then the same call with the token; repeated, it opens nothing twice."""
    async with official_client(house.mcp_url, house.token) as client:
        preview = await told(client, "ha_call_service", **UNLOCK)
        assert preview["would_do"]["targets"][0]["state"] == "locked"
        token = preview["confirm_token"]
        done = await told(client, "ha_call_service", **UNLOCK, confirm_token=token)
        assert done["entities"][0]["after"] == "unlocked"

        await asyncio.to_thread(house.client.act, "lock.lock", entity_id=LOCK)
        again = await told(client, "ha_call_service", **UNLOCK, confirm_token=token)
        assert again["change_id"] == done["change_id"]
        assert state_of(house, LOCK) == "locked"


async def test_messages_arrive(house: House) -> None:
    """A notification, and an announcement on a player that was playing something else."""
    async with official_client(house.mcp_url, house.token) as client:
        sent = await told(
            client,
            "ha_send_notification",
            target="notify.notifier",
            message="Dinner",
            title="Food",
        )
        assert sent["outcome"] == "done", sent
        assert datetime.fromisoformat(
            state_of(house, "notify.notifier")
        ) > datetime.now(UTC) - timedelta(minutes=1)
        said = await told(
            client,
            "ha_announce",
            target="media_player.bedroom",
            message="Dinner is ready",
        )
        assert said["outcome"] == "done", said
    player = house.client.get("/api/states/media_player.bedroom")
    said_there = player["attributes"]["media_content_id"]
    assert said_there.startswith("media-source://tts/")
    assert "Dinner" in said_there


async def test_a_picture(house: House) -> None:
    """Small enough to be sent, with a word about what it shows."""
    async with official_client(house.mcp_url, house.token) as client:
        result = await client.call_tool(
            "ha_get_camera_snapshot",
            {"entity_id": "camera.demo_camera", "max_side": 200},
        )
    pictures = [
        content for content in result.content if isinstance(content, types.ImageContent)
    ]
    assert [picture.mime_type for picture in pictures] == ["image/jpeg"]
    assert not result.is_error


async def test_the_activity_names_the_client(house: House) -> None:
    """By Home Assistant's own logbook: who caused it, and that it was MCP Bridge."""
    house.client.act("light.turn_off", entity_id=LIGHT)
    start = datetime.now(UTC)
    async with official_client(house.mcp_url, house.token) as client:
        await told(
            client,
            "ha_call_service",
            service="light.turn_on",
            target={"entity_id": LIGHT},
        )
    [owner] = [
        user["id"] for user in house.client.ask("config/auth/list") if user["is_owner"]
    ]
    for _ in range(50):
        rows = house.client.ask(
            "logbook/get_events", start_time=start.isoformat(), entity_ids=[LIGHT]
        )
        if rows:
            break
        await asyncio.sleep(0.2)
    [row] = [row for row in rows if row.get("state") == "on"]
    assert row["context_domain"] == "mcp_bridge"
    assert row["context_name"].startswith("MCP Bridge")
    assert "light.turn_on" in row["context_message"]
    assert row["context_user_id"] == owner


async def test_rights_of_users(house: House) -> None:
    """An ordinary user acts with their own rights, a reader only looks, and who is inactive is out."""
    with options(house, "permissions", allow_write=True, require_admin=False):
        guest = house.add_user("guest")
        async with official_client(house.mcp_url, guest.token) as client:
            done = await told(
                client,
                "ha_call_service",
                service="light.toggle",
                target={"entity_id": LIGHT},
            )
            assert done["outcome"] == "done"
            trigger = await told(
                client, "ha_trigger_automation", entity_id="automation.good_night"
            )
            assert trigger["error"]["rule"] == "elevated"
            helper = await told(
                client, "ha_create_helper", helper_type="counter", name="Mine"
            )
            assert helper["error"]["rule"] == "admin_only"
            [user] = [
                user
                for user in house.client.ask("config/auth/list")
                if user["username"] == "guest"
            ]
            _change_user(house, user, group_ids=["system-read-only"])
            offered = {tool.name for tool in (await client.list_tools()).tools}
            assert "ha_get_entity" in offered
            assert "ha_call_service" not in offered
        _change_user(house, user, group_ids=["system-users"], is_active=False)
        with pytest.raises(Exception, match="401|Unauthorized|Log in|unhandled"):
            async with official_client(house.mcp_url, guest.token) as client:
                await client.list_tools()


def _change_user(house: House, user: dict[str, Any], **changes: Any) -> None:
    house.client.ask("config/auth/update", user_id=user["id"], **changes)


async def test_restarts(house: House) -> None:
    """Between preview and confirmation: a new preview. Between a change and its undo: nothing is lost."""
    house.client.act("light.turn_off", entity_id=LIGHT)
    async with official_client(house.mcp_url, house.token, SHAKING_HANDS) as client:
        done = await told(
            client,
            "ha_call_service",
            service="light.turn_on",
            target={"entity_id": LIGHT},
        )
        token = (await told(client, "ha_call_service", **UNLOCK))["confirm_token"]
        await asyncio.to_thread(house.restart)

        late = await told(client, "ha_call_service", **UNLOCK, confirm_token=token)
        assert late["confirmation_required"]
        assert "unknown" in late["note"]
        assert state_of(house, LOCK) == "locked"
        listed = await told(client, "ha_list_changes")
        assert [change["change_id"] for change in listed["items"]].count(
            done["change_id"]
        ) == 1
        # The lamps of the demo forget their state when Home Assistant restarts, which is a change by somebody else.
        undone = await told(client, "ha_undo_change", change_id=done["change_id"])
        if state_of(house, LIGHT) == "on":
            assert undone["error"]["code"] == "conflict", undone
        else:
            assert (
                undone.get("outcome") == "done" or undone["error"]["code"] == "conflict"
            )


async def test_a_helper_comes_and_goes(house: House) -> None:
    """Made, changed, removed, and brought back after a restart."""
    async with official_client(house.mcp_url, house.token, SHAKING_HANDS) as client:
        made = await told(
            client,
            "ha_create_helper",
            helper_type="input_number",
            name="Guests",
            options={"min": 0, "max": 12, "step": 1},
        )
        assert made["outcome"] == "done", made
        entity_id = "input_number.guests"
        assert state_of(house, entity_id) == "0.0"
        changed = await told(
            client, "ha_update_helper", entity_id=entity_id, changes={"max": 20}
        )
        assert changed["outcome"] == "done", changed
        removed = await told(client, "ha_delete_helper", entity_id=entity_id)
        assert removed["outcome"] == "done", removed
        await asyncio.to_thread(house.restart)
        back = await told(client, "ha_undo_change", change_id=removed["change_id"])
        assert back["outcome"] == "done", back
    assert house.client.get(f"/api/states/{entity_id}")["attributes"]["max"] == 20


async def test_a_todo_item(house: House) -> None:
    """Is added and can be read back."""
    async with official_client(house.mcp_url, house.token) as client:
        done = await told(
            client,
            "ha_manage_todo",
            entity_id="todo.shopping",
            action="add",
            item="Candles",
        )
        assert done["outcome"] == "done", done
    items = house.client.ask("todo/item/list", entity_id="todo.shopping")["items"]
    assert "Candles" in [item["summary"] for item in items]


async def test_reading_only_again(house: House) -> None:
    """The switch acts at once, also on a connection that is open."""
    async with official_client(house.mcp_url, house.token, ASKING) as client:
        assert "ha_call_service" in [
            tool.name for tool in (await client.list_tools()).tools
        ]
        save(house, "permissions", USUAL["permissions"])
        assert "ha_call_service" not in await _names(client)
        with pytest.raises(Exception, match="no tool"):
            content_of(await client.call_tool("ha_call_service", UNLOCK))
    assert state_of(house, LOCK) == "locked"


async def _names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools]


def test_the_log_stays_clean(house: House) -> None:
    """No warning of ours, no blocking call, whatever the tests of this session have done."""
    assert house.problems() == []
