"""Areas, floors, labels and devices go by what people call them."""

import pytest

from custom_components.mcp_bridge.house.places import (
    Place,
    PlaceKind,
    all_devices,
    device_name,
    find_places,
    places,
)
from custom_components.mcp_bridge.house.records import read_record
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr

from .building import Building


def ids(hass: HomeAssistant, kind: PlaceKind, text: str) -> list[str]:
    """Return the ids of the places that a text means."""
    return [place.id for place in find_places(places(hass, kind), text)]


@pytest.mark.parametrize(
    "text",
    [
        "salle_a_manger",
        "Salle à manger",
        "salle a manger",
        "SALLE À MANGER",
        "Salle a\u0300 manger",
        "Esszimmer",
        "esszimmer",
        "Ｅｓｓｚｉｍｍｅｒ",
        "SALLE_A_MANGER",
    ],
)
async def test_area_is_found_by_id_name_and_alias(
    hass: HomeAssistant, building: Building, text: str
) -> None:
    """Case, accents and width do not matter."""
    area = building.area("Salle à manger", aliases={"Esszimmer"})
    building.area("Salon")
    assert area == "salle_a_manger"

    assert ids(hass, PlaceKind.AREA, text) == [area]


@pytest.mark.parametrize(
    "text", ["sal", "salo", "salons", "le salon", "slaon", "", " "]
)
async def test_places_are_not_guessed(
    hass: HomeAssistant, building: Building, text: str
) -> None:
    """What is only near, or only a part, is no place: a filter by it would show the wrong things."""
    building.area("Salon")

    assert ids(hass, PlaceKind.AREA, text) == []


async def test_floors_and_labels_are_found_by_their_names(
    hass: HomeAssistant, building: Building
) -> None:
    """Each kind is looked up among its own."""
    floor = building.floor("Étage", aliases={"Upstairs"})
    label = building.label("Fête")
    building.area("Cave")

    assert ids(hass, PlaceKind.FLOOR, "etage") == [floor]
    assert ids(hass, PlaceKind.FLOOR, "UPSTAIRS") == [floor]
    assert ids(hass, PlaceKind.LABEL, "fete") == [label]
    assert (
        ids(hass, PlaceKind.FLOOR, "cave") == ids(hass, PlaceKind.LABEL, "cave") == []
    )


async def test_two_areas_of_one_name_are_both_found(
    hass: HomeAssistant, building: Building
) -> None:
    """Names that differ by an accent only are the same to people, but the areas are two."""
    both = [building.area("Salon"), building.area("Salón")]

    assert sorted(ids(hass, PlaceKind.AREA, "SALON")) == sorted(both)
    for area, name in zip(both, ("Salon", "Salón"), strict=True):
        assert ids(hass, PlaceKind.AREA, area) == [area]
        assert ids(hass, PlaceKind.AREA, name) == [area], (
            "an exact name is not ambiguous"
        )


async def test_two_areas_of_one_alias_are_both_found(
    hass: HomeAssistant, building: Building
) -> None:
    """An alias may be given twice."""
    both = [building.area(name, aliases={"Den"}) for name in ("Study", "Library")]

    assert sorted(ids(hass, PlaceKind.AREA, "den")) == sorted(both)


async def test_two_floors_of_one_name_are_both_found(
    hass: HomeAssistant, building: Building
) -> None:
    """What holds for areas holds for floors."""
    both = [building.floor("Étage"), building.floor("Etage")]

    assert sorted(ids(hass, PlaceKind.FLOOR, "ETAGE")) == sorted(both)


async def test_name_comes_before_alias_and_the_exact_id_before_both(
    hass: HomeAssistant, building: Building
) -> None:
    """What a place is called by itself is meant rather than what another is also called."""
    old = building.area("Den")
    building.areas.async_update(old, name="Study", aliases={"Library"})
    library = building.area("Library")

    assert ids(hass, PlaceKind.AREA, "library") == [library]
    assert ids(hass, PlaceKind.AREA, "Library") == [library]
    assert ids(hass, PlaceKind.AREA, "den") == ids(hass, PlaceKind.AREA, "DEN") == [old]

    den = building.area("Den")
    assert (old, den) == ("den", "den_2")
    assert ids(hass, PlaceKind.AREA, "den") == [old]
    assert ids(hass, PlaceKind.AREA, "Den") == [den]


async def test_area_by_name_has_nothing_to_do_with_names_of_entities(
    hass: HomeAssistant, building: Building
) -> None:
    """The area "salon" holds what is registered in it, not an entity that sounds like it."""
    salon, abc = building.area("salon"), building.area("abc")
    device = building.device("Climatisation", abc)
    building.entity("climate.climatisation_abc", "Climatisation abc", area=salon)
    building.entity("climate.climatisation_salon", "Climatisation salon", device=device)

    records = [read_record(hass, entity_id) for entity_id in building.entities.entities]

    assert ids(hass, PlaceKind.AREA, "salon") == [salon]
    assert {record.name: record.area_id for record in records if record} == {
        "Climatisation abc": salon,
        "Climatisation Climatisation salon": abc,
    }


async def test_places_are_sorted_as_people_read(
    hass: HomeAssistant, building: Building
) -> None:
    """Accents and case do not put a name behind all others."""
    for name in ("Zimmer", "école", "Attic", "Entrée", "bath"):
        building.area(name)

    names = [place.name for place in places(hass, PlaceKind.AREA)]

    assert names == ["Attic", "bath", "école", "Entrée", "Zimmer"]


async def test_device_by_either_name(hass: HomeAssistant, building: Building) -> None:
    """The user's name counts, and the integration's still leads there."""
    device = building.device("TS0505B")
    building.devices.async_update_device(device, name_by_user="Salt lamp")

    assert places(hass, PlaceKind.DEVICE) == [
        Place(PlaceKind.DEVICE, device, "Salt lamp", ("TS0505B",))
    ]
    for text in (device, "salt lamp", "ts0505b"):
        assert ids(hass, PlaceKind.DEVICE, text) == [device]


async def test_two_devices_of_one_name_are_both_found(
    hass: HomeAssistant, building: Building
) -> None:
    """Devices share names all the time."""
    both = [building.device("Socket"), building.device("Socket")]

    assert sorted(ids(hass, PlaceKind.DEVICE, "Socket")) == sorted(both)


async def test_child_devices_are_devices(
    hass: HomeAssistant, building: Building
) -> None:
    """They follow the main ones, and are found alike."""
    hub = building.device("Hub")
    channel = building.child(hub, "Channel")

    assert [device.id for device in all_devices(hass)] == [hub, channel]
    assert ids(hass, PlaceKind.DEVICE, "channel") == [channel]


async def test_disabled_devices_are_left_out(
    hass: HomeAssistant, building: Building
) -> None:
    """A disabled device takes its child devices along."""
    hub = building.device("Hub")
    building.child(hub, "Channel")
    lamp = building.device("Lamp")
    assert len(all_devices(hass)) == 3

    building.devices.async_update_device(hub, disabled_by=dr.DeviceEntryDisabler.USER)

    assert [device.id for device in all_devices(hass)] == [lamp]
    assert ids(hass, PlaceKind.DEVICE, "hub") == []


async def test_device_without_a_name_has_one_to_show(
    hass: HomeAssistant, building: Building
) -> None:
    """None is never shown as a name."""
    device = building.device("Hub")
    building.devices.async_update_device(device, name=None)

    assert [device_name(nameless) for nameless in all_devices(hass)] == [
        "Unnamed device"
    ]
    assert places(hass, PlaceKind.DEVICE)[0].aliases == ()
