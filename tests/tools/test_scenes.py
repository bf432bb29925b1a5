"""A scene keeps the states as they are, and nothing that is there already is touched."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.actions import scenes
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from tests.access.guard import acting_house
from tests.access.guard.acting_house import FRONT, HALL
from tests.access.people import ordinary_user, reader, user_who_may
from tests.conftest import CallTool

from .callers import calling_as_client, calling_as_user, outcomes
from .checks import assert_quiet, refused, whole

TOOL = "ha_snapshot_scene"
KITCHEN = "light.kitchen"
SCENE = "scene.before_the_film"
ARGUMENTS: dict[str, Any] = {"name": "Before the film", "entities": [HALL, KITCHEN]}


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act."""
    return {"allow_write": True, "allow_camera": True}


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> None:
    """Furnish a house in which things can be done."""
    await acting_house.furnish(hass)


@pytest.fixture(autouse=True)
async def a_settled_house(bridge: Bridge, caplog: pytest.LogCaptureFixture) -> Any:
    """Start the bridge; nothing is said in the log."""
    yield
    assert_quiet(caplog)


async def turn(hass: HomeAssistant, service: str, entity_id: str) -> None:
    """Switch something, or activate a scene."""
    domain = entity_id.partition(".")[0]
    await hass.services.async_call(
        domain, service, {"entity_id": entity_id}, blocking=True
    )
    await hass.async_block_till_done()


def state(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return a state."""
    found = hass.states.get(entity_id)
    return found.state if found else None


async def test_a_scene(
    hass: HomeAssistant, call_tool: CallTool, bridge: Bridge
) -> None:
    """It brings back the states as they were, and can be taken back."""
    await turn(hass, "turn_on", HALL)
    answer = whole(await call_tool(TOOL, **ARGUMENTS))

    assert answer["outcome"] == "done"
    assert answer["scene"] == SCENE
    assert "scene.turn_on" in answer["note"]
    assert "restarts" in answer["note"]
    await turn(hass, "turn_off", HALL)
    await turn(hass, "turn_on", KITCHEN)
    await turn(hass, "turn_on", SCENE)
    assert state(hass, HALL) == "on"
    assert state(hass, KITCHEN) == "off"
    assert outcomes(bridge) == ["ok"]

    assert answer["can_be_undone"] is True
    [change] = whole(await call_tool("ha_list_changes"))["items"]
    assert change["entities"] == [SCENE]
    whole(await call_tool("ha_undo_change", change_id=answer["change_id"]))
    assert hass.states.get(SCENE) is None


@pytest.mark.parametrize(
    ("name", "scene_id"),
    [
        ("Soirée ciné", "soiree_cine"),
        ("  ÉTÉ -- 2026! ", "ete_2026"),
        ("Straße", "strasse"),
        ("夜", "ye"),
        ("unknown", "unknown"),
        (5, "5"),
        ("scene.mine", "scene_mine"),
        ("{{ states }}", "states"),
        ("../x", "x"),
    ],
)
async def test_names(
    hass: HomeAssistant, call_tool: CallTool, name: Any, scene_id: str
) -> None:
    """Of any language."""
    answer = whole(await call_tool(TOOL, name=name, entities=HALL))

    assert answer["scene"] == f"scene.{scene_id}"
    assert state(hass, answer["scene"]) == "unknown"


@pytest.mark.parametrize(
    "entities",
    [
        [HALL, KITCHEN],
        f"{HALL}, {KITCHEN}",
        [f"{HALL},{KITCHEN}"],
        [HALL.upper(), KITCHEN, HALL],
    ],
)
async def test_ways_to_name_entities(
    hass: HomeAssistant, call_tool: CallTool, entities: Any
) -> None:
    """In a list or in a text, each once."""
    whole(await call_tool(TOOL, name="x", entities=entities))

    scene = hass.states.get("scene.x")
    assert scene is not None
    assert scene.attributes["entity_id"] == [HALL, KITCHEN]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({"name": None}, "invalid_arguments", "'name' is missing"),
        ({"entities": None}, "invalid_arguments", "'entities' is missing"),
        ({"name": "🎬!"}, "invalid_arguments", "letters or digits"),
        ({"name": " "}, "invalid_arguments", "'name'"),
        ({"name": "x" * 101}, "invalid_arguments", "too long"),
        ({"name": ["x"]}, "invalid_arguments", "'name'"),
        ({"entities": []}, "invalid_arguments", "'entities'"),
        ({"entities": {"light.hall": "on"}}, "invalid_arguments", "'entities'"),
        ({"entities": [[HALL]]}, "invalid_arguments", "'entities'"),
        (
            {"entities": [f"light.x{number}" for number in range(51)]},
            "invalid_arguments",
            "at most 50",
        ),
        ({"entities": "a," * 10_000}, "invalid_arguments", "at most 50"),
        ({"entities": [HALL, "light.hal"]}, "not_found", "light.hal"),
        ({"entities": "all"}, "not_found", "'all'"),
        ({"entities": "{{ x }}"}, "not_found", "{{ x }}"),
        ({"name": "Evening"}, "conflict", "scene.evening"),
    ],
)
async def test_wrong_arguments(
    *,
    hass: HomeAssistant,
    call_tool: CallTool,
    arguments: dict[str, Any],
    code: str,
    words: str,
) -> None:
    """They are told, and no scene is made."""
    before = hass.states.async_entity_ids("scene")

    refused(await call_tool(TOOL, **{**ARGUMENTS, **arguments}), code, words)

    assert hass.states.async_entity_ids("scene") == before


async def test_a_scene_that_is_there(hass: HomeAssistant, call_tool: CallTool) -> None:
    """One of the assistant's own, and one of another integration that is not loaded: neither is replaced."""
    whole(await call_tool(TOOL, name="Mine", entities=HALL))
    refused(await call_tool(TOOL, name="mine", entities=KITCHEN), "conflict")
    er.async_get(hass).async_get_or_create(
        "scene", "hue", "1", suggested_object_id="away"
    )
    refused(await call_tool(TOOL, name="Away", entities=HALL), "conflict")

    scene = hass.states.get("scene.mine")
    assert scene is not None
    assert scene.attributes["entity_id"] == [HALL]


async def test_an_entity_that_does_not_answer(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """There is nothing to come back to."""
    hass.states.async_set(KITCHEN, "unavailable")

    error = refused(await call_tool(TOOL, **ARGUMENTS), "unavailable", KITCHEN)

    assert error["rule"] == Rule.UNAVAILABLE_TARGET
    assert hass.states.get(SCENE) is None


async def test_trying_it_out(
    hass: HomeAssistant, call_tool: CallTool, bridge: Bridge
) -> None:
    """The states that would be kept are told."""
    answer = whole(await call_tool(TOOL, **ARGUMENTS, dry_run=True))

    assert answer["would_do"]["scene"] == SCENE
    assert answer["would_do"]["states"] == {HALL: "off", KITCHEN: "off"}
    assert hass.states.get(SCENE) is None
    assert outcomes(bridge) == ["dry_run"]


async def test_a_lock_needs_a_question(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """A scene is a way to open it."""
    arguments = {"name": "x", "entities": [FRONT]}
    asked = whole(await call_tool(TOOL, **arguments))
    assert asked["confirmation_required"] is True
    assert hass.states.get("scene.x") is None

    token = asked["confirm_token"]
    assert whole(await call_tool(TOOL, **arguments, confirm_token=token))["scene"]


async def test_undo_is_refused_when_it_is_another_scene(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Or gone, as after a restart."""
    change = whole(await call_tool(TOOL, **ARGUMENTS))["change_id"]
    await hass.services.async_call(
        "scene",
        "create",
        {"scene_id": "before_the_film", "snapshot_entities": [HALL]},
        blocking=True,
    )
    await hass.async_block_till_done()

    answer = await call_tool("ha_undo_change", change_id=change)
    error = refused(answer, "conflict", "was changed since", KITCHEN)
    assert error["rule"] == Rule.CHANGED_SINCE
    assert hass.states.get(SCENE) is not None
    await hass.services.async_call(
        "scene", "delete", {"entity_id": SCENE}, blocking=True
    )
    answer = await call_tool("ha_undo_change", change_id=change)
    refused(answer, "conflict", "gone already")


async def test_home_assistant_does_nothing(
    hass: HomeAssistant,
    call_tool: CallTool,
    bridge: Bridge,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It often answers that all went well; that is looked after."""
    monkeypatch.setattr(scenes, "_ADDED_SECONDS", 0.05)

    async def do_nothing(call: ServiceCall) -> None:
        return

    async def fail(call: ServiceCall) -> None:
        raise HomeAssistantError("No room for scenes")

    hass.services.async_register("scene", "create", do_nothing)
    answer = await call_tool(TOOL, **ARGUMENTS)
    refused(answer, "home_assistant_error", "has not created")
    hass.services.async_register("scene", "create", fail)
    answer = await call_tool(TOOL, **ARGUMENTS)
    refused(answer, "home_assistant_error", "No room for scenes")

    assert outcomes(bridge) == ["error", "error"]
    assert not list(bridge.journal)


DENIED = {"entity_denylist": {"patterns": [KITCHEN]}}


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "filter_reads": True, **DENIED}]
)
async def test_a_hidden_entity(hass: HomeAssistant, call_tool: CallTool) -> None:
    """It is not there."""
    refused(await call_tool(TOOL, **ARGUMENTS), "not_found", KITCHEN)

    assert hass.states.get(SCENE) is None


@pytest.mark.parametrize("options", [{"allow_write": True, **DENIED}])
async def test_an_entity_that_is_denied(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """A scene would act on it."""
    error = refused(await call_tool(TOOL, **ARGUMENTS), "not_allowed", KITCHEN)

    assert error["rule"] == Rule.ENTITY_LISTS
    assert hass.states.get(SCENE) is None


async def test_others(
    hass: HomeAssistant, bridge: Bridge, hass_admin_user: MockUser, options: Any
) -> None:
    """A client with lists of its own, users with more and with fewer rights."""
    kid = calling_as_client(bridge, hass_admin_user, options, **DENIED)
    error = refused(await kid(TOOL, **ARGUMENTS), "not_allowed")
    assert error["rule"] == Rule.CLIENT_LISTS
    # The scene itself would be out of reach.
    lights = {"entity_allowlist": {"patterns": ["light.*", "input_boolean.*"]}}
    kid = calling_as_client(bridge, hass_admin_user, options, **lights)
    error = refused(await kid(TOOL, **ARGUMENTS), "not_allowed", SCENE)
    assert error["rule"] == Rule.CLIENT_LISTS
    rights: Any = {"domains": {"light": {"read": True}, "scene": True}}
    bert = calling_as_user(hass, bridge, user_who_may(hass, rights), options)
    error = refused(await bert(TOOL, **ARGUMENTS), "not_allowed")
    assert error["rule"] == Rule.USER_RIGHTS
    carl = calling_as_user(hass, bridge, reader(), options)
    with pytest.raises(Exception, match="no tool"):
        await carl(TOOL, **ARGUMENTS)
    assert hass.states.get(SCENE) is None

    anna = calling_as_user(hass, bridge, ordinary_user(), options)
    whole(await anna(TOOL, **ARGUMENTS))
    assert hass.states.get(SCENE) is not None
