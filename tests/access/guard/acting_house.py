"""A house in which things can be done: real entities, groups, scenes, scripts and automations, and a door to keep shut."""

from typing import Any

from pytest_homeassistant_custom_component.common import async_mock_service

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from homeassistant.setup import async_setup_component

FRONT = "lock.front"
GARAGE = "cover.garage"
HALL = "light.hall"

_FLAGS = ("hall", "kitchen", "front", "back", "garage", "blind", "alarm")


def _call(action: str, entity_id: str, **data: Any) -> dict[str, Any]:
    return {"action": action, "target": {"entity_id": entity_id}, "data": data}


def _set(flag: str, *, on: bool) -> list[dict[str, Any]]:
    return [
        _call(f"input_boolean.turn_{'on' if on else 'off'}", f"input_boolean.{flag}")
    ]


def _light(name: str) -> dict[str, Any]:
    return {
        "default_entity_id": f"light.{name}",
        "unique_id": f"light_{name}",
        "name": f"{name.title()} light",
        "state": f"{{{{ is_state('input_boolean.{name}', 'on') }}}}",
        "turn_on": _set(name, on=True),
        "turn_off": _set(name, on=False),
    }


def _lock(name: str) -> dict[str, Any]:
    return {
        "default_entity_id": f"lock.{name}",
        "unique_id": f"lock_{name}",
        "name": f"{name.title()} door",
        "state": f"{{{{ is_state('input_boolean.{name}', 'off') }}}}",
        "lock": _set(name, on=False),
        "unlock": _set(name, on=True),
        "open": _set(name, on=True),
    }


def _cover(name: str, device_class: str) -> dict[str, Any]:
    return {
        "default_entity_id": f"cover.{name}",
        "unique_id": f"cover_{name}",
        "name": f"{name.title()}",
        "device_class": device_class,
        "state": f"{{{{ is_state('input_boolean.{name}', 'on') }}}}",
        "open_cover": _set(name, on=True),
        "close_cover": _set(name, on=False),
    }


_TEMPLATES = [
    {"light": [_light("hall"), _light("kitchen")]},
    {"lock": [_lock("front"), _lock("back")]},
    {"cover": [_cover("garage", "garage"), _cover("blind", "blind")]},
    {
        "switch": [
            {
                "default_entity_id": "switch.opener",
                "unique_id": "switch_opener",
                "name": "Opener",
                "state": "{{ false }}",
                "turn_on": [_call("lock.unlock", FRONT)],
                "turn_off": [],
            }
        ]
    },
    {
        "button": [
            {
                "default_entity_id": "button.opener",
                "unique_id": "button_opener",
                "name": "Open the door",
                "press": [_call("lock.unlock", FRONT)],
            }
        ]
    },
    {
        "alarm_control_panel": [
            {
                "default_entity_id": "alarm_control_panel.home",
                "unique_id": "alarm_home",
                "name": "Alarm",
                "state": "armed_away",
                "code_arm_required": False,
                "disarm": _set("alarm", on=True),
            }
        ]
    },
]

_UNLOCK = _call("lock.unlock", FRONT)
_SCRIPTS: dict[str, Any] = {
    "lights": {"sequence": [_call("light.turn_on", HALL)]},
    "open_door": {"sequence": [_UNLOCK]},
    "old_words": {"sequence": [{"service": "lock.unlock", "entity_id": FRONT}]},
    "by_scene": {"sequence": [{"scene": "scene.open_house"}]},
    "by_script": {"sequence": [{"action": "script.open_door"}]},
    "by_turning_on": {"sequence": [_call("script.turn_on", "script.open_door")]},
    "by_choice": {
        "sequence": [
            {
                "choose": [
                    {
                        "conditions": "{{ true }}",
                        "sequence": [{"parallel": [{"sequence": [_UNLOCK]}]}],
                    }
                ]
            }
        ]
    },
    "by_repeat": {"sequence": [{"repeat": {"count": 1, "sequence": [_UNLOCK]}}]},
    "by_condition": {"sequence": [{"if": "{{ true }}", "then": [], "else": [_UNLOCK]}]},
    "by_area": {
        "sequence": [
            {"action": "lock.unlock", "target": {"area_id": "entrance"}},
        ]
    },
    "any_light": {
        "fields": {"which": {}},
        "sequence": [
            {"action": "light.turn_on", "target": {"entity_id": "{{ which }}"}}
        ],
    },
    "any_lock": {
        "fields": {"which": {}},
        "sequence": [{"action": "lock.unlock", "target": {"entity_id": "{{ which }}"}}],
    },
    "any_scene": {
        "fields": {"which": {}},
        "sequence": [
            {"action": "scene.turn_on", "target": {"entity_id": "scene.{{ which }}"}}
        ],
    },
    "any_button": {
        "fields": {"which": {}},
        "sequence": [
            {"action": "button.press", "target": {"entity_id": "{{ which }}"}}
        ],
    },
    "any_script": {
        "fields": {"which": {}},
        "sequence": [
            {"action": "script.turn_on", "target": {"entity_id": "script.{{ which }}"}}
        ],
    },
    "anything": {
        "fields": {"what": {}},
        "sequence": [{"action": "{{ what }}", "target": {"entity_id": FRONT}}],
    },
    "restarts": {"sequence": [{"action": "homeassistant.restart"}]},
    "by_automation": {
        "sequence": [_call("automation.trigger", "automation.open_sesame")]
    },
    "answers": {
        "sequence": [
            {"variables": {"answer": {"found": 3}}},
            {"stop": "done", "response_variable": "answer"},
        ]
    },
    "slow": {"sequence": [{"delay": 3600}]},
}

_AUTOMATIONS = [
    {
        "id": "open_sesame",
        "alias": "Open sesame",
        "triggers": [{"trigger": "state", "entity_id": "input_button.bell"}],
        "actions": [_UNLOCK],
    },
    {
        "id": "night_light",
        "alias": "Night light",
        "triggers": [{"trigger": "event", "event_type": "night"}],
        "actions": [_call("light.turn_on", HALL)],
    },
]

_SCENES = [
    {"id": "evening", "name": "Evening", "entities": {HALL: {"state": "on"}}},
    {"id": "open", "name": "Open house", "entities": {FRONT: {"state": "unlocked"}}},
]

_GROUPS = {
    "doors": {"name": "Doors", "entities": [FRONT, "lock.back"]},
    "mixed": {"name": "Mixed", "entities": [HALL, "group.doors"]},
    "lights": {"name": "Lights", "entities": [HALL, "light.kitchen"]},
}
_GROUP_PLATFORM = {"platform": "group", "unique_id": "every", "name": "Every"}


async def furnish(hass: HomeAssistant) -> None:
    """Furnish the house, and put things into rooms."""
    assert await async_setup_component(hass, "homeassistant", {})
    await hass.config.async_set_time_zone("Europe/Paris")
    config: dict[str, Any] = {
        "input_boolean": {flag: {"name": f"{flag} flag"} for flag in _FLAGS},
        "input_button": {"bell": {"name": "Bell"}, "harmless": {"name": "Harmless"}},
        "template": _TEMPLATES,
        "group": _GROUPS,
        "light": [{**_GROUP_PLATFORM, "entities": [HALL, "light.kitchen"]}],
        "lock": [{**_GROUP_PLATFORM, "entities": [FRONT]}],
        "script": _SCRIPTS,
        "automation": _AUTOMATIONS,
        "scene": _SCENES,
    }
    for domain in config:
        assert await async_setup_component(hass, domain, config)
    await hass.async_block_till_done()
    assert await async_setup_component(hass, "persistent_notification", {})
    _arrange(hass)
    await hass.async_block_till_done()


def _arrange(hass: HomeAssistant) -> None:
    floors, areas = fr.async_get(hass), ar.async_get(hass)
    ground = floors.async_create("Ground")
    areas.async_create("Entrance", floor_id=ground.floor_id)
    areas.async_create("Kitchen", aliases={"Cuisine"})
    lr.async_get(hass).async_create("Doors")
    registry = er.async_get(hass)
    registry.async_update_entity(FRONT, area_id="entrance", labels={"doors"})
    registry.async_update_entity(GARAGE, area_id="entrance")
    registry.async_update_entity(HALL, area_id="entrance")
    registry.async_update_entity("light.kitchen", area_id="kitchen")


def front_door_device(hass: HomeAssistant) -> str:
    """Put the front door on a device, and return its id."""
    entry = er.async_get(hass).async_get(FRONT)
    assert entry is not None
    [config_entry] = hass.config_entries.async_entries("mcp_bridge")
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=config_entry.entry_id,
        identifiers={("test", "door")},
        name="Door device",
    )
    er.async_get(hass).async_update_entity(FRONT, device_id=device.id)
    return device.id


def other_services(hass: HomeAssistant) -> None:
    """Register services of integrations that are not here, to see that they are not reached."""
    hass.states.async_set("assist_satellite.hall", "idle")
    for domain, service in (
        ("mqtt", "publish"),
        ("rest_command", "open_the_door"),
        ("shell_command", "open_the_door"),
        ("python_script", "open_the_door"),
        ("pyscript", "open_the_door"),
        ("hassio", "addon_stop"),
        ("backup", "create"),
        ("recorder", "purge"),
        ("recorder", "purge_entities"),
        ("notify", "mobile_app_phone"),
        ("acme", "do_something"),
        ("assist_satellite", "start_conversation"),
        ("recorder", "disable"),
    ):
        async_mock_service(hass, domain, service)


def state_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return the state of an entity, which is there."""
    state = hass.states.get(entity_id)
    assert state is not None
    return state.state
