"""The house on one page."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from homeassistant.const import ATTR_TEMPERATURE, STATE_UNAVAILABLE
from homeassistant.helpers import (
    area_registry as ar,
    floor_registry as fr,
    issue_registry as ir,
)
from homeassistant.helpers.json import json_bytes
from homeassistant.util import dt as dt_util

from ..access.view import HouseView
from ..house.records import EntityRecord
from .areas import is_notable
from .declaration import Call, Kind, tool
from .encoding import Plain, local_iso, to_plain

# Under 2,000 tokens for any house.
_MOST_BYTES = 7_600
# How many names to give of what is on in an area, areas per floor, people and domains: tried until the page fits.
_DETAIL_LEVELS = (
    (6, 40, 10, 25),
    (3, 30, 8, 20),
    (1, 20, 6, 15),
    (0, 12, 4, 10),
    (0, 4, 2, 6),
)
_NAME_LENGTH = 60


@tool(
    name="ha_get_overview",
    title="Overview of the house",
    description="What is going on at home, on one page: people, weather, what is on or open in each area, entities per "
    "domain, open repairs. The place to start.",
    kind=Kind.READ,
)
async def get_overview(call: Call) -> dict[str, Any]:
    """Return the overview at the most detailed level that fits."""
    records = sorted(call.view.entities(), key=lambda record: record.name)
    overview: dict[str, Any] = {}
    for names, areas, people, domains in _DETAIL_LEVELS:
        overview = {
            "home": _short(call.hass.config.location_name),
            "time": local_iso(dt_util.now()),
            "people": _people(call.view, records, people),
            **_weather(call.view, records),
            **_places(call.view, records, names, areas),
            "domains": _domains(call.view, records, domains),
            "unavailable": sum(
                _is_unavailable(call.view, record) for record in records
            ),
            **_repairs(call.view),
        }
        if len(json_bytes(to_plain(overview))) <= _MOST_BYTES:
            break
    return overview


def _people(
    view: HouseView, records: Iterable[EntityRecord], most: int
) -> list[dict[str, Any]]:
    people = [record for record in records if record.domain == "person"]
    return [
        {"name": _short(record.name), "state": _short(state)}
        for record in people[:most]
        if (state := view.state_text(record)) is not None
    ]


def _weather(view: HouseView, records: Iterable[EntityRecord]) -> dict[str, Any]:
    for record in records:
        if record.domain == "weather" and (state := view.state(record)) is not None:
            shown = {
                "condition": _short(view.scrub(state.state)),
                "temperature": _brief(state.attributes.get(ATTR_TEMPERATURE)),
                "unit": _brief(state.attributes.get("temperature_unit")),
            }
            return {
                "weather": {
                    key: value for key, value in shown.items() if value is not None
                }
            }
    return {}


def _brief(value: Any) -> Plain:
    """Return a number or a short text; anything else that an integration gives is left out."""
    plain = to_plain(value)
    if isinstance(plain, str):
        return _short(plain)
    return plain if isinstance(plain, int | float) else None


def _places(
    view: HouseView, records: Iterable[EntityRecord], names: int, areas: int
) -> dict[str, Any]:
    """Return the floors with their areas, and what is on outside of any area."""
    by_area: dict[str | None, list[EntityRecord]] = defaultdict(list)
    for record in records:
        by_area[record.area_id].append(record)
    by_floor: dict[str | None, list[dict[str, Any]]] = defaultdict(list)
    for area in sorted(
        ar.async_get(view.hass).async_list_areas(), key=lambda area: area.name
    ):
        by_floor[area.floor_id].append(
            {"area": _short(area.name), **_activity(view, by_area[area.id], names)}
        )
    floors = sorted(
        fr.async_get(view.hass).async_list_floors(),
        key=lambda floor: (floor.level or 0, floor.name),
    )
    listed = [
        {"floor": _short(floor.name), **_first(by_floor[floor.floor_id], areas)}
        for floor in floors
    ]
    places: dict[str, Any] = {"floors": listed[:areas]}
    if len(listed) > areas:
        places["more_floors"] = len(listed) - areas
    if by_floor[None]:
        places["areas_without_floor"] = _first(by_floor[None], areas)
    places["without_area"] = _activity(view, by_area[None], names)
    return places


def _activity(
    view: HouseView, records: list[EntityRecord], names: int
) -> dict[str, Any]:
    """Return how many entities there are, how many of them are on or open, and the names of the first of these."""
    notable = [record for record in records if is_notable(view, record)]
    activity: dict[str, Any] = {"entities": len(records), "on": len(notable)}
    if shown := notable[:names]:
        activity["names"] = [_short(record.name) for record in shown]
    return activity


def _first(areas: list[dict[str, Any]], most: int) -> dict[str, Any]:
    """Return the areas, those with something on first where not all are told."""
    if len(areas) <= most:
        return {"areas": areas}
    busiest = sorted(areas, key=lambda area: -area["on"])[:most]
    return {"areas": busiest, "more_areas": len(areas) - most}


def _domains(
    view: HouseView, records: Iterable[EntityRecord], most: int
) -> dict[str, Any]:
    totals: Counter[str] = Counter()
    active: Counter[str] = Counter()
    for record in records:
        totals[record.domain] += 1
        active[record.domain] += is_notable(view, record)
    return {
        domain: {"total": total, "on": active[domain]}
        if active[domain]
        else {"total": total}
        for domain, total in totals.most_common(most)
    }


def _is_unavailable(view: HouseView, record: EntityRecord) -> bool:
    state = view.state(record)
    return state is not None and state.state == STATE_UNAVAILABLE


def _repairs(view: HouseView) -> dict[str, Any]:
    """Return the open repairs. They name entities, so a caller from whom something is hidden gets none."""
    if not view.sees_all:
        return {}
    registry = ir.async_get(view.hass)
    issues = [
        issue
        for issue in registry.issues.values()
        if issue.active
        and issue.dismissed_version is None
        and not registry.async_is_hidden(issue)
    ]
    severities = Counter(issue.severity.value for issue in issues if issue.severity)
    domains = sorted({issue.issue_domain or issue.domain for issue in issues})
    return {
        "repairs": {"open": len(issues), **severities, "integrations": domains[:10]}
    }


def _short(text: str) -> str:
    return text if len(text) <= _NAME_LENGTH else f"{text[:_NAME_LENGTH]}…"
