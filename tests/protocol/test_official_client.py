"""The official Python client, in both eras of MCP."""

import asyncio
import json
from typing import Any

from mcp import Client, MCPError
from mcp.shared.subscriptions import ToolsListChanged
import mcp_types as types
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import CONF_FILTER_READS
from custom_components.mcp_bridge.models import Caller
from homeassistant.core import HomeAssistant
from tests.clients import MODERN, MODES, SHAKING_HANDS, official_client

ARGUMENTS: dict[str, dict[str, Any]] = {
    "ha_search_entities": {"query": "kitchen"},
    "ha_get_entity": {"entity_id": "light.kitchen"},
    "ha_get_system": {"section": "config"},
}
URIS = (
    "ha://overview",
    "ha://areas",
    "ha://services",
    "ha://config",
    "ha://entity/light.kitchen",
)

pytestmark = pytest.mark.parametrize("mode", MODES)


async def test_every_tool_is_listed_and_answers(
    bridge: Bridge, caller: Caller, url: str, hass_access_token: str, mode: str
) -> None:
    """What the registry offers is listed; each tool answers with text and the same as structured content."""
    async with official_client(url, hass_access_token, mode) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [
            tool.name for tool in bridge.registry.offered(caller)
        ]
        for tool in tools:
            result = await client.call_tool(tool.name, ARGUMENTS.get(tool.name, {}))
            assert not result.is_error, tool.name
            assert json.loads(_text(result)) == result.structured_content


async def test_an_error_of_a_tool_is_a_result(
    url: str, hass_access_token: str, mode: str
) -> None:
    """The model has to see it, so it is no protocol error; its code is in the structured content."""
    async with official_client(url, hass_access_token, mode) as client:
        result = await client.call_tool("ha_get_entity", {"entity_id": "light.kitchn"})
    assert result.is_error
    assert "light.kitchen" in _text(result)
    assert result.structured_content is not None
    assert result.structured_content["error"]["code"] == "not_found"


async def test_an_unknown_tool_is_a_protocol_error(
    url: str, hass_access_token: str, mode: str
) -> None:
    """It names the nearest tool."""
    async with official_client(url, hass_access_token, mode) as client:
        with pytest.raises(MCPError, match="Did you mean ha_get_entity") as raised:
            await client.call_tool("ha_get_entitty", {})
    assert raised.value.error.code == types.INVALID_PARAMS


async def test_resources_are_listed_and_read(
    url: str, hass_access_token: str, mode: str
) -> None:
    """Each address, fixed or out of a template, gives JSON."""
    async with official_client(url, hass_access_token, mode) as client:
        listed = {
            str(resource.uri) for resource in (await client.list_resources()).resources
        }
        assert listed == {"ha://overview", "ha://areas", "ha://services", "ha://config"}
        templates = (await client.list_resource_templates()).resource_templates
        assert {template.uri_template for template in templates} == {
            "ha://area/{area_id}",
            "ha://entity/{entity_id}",
        }
        for uri in URIS:
            [content] = (await client.read_resource(uri)).contents
            assert isinstance(content, types.TextResourceContents)
            assert content.mime_type == "application/json"
            json.loads(content.text)


@pytest.mark.parametrize(
    "uri",
    [
        "ha://entity/light.nope",
        "ha://entity/",
        "ha://nope",
        "ha://area/nope",
        "http://example.com",
    ],
)
async def test_an_unknown_resource_is_a_protocol_error(
    url: str, hass_access_token: str, mode: str, uri: str
) -> None:
    """It names the address."""
    async with official_client(url, hass_access_token, mode) as client:
        with pytest.raises(MCPError, match="not found") as raised:
            await client.read_resource(uri)
    assert raised.value.error.data == {"uri": uri}


async def test_instructions_tell_what_the_caller_may_do(
    url: str, hass_access_token: str, mode: str
) -> None:
    """Read only; short."""
    async with official_client(url, hass_access_token, mode) as client:
        assert client.instructions is not None
        assert "read only" in client.instructions
        assert "limited what can be seen" not in client.instructions
        assert len(client.instructions) < 1200


@pytest.mark.parametrize("options", [{"assist_exposed_only": True}])
async def test_instructions_tell_of_limits(
    url: str, hass_access_token: str, mode: str
) -> None:
    """A model must not take what is hidden for what does not exist."""
    async with official_client(url, hass_access_token, mode) as client:
        assert client.instructions is not None
        assert "limited what can be seen" in client.instructions


async def test_changed_options_are_announced_and_in_force(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    url: str,
    hass_access_token: str,
    mode: str,
) -> None:
    """The client is told that its lists have changed; the connection stays, and the next call obeys."""
    changed = asyncio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changed.set()

    async with official_client(
        url, hass_access_token, mode, message_handler=on_message
    ) as client:
        assert not (
            await client.call_tool("ha_get_entity", {"entity_id": "light.kitchen"})
        ).is_error
        async with asyncio.timeout(5):
            await _change_options(hass, config_entry, client, mode, changed)
        assert (
            await client.call_tool("ha_get_entity", {"entity_id": "light.kitchen"})
        ).is_error


async def _change_options(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    client: Client,
    mode: str,
    changed: asyncio.Event,
) -> None:
    """Hide everything, and wait until the client has heard of it."""
    options = {CONF_FILTER_READS: True, "entity_denylist": {"patterns": ["*"]}}
    if mode == SHAKING_HANDS:
        # The client opens its stream for announcements in the background.
        while not changed.is_set():
            options = {**options, "attempt": len(options)}
            hass.config_entries.async_update_entry(config_entry, options=options)
            await asyncio.sleep(0.05)
        return
    assert client.protocol_version == MODERN
    async with client.listen(tools_list_changed=True) as subscription:
        hass.config_entries.async_update_entry(config_entry, options=options)
        assert await anext(aiter(subscription)) == ToolsListChanged()


def _text(result: types.CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, types.TextContent)
    return content.text
