"""Whatever the house and the call: what Home Assistant acts on was foretold."""

from collections.abc import Iterable
import logging
from random import Random

import pytest

from custom_components.mcp_bridge.house.entity_services import entity_scope
from custom_components.mcp_bridge.house.reach import reach_of
from custom_components.mcp_bridge.house.targets import resolve_now
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.exceptions import ServiceNotSupported
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .acting import Stage

_HOUSES = 15
_CALLS = 150
_SERVICES = (
    "light.turn_on",
    "light.dance",
    "light.shine",
    "switch.turn_on",
    "switch.dance",
    "homeassistant.turn_on",
    "acme.touch",
)
PAIR = ["light.l0", "light.l1"]


class RandomHouse:
    """A house that is rearranged again and again."""

    def __init__(self, stage: Stage, random: Random) -> None:
        """Build the places; entities are there already."""
        self.stage, self.random = stage, random
        building = stage.building
        self.floors = [building.floor(f"Floor {n}") for n in range(2)]
        self.areas = [building.area(f"Area {n}") for n in range(4)]
        self.labels = [building.label(f"Label {n}") for n in range(3)]
        self.devices = [building.device(f"Device {n}") for n in range(5)]
        self.children = [building.child(self.devices[0], f"Child {n}") for n in "ab"]
        self.groups = [f"group.g{n}" for n in range(4)]

    def rearrange(self) -> None:
        """Put everything somewhere else."""
        some, building = self.random, self.stage.building
        for area in self.areas:
            building.areas.async_update(
                area, floor_id=some.choice([None, *self.floors]), labels=self._labels()
            )
        for update, devices in (
            (building.devices.async_update_device, self.devices),
            (building.devices.async_update_child_device, self.children),
        ):
            for device in devices:
                area_id = some.choice([None, *self.areas])
                update(device, area_id=area_id, labels=self._labels())
        for entity_id, actor in self.stage.actors.items():
            actor.can(some.choice([3, 3, 4, 7, 1, 0, None]), some.choice(["lamp", ""]))
            building.change(
                entity_id,
                area_id=some.choice([None, None, *self.areas]),
                device_id=some.choice([None, *self.devices, *self.children]),
                labels=self._labels(),
                hidden_by=some.choice([None, None, er.RegistryEntryHider.USER]),
                entity_category=some.choice([None, None, EntityCategory.CONFIG]),
            )
        for number, group in enumerate(self.groups, 1):
            # Groups of later groups: Home Assistant fails on those that contain each other.
            of = [*self.stage.actors, *self.groups[number:], "light.nope"]
            self.stage.old_group(group, self._some(of))

    def target(self) -> dict[str, object]:
        """Return a target of any shape, some of it wrong."""
        some = self.random
        target = self._ids()
        if target and some.random() < 0.2:
            target["exclude"] = {
                key: ids if isinstance(ids, list) else [ids]
                for key, ids in self._ids(plain=True).items()
            }
        return target or {"entity_id": "all"}

    def _ids(self, *, plain: bool = False) -> dict[str, object]:
        some = self.random
        ids: dict[str, object] = {}
        if some.random() < 0.5:
            entity_ids = self._some([*self.stage.actors, *self.groups, "light.nope"])
            ids["entity_id"] = entity_ids if plain else self._written(entity_ids)
        for key, known in (
            ("device_id", [*self.devices, *self.children]),
            ("area_id", self.areas),
            ("floor_id", self.floors),
            ("label_id", self.labels),
        ):
            if some.random() < 0.25:
                ids[key] = self._some([*known, "nope"])
        return ids

    def _written(self, entity_ids: list[str]) -> object:
        return self.random.choice(
            [
                entity_ids,
                " , ".join(entity_ids),
                ",".join(entity_ids).upper(),
                [entity_id.title() for entity_id in entity_ids],
            ]
        )

    def _some(self, of: list[str]) -> list[str]:
        return self.random.sample(of, self.random.randint(1, 3))

    def _labels(self) -> set[str]:
        return set(self.random.sample(self.labels, self.random.choice([0, 0, 1, 2])))


async def call(house: RandomHouse) -> bool:
    """Make a call of any kind, and compare what it does with what was foretold; tells whether anything was done."""
    stage, random = house.stage, house.random
    service, target = random.choice(_SERVICES), house.target()
    if service == "homeassistant.turn_on" and target.get("entity_id") == "all":
        # Home Assistant refuses that.
        return False
    in_target = dict(random.sample(list(target.items()), len(target) // 2))
    in_data = {key: target[key] for key in target if key not in in_target}
    targets = resolve_now(stage.hass, *split_entity_id(service), in_target, in_data)
    try:
        acted = await stage.done_by(service, target)
    except ServiceNotSupported:
        # It is for naming one that cannot do it. Nothing has been done.
        return False
    acted_on = targets.acted_on
    reach = await reach_of(stage.hass, service, acted_on)
    acted = opened(stage, service, acted)
    assert acted <= {*acted_on, *reach.entities}, (service, target)
    assert targets.resolved_by_core is (service != "acme.touch")
    if targets.resolved_by_core:
        # Nor is more foretold, and a call of the entities by their ids does the same.
        assert opened(stage, service, targets.expanded) <= acted
        by_ids: dict[str, object] = {"entity_id": list(acted_on)}
        again = await stage.done_by(service, by_ids) if acted_on else set()
        assert opened(stage, service, again) == acted, (service, target)
    return bool(acted)


def opened(stage: Stage, service: str, entity_ids: Iterable[str]) -> set[str]:
    """Return entities with the members that can do it in the place of the group, which tells them to."""
    found = set(entity_ids)
    if "light.pair" in found:
        scope = entity_scope(stage.hass, *split_entity_id(service))
        found.remove("light.pair")
        found.update(id_ for id_ in PAIR if scope is None or scope.suits(id_))
    return found


async def test_no_entity_is_acted_on_unforetold(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    """Thousands of calls in dozens of houses; the reach opens the groups."""
    assert await async_setup_component(hass, "homeassistant", {})
    caplog.set_level(logging.ERROR)
    stage, random = Stage(hass), Random(20261)
    await stage.add(*(f"light.l{n}" for n in range(12)))
    await stage.add(*(f"switch.s{n}" for n in range(8)))
    await stage.add("light.pair", group=PAIR)
    house = RandomHouse(stage, random)
    acting = 0
    for _ in range(_HOUSES):
        house.rearrange()
        acting += sum([await call(house) for _ in range(_CALLS)])
    assert acting > _HOUSES * _CALLS / 4
