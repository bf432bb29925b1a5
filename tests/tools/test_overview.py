"""The house on one page."""

from datetime import UTC, datetime
from typing import Any

from freezegun.api import FrozenDateTimeFactory
import pytest

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    floor_registry as fr,
    issue_registry as ir,
)
from tests.conftest import CallTool

from .checks import refused, whole
from .furniture import Piece, place

MOST_BYTES = 8_000


async def overview(call_tool: CallTool) -> dict[str, Any]:
    """Return the overview; it is never longer than a page."""
    answer = await call_tool("ha_get_overview")
    assert len(answer.text.encode()) < MOST_BYTES
    return whole(answer)


def floors(data: dict[str, Any]) -> dict[str, Any]:
    """Return the floors by name."""
    return {floor["floor"]: floor for floor in data["floors"]}


async def test_the_overview_tells_what_is_going_on(call_tool: CallTool) -> None:
    """People, weather, what is on where, and how much there is."""
    data = await overview(call_tool)

    assert data["people"] == [{"name": "Anna", "state": "home"}]
    assert data["weather"] == [
        {"name": "Forecast", "condition": "sunny", "temperature": 12.5, "unit": "°C"}
    ]
    assert list(floors(data)) == ["Ground floor", "Upper floor"]
    assert floors(data)["Ground floor"]["areas"] == [
        {
            "area": "Kitchen",
            "entities": 5,
            "active": 1,
            "names": ["Kitchen hub Ceiling"],
        },
        {"area": "Salle à manger", "entities": 1, "active": 0},
    ]
    assert data["areas_without_floor"]["areas"] == [
        {"area": "Garden", "entities": 2, "active": 1, "names": ["Gate (open)"]}
    ]
    assert data["domains"]["light"] == {"total": 4, "on": 2}
    assert data["domains"]["person"] == {"total": 1}
    assert data["unavailable"] == 1


async def test_the_time_is_that_of_the_house(
    call_tool: CallTool, freezer: FrozenDateTimeFactory
) -> None:
    """With its offset of the day."""
    for moment, told in (
        (datetime(2026, 1, 15, 11, tzinfo=UTC), "2026-01-15T12:00:00+01:00"),
        (datetime(2026, 7, 15, 11, tzinfo=UTC), "2026-07-15T13:00:00+02:00"),
    ):
        freezer.move_to(moment)
        assert (await overview(call_tool))["time"] == told


async def test_an_empty_house_has_an_overview(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Nothing is missing, there is only nothing."""
    for entity_id in hass.states.async_entity_ids():
        hass.states.async_remove(entity_id)
    for area in list(ar.async_get(hass).async_list_areas()):
        ar.async_get(hass).async_delete(area.id)
    for floor in list(fr.async_get(hass).async_list_floors()):
        fr.async_get(hass).async_delete(floor.floor_id)

    data = await overview(call_tool)

    assert (data["people"], data["floors"], data["unavailable"]) == ([], [], 0)
    assert "weather" not in data


def build(hass: HomeAssistant, name: str, state: str = "on") -> None:
    """Build a house of 8 floors, 60 areas and 3,000 entities."""
    for number in range(8):
        fr.async_get(hass).async_create(f"{number} {name}", level=number + 2)
    tall = [floor.floor_id for floor in fr.async_get(hass).async_list_floors()][-8:]
    areas = [
        ar.async_get(hass)
        .async_create(f"{number} {name}", floor_id=tall[number % 8])
        .id
        for number in range(60)
    ]
    domains = ("light", "switch", "sensor", "cover", "climate", "fan", "lock")
    for number in range(3_000):
        entity_id = f"{domains[number % 7]}.x{number}"
        if number < 300:
            place(
                hass,
                Piece(entity_id, f"{number} {name}", state, area=areas[number % 60]),
            )
        else:
            hass.states.async_set(
                entity_id, state, {"friendly_name": f"{number} {name}"}
            )
    for number in range(30):
        hass.states.async_set(
            f"person.x{number}", "not_home", {"friendly_name": f"{number} {name}"}
        )


@pytest.mark.parametrize(
    "name",
    ["Room", "Wohnzimmer im ersten Stock links", "🏠" * 80, "客厅" * 40, '"' * 80],
    ids=["short", "usual", "wide", "chinese", "quotes"],
)
async def test_a_huge_house_fits_on_the_page(
    hass: HomeAssistant, call_tool: CallTool, name: str
) -> None:
    """Less is told of each room then, and what is left out is counted."""
    build(hass, name)

    data = await overview(call_tool)

    assert data["domains"]["light"]["total"] >= 429
    named = sum(len(floor["areas"]) for floor in data["floors"])
    more = sum(floor.get("more_areas", 0) for floor in data["floors"])
    assert named + more + data.get("more_floors", 0) * 8 >= 60
    assert len(data["floors"]) + data.get("more_floors", 0) == 10


@pytest.mark.parametrize(
    "odd",
    [["x" * 50_000], "🏠" * 10_000, {"a": list(range(5_000))}, float("nan"), b"\xff"],
    ids=["list", "text", "dict", "nan", "bytes"],
)
async def test_odd_data_does_not_blow_up_the_page(
    hass: HomeAssistant, call_tool: CallTool, odd: Any
) -> None:
    """Whatever a weather integration puts into its attributes."""
    hass.states.async_set(
        "weather.home",
        "🏠" * 255,
        {"temperature": odd, "temperature_unit": odd, "friendly_name": odd},
    )
    for number in range(10):
        hass.states.async_set(f"person.x{number}", "🏠" * 255, {"friendly_name": odd})
    hass.config.location_name = "🏠" * 5_000

    assert (await overview(call_tool))["weather"]


async def test_a_room_that_is_busy_is_told_before_a_quiet_one(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Where not all can be told."""
    build(hass, "Wohnzimmer im ersten Stock links" * 2, "off")
    area = ar.async_get(hass).async_get_area_by_name(
        "59 " + "Wohnzimmer im ersten Stock links" * 2
    )
    assert area
    place(hass, Piece("light.busy", "Busy", "on", area=area.id))

    data = await overview(call_tool)
    told = [row for floor in data["floors"] for row in floor["areas"] if row["active"]]

    assert any(row["area"].startswith("59 Wohnzimmer") for row in told)


@pytest.mark.parametrize(
    ("entity_id", "state", "told"),
    [
        ("light.x", "on", "The thing"),
        ("cover.x", "open", "The thing (open)"),
        ("cover.x", "opening", "The thing (opening)"),
        ("lock.x", "unlocked", "The thing (unlocked)"),
        ("media_player.x", "playing", "The thing (playing)"),
        ("climate.x", "heat", "The thing (heat)"),
        ("climate.x", "dry", "The thing (dry)"),
        ("lock.x", "jammed", "The thing (jammed)"),
        ("alarm_control_panel.x", "triggered", "The thing (triggered)"),
        ("lawn_mower.x", "mowing", "The thing (mowing)"),
        ("vacuum.x", "cleaning", "The thing (cleaning)"),
        ("valve.x", "open", "The thing (open)"),
        ("binary_sensor.x", "on", "The thing"),
    ],
)
async def test_what_is_on_or_open_is_named(
    hass: HomeAssistant, call_tool: CallTool, entity_id: str, state: str, told: str
) -> None:
    """With the word for it, unless it is simply on."""
    place(hass, Piece(entity_id, "The thing", state, area="garden"))

    garden = (await overview(call_tool))["areas_without_floor"]["areas"][0]

    assert garden["names"] == ["Gate (open)", told]


@pytest.mark.parametrize(
    ("entity_id", "state"),
    [
        ("light.x", "off"),
        ("light.x", "unavailable"),
        ("automation.x", "on"),
        ("update.x", "on"),
        ("input_boolean.x", "on"),
        ("lock.x", "locked"),
        ("sensor.x", "21"),
        ("sensor.x", "dry"),
        ("select.x", "auto"),
    ],
)
async def test_what_is_not_going_on_is_not_named(
    hass: HomeAssistant, call_tool: CallTool, entity_id: str, state: str
) -> None:
    """Off, or always on."""
    place(hass, Piece(entity_id, "The thing", state, area="garden"))

    assert "The thing" not in (await call_tool("ha_get_overview")).text


async def test_open_repairs_are_counted(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Those that the user has ignored are not, nor those that are gone."""
    for issue_id, severity in (
        ("a", ir.IssueSeverity.ERROR),
        ("b", ir.IssueSeverity.WARNING),
        ("ignored", ir.IssueSeverity.WARNING),
        ("gone", ir.IssueSeverity.CRITICAL),
    ):
        ir.async_create_issue(
            hass,
            "acme",
            issue_id,
            is_fixable=False,
            severity=severity,
            translation_key="a",
        )
    ir.async_ignore_issue(hass, "acme", "ignored", True)
    ir.async_delete_issue(hass, "acme", "gone")

    assert (await overview(call_tool))["repairs"] == {
        "open": 2,
        "error": 1,
        "warning": 1,
        "integrations": ["acme"],
    }


@pytest.mark.parametrize(
    "options", [{"filter_reads": True, "entity_denylist": {"patterns": ["lock.*"]}}]
)
async def test_repairs_are_not_told_where_something_is_hidden(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Repairs name entities in their texts, and devices by their integration."""
    ir.async_create_issue(
        hass,
        "acme",
        "a",
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key="a",
    )

    assert "repairs" not in await overview(call_tool)


async def test_the_overview_takes_no_arguments(call_tool: CallTool) -> None:
    """It says so."""
    refused(
        await call_tool("ha_get_overview", area="kitchen"),
        "invalid_arguments",
        "'area'",
    )


@pytest.mark.parametrize(
    ("device_class", "told"),
    [
        ("window", "The thing (open)"),
        ("battery", "The thing (low)"),
        ("motion", "The thing (detected)"),
        ("update", "The thing"),
    ],
)
async def test_a_binary_sensor_says_what_on_means(
    hass: HomeAssistant, call_tool: CallTool, device_class: str, told: str
) -> None:
    """A battery that is on is low."""
    name = {"friendly_name": "The thing", "device_class": device_class}
    hass.states.async_set("binary_sensor.x", "on", name)

    data = await overview(call_tool)

    assert told in data["without_area"]["names"]


async def test_locks_that_are_open_are_not_counted_as_on(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """A lock that is on could be anything."""
    hass.states.async_set("lock.x1", "unlocked")
    hass.states.async_set("lock.x2", "jammed")

    locks = (await overview(call_tool))["domains"]["lock"]

    assert (locks["unlocked"], locks["jammed"]) == (1, 1)
    assert "on" not in locks


async def test_what_matters_comes_before_what_only_plays(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """An open door before a light, a light before the radio."""
    hass.states.async_set("media_player.a", "playing", {"friendly_name": "A radio"})
    hass.states.async_set("light.b", "on", {"friendly_name": "B light"})
    hass.states.async_set("lock.c", "unlocked", {"friendly_name": "C door"})

    names = (await overview(call_tool))["without_area"]["names"]

    found = [name for name in names if name[:2] in ("A ", "B ", "C ")]
    assert found == ["C door (unlocked)", "B light", "A radio (playing)"]


@pytest.mark.parametrize(
    "options", [{"filter_reads": True, "entity_denylist": {"patterns": ["person.*"]}}]
)
async def test_hidden_people_are_not_nobody(call_tool: CallTool) -> None:
    """Nothing is said of people then, and that something is hidden is."""
    data = await overview(call_tool)

    assert "people" not in data
    assert "hidden" in data["note"]
