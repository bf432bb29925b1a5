"""Filters: by place, kind and state, all of them together."""

from typing import Any

import pytest

from custom_components.mcp_bridge.tools.selection import as_number
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

from .checks import ids, refused, whole

KITCHEN = {
    "light.kitchen_ceiling",
    "light.hidden_lamp",
    "sensor.freezer",
    "sensor.hub_signal",
    "switch.kitchen_socket_2",
}


async def listed(call_tool: CallTool, **filters: Any) -> set[str]:
    """Return the ids that pass the filters."""
    return set(ids(whole(await call_tool("ha_list_entities", **filters))))


@pytest.mark.parametrize(
    "area", ["kitchen", "Kitchen", " KITCHEN ", "Cuisine", "cuisine"]
)
async def test_an_area_is_known_by_id_name_and_alias(
    call_tool: CallTool, area: str
) -> None:
    """With what is in it itself, by its device, and by the parent of its device."""
    assert await listed(call_tool, area=area) == KITCHEN


@pytest.mark.parametrize(
    "area", ["Salle à manger", "salle a manger", "SALLE À MANGER", "salle_a_manger"]
)
async def test_accents_do_not_matter(call_tool: CallTool, area: str) -> None:
    """People leave them out, and so do models."""
    assert await listed(call_tool, area=area) == {"light.dining"}


async def test_the_name_of_an_entity_does_not_put_it_into_an_area(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Only the registries say where something is."""
    hass.states.async_set("climate.hvac", "heat", {"friendly_name": "Climate kitchen"})

    assert "climate.hvac" not in await listed(call_tool, area="kitchen")


@pytest.mark.parametrize(
    "tool", ["ha_list_entities", "ha_list_areas", "ha_list_devices"]
)
async def test_two_areas_of_one_name_are_never_merged(
    call_tool: CallTool, tool: str
) -> None:
    """The error names both ids, and each id works."""
    error = refused(
        await call_tool(tool, area="BURO"), "invalid_arguments", "buro, buro_2"
    )
    assert "area" in error["message"]

    exact = await call_tool(tool, area="buro_2")
    assert not exact.is_error


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"floor": "downstairs"}, KITCHEN | {"light.dining"}),
        (
            {"floor": "Ground Floor", "domain": "light", "state": "off"},
            {"light.dining"},
        ),
        ({"label": "important"}, {"light.kitchen_ceiling"}),
        ({"label": "OUTSIDE"}, {"binary_sensor.gate", "sensor.soil"}),
        ({"device": "Socket two"}, {"switch.kitchen_socket_2"}),
        ({"device": "kitchen hub"}, KITCHEN - {"light.hidden_lamp", "sensor.freezer"}),
        ({"device": "Acme hub", "domain": "Light"}, {"light.kitchen_ceiling"}),
        ({"device_class": "Door"}, {"binary_sensor.gate"}),
        ({"search": "ceiling", "area": "kitchen"}, {"light.kitchen_ceiling"}),
        ({"search": "ceiling", "area": "garden"}, set()),
        ({"domain": "lock, person"}, {"lock.vault", "person.anna"}),
        ({"area": "kitchen", "floor": "upper floor"}, set()),
    ],
)
async def test_filters_go_together(
    call_tool: CallTool, filters: dict[str, str], found: set[str]
) -> None:
    """Each one narrows down what the others leave."""
    assert await listed(call_tool, **filters) == found


@pytest.mark.parametrize("place", ["area", "floor", "label", "device"])
async def test_an_unknown_place_is_named_with_those_that_are_near(
    call_tool: CallTool, place: str
) -> None:
    """The names of the house are the best hint."""
    near = {
        "area": "Kitchn",
        "floor": "Uper floor",
        "label": "Importnt",
        "device": "Kitchen hob",
    }
    right = {
        "area": "Kitchen",
        "floor": "Upper floor",
        "label": "Important",
        "device": "Kitchen hub",
    }

    refused(
        await call_tool("ha_list_entities", **{place: near[place]}),
        "not_found",
        right[place],
    )


@pytest.mark.parametrize("place", ["area", "floor", "label", "device"])
@pytest.mark.parametrize("name", ["💡", "\u202eneti", "🏠" * 255, "..", "%", "\ud800"])
async def test_a_place_of_any_name_is_not_found_in_a_few_words(
    call_tool: CallTool, place: str, name: str
) -> None:
    """Whatever is typed, the answer is short and can be sent."""
    refused(await call_tool("ha_list_entities", **{place: name}), "not_found", place)


@pytest.mark.parametrize(
    ("state", "found"),
    [
        (">20", {"sensor.bedroom_temperature"}),
        ("> 20", {"sensor.bedroom_temperature"}),
        (">=21.5", {"sensor.bedroom_temperature"}),
        (">21.5", set()),
        ("<5", {"sensor.freezer"}),
        ("<=-18.5", {"sensor.freezer"}),
        ("< -18.5", set()),
        ("dry", {"sensor.soil"}),
        ("=DRY", {"sensor.soil"}),
        ("21.5", {"sensor.bedroom_temperature"}),
    ],
)
async def test_a_state_is_compared_as_a_number_or_as_a_word(
    hass: HomeAssistant, call_tool: CallTool, state: str, found: set[str]
) -> None:
    """What is no number is neither greater nor less than one."""
    for number, odd in enumerate(("nan", "inf", "-inf", "unknown", "", "12 °C")):
        hass.states.async_set(f"sensor.odd_{number}", odd)

    entities = await listed(call_tool, domain="sensor", state=state)

    assert entities - {"sensor.vault_charge"} == found


async def test_a_state_may_be_excluded(call_tool: CallTool) -> None:
    """Everything else remains, also what is unavailable; what has no state passes no test."""
    assert await listed(call_tool, area="kitchen", state="!=on") == {
        "sensor.freezer",
        "sensor.hub_signal",
        "switch.kitchen_socket_2",
    }
    assert await listed(call_tool, state="unavailable") == {"sensor.hub_signal"}


@pytest.mark.parametrize(
    "state", [">", ">warm", "<=on", ">nan", "<inf", ">1 2", "=", "!="]
)
async def test_a_comparison_without_a_value_is_an_error(
    call_tool: CallTool, state: str
) -> None:
    """It names the argument and shows how to compare."""
    refused(
        await call_tool("ha_list_entities", state=state), "invalid_arguments", "state"
    )


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("-1.5", -1.5),
        (" 2 ", 2),
        ("1e3", 1000),
        ("nan", None),
        ("inf", None),
        ("on", None),
        ("", None),
        ("1,5", None),
        ("0x10", None),
        ("1_000", None),
    ],
)
def test_a_state_is_a_number_when_people_would_call_it_one(
    text: str, number: float | None
) -> None:
    """No infinity, no words, and nothing that only Python reads as a number."""
    assert as_number(text) == number


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"domain": "lights"}, ("'lights'", "Did you mean light?")),
        ({"domain": "light,swich"}, ("'swich'", "switch")),
        ({"device_class": "dor"}, ("'dor'", "door")),
        ({"domain": "vacuum"}, ("'vacuum'", "binary_sensor")),
    ],
)
async def test_a_kind_that_nothing_has_is_an_error(
    call_tool: CallTool, filters: dict[str, str], words: tuple[str, ...]
) -> None:
    """An empty list would look as if everything were off."""
    refused(await call_tool("ha_list_entities", **filters), "not_found", *words)


async def test_an_empty_list_says_which_states_there_are(call_tool: CallTool) -> None:
    """A light is never open."""
    data = whole(await call_tool("ha_list_entities", domain="light", state="open"))

    assert data["items"] == []
    assert "on" in data["note"]
    assert "off" in data["note"]
