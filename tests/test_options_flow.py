"""Options flow: the menu, each form, and what is stored."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.access.options import AccessOptions
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller, Kind
from custom_components.mcp_bridge.tools import toolsets
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, section

from .assistants import open_form, save

NOTHING: dict[str, Any] = {
    "assist_exposed_only": False,
    "filter_reads": False,
    "entity_allowlist": {},
    "entity_denylist": {},
}
FORMS = ("permissions", "visibility", "confirmation", "tools")
# What is stored after every form has been saved as it is shown.
USUAL = {
    "allow_write": False,
    "allow_config_write": False,
    "allow_camera": False,
    "allow_raw_api": False,
    "require_admin": True,
    **NOTHING,
    "approval": "ask",
    "notifications_per_minute": 6,
    "announcements_per_minute": 3,
    "writes_per_minute": 60,
}


async def test_options_are_in_force_at_once(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, caller: Caller
) -> None:
    """Without a reload: the bridge stays the same, what it shows changes."""
    hass.states.async_set("light.kitchen", "on")
    assert bridge.access.view(caller).find("light.kitchen") is not None
    result = await open_form(hass, config_entry, "visibility")
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
        "assist_exposed_only": True,
        "entity_allowlist": {
            "patterns": ["light.*"],
            "target": {"area_id": ["kitchen"]},
        },
    }
    hass.config_entries.async_update_entry(config_entry, options=stored)
    result = await open_form(hass, config_entry, "visibility")
    schema = result["data_schema"]
    assert schema is not None
    suggested = {
        str(marker): marker.description["suggested_value"]
        for marker in schema.schema
        if marker.description and "suggested_value" in marker.description
    }
    assert suggested["assist_exposed_only"] is True
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
    result = await open_form(hass, config_entry, "visibility")
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
    result = await open_form(hass, config_entry, "visibility")
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
    result = await open_form(hass, config_entry, "visibility")
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
    result = await open_form(hass, config_entry, "visibility")
    result = await hass.config_entries.options.async_configure(
        result["flow_id"], filled
    )
    if not wrong:
        result = await open_form(hass, config_entry, "visibility")
    assert result["data_schema"] is not None
    collapsed = {
        str(marker): value.options["collapsed"]
        for marker, value in result["data_schema"].schema.items()
        if isinstance(value, section)
    }
    assert collapsed == {"entity_allowlist": True, "entity_denylist": False}


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
    result = await open_form(hass, config_entry, "visibility")
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


async def test_the_menu_leads_to_every_form(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """And to nothing else."""
    menu = await hass.config_entries.options.async_init(config_entry.entry_id)
    assert menu["type"] is FlowResultType.MENU
    assert menu["menu_options"] == list(FORMS)
    for form in FORMS:
        assert (await open_form(hass, config_entry, form))["step_id"] == form


async def test_saving_every_form_as_it_is_shown_changes_nothing(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """The forms start with what is in force; lists that are as usual are not frozen."""
    for form in FORMS:
        result = await save(hass, config_entry, form)
        assert result["type"] is FlowResultType.CREATE_ENTRY
    assert config_entry.options == USUAL
    assert AccessOptions.from_entry_options(config_entry.options) == AccessOptions()


@pytest.mark.parametrize("form", FORMS)
async def test_a_form_keeps_what_others_have_stored(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, form: str
) -> None:
    """Also what is in no form at all."""
    stored = {
        **USUAL,
        "allow_camera": True,
        "require_admin": False,
        "filter_reads": True,
        "entity_denylist": {"patterns": ["lock.*"]},
        "confirm_domains": ["cover"],
        "service_denylist": ["light.*"],
        "writes_per_minute": 7,
        "toolsets": toolsets()[:1],
        "of_tomorrow": 1,
    }
    hass.config_entries.async_update_entry(config_entry, options=stored)
    assert (await save(hass, config_entry, form))["type"] is FlowResultType.CREATE_ENTRY
    assert config_entry.options == stored


@pytest.mark.parametrize(
    ("switch", "kind"),
    [
        ("allow_write", Kind.WRITE),
        ("allow_config_write", Kind.CONFIG_WRITE),
        ("allow_camera", Kind.CAMERA),
        ("allow_raw_api", Kind.RAW),
    ],
)
async def test_what_assistants_may_do_is_in_force_at_once(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    caller: Caller,
    *,
    switch: str,
    kind: Kind,
) -> None:
    """Each switch opens one kind of tools, and closes it again."""
    hass.states.async_set("light.lamp", "on")
    assert bridge.access.rights(caller).kinds == {Kind.READ}
    await save(hass, config_entry, "permissions", **{switch: True})
    assert bridge.access.rights(caller).kinds == {Kind.READ, kind}
    await save(hass, config_entry, "permissions", **{switch: False})
    assert bridge.access.rights(caller).kinds == {Kind.READ}


async def test_lists_have_an_effect_where_anything_may_be_controlled(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """Nothing is pointed out then."""
    await save(hass, config_entry, "permissions", allow_write=True)
    result = await save(
        hass, config_entry, "visibility", entity_denylist={"patterns": ["lock.*"]}
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_all_toolsets_include_those_to_come(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, caller: Caller
) -> None:
    """So all of them are stored as nothing; none at all is a mistake."""
    first, *others = toolsets()
    await save(hass, config_entry, "tools", toolsets=[first])
    assert config_entry.options["toolsets"] == [first]
    assert bridge.access.rights(caller).offers(Kind.READ, first)
    assert not bridge.access.rights(caller).offers(Kind.READ, others[0])
    result = await save(hass, config_entry, "tools", toolsets=[])
    assert result["errors"] == {"toolsets": "no_toolsets"}
    await save(hass, config_entry, "tools", toolsets=[first, *others])
    assert "toolsets" not in config_entry.options
    assert bridge.access.rights(caller).offers(Kind.READ, "of_tomorrow")


async def test_a_toolset_that_is_gone_is_not_shown(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """The form could not be saved with it."""
    stored = {"toolsets": ["of_yesterday", toolsets()[0]]}
    hass.config_entries.async_update_entry(config_entry, options=stored)
    await save(hass, config_entry, "tools")
    assert config_entry.options == {"toolsets": [toolsets()[0]]}
