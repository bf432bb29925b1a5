"""A house with the integrations of all helpers, and the calls of their tools."""

from typing import Any

import pytest

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.house.helper_store import helper_types
from custom_components.mcp_bridge.models import Caller
from custom_components.mcp_bridge.tools.registry import Answer
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
from tests.conftest import CallTool
from tests.tools.checks import whole

TYPES = helper_types()
YAML = "counter.yaml"
# Helpers as made() makes them.
GUESTS = "input_boolean.guest_mode"
NUMBER = "input_number.guest_mode"
# What a helper of each kind is made with, and one field that is changed of it: its new value.
OPTIONS: dict[str, dict[str, Any]] = {
    "input_boolean": {"icon": "mdi:account"},
    "input_number": {"min": 1, "max": 9, "step": 0.5, "unit_of_measurement": "°C"},
    "input_select": {"options": ["day", "night"], "icon": "mdi:sun"},
    "input_text": {"max": 20, "mode": "text"},
    "input_datetime": {"has_time": True, "has_date": False},
    "counter": {"step": 2, "maximum": 10},
    "timer": {"duration": "0:05:00", "restore": True},
}
CHANGED: dict[str, tuple[str, Any]] = {
    "input_boolean": ("icon", "mdi:home"),
    "input_number": ("max", 12),
    "input_select": ("options", ["day", "night", "dusk"]),
    "input_text": ("max", 30),
    "input_datetime": ("has_date", True),
    "counter": ("step", 3),
    "timer": ("duration", "0:10:00"),
}
each_type = pytest.mark.parametrize("helper_type", TYPES)


async def furnish(hass: HomeAssistant) -> None:
    """Load what the tests need before the bridge starts; one counter comes from configuration.yaml."""
    ar.async_get(hass).async_create("Kitchen", aliases={"cuisine"})
    ar.async_get(hass).async_create("Cellar")
    for helper_type in TYPES:
        config = {"counter": {"yaml": {"step": 1}}} if helper_type == "counter" else {}
        assert await async_setup_component(hass, helper_type, config)
    await hass.async_block_till_done()


async def made(
    call_tool: CallTool,
    helper_type: str = "input_boolean",
    name: str = "Guest mode",
    **arguments: Any,
) -> dict[str, Any]:
    """Create a helper, with the options of its kind, and return the answer."""
    arguments = {"options": OPTIONS[helper_type], **arguments}
    return whole(
        await call_tool(
            "ha_create_helper", helper_type=helper_type, name=name, **arguments
        )
    )


async def undone(call_tool: CallTool, change_id: str, **arguments: Any) -> Any:
    """Take a change back, and return the answer."""
    return await call_tool("ha_undo_change", change_id=change_id, **arguments)


def made_of(hass: HomeAssistant, *helper_types: str) -> list[str]:
    """Return the helpers of some kinds, without the one of configuration.yaml."""
    return sorted(set(hass.states.async_entity_ids(helper_types)) - {YAML})


def state_of(hass: HomeAssistant, entity_id: str) -> State:
    """Return a state that is there."""
    state = hass.states.get(entity_id)
    assert state is not None
    return state


def entry_of(hass: HomeAssistant, entity_id: str) -> er.RegistryEntry:
    """Return a registry entry that is there."""
    entry = er.async_get(hass).async_get(entity_id)
    assert entry is not None
    return entry


def calling_as(bridge: Bridge, caller: Caller) -> CallTool:
    """Return a function that calls a tool as somebody."""

    async def call_tool(name: str, /, **arguments: Any) -> Answer:
        return await bridge.registry.call(name, arguments, caller)

    return call_tool
