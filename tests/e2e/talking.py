"""Talking to the house: tools called with the official client, and options set as the frontend does."""

from collections.abc import Iterator
from contextlib import contextmanager
import json
from typing import Any

from mcp import Client
import mcp_types as types

from custom_components.mcp_bridge.const import (
    DEFAULT_CONFIRM_DOMAINS,
    DEFAULT_SERVICE_DENYLIST,
)
from demo_house.house import House

LOCK = "lock.front_door"
UNLOCK: dict[str, Any] = {"service": "lock.unlock", "target": {"entity_id": LOCK}}
# What the forms of the options have in them from the start.
USUAL: dict[str, dict[str, Any]] = {
    "permissions": {
        "require_admin": True,
        "allow_write": False,
        "allow_config_write": False,
        "allow_camera": False,
        "allow_raw_api": False,
    },
    "visibility": {
        "assist_exposed_only": False,
        "filter_reads": False,
        "entity_allowlist": {},
        "entity_denylist": {},
    },
    "confirmation": {
        "confirm_domains": list(DEFAULT_CONFIRM_DOMAINS),
        "service_denylist": list(DEFAULT_SERVICE_DENYLIST),
        "approval": "ask",
    },
}


@contextmanager
def options(house: House, form: str, **changed: Any) -> Iterator[None]:
    """Change the options through one form of the options flow, and put them back."""
    usual = USUAL[form]
    save(house, form, {**usual, **changed})
    try:
        yield
    finally:
        save(house, form, usual)


@contextmanager
def acting(house: House) -> Iterator[None]:
    """Let assistants act, and shut the door afterwards."""
    with options(house, "permissions", allow_write=True, allow_camera=True):
        yield
    house.client.act("lock.lock", entity_id=LOCK)


def save(house: House, form: str, options: dict[str, Any]) -> None:
    """Fill one form of the options flow in."""
    [entry] = house.client.get("/api/config/config_entries/entry?domain=mcp_bridge")
    path = "/api/config/config_entries/options/flow"
    flow = house.client.post(path, {"handler": entry["entry_id"]})
    step = f"{path}/{flow['flow_id']}"
    house.client.post(step, {"next_step_id": form})
    done = house.client.post(step, options)
    assert done["type"] == "create_entry", done


async def all_pages(
    client: Client, name: str, arguments: dict[str, Any]
) -> list[dict[str, Any]]:
    """Follow next_offset to the end."""
    rows: list[dict[str, Any]] = []
    while True:
        page = json.loads(
            await text_of(
                client, name, {**arguments, "limit": 200, "offset": len(rows)}
            )
        )
        rows += page["items"]
        if not page["has_more"]:
            return rows
        assert page["next_offset"] == len(rows)


async def text_of(client: Client, name: str, arguments: dict[str, Any]) -> str:
    """Call a tool, and return the text of its answer, which is no error."""
    result = await client.call_tool(name, arguments)
    text = content_of(result)
    assert not result.is_error, text
    assert json.loads(text) == result.structured_content
    return text


def content_of(result: types.CallToolResult) -> str:
    """Return the one text of an answer."""
    [content] = result.content
    assert isinstance(content, types.TextContent)
    return content.text


async def told(client: Client, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool, and return the data of its answer, which may be an error."""
    result = await client.call_tool(name, arguments)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def state_of(house: House, entity_id: str) -> str:
    """Return the state of an entity, as Home Assistant itself tells it."""
    return str(house.client.get(f"/api/states/{entity_id}")["state"])
