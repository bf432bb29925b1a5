"""What is announced is heard where it was meant to be, and nowhere else."""

import asyncio
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.guard import execution
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from tests.access.people import ordinary_user, reader, user_who_may
from tests.conftest import CallTool
from tests.house.platforms import add_entities
from tests.house.test_speakers import Radio, Voice
from tests.tools.callers import calling_as_client, calling_as_user, outcomes
from tests.tools.checks import refused, whole

from .speakers import RADIO, ROBOT, SPEAKER, TOOL, VOICE, heard


async def test_on_a_media_player(
    call_tool: CallTool, radio: Radio, speaker: Radio, bridge: Bridge
) -> None:
    """By the engine that Home Assistant takes; what it interrupts is told."""
    answer = whole(await call_tool(TOOL, target=RADIO, message="Dinner!"))

    [media] = heard(radio)
    assert media.startswith(f"media-source://tts/{VOICE}?message=Dinner")
    assert answer["outcome"] == "done"
    assert answer["reached"] == [RADIO]
    assert answer["can_be_undone"] is False
    assert answer["notes"] == [
        f"What plays on {RADIO} stops, and does not go on afterwards."
    ]
    assert speaker.played == []
    assert outcomes(bridge) == ["ok"]


async def test_on_several(
    call_tool: CallTool, radio: Radio, speaker: Radio, said: list[ServiceCall]
) -> None:
    """Satellites and media players, each once."""
    target = f"{ROBOT.upper()}, {SPEAKER},{ROBOT}"
    answer = whole(await call_tool(TOOL, target=target, message="Dinner!"))

    assert answer["reached"] == [ROBOT, SPEAKER]
    assert "notes" not in answer
    assert [call.data for call in said] == [
        {"message": "Dinner!", "entity_id": [ROBOT]}
    ]
    assert len(heard(speaker)) == 1
    assert radio.played == []


async def test_engine_and_language(call_tool: CallTool, radio: Radio) -> None:
    """The engine may be named without its domain, the language as people write it."""
    more = {"engine": "Voice", "language": "fr"}
    whole(await call_tool(TOOL, target=RADIO, message="À table", **more))

    assert "language=fr-FR" in heard(radio)[0]


async def test_an_engine_of_the_older_kind(call_tool: CallTool, radio: Radio) -> None:
    """By its own service."""
    whole(await call_tool(TOOL, target=RADIO, message="Salut", engine="old"))

    assert heard(radio)[0].startswith("media-source://tts/old?message=Salut")


async def test_what_there_is(
    call_tool: CallTool, radio: Radio, said: list[ServiceCall], bridge: Bridge
) -> None:
    """Without a target: speakers and engines; nothing is said."""
    answer = whole(await call_tool(TOOL))

    assert answer["speakers"] == [
        {"entity_id": ROBOT, "name": "robot", "goes_on_playing": True},
        {"entity_id": RADIO, "name": "Radio", "goes_on_playing": False},
        {"entity_id": SPEAKER, "name": "Speaker", "goes_on_playing": True},
    ]
    assert answer["total"] == 3
    assert answer["engines"] == [
        {
            "engine": VOICE,
            "name": "Voice",
            "languages": ["en-GB", "en-US", "fr-FR"],
            "default": True,
        },
        {"engine": "old", "name": "old", "languages": ["fr"]},
    ]
    assert whole(await call_tool(TOOL, message="Hello")) == answer
    assert not (said or radio.played)
    assert outcomes(bridge) == []


async def test_a_house_full_of_speakers_and_languages(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The list stays within an answer, and says how many there are."""
    languages = tuple(f"l{number}" for number in range(99))
    await add_entities(hass, "tts", [Voice("Many", languages)], integration="many")
    for number in range(300):
        features = {"supported_features": 512, "friendly_name": f"Speaker {number}"}
        hass.states.async_set(f"media_player.x{number}", "idle", features)
    await hass.async_block_till_done()

    answer = whole(await call_tool(TOOL))

    assert answer["total"] == 303
    assert len(answer["speakers"]) == 100
    many = answer["engines"][1]
    assert (len(many["languages"]), many["languages_total"]) == (15, 99)


async def test_a_long_message_is_cut(
    call_tool: CallTool, said: list[ServiceCall]
) -> None:
    """At 500 characters, which is told."""
    answer = whole(await call_tool(TOOL, target=ROBOT, message="a" * 501))

    assert answer["notes"] == ["The message was cut at 500 of its 501 characters."]
    assert len(said[0].data["message"]) == 500


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({"target": RADIO}, "invalid_arguments", "'message' is missing"),
        ({"target": "", "message": "a"}, "invalid_arguments", "'target'"),
        ({"target": 7, "message": "a"}, "not_found", "'7'"),
        ({"target": {}, "message": "a"}, "invalid_arguments", "'target'"),
        ({"target": "media_player.raido", "message": "a"}, "not_found", RADIO),
        ({"target": f"{RADIO},nope", "message": "a"}, "not_found", "'nope'"),
        ({"target": "all", "message": "a"}, "not_found", "'all'"),
        (
            {"target": "light.kitchen_ceiling", "message": "a"},
            "invalid_arguments",
            "light.kitchen_ceiling",
        ),
        ({"target": RADIO, "message": "a", "engine": "voise"}, "not_found", VOICE),
        (
            {"target": RADIO, "message": "a", "language": "tlh"},
            "invalid_arguments",
            "fr-FR",
        ),
        (
            {"target": f"{RADIO},{ROBOT}", "message": "a", "language": "fr"},
            "invalid_arguments",
            "Leave engine and language out",
        ),
        (
            {"target": ROBOT, "message": "a", "engine": "x" * 256},
            "invalid_arguments",
            "too long",
        ),
        ({"target": f"{RADIO}, {{{{x}}}}", "message": "a"}, "not_found", "{{x}}"),
    ],
)
async def test_wrong_arguments(
    *,
    call_tool: CallTool,
    radio: Radio,
    said: list[ServiceCall],
    arguments: dict[str, Any],
    code: str,
    words: str,
) -> None:
    """One is enough, and nothing is heard anywhere."""
    refused(await call_tool(TOOL, **arguments), code, words)

    assert not (said or radio.played)


async def test_a_speaker_that_cannot_be_used(
    hass: HomeAssistant, call_tool: CallTool, radio: Radio
) -> None:
    """Unavailable, or without what it takes."""
    hass.states.async_set(ROBOT, "unavailable", {"supported_features": 1})
    answer = await call_tool(TOOL, target=f"{RADIO},{ROBOT}", message="a")
    refused(answer, "unavailable", ROBOT)
    hass.states.async_set(ROBOT, "idle", {"supported_features": 2})
    answer = await call_tool(TOOL, target=f"{RADIO},{ROBOT}", message="a")
    refused(answer, "invalid_arguments", "cannot announce")
    hass.states.async_set(VOICE, "unavailable")
    refused(await call_tool(TOOL, target=RADIO, message="a"), "unavailable", VOICE)

    assert radio.played == []


async def test_trying_it_out(
    call_tool: CallTool, radio: Radio, said: list[ServiceCall], bridge: Bridge
) -> None:
    """The calls are told, and what they reach; nothing is heard."""
    target = f"{ROBOT},{RADIO}"
    answer = whole(await call_tool(TOOL, target=target, message="Hi", dry_run=True))

    assert answer["would_do"]["calls"] == [
        {
            "to": ROBOT,
            "service": "assist_satellite.announce",
            "data": {"message": "Hi"},
        },
        {
            "to": RADIO,
            "service": "tts.speak",
            "data": {"message": "Hi", "media_player_entity_id": RADIO},
        },
    ]
    assert answer["would_do"]["also_reaches"] == [RADIO]
    assert not (said or radio.played)
    assert outcomes(bridge) == ["dry_run"]


def denying(*patterns: str, **more: Any) -> dict[str, Any]:
    """Return options that close some entities."""
    return {
        "allow_write": True,
        "entity_denylist": {"patterns": list(patterns)},
        **more,
    }


@pytest.mark.parametrize("options", [denying(RADIO, VOICE, filter_reads=True)])
async def test_what_is_hidden(
    hass: HomeAssistant, call_tool: CallTool, radio: Radio, speaker: Radio
) -> None:
    """A hidden speaker is not there; a hidden engine is neither taken nor named."""
    listed = whole(await call_tool(TOOL))
    assert [found["entity_id"] for found in listed["speakers"]] == [ROBOT, SPEAKER]
    assert [found["engine"] for found in listed["engines"]] == ["old"]
    answer = await call_tool(TOOL, target=f"{SPEAKER},{RADIO}", message="a")
    refused(answer, "not_found", RADIO)
    for engine in ("tts.voise", "voise", "voice"):
        answer = await call_tool(TOOL, target=SPEAKER, message="a", engine=engine)
        refused(answer, "not_found", "The engines are: old")
        assert VOICE not in answer.text

    whole(await call_tool(TOOL, target=SPEAKER, message="a"))

    assert radio.played == []
    assert "tts/old" in heard(speaker)[0]
    hass.data["tts_manager"].providers.clear()
    answer = await call_tool(TOOL, target=SPEAKER, message="a")
    refused(answer, "unavailable", "No text-to-speech engine")


@pytest.mark.parametrize("options", [denying(RADIO)])
async def test_a_speaker_that_is_denied(
    call_tool: CallTool, radio: Radio, said: list[ServiceCall]
) -> None:
    """It can be seen, and stays silent; so do the others."""
    answer = await call_tool(TOOL, target=f"{ROBOT},{RADIO}", message="a")

    assert refused(answer, "not_allowed", RADIO)["rule"] == Rule.ENTITY_LISTS
    assert not (said or radio.played)


async def test_a_client_with_limits(
    hass_admin_user: MockUser, bridge: Bridge, options: dict[str, Any], radio: Radio
) -> None:
    """A client that may use the satellite only."""
    limited = calling_as_client(
        bridge, hass_admin_user, options, entity_allowlist={"patterns": [ROBOT]}
    )

    whole(await limited(TOOL, target=ROBOT, message="a"))
    error = refused(await limited(TOOL, target=RADIO, message="a"), "not_allowed")

    assert error["rule"] == Rule.CLIENT_LISTS
    assert radio.played == []


async def test_users_with_fewer_rights(
    hass: HomeAssistant, bridge: Bridge, options: dict[str, Any], radio: Radio
) -> None:
    """A user of the house may, one without the right to this speaker may not, one who only reads has no such tool."""
    anna = calling_as_user(hass, bridge, ordinary_user(), options)
    whole(await anna(TOOL, target=RADIO, message="a"))
    rights: Any = {
        "domains": {"tts": True, "media_player": {"read": True}, "light": True}
    }
    bert = calling_as_user(hass, bridge, user_who_may(hass, rights), options)
    error = refused(await bert(TOOL, target=RADIO, message="a"), "not_allowed")
    assert error["rule"] == Rule.USER_RIGHTS
    carl = calling_as_user(hass, bridge, reader(), options)
    with pytest.raises(Exception, match="no tool"):
        await carl(TOOL, target=RADIO, message="a")

    assert len(heard(radio)) == 1


@pytest.mark.parametrize(
    "options",
    [{"allow_write": True, "confirm_domains": ["media_player"], "approval": "token"}],
)
async def test_confirmed_announcements(call_tool: CallTool, radio: Radio) -> None:
    """Where the owner wants to be asked about what is reached; a question does not count as an announcement."""
    arguments = {"target": RADIO, "message": "Hi"}
    for _ in range(5):
        asked = whole(await call_tool(TOOL, **arguments))
        assert asked["confirmation_required"] is True
    assert radio.played == []

    whole(await call_tool(TOOL, **arguments, confirm_token=asked["confirm_token"]))

    assert len(heard(radio)) == 1


async def test_one_of_two_fails(
    call_tool: CallTool, radio: Radio, speaker: Radio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is told; it was heard."""

    async def fail(*args: Any, **more: Any) -> None:
        raise HomeAssistantError("No current")

    monkeypatch.setattr(radio, "async_play_media", fail)

    answer = whole(await call_tool(TOOL, target=f"{RADIO},{SPEAKER}", message="Hi"))
    alone = await call_tool(TOOL, target=RADIO, message="Hi")

    assert answer["outcome"] == "partly_done"
    assert answer["failed"] == {RADIO: "No current"}
    assert len(heard(speaker)) == 1
    refused(alone, "home_assistant_error", "No current")


async def test_a_long_announcement(
    hass: HomeAssistant,
    call_tool: CallTool,
    bridge: Bridge,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A satellite answers when it has finished: the call says that it still runs."""
    monkeypatch.setattr(execution, "EXECUTE_SECONDS", 0.01)
    finished = asyncio.Event()

    async def speak(call: ServiceCall) -> None:
        await finished.wait()

    hass.services.async_register("assist_satellite", "announce", speak)

    answer = whole(await call_tool(TOOL, target=ROBOT, message="A long story"))
    finished.set()
    await hass.async_block_till_done()

    assert answer["outcome"] == "unknown"
    assert "Do not repeat it" in answer["note"]
    assert outcomes(bridge) == ["unknown", "ok"]
