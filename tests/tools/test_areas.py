"""Areas and devices."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr
from tests.conftest import CallTool

from .checks import every_page, refused, whole
from .furniture import House, Piece, place


def furniture(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return devices without the bridge's own one, which is in every house."""
    return [item for item in items if item["integration"] != DOMAIN]


def names(data: dict[str, Any]) -> list[str]:
    """Return the names of a page."""
    return [item["name"] for item in data["items"]]


async def test_all_areas_are_listed_by_name(call_tool: CallTool) -> None:
    """With floor, aliases and how many entities they have; empty ones too."""
    data = whole(await call_tool("ha_list_areas"))

    assert data["items"] == [
        {
            "area_id": "bedroom",
            "name": "Bedroom",
            "floor": "Upper floor",
            "entities": 4,
        },
        {"area_id": "buro", "name": "Büro", "floor": "Upper floor", "entities": 0},
        {"area_id": "buro_2", "name": "Buro", "floor": "Upper floor", "entities": 0},
        {"area_id": "garden", "name": "Garden", "entities": 2},
        {
            "area_id": "kitchen",
            "name": "Kitchen",
            "floor": "Ground floor",
            "aliases": ["Cuisine"],
            "entities": 5,
        },
        {
            "area_id": "salle_a_manger",
            "name": "Salle à manger",
            "floor": "Ground floor",
            "entities": 1,
        },
    ]
    assert (data["total"], data["has_more"]) == (6, False)


async def test_one_area_tells_what_is_on_in_it(call_tool: CallTool) -> None:
    """Not what is hidden, a diagnostic value, or off."""
    data = whole(await call_tool("ha_list_areas", area=" cuisine "))

    assert (data["area_id"], data["name"], data["floor"]) == (
        "kitchen",
        "Kitchen",
        "Ground floor",
    )
    assert data["entity_count"] == 5
    assert data["by_domain"] == {"light": 2, "sensor": 2, "switch": 1}
    assert [row["entity_id"] for row in data["notable"]] == ["light.kitchen_ceiling"]


async def test_an_empty_area_is_an_area(call_tool: CallTool) -> None:
    """Nothing in it is no error."""
    data = whole(await call_tool("ha_list_areas", area="buro_2"))

    assert (data["entity_count"], data["by_domain"], data["notable"]) == (0, {}, [])


async def test_an_area_with_much_on_tells_the_first_ten(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """And how many entities there are in all."""
    for number in range(30):
        place(hass, Piece(f"light.x{number:02}", f"Lamp {number}", "on", area="garden"))

    data = whole(await call_tool("ha_list_areas", area="garden"))

    assert data["entity_count"] == 32
    assert len(data["notable"]) == 10


@pytest.mark.parametrize(
    "area", ["Kitchn", "kitchen.", "💡", "\u202e", "x" * 255, "\ud800"]
)
async def test_an_unknown_area_is_not_found(call_tool: CallTool, area: str) -> None:
    """The nearest ones, or some of them, are named."""
    assert (
        "Kitchen"
        in refused(await call_tool("ha_list_areas", area=area), "not_found")["hint"]
    )


async def test_long_names_of_areas_do_not_make_a_long_error(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The error names some of them, each in short."""
    for number in range(20):
        ar.async_get(hass).async_create(f"{number} " + "ein sehr langer Name " * 20)

    refused(await call_tool("ha_list_areas", area="xyzzy"), "not_found", "xyzzy")
    refused(await call_tool("ha_list_areas", area="sehr langer Name"), "not_found")


async def test_many_areas_come_in_pages(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """As many as fit into an answer."""
    for number in range(300):
        ar.async_get(hass).async_create(f"Room {number:03} " + "🏠" * 30)

    items = await every_page(call_tool, "ha_list_areas")

    assert len({item["area_id"] for item in items}) == len(items) == 306


async def test_devices_are_listed_by_name(call_tool: CallTool, house: House) -> None:
    """A child device names its parent and is where its parent is; disabled ones are left out."""
    data = whole(await call_tool("ha_list_devices"))

    assert furniture(data["items"]) == [
        {
            "device_id": house.hub,
            "name": "Kitchen hub",
            "manufacturer": "Acme",
            "model": "Hub 1",
            "area": "Kitchen",
            "integration": "acme",
            "entities": 2,
        },
        {
            "device_id": house.socket,
            "name": "Socket two",
            "parent_device_id": house.hub,
            "area": "Kitchen",
            "integration": "acme",
            "entities": 1,
        },
        {
            "device_id": house.vault,
            "name": "Vault box",
            "manufacturer": "Stolen Goods",
            "area": "Bedroom",
            "integration": "acme",
            "entities": 2,
        },
    ]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"area": "cuisine"}, ["Kitchen hub", "Socket two"]),
        ({"area": "garden"}, []),
        ({"search": "HUB acme"}, ["Kitchen hub"]),
        ({"search": "acme hub"}, ["Kitchen hub"]),
        ({"search": "two"}, ["Socket two"]),
        ({"search": "old"}, []),
        ({"search": "💡"}, []),
        ({"search": "kitchen", "area": "bedroom"}, []),
    ],
)
async def test_devices_are_found_by_area_and_words(
    call_tool: CallTool, filters: dict[str, str], found: list[str]
) -> None:
    """Words of either name, of the manufacturer or the model, in any order."""
    data = whole(await call_tool("ha_list_devices", **filters))

    assert names(data) == found
    assert ("note" in data) == (not found)


@pytest.mark.parametrize("search", ["büro lampe", "Buro Lampe", "BÜRO"])
async def test_accents_do_not_matter_for_devices_either(
    hass: HomeAssistant, call_tool: CallTool, house: House, search: str
) -> None:
    """As with everything else that has a name."""
    dr.async_get(hass).async_update_child_device(
        house.socket, name_by_user="Büro-Lampe"
    )

    assert names(whole(await call_tool("ha_list_devices", search=search))) == [
        "Büro-Lampe"
    ]


async def test_devices_come_in_pages(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Also those whose names are long or wide."""
    entry = MockConfigEntry(domain="many")
    entry.add_to_hass(hass)
    for number in range(250):
        dr.async_get(hass).async_get_or_create(
            config_entry_id=entry.entry_id,
            identifiers={("many", str(number))},
            name=f"Device {number:03} " + "🏠" * 40,
            model="m" * (50_000 if number == 100 else 5),
        )

    items = await every_page(call_tool, "ha_list_devices", limit=200)

    assert len({item["device_id"] for item in items}) == len(items)
    assert len(furniture(items)) == 253


@pytest.mark.parametrize("odd", [7, None, "", ["a"]], ids=repr)
async def test_a_device_with_odd_data_leaves_the_others_alone(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool, odd: Any
) -> None:
    """Integrations give numbers for models, and nothing for names."""
    entry = MockConfigEntry(domain="odd")
    entry.add_to_hass(hass)
    dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id,
        identifiers={("odd", "1")},
        name=odd,
        manufacturer=odd,
        model=odd,
    )

    assert len(furniture(whole(await call_tool("ha_list_devices"))["items"])) == 4
    assert names(whole(await call_tool("ha_list_devices", search="acme"))) == [
        "Kitchen hub"
    ]
    assert whole(await call_tool("ha_list_entities", device="kitchen hub"))["items"]


async def test_the_bridge_is_a_device_of_the_house(call_tool: CallTool) -> None:
    """With the one entity that tells what assistants do."""
    data = whole(await call_tool("ha_list_devices", search="mcp bridge"))

    (item,) = data["items"]
    assert (item["integration"], item["entities"]) == (DOMAIN, 1)


async def test_a_house_without_areas_says_so(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Instead of a list of nothing."""
    for area in list(ar.async_get(hass).async_list_areas()):
        ar.async_get(hass).async_delete(area.id)

    assert whole(await call_tool("ha_list_areas"))["items"] == []
    refused(await call_tool("ha_list_areas", area="kitchen"), "not_found", "no areas")
