"""Callers other than the administrator, and what the bridge has put on record of them."""

from typing import Any

from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.clients import Client
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from custom_components.mcp_bridge.tools.registry import Answer
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

READS_AND_ACTS = {"allow_write": True, "allow_camera": True}


def calling(bridge: Bridge, caller: Caller) -> CallTool:
    """Return a function that calls a tool as somebody."""

    async def call_tool(name: str, /, **arguments: Any) -> Answer:
        return await bridge.registry.call(name, arguments, caller)

    return call_tool


def calling_as_client(
    bridge: Bridge, user: MockUser, options: dict[str, Any], **client: Any
) -> CallTool:
    """Return a function that calls a tool as a client with limits of its own; `options` stay those of the bridge."""
    known = Client.from_subentry("kid", "Kid", {**READS_AND_ACTS, **client})
    bridge.access.async_set_options(options, [known])
    return calling(bridge, Caller(user, client=known.id))


def calling_as_user(
    hass: HomeAssistant, bridge: Bridge, user: MockUser, options: dict[str, Any]
) -> CallTool:
    """Return a function that calls a tool as a user of Home Assistant, who need not be an administrator."""
    bridge.access.async_set_options({**options, "require_admin": False})
    return calling(bridge, Caller(user.add_to_hass(hass)))


def outcomes(bridge: Bridge) -> list[str]:
    """Return what came of the attempts so far, as the audit has it."""
    return [record["outcome"] for record in bridge.audit.records]
