"""Diagnostics."""

import json
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.components.diagnostics import (
    get_diagnostics_for_config_entry,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component


@pytest.mark.parametrize(
    "options",
    [
        {
            "filter_reads": True,
            "entity_denylist": {
                "patterns": ["*.secret_*"],
                "target": {"area_id": ["vault"]},
            },
        }
    ],
)
async def test_diagnostics_tell_of_the_bridge_and_nothing_of_the_house(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    socket_enabled: None,
) -> None:
    """Options without the lists, numbers, names of tools."""
    assert await async_setup_component(hass, "diagnostics", {})
    hass.states.async_set("light.private_room", "on", {"friendly_name": "Private room"})
    diagnostics: Any = await get_diagnostics_for_config_entry(
        hass, hass_client, config_entry
    )
    assert diagnostics["options"]["filter_reads"] is True
    assert diagnostics["catalog"]["entities"] >= 1
    assert diagnostics["catalog"]["in_step"] is True
    assert "ha_get_entity" in diagnostics["tools"]
    text = json.dumps(diagnostics).lower()
    assert not [word for word in ("secret_", "vault", "private") if word in text]
