"""The official MCP client asks a real Home Assistant, in both eras of MCP."""

import asyncio
import json
from typing import Any

import httpx2
from mcp import MCPError
import mcp_types as types
import pytest

from demo_house.house import House
from tests.clients import ASKING, CALL, MODERN, MODES, SHAKING_HANDS, official_client

from .talking import all_pages, content_of, options, text_of

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

LIGHT = "light.kitchen_lights"
# Arguments for each tool, and what the answer of a furnished house has to show.
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "ha_get_overview": ({}, "Kitchen"),
    "ha_search_entities": ({"query": "küche licht"}, "Küchenlicht"),
    "ha_list_entities": ({"area": "Kitchen", "limit": "5"}, LIGHT),
    "ha_get_entity": ({"entity_id": LIGHT}, "Kitchen Lights"),
    "ha_list_areas": ({}, "living_room"),
    "ha_list_devices": ({"search": "light"}, "Bed Light"),
    "ha_list_services": ({"domain": "light"}, "turn_on"),
    "ha_list_changes": ({}, "total"),
    "ha_get_system": ({"section": "config"}, "2026.11.0"),
    "ha_get_self_test": ({}, '"verdict":"ok"'),
}
URIS = {
    "ha://overview": "Kitchen",
    "ha://areas": "living_room",
    "ha://services": "light",
    "ha://config": "2026.11.0",
    "ha://area/kitchen": "notable",
    f"ha://entity/{LIGHT}": "brightness",
}


@pytest.mark.parametrize("mode", MODES)
async def test_every_tool_answers_truthfully(house: House, mode: str) -> None:
    """Every tool that is listed is called."""
    async with official_client(house.mcp_url, house.token, mode) as client:
        assert (client.protocol_version == MODERN) == (mode == ASKING)
        listed = [tool.name for tool in (await client.list_tools()).tools]
        assert sorted(listed) == sorted(CALLS)
        for name, (arguments, shown) in CALLS.items():
            text = await text_of(client, name, arguments)
            assert shown in text, (name, text[:2000])
            assert len(text.encode()) <= 15_000


@pytest.mark.parametrize("mode", MODES)
async def test_every_resource_is_read(house: House, mode: str) -> None:
    """Those with a fixed address are the ones that are listed."""
    async with official_client(house.mcp_url, house.token, mode) as client:
        listed = {
            str(resource.uri) for resource in (await client.list_resources()).resources
        }
        assert listed == {uri for uri in URIS if uri.count("/") == 2}
        for uri, shown in URIS.items():
            [content] = (await client.read_resource(uri)).contents
            assert isinstance(content, types.TextResourceContents)
            assert shown in content.text, (uri, content.text)


async def test_entities_are_as_home_assistant_says(house: House) -> None:
    """State and attributes of every entity of the house equal what its own REST API gives."""
    states = {state["entity_id"]: state for state in house.client.get("/api/states")}
    async with official_client(house.mcp_url, house.token) as client:
        listed = await all_pages(
            client, "ha_list_entities", {"state": "!=no such state"}
        )
        assert {row["entity_id"] for row in listed} == states.keys()
        for row in listed:
            assert row["name"] == (
                states[row["entity_id"]]["attributes"].get("friendly_name")
                or row["name"]
            )
        detail = json.loads(
            await text_of(client, "ha_get_entity", {"entity_id": LIGHT})
        )
    shown = {key: detail["attributes"].get(key) for key in states[LIGHT]["attributes"]}
    assert shown == states[LIGHT]["attributes"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("kuchenlicht", "Küchenlicht"),
        ("kuche licht", "Küchenlicht"),
        ("lumiere entree", "Lumière de l'entrée"),
        ("свет кухня", "Свет на кухне"),
        ("客厅", "客厅灯"),
        ("loftlampe stue", "Loftslampe stue"),
        ("offnung tur", "Öffnung Tür"),
        ("bed light", "Bed Light"),
        ("xyzzy qwrtp", None),
    ],
)
async def test_search_finds_what_a_person_means(
    house: House, query: str, first: str | None
) -> None:
    """In a house with everything else around it."""
    async with official_client(house.mcp_url, house.token) as client:
        found = json.loads(
            await text_of(client, "ha_search_entities", {"query": query})
        )["items"]
    assert [item["name"] for item in found[:1]] == ([first] if first else [])


async def test_changed_options_hide_at_once(house: House) -> None:
    """Set over the options flow, as the frontend does; the open connection obeys, and nothing else is lost."""
    async with official_client(house.mcp_url, house.token) as client:
        before = json.loads(await text_of(client, "ha_list_entities", {}))["total"]
        with options(
            house,
            "visibility",
            filter_reads=True,
            entity_denylist={"patterns": ["light.*"]},
        ):
            result = await client.call_tool("ha_get_entity", {"entity_id": LIGHT})
            unknown = await client.call_tool(
                "ha_get_entity", {"entity_id": "light.nope_nope"}
            )
            assert result.is_error
            assert unknown.is_error
            message = content_of(result).replace(LIGHT, "light.nope_nope")
            assert message == content_of(unknown)
            assert (
                json.loads(await text_of(client, "ha_list_entities", {}))["total"]
                < before
            )
            overview = await text_of(client, "ha_get_overview", {})
            assert "Kitchen Lights" not in overview
            with pytest.raises(MCPError):
                await client.read_resource(f"ha://entity/{LIGHT}")
        assert (
            json.loads(await text_of(client, "ha_list_entities", {}))["total"] == before
        )


async def test_a_user_who_is_no_administrator(house: House) -> None:
    """Kept out, until the option lets them in."""
    token = house.add_user("gast").token
    async with httpx2.AsyncClient(trust_env=False) as http:
        headers = {"Authorization": f"Bearer {token}"}
        assert (
            await http.post(house.mcp_url, json=CALL, headers=headers)
        ).status_code == 403
        with options(house, "permissions", require_admin=False):
            assert (
                await http.post(house.mcp_url, json=CALL, headers=headers)
            ).status_code == 200


async def test_a_client_with_a_token_of_its_own(house: House) -> None:
    """Added as the frontend does; its token works at once, opens nothing else, and survives a restart."""
    [entry] = house.client.get("/api/config/config_entries/entry?domain=mcp_bridge")
    users = house.client.ask("config/auth/list")
    owner = next(user["id"] for user in users if user["is_owner"])
    token = _add_client(house, entry["entry_id"], owner)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(trust_env=False) as http:
        assert (
            await http.get(f"{house.url}/api/states", headers=headers)
        ).status_code == 401
        async with official_client(house.mcp_url, token, SHAKING_HANDS) as client:
            listed = await all_pages(client, "ha_list_entities", {"state": "!=x"})
            assert {row["entity_id"].partition(".")[0] for row in listed} == {"light"}
            await asyncio.to_thread(house.restart)
            await text_of(client, "ha_get_entity", {"entity_id": LIGHT})
        ask = house.client.ask
        [added] = ask("config_entries/subentries/list", entry_id=entry["entry_id"])
        ask(
            "config_entries/subentries/delete",
            entry_id=entry["entry_id"],
            subentry_id=added["subentry_id"],
        )


def _add_client(house: House, entry_id: str, user_id: str) -> str:
    """Add a client that sees lights only, and return its token."""
    path = "/api/config/config_entries/subentries/flow"
    flow = house.client.post(path, {"handler": [entry_id, "client"]})
    step = f"{path}/{flow['flow_id']}"
    house.client.post(step, {"next_step_id": "token"})
    form = {
        "name": "Claude",
        "user_id": user_id,
        "entity_allowlist": {"patterns": ["light.*"]},
        "entity_denylist": {},
    }
    done = house.client.post(step, form)
    assert done["type"] == "create_entry", done
    token: str = done["description_placeholders"]["token"]
    assert token in done["description_placeholders"]["claude_code"]
    return token


async def test_a_session_survives_a_restart_of_home_assistant(house: House) -> None:
    """A client that never shakes hands again goes on working."""
    async with official_client(house.mcp_url, house.token, SHAKING_HANDS) as client:
        await text_of(client, "ha_get_system", {"section": "config"})
        await asyncio.to_thread(house.restart)
        text = await text_of(client, "ha_get_system", {"section": "config"})
        assert "2026.11.0" in text


def test_the_log_stays_clean(house: House) -> None:
    """No warning of ours, no blocking call, whatever the tests of this session have asked."""
    assert house.problems() == []
