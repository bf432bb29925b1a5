"""What a call names in other forms than by the ids of entities, and how much of it there may be."""

from typing import Any
from unittest.mock import patch

import pytest

from custom_components.mcp_bridge.errors import InvalidArguments
from custom_components.mcp_bridge.house import target_reading
from custom_components.mcp_bridge.house.call_data import MAX_IDS, MAX_TEXT
from custom_components.mcp_bridge.house.targets import CallTargets, resolve_targets
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.setup import async_setup_component

from .building import Building


@pytest.fixture(autouse=True)
async def fixture_house(hass: HomeAssistant) -> None:
    """Set up a camera, a group and a scene."""
    assert await async_setup_component(hass, "homeassistant", {})
    for entity_id in ("camera.front", "light.lamp", "group.doors", "scene.night"):
        hass.states.async_set(entity_id, "on")


async def resolved(
    hass: HomeAssistant, service: str, data: dict[str, Any]
) -> CallTargets:
    """Return what a call without a target is about."""
    return await resolve_targets(hass, *split_entity_id(service), {}, data)


@pytest.mark.parametrize(
    ("service", "data", "found"),
    [
        ("group.set", {"object_id": "doors"}, ("group.doors", None, None)),
        ("group.set", {"object_id": "new"}, (None, "group.new", None)),
        ("GROUP.Set", {"object_id": "DOORS"}, ("group.doors", None, None)),
        ("group.set", {"object_id": 5}, (None, "group.5", None)),
        ("group.remove", {"object_id": "doors"}, ("group.doors", None, None)),
        ("group.remove", {"object_id": "new"}, (None, None, "group.new")),
        ("scene.create", {"scene_id": "night"}, ("scene.night", None, None)),
        ("scene.create", {"scene_id": "new"}, (None, "scene.new", None)),
        # Home Assistant refuses these.
        ("group.set", {"object_id": "no id"}, (None, None, None)),
        ("group.set", {"object_id": ["doors"]}, (None, None, None)),
        ("group.set", {}, (None, None, None)),
        # Not what the field means there.
        ("scene.apply", {"scene_id": "night"}, (None, None, None)),
        ("acme.set", {"object_id": "doors"}, (None, None, None)),
    ],
    ids=str,
)
async def test_what_a_service_makes(
    hass: HomeAssistant, service: str, data: dict[str, Any], found: tuple[str | None]
) -> None:
    """Some services are told only a part of the id; what is there is changed, and the rest comes into being."""
    targets = await resolved(hass, service, data)

    in_data, makes, missing = ((id_,) if id_ else () for id_ in found)
    assert (targets.in_data, targets.makes, targets.missing) == (
        in_data,
        makes,
        missing,
    )


@pytest.mark.parametrize(
    "address",
    [
        "media-source://camera/camera.front",
        "/api/camera_proxy_stream/camera.front",
        "media-source://camera/camera%2Efront",
        "http://host/x?entity_id=CAMERA.front",
        "![x](/api/camera_proxy/camera.front)",
    ],
)
@pytest.mark.parametrize("nested", [True, False])
async def test_entities_in_addresses(
    hass: HomeAssistant, address: str, nested: bool
) -> None:
    """What plays or shows an address shows the entity."""
    data: dict[str, Any] = {"media_content_id": address}
    if nested:
        data = {"media": {"deep": [data]}}

    targets = await resolved(hass, "acme.play", data)

    assert targets.in_data == ("camera.front",)


async def test_devices_in_addresses(hass: HomeAssistant) -> None:
    """The id of a device or of an entity in the registry is as good as the entity."""
    building = Building(hass)
    device = building.device("Cam")
    building.state(building.entity("camera.back", device=device))
    uuid = building.entities.entities["camera.back"].id

    by_device = await resolved(hass, "acme.play", {"x": f"media-source://x/{device}"})
    by_uuid = await resolved(hass, "acme.play", {"x": f"media-source://x/{uuid}/y"})

    assert by_device.expanded == by_uuid.in_data == ("camera.back",)


IDS = [f"light.l{number}" for number in range(MAX_IDS)]


@pytest.mark.parametrize(
    "data",
    [
        {"entity_id": [*IDS, "light.more"]},
        {"entity_id": ",".join([*IDS, "light.more"])},
        {"area_id": [*IDS, "more"]},
        {"entities": dict.fromkeys([*IDS, "light.more"], "on")},
        {"x": [{"members": IDS}, {"device_id": "x"}]},
        {"entity_id": "light.lamp", "exclude": {"entity_id": IDS}},
        {"message": "x" * (MAX_TEXT + 1)},
        {"x" * (MAX_TEXT + 1): 1},
    ],
    ids=["list", "commas", "places", "keys", "nested", "exclude", "text", "key"],
)
async def test_too_much_is_refused_before_it_is_looked_up(
    hass: HomeAssistant, data: dict[str, Any]
) -> None:
    """Beyond what a call ever needs, it costs next to nothing."""
    with (
        patch.object(
            target_reading.CallReader, "_existing", side_effect=AssertionError
        ),
        pytest.raises(InvalidArguments),
    ):
        await resolved(hass, "homeassistant.turn_on", data)


async def test_as_much_as_is_allowed(hass: HomeAssistant) -> None:
    """The limits themselves are."""
    data = {"entity_id": IDS, "message": "x" * MAX_TEXT}

    assert len((await resolved(hass, "acme.touch", data)).named) == MAX_IDS


async def test_too_many_entities_in_plain_texts(hass: HomeAssistant) -> None:
    """Texts of any other kind are looked up, but what they name has the same limit."""
    for entity_id in [*IDS, "light.more"]:
        hass.states.async_set(entity_id, "on")

    with pytest.raises(InvalidArguments):
        await resolved(hass, "acme.touch", {"message": [*IDS, "light.more"]})
