"""Ids of hidden entities that others tell of: in names, units, states, texts of services, cut texts, keys."""

from types import SimpleNamespace
from typing import Any

import pytest

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers.service import async_set_service_schema
from tests.conftest import CallTool

from .checks import whole

HIDDEN = "light.secret_room"
HIDING = {"filter_reads": True, "entity_denylist": {"patterns": ["light.secret_*"]}}
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ha_get_overview", {}),
    ("ha_search_entities", {"query": "teller"}),
    ("ha_list_entities", {"search": "teller"}),
    (
        "ha_list_entities",
        {"domain": "sensor,weather", "fields": "name,state,unit,device_class,aliases"},
    ),
    ("ha_list_entities", {"device_class": "anything"}),
    ("ha_list_entities", {"area": "nowhere"}),
    ("ha_get_entity", {"entity_id": "sensor.teller"}),
    ("ha_get_entity", {"entity_id": "sensor.teller,weather.teller"}),
    ("ha_get_entity", {"entity_id": "sensor.teller", "attribute": "told"}),
    ("ha_list_areas", {}),
)

pytestmark = pytest.mark.parametrize("options", [HIDING])


@pytest.mark.parametrize(
    "attributes",
    [
        {"friendly_name": f"Teller of {HIDDEN}"},
        {"friendly_name": f"Teller {'x' * 40} {HIDDEN}"},
        {"unit_of_measurement": HIDDEN},
        {"device_class": HIDDEN},
        {"temperature_unit": HIDDEN},
        {"told": [HIDDEN, f"by {HIDDEN}", {HIDDEN: 1}]},
        {"told": f"/api/camera_proxy/{HIDDEN.replace('.', '%2E')}"},
        {"told": SimpleNamespace(text="y" * 165, id=HIDDEN)},
        {"told": {"a": {"b": HIDDEN.upper()}}},
    ],
    ids=lambda attributes: str(attributes)[:60],
)
async def test_no_answer_has_a_hidden_id_in_it(
    hass: HomeAssistant, call_tool: CallTool, attributes: dict[str, Any]
) -> None:
    """Not even half of one."""
    areas = ar.async_get(hass)
    areas.async_update(areas.async_create("Room").id, name=f"Room of {HIDDEN}")
    hass.states.async_set(HIDDEN, "on", {"friendly_name": "Nobody"})
    told = {"told": [1], **attributes}
    hass.states.async_set("sensor.teller", HIDDEN, told)
    hass.states.async_set("weather.teller", HIDDEN, told)
    for name, arguments in CALLS:
        answer = await call_tool(name, **arguments)
        assert "secret" not in answer.text.lower(), (name, answer.text)
        assert "nobody" not in answer.text.lower(), (name, answer.text)


async def test_the_filter_by_state_is_no_oracle(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """It filters by what is shown, not by what is there."""
    hass.states.async_set(HIDDEN, "on")
    hass.states.async_set("sensor.teller", HIDDEN)
    found = whole(await call_tool("ha_list_entities", domain="sensor", state=HIDDEN))
    others = whole(
        await call_tool("ha_list_entities", domain="sensor", state=f"!={HIDDEN}")
    )
    assert found["items"] == []
    assert "sensor.teller" in {row["entity_id"] for row in others["items"]}


@pytest.mark.parametrize(
    "attribute", ["friendly_name", "device_class", "unit_of_measurement"]
)
@pytest.mark.parametrize("query", ["secret", "secret room", "room", "secert", HIDDEN])
async def test_the_search_is_no_oracle(
    hass: HomeAssistant, call_tool: CallTool, attribute: str, query: str
) -> None:
    """Words of a hidden id find what they would find without those that tell of it; those are found while it is unknown."""
    hass.states.async_set("sensor.version", "1", {"friendly_name": "Version 2026.11"})
    for name, argument in (
        ("ha_search_entities", "query"),
        ("ha_list_entities", "search"),
    ):
        without = whole(await call_tool(name, **{argument: query}))
        hass.states.async_set("sensor.teller", "1", {attribute: f"Of {HIDDEN}"})
        unknown = whole(await call_tool(name, **{argument: query}))
        hass.states.async_set(HIDDEN, "on")
        hidden = whole(await call_tool(name, **{argument: query}))
        assert "sensor.teller" in {row["entity_id"] for row in unknown["items"]}
        assert hidden == without
        version = whole(await call_tool(name, **{argument: "version 2026.11"}))
        assert [row["entity_id"] for row in version["items"]] == ["sensor.version"]
        hass.states.async_remove(HIDDEN)
        hass.states.async_remove("sensor.teller")


async def test_members_that_are_hidden_are_dropped_and_no_other_one(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Two hidden keys are not one, and the value of a hidden one is not shown."""
    hass.states.async_set(HIDDEN, "on")
    hass.states.async_set("light.secret_two", "on")
    told = {HIDDEN: 1, "light.secret_two": 2, "light.ok": 3}
    hass.states.async_set("sensor.teller", "1", {"told": told})
    data = whole(await call_tool("ha_get_entity", entity_id="sensor.teller"))
    assert data["attributes"]["told"] == {"light.ok": 3}


@pytest.mark.parametrize(
    "arguments",
    [
        {"domain": "teller"},
        {"search": "secret"},
        {"search": "secret_room"},
        {"search": "turns"},
    ],
)
async def test_texts_of_services_have_no_hidden_id(
    hass: HomeAssistant, call_tool: CallTool, arguments: dict[str, str]
) -> None:
    """Users write some of them; and they cannot be found by what is hidden."""

    async def call(service: ServiceCall) -> None:
        """Do nothing."""

    hass.states.async_set(HIDDEN, "on")
    hass.services.async_register("teller", "tell", call)
    field = {"description": f"Instead of {HIDDEN}", "example": {"entity_id": HIDDEN}}
    description = {"description": f"Turns {HIDDEN} on", "fields": {"what": field}}
    async_set_service_schema(hass, "teller", "tell", description)
    answer = await call_tool("ha_list_services", **arguments)
    assert "secret" not in answer.text
    found = bool(answer.data.get("services") or answer.data.get("items"))
    assert found == ("secret" not in str(arguments))


async def test_long_dotted_texts_take_no_time(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Scrubbing grows with the length of a text, not with its square."""
    hass.states.async_set("sensor.teller", "1", {"told": "a." * 100_000})
    started = hass.loop.time()
    whole(await call_tool("ha_get_entity", entity_id="sensor.teller"))
    assert hass.loop.time() - started < 0.5


async def test_a_long_attribute_in_pages_keeps_what_is_hidden(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """An object in pages is no way around: not for keys, not for tokens; and hidden members are not counted."""
    hass.states.async_set(HIDDEN, "on")
    filler = {f"light.x{number}": "y" * 50 for number in range(300)}
    told = {HIDDEN: "unlocked-4711", "access_token": "SECRET", **filler}
    members = [HIDDEN, "light.ok", "light.secret_other"]
    hass.states.async_set("sensor.teller", "1", {"told": told, "members": members})
    hass.states.async_set("light.secret_other", "on")
    for name, total in (("told", 300), ("members", 1)):
        answer = await call_tool(
            "ha_get_entity", entity_id="sensor.teller", attribute=name
        )
        assert whole(answer)["total"] == total
        assert not [
            word
            for word in ("4711", "SECRET", "secret", "(hidden)")
            if word in answer.text
        ]
