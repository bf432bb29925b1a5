"""Calling a service in the ways that models really write it."""

from typing import Any

import pytest

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from tests.conftest import CallTool

from .checks import refused, whole

TOOL = "ha_call_service"


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act."""
    return {"allow_write": True}


@pytest.fixture(autouse=True)
async def switches(hass: HomeAssistant, house: None) -> None:
    """Install two switches that work."""
    flags = {"guests": {"name": "Guest mode"}, "holidays": {"name": "Été à la mer"}}
    assert await async_setup_component(hass, "input_boolean", {"input_boolean": flags})


def state_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return the state of an entity."""
    state = hass.states.get(entity_id)
    assert state is not None
    return state.state


GUESTS = "input_boolean.guests"
SPELLINGS: dict[str, dict[str, Any]] = {
    "in full": {"service": "input_boolean.turn_on", "target": {"entity_id": GUESTS}},
    "domain apart": {
        "service": "turn_on",
        "domain": "input_boolean",
        "target": {"entity_id": GUESTS},
    },
    "domain twice": {
        "service": "input_boolean.turn_on",
        "domain": "input_boolean",
        "target": {"entity_id": GUESTS},
    },
    "as text": {"service": "input_boolean.turn_on", "target": GUESTS},
    "as a list": {"service": "input_boolean.turn_on", "target": [GUESTS]},
    "as JSON": {
        "service": "input_boolean.turn_on",
        "target": '{"entity_id": "input_boolean.guests"}',
    },
    "by name": {
        "service": "input_boolean.turn_on",
        "target": {"entity_id": "Guest mode"},
    },
    "by name in capitals": {"service": "input_boolean.turn_on", "target": "GUEST MODE"},
    "in the data": {"service": "input_boolean.turn_on", "data": {"entity_id": GUESTS}},
    "data as JSON": {
        "service": "input_boolean.turn_on",
        "data": '{"entity_id": "input_boolean.guests"}',
    },
}


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_a_call_is_understood(
    hass: HomeAssistant, call_tool: CallTool, spelling: str
) -> None:
    """However it is written down."""
    data = whole(await call_tool(TOOL, **SPELLINGS[spelling]))

    assert data["outcome"] == "done"
    assert state_of(hass, GUESTS) == "on"


async def test_a_name_without_accents(hass: HomeAssistant, call_tool: CallTool) -> None:
    """People leave them out."""
    whole(await call_tool(TOOL, service="input_boolean.turn_on", target="ete a la mer"))

    assert state_of(hass, "input_boolean.holidays") == "on"


async def test_a_name_of_two(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Is not decided by chance."""
    for entity_id in ("switch.one", "switch.two"):
        hass.states.async_set(entity_id, "off", {"friendly_name": "Twin"})

    answer = await call_tool(TOOL, service="homeassistant.turn_on", target="Twin")

    refused(answer, "invalid_arguments", "switch.one", "switch.two")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"service": "turn_on", "target": GUESTS}, ["no domain", "light.turn_on"]),
        (
            {"service": "input_boolean.turn_on", "entity_id": GUESTS},
            ["Put it into target"],
        ),
        (
            {"service": "input_boolean.turn_on", "area_id": "kitchen"},
            ["Put it into target"],
        ),
        ({"service": "input_boolean.turn_on", "target": "Guest"}, ["guest"]),
        ({"service": "turn on the light"}, ["no domain"]),
    ],
    ids=str,
)
async def test_a_mistake_is_told_with_the_way_out(
    hass: HomeAssistant,
    call_tool: CallTool,
    arguments: dict[str, Any],
    words: list[str],
) -> None:
    """And nothing happens."""
    answer = await call_tool(TOOL, **arguments)

    assert answer.is_error
    for word in words:
        assert word in answer.text, answer.text
    assert state_of(hass, GUESTS) == "off"


async def test_too_many_names(call_tool: CallTool) -> None:
    """Each is a search of its own."""
    names = [f"lamp {number}" for number in range(21)]

    answer = await call_tool(TOOL, service="homeassistant.turn_on", target=names)

    refused(answer, "invalid_arguments", "Use their ids")
