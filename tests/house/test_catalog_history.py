"""Whatever happens to a house, in whatever order: the catalogue is as one built afresh."""

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings, strategies as st

from custom_components.mcp_bridge.house.catalog import Catalog
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er

from .building import Building, Device

# Names of areas, floors and labels have to differ.
NUMBERS = count()
WORDS = ("Kitchen", "Attic", "Lamp", "Küche", "Party", "Hub", "Window")
ENTITY_IDS = tuple(
    f"{domain}.n{number}" for domain in ("light", "sensor") for number in range(3)
)
CLASSES = (None, "temperature", "door", 5)


class Step(NamedTuple):
    """Something that happens; the numbers choose what it happens to, and what it becomes."""

    happens: Callable[[Building, int, int], None]
    which: int
    what: int


def pick[T](choices: list[T] | tuple[T, ...], number: int) -> T | None:
    """Return one of the choices, if there are any."""
    return choices[number % len(choices)] if choices else None


def word(number: int) -> str:
    """Return one of a few words."""
    return WORDS[number % len(WORDS)]


def registered(building: Building) -> list[str]:
    """Return the registered entities."""
    return list(building.entities.entities)


def all_devices(building: Building) -> list[Device]:
    """Return main and child devices."""
    return [*building.devices.devices, *building.devices.child_devices]


def areas(building: Building) -> list[str]:
    """Return the ids of the areas."""
    return [area.id for area in building.areas.async_list_areas()]


def floors(building: Building) -> list[str]:
    """Return the ids of the floors."""
    return [floor.floor_id for floor in building.floors.async_list_floors()]


def labels(building: Building) -> list[str]:
    """Return the ids of the labels."""
    return [label.label_id for label in building.labels.async_list_labels()]


def one_label(building: Building, number: int) -> set[str]:
    """Return a set of one label, or of none."""
    label = pick([None, *labels(building)], number)
    return {label} if label else set()


def state_set(building: Building, which: int, what: int) -> None:
    """A state appears or changes its name and class."""
    entity_id = ENTITY_IDS[which % len(ENTITY_IDS)]
    building.hass.states.async_set(
        entity_id,
        "on",
        {"friendly_name": word(what), "device_class": CLASSES[what % len(CLASSES)]},
    )


def state_removed(building: Building, which: int, what: int) -> None:
    """A state goes."""
    building.hass.states.async_remove(ENTITY_IDS[which % len(ENTITY_IDS)])


def entity_registered(building: Building, which: int, what: int) -> None:
    """An entity is registered, on a device perhaps; one that was removed comes back as it was."""
    entity_id = ENTITY_IDS[which % len(ENTITY_IDS)]
    domain, object_id = entity_id.split(".")
    device = pick([None, *all_devices(building)], what)
    building.entities.async_get_or_create(
        domain,
        "test",
        entity_id,
        suggested_object_id=object_id,
        config_entry=building.config_entry,
        device_id=device.id if device else None,
        original_name=word(what),
        has_entity_name=bool(what % 2),
    )


def entity_removed(building: Building, which: int, what: int) -> None:
    """An entity leaves the registry."""
    if entity_id := pick(registered(building), which):
        building.entities.async_remove(entity_id)


def entity_changed(building: Building, which: int, what: int) -> None:
    """The user edits an entity."""
    if entity_id := pick(registered(building), which):
        changes: tuple[dict[str, Any], ...] = (
            {"name": pick([None, *WORDS], what)},
            {"area_id": pick([None, *areas(building)], what)},
            {"labels": one_label(building, what)},
            {"aliases": [er.COMPUTED_NAME, word(what)]},
            {"aliases": []},
            {"hidden_by": pick([None, er.RegistryEntryHider.USER], what // 7)},
            {"disabled_by": pick([None, er.RegistryEntryDisabler.USER], what // 7)},
            {"original_device_class": pick([None, "door", "heat"], what // 7)},
        )
        # Home Assistant refuses an area of its own to an entity on a device that has no name.
        with suppress(ValueError):
            building.change(entity_id, **changes[what % len(changes)])


def entity_id_changed(building: Building, which: int, what: int) -> None:
    """The user changes an entity id."""
    if entity_id := pick(registered(building), which):
        domain = entity_id.split(".")[0]
        new_entity_id = f"{domain}.n{what % 5}"
        if (
            new_entity_id not in building.entities.entities
            and not building.hass.states.get(new_entity_id)
        ):
            building.change(entity_id, new_entity_id=new_entity_id)


def device_added(building: Building, which: int, what: int) -> None:
    """A device appears, or a child of one."""
    parent = pick([None, *building.devices.devices], which)
    if parent is None:
        building.device(word(what), pick([None, *areas(building)], what))
    else:
        building.child(parent.id, word(what))


def device_changed(building: Building, which: int, what: int) -> None:
    """The user edits a device."""
    if device := pick(all_devices(building), which):
        changes: tuple[dict[str, Any], ...] = (
            {"area_id": pick([None, *areas(building)], what)},
            {"name_by_user": pick([None, *WORDS], what)},
            {"labels": one_label(building, what)},
        )
        change = changes[what % len(changes)]
        if isinstance(device, dr.ChildDeviceEntry):
            building.devices.async_update_child_device(device.id, **change)
        else:
            building.devices.async_update_device(device.id, **change)


def device_removed(building: Building, which: int, what: int) -> None:
    """A device goes."""
    if device := pick(all_devices(building), which):
        building.devices.async_remove_device(device.id)


def place_added(building: Building, which: int, what: int) -> None:
    """An area, floor or label appears, if there is none of that name."""
    name = word(what)
    if which % 3 == 0 and not building.areas.async_get_area_by_name(name):
        building.area(name, floor_id=pick([None, *floors(building)], which // 3))
    elif which % 3 == 1 and not building.floors.async_get_floor_by_name(name):
        building.floor(name)
    elif not building.labels.async_get_label_by_name(name):
        building.label(name)


def place_changed(building: Building, which: int, what: int) -> None:
    """The user edits an area, floor or label."""
    number = next(NUMBERS)
    if which % 3 == 0 and (area := pick(areas(building), which // 3)):
        changes: tuple[dict[str, Any], ...] = (
            {"name": f"{word(what)} {number}"},
            {"aliases": {word(what)}},
            {"floor_id": pick([None, *floors(building)], what)},
            {"labels": one_label(building, what)},
        )
        building.areas.async_update(area, **changes[what % len(changes)])
    elif which % 3 == 1 and (floor := pick(floors(building), which // 3)):
        name = f"{word(what)} {number}"
        building.floors.async_update(floor, name=name, aliases={word(which)})
    elif label := pick(labels(building), which // 3):
        building.labels.async_update(label, name=f"{word(what)} {number}")


def place_removed(building: Building, which: int, what: int) -> None:
    """An area, floor or label goes."""
    if which % 3 == 0 and (area := pick(areas(building), what)):
        building.areas.async_delete(area)
    elif which % 3 == 1 and (floor := pick(floors(building), what)):
        building.floors.async_delete(floor)
    elif label := pick(labels(building), what):
        building.labels.async_delete(label)


def nothing(building: Building, which: int, what: int) -> None:
    """Nothing happens, but somebody asks."""


HAPPENINGS = (
    state_set, state_removed, entity_registered, entity_registered, entity_removed, entity_changed, entity_changed,
    entity_id_changed, device_added, device_changed, device_changed, device_removed, place_added, place_changed,
    place_changed, place_removed, nothing, nothing,
)  # fmt: skip
STEPS = st.builds(
    Step, st.sampled_from(HAPPENINGS), st.integers(0, 60), st.integers(0, 60)
)


def torn_down(building: Building) -> None:
    """Leave nothing for the next house."""
    for entity_id in building.hass.states.async_entity_ids():
        building.hass.states.async_remove(entity_id)
    for entity_id in registered(building):
        building.entities.async_remove(entity_id)
    building.entities.deleted_entities.clear()
    for device in list(building.devices.devices):
        building.devices.async_remove_device(device.id)
    for area in areas(building):
        building.areas.async_delete(area)
    for floor in floors(building):
        building.floors.async_delete(floor)
    for label in labels(building):
        building.labels.async_delete(label)


def answers(catalog: Catalog) -> dict[str, object]:
    """Return everything that can be asked of the search, in words that occur in these houses."""
    questions = (
        *WORDS,
        *map(str, range(61)),
        "light",
        "sensor",
        "temperature",
        "heat",
        "n1",
    )
    return {
        question: (catalog.index.search(question), catalog.index.suggest(question))
        for question in questions
    }


async def assert_as_built_afresh(hass: HomeAssistant, catalog: Catalog) -> None:
    """Compare with a catalogue that has seen nothing of the history."""
    fresh = Catalog(hass)
    await fresh.async_start()
    fresh.async_stop()
    assert dict(catalog.records) == dict(fresh.records)
    assert len(catalog.index) == len(fresh.index)
    assert answers(catalog) == answers(fresh)
    assert catalog.is_in_step


@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    before=st.lists(STEPS, max_size=15),
    afterwards=st.lists(STEPS, min_size=1, max_size=25),
)
async def test_history_leaves_no_trace(
    hass: HomeAssistant, building: Building, before: list[Step], afterwards: list[Step]
) -> None:
    """After any sequence of changes, read in between or not, nothing old is left and nothing new is missing."""
    catalog = Catalog(hass)
    try:
        for step in before:
            step.happens(building, step.which, step.what)
        await catalog.async_start()
        for step in afterwards:
            step.happens(building, step.which, step.what)
            if step.happens is nothing:
                assert catalog.is_in_step
        await assert_as_built_afresh(hass, catalog)
    finally:
        catalog.async_stop()
        torn_down(building)
