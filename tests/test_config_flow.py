"""Config flow and options flow."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import DOMAIN
from custom_components.mcp_bridge.models import Caller
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, section
from homeassistant.setup import async_setup_component

NOTHING: dict[str, Any] = {
    "require_admin": True,
    "assist_exposed_only": False,
    "filter_reads": False,
    "entity_allowlist": {},
    "entity_denylist": {},
}


async def test_one_step_makes_the_entry(hass: HomeAssistant) -> None:
    """There is nothing to ask; the bridge is read only on arrival."""
    assert await async_setup_component(hass, "homeassistant", {})
    result = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    assert result["type"] is FlowResultType.FORM
    assert result["step_id"] == "user"
    result = await hass.config_entries.flow.async_configure(result["flow_id"], {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "MCP Bridge"
    assert result["data"] == {}
    await hass.async_block_till_done()
    [entry] = hass.config_entries.async_loaded_entries(DOMAIN)
    assert entry.options == {}


async def test_there_is_only_one(hass: HomeAssistant, bridge: Bridge) -> None:
    """A second one is refused."""
    result = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "single_instance_allowed"


async def test_options_are_in_force_at_once(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, caller: Caller
) -> None:
    """Without a reload: the bridge stays the same, what it shows changes."""
    hass.states.async_set("light.kitchen", "on")
    assert bridge.access.view(caller).find("light.kitchen") is not None
    result = await hass.config_entries.options.async_init(config_entry.entry_id)
    assert result["type"] is FlowResultType.FORM
    denied = {
        **NOTHING,
        "filter_reads": True,
        "entity_denylist": {"patterns": ["light.*"]},
    }
    result = await hass.config_entries.options.async_configure(
        result["flow_id"], denied
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    assert config_entry.options == denied
    assert config_entry.runtime_data is bridge
    assert bridge.access.view(caller).find("light.kitchen") is None


async def test_the_form_shows_what_is_stored(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """Saving the form as it is shown changes nothing, and what is taken out of it is gone."""
    stored = {
        **NOTHING,
        "require_admin": False,
        "entity_allowlist": {
            "patterns": ["light.*"],
            "target": {"area_id": ["kitchen"]},
        },
    }
    hass.config_entries.async_update_entry(config_entry, options=stored)
    result = await hass.config_entries.options.async_init(config_entry.entry_id)
    schema = result["data_schema"]
    assert schema is not None
    suggested = {
        str(marker): marker.description["suggested_value"]
        for marker in schema.schema
        if marker.description and "suggested_value" in marker.description
    }
    assert suggested["require_admin"] is False
    [allowlist] = [
        value for marker, value in schema.schema.items() if marker == "entity_allowlist"
    ]
    shown = {
        str(marker): marker.description["suggested_value"]
        for marker in allowlist.schema.schema
    }
    assert shown == stored["entity_allowlist"]
    result = await hass.config_entries.options.async_configure(
        result["flow_id"], NOTHING
    )
    assert config_entry.options == NOTHING


@pytest.mark.parametrize(
    "pattern",
    [
        "light",
        "light kitchen",
        "light.küche",
        "light.",
        ".kitchen",
        ".",
        "light.a.b",
        "[a].b",
        "light.?",
    ],
)
@pytest.mark.parametrize("entity_list", ["entity_allowlist", "entity_denylist"])
async def test_a_pattern_that_can_match_nothing_is_refused(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    pattern: str,
    entity_list: str,
) -> None:
    """The form comes back with what was typed, and nothing is stored."""
    result = await hass.config_entries.options.async_init(config_entry.entry_id)
    wrong = {**NOTHING, entity_list: {"patterns": ["light.*", pattern]}}
    result = await hass.config_entries.options.async_configure(result["flow_id"], wrong)
    assert result["type"] is FlowResultType.FORM
    assert result["errors"] == {"base": "invalid_pattern"}
    assert result["description_placeholders"] == {"patterns": pattern}
    assert config_entry.options == {}
    result = await hass.config_entries.options.async_configure(
        result["flow_id"], NOTHING
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize(
    "pattern",
    ["light.*", "*.kitchen_*", "*", "*_door", " Light.Kitchen ", "sensor.temp*_2"],
)
async def test_a_pattern_that_can_match_is_taken(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, pattern: str
) -> None:
    """Also with blanks around it and in capitals, which do not count."""
    result = await hass.config_entries.options.async_init(config_entry.entry_id)
    options = {
        **NOTHING,
        "filter_reads": True,
        "entity_denylist": {"patterns": [pattern]},
    }
    result = await hass.config_entries.options.async_configure(
        result["flow_id"], options
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_patterns_are_stored_as_they_are_matched(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """In lower case, without blanks, and without the rows that were left empty."""
    result = await hass.config_entries.options.async_init(config_entry.entry_id)
    typed = {
        **NOTHING,
        "filter_reads": True,
        "entity_allowlist": {"patterns": ["", " Light.* ", "  "]},
        "entity_denylist": {"patterns": [" "], "target": {}},
    }
    result = await hass.config_entries.options.async_configure(result["flow_id"], typed)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert config_entry.options["entity_allowlist"] == {"patterns": ["light.*"]}
    assert config_entry.options["entity_denylist"] == {"target": {}}


@pytest.mark.parametrize("wrong", [False, True])
async def test_a_list_with_something_in_it_is_shown_open(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, wrong: bool
) -> None:
    """So that it is seen, above all when there is a mistake in it."""
    patterns = ["light" if wrong else "light.*"]
    filled = {
        **NOTHING,
        "filter_reads": True,
        "entity_denylist": {"patterns": patterns},
    }
    result = await hass.config_entries.options.async_init(config_entry.entry_id)
    result = await hass.config_entries.options.async_configure(
        result["flow_id"], filled
    )
    if not wrong:
        result = await hass.config_entries.options.async_init(config_entry.entry_id)
    assert result["data_schema"] is not None
    collapsed = {
        str(marker): value.options["collapsed"]
        for marker, value in result["data_schema"].schema.items()
        if isinstance(value, section)
    }
    assert collapsed == {"entity_allowlist": True, "entity_denylist": False}


async def test_the_address_is_told_when_the_entry_is_made(hass: HomeAssistant) -> None:
    """It is what the user needs next."""
    assert await async_setup_component(hass, "homeassistant", {})
    await hass.config.async_update(external_url="https://home.example.org")
    flow = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    result = await hass.config_entries.flow.async_configure(flow["flow_id"], {})
    assert result["description_placeholders"] == {
        "address": "https://home.example.org/api/mcp_bridge"
    }


@pytest.mark.parametrize("entity_list", ["entity_allowlist", "entity_denylist"])
@pytest.mark.parametrize(
    "content", [{"patterns": ["lock.*"]}, {"target": {"area_id": ["vault"]}}]
)
async def test_a_list_without_effect_is_pointed_out_once(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    entity_list: str,
    content: dict[str, Any],
) -> None:
    """Whoever fills a list believes that it hides; who means it saves once more."""
    filled = {**NOTHING, entity_list: content}
    result = await hass.config_entries.options.async_init(config_entry.entry_id)
    result = await hass.config_entries.options.async_configure(
        result["flow_id"], filled
    )
    assert result["type"] is FlowResultType.FORM
    assert result["errors"] == {"filter_reads": "lists_without_effect"}
    assert config_entry.options == {}
    result = await hass.config_entries.options.async_configure(
        result["flow_id"], filled
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert config_entry.options == filled
