"""What is called is what was checked: no more, whatever happens between the two."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import async_capture_events

from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from tests.conftest import CallTool
from tests.tools.checks import whole

from .acting_house import FRONT, GARAGE, HALL, state_of

HIDE_BLIND = {
    "allow_write": True,
    "filter_reads": True,
    "entity_denylist": {"patterns": ["cover.blind"]},
    "confirm_domains": [],
}


@pytest.mark.parametrize("options", [HIDE_BLIND])
async def test_an_exclude_of_the_caller_holds(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Also when something hidden is left out, too."""
    registry = er.async_get(hass)
    for entity_id in ("cover.blind", GARAGE):
        registry.async_update_entity(entity_id, area_id="kitchen")

    answer = await call_tool(
        "ha_call_service",
        service="cover.open_cover",
        target={"area_id": "kitchen"},
        data={"exclude": {"entity_id": [GARAGE]}},
    )

    assert answer.is_error
    assert state_of(hass, GARAGE) == "closed"
    assert state_of(hass, "cover.blind") == "closed"


WAYS: dict[str, dict[str, Any]] = {
    "area": {"service": "light.turn_on", "target": {"area_id": "entrance"}},
    "area in the data": {"service": "light.turn_on", "data": {"area_id": ["entrance"]}},
    "floor": {"service": "light.turn_on", "target": {"floor_id": "ground"}},
    "all": {"service": "light.turn_on", "target": {"entity_id": "all"}},
    "all but": {
        "service": "light.turn_on",
        "target": {"entity_id": "all"},
        "data": {"exclude": {"area_id": ["kitchen"]}},
    },
    "anything": {"service": "homeassistant.turn_on", "data": {"entity_id": HALL}},
}


@pytest.mark.parametrize("way", WAYS)
async def test_the_call_names_its_entities(
    hass: HomeAssistant, call_tool: CallTool, way: str
) -> None:
    """By their ids, and by nothing else: no place that something could have come into meanwhile."""
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    tried = whole(await call_tool("ha_call_service", **WAYS[way], dry_run=True))
    expected = [target["entity_id"] for target in tried["would_do"]["targets"]]

    whole(await call_tool("ha_call_service", **WAYS[way]))

    data = calls[0].data["service_data"]
    assert data["entity_id"] == expected
    assert HALL in expected
    assert not {"area_id", "floor_id", "device_id", "label_id", "exclude"} & data.keys()


async def test_a_door_that_comes_into_the_room(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """While the room is switched on, it is not touched."""
    registry = er.async_get(hass)
    for entity_id in (FRONT, GARAGE):
        registry.async_update_entity(entity_id, area_id="kitchen")

    whole(
        await call_tool(
            "ha_call_service", service="light.turn_on", target={"area_id": "entrance"}
        )
    )

    assert state_of(hass, HALL) == "on"
    assert state_of(hass, FRONT) == "locked"
