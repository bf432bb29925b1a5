"""Who may make, change and delete which helpers: never more than the options, the client and the user each allow."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.access.rules import EntityRule
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.house import helper_store
from custom_components.mcp_bridge.models import Caller, Kind
from custom_components.mcp_bridge.tools.registry import UnknownTool
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, label_registry as lr
from tests.access.guard.people import as_client, ordinary, reader
from tests.conftest import CallTool
from tests.tools.checks import refused, whole

from .helper_house import (
    GUESTS,
    OPTIONS,
    TYPES,
    calling_as,
    entry_of,
    made,
    made_of,
    undone,
)

OPEN = {"allow_write": True}
EDITS: list[tuple[str, dict[str, Any]]] = [
    ("ha_update_helper", {"entity_id": GUESTS, "changes": {"icon": "mdi:home"}}),
    ("ha_delete_helper", {"entity_id": GUESTS}),
]
CREATION: tuple[str, dict[str, Any]] = (
    "ha_create_helper",
    {"helper_type": "input_boolean", "name": "Guest mode"},
)


def only(*patterns: str, **places: str) -> dict[str, Any]:
    """Return options that let assistants act on a few entities."""
    return {**OPEN, "entity_allowlist": {"patterns": list(patterns), "target": places}}


def but(*patterns: str, **places: str) -> dict[str, Any]:
    """Return options that keep a few entities from assistants."""
    return {**OPEN, "entity_denylist": {"patterns": list(patterns), "target": places}}


async def test_users_who_are_no_administrators(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Home Assistant keeps helpers for administrators: a dry run is refused, too, and so is undo."""
    created = await made(call_tool)
    kept = helper_store.find(hass, GUESTS)
    bridge.access.async_set_options({**OPEN, "require_admin": False})
    call_tool = calling_as(bridge, await ordinary(hass))

    for tool, arguments in (CREATION, *EDITS):
        for how in ({}, {"dry_run": True}):
            answer = await call_tool(tool, **arguments, **how)
            error = refused(answer, "not_allowed", "administrator")
            assert error["rule"] == "admin_only"

    refused(await undone(call_tool, created["change_id"]), "not_found")
    assert helper_store.find(hass, GUESTS) == kept
    assert made_of(hass, "input_boolean") == [GUESTS]


async def test_users_who_may_only_look(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """For them there are no such tools."""
    await made(call_tool)
    bridge.access.async_set_options({**OPEN, "require_admin": False})
    call_tool = calling_as(bridge, await reader(hass))

    for tool, arguments in (CREATION, *EDITS):
        with pytest.raises(UnknownTool):
            await call_tool(tool, **arguments)


@pytest.mark.parametrize(
    "options", [{}, {**OPEN, "toolsets": ["entities", "services", "changes"]}]
)
async def test_tools_that_are_not_on(call_tool: CallTool) -> None:
    """Neither without the option nor without the family."""
    for tool, arguments in (CREATION, *EDITS):
        with pytest.raises(UnknownTool):
            await call_tool(tool, **arguments)


@pytest.mark.parametrize(
    "options",
    [
        but("input_boolean.*"),
        but(GUESTS),
        only("light.*"),
        only("input_boolean.guest_mode_*"),
        but(area_id="kitchen"),
        only(area_id="cellar"),
    ],
)
async def test_new_helpers_that_would_be_out_of_reach(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """What the caller makes it has to be able to control, and to take back."""
    for how in ({"dry_run": True}, {}):
        answer = await call_tool(
            "ha_create_helper",
            helper_type="input_boolean",
            name="Guest mode",
            area="kitchen",
            **how,
        )
        error = refused(answer, "not_allowed", GUESTS, "out of reach")
        assert error["rule"] == "entity_lists"
    assert made_of(hass, "input_boolean") == []


@pytest.mark.parametrize(
    "options",
    [
        only("input_boolean.*"),
        only(GUESTS),
        only(area_id="kitchen"),
        but("light.*", area_id="cellar"),
        {**only(area_id="kitchen"), "filter_reads": True},
    ],
)
async def test_new_helpers_within_reach(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """By their id or their area; and all that follows works."""
    created = await made(call_tool, area="kitchen")
    whole(await call_tool(EDITS[0][0], **EDITS[0][1]))
    refused(await undone(call_tool, created["change_id"]), "conflict", "mdi:home")
    whole(await call_tool("ha_delete_helper", entity_id=GUESTS))
    assert made_of(hass, "input_boolean") == []


@pytest.mark.parametrize("options", [{**OPEN, "assist_exposed_only": True}])
@pytest.mark.parametrize("helper_type", TYPES)
async def test_only_what_is_exposed(call_tool: CallTool, helper_type: str) -> None:
    """Home Assistant exposes no new helper by itself, so none can be made that could be used."""
    answer = await call_tool(
        "ha_create_helper",
        helper_type=helper_type,
        name="Cups",
        options=OPTIONS[helper_type],
    )

    assert refused(answer, "not_allowed")["rule"] == "assist_exposed_only"


async def test_labels_that_are_remembered(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Home Assistant gives a new helper what the deleted one of its name had: its id, area and labels."""
    label = lr.async_get(hass).async_create("Private")
    await made(call_tool)
    er.async_get(hass).async_update_entity(
        GUESTS, labels={label.label_id}, new_entity_id="input_boolean.vault"
    )
    await helper_store.delete(hass, "input_boolean.vault")

    for options in (but("input_boolean.vault"), but(label_id=label.label_id)):
        bridge.access.async_set_options(options)
        answer = await call_tool(CREATION[0], **CREATION[1])
        refused(answer, "not_allowed", "out of reach")
    bridge.access.async_set_options(OPEN)
    created = await made(call_tool)
    assert created["helper"]["entity_id"] == "input_boolean.vault"


async def test_moves_out_of_reach(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Neither out of the places that are open, nor into those that are closed."""
    await made(call_tool, area="kitchen")
    bridge.access.async_set_options(only(area_id="kitchen"))

    for area in ("cellar", None):
        for how in ({"dry_run": True}, {}):
            answer = await call_tool(
                "ha_update_helper", entity_id=GUESTS, changes={"area": area}, **how
            )
            refused(answer, "not_allowed", "out of reach")
    assert entry_of(hass, GUESTS).area_id == "kitchen"

    bridge.access.async_set_options(but(area_id="cellar"))
    answer = await call_tool(
        "ha_update_helper", entity_id=GUESTS, changes={"area": "cellar"}
    )
    refused(answer, "not_allowed", "out of reach")
    whole(await call_tool("ha_update_helper", entity_id=GUESTS, changes={"area": None}))


@pytest.mark.parametrize(("tool", "arguments"), EDITS)
async def test_helpers_that_are_closed_or_hidden(
    hass: HomeAssistant,
    bridge: Bridge,
    call_tool: CallTool,
    tool: str,
    arguments: dict[str, Any],
) -> None:
    """A closed one is refused by name; a hidden one is not there, in the same words as one that never was."""
    await made(call_tool)
    kept = helper_store.find(hass, GUESTS)

    bridge.access.async_set_options(but(GUESTS))
    answer = await call_tool(tool, **arguments)
    assert refused(answer, "not_allowed", GUESTS)["rule"] == "entity_lists"

    bridge.access.async_set_options({**but(GUESTS), "filter_reads": True})
    hidden = await call_tool(tool, **arguments)
    refused(hidden, "not_found")
    nothing = await call_tool(tool, **{**arguments, "entity_id": "input_boolean.none"})
    assert hidden.text.replace(GUESTS, "x") == nothing.text.replace(
        "input_boolean.none", "x"
    )
    assert helper_store.find(hass, GUESTS) == kept


@pytest.mark.parametrize(
    "options", [{**but("input_boolean.guest_mode"), "filter_reads": True}]
)
async def test_a_hidden_one_cannot_be_found_by_its_name(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Whether there is one of that name or not, the answer is the same."""
    without = await call_tool(CREATION[0], **CREATION[1], dry_run=True)

    await helper_store.create(hass, "input_boolean", "Guest mode", {})

    assert await call_tool(CREATION[0], **CREATION[1], dry_run=True) == without
    refused(without, "not_allowed", GUESTS)


async def test_twins_that_are_hidden(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """They are not told either."""
    await made(call_tool, area="cellar")
    bridge.access.async_set_options({**but(area_id="cellar"), "filter_reads": True})

    preview = await made(call_tool, dry_run=True)

    assert "guest_mode" not in str(preview["would_do"])


async def test_the_limits_of_a_client(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool, caller: Caller
) -> None:
    """Count like those of everybody, under their own rule."""
    await made(call_tool)
    client = as_client(
        bridge,
        caller,
        kinds=frozenset((Kind.READ, Kind.WRITE)),
        allow=EntityRule.from_option({"patterns": ["input_boolean.kids_*"]}),
    )
    call_tool = calling_as(bridge, client)

    for tool, arguments in (CREATION, *EDITS):
        answer = await call_tool(tool, **arguments)
        assert refused(answer, "not_allowed", GUESTS)["rule"] == "client_lists"

    created = await made(call_tool, name="Kids bed time")
    assert created["helper"]["entity_id"] == "input_boolean.kids_bed_time"
    whole(await undone(call_tool, created["change_id"]))


async def test_putting_back_what_is_closed_by_now(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Undo goes through the same door."""
    await made(call_tool, area="kitchen")
    gone = whole(await call_tool("ha_delete_helper", entity_id=GUESTS))

    for options in (but(GUESTS), but(area_id="kitchen")):
        bridge.access.async_set_options(options)
        refused(await undone(call_tool, gone["change_id"]), "not_allowed", GUESTS)
    assert made_of(hass, "input_boolean") == []
    bridge.access.async_set_options(OPEN)
    whole(await undone(call_tool, gone["change_id"]))


@pytest.mark.parametrize(
    "options",
    [{**OPEN, "confirm_domains": ["input_boolean"], "approval": "token"}],
)
async def test_domains_that_are_asked_about(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The owner may want to be asked about every helper of a kind, new ones too."""
    for tool, arguments in (CREATION, *EDITS):
        question = whole(await call_tool(tool, **arguments))
        assert question["confirmation_required"] is True
        assert "input_boolean" in question["reason"]
        done = await call_tool(
            tool, **arguments, confirm_token=question["confirm_token"]
        )
        assert whole(done)["outcome"] == "done"
    assert made_of(hass, "input_boolean") == []


async def test_what_is_on_record(
    bridge: Bridge, call_tool: CallTool, config_entry: MockConfigEntry
) -> None:
    """Every attempt, and what came of it."""
    await made(call_tool, dry_run=True)
    await made(call_tool)
    await call_tool(
        "ha_create_helper", helper_type="counter", name="A", options={"a": 1}
    )
    await call_tool("ha_delete_helper", entity_id="counter.nothing")
    bridge.access.async_set_options(but(GUESTS))
    await call_tool("ha_delete_helper", entity_id=GUESTS)

    records = list(bridge.audit.records)

    assert [record["outcome"] for record in records] == [
        "dry_run",
        "ok",
        "refused:invalid_arguments",
        "refused:not_found",
        "refused:entity_lists",
    ]
    assert records[1]["summary"] == "create input_boolean: Guest mode"
    assert records[-1]["targets"] == (GUESTS,)
