"""Messages of all tools count for the same limits, whichever way they take to a speaker, a phone or the screen."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.mcp_bridge.access.guard import execution
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
from tests.conftest import CallTool
from tests.house.test_notifiers import Bell, Phones, add_phones
from tests.tools.checks import whole

from .speakers import RADIO, ROBOT, SPEAKER, TOOL, VOICE

type Row = tuple[str, dict[str, Any]]


def service(name: str, target: str | None = None, **data: Any) -> Row:
    """Return a call of ha_call_service."""
    arguments: dict[str, Any] = {"service": name, "data": data}
    if target:
        arguments["target"] = {"entity_id": target}
    return "ha_call_service", arguments


SPEECH = f"media-source://tts/{VOICE}?message=Hi"
# Ways to speak on the radio.
ON_THE_RADIO: dict[str, Row] = {
    "announced": (TOOL, {"target": RADIO, "message": "Hi"}),
    "announced among others": (TOOL, {"target": [SPEAKER, RADIO], "message": "Hi"}),
    "spoken": service("tts.speak", VOICE, media_player_entity_id=RADIO, message="Hi"),
    "spoken in capitals": service(
        "TTS.Speak", VOICE, media_player_entity_id=f" {RADIO.upper()} ", message="Hi"
    ),
    "spoken on a list": service(
        "tts.speak", VOICE, media_player_entity_id=[RADIO], message="Hi"
    ),
    "spoken between commas": service(
        "tts.speak", VOICE, media_player_entity_id=f"{SPEAKER},{RADIO}", message="Hi"
    ),
    "spoken everywhere": service(
        "tts.speak", VOICE, media_player_entity_id="all", message="Hi"
    ),
    "said by an older engine": service("tts.old_say", entity_id=RADIO, message="Hi"),
    "said by an older engine, as a target": service("tts.old_say", RADIO, message="Hi"),
    "played": service(
        "media_player.play_media",
        RADIO,
        media_content_id=SPEECH,
        media_content_type="music",
        announce=True,
    ),
    "played as a medium": service(
        "media_player.play_media",
        RADIO,
        media={"media_content_id": SPEECH, "media_content_type": "music"},
        announce=True,
    ),
    "played on all": service(
        "media_player.play_media",
        "all",
        media_content_id=SPEECH,
        media_content_type="music",
        announce=True,
    ),
}
ON_THE_ROBOT: dict[str, Row] = {
    "announced": (TOOL, {"target": ROBOT, "message": "Hi"}),
    "as a service": service("assist_satellite.announce", ROBOT, message="Hi"),
    "in the data": service(
        "assist_satellite.announce", entity_id=[ROBOT], message="Hi"
    ),
    "as a conversation": service(
        "assist_satellite.start_conversation", ROBOT, start_message="Hi?"
    ),
}
SEND = "ha_send_notification"
TO_PAUL: dict[str, Row] = {
    "sent": (SEND, {"target": "phone", "message": "Hi"}),
    "sent by the other name": (
        SEND,
        {"target": "mobile_app_paul", "message": "Hi"},
    ),
    "sent with data": (
        SEND,
        {"target": "NOTIFY.PHONE", "message": "Hi", "data": {"tag": "x"}},
    ),
    "as a service": service("notify.send_message", "notify.phone", message="Hi"),
    "in the data": service(
        "notify.send_message", entity_id="notify.phone", message="Hi"
    ),
    "by the older service": service("notify.mobile_app_paul", message="Hi"),
    "in capitals": service("Notify.Mobile_App_Paul", message="Hi"),
}
ON_THE_SCREEN: dict[str, Row] = {
    "sent": (SEND, {"target": "persistent_notification", "message": "Hi"}),
    "as a service": service("persistent_notification.create", message="Hi"),
    "by notify": service("notify.persistent_notification", message="Hi"),
}


@pytest.fixture(name="at_once")
def fixture_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the states of these speakers, which tell nothing."""
    monkeypatch.setattr(execution, "SETTLE_SECONDS", 0)


@pytest.fixture(name="everything")
async def fixture_everything(
    hass: HomeAssistant, at_once: None, house: None, said: list[ServiceCall]
) -> Phones:
    """Install whatever else can speak or send."""
    async_mock_service(hass, "assist_satellite", "start_conversation")
    assert await async_setup_component(hass, "persistent_notification", {})
    return await add_phones(hass, Bell("Phone"))


async def spend(call_tool: CallTool, name: str, arguments: dict[str, Any]) -> str:
    """Make a call that is allowed or over the limit; return which."""
    answer = await call_tool(name, **arguments)
    if answer.is_error:
        assert answer.data["error"].get("rule") == Rule.RATE_LIMIT, answer.text
        return "limit"
    assert answer.data.get("dry_run") or answer.data["outcome"] == "done", answer.text
    return "done"


# Asked about nothing: some ways hand words to an agent, which is a question otherwise.
@pytest.mark.parametrize("options", [{"allow_write": True, "confirm_domains": []}])
@pytest.mark.parametrize(
    ("ways", "limit"),
    [(ON_THE_RADIO, 3), (ON_THE_ROBOT, 3), (TO_PAUL, 6), (ON_THE_SCREEN, 6)],
    ids=["radio", "robot", "phone", "screen"],
)
async def test_all_ways_count_for_one_limit(
    *,
    call_tool: CallTool,
    bridge: Bridge,
    everything: Phones,
    ways: dict[str, Row],
    limit: int,
) -> None:
    """Any way uses it up, and then no way is left; what is only tried out does not count."""
    first = next(iter(ways.values()))
    told: dict[str, Any] = {}
    for way, (name, arguments) in ways.items():
        # As if a minute had passed.
        bridge.registry._guard._rates._done.clear()  # noqa: SLF001
        tried = [
            await spend(call_tool, name, {**arguments, "dry_run": True})
            for _ in range(limit + 1)
        ]
        spent = [await spend(call_tool, name, arguments) for _ in range(limit)]
        over = [await spend(call_tool, *other) for other in (first, ways[way])]
        if {*tried, *spent} != {"done"} or over != ["limit", "limit"]:
            told[way] = (tried, spent, over)

    assert told == {}


async def test_other_speakers_have_limits_of_their_own(
    hass: HomeAssistant, at_once: None, call_tool: CallTool
) -> None:
    """Music counts for none; a group counts for its members, and they for it."""
    group = {"band": {"entities": [RADIO, SPEAKER]}}
    assert await async_setup_component(hass, "group", {"group": group})
    await hass.async_block_till_done()
    on_both = service(
        "tts.speak", VOICE, media_player_entity_id="group.band", message="Hi"
    )
    music = service(
        "media_player.play_media",
        RADIO,
        media_content_id="http://music",
        media_content_type="music",
    )
    for _ in range(2):
        whole(await call_tool(TOOL, target=RADIO, message="Hi"))
        assert await spend(call_tool, *music) == "done"
    assert await spend(call_tool, *on_both) == "done"

    assert await spend(call_tool, *on_both) == "limit"
    assert await spend(call_tool, TOOL, {"target": RADIO, "message": "Hi"}) == "limit"
    for _ in range(2):
        whole(await call_tool(TOOL, target=SPEAKER, message="Hi"))
    assert await spend(call_tool, TOOL, {"target": SPEAKER, "message": "a"}) == "limit"
    assert await spend(call_tool, *music) == "done"
