"""Helpers as they would be: known before they are made, put back or moved, to tell who could reach them then."""

from collections.abc import Iterable
from dataclasses import replace

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.util import slugify

from .customisations import is_free
from .helper_store import Helper, new_id
from .places import area_name
from .records import EntityRecord


def new_records(
    hass: HomeAssistant, helper_type: str, name: str, area_id: str | None
) -> tuple[EntityRecord, ...]:
    """Return the entity that a new helper would get.

    Where its id is taken, the entity comes second to the one that the name asks for: who may not have that one is
    told so in either case, and cannot learn from it whether it is there.
    """
    gone = _remembered(hass, helper_type, name)
    entity_ids = (
        f"{helper_type}.{slugify(name)}",
        _new_entity_id(hass, helper_type, name, gone),
    )
    if gone is not None:
        area_id = area_id or gone.area_id
    labels = gone.labels if gone is not None else ()
    return tuple(
        _record(hass, entity_id, name, area_id, labels)
        for entity_id in dict.fromkeys(entity_ids)
    )


def restored_record(hass: HomeAssistant, helper: Helper) -> EntityRecord:
    """Return the entity that a deleted helper would get when it is put back."""
    entity_id = helper.entity_id
    if not is_free(hass, entity_id):
        gone = _remembered(hass, helper.type, helper.id)
        entity_id = _new_entity_id(hass, helper.type, helper.id, gone)
    settings = helper.registry
    return _record(
        hass,
        entity_id,
        helper.config["name"],
        settings.get("area_id"),
        settings.get("labels", ()),
    )


def moved_record(
    hass: HomeAssistant, record: EntityRecord, area_id: str | None
) -> EntityRecord:
    """Return the entity of a helper as it would be in another area."""
    entry = er.async_get(hass).async_get(record.entity_id)
    labels = entry.labels if entry is not None else ()
    moved = _record(hass, record.entity_id, record.name, area_id, labels)
    return replace(
        record, area_id=moved.area_id, floor_id=moved.floor_id, labels=moved.labels
    )


def _remembered(
    hass: HomeAssistant, helper_type: str, name: str
) -> er.DeletedRegistryEntry | None:
    """Return the deleted entity whose place the new one would take: its id, area, labels and more."""
    item_id = new_id(hass, helper_type, name)
    return er.async_get(hass).deleted_entities.get((helper_type, helper_type, item_id))


def _new_entity_id(
    hass: HomeAssistant,
    helper_type: str,
    name: str,
    gone: er.DeletedRegistryEntry | None,
) -> str:
    if gone is not None and is_free(hass, gone.entity_id):
        return gone.entity_id
    wanted = name
    if gone is not None:
        # As Home Assistant makes ids of what it remembers, unless people have chosen other parts for them.
        area = area_name(hass, gone.area_id)
        wanted = " ".join(filter(None, (area, gone.name or name)))
    return er.async_get(hass).async_get_available_entity_id(helper_type, wanted)


def _record(
    hass: HomeAssistant,
    entity_id: str,
    name: str,
    area_id: str | None,
    labels: Iterable[str],
) -> EntityRecord:
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return EntityRecord(
        entity_id=entity_id,
        domain=entity_id.partition(".")[0],
        name=name,
        area_id=area.id if area else None,
        floor_id=area.floor_id if area else None,
        labels=frozenset(labels).union(area.labels if area else ()),
        integration=entity_id.partition(".")[0],
    )
