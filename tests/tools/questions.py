"""What can be asked of every tool: in general, about one entity, about a word, and about a change."""

from collections.abc import Iterator
from typing import Any

from .random_house import RandomHouse

type Question = tuple[str, dict[str, Any]]

_DRY = {"dry_run": True}
_COLUMNS = "entity_id,name,state,area,floor,labels,device,integration,device_class,unit,category,aliases,last_changed"


def _call(service: str, *, dry: bool = True, **arguments: Any) -> Question:
    given = {"service": service, **arguments}
    return ("ha_call_service", {**given, **_DRY} if dry else given)


def general(house: RandomHouse, seen: list[str]) -> Iterator[Question]:
    """Yield questions that name nothing that the caller may not see."""
    yield from _reading(house, seen)
    yield from _acting(house, seen)


def _reading(house: RandomHouse, seen: list[str]) -> Iterator[Question]:
    for tool in (
        "ha_get_overview",
        "ha_list_entities",
        "ha_list_areas",
        "ha_list_devices",
        "ha_list_services",
        "ha_list_changes",
        "ha_get_system",
        "ha_get_self_test",
        "ha_send_notification",
        "ha_announce",
    ):
        yield tool, {}
    for domain in sorted({thing.domain for thing in house.things.values()}):
        yield "ha_list_entities", {"domain": domain, "fields": _COLUMNS}
    for domain in ("script", "notify", "tts", "scene"):
        yield "ha_list_services", {"domain": domain}
    yield "ha_list_entities", {"state": "!=zzz", "fields": _COLUMNS, "limit": 200}
    yield "ha_list_entities", {"device_class": "zzz"}
    yield "ha_list_entities", {"state": "zzz", "domain": "sensor"}
    for area in house.areas:
        yield "ha_list_areas", {"area": area}
        yield "ha_list_devices", {"area": area}
        yield "ha_list_entities", {"area": area}
    for floor in house.floors:
        yield "ha_list_entities", {"floor": floor}
    for label in house.labels:
        yield "ha_list_entities", {"label": label}
    for place in ("area", "floor", "label", "device"):
        yield "ha_list_entities", {place: "zzz"}
    yield "ha_get_entity", {"entity_id": seen or ["light.zzz"]}
    for entity_id in house.some(seen, 0, 6):
        yield "ha_get_entity", {"entity_id": entity_id}
        for attribute in ("entity_id", "levels", "told", "source", "detail", "zzz"):
            yield "ha_get_entity", {"entity_id": entity_id, "attribute": attribute}
    yield "ha_search_entities", {"query": "the box"}


def _acting(house: RandomHouse, seen: list[str]) -> Iterator[Question]:
    places: list[dict[str, Any]] = [
        *({"area_id": area} for area in house.areas),
        *({"floor_id": floor} for floor in house.floors),
        *({"label_id": label} for label in house.labels),
        *({"device_id": device} for device in house.device_words),
        {"area_id": house.areas, "label_id": house.labels},
        {"entity_id": "all"},
    ]
    for target in places:
        yield _call("light.turn_on", target=target)
        yield _call("homeassistant.turn_on", target=target)
    yield _call("light.turn_off", target=house.rng.choice(places), dry=False)
    yield _call("light.turn_on", target={"entity_id": "all"}, dry=False)
    yield _call("light.turn_on", target={"area_id": "zzz"})
    for entity_id in seen:
        dry = {"dry_run": house.rng.random() < 0.5}
        yield from _acting_on(entity_id, dry)
    for unknown in ("zzz", "light.zzz", "script.zzz", "notify.zzz"):
        yield from of_entity(unknown, seen)
    if seen:
        kept = {"name": "kept", "entities": house.some(seen, 1, 4)}
        yield "ha_snapshot_scene", {**kept, **_DRY}


def _acting_on(entity_id: str, dry: dict[str, bool]) -> Iterator[Question]:
    """Yield what can be done with an entity; `dry` is for what does no more than switch lamps."""
    one = {"entity_id": entity_id}
    said = {"target": entity_id, "message": "a", **_DRY}
    by_domain: dict[str, list[Question]] = {
        "script": [
            ("ha_run_script", one | dry),
            ("ha_run_script", {**one, "wait": False, **_DRY}),
            _call(entity_id),
        ],
        "automation": [
            ("ha_trigger_automation", one | dry),
            ("ha_set_automation", {**one, "enabled": False, **dry}),
        ],
        "input_boolean": [
            ("ha_delete_helper", one | _DRY),
            ("ha_update_helper", {**one, "changes": {"icon": "mdi:door"}, **_DRY}),
        ],
        "notify": [("ha_send_notification", said)],
        "media_player": [
            ("ha_announce", said),
            ("ha_announce", {**said, "engine": "zzz"}),
        ],
        "camera": [("ha_get_camera_snapshot", one)],
        "todo": [("ha_manage_todo", {**one, "action": "add", "item": "a", **_DRY})],
    }
    switched = [
        _call("homeassistant.turn_on", target=one, dry=dry["dry_run"]),
        _call("homeassistant.toggle", target=one),
    ]
    for domain in ("group", "light", "scene"):
        by_domain[domain] = switched
    yield from by_domain.get(entity_id.partition(".")[0], ())


def of_entity(entity_id: str, seen: list[str]) -> Iterator[Question]:
    """Yield questions about one entity, by its id."""
    domain, _, name = entity_id.rpartition(".")
    yield "ha_get_entity", {"entity_id": entity_id}
    yield "ha_get_entity", {"entity_id": entity_id.upper()}
    yield "ha_get_entity", {"entity_id": entity_id, "attribute": "detail"}
    yield "ha_get_entity", {"entity_id": [*seen[:1], entity_id]}
    for target in (entity_id, [*seen[:1], entity_id]):
        yield _call("homeassistant.turn_on", target={"entity_id": target})
        yield _call("light.turn_on", target={"entity_id": target})
        yield _call("homeassistant.update_entity", data={"entity_id": target})
    yield _call(f"{domain}.turn_on", target={"entity_id": entity_id})
    yield _call(f"{domain}.{name}")
    yield _call("script.turn_on", data={"entity_id": entity_id})
    yield _call("scene.apply", data={"entities": {entity_id: "on"}})
    yield _call(
        "scene.create", data={"scene_id": "a", "snapshot_entities": [entity_id]}
    )
    yield _call(
        "notify.send_message", target={"entity_id": entity_id}, data={"message": "a"}
    )
    yield _call(
        "tts.speak",
        target={"entity_id": entity_id},
        data={"media_player_entity_id": entity_id, "message": "a"},
    )
    for tool in (
        "ha_run_script",
        "ha_trigger_automation",
        "ha_get_camera_snapshot",
        "ha_delete_helper",
    ):
        dry = {} if tool == "ha_get_camera_snapshot" else _DRY
        yield tool, {"entity_id": entity_id, **dry}
    yield "ha_set_automation", {"entity_id": entity_id, "enabled": True, **_DRY}
    yield "ha_update_helper", {"entity_id": entity_id, "changes": {"name": "a"}, **_DRY}
    for action in ("add", "remove"):
        item = {"entity_id": entity_id, "action": action, "item": "a"}
        yield "ha_manage_todo", {**item, **_DRY}
    sent = {"target": entity_id, "message": "a", **_DRY}
    yield "ha_send_notification", sent
    yield "ha_announce", sent
    yield "ha_announce", {**sent, "target": "media_player.zzz", "engine": entity_id}
    yield "ha_snapshot_scene", {"name": "kept", "entities": [entity_id], **_DRY}
    yield "ha_list_services", {"domain": entity_id}


def of_word(word: str) -> Iterator[Question]:
    """Yield questions about a word: part of an id or a name, a state, a device."""
    yield "ha_search_entities", {"query": word}
    yield "ha_search_entities", {"query": f"the {word[:-1]}"}
    yield "ha_list_entities", {"search": word}
    yield "ha_list_entities", {"state": word}
    yield "ha_list_entities", {"device_class": word}
    yield "ha_list_entities", {"device": f"box {word}"}
    yield "ha_list_entities", {"domain": word}
    yield "ha_list_devices", {"search": word}
    yield "ha_list_services", {"search": word}
    yield "ha_list_services", {"domain": f"script.{word}"}
    yield "ha_call_service", {"service": f"script.{word}", **_DRY}
    yield "ha_run_script", {"entity_id": word, **_DRY}
    target = {"device_id": f"box {word}"}
    yield _call("light.turn_on", target=target)


def of_name(word: str) -> Iterator[Question]:
    """Yield questions about a name for something new; a list may close it by a pattern, whatever there is."""
    helper = {"helper_type": "input_boolean", "name": word}
    yield "ha_create_helper", {**helper, **_DRY}
    yield "ha_snapshot_scene", {"name": word, "entities": ["sun.sun"], **_DRY}


def journal_entries(house: RandomHouse) -> Iterator[Question]:
    """Yield changes of all kinds, of entities that others may not see."""
    by_domain: dict[str, list[str]] = {}
    for entity_id, thing in house.things.items():
        by_domain.setdefault(thing.domain, []).append(entity_id)
    lamps = {"entity_id": by_domain["light"]}
    off = _call("light.turn_off", target=lamps, dry=False)
    scripts, automations = by_domain["script"], by_domain["automation"]
    for change in (
        ("ha_run_script", {"entity_id": scripts[0]}),
        ("ha_run_script", {"entity_id": scripts[1], "wait": False}),
        _call(scripts[2], dry=False),
        ("ha_trigger_automation", {"entity_id": automations[0]}),
        _call("scene.turn_on", target={"entity_id": by_domain["scene"]}, dry=False),
        _call(
            "homeassistant.turn_on",
            target={"entity_id": by_domain["group"][0]},
            dry=False,
        ),
        _call("light.turn_on", target={"entity_id": by_domain["light"][:1]}, dry=False),
        _call("light.turn_on", target=lamps, dry=False),
    ):
        yield change
        yield off
    yield "ha_set_automation", {"entity_id": automations[1], "enabled": False}
    [name] = house.new_words_of("input_boolean", 1)
    yield "ha_create_helper", {"helper_type": "input_boolean", "name": name}
    yield _call("light.turn_on", target=lamps, dry=False)
