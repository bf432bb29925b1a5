"""Who may do what: never more than the options, the client and the Home Assistant user each allow."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.access.rules import EntityRule
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller, Kind
from custom_components.mcp_bridge.tools.registry import UnknownTool
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.auth.permissions.const import CAT_ENTITIES
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool
from tests.tools.checks import whole

from .acting_house import FRONT, HALL, other_services, state_of
from .people import administrator, as_client, call_as, ordinary, reader, user

ON: dict[str, Any] = {"service": "light.turn_on", "target": {"entity_id": HALL}}
WRITES = frozenset((Kind.READ, Kind.WRITE))
ANYBODY = {"allow_write": True, "require_admin": False}
# With what they are made of.
LIGHTS = EntityRule.from_option(["light.*", "input_boolean.*"])


def rule_of(answer: Any) -> str | None:
    """Return the rule that refused a call."""
    rule: str | None = answer.data.get("error", {}).get("rule")
    return rule


@pytest.mark.parametrize("options", [ANYBODY])
async def test_an_ordinary_user_acts_with_their_own_rights(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """Lights, scripts and messages; nothing that runs without a user, and nothing of the administrators'."""
    other_services(hass)
    call = call_as(bridge, await ordinary(hass))

    assert whole(await call("ha_call_service", **ON))["outcome"] == "done"
    assert (
        whole(await call("ha_run_script", entity_id="script.lights"))["outcome"]
        == "done"
    )
    message = {"service": "notify.mobile_app_phone", "data": {"message": "hello"}}
    assert whole(await call("ha_call_service", **message))["outcome"] == "done"
    for name, arguments in {
        "ha_trigger_automation": {"entity_id": "automation.night_light"},
        "ha_run_script": {"entity_id": "script.by_automation"},
        "ha_call_service": {"service": "acme.do_something"},
    }.items():
        assert rule_of(await call(name, **arguments)) == Rule.ELEVATED, name
    bell = {
        "service": "input_button.press",
        "target": {"entity_id": "input_button.bell"},
    }
    assert rule_of(await call("ha_call_service", **bell)) == Rule.ELEVATED
    harmless = {
        "service": "input_button.press",
        "target": {"entity_id": "input_button.harmless"},
    }
    assert whole(await call("ha_call_service", **harmless))["outcome"] == "done"


@pytest.mark.parametrize("options", [ANYBODY])
async def test_what_core_keeps_for_administrators(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """Is refused by Home Assistant itself, and told as that."""
    answer = await call_as(bridge, await ordinary(hass))(
        "ha_call_service", service="automation.reload"
    )

    assert answer.is_error
    assert list(bridge.audit.records)[-1]["outcome"] != "ok"


@pytest.mark.parametrize("options", [ANYBODY])
async def test_who_may_only_look(hass: HomeAssistant, bridge: Bridge) -> None:
    """Has no tools that write, by whatever name they are called."""
    caller = await reader(hass)
    offered = bridge.registry.offered(caller)

    assert offered
    assert {tool.kind for tool in offered} == {Kind.READ}
    with pytest.raises(UnknownTool):
        await call_as(bridge, caller)("ha_call_service", **ON)
    whole(await call_as(bridge, caller)("ha_get_entity", entity_id=HALL))


@pytest.mark.parametrize("options", [ANYBODY])
async def test_an_inactive_user_has_nothing(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """Not even reads, and not as a client either."""
    person = await user(hass, GROUP_ID_USER, active=False)
    for caller in (Caller(person), as_client(bridge, Caller(person), kinds=WRITES)):
        assert bridge.registry.offered(caller) == []
        assert not bridge.access.admits(caller)


@pytest.mark.parametrize("options", [ANYBODY])
async def test_a_user_with_a_policy(hass: HomeAssistant, bridge: Bridge) -> None:
    """Controls what the policy says, and reads what it says."""
    person = await user(hass, GROUP_ID_USER)
    person.groups = []
    person.mock_policy(
        {
            CAT_ENTITIES: {
                "entity_ids": {
                    HALL: True,
                    "input_boolean.hall": True,
                    "light.kitchen": {"read": True},
                }
            }
        }
    )
    call = call_as(bridge, Caller(person))

    assert whole(await call("ha_call_service", **ON))["outcome"] == "done"
    kitchen = {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}
    assert rule_of(await call("ha_call_service", **kitchen)) == Rule.USER_RIGHTS
    both = {
        "service": "light.turn_on",
        "target": {"entity_id": [HALL, "light.kitchen"]},
    }
    assert rule_of(await call("ha_call_service", **both)) == Rule.USER_RIGHTS
    door = await call(
        "ha_call_service", service="lock.lock", target={"entity_id": FRONT}
    )
    assert rule_of(door) == Rule.MISSING_TARGET
    room = await call(
        "ha_call_service",
        service="homeassistant.turn_off",
        target={"area_id": "entrance"},
    )
    assert FRONT not in room.text


@pytest.mark.parametrize("options", [ANYBODY])
async def test_hidden_lights_of_a_room_are_left_alone(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """For who cannot see them they are not there, so they are not switched either."""
    person = await user(hass, GROUP_ID_USER)
    person.groups = []
    person.mock_policy(
        {
            CAT_ENTITIES: {
                "entity_ids": {"light.kitchen": True, "input_boolean.kitchen": True}
            }
        }
    )
    for entity_id in (HALL, "light.kitchen"):
        await hass.services.async_call(
            "light", "turn_on", {"entity_id": entity_id}, blocking=True
        )
    await hass.async_block_till_done()

    data = whole(
        await call_as(bridge, Caller(person))(
            "ha_call_service", service="light.turn_off", target={"entity_id": "all"}
        )
    )

    assert "light.hall" not in str(data)
    assert [state_of(hass, entity_id) for entity_id in (HALL, "light.kitchen")] == [
        "on",
        "off",
    ]


async def test_a_client_may_do_what_both_allow(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """Its own switches and lists, less what the options do not allow."""
    person = await administrator(hass)
    client = as_client(bridge, person, kinds=WRITES, allow=LIGHTS)
    call = call_as(bridge, client)

    assert whole(await call("ha_call_service", **ON))["outcome"] == "done"
    lock = {"service": "lock.lock", "target": {"entity_id": FRONT}}
    assert rule_of(await call("ha_call_service", **lock)) == Rule.CLIENT_LISTS
    assert (
        rule_of(await call("ha_call_service", service="mqtt.publish", data={}))
        == Rule.UNKNOWN_SERVICE
    )
    other_services(hass)
    assert (
        rule_of(await call("ha_call_service", service="mqtt.publish", data={}))
        == Rule.CLIENT_LISTS
    )

    reads_only = as_client(bridge, person)
    assert {tool.kind for tool in bridge.registry.offered(reads_only)} == {Kind.READ}
    bridge.access.async_set_options({}, bridge.access.clients.values())
    assert {tool.kind for tool in bridge.registry.offered(client)} <= {Kind.READ}


async def test_a_client_with_the_right_to_elevate(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """May trigger automations though its user is no administrator."""
    person = await ordinary(hass)
    trigger = {"entity_id": "automation.night_light"}

    plain = as_client(bridge, person, kinds=WRITES)
    assert (
        rule_of(await call_as(bridge, plain)("ha_trigger_automation", **trigger))
        == Rule.ELEVATED
    )
    elevated = as_client(bridge, person, kinds=WRITES, may_elevate=True)
    data = whole(await call_as(bridge, elevated)("ha_trigger_automation", **trigger))

    assert data["outcome"] == "done"
    assert state_of(hass, HALL) == "on"


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "assist_exposed_only": True}]
)
async def test_what_is_not_exposed_is_not_there(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Locks are not exposed by default."""
    lock = {"service": "lock.lock", "target": {"entity_id": FRONT}}

    assert rule_of(await call_tool("ha_call_service", **lock)) == Rule.MISSING_TARGET
    done = whole(await call_tool("ha_call_service", **ON))
    assert [told["entity_id"] for told in done["entities"]] == [HALL]


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "assist_exposed_only": True}]
)
async def test_what_is_exposed_may_use_what_is_not(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """A script is exposed and its lock is not: it may be run, after a question, and the lock is not named."""
    async_expose_entity(hass, "conversation", "script.open_door", True)
    await hass.async_block_till_done()

    answer = await call_tool("ha_run_script", entity_id="script.open_door")

    assert answer.data["confirmation_required"]
    assert FRONT not in answer.text


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "entity_denylist": {"patterns": ["lock.*"]}}]
)
async def test_a_template_for_a_limited_caller(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Could read what is hidden, wherever it is rendered."""
    async_mock_service(hass, "notify", "phone")
    data = {"message": "{{ states('lock.front') }}"}

    answer = await call_tool("ha_call_service", service="notify.phone", data=data)

    assert rule_of(answer) == Rule.TEMPLATE_IN_DATA


@pytest.mark.parametrize(
    "options",
    [
        {
            "allow_write": True,
            "entity_allowlist": {
                "patterns": ["light.hall", "script.*", "input_boolean.*"]
            },
        }
    ],
)
async def test_a_script_for_any_light(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Could be any light, and not all of them are open to the caller."""
    answer = await call_tool(
        "ha_run_script", entity_id="script.any_light", variables={"which": HALL}
    )

    assert rule_of(answer) == Rule.UNKNOWN_REACH


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ({"allow_write": True, "confirm_domains": ["light"]}, True),
        ({"allow_write": True, "confirm_domains": ["*"]}, True),
        ({"allow_write": True, "confirm_domains": ["l*t"]}, True),
        ({"allow_write": True, "confirm_domains": ["switch"]}, False),
        ({"allow_write": True, "confirm_domains": []}, False),
    ],
    ids=str,
)
async def test_the_owner_chooses_what_is_asked_about(
    call_tool: CallTool, asked: bool
) -> None:
    """By domain, with patterns."""
    answer = await call_tool("ha_call_service", **ON)

    assert ("confirmation_required" in answer.data) is asked


@pytest.mark.parametrize(
    ("options", "denied"),
    [
        ({"allow_write": True, "service_denylist": ["light.turn_on"]}, True),
        ({"allow_write": True, "service_denylist": [" LIGHT.* "]}, True),
        ({"allow_write": True, "service_denylist": ["*.turn_on"]}, True),
        ({"allow_write": True, "service_denylist": ["light.turn"]}, False),
        ({"allow_write": True, "service_denylist": []}, False),
    ],
    ids=str,
)
async def test_the_owner_chooses_what_is_denied(
    call_tool: CallTool, denied: bool
) -> None:
    """Directly, and when a script would do it."""
    for name, arguments in (
        ("ha_call_service", ON),
        ("ha_run_script", {"entity_id": "script.lights"}),
    ):
        answer = await call_tool(name, **arguments)
        assert (rule_of(answer) == Rule.SERVICE_DENYLIST) is denied, answer.text


@pytest.mark.parametrize(
    "options",
    [{"allow_write": True, "entity_denylist": {"patterns": ["media_player.b"]}}],
)
@pytest.mark.parametrize(
    "players",
    ["all", ["ALL"], "media_player.a, media_player.b"],
    ids=str,
)
async def test_all_players_under_another_key(
    hass: HomeAssistant, call_tool: CallTool, players: Any
) -> None:
    """One of them is denied, whichever key of the data names it."""
    for entity_id in ("media_player.a", "media_player.b", "tts.voice"):
        hass.states.async_set(entity_id, "idle")
    async_mock_service(hass, "tts", "speak")

    answer = await call_tool(
        "ha_call_service",
        service="tts.speak",
        target={"entity_id": "tts.voice"},
        data={"media_player_entity_id": players, "message": "hello"},
    )

    assert rule_of(answer) == Rule.ENTITY_LISTS, answer.text


@pytest.mark.parametrize(
    "options", [{"allow_write": True, "entity_allowlist": {"patterns": ["light.*"]}}]
)
async def test_a_list_of_what_is_allowed_closes_the_rest(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Also what acts on no entity at all: the notices of the family, the Activity, a phone."""
    other_services(hass)
    for service in (
        "persistent_notification.create",
        "persistent_notification.dismiss_all",
        "notify.mobile_app_phone",
        "homeassistant.save_persistent_states",
        "acme.do_something",
    ):
        data = {"message": "x"} if service.endswith(("create", "phone")) else {}
        answer = await call_tool("ha_call_service", service=service, data=data)
        assert rule_of(answer) == Rule.ENTITY_LISTS, (service, answer.text)
