"""One entity with odd data breaks neither its own answer nor those of its neighbours, in any tool."""

from typing import Any

from hypothesis import HealthCheck, given, settings
import pytest

from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from tests.conftest import CallTool

from .checks import assert_quiet, every_page, ids, well_formed, whole
from .odd_values import ODD, Unbounded, braided, lattice, odd_values

ODD_ID = "sensor.odd"
NEIGHBOURS = ("light.dining", "sensor.soil")

# How each tool may come upon the odd entity.
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("ha_get_entity", {"entity_id": ODD_ID}),
    ("ha_get_entity", {"entity_id": ODD_ID, "attribute": "odd"}),
    ("ha_get_entity", {"entity_id": ODD_ID, "attribute": "nothing"}),
    ("ha_get_entity", {"entity_id": f"{ODD_ID},light.dining"}),
    ("ha_list_entities", {}),
    ("ha_list_entities", {"domain": "sensor"}),
    ("ha_list_entities", {"domain": "sensor", "state": ">1"}),
    ("ha_list_entities", {"search": "odd"}),
    ("ha_search_entities", {"query": "odd"}),
    ("ha_search_entities", {"query": ODD_ID}),
    ("ha_list_areas", {}),
    ("ha_list_devices", {}),
    ("ha_get_overview", {}),
    ("ha_get_self_test", {}),
]


async def assert_neighbours_are_well(call_tool: CallTool) -> None:
    """Check that a batch and a list still hold everything else."""
    batch = await every_page(
        call_tool, "ha_get_entity", entity_id=[NEIGHBOURS[0], ODD_ID, NEIGHBOURS[1]]
    )
    assert [item["entity_id"] for item in batch] == [
        NEIGHBOURS[0],
        ODD_ID,
        NEIGHBOURS[1],
    ]
    assert [batch[0]["state"], batch[2]["state"]] == ["off", "dry"]
    listed = await every_page(call_tool, "ha_list_entities", domain="sensor")
    assert {ODD_ID, NEIGHBOURS[1]} <= {item["entity_id"] for item in listed}


@pytest.mark.parametrize("kind", ODD)
async def test_an_odd_attribute_breaks_no_answer(
    hass: HomeAssistant,
    call_tool: CallTool,
    caplog: pytest.LogCaptureFixture,
    kind: str,
) -> None:
    """Every tool answers, and the log stays quiet."""
    hass.states.async_set(ODD_ID, "1", {"odd": ODD[kind](), "even": 2})

    for tool, arguments in CALLS:
        well_formed(await call_tool(tool, **arguments))
    detail = whole(await call_tool("ha_get_entity", entity_id=ODD_ID))
    assert detail["attributes"]["even"] == 2
    assert "odd" in detail["attributes"]
    await assert_neighbours_are_well(call_tool)
    assert_quiet(caplog)


# What Home Assistant itself reads of a state has to be hashable or a text, apart from that anything goes.
NAMES = [
    "none",
    "empty",
    "long text",
    "surrogate",
    "control characters",
    "set",
    "bytes",
    "date",
    "enum",
    "str enum",
    "unprintable",
    "cyclic list",
    "long list",
    "nan",
]


# The class first: Home Assistant decides by it whether a new entity is exposed to Assist, and remembers that.
ATTRIBUTES = (
    "device_class",
    "friendly_name",
    "unit_of_measurement",
    "entity_id",
    "entity_picture",
)


@pytest.mark.parametrize(
    "options", [{}, {"assist_exposed_only": True}], ids=["open", "assist"]
)
@pytest.mark.parametrize("kind", NAMES)
async def test_odd_names_classes_and_units_break_no_answer(
    hass: HomeAssistant, call_tool: CallTool, kind: str
) -> None:
    """Also where Home Assistant itself reads them."""
    odd = {"none": lambda: None, "empty": lambda: ""}.get(kind) or ODD[kind]
    for attribute in ATTRIBUTES:
        hass.states.async_remove(ODD_ID)
        hass.states.async_set(ODD_ID, "1", {attribute: odd()})

        for tool, arguments in CALLS:
            well_formed(await call_tool(tool, **arguments))
        listed = await call_tool("ha_list_entities", domain="light")
        assert "light.dining" in ids(whole(listed))


@pytest.mark.parametrize(
    "state",
    [
        "",
        " ",
        "\ud83d",
        "\x00\u202e",
        "🏠" * 255,
        "nan",
        "inf",
        "9" * 255,
        "null",
        "{}",
    ],
)
async def test_an_odd_state_breaks_no_answer(
    hass: HomeAssistant, call_tool: CallTool, state: str
) -> None:
    """A state is a text of up to 255 characters, of whatever kind."""
    hass.states.async_set(ODD_ID, state)

    for tool, arguments in CALLS:
        well_formed(await call_tool(tool, **arguments))
    await assert_neighbours_are_well(call_tool)


@pytest.mark.parametrize("unfolding", [braided, lattice])
async def test_an_attribute_that_unfolds_without_end_does_not_stop_the_house(
    hass: HomeAssistant, call_tool: CallTool, unfolding: Any
) -> None:
    """Home Assistant has one thread for everything."""
    hass.states.async_set(ODD_ID, "1", {"odd": unfolding()})

    try:
        answer = await call_tool("ha_get_entity", entity_id=ODD_ID)
    except Unbounded:
        pytest.fail("the value was read without end")
    well_formed(answer)


async def test_odd_names_of_attributes_break_no_answer(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Names are mostly texts, but nobody makes sure of it."""
    attributes: dict[Any, Any] = {
        None: 1,
        7: 2,
        "": 3,
        "\ud800": 4,
        ("a", 1): 5,
        "x" * 5_000: 6,
    }
    hass.states.async_set(ODD_ID, "1", attributes)

    for tool, arguments in CALLS:
        well_formed(await call_tool(tool, **arguments))
    await assert_neighbours_are_well(call_tool)


@pytest.mark.parametrize("alias", ["", " ", "\u202e", "🏠" * 500, "x" * 100_000])
async def test_odd_aliases_break_no_answer(
    hass: HomeAssistant, call_tool: CallTool, alias: str
) -> None:
    """People paste all kinds of things into the form."""
    entry = er.async_get(hass).async_get_or_create(
        "sensor", "acme", "odd", suggested_object_id="odd"
    )
    er.async_get(hass).async_update_entity(
        entry.entity_id, aliases=[alias, er.COMPUTED_NAME]
    )
    hass.states.async_set(ODD_ID, "1")

    for tool, arguments in CALLS:
        well_formed(await call_tool(tool, **arguments))
    await assert_neighbours_are_well(call_tool)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(value=odd_values)
async def test_any_mixture_of_odd_values_breaks_no_answer(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool, value: Any
) -> None:
    """In one entity, in a batch, and as one attribute."""
    hass.states.async_remove(ODD_ID)
    hass.states.async_set(ODD_ID, "1", {"odd": value})

    for tool, arguments in CALLS[:4]:
        well_formed(await call_tool(tool, **arguments))
