"""A template that picks an entity may pick any of the domain, so what is behind each of them is reached."""

from typing import Any
from unittest.mock import patch

import pytest

from custom_components.mcp_bridge.house import reach as reach_module
from custom_components.mcp_bridge.house.reach import Reach, reach_of
from custom_components.mcp_bridge.house.reach_entities import EntityReader
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .building import Building

A = "input_boolean.a"
ON_A = {"action": "input_boolean.turn_on", "target": {"entity_id": A}}


@pytest.fixture(autouse=True)
async def fixture_house(hass: HomeAssistant) -> None:
    """Set up one entity of each kind that has more behind it, and plain lights."""
    config: dict[str, Any] = {
        "homeassistant": {},
        "input_boolean": {"a": None},
        "input_button": {"go": None, "idle": None},
        "scene": [{"name": "Secret", "entities": {A: "on"}}],
        "script": {"secret": {"sequence": [ON_A]}},
        "automation": [
            {
                "alias": "Secret",
                "triggers": {"trigger": "state", "entity_id": "input_button.go"},
                "actions": [ON_A],
            }
        ],
        "template": [
            {"button": [{"name": "Secret", "press": [ON_A]}]},
            {
                "switch": [
                    {
                        "name": "Secret",
                        "state": "{{ true }}",
                        "turn_on": [ON_A],
                        "turn_off": [],
                    }
                ]
            },
        ],
        "group": {"secret": {"entities": [A]}},
        "light": [],
    }
    for domain in config:
        assert await async_setup_component(hass, domain, config)
    await hass.async_block_till_done()


async def reached_by(hass: HomeAssistant, *steps: dict[str, Any]) -> Reach:
    """Return what a script of these steps reaches."""
    live = hass.data["script"].get_entity("script.secret")
    with patch.object(live.script, "sequence", list(steps)):
        return await reach_of(hass, "script.turn_on", ["script.secret"])


def templated(action: str) -> dict[str, Any]:
    """Return a call on an entity that a template picks."""
    domain = action.partition(".")[0]
    return {"action": action, "target": {"entity_id": f"{domain}.{{{{ which }}}}"}}


@pytest.mark.parametrize(
    ("step", "runs"),
    [
        (templated("scene.turn_on"), False),
        (templated("switch.turn_on"), False),
        (templated("button.press"), False),
        (templated("input_button.press"), True),
        (templated("automation.trigger"), True),
        ({"scene": "{{ which }}"}, False),
        ({"action": "scene.turn_on", "target": {"area_id": "{{ which }}"}}, False),
        ({"action": "switch.toggle", "target": "{{ which }}"}, False),
        ({"action": "switch.toggle", "data": {"entity_id": "{{ which }}"}}, False),
        ({"action": "switch.toggle", "data": "{{ which }}"}, False),
        (
            {
                "repeat": {
                    "for_each": ["scene.secret"],
                    "sequence": [
                        {
                            "action": "scene.turn_on",
                            "target": {"entity_id": "{{ repeat.item }}"},
                        }
                    ],
                }
            },
            False,
        ),
    ],
    ids=str,
)
async def test_any_of_the_domain(
    hass: HomeAssistant, step: dict[str, Any], runs: bool
) -> None:
    """Whichever it is, its members and actions count."""
    reach = await reached_by(hass, step)

    assert A in reach.entities
    assert "input_boolean.turn_on" in reach.services
    assert reach.runs_automations is runs
    assert len(reach.open_domains) == 1


async def test_any_script(hass: HomeAssistant) -> None:
    """A script that runs any script may run itself."""
    reach = await reached_by(hass, templated("script.turn_on"), ON_A)

    assert reach.open_domains == {"script"}
    assert A in reach.entities


@pytest.mark.parametrize("action", ["script.turn_off", "automation.turn_off"])
async def test_what_runs_nothing(hass: HomeAssistant, action: str) -> None:
    """Stopping any of them reaches nothing more."""
    reach = await reached_by(hass, templated(action))

    assert reach.entities == frozenset()
    assert reach.open_domains == {action.partition(".")[0]}


@pytest.mark.parametrize(
    ("action", "data", "domains"),
    [
        ("switch.turn_on", {"media_player_entity_id": "{{ x }}"}, {"media_player"}),
        ("switch.turn_on", {"camera_entity_id": ["{{ x }}"]}, {"*"}),
        ("switch.turn_on", {"entities": {"{{ x }}": "on"}}, {"*"}),
        ("switch.turn_on", {"group_members": "{{ x }}"}, {"switch"}),
        ("group.set", {"object_id": "{{ x }}", "entities": [A]}, {"group"}),
        ("group.remove", {"object_id": "{{ x }}"}, {"group"}),
        ("scene.create", {"scene_id": "{{ x }}", "entities": {A: "on"}}, {"scene"}),
    ],
    ids=str,
)
async def test_templates_in_data(
    hass: HomeAssistant, action: str, data: dict[str, Any], domains: set[str]
) -> None:
    """An entity that is not the target is of the domain that its key tells, else it may be any."""
    hass.states.async_set("media_player.tv", "on", {"group_members": ["switch.secret"]})

    reach = await reached_by(hass, {"action": action, "data": data})

    assert reach.open_domains == domains
    if domains == {"media_player"}:
        assert {"switch.secret", A} <= reach.entities


async def test_thousands_of_plain_entities(hass: HomeAssistant) -> None:
    """They count as one open domain; more of those with something behind than are followed may do anything."""
    for number in range(reach_module.MAX_NODES + 10):
        hass.states.async_set(f"switch.plain_{number}", "on")
    step = templated("switch.turn_on")
    assert (await reached_by(hass, step)).open_domains == {"switch"}

    with patch.object(reach_module, "MAX_NODES", 20):
        for number in range(30):
            hass.states.async_set(f"switch.more_{number}", "on", {"entity_id": [A]})
        assert "*" in (await reached_by(hass, step)).open_domains


async def test_a_domain_is_looked_through_once(hass: HomeAssistant) -> None:
    """However many steps pick one of its entities."""
    for number in range(50):
        hass.states.async_set(f"switch.plain_{number}", "on")
    looked: list[str] = []
    behind = EntityReader.behind

    def counting(self: EntityReader, entity_id: str) -> Any:
        looked.append(entity_id)
        return behind(self, entity_id)

    steps = [templated("switch.turn_on"), templated("switch.turn_off")]
    with patch.object(EntityReader, "behind", counting):
        await reached_by(hass, *steps, *steps)

    assert looked.count("switch.plain_7") == 1


async def test_what_stands_behind_a_wrapper(hass: HomeAssistant) -> None:
    """Settings of helpers are read for every entity that might be picked."""
    building = Building(hass)
    building.state(building.entity("switch.helper"))
    building.state("lock.front")
    hass.config_entries.async_update_entry(
        building.config_entry, options={"of": "lock.front"}
    )

    reach = await reached_by(hass, templated("switch.turn_on"))

    assert "lock.front" in reach.entities
