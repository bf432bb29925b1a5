"""Areas and devices."""

from collections import Counter
from typing import Any

import probatio as vol

from homeassistant.helpers import area_registry as ar, device_registry as dr

from ..access.view import HouseView
from ..house.places import Device, PlaceKind, area_name, device_name, floor_name
from ..house.records import text_or_none
from ..house.search_text import fold
from ..models import Kind
from .activity import activity, rank
from .declaration import Call, tool
from .entities import MOST_ALIASES, summary
from .envelope import Page
from .paging import offset_parameter, page_of, page_parameters
from .parameters import Text

_MOST_NOTABLE = 10
# Items of a page, unless told.
_DEVICES_PAGE = 50


@tool(
    name="ha_list_areas",
    title="List areas",
    description="All areas (rooms) with floor, aliases and number of entities; or one area with its domains and what is "
    "on or open in it.",
    parameters={
        vol.Optional(
            "area", description="area id, name or alias, for one area in detail"
        ): Text(),
        **offset_parameter(),
    },
    kind=Kind.READ,
)
async def list_areas(call: Call) -> Page | dict[str, Any]:
    """Return all areas sorted by name, or one in detail."""
    if text := call.get("area"):
        return _area_detail(call.view, call.view.place(PlaceKind.AREA, text).id)
    counts = Counter(record.area_id for record in call.view.entities())
    return page_of(
        call,
        call.view.places(PlaceKind.AREA),
        lambda place: _area_row(call.view, place.id) | {"entities": counts[place.id]},
    )


@tool(
    name="ha_list_devices",
    title="List devices",
    description="Devices with manufacturer, model, integration, area and number of entities. A child device names its "
    "parent.",
    parameters={
        vol.Optional("area", description="area id, name or alias"): Text(),
        vol.Optional(
            "search", description="part of the name, manufacturer or model"
        ): Text(),
        **page_parameters(_DEVICES_PAGE, 200),
    },
    kind=Kind.READ,
)
async def list_devices(call: Call) -> Page:
    """Return a page of devices sorted by name."""
    view = call.view
    devices = view.devices()
    if text := call.get("area"):
        area_id = view.place(PlaceKind.AREA, text).id
        devices = [
            device
            for device in devices
            if dr.async_get_effective_area_id(call.hass, device) == area_id
        ]
    if words := fold(call.get("search") or "").split():
        devices = [
            device
            for device in devices
            if all(word in _searched(device) for word in words)
        ]
    devices.sort(key=lambda device: (device_name(device).casefold(), device.id))
    counts = Counter(record.device_id for record in view.entities())
    return page_of(
        call,
        devices,
        lambda device: _device_row(view, device) | {"entities": counts[device.id]},
        _DEVICES_PAGE,
        note=None if devices else "No device passes these filters.",
    )


def _area_row(view: HouseView, area_id: str) -> dict[str, Any]:
    area = ar.async_get(view.hass).async_get_area(area_id)
    if area is None:
        return {"area_id": area_id}
    row: dict[str, Any] = {"area_id": area.id, "name": area.name}
    if floor := floor_name(view.hass, area.floor_id):
        row["floor"] = floor
    if area.aliases:
        row["aliases"] = sorted(area.aliases)[:MOST_ALIASES]
    return row


def _area_detail(view: HouseView, area_id: str) -> dict[str, Any]:
    records = [record for record in view.entities() if record.area_id == area_id]
    domains = Counter(record.domain for record in records)
    active = sorted(
        (record for record in records if activity(record, view.state(record))),
        key=lambda record: (rank(record), record.entity_id),
    )
    return _area_row(view, area_id) | {
        "entity_count": len(records),
        "by_domain": dict(domains.most_common()),
        "notable": [summary(view, record) for record in active[:_MOST_NOTABLE]],
    }


def _device_row(view: HouseView, device: Device) -> dict[str, Any]:
    row: dict[str, Any] = {"device_id": device.id, "name": device_name(device)}
    area_id = dr.async_get_effective_area_id(view.hass, device)
    if isinstance(device, dr.DeviceEntry):
        row |= {"manufacturer": device.manufacturer, "model": device.model}
    else:
        row["parent_device_id"] = device.parent_device_id
    row |= {
        "area": area_name(view.hass, area_id),
        "integration": _integration(view, device),
    }
    return {key: value for key, value in row.items() if value is not None}


def _integration(view: HouseView, device: Device) -> str | None:
    entry = (
        view.hass.config_entries.async_get_entry(device.config_entry_id)
        if device.config_entry_id
        else None
    )
    return entry.domain if entry else None


def _searched(device: Device) -> str:
    makers = (
        (device.manufacturer, device.model)
        if isinstance(device, dr.DeviceEntry)
        else ()
    )
    texts = map(text_or_none, (device_name(device), device.name, *makers))
    return fold(" ".join(filter(None, texts)))
