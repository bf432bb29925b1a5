"""What a service call names is known before the call is made."""

import json
from time import perf_counter
from typing import Any
from unittest.mock import patch

import pytest

from custom_components.mcp_bridge.errors import InvalidArguments
from custom_components.mcp_bridge.house.entity_services import entity_scope
from custom_components.mcp_bridge.house.targets import (
    CallTargets,
    resolve_now,
    resolve_targets,
)
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import DATA_DOMAIN_PLATFORM_ENTITIES
from homeassistant.helpers.service import async_register_platform_entity_service
from homeassistant.setup import async_setup_component

from .acting import Stage
from .building import Building

TARGETS = "custom_components.mcp_bridge.house.targets"


@pytest.fixture(name="stage")
async def fixture_stage(hass: HomeAssistant) -> Stage:
    """Return a flat: a kitchen with a lamp, a plug on a device, a hidden and a config switch, and some groups."""
    assert await async_setup_component(hass, "homeassistant", {})
    stage = Stage(hass)
    await stage.add("light.lamp", "light.spot")
    await stage.add("switch.plug", "switch.hidden", "switch.setting", "switch.off")
    building = stage.building
    kitchen = building.area("Kitchen", floor_id=building.floor("Ground"))
    device = building.device("Bar", kitchen)
    building.change("light.lamp", area_id=kitchen, labels={building.label("Party")})
    for entity_id in ("switch.plug", "switch.hidden", "switch.setting", "switch.off"):
        building.change(entity_id, device_id=device)
    building.change("switch.hidden", hidden_by=er.RegistryEntryHider.USER)
    building.change("switch.setting", entity_category=EntityCategory.CONFIG)
    building.change("switch.off", disabled_by=er.RegistryEntryDisabler.USER)
    stage.old_group("group.lights", ["light.spot"])
    stage.old_group("group.plugs", ["switch.plug"])
    stage.old_group("group.loop", ["group.pool"])
    stage.old_group("group.pool", ["group.loop"])
    return stage


def resolved(
    stage: Stage,
    service: str,
    target: dict[str, Any] | None = None,
    data: dict[str, Any] | None = None,
) -> CallTargets:
    """Return what a call would act on."""
    domain, name = service.split(".")
    return resolve_now(stage.hass, domain, name, target or {}, data or {})


@pytest.mark.parametrize(
    "entity_id",
    [
        "light.lamp,light.spot",
        " Light.Lamp , LIGHT.SPOT ",
        ["light.lamp", "light.spot", "light.lamp"],
        ("light.lamp", "light.spot"),
        {"light.lamp": 1, "light.spot": 2},
        ["light.lamp", ["light.spot"]],
    ],
    ids=repr,
)
@pytest.mark.parametrize("where", ["target", "data"])
def test_named_in_any_form(stage: Stage, entity_id: Any, where: str) -> None:
    """Home Assistant is generous about how ids are written, and takes them from data as well."""
    call: dict[str, Any] = {where: {"entity_id": entity_id}}

    targets = resolved(stage, "light.turn_on", **call)

    assert targets.named == ("light.lamp", "light.spot")
    assert targets.acted_on == targets.named
    assert (targets.missing, targets.expanded, targets.in_data) == ((), (), ())
    assert targets.has_target


def test_registry_ids_are_entities(stage: Stage) -> None:
    """The editor writes the registry id of an entity in its place."""
    uuid = stage.building.entities.entities["light.lamp"].id

    assert resolved(stage, "light.turn_on", {"entity_id": uuid}).named == (
        "light.lamp",
    )
    assert resolved(stage, "acme.touch", {}, {"x": uuid}).in_data == ("light.lamp",)


def test_target_overrules_data_but_both_count(stage: Stage) -> None:
    """What a service reads of the two is not left to chance."""
    targets = resolved(
        stage, "light.turn_on", {"entity_id": "light.lamp"}, {"entity_id": "light.spot"}
    )

    assert targets.named == ("light.lamp", "light.spot")


@pytest.mark.parametrize(
    ("service", "target", "expanded"),
    [
        ("light.turn_on", {"area_id": "kitchen"}, ("light.lamp",)),
        ("switch.turn_on", {"area_id": ["kitchen"]}, ("switch.plug",)),
        (
            "homeassistant.turn_on",
            {"floor_id": "ground"},
            ("light.lamp", "switch.plug"),
        ),
        ("light.turn_on", {"label_id": "party"}, ("light.lamp",)),
        ("light.turn_on", {"label_id": "party", "entity_id": "light.lamp"}, ()),
        ("light.turn_on", {"entity_id": "all"}, ("light.lamp", "light.spot")),
        ("light.turn_on", {"entity_id": " ALL "}, ("light.lamp", "light.spot")),
        ("light.turn_on", {"entity_id": "none", "area_id": "NONE"}, ()),
        ("light.turn_on", {"area_id": "Kitchen"}, ()),
        (
            "light.turn_on",
            {"entity_id": "all", "exclude": {"area_id": "kitchen"}},
            ("light.spot",),
        ),
        (
            "homeassistant.turn_on",
            {"area_id": "kitchen", "exclude": {"entity_id": ["group.plugs"]}},
            ("light.lamp",),
        ),
        # Nobody knows what a service of its own kind does with a place, or with an exclude block.
        (
            "acme.touch",
            {"area_id": "Kitchen", "exclude": {"entity_id": ["light.lamp"]}},
            ("light.lamp", "switch.hidden", "switch.plug", "switch.setting"),
        ),
    ],
)
def test_expanded(
    stage: Stage, service: str, target: dict[str, Any], expanded: tuple[str, ...]
) -> None:
    """Places become entities as Home Assistant makes them, or more, where that is not known."""
    assert resolved(stage, service, target).expanded == expanded
    assert resolved(stage, service, {}, target).expanded == expanded


@pytest.mark.parametrize(
    "data",
    [
        {"options": {"area_id": "kitchen"}},
        {"steps": [{"floor_id": ["ground"]}]},
        {"device_id": "DEVICE"},
        {"devices": ["DEVICE"]},
        {"members": ["DEVICE"]},
        {"node": "DEVICE"},
    ],
    ids=repr,
)
def test_places_anywhere_in_data(stage: Stage, data: dict[str, Any]) -> None:
    """A place below any key is everything in it, hidden entities and settings too."""
    plug = stage.building.entities.entities["switch.plug"]
    filled = json.loads(json.dumps(data).replace("DEVICE", str(plug.device_id)))

    targets = resolved(stage, "acme.touch", {}, filled)

    assert {"switch.plug", "switch.hidden", "switch.setting"} <= {*targets.expanded}
    assert "switch.off" not in targets.expanded
    assert targets.missing == ()


@pytest.mark.parametrize(
    "data",
    [
        {"entities": {"light.lamp": "on", "light.spot": {"state": "off"}}},
        {"snapshot_entities": ["light.lamp", "LIGHT.spot"]},
        {"add_entities": "light.lamp, light.spot"},
        {"variables": {"one": "light.lamp", "two": [{"deep": "light.spot"}]}},
        {"anything": "light.lamp,light.spot"},
        {"light.lamp": {"light.spot": None}},
        {"media_player_entity_id": ["light.lamp", "light.spot"]},
        {"x": {"entity_id": ["light.lamp", "light.spot"]}},
    ],
    ids=repr,
)
def test_entities_in_data(stage: Stage, data: dict[str, Any]) -> None:
    """Wherever the id of an entity stands, the service may act on it."""
    targets = resolved(stage, "acme.touch", {"entity_id": "switch.plug"}, data)

    assert targets.in_data == ("light.lamp", "light.spot")
    assert targets.named == ("switch.plug",)


@pytest.mark.parametrize(
    "message", ["The light.lamp is on", "light.nope", "hello.world", "light", "1.5"]
)
def test_sentences_are_not_entities(stage: Stage, message: str) -> None:
    """Only a whole text is an id, and under a key of any meaning it may be no entity at all."""
    targets = resolved(stage, "acme.touch", {}, {"message": message})

    assert (targets.in_data, targets.missing, targets.has_target) == ((), (), False)


@pytest.mark.parametrize(
    ("target", "data", "missing"),
    [
        ({"entity_id": ["light.nope", "light.lamp"]}, {}, ("light.nope",)),
        ({"entity_id": "kitchen lamp"}, {}, ("kitchen lamp",)),
        ({"entity_id": "{{ a, b }}"}, {}, ("{{ a, b }}",)),
        ({"entity_id": "0" * 32}, {}, ("0" * 32,)),
        ({"area_id": ["nope", "kitchen"]}, {}, ("area nope",)),
        ({"area_id": "Kitchen"}, {}, ("area Kitchen",)),
        (
            {"device_id": "x", "floor_id": "x", "label_id": "x"},
            {},
            ("device x", "floor x", "label x"),
        ),
        ({}, {"entities": {"light.gone": "on"}}, ("light.gone",)),
        ({}, {"snapshot_entities": "light.lamp, light.gone"}, ("light.gone",)),
        ({"entity_id": "switch.off"}, {}, ()),
    ],
    ids=repr,
)
def test_missing(
    stage: Stage, target: dict[str, Any], data: dict[str, Any], missing: tuple[str, ...]
) -> None:
    """Home Assistant would answer success; a disabled entity exists."""
    assert resolved(stage, "light.turn_on", target, data).missing == missing


@pytest.mark.parametrize(
    ("service", "entity_id", "wrong"),
    [
        ("light.turn_on", "switch.plug", True),
        ("light.turn_on", "light.lamp", False),
        ("light.turn_on", "group.lights", False),
        ("light.turn_on", "group.plugs", True),
        ("light.turn_on", "group.loop", True),
        ("light.turn_on", "switch.nope", False),
        ("homeassistant.turn_on", "switch.plug", False),
        ("acme.touch", "switch.plug", False),
        ("script.turn_on", "light.lamp", True),
    ],
)
async def test_wrong_domain(
    stage: Stage, service: str, entity_id: str, wrong: bool
) -> None:
    """A light service does nothing to a switch, and says nothing either."""
    assert await async_setup_component(stage.hass, "script", {})

    targets = resolved(stage, service, {"entity_id": entity_id})

    assert targets.wrong_domain == ((entity_id,) if wrong else ())
    assert targets.named == (entity_id,)


async def test_service_of_an_integration_for_its_own_entities(stage: Stage) -> None:
    """Such a service acts on the integration's entities, whatever else is in the place."""
    hass = stage.hass
    hass.data[DATA_DOMAIN_PLATFORM_ENTITIES]["light", "acme"] = {
        "light.lamp": stage.actors["light.lamp"]
    }
    async_register_platform_entity_service(
        hass, "acme", "blink", entity_domain="light", func="async_turn_on", schema=None
    )

    assert resolved(stage, "acme.blink", {"area_id": "kitchen"}).acted_on == (
        "light.lamp",
    )
    named = resolved(stage, "acme.blink", {"entity_id": ["light.lamp", "light.spot"]})
    assert named.wrong_domain == ("light.spot",)
    assert named.is_entity_service


async def test_how_home_assistant_registers_entity_services(stage: Stage) -> None:
    """No interface tells which entities a service acts on: a change of the registration must show here."""
    assert await async_setup_component(stage.hass, "script", {})

    for domain, service in (("light", "turn_on"), ("script", "turn_on")):
        scope = entity_scope(stage.hass, domain, service)
        assert scope is not None
        assert (scope.domain, scope.entities) == (domain, None)
    for domain, service in (("homeassistant", "turn_on"), ("script", "reload")):
        assert entity_scope(stage.hass, domain, service) is None


async def test_what_kind_of_service_it_is(hass: HomeAssistant) -> None:
    """A target may be described only, or be demanded."""
    for domain in ("homeassistant", "counter"):
        assert await async_setup_component(hass, domain, {})
    kinds = {
        service: await resolve_targets(hass, *split_entity_id(service), {}, {})
        for service in (
            "counter.increment",
            "homeassistant.toggle",
            "homeassistant.stop",
            "no.no",
        )
    }

    assert {
        service: (kind.takes_target, kind.is_entity_service, kind.has_target)
        for service, kind in kinds.items()
    } == {
        "counter.increment": (True, True, False),
        "homeassistant.toggle": (True, False, False),
        "homeassistant.stop": (False, False, False),
        "no.no": (False, False, False),
    }


async def test_descriptions_that_cannot_be_loaded(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    """The call is resolved all the same; its target counts as unknown."""
    assert await async_setup_component(hass, "homeassistant", {})
    with patch(f"{TARGETS}.async_get_all_descriptions", side_effect=OSError):
        kind = await resolve_targets(hass, "homeassistant", "toggle", {}, {})

    assert not kind.takes_target
    assert "cannot be loaded" in caplog.text


def test_service_name_in_capitals(stage: Stage) -> None:
    """Home Assistant finds a service whatever its case."""
    targets = resolve_now(stage.hass, "LIGHT", "Turn_On", {"area_id": "kitchen"}, {})

    assert targets.acted_on == ("light.lamp",)


def test_hostile_data(stage: Stage) -> None:
    """It is refused as the caller's mistake."""
    deep: dict[str, Any] = {}
    for _ in range(100):
        deep = {"x": deep}
    for data in (deep, {"entity_id": [deep]}, {"x": ["light.lamp"] * 30_000}):
        with pytest.raises(InvalidArguments):
            resolved(stage, "light.turn_on", {}, data)


def test_many_targets_in_little_time(hass: HomeAssistant) -> None:
    """Linear in the number of targets: ten times as many take about ten times as long."""
    building = Building(hass)
    ids = [building.state(f"light.l{number}") for number in range(1_000)]

    def seconds(count: int) -> float:
        started = perf_counter()
        targets = resolve_now(hass, "light", "x", {"entity_id": ids[:count]}, {})
        assert len(targets.acted_on) == count
        return perf_counter() - started

    few = min(seconds(100) for _ in range(5))
    assert min(seconds(1_000) for _ in range(3)) < 40 * few
