"""Entities: search, list, one in detail."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import probatio as vol

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.json import json_bytes

from ..access.view import HIDDEN_NOTE, Found, HouseView
from ..errors import InvalidArguments, NotFound, quoted, some_of
from ..house.exposure import is_exposed
from ..house.nearest import nearest
from ..house.places import device_name, label_names
from ..house.records import EntityRecord
from ..models import Kind
from .attributes import attribute_parts, plain_attribute, plain_attributes, previewed
from .declaration import Call, tool
from .encoding import local_iso, to_plain
from .envelope import Page, Verbatim
from .paging import offset_parameter, page_of, page_parameters
from .parameters import ListOf, Names, OneOf, Text
from .selection import RECORD_FILTERS, StateTest, matching, states_of

_FIELDS_BY_DEFAULT = (
    "entity_id",
    "name",
    "state",
    "unit",
    "device_class",
    "area",
    "last_changed",
    "group",
)
_MOST_COUNTS = 30
# Items of a page, unless told.
_SEARCH_PAGE = 20
_LIST_PAGE = 50
# An attribute that is an object is given in pages from this size on, in bytes.
_WHOLE_BYTES = 10_000
# Items of a long attribute that are looked at for a page.
_ATTRIBUTE_ITEMS = 5_000
MOST_ALIASES = 20
_NOTHING_FOUND = "Nothing found. Try other words, or list an area or a domain."
_NOTHING_PASSES = "No entity passes these filters."


@tool(
    name="ha_search_entities",
    title="Search entities",
    description="Find entities by what they are called: words of the name, alias, area, floor, label or kind, in any order, "
    "typos forgiven, in the language the names are in. Ask for the thing, not for its state: window, not open window; the "
    "answer has the state. Best match first.",
    parameters={
        vol.Required(
            "query", description="for example kitchen ceiling, battery front door"
        ): Text(200),
        **RECORD_FILTERS,
        **page_parameters(_SEARCH_PAGE, 50),
    },
    kind=Kind.READ,
)
async def search_entities(call: Call) -> Page:
    """Return a page of hits with their score, 1 to 100."""
    found, left_out = call.view.search(call.args["query"])
    by_id = {hit.record.entity_id: hit for hit in found}
    hits = [
        by_id[record.entity_id]
        for record in matching((hit.record for hit in found), call)
    ]
    return page_of(
        call,
        hits,
        lambda hit: summary(call.view, hit.record) | {"score": hit.score},
        _SEARCH_PAGE,
        note=_search_note(call, found, hits, left_out),
    )


@tool(
    name="ha_list_entities",
    title="List entities",
    description="All entities that pass a mix of filters, with their states: every light that is on, every battery below "
    "20. Without a filter: how many there are in each domain and area.",
    parameters={
        **RECORD_FILTERS,
        vol.Optional("floor", description="floor id, name or alias"): Text(),
        vol.Optional("label", description="label id or name"): Text(),
        vol.Optional("device", description="device id or name"): Text(),
        vol.Optional(
            "search", description="words, as in ha_search_entities; best match first"
        ): Text(200),
        vol.Optional(
            "state", description="on, open, unlocked, unavailable, !=off, >20, <=5"
        ): StateTest(),
        vol.Optional(
            "fields", description="columns to give instead of the usual ones"
        ): ListOf(
            OneOf(
                "entity_id",
                "name",
                "state",
                "area",
                "floor",
                "labels",
                "device",
                "integration",
                "device_class",
                "unit",
                "category",
                "aliases",
                "last_changed",
            ),
            13,
        ),
        **page_parameters(_LIST_PAGE, 200),
    },
    kind=Kind.READ,
)
async def list_entities(call: Call) -> Page | dict[str, Any]:
    """Return a page of entities sorted by id, or the counts of the whole house."""
    if not call.args.keys() - {"fields", "limit", "offset"}:
        return _counts(call.view)
    matches = list(matching(_candidates(call), call))
    fields: Iterable[str] = call.get("fields") or _FIELDS_BY_DEFAULT
    return page_of(
        call,
        matches,
        lambda record: _columns(call.view, record, fields),
        _LIST_PAGE,
        note=None if matches else _list_note(call),
    )


@tool(
    name="ha_get_entity",
    title="Get entities",
    description="Everything about one entity, or up to 20: state, attributes, names, area, floor, labels, device, "
    "integration, exposure to Assist, members of a group. Long attributes come as a preview.",
    parameters={
        vol.Required(
            ATTR_ENTITY_ID,
            description="for example light.kitchen; several with commas between",
        ): Names(20),
        vol.Optional(
            "attribute",
            description="give this one attribute whole; a long list comes in pages",
        ): Text(),
        **offset_parameter(),
    },
    kind=Kind.READ,
)
async def get_entity(call: Call) -> Page | dict[str, Any]:
    """Return one entity in detail, a page of several, or one attribute."""
    entity_ids: list[str] = call.args[ATTR_ENTITY_ID]
    if attribute := call.get("attribute"):
        if len(entity_ids) > 1:
            raise InvalidArguments(
                "The argument 'attribute' goes with one entity only.",
                "Ask for one entity at a time.",
            )
        return _attribute(call, call.view.entity(entity_ids[0]), attribute)
    if len(entity_ids) == 1:
        return _detail(call, call.view.entity(entity_ids[0]))
    return page_of(
        call, entity_ids, lambda entity_id: _detail_or_error(call, entity_id), 20
    )


def summary(view: HouseView, record: EntityRecord) -> dict[str, Any]:
    """Return an entity as one row of a list."""
    return _columns(view, record, _FIELDS_BY_DEFAULT)


def _search_note(
    call: Call, found: list[Found], hits: list[Found], left_out: tuple[str, ...]
) -> str | None:
    """Return what to say of a search: which words were left out, or why nothing was found."""
    if hits:
        return f"Found without: {some_of(left_out)}" if left_out else None
    if found:
        return f"{len(found)} entities match the words, none of them the other filters."
    return _nothing(call.view, _NOTHING_FOUND)


def _list_note(call: Call) -> str:
    """Return why a list is empty: mostly it is the state."""
    if call.get("state"):
        others = replace(call, args={**call.args, "state": None})
        if others_found := list(matching(_candidates(others), others)):
            states = states_of(call.view, others_found)
            return f"{len(others_found)} entities pass the other filters. Their states: {states}"
    return _nothing(call.view, _NOTHING_PASSES)


def _nothing(view: HouseView, note: str) -> str:
    return note if view.sees_all else f"{note} {HIDDEN_NOTE}"


def _candidates(call: Call) -> Iterable[EntityRecord]:
    if query := call.get("search"):
        return (hit.record for hit in call.view.search(query)[0])
    return sorted(call.view.entities(), key=lambda record: record.entity_id)


def _columns(
    view: HouseView, record: EntityRecord, fields: Iterable[str]
) -> dict[str, Any]:
    """Return the columns asked for; those that have no value are left out.

    An entity that the user has hidden from the dashboards says so.
    """
    row = {field: _COLUMNS[field](view, record) for field in fields}
    row["hidden"] = True if record.hidden else None
    return {
        field: value
        for field, value in row.items()
        if value is not None and value != []
    }


def _last_changed(view: HouseView, record: EntityRecord) -> str | None:
    state = view.state(record)
    return local_iso(state.last_changed) if state else None


def _group(view: HouseView, record: EntityRecord) -> bool | None:
    """Return True for a group of other entities, which would be counted twice otherwise."""
    state = view.state(record)
    members = state.attributes.get(ATTR_ENTITY_ID) if state else None
    return True if isinstance(members, list | tuple) and members else None


def _device(view: HouseView, record: EntityRecord) -> str | None:
    device = (
        dr.async_get(view.hass).async_get(record.device_id)
        if record.device_id
        else None
    )
    return device_name(device) if device else None


_COLUMNS: dict[str, Callable[[HouseView, EntityRecord], Any]] = {
    "entity_id": lambda view, record: record.entity_id,
    "name": lambda view, record: record.name,
    "state": lambda view, record: view.state_text(record),
    "area": lambda view, record: view.area_name(record),
    "floor": lambda view, record: view.floor_name(record),
    "labels": lambda view, record: label_names(view.hass, record.labels),
    "device": _device,
    "integration": lambda view, record: record.integration,
    "device_class": lambda view, record: record.device_class,
    "unit": lambda view, record: record.unit,
    "category": lambda view, record: record.category,
    "aliases": lambda view, record: list(record.aliases[:MOST_ALIASES]),
    "last_changed": _last_changed,
    "group": _group,
}


def _counts(view: HouseView) -> dict[str, Any]:
    records = list(view.entities())
    return {
        "total": len(records),
        "by_domain": _most(Counter(record.domain for record in records)),
        "by_area": _most(
            Counter(area for record in records if (area := view.area_name(record)))
        ),
        "without_area": sum(record.area_id is None for record in records),
        "note": "Filter by domain, area, floor, label, device, device_class, state or search to list entities.",
    }


def _most(counts: Counter[str]) -> dict[str, int]:
    return dict(counts.most_common(_MOST_COUNTS))


def _detail(call: Call, record: EntityRecord) -> dict[str, Any]:
    view = call.view
    detail = _columns(view, record, _COLUMNS)
    state = view.state(record)
    if record.device_id:
        detail["device_id"] = record.device_id
    if record.disabled_by:
        return detail | {
            "disabled_by": record.disabled_by,
            "note": "The entity is disabled, so it has no state.",
        }
    detail["exposed_to_assist"] = is_exposed(call.hass, record.entity_id)
    if state is None:
        return detail | {
            "note": "The entity has no state: its integration is not running."
        }
    detail["last_updated"] = local_iso(state.last_updated)
    attributes = plain_attributes(view, state)
    members = attributes.pop(ATTR_ENTITY_ID, None)
    detail["attributes"], shortened = previewed(attributes)
    if members:
        shown, long = previewed({ATTR_ENTITY_ID: members})
        detail["members"] = shown[ATTR_ENTITY_ID]
        shortened += long
    if shortened:
        names = some_of(shortened)
        detail["note"] = (
            f"Shortened or left out: {names}. Give one as 'attribute' to get it whole."
        )
    return detail


def _detail_or_error(call: Call, entity_id: str) -> dict[str, Any] | Verbatim:
    try:
        return _detail(call, call.view.entity(entity_id))
    except NotFound as err:
        return Verbatim({"entity_id": entity_id, "error": err.as_dict()})


def _attribute(call: Call, record: EntityRecord, name: str) -> Page | dict[str, Any]:
    state = call.view.state(record)
    by_name = (
        {str(to_plain(key)): value for key, value in state.attributes.items()}
        if state
        else {}
    )
    shown = plain_attributes(call.view, state) if state else {}
    if name not in shown:
        near = nearest(name, shown)
        names = some_of([*near, *(key for key in shown if key not in near)])
        raise NotFound(
            f"{record.entity_id} has no attribute {quoted(name)}.",
            f"It has: {names}" if names else "It has no attributes.",
        )
    head = {"entity_id": record.entity_id, "attribute": name}
    value, readable = by_name.get(name), shown[name]
    is_long = isinstance(readable, dict) and len(json_bytes(readable)) > _WHOLE_BYTES
    if is_long or isinstance(readable, list):
        parts = attribute_parts(call.view, value)
        if parts is not None:
            render = partial(plain_attribute, call.view)
            return page_of(call, parts, render, _ATTRIBUTE_ITEMS, head=head)
    return head | {"value": readable}
