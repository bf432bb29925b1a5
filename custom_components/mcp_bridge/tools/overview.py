"""The house on one page."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from homeassistant.const import ATTR_TEMPERATURE, STATE_UNAVAILABLE
from homeassistant.core import State
from homeassistant.helpers import (
    area_registry as ar,
    floor_registry as fr,
    issue_registry as ir,
)
from homeassistant.helpers.json import json_bytes
from homeassistant.util import dt as dt_util

from ..access.view import HIDDEN_NOTE, HouseView
from ..house.records import EntityRecord
from ..models import Kind
from .activity import activity, rank
from .declaration import Call, tool
from .encoding import Plain, local_iso, to_plain

# Under 2,000 tokens for any house.
_MOST_BYTES = 7_600
_NAME_LENGTH = 60
_MOST_WEATHER = 2


class _Detail(NamedTuple):
    """How much to tell: names of what is on in an area, areas of a floor (and floors), people, domains."""

    names: int
    areas: int
    people: int
    domains: int


# Tried until the page fits.
_DETAILS = (
    _Detail(6, 40, 10, 25),
    _Detail(3, 30, 8, 20),
    _Detail(1, 20, 6, 15),
    _Detail(0, 12, 4, 10),
    _Detail(0, 4, 2, 6),
)


@dataclass(slots=True)
class _Place:
    """What is in an area: how many entities, and those that are on or open, with what comes first in front."""

    entities: int = 0
    active: list[tuple[int, str]] = field(default_factory=list)

    def shown(self, names: int) -> dict[str, Any]:
        """Return the place with some of the names."""
        shown: dict[str, Any] = {"entities": self.entities, "active": len(self.active)}
        if told := sorted(self.active)[:names]:
            shown["names"] = [name for _, name in told]
        return shown


@dataclass(slots=True)
class _Survey:
    """What one look at every entity finds."""

    people: list[dict[str, str]] = field(default_factory=list)
    weather: list[dict[str, Plain]] = field(default_factory=list)
    places: defaultdict[str | None, _Place] = field(
        default_factory=lambda: defaultdict(_Place)
    )
    totals: Counter[str] = field(default_factory=Counter)
    active: defaultdict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    unavailable: int = 0


@tool(
    name="ha_get_overview",
    title="Overview of the house",
    description="What is going on at home, on one page: people, weather, what is on or open in each area, entities per "
    "domain, open repairs. The place to start.",
    kind=Kind.READ,
)
async def get_overview(call: Call) -> dict[str, Any]:
    """Return the overview in as much detail as fits."""
    survey = _survey(call.view)
    frame = {
        "home": _short(call.view, call.hass.config.location_name),
        "time": local_iso(dt_util.now()),
    }
    repairs = _repairs(call.view)
    overview: dict[str, Any] = {}
    for detail in _DETAILS:
        overview = frame | _page(call.view, survey, detail) | repairs
        if len(json_bytes(overview)) <= _MOST_BYTES:
            break
    return overview


def _survey(view: HouseView) -> _Survey:
    survey = _Survey()
    for record in view.entities():
        state = view.state(record)
        place = survey.places[record.area_id]
        place.entities += 1
        survey.totals[record.domain] += 1
        if state is None:
            continue
        if word := activity(record, state):
            name = _short(view, record.name)
            place.active.append(
                (rank(record), name if word == "on" else f"{name} ({word})")
            )
            survey.active[record.domain][word] += 1
        elif state.state == STATE_UNAVAILABLE:
            survey.unavailable += 1
        if record.domain == "person":
            survey.people.append(
                {"name": _short(view, record.name), "state": _short(view, state.state)}
            )
        elif record.domain == "weather":
            survey.weather.append(_weather(view, record, state))
    return survey


def _weather(view: HouseView, record: EntityRecord, state: State) -> dict[str, Plain]:
    shown = {
        "name": _short(view, record.name),
        "condition": _short(view, state.state),
        "temperature": _brief(view, state.attributes.get(ATTR_TEMPERATURE)),
        "unit": _brief(view, state.attributes.get("temperature_unit")),
    }
    return {key: value for key, value in shown.items() if value is not None}


def _brief(view: HouseView, value: Any) -> Plain:
    """Return a number or a short text; anything else that an integration gives is left out."""
    plain = to_plain(value)
    if isinstance(plain, str):
        return _short(view, plain)
    return plain if isinstance(plain, int | float) else None


def _page(view: HouseView, survey: _Survey, detail: _Detail) -> dict[str, Any]:
    page: dict[str, Any] = {}
    # Nobody is at home where the people are hidden, too: then nothing is said of people.
    if survey.people or view.sees_all:
        people = sorted(survey.people, key=lambda person: person["name"])
        page["people"] = people[: detail.people]
        if len(people) > detail.people:
            page["more_people"] = len(people) - detail.people
    if survey.weather:
        page["weather"] = sorted(
            survey.weather, key=lambda weather: str(weather["name"])
        )[:_MOST_WEATHER]
    page |= _floors(view, survey, detail)
    page["domains"] = {
        domain: {"total": total, **survey.active[domain]}
        for domain, total in survey.totals.most_common(detail.domains)
    }
    page["unavailable"] = survey.unavailable
    if not view.sees_all:
        page["note"] = HIDDEN_NOTE
    return page


def _floors(view: HouseView, survey: _Survey, detail: _Detail) -> dict[str, Any]:
    """Return the floors with their areas, and what is outside of any. Where not all can be told, the busiest are."""
    by_floor: dict[str | None, list[dict[str, Any]]] = defaultdict(list)
    areas = ar.async_get(view.hass).async_list_areas()
    for area in sorted(areas, key=lambda area: area.name):
        shown = survey.places[area.id].shown(detail.names)
        by_floor[area.floor_id].append({"area": _short(view, area.name), **shown})
    floors = list(fr.async_get(view.hass).async_list_floors())
    busy = {
        floor.floor_id: sum(area["active"] for area in by_floor[floor.floor_id])
        for floor in floors
    }
    told = sorted(floors, key=lambda floor: -busy[floor.floor_id])[: detail.areas]
    page: dict[str, Any] = {
        "floors": [
            {
                "floor": _short(view, floor.name),
                **_busiest(by_floor[floor.floor_id], detail.areas),
            }
            for floor in sorted(told, key=lambda floor: (floor.level or 0, floor.name))
        ]
    }
    if len(floors) > len(told):
        page["more_floors"] = len(floors) - len(told)
    if by_floor[None]:
        page["areas_without_floor"] = _busiest(by_floor[None], detail.areas)
    page["without_area"] = survey.places[None].shown(detail.names)
    return page


def _busiest(areas: list[dict[str, Any]], most: int) -> dict[str, Any]:
    """Return the areas; where not all can be told, those with the most on."""
    if len(areas) <= most:
        return {"areas": areas}
    busiest = sorted(areas, key=lambda area: -area["active"])[:most]
    return {"areas": busiest, "more_areas": len(areas) - most}


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


def _short(view: HouseView, text: str) -> str:
    """Return a text as the caller may see it, and cut after that, lest half an id remains."""
    seen = view.scrub(text)
    return seen if len(seen) <= _NAME_LENGTH else f"{seen[:_NAME_LENGTH]}…"
