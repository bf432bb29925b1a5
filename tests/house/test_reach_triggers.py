"""Whatever a trigger looks like, pressing what it is about runs its actions."""

from typing import Any

import pytest

from custom_components.mcp_bridge.house.reach import reach_of
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .building import Building

A = "input_boolean.a"
ON_A = {"action": "input_boolean.turn_on", "target": {"entity_id": A}}
GO, OTHER = "input_button.go", "input_button.other"
DEVICE = "DEVICE"


@pytest.fixture(name="house", autouse=True)
async def fixture_house(hass: HomeAssistant) -> str:
    """Set up an automation, buttons, a device with two of them, and one in the kitchen; returns the device."""
    config: dict[str, Any] = {
        "homeassistant": {},
        "input_boolean": {"a": None},
        "input_button": {"go": None, "other": None},
        "automation": [{"alias": "Auto", "triggers": [], "actions": [ON_A]}],
    }
    for domain in config:
        assert await async_setup_component(hass, domain, config)
    building = Building(hass)
    device = building.device("Remote")
    for entity_id in ("button.one", "button.two"):
        building.state(building.entity(entity_id, device=device))
    kitchen = building.area("Kitchen")
    building.state(building.entity("button.kitchen", area=kitchen))
    return device


async def set_off(hass: HomeAssistant, trigger: Any) -> set[str]:
    """Return the buttons that set an automation of this trigger off."""
    live = hass.data["automation"].get_entity("automation.auto")
    live.raw_config = {"triggers": trigger}
    found: set[str] = set()
    for entity_id in (GO, OTHER, "button.one", "button.two", "button.kitchen"):
        domain = entity_id.partition(".")[0]
        reach = await reach_of(hass, f"{domain}.press", [entity_id])
        assert reach.runs_automations is ("automation.auto" in reach.entities)
        if reach.runs_automations:
            assert A in reach.entities
            found.add(entity_id)
    return found


ALL = {GO, OTHER, "button.one", "button.two", "button.kitchen"}


@pytest.mark.parametrize(
    "template",
    [
        "{{ states.input_button.go.state not in ('unknown', 'unavailable') }}",
        "{{ states . input_button . go . state }}",
        "{{ states['input_button.go'].state }}",
        "{{ states['input_button']['go'].state }}",
        "{{ states.input_button['go'].last_changed }}",
        '{{ is_state("input_button.go", "x") }}',
        "{{ 'input_button.go' | has_value }}",
        "{{ states('Input_Button.GO') }}",
        "{% if state_attr( 'input_button.go', 'x') %}{{ true }}{% endif %}",
    ],
)
async def test_template_that_names_it(hass: HomeAssistant, template: str) -> None:
    """In whatever notation."""
    trigger = {"trigger": "template", "value_template": template}

    assert await set_off(hass, trigger) == {GO}


@pytest.mark.parametrize(
    "template",
    [
        "{{ states('input_button.' ~ name) }}",
        "{{ states(which) and states('input_button.go') }}",
        "{{ states('input_button.' + name) or states('input_button.go') }}",
        "{{ states('input_button.%s' % n) or states('input_button.go') }}",
        "{{ states('input_' 'button.go') or states('input_button.other') }}",
        "{{ states('input_button\\x2ego') or states('input_button.other') }}",
        "{{ states.input_button | list | count and states('input_button.go') }}",
        "{{ states.input_button[name].state and states('input_button.go') }}",
        "{{ expand('group.x') and states('input_button.go') }}",
        "{{ area_entities('kitchen') and states('input_button.go') }}",
        "{% from 'x.jinja' import y %}{{ y() or states('input_button.go') }}",
        "{{ now().hour == 5 }}",
        "true",
        "",
        None,
    ],
)
async def test_template_that_may_be_about_anything(
    hass: HomeAssistant, template: Any
) -> None:
    """What cannot be read for certain counts for everything that can be pressed."""
    trigger = {"platform": "template", "value_template": template}

    assert await set_off(hass, trigger) == ALL


@pytest.mark.parametrize(
    ("trigger", "found"),
    [
        (
            {
                "trigger": "button.pressed",
                "target": {"entity_id": "button.one", "area_id": "kitchen"},
            },
            {"button.one", "button.kitchen"},
        ),
        (
            {
                "trigger": "button.pressed",
                "target": {"entity_id": "button.kitchen", "device_id": DEVICE},
            },
            {"button.one", "button.two", "button.kitchen"},
        ),
        ({"trigger": "button.pressed", "target": {"entity_id": "{{ x }}"}}, ALL),
        ({"trigger": "device", "device_id": DEVICE}, {"button.one", "button.two"}),
        (
            {"trigger": "device", "device_id": DEVICE, "entity_id": "button.one"},
            {"button.one"},
        ),
        (
            {"platform": "device", "device_id": DEVICE, "entity_id": "0" * 32},
            {"button.one", "button.two"},
        ),
        ({"triggers": [{"trigger": "state", "entity_id": GO}]}, {GO}),
        ([[{"trigger": "state", "entity_id": [GO, OTHER]}]], {GO, OTHER}),
        ({"triggers": [{"trigger": "template", "enabled": False}]}, set()),
        ({"trigger": "template", "enabled": "{{ x }}"}, ALL),
        ({"trigger": "event", "event_type": "state_changed"}, ALL),
        ({"trigger": "event", "event_type": ["x", "call_service"]}, ALL),
        ({"trigger": "event", "event_type": "{{ x }}"}, ALL),
        (
            {
                "trigger": "event",
                "event_type": "call_service",
                "event_data": {"domain": "input_button"},
            },
            ALL,
        ),
        (
            {
                "trigger": "event",
                "event_type": "call_service",
                "event_data": {"domain": "light"},
            },
            set(),
        ),
        (
            {
                "trigger": "event",
                "event_type": "call_service",
                "event_data": {"service_data": {"entity_id": [GO]}},
            },
            {GO},
        ),
        ({"trigger": "event", "event_type": "doorbell"}, set()),
        ({"trigger": "time", "at": "12:00"}, set()),
        ({"trigger": "state", "entity_id": ["x"] * 30_000}, ALL),
        ([None, "x", 1], set()),
    ],
    ids=lambda value: str(sorted(value) if isinstance(value, set) else value)[:80],
)
async def test_triggers_of_every_kind(
    hass: HomeAssistant, house: str, trigger: Any, found: set[str]
) -> None:
    """Entities and places both count; a device only where it is the whole trigger."""
    assert await set_off(hass, with_device(trigger, house)) == found


def with_device(value: Any, device: str) -> Any:
    """Return a trigger with the id of the device filled in."""
    if isinstance(value, dict):
        return {key: with_device(item, device) for key, item in value.items()}
    return device if value == DEVICE else value


async def test_automation_that_cannot_be_read(hass: HomeAssistant) -> None:
    """Without its definition it may be about anything."""
    live = hass.data["automation"].get_entity("automation.auto")
    live.raw_config = None

    assert (await reach_of(hass, "button.press", ["button.one"])).runs_automations


async def test_what_is_no_button_sets_nothing_off(hass: HomeAssistant) -> None:
    """An ordinary change of state is everyday life."""
    assert await set_off(hass, {"trigger": "template", "value_template": None}) == ALL

    assert not (await reach_of(hass, "input_boolean.turn_on", [A])).runs_automations


async def test_template_entity_with_a_trigger(hass: HomeAssistant) -> None:
    """It runs actions like an automation, though nothing that could be called."""
    config = {
        "template": [
            {
                "triggers": [{"trigger": "state", "entity_id": GO}],
                "actions": [ON_A],
                "sensor": [{"name": "Pressed", "state": "{{ now() }}"}],
            }
        ]
    }
    assert await async_setup_component(hass, "template", config)
    await hass.async_block_till_done()

    reach = await reach_of(hass, "input_button.press", [GO])

    assert reach.entities == {A}
    assert reach.runs_automations
    assert not (await reach_of(hass, "input_button.press", [OTHER])).entities
