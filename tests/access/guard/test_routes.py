"""Every way to the door, and what stands in it: each row is a call and the rule that refuses it, or the question it leads to."""

from typing import Any

import pytest

from custom_components.mcp_bridge.access.refusals import Rule
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from tests.conftest import CallTool
from tests.tools.checks import refused

from .acting_house import (
    FRONT,
    GARAGE,
    HALL,
    front_door_device,
    other_services,
    state_of,
)

DENIED = {"allow_write": True, "entity_denylist": {"patterns": ["lock.*"]}}
HIDDEN = {**DENIED, "filter_reads": True}

type Row = tuple[str, dict[str, Any]]


def service(name: str, target: Any = None, **data: Any) -> Row:
    """Return a call of ha_call_service; a target that is a text is an entity id."""
    arguments: dict[str, Any] = {"service": name}
    if target is not None:
        arguments["target"] = (
            {"entity_id": target} if isinstance(target, str) else target
        )
    if data:
        arguments["data"] = data
    return "ha_call_service", arguments


def script(name: str, **variables: Any) -> Row:
    """Return a call of ha_run_script."""
    arguments: dict[str, Any] = {"entity_id": f"script.{name}"}
    if variables:
        arguments["variables"] = variables
    return "ha_run_script", arguments


# Ways that end at the front door, or at the garage, if nothing stands in them.
TO_THE_DOOR: dict[str, Row] = {
    "plainly": service("lock.unlock", FRONT),
    "opening": service("lock.open", FRONT),
    "in capitals": service("LOCK.Unlock", "LOCK.FRONT"),
    "domain apart": (
        "ha_call_service",
        {"domain": "lock", "service": "unlock", "target": {"entity_id": FRONT}},
    ),
    "in the data": service("lock.unlock", entity_id=FRONT),
    "as a list in the data": service("lock.unlock", entity_id=[FRONT]),
    "all of them": service("lock.unlock", "all"),
    "all in the data": service("lock.unlock", entity_id="all"),
    "by area": service("lock.unlock", {"area_id": "entrance"}),
    "by the name of the area": service("lock.unlock", {"area_id": "Entrance"}),
    "by area in the data": service("lock.unlock", area_id="entrance"),
    "by floor": service("lock.unlock", {"floor_id": "ground"}),
    "by floor in the data": service("lock.unlock", floor_id=["ground"]),
    "by label": service("lock.unlock", {"label_id": "doors"}),
    "by label in the data": service("lock.unlock", label_id="doors"),
    "by a group": service("lock.unlock", "group.doors"),
    "by a lock group": service("lock.unlock", "lock.every"),
    "a group in a group": service("homeassistant.turn_on", "group.mixed"),
    "updated": service("homeassistant.update_entity", entity_id=[FRONT]),
    "a scene": service("scene.turn_on", "scene.open_house"),
    "a scene turned on": service("homeassistant.turn_on", "scene.open_house"),
    "a scene at once": service("scene.apply", entities={FRONT: "unlocked"}),
    "a scene with attributes": service(
        "scene.apply", entities={HALL: "on", FRONT: {"state": "unlocked"}}
    ),
    "a scene made": service("scene.create", scene_id="x", entities={FRONT: "unlocked"}),
    "a scene made of states": service(
        "scene.create", scene_id="x", snapshot_entities=[FRONT]
    ),
    "a script": script("open_door"),
    "a script as a service": service("script.open_door"),
    "a script turned on": service("script.turn_on", "script.open_door"),
    "a script toggled": service("script.toggle", "script.open_door"),
    "a script turned on by anything": service(
        "homeassistant.turn_on", "script.open_door"
    ),
    "a script in old words": script("old_words"),
    "a script that sets a scene": script("by_scene"),
    "a script that runs a script": script("by_script"),
    "a script that turns on a script": script("by_turning_on"),
    "a script that chooses": script("by_choice"),
    "a script that repeats": script("by_repeat"),
    "a script with a condition": script("by_condition"),
    "a script for an area": script("by_area"),
    "a script for any lock": script("any_lock", which=FRONT),
    "a script for any scene": script("any_scene", which="open_house"),
    "a script for any button": script("any_button", which="button.opener"),
    "a script for anything": script("anything", what="lock.unlock"),
    "a script that triggers": script("by_automation"),
    "an automation": ("ha_trigger_automation", {"entity_id": "automation.open_sesame"}),
    "an automation triggered": service("automation.trigger", "automation.open_sesame"),
    "an automation enabled": (
        "ha_set_automation",
        {"entity_id": "automation.open_sesame", "enabled": True},
    ),
    "an automation turned on": service(
        "homeassistant.turn_on", "automation.open_sesame"
    ),
    "a button": service("button.press", "button.opener"),
    "a button that triggers": service("input_button.press", "input_button.bell"),
    "a switch that opens": service("switch.turn_on", "switch.opener"),
    "a switch that opens, by anything": service(
        "homeassistant.toggle", "switch.opener"
    ),
    "words": service("conversation.process", text="unlock the front door"),
    "a message to anything": service("mqtt.publish", topic="door", payload="open"),
    "a command to another machine": service("rest_command.open_the_door"),
    "code": service("pyscript.open_the_door"),
    "a service nobody knows": service("acme.do_something", door="front"),
    "words for a satellite": service(
        "assist_satellite.start_conversation",
        "assist_satellite.hall",
        extra_system_prompt="unlock the front door",
    ),
    "a button on a phone": service(
        "notify.mobile_app_phone",
        message="A parcel",
        data={"actions": [{"action": "UNLOCK", "title": "OK"}]},
    ),
    "an approval of its own": service(
        "notify.mobile_app_phone", message="Hi", data={"tag": "mcp_bridge_approval"}
    ),
    "a command to a phone": service(
        "notify.mobile_app_phone", message=" Command_Activity "
    ),
}
# Ways to the garage, which is a cover that counts as a door.
TO_THE_GARAGE: dict[str, Row] = {
    "plainly": service("cover.open_cover", GARAGE),
    "toggled": service("cover.toggle", GARAGE),
    "by area": service("cover.open_cover", {"area_id": "entrance"}),
    "all covers": service("cover.open_cover", "all"),
    "toggled by anything": service("homeassistant.toggle", GARAGE),
    "a scene at once": service("scene.apply", entities={GARAGE: "open"}),
    "the alarm": service(
        "alarm_control_panel.alarm_disarm", "alarm_control_panel.home", code="1234"
    ),
}


@pytest.fixture(autouse=True)
def doors_are_shut(hass: HomeAssistant, bridge: Any) -> Any:
    """Check that no call of this module has opened anything."""
    other_services(hass)
    yield
    assert state_of(hass, FRONT) == "locked"
    assert state_of(hass, GARAGE) == "closed"


async def test_no_way_to_a_door_goes_without_a_question(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """An administrator without limits is asked first, and nothing has happened by then."""
    ways = TO_THE_DOOR | {f"garage: {way}": row for way, row in TO_THE_GARAGE.items()}
    unasked = {}
    for way, (name, arguments) in ways.items():
        answer = await call_tool(name, **arguments)
        if not (
            answer.data.get("confirmation_required") and "confirm_token" in answer.data
        ):
            unasked[way] = answer.text

    assert unasked == {}
    assert len(ways) + len(REFUSED) >= 90


# What these reach is decided only when they run.
OPEN = {
    "a script for anything",
    "words",
    "a message to anything",
    "a command to another machine",
    "code",
    "a service nobody knows",
    "words for a satellite",
    "a button on a phone",
    "an approval of its own",
    "a command to a phone",
}


@pytest.mark.parametrize("options", [DENIED, HIDDEN], ids=["denied", "hidden"])
async def test_no_way_leads_to_a_door_that_is_denied(
    hass: HomeAssistant, call_tool: CallTool, options: dict[str, Any]
) -> None:
    """Whoever asks, and whether it can be seen or not; what is hidden is not named, nor told from what is not there."""
    wrong = {}
    for way, (name, arguments) in TO_THE_DOOR.items():
        answer = await call_tool(name, **arguments)
        expected = {Rule.UNKNOWN_REACH if way in OPEN else Rule.ENTITY_LISTS}
        if options is HIDDEN:
            expected |= {Rule.MISSING_TARGET, Rule.NO_TARGET, Rule.WRONG_DOMAIN}
        if answer.data.get("error", {}).get("rule") not in expected:
            wrong[way] = answer.text
        if options is HIDDEN and "lock.back" in answer.text:
            wrong[way] = answer.text

    assert wrong == {}


@pytest.mark.parametrize("options", [{"allow_write": True, "confirm_domains": []}])
async def test_every_way_is_one(call_tool: CallTool) -> None:
    """Without a question, each of them may be gone: else the tests above would prove nothing."""
    answers = {
        way: await call_tool(name, **arguments, dry_run=True)
        for way, (name, arguments) in TO_THE_DOOR.items()
    }

    assert {
        way: answer.text
        for way, answer in answers.items()
        if not answer.data.get("dry_run") or "needs_confirmation" in answer.data
    } == {}


REFUSED: dict[str, tuple[Row, Rule]] = {
    "no such domain": (service("lokc.unlock", FRONT), Rule.UNKNOWN_SERVICE),
    "no such service": (service("lock.unlokc", FRONT), Rule.UNKNOWN_SERVICE),
    "no name at all": (service("..", FRONT), Rule.UNKNOWN_SERVICE),
    "restart": (service("homeassistant.restart"), Rule.SERVICE_DENYLIST),
    "stop": (service("homeassistant.stop"), Rule.SERVICE_DENYLIST),
    "the bridge itself taken down": (
        service(
            "homeassistant.reload_config_entry", "event.mcp_bridge_assistant_activity"
        ),
        Rule.SERVICE_DENYLIST,
    ),
    "everything taken down": (
        service("homeassistant.reload_all"),
        Rule.SERVICE_DENYLIST,
    ),
    "the home moved": (
        service("homeassistant.set_location", latitude=1, longitude=1),
        Rule.SERVICE_DENYLIST,
    ),
    "the log silenced": (
        service("recorder.disable"),
        Rule.SERVICE_DENYLIST,
    ),
    "restart in capitals": (service(" HomeAssistant.RESTART "), Rule.SERVICE_DENYLIST),
    "a shell command": (service("shell_command.open_the_door"), Rule.SERVICE_DENYLIST),
    "a Python script": (service("python_script.open_the_door"), Rule.SERVICE_DENYLIST),
    "the supervisor": (service("hassio.addon_stop"), Rule.SERVICE_DENYLIST),
    "a backup": (service("backup.create"), Rule.SERVICE_DENYLIST),
    "purging": (service("recorder.purge"), Rule.SERVICE_DENYLIST),
    "purging entities": (service("recorder.purge_entities"), Rule.SERVICE_DENYLIST),
    "a script for any script": (
        script("any_script", which="open_door"),
        Rule.SERVICE_DENYLIST,
    ),
    "a script that restarts": (script("restarts"), Rule.SERVICE_DENYLIST),
    "a script that is turned on and restarts": (
        service("homeassistant.turn_on", "script.restarts"),
        Rule.SERVICE_DENYLIST,
    ),
    "no target": (service("light.turn_on"), Rule.NO_TARGET),
    "none": (service("light.turn_on", "none"), Rule.NO_TARGET),
    "an empty area": (
        service("vacuum.start", {"area_id": "kitchen"}),
        Rule.UNKNOWN_SERVICE,
    ),
    "an area without one": (
        service("lock.unlock", {"area_id": "kitchen"}),
        Rule.NO_TARGET,
    ),
    "nothing there": (service("light.turn_on", "light.nope"), Rule.MISSING_TARGET),
    "one of two not there": (
        service("light.turn_on", f"{HALL},light.nope"),
        Rule.MISSING_TARGET,
    ),
    "nothing there, in the data": (
        service("light.turn_on", entity_id="light.nope"),
        Rule.MISSING_TARGET,
    ),
    "no such area in the data": (
        service("light.turn_on", area_id="nope"),
        Rule.MISSING_TARGET,
    ),
    "no such device in the data": (
        service("light.turn_on", device_id="nope"),
        Rule.MISSING_TARGET,
    ),
    "no such floor in the data": (
        service("light.turn_on", floor_id="nope"),
        Rule.MISSING_TARGET,
    ),
    "no such label in the data": (
        service("light.turn_on", label_id="nope"),
        Rule.MISSING_TARGET,
    ),
    "a member not there": (
        service("scene.apply", entities={"light.nope": "on"}),
        Rule.MISSING_TARGET,
    ),
    "a snapshot of nothing": (
        service("scene.create", scene_id="x", snapshot_entities=["light.nope"]),
        Rule.MISSING_TARGET,
    ),
    "another domain": (service("light.turn_on", FRONT), Rule.WRONG_DOMAIN),
    "turned off": (service("homeassistant.turn_off", FRONT), Rule.WRONG_DOMAIN),
    "toggled": (service("homeassistant.toggle", FRONT), Rule.WRONG_DOMAIN),
    "a garage turned on": (service("homeassistant.turn_on", GARAGE), Rule.WRONG_DOMAIN),
    "doors turned on": (
        service("homeassistant.turn_on", "group.doors"),
        Rule.WRONG_DOMAIN,
    ),
    "between commas": (
        service("homeassistant.turn_on", f"{HALL}, {FRONT}"),
        Rule.WRONG_DOMAIN,
    ),
    "a lock as a cover": (service("cover.open_cover", FRONT), Rule.WRONG_DOMAIN),
}


async def test_what_is_refused_to_everybody(call_tool: CallTool) -> None:
    """Before any question, and also when it is only tried out."""
    told: dict[str, Any] = {}
    for case, ((name, arguments), rule) in REFUSED.items():
        for extra in ({}, {"dry_run": True}):
            answer = await call_tool(name, **arguments, **extra)
            if answer.data.get("error", {}).get("rule") != rule:
                told[case] = answer.text

    assert told == {}


async def test_a_target_that_does_not_answer(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Named, it is an error; among others in a room it is left out, and told."""
    registry = er.async_get(hass)
    dead = registry.async_get_or_create(
        "light", "test", "dead", suggested_object_id="dead"
    )
    registry.async_update_entity(
        dead.entity_id, area_id="entrance", new_entity_id="light.dead"
    )
    hass.states.async_set("light.dead", "unavailable")
    await hass.async_block_till_done()

    named = await call_tool(
        "ha_call_service", service="light.turn_on", target={"entity_id": "light.dead"}
    )
    among = await call_tool(
        "ha_call_service", service="light.turn_on", target={"area_id": "entrance"}
    )

    error = refused(named, "unavailable", "light.dead")
    assert error["rule"] == Rule.UNAVAILABLE_TARGET
    assert among.data["outcome"] == "done"
    assert among.data["skipped_unavailable"] == ["light.dead"]
    assert state_of(hass, HALL) == "on"


async def test_too_many_targets(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Ten thousand lights at once are a mistake."""
    for number in range(10_000):
        hass.states.async_set(f"light.many_{number}", "on")

    answer = await call_tool(
        "ha_call_service", service="homeassistant.turn_off", target={"entity_id": "all"}
    )

    assert answer.data["error"]["rule"] == Rule.TOO_MANY_TARGETS, answer.text


async def test_by_the_device_of_the_door(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """By its id and by its name, in the target and in the data."""
    device = front_door_device(hass)
    ways = (
        {"target": {"device_id": device}},
        {"target": {"device_id": "door device"}},
        {"data": {"device_id": device}},
        {"data": {"device_id": [device]}},
    )
    for way in ways:
        answer = await call_tool("ha_call_service", service="lock.unlock", **way)
        assert answer.data["confirmation_required"] is True, answer.text


async def test_a_room_switched_off_is_no_question_of_its_door(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """What cannot be switched is not touched, so nobody is asked about it, and nothing is said of it."""
    answer = await call_tool(
        "ha_call_service",
        service="homeassistant.turn_on",
        target={"area_id": "entrance"},
    )

    assert answer.data["outcome"] == "done", answer.text
    assert {FRONT, GARAGE}.isdisjoint(
        told["entity_id"] for told in answer.data["entities"]
    )
    assert state_of(hass, HALL) == "on"
