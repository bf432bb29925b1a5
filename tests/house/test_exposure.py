"""What is exposed to Assist, read without leaving a trace."""

import pytest
from pytest_homeassistant_custom_component.common import async_capture_events

from custom_components.mcp_bridge.house.exposure import (
    exposes_new_entities,
    is_exposed,
    listen_to_exposure,
)
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .building import Building

ASSIST = "conversation"


@pytest.fixture(autouse=True)
async def fixture_exposure(hass: HomeAssistant) -> None:
    """Set up the part of Home Assistant that knows what is exposed."""
    assert await async_setup_component(hass, "homeassistant", {})


def expose_new_entities(hass: HomeAssistant, *, exposed: bool) -> None:
    """Change the default for entities that nobody has decided about."""
    hass.data[DATA_EXPOSED_ENTITIES].async_set_expose_new_entities(ASSIST, exposed)


@pytest.mark.parametrize("registered", [True, False])
async def test_exposing_and_taking_back(
    hass: HomeAssistant, building: Building, *, registered: bool
) -> None:
    """The decision of the user holds, for registered entities and for others."""
    if registered:
        building.entity("camera.door", "Door")
    building.state("camera.door", "Door")
    assert not is_exposed(hass, "camera.door")

    async_expose_entity(hass, ASSIST, "camera.door", True)
    assert is_exposed(hass, "camera.door")

    async_expose_entity(hass, ASSIST, "camera.door", False)
    assert not is_exposed(hass, "camera.door")


async def test_exposure_to_others_does_not_count(
    hass: HomeAssistant, building: Building
) -> None:
    """Alexa is another assistant."""
    building.entity("camera.door", "Door")
    async_expose_entity(hass, "cloud.alexa", "camera.door", True)

    assert not is_exposed(hass, "camera.door")


async def test_default_by_domain_class_and_category(
    hass: HomeAssistant, building: Building
) -> None:
    """What nobody decided about follows Home Assistant's default."""
    building.entity("light.lamp", "Lamp")
    building.entity("light.setting", "S", entity_category=EntityCategory.CONFIG)
    building.entity("light.hidden", "H", hidden_by=er.RegistryEntryHider.USER)
    building.state("sensor.warmth", device_class="temperature")
    building.state("sensor.voltage", device_class="voltage")
    entity_ids = ("light.lamp", "light.setting", "light.hidden", "sensor.warmth", "sensor.voltage")  # fmt: skip

    assert [key for key in entity_ids if is_exposed(hass, key)] == [
        "light.lamp",
        "sensor.warmth",
    ]
    assert exposes_new_entities(hass)

    expose_new_entities(hass, exposed=False)

    assert not any(is_exposed(hass, entity_id) for entity_id in entity_ids)
    assert not exposes_new_entities(hass)


async def test_asking_writes_nothing(hass: HomeAssistant, building: Building) -> None:
    """Looking at the default does not turn it into a decision."""
    building.entity("light.lamp", "Lamp")
    building.state("light.plain")
    before = building.entities.async_get("light.lamp")
    events = async_capture_events(hass, er.EVENT_ENTITY_REGISTRY_UPDATED)

    assert is_exposed(hass, "light.lamp")
    assert is_exposed(hass, "light.plain")
    expose_new_entities(hass, exposed=False)
    assert not is_exposed(hass, "light.lamp")
    assert not is_exposed(hass, "light.plain")

    assert building.entities.async_get("light.lamp") is before
    assert events == []


async def test_unknown_entity_may_be_asked_about(hass: HomeAssistant) -> None:
    """No error for what does not exist."""
    assert not is_exposed(hass, "sensor.unknown")


async def test_listener_hears_of_every_change_until_it_stops(
    hass: HomeAssistant, building: Building
) -> None:
    """Both ways, for registered entities and for others, and not after the end."""
    building.entity("camera.door", "Door")
    building.state("camera.plain")
    heard: list[None] = []
    stop = listen_to_exposure(hass, lambda: heard.append(None))

    for entity_id in ("camera.door", "camera.plain"):
        async_expose_entity(hass, ASSIST, entity_id, True)
        async_expose_entity(hass, ASSIST, entity_id, False)
    assert len(heard) == 4

    async_expose_entity(hass, "cloud.alexa", "camera.door", True)
    assert len(heard) == 4

    stop()
    async_expose_entity(hass, ASSIST, "camera.door", True)
    assert len(heard) == 4
