"""Areas, floors, labels and devices, found by what people call them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    floor_registry as fr,
    label_registry as lr,
)

from .records import first_text, text_or_none
from .search_text import fold


class PlaceKind(StrEnum):
    """What an entity can be in, on, or marked with."""

    AREA = "area"
    FLOOR = "floor"
    LABEL = "label"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Place:
    """An area, floor, label or device with its names."""

    kind: PlaceKind
    id: str
    name: str
    aliases: tuple[str, ...] = ()


type Device = dr.DeviceEntry | dr.ChildDeviceEntry


def all_devices(hass: HomeAssistant) -> list[Device]:
    """Return every device that is not disabled; child devices follow the main ones."""
    registry = dr.async_get(hass)
    devices: list[Device] = [*registry.devices, *registry.child_devices]
    return [device for device in devices if not device.disabled]


def device_name(device: Device) -> str:
    """Return what the user calls the device, else what its integration does."""
    return first_text(device.name_by_user, device.name) or "Unnamed device"


def area_name(hass: HomeAssistant, area_id: str | None) -> str | None:
    """Return the name of an area; None for none, or one that has gone."""
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return area.name if area else None


def floor_name(hass: HomeAssistant, floor_id: str | None) -> str | None:
    """Return the name of a floor; None for none, or one that has gone."""
    floor = fr.async_get(hass).async_get_floor(floor_id) if floor_id else None
    return floor.name if floor else None


def label_names(hass: HomeAssistant, label_ids: Iterable[str]) -> list[str]:
    """Return the names of labels, in the order of their ids."""
    registry = lr.async_get(hass)
    labels = map(registry.async_get_label, sorted(label_ids))
    return [label.name for label in labels if label]


def places(hass: HomeAssistant, kind: PlaceKind) -> list[Place]:
    """Return all places of a kind, sorted by name."""
    return sorted(_READERS[kind](hass), key=lambda place: (fold(place.name), place.id))


def find_places(candidates: Sequence[Place], text: str) -> list[Place]:
    """Return the places that a text means: the one with that id, else all with that name or alias.

    Case and accents are ignored, unless a name is met exactly. More than one means that the text is ambiguous.
    """
    for place in candidates:
        if place.id == text:
            return [place]
    if exact := [place for place in candidates if place.name == text]:
        return exact
    wanted = fold(text)
    for names in (_name, _aliases, _id):
        if found := [
            place
            for place in candidates
            if wanted in {fold(name) for name in names(place)}
        ]:
            return found
    return []


def _name(place: Place) -> tuple[str, ...]:
    return (place.name,)


def _aliases(place: Place) -> tuple[str, ...]:
    return place.aliases


def _id(place: Place) -> tuple[str, ...]:
    return (place.id,)


def _areas(hass: HomeAssistant) -> Iterable[Place]:
    for area in ar.async_get(hass).async_list_areas():
        yield Place(PlaceKind.AREA, area.id, area.name, tuple(sorted(area.aliases)))


def _floors(hass: HomeAssistant) -> Iterable[Place]:
    for floor in fr.async_get(hass).async_list_floors():
        yield Place(
            PlaceKind.FLOOR, floor.floor_id, floor.name, tuple(sorted(floor.aliases))
        )


def _labels(hass: HomeAssistant) -> Iterable[Place]:
    for label in lr.async_get(hass).async_list_labels():
        yield Place(PlaceKind.LABEL, label.label_id, label.name)


def _devices(hass: HomeAssistant) -> Iterable[Place]:
    for device in all_devices(hass):
        own_name = text_or_none(device.name)
        aliases = (own_name,) if own_name and device.name_by_user else ()
        yield Place(PlaceKind.DEVICE, device.id, device_name(device), aliases)


_READERS = {
    PlaceKind.AREA: _areas,
    PlaceKind.FLOOR: _floors,
    PlaceKind.LABEL: _labels,
    PlaceKind.DEVICE: _devices,
}
