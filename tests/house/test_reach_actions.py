"""The actions of a script are read in all the forms in which they can be written."""

from typing import Any

import pytest

from custom_components.mcp_bridge.house.call_data import MAX_NODES
from custom_components.mcp_bridge.house.reach import MAX_NODES as MAX_STEPS, reach_of
from custom_components.mcp_bridge.house.reach_actions import steps_of, written
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import DATA_DOMAIN_PLATFORM_ENTITIES
from homeassistant.helpers.service import async_register_platform_entity_service
from homeassistant.helpers.template import Template
from homeassistant.setup import async_setup_component

from .building import Building

TURN_ON = "input_boolean.turn_on"
A, B, C = "input_boolean.a", "input_boolean.b", "input_boolean.c"
ON_A = {"action": TURN_ON, "target": {"entity_id": A}}
ON_B = {"action": TURN_ON, "target": {"entity_id": B}}
ON_C = {"action": TURN_ON, "target": {"entity_id": C}}
CONDITION = "{{ is_state('input_boolean.z', 'on') }}"


@pytest.fixture(autouse=True)
async def fixture_switches(hass: HomeAssistant) -> None:
    """Set up some switches to reach, the first of them in a room."""
    assert await async_setup_component(hass, "homeassistant", {})
    booleans = {"input_boolean": dict.fromkeys("abcz")}
    assert await async_setup_component(hass, "input_boolean", booleans)
    building = Building(hass)
    building.area("Kitchen")
    building.label("Party")
    building.state(building.entity("input_boolean.k", area="kitchen"))


async def script(hass: HomeAssistant, *sequence: dict[str, Any], **more: Any) -> None:
    """Set up the script `script.s`, which must be valid, and one that turns on C."""
    scripts = {"s": {"sequence": [*sequence], **more}, "c": {"sequence": [ON_C]}}
    assert await async_setup_component(hass, "script", {"script": scripts})
    state = hass.states.get("script.s")
    assert state is not None
    assert state.state == "off"


@pytest.mark.parametrize(
    "step",
    [
        {"action": TURN_ON, "target": {"entity_id": [A, B]}},
        {"service": TURN_ON, "target": {"entity_id": f"{A}, {B}"}},
        {"service_template": TURN_ON, "data": {"entity_id": [A, B]}},
        {"action": TURN_ON, "data_template": {"entity_id": [A, B]}},
        {"action": TURN_ON, "entity_id": [A, B]},
        {"action": TURN_ON, "target": {"entity_id": A}, "entity_id": B},
        {"action": "scene.apply", "data": {"entities": {A: "on", B: "off"}}},
        {"action": "script.c", "data": {"one": A, "two": [B]}},
        {"choose": {"conditions": CONDITION, "sequence": [ON_A]}, "default": ON_B},
        {
            "choose": [
                {"conditions": [CONDITION], "sequence": [ON_A]},
                {"conditions": [], "sequence": ON_B},
            ]
        },
        {"if": CONDITION, "then": ON_A, "else": [{"sequence": [ON_B]}]},
        {"repeat": {"count": 2, "sequence": [ON_A, {"parallel": [ON_B]}]}},
        {"repeat": {"while": [CONDITION], "sequence": {"parallel": [[ON_A, ON_B]]}}},
        {"parallel": [{"sequence": [ON_A]}, ON_B]},
        {"sequence": [ON_A, {"delay": 1}, ON_B]},
        {"parallel": [{**ON_A, "enabled": CONDITION}, {**ON_B, "enabled": True}]},
    ],
    ids=repr,
)
async def test_forms_of_actions(hass: HomeAssistant, step: dict[str, Any]) -> None:
    """Whatever the conditions, every call counts."""
    await script(hass, step)

    reach = await reach_of(hass, "script.turn_on", ["script.s"])

    assert reach.entities - {"script.c", C} == {A, B}
    assert not reach.open_domains


@pytest.mark.parametrize(
    "step",
    [
        {**ON_B, "enabled": False},
        {"sequence": [ON_B], "enabled": False},
        {"delay": 1},
        {"wait_template": CONDITION},
        {"wait_for_trigger": {"trigger": "state", "entity_id": B}},
        {"condition": "state", "entity_id": B, "state": "on"},
        {"variables": {"which": B}},
        {"event": "anything", "event_data": {"entity_id": B}},
        {"stop": "Enough"},
    ],
    ids=repr,
)
async def test_what_calls_nothing(hass: HomeAssistant, step: dict[str, Any]) -> None:
    """Steps that wait, look or tell reach nothing; nor do those that are disabled for good."""
    await script(hass, step, ON_A)

    reach = await reach_of(hass, "script.turn_on", ["script.s"])

    assert reach.entities == {A}
    assert not reach.open_domains


async def test_place_as_a_target(hass: HomeAssistant) -> None:
    """A place is what is in it now."""
    await script(hass, {"action": TURN_ON, "target": {"area_id": "kitchen"}})

    reach = await reach_of(hass, "script.s", [])

    assert reach.entities == {"script.s", "input_boolean.k"}


@pytest.mark.parametrize(
    ("step", "domains"),
    [
        ({"action": TURN_ON, "target": {"entity_id": "{{ x }}"}}, {"input_boolean"}),
        (
            {"action": TURN_ON, "target": {"entity_id": [A, "{{ x }}"]}},
            {"input_boolean"},
        ),
        (
            {"action": TURN_ON, "target": {"entity_id": A, "area_id": "{{ x }}"}},
            {"input_boolean"},
        ),
        ({"action": TURN_ON, "target": "{{ x }}"}, {"input_boolean"}),
        ({"action": TURN_ON, "data": {"entity_id": "{{ x }}"}}, {"input_boolean"}),
        ({"action": TURN_ON, "data": "{{ x }}"}, {"input_boolean"}),
        ({"action": "{{ x }}"}, {"*"}),
        ({"action": "homeassistant.turn_on", "target": {"label_id": "{{ x }}"}}, {"*"}),
        ({"action": "scene.apply", "data": {"entities": {"{{ x }}": "on"}}}, {"*"}),
        ({"action": "notify.x", "data": {"camera_entity_id": "{{ x }}"}}, {"*"}),
        ({"action": "notify.x", "data": {"message": "{{ x }}"}}, set()),
        ({"action": "script.c", "data": {"entity_id": "{{ x }}"}}, {"*"}),
        ({"action": "script.c", "data": {"lamp": "{{ x }}"}}, set()),
        (
            {
                "action": "script.turn_on",
                "target": {"entity_id": "script.c"},
                "data": {"variables": {"entity_id": "{{ x }}"}},
            },
            set(),
        ),
        ({"action": "script.turn_on", "target": {"entity_id": "{{ x }}"}}, {"script"}),
        ({"action": "mqtt.publish", "data": {"topic": "x"}}, {"*"}),
        ({"action": "unknown.thing", "target": {"entity_id": A}}, {"*"}),
        (
            {
                "repeat": {
                    "for_each": [A],
                    "sequence": [{"action": "{{ repeat.item }}"}],
                }
            },
            {"*"},
        ),
    ],
    ids=repr,
)
async def test_templates(
    hass: HomeAssistant, step: dict[str, Any], domains: set[str]
) -> None:
    """What a template decides may be any entity of the service's domain, or anything."""
    await script(hass, step)

    assert (
        await reach_of(hass, "script.turn_on", ["script.s"])
    ).open_domains == domains


@pytest.mark.parametrize(
    ("loaded", "domains"), [(["light.x", "fan.y"], {"light", "fan"}), ([], {"*"})]
)
async def test_templated_target_of_an_integration_service(
    hass: HomeAssistant, loaded: list[str], domains: set[str]
) -> None:
    """It may be any entity of the integration, which is in more than one domain."""
    entities = {entity_id: Entity() for entity_id in loaded}
    hass.data[DATA_DOMAIN_PLATFORM_ENTITIES]["light", "acme"] = entities
    async_register_platform_entity_service(
        hass, "acme", "blink", entity_domain="light", func="x", schema=None
    )
    await script(hass, {"action": "acme.blink", "target": {"entity_id": "{{ x }}"}})

    assert (
        await reach_of(hass, "script.turn_on", ["script.s"])
    ).open_domains == domains


async def test_variables_of_the_definition(hass: HomeAssistant) -> None:
    """They are in the fingerprint, for templates use them."""
    step = {"action": TURN_ON, "target": {"entity_id": "{{ which }}"}}
    await script(hass, step, variables={"which": A})
    first = await reach_of(hass, "script.s", [])
    entity = hass.data["script"].get_entity("script.s")
    entity.raw_config = {**entity.raw_config, "variables": {"which": B}}

    assert (await reach_of(hass, "script.s", [])).fingerprint != first.fingerprint


async def test_scene_shorthand(hass: HomeAssistant) -> None:
    """A step may name a scene and nothing else."""
    states = {A: "on", B: "off"}
    scene = {"scene": [{"name": "Two", "entities": states}]}
    assert await async_setup_component(hass, "scene", scene)
    await script(hass, {"scene": "scene.two"})

    reach = await reach_of(hass, "script.turn_on", ["script.s"])

    assert reach.entities == {"scene.two", A, B}
    assert "scene.turn_on" in reach.services


@pytest.mark.parametrize("by_registry_id", [True, False])
async def test_device_action_on_an_entity(
    hass: HomeAssistant, by_registry_id: bool
) -> None:
    """It names its entity, by the one id or the other."""
    assert await async_setup_component(hass, "switch", {})
    building = Building(hass)
    device = building.device("Bar")
    building.state(building.entity("switch.bar", device=device))
    building.state(building.entity("switch.other", device=device))
    uuid = building.entities.entities["switch.bar"].id
    step = {
        "device_id": device,
        "domain": "switch",
        "type": "turn_off",
        "entity_id": uuid if by_registry_id else "switch.bar",
    }
    await script(hass, step)

    reach = await reach_of(hass, "script.turn_on", ["script.s"])

    assert reach.entities == {"switch.bar"}
    assert reach.services == {"switch.turn_off"}


@pytest.mark.parametrize(
    ("domain", "domains"), [("acme", set()), ("zwave_js", {"*"}), ("mqtt", set())]
)
async def test_device_action_on_the_device(
    hass: HomeAssistant, domain: str, domains: set[str]
) -> None:
    """All of the device is acted on, by the services of whatever kind."""
    building = Building(hass)
    device = building.device("Bar")
    for entity_id in ("switch.bar", "light.bar"):
        building.state(building.entity(entity_id, device=device))
    step = {"device_id": device, "domain": domain, "type": "ping"}
    await script(hass, ON_A)
    live = hass.data["script"].get_entity("script.s")
    live.script.sequence = [step]

    reach = await reach_of(hass, "script.turn_on", ["script.s"])

    assert reach.open_domains == domains
    if not domains:
        assert reach.entities == {"switch.bar", "light.bar"}


@pytest.mark.parametrize(
    "sequence",
    [
        [{**ON_A, "data": {"x": ["y"] * MAX_NODES}}],
        [{"delay": 1}] + [{"action": "notify.x"}] * (MAX_STEPS + 1),
    ],
    ids=["data", "steps"],
)
async def test_actions_without_end(hass: HomeAssistant, sequence: list[Any]) -> None:
    """What is too large to be looked through may do anything."""
    await script(hass, ON_A)
    hass.data["script"].get_entity("script.s").script.sequence = sequence

    assert (await reach_of(hass, "script.s", [])).open_domains == {"*"}


async def test_script_that_cannot_be_read(hass: HomeAssistant) -> None:
    """A Home Assistant that keeps the actions elsewhere must not make a script look harmless."""
    await script(hass, ON_A)
    del hass.data["script"].get_entity("script.s").script.sequence

    assert (await reach_of(hass, "script.s", [])).open_domains == {"*"}


@pytest.mark.parametrize(
    "sequence", [None, "x", [], [None, 1, "x"], {}, {"sequence": {"sequence": None}}]
)
def test_odd_sequences(sequence: Any) -> None:
    """Nothing is called, and nothing breaks."""
    assert list(steps_of(sequence)) == []


def test_definitions_are_written_in_a_stable_way(hass: HomeAssistant) -> None:
    """A fingerprint outlives a restart: no addresses, no order of sets or of keys."""
    value = {"b": ({"z", "a"}, object(), None, 2.5), 1: Template("{{ x }}", hass)}

    text = "".join(written(value))

    assert text == "{1:'{{ x }}','b':[['a', 'z']object,None,2.5,]}"


def test_different_definitions_are_written_differently() -> None:
    """Whatever is in a text, it is not taken for structure."""
    values: list[Any] = [["a", "b"], ["a,b"], ["a", ["b"]], ["a,'b"], {"a": "b"}]
    values += ["1", 1, True, None, "None", {"a": None}, {"a": [], "b": 1}]

    assert len({"".join(written(value)) for value in values}) == len(values)
