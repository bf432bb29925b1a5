"""Automations that are set off, and entities that run actions of the user's."""

from typing import Any

import pytest

from custom_components.mcp_bridge.house.reach import Reach, reach_of
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .building import Building

A, B = "input_boolean.a", "input_boolean.b"
ON_A = {"action": "input_boolean.turn_on", "target": {"entity_id": A}}
ON_B = {"action": "input_boolean.turn_on", "target": {"entity_id": B}}
BUTTON = "input_button.go"


@pytest.fixture(autouse=True)
async def fixture_house(hass: HomeAssistant) -> None:
    """Set up switches, a button and a scene."""
    assert await async_setup_component(hass, "homeassistant", {})
    config: dict[str, Any] = {
        "input_boolean": {"a": None, "b": None},
        "input_button": {"go": None, "other": None},
        "scene": [{"name": "Night", "entities": {B: "off"}}],
    }
    for domain in config:
        assert await async_setup_component(hass, domain, config)


async def automation(hass: HomeAssistant, trigger: Any, **more: Any) -> None:
    """Set up the automation `automation.auto`, which turns on A."""
    config = {"alias": "Auto", "triggers": trigger, "actions": [ON_A], **more}
    assert await async_setup_component(hass, "automation", {"automation": [config]})
    await hass.async_block_till_done()


async def reached(hass: HomeAssistant, service: str, entity_id: str) -> Reach:
    """Return what a call without data reaches."""
    return await reach_of(hass, service, [entity_id])


@pytest.mark.parametrize(
    ("service", "runs"),
    [
        ("automation.trigger", True),
        ("automation.turn_on", True),
        ("automation.toggle", True),
        ("homeassistant.turn_on", True),
        ("homeassistant.toggle", True),
        ("automation.turn_off", False),
        ("homeassistant.turn_off", False),
    ],
)
async def test_automation(hass: HomeAssistant, service: str, runs: bool) -> None:
    """One that is switched on will run, later."""
    await automation(hass, {"trigger": "state", "entity_id": B})

    reach = await reached(hass, service, "automation.auto")

    assert reach.entities == ({A} if runs else frozenset())
    assert reach.runs_automations is runs


def pressed(entity_id: str, **more: Any) -> dict[str, Any]:
    """Return a trigger on the state of an entity."""
    return {"trigger": "state", "entity_id": entity_id, **more}


@pytest.mark.parametrize(
    ("service", "entity_id", "trigger", "runs"),
    [
        ("input_button.press", BUTTON, pressed(BUTTON), True),
        ("input_button.press", BUTTON, [pressed(A), pressed(BUTTON)], True),
        ("input_button.press", BUTTON, pressed("input_button.other"), False),
        ("input_button.press", BUTTON, [pressed(BUTTON, enabled=False)], False),
        ("scene.turn_on", "scene.night", pressed("scene.night"), True),
        ("scene.turn_on", "scene.night", pressed(BUTTON), False),
        (
            "input_button.press",
            BUTTON,
            {"trigger": "template", "value_template": f"{{{{ states('{BUTTON}') }}}}"},
            True,
        ),
        (
            "input_button.press",
            BUTTON,
            {
                "trigger": "event",
                "event_type": "state_changed",
                "event_data": {"entity_id": BUTTON},
            },
            True,
        ),
        # An everyday change of state, to which automations react as they always do.
        ("input_boolean.turn_on", B, pressed(B), False),
    ],
)
async def test_set_off_by_a_button_or_scene(
    hass: HomeAssistant, service: str, entity_id: str, trigger: Any, runs: bool
) -> None:
    """A button is there to be a trigger, so pressing it is running the automation."""
    await automation(hass, trigger)

    reach = await reached(hass, service, entity_id)

    assert reach.runs_automations is runs
    assert (A in reach.entities) is ("automation.auto" in reach.entities) is runs


async def test_trigger_by_place(hass: HomeAssistant) -> None:
    """New triggers may name an area or a device in place of the entity."""
    building = Building(hass)
    kitchen = building.area("Kitchen")
    building.state(building.entity("button.bell", area=kitchen))
    await automation(hass, pressed(BUTTON))
    live = hass.data["automation"].get_entity("automation.auto")
    live.raw_config = {
        "triggers": [{"trigger": "button.pressed", "target": {"area_id": kitchen}}]
    }

    assert (await reached(hass, "button.press", "button.bell")).runs_automations
    assert not (await reached(hass, "button.press", "button.other")).runs_automations


async def test_automation_without_its_definition(hass: HomeAssistant) -> None:
    """All that it has to do with may be its trigger."""
    await automation(hass, pressed(BUTTON))
    hass.data["automation"].get_entity("automation.auto").raw_config = None

    assert (await reached(hass, "input_button.press", BUTTON)).runs_automations


async def test_automation_that_is_off(hass: HomeAssistant) -> None:
    """It does not react."""
    await automation(hass, pressed(BUTTON), initial_state=False)

    assert not (await reached(hass, "input_button.press", BUTTON)).runs_automations


async def test_button_within_a_script(hass: HomeAssistant) -> None:
    """What sets an automation off may itself be set off."""
    await automation(hass, pressed(BUTTON))
    press = {"action": "input_button.press", "target": {"entity_id": BUTTON}}
    script = {"script": {"s": {"sequence": [press]}}}
    assert await async_setup_component(hass, "script", script)

    reach = await reached(hass, "script.turn_on", "script.s")

    assert reach.entities == {BUTTON, "automation.auto", A}
    assert reach.runs_automations


async def template_switch(hass: HomeAssistant) -> None:
    """Set up a switch and a button that run actions."""
    config = {
        "template": [
            {
                "switch": [
                    {
                        "name": "Both",
                        "state": "{{ true }}",
                        "turn_on": [ON_A, {"if": "{{ true }}", "then": [ON_B]}],
                        "turn_off": [{"action": "script.off"}],
                    }
                ],
                "button": [{"name": "Press", "press": [ON_B]}],
            }
        ]
    }
    assert await async_setup_component(hass, "template", config)
    await hass.async_block_till_done()


async def test_template_entities_run_actions(hass: HomeAssistant) -> None:
    """Any of their actions may be the one that runs."""
    await template_switch(hass)

    assert (await reached(hass, "switch.turn_on", "switch.both")).entities == {A, B}
    assert (await reached(hass, "button.press", "button.press")).entities == {B}
    services = (await reached(hass, "switch.turn_off", "switch.both")).services
    assert services == {"input_boolean.turn_on", "script.off"}


async def test_template_entity_that_cannot_be_read(hass: HomeAssistant) -> None:
    """A Home Assistant that keeps the actions elsewhere must not make it look harmless."""
    await template_switch(hass)
    # Private, and the only place where Home Assistant keeps the actions.
    del hass.data["switch"].get_entity("switch.both")._action_scripts  # noqa: SLF001

    assert (await reached(hass, "switch.turn_on", "switch.both")).open_domains == {"*"}


async def test_thermostat_over_a_switch(hass: HomeAssistant) -> None:
    """A helper from YAML keeps its entities in the object only."""
    hass.states.async_set("sensor.warmth", "20")
    config = {
        "climate": {
            "platform": "generic_thermostat",
            "name": "Heat",
            "heater": A,
            "target_sensor": "sensor.warmth",
        }
    }
    assert await async_setup_component(hass, "climate", config)
    await hass.async_block_till_done()

    reach = await reached(hass, "climate.turn_off", "climate.heat")

    assert reach.entities == {A}
    assert "input_boolean.turn_off" in reach.services


async def test_player_with_commands(hass: HomeAssistant) -> None:
    """A universal player hands on to its children, and has commands of its own."""
    hass.states.async_set("media_player.child", "on")
    config = {
        "media_player": {
            "platform": "universal",
            "name": "All",
            "children": ["media_player.child"],
            "commands": {"turn_on": ON_A},
        }
    }
    assert await async_setup_component(hass, "media_player", config)
    await hass.async_block_till_done()

    reach = await reached(hass, "media_player.turn_on", "media_player.all")

    assert reach.entities == {"media_player.child", A}
