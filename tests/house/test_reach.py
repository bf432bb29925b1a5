"""What stands behind groups, scenes, wrappers, scripts and automations is known before they are set off."""

from collections.abc import Mapping
from typing import Any
from unittest.mock import AsyncMock, patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.house.reach import MAX_NODES, Reach, reach_of
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import Input

from .building import Building

NOTHING = frozenset[str]()
ON_A = {"action": "input_boolean.turn_on", "target": {"entity_id": "input_boolean.a"}}
ON_B = {"action": "input_boolean.turn_on", "target": {"entity_id": "input_boolean.b"}}


@pytest.fixture(autouse=True)
async def fixture_switches(hass: HomeAssistant) -> None:
    """Set up some switches to reach."""
    for domain in ("homeassistant", "group"):
        assert await async_setup_component(hass, domain, {})
    booleans = dict.fromkeys("abc")
    assert await async_setup_component(
        hass, "input_boolean", {"input_boolean": booleans}
    )


async def set_up(hass: HomeAssistant, config: Mapping[str, Any]) -> None:
    """Set up integrations from YAML."""
    for domain in config:
        assert await async_setup_component(hass, domain, dict(config))
    await hass.async_block_till_done()


async def reached(hass: HomeAssistant, service: str, *entity_ids: str) -> Reach:
    """Return what a call without data reaches."""
    return await reach_of(hass, service, entity_ids)


async def test_ordinary_entity_reaches_nothing(hass: HomeAssistant) -> None:
    """The common case."""
    reach = await reached(
        hass, "input_boolean.turn_on", "input_boolean.a", "light.nope"
    )

    assert (reach.entities, reach.services, reach.open_domains) == (
        NOTHING,
        NOTHING,
        NOTHING,
    )
    assert not reach.runs_automations


@pytest.mark.parametrize("service", ["homeassistant.turn_on", "input_boolean.toggle"])
async def test_old_groups_nested(hass: HomeAssistant, service: str) -> None:
    """Members of members count; groups that contain each other do no harm."""
    await hass.services.async_call(
        "group",
        "set",
        {"object_id": "inner", "entities": ["input_boolean.b", "group.outer"]},
        blocking=True,
    )
    await hass.services.async_call(
        "group",
        "set",
        {"object_id": "outer", "entities": ["input_boolean.a", "group.inner"]},
        blocking=True,
    )

    assert (await reached(hass, service, "group.outer")).entities == {
        "group.inner",
        "input_boolean.a",
        "input_boolean.b",
    }


async def test_members_a_service_is_not_for(hass: HomeAssistant) -> None:
    """Home Assistant drops them when it opens the group."""
    hass.states.async_set(
        "group.mixed", "on", {"entity_id": ["input_boolean.a", "lock.front"]}
    )

    assert (await reached(hass, "input_boolean.turn_on", "group.mixed")).entities == {
        "input_boolean.a"
    }
    assert (await reached(hass, "homeassistant.turn_on", "group.mixed")).entities == {
        "input_boolean.a",
        "lock.front",
    }


async def test_group_helper(hass: HomeAssistant) -> None:
    """Its options hold registry ids, its state entity ids; either will do."""
    building = Building(hass)
    for entity_id in ("switch.one", "switch.two"):
        building.state(building.entity(entity_id))
    uuid = building.entities.entities["switch.two"].id
    entry = MockConfigEntry(
        domain="group",
        title="Pair",
        options={
            "group_type": "switch",
            "name": "Pair",
            "entities": ["switch.one", uuid],
            "hide_members": False,
        },
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    both = {"switch.one", "switch.two"}
    assert (await reached(hass, "switch.turn_off", "switch.pair")).entities == both

    assert await hass.config_entries.async_unload(entry.entry_id)
    hass.states.async_remove("switch.pair")

    assert (await reached(hass, "switch.turn_off", "switch.pair")).entities == both


@pytest.mark.parametrize("by_registry_id", [True, False])
async def test_switch_shown_as_a_lock(
    hass: HomeAssistant, by_registry_id: bool
) -> None:
    """Lock and switch are the same thing, whichever one is acted on."""
    building = Building(hass)
    building.state(building.entity("switch.door"))
    uuid = building.entities.entities["switch.door"].id
    entry = MockConfigEntry(
        domain="switch_as_x",
        title="Door",
        version=1,
        minor_version=3,
        options={
            "entity_id": uuid if by_registry_id else "switch.door",
            "target_domain": "lock",
            "invert": False,
        },
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    (lock,) = er.async_entries_for_config_entry(building.entities, entry.entry_id)

    switched = await reached(hass, "switch.turn_on", "switch.door")
    locked = await reached(hass, "lock.unlock", lock.entity_id)

    assert switched.entities == {lock.entity_id}
    assert "lock.unlock" in switched.services
    assert locked.entities == {"switch.door"}
    assert not locked.open_domains


async def test_scene(hass: HomeAssistant) -> None:
    """A scene brings about the states of its entities, by whatever service that takes."""
    states = {"input_boolean.a": "on", "input_boolean.b": {"state": "off"}}
    await set_up(hass, {"scene": [{"id": "1", "name": "S", "entities": states}]})

    reach = await reached(hass, "scene.turn_on", "scene.s")

    assert reach.entities == {"input_boolean.a", "input_boolean.b"}
    assert {"input_boolean.turn_on", "input_boolean.turn_off"} <= reach.services
    assert not reach.runs_automations
    assert (await reached(hass, "scene.delete", "scene.s")).entities == NOTHING


async def test_helper_of_a_custom_integration(hass: HomeAssistant) -> None:
    """Whatever such a one calls its settings, it may act on the entities in them; none can act on a sensor."""
    building = Building(hass)
    for entity_id in ("climate.smart", "switch.heater", "switch.fan", "sensor.warmth"):
        building.state(building.entity(entity_id))
    hass.config_entries.async_update_entry(
        building.config_entry,
        data={"heaters": ["switch.heater"], "sensor": "sensor.warmth"},
        options={"more": {"fan": building.entities.entities["switch.fan"].id}},
    )

    reach = await reached(hass, "climate.turn_on", "climate.smart")

    assert reach.entities == {"switch.heater", "switch.fan"}


async def test_players_that_play_together(hass: HomeAssistant) -> None:
    """What is done to one of them is heard from all."""
    hass.states.async_set(
        "media_player.a", "on", {"group_members": ["media_player.a", "media_player.b"]}
    )

    reach = await reached(hass, "media_player.media_pause", "media_player.a")

    assert reach.entities == {"media_player.b"}


@pytest.mark.parametrize(
    ("service", "runs"),
    [
        ("script.turn_on", True),
        ("script.toggle", True),
        ("homeassistant.turn_on", True),
        ("homeassistant.toggle", True),
        ("script.turn_off", False),
        ("homeassistant.turn_off", False),
        ("homeassistant.update_entity", False),
    ],
)
async def test_script(hass: HomeAssistant, service: str, runs: bool) -> None:
    """A script reaches what its actions act on, unless it is stopped."""
    await set_up(hass, {"script": {"s": {"sequence": [ON_A]}}})

    reach = await reached(hass, service, "script.s")

    assert reach.entities == ({"input_boolean.a"} if runs else NOTHING)
    assert ("input_boolean.turn_on" in reach.services) is runs
    assert not reach.runs_automations


async def test_script_by_its_service(hass: HomeAssistant) -> None:
    """The service keeps the key of the script, also when the entity has been given another id."""
    await set_up(hass, {"script": {"s": {"sequence": [ON_A]}}})
    er.async_get(hass).async_update_entity("script.s", new_entity_id="script.renamed")
    await hass.async_block_till_done()

    assert (await reached(hass, "script.s")).entities == {
        "script.renamed",
        "input_boolean.a",
    }
    assert (await reached(hass, "script.no_such")).entities == NOTHING


async def test_service_of_a_script_that_is_not_there(hass: HomeAssistant) -> None:
    """Another integration may register services in the name of scripts."""
    hass.services.async_register("script", "foreign", AsyncMock())

    assert (await reached(hass, "script.foreign")).open_domains == {"*"}


async def test_scripts_that_call_each_other(hass: HomeAssistant) -> None:
    """Each is followed once, by its service and by its entity."""
    call_one = {"action": "script.one"}
    call_two = {"action": "script.turn_on", "target": {"entity_id": "script.two"}}
    await set_up(
        hass,
        {
            "script": {
                "one": {"sequence": [ON_A, call_two]},
                "two": {"sequence": [ON_B, call_one]},
            }
        },
    )

    reach = await reached(hass, "script.one")

    assert reach.entities == {
        "script.one",
        "script.two",
        "input_boolean.a",
        "input_boolean.b",
    }
    assert reach.services == {"input_boolean.turn_on", "script.one", "script.turn_on"}
    assert reach.open_domains == NOTHING


async def test_broken_script_runs_nothing(hass: HomeAssistant) -> None:
    """Home Assistant keeps it as an unavailable entity."""
    await set_up(hass, {"script": {"s": {"sequence": [{"no": "action"}]}}})

    assert (await reached(hass, "script.turn_on", "script.s")).open_domains == NOTHING


async def test_blueprint_is_filled_in(hass: HomeAssistant) -> None:
    """The inputs of a blueprint say what its actions act on."""
    blueprint = {
        "blueprint": {"name": "B", "domain": "script", "input": {"which": None}},
        "sequence": [
            {"action": "input_boolean.turn_on", "target": {"entity_id": Input("which")}}
        ],
    }
    inputs = {"which": "input_boolean.c"}
    use = {"use_blueprint": {"path": "b.yaml", "input": inputs}}
    with patch(
        "homeassistant.components.blueprint.models.yaml_util.load_yaml_dict",
        return_value=blueprint,
    ):
        await set_up(hass, {"script": {"s": use}})

    assert (await reached(hass, "script.s")).entities == {"script.s", "input_boolean.c"}


async def test_fingerprint_goes_with_the_definition(hass: HomeAssistant) -> None:
    """It is the same for the same script, and another one after any edit."""

    async def fingerprint(sequence: list[Any]) -> str:
        config = {"script": {"s": {"sequence": sequence}}}
        if not hass.services.has_service("script", "reload"):
            await set_up(hass, config)
        with patch("homeassistant.config.load_yaml_config_file", return_value=config):
            await hass.services.async_call("script", "reload", blocking=True)
        return (await reached(hass, "script.turn_on", "script.s")).fingerprint

    first = await fingerprint([ON_A])

    assert await fingerprint([ON_B]) != first
    assert await fingerprint([{**ON_A, "data": {}}]) != first
    assert await fingerprint([ON_A, {"delay": 5}]) != first
    assert await fingerprint([ON_A]) == first


async def test_too_much_to_follow(hass: HomeAssistant) -> None:
    """Beyond the bound, anything may happen."""
    members = [f"light.l{number}" for number in range(MAX_NODES + 1)]
    hass.states.async_set("group.huge", "on", {"entity_id": members})

    assert (
        await reached(hass, "homeassistant.turn_on", "group.huge")
    ).open_domains == {"*"}
    assert not (await reached(hass, "homeassistant.turn_on", *members)).open_domains


async def test_entities_in_data_are_followed(hass: HomeAssistant) -> None:
    """A scene may be applied without being one."""
    await set_up(hass, {"script": {"s": {"sequence": [ON_A]}}})

    reach = await reach_of(hass, "scene.apply", ["script.s"])

    assert reach.entities == {"input_boolean.a"}
