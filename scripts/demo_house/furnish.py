"""Fills the demo house over the same interfaces that its user interface uses."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from . import household, rooms
from .client import Client

_AREAS = "config/area_registry/"


def furnish(client: Client) -> None:
    """Put everything of rooms and household into an empty house."""
    _make_rooms(client)
    _make_helpers(client)
    _let_people_in(client)
    _make_lists_and_dates(client)
    _place_devices_and_entities(client)
    client.ask("energy/save_prefs", **household.ENERGY)
    client.ask("lovelace/dashboards/create", **household.DASHBOARD)
    path = household.DASHBOARD["url_path"]
    config = household.DASHBOARD_CONFIG
    client.ask("lovelace/config/save", url_path=path, config=config)
    for action, data in household.SETTINGS:
        client.act(action, **data)


def live(client: Client) -> None:
    """Let the family do a few things."""
    for action, data in household.HAPPENINGS:
        client.act(action, **data)


def _make_rooms(client: Client) -> None:
    for registry, entries in (("floor", rooms.FLOORS), ("label", rooms.LABELS)):
        create = f"config/{registry}_registry/create"
        client.ask_all({"type": create, **entry} for entry in entries)
    # Home Assistant makes three areas for the first user.
    ids = {area["name"]: area["area_id"] for area in client.ask(_AREAS + "list")}
    client.ask_all(
        {"type": _AREAS + "update", "area_id": ids[area["name"]], **area}
        if area["name"] in ids
        else {"type": _AREAS + "create", **area}
        for area in rooms.AREAS
    )


def _make_helpers(client: Client) -> None:
    client.ask_all(
        {"type": f"{kind}/create", **fields}
        for kind, fields in household.HELPERS.items()
    )
    for integration, answers in household.INTEGRATIONS:
        client.set_up(integration, *answers)


def _let_people_in(client: Client) -> None:
    client.ask("zone/create", **household.WORK)
    owner = client.ask("person/list")["storage"][0]
    for name, trackers in household.PEOPLE.items():
        person = {"name": name, "device_trackers": trackers}
        if name == owner["name"]:
            client.ask("person/update", person_id=owner["id"], **person)
        else:
            client.ask("person/create", **person)


def _make_lists_and_dates(client: Client) -> None:
    for entity_id, items in household.TODO.items():
        for item in items:
            _add_item(client, entity_id, **item)
    for entity_id, summary, day, hours, more in household.EVENTS:
        event = {"summary": summary, **_times(day, hours), **more}
        client.ask("calendar/event/create", entity_id=entity_id, event=event)


def _add_item(
    client: Client,
    entity_id: str,
    item: str,
    done: bool = False,
    due_in_days: int | None = None,
    **more: Any,
) -> None:
    if due_in_days is not None:
        more["due_date"] = _day(due_in_days).isoformat()
    client.act("todo.add_item", entity_id=entity_id, item=item, **more)
    if done:
        data = {"item": item, "status": "completed"}
        client.act("todo.update_item", entity_id=entity_id, **data)


def _times(day: int, hours: tuple[int, int] | None) -> dict[str, str]:
    """Begin and end of a calendar event; without hours it lasts the whole day."""
    if hours is None:
        return {"dtstart": _day(day).isoformat(), "dtend": _day(day + 1).isoformat()}
    begin, end = hours
    return {
        "dtstart": f"{_day(day)}T{begin:02}:00:00",
        "dtend": f"{_day(day)}T{end:02}:00:00",
    }


def _day(days: int) -> date:
    return (datetime.now(UTC) + timedelta(days=days)).date()


def _place_devices_and_entities(client: Client) -> None:
    devices = client.ask("config/device_registry/list")
    client.ask_all(
        {
            "type": "config/device_registry/update",
            "device_id": device["id"],
            **rooms.DEVICES[device["name"]],
        }
        for device in devices
        if device["name"] in rooms.DEVICES
    )
    update = "config/entity_registry/update"
    client.ask_all(
        {"type": update, "entity_id": entity_id, **changes}
        for entity_id, changes in rooms.ENTITIES.items()
    )
    for name, automations in rooms.AUTOMATION_CATEGORIES.items():
        create = "config/category_registry/create"
        category = client.ask(create, scope="automation", name=name)["category_id"]
        for entity_id in automations:
            categories = {"automation": category}
            client.ask(update, entity_id=entity_id, categories=categories)
