"""Something is said where it can be heard, in a language that the engine speaks."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import (
    MockModule,
    async_mock_service,
    mock_integration,
    mock_platform,
)

from custom_components.mcp_bridge.errors import (
    BridgeError,
    InvalidArguments,
    NotFound,
    Unavailable,
)
from custom_components.mcp_bridge.house import speakers as house_speakers
from custom_components.mcp_bridge.house.service_requests import ServiceRequest
from custom_components.mcp_bridge.house.speakers import (
    default_engine,
    engines,
    resolve,
    speakers,
)
from homeassistant import components
from homeassistant.components.media_player import (
    MediaPlayerEntity,
    MediaPlayerEntityFeature as Feature,
)
from homeassistant.components.tts import Provider, TextToSpeechEntity, TtsAudioType
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .platforms import Platform, add_entities

RADIO = "media_player.radio"
ROBOT = "assist_satellite.robot"
VOICE = "tts.voice"


class Radio(MediaPlayerEntity):
    """A media player."""

    def __init__(
        self,
        name: str = "Radio",
        features: int = Feature.PLAY_MEDIA,
        *,
        on_line: bool = True,
    ) -> None:
        """Take what it can do."""
        self._attr_name = self._attr_unique_id = name
        self._attr_supported_features = Feature(features)
        self._attr_available = on_line
        self.played: list[dict[str, Any]] = []

    async def async_play_media(
        self, media_type: str, media_id: str, **more: Any
    ) -> None:
        """Remember what is played."""
        self.played.append({"media_id": media_id, **more})


class Voice(TextToSpeechEntity):
    """An engine."""

    _attr_default_language = "en-US"

    def __init__(
        self,
        name: str = "Voice",
        languages: tuple[str, ...] = ("en-US", "en-GB", "fr-FR"),
    ) -> None:
        """Take the languages."""
        self._attr_name = self._attr_unique_id = name
        self._attr_supported_languages = list(languages)

    def get_tts_audio(
        self, message: str, language: str, options: dict[str, Any]
    ) -> TtsAudioType:
        """Return some sound."""
        return "mp3", b""


class OldVoice(Provider):
    """An engine of the older kind."""

    def __init__(self, languages: list[str] | None) -> None:
        """Take the languages."""
        self.languages = languages

    @property
    def default_language(self) -> str | None:
        """Return the first language."""
        return self.languages[0] if self.languages else None

    @property
    def supported_languages(self) -> list[str]:
        """Return the languages."""
        return self.languages  # type: ignore[return-value]


async def add_old_voice(
    hass: HomeAssistant, languages: list[str] | None, **config: str
) -> None:
    """Set up an engine of the older kind, "old"."""

    async def get_engine(
        hass: HomeAssistant, config: Any, discovery_info: Any = None
    ) -> OldVoice:
        return OldVoice(languages)

    mock_integration(hass, MockModule("old"))
    mock_platform(hass, "old.tts", Platform(None, async_get_engine=get_engine))
    assert await async_setup_component(
        hass, "tts", {"tts": {"platform": "old", **config}}
    )
    await hass.async_block_till_done()


async def send(hass: HomeAssistant, request: ServiceRequest) -> None:
    """Make a call, as a tool does."""
    await hass.services.async_call(
        request.domain,
        request.service,
        request.data,
        blocking=True,
        target=request.target,
    )


@pytest.fixture(name="radio")
async def fixture_radio(hass: HomeAssistant) -> Radio:
    """Return a media player that is set up, without an engine."""
    radio = Radio()
    await add_entities(hass, "media_player", [radio])
    return radio


@pytest.fixture(name="voice")
async def fixture_voice(hass: HomeAssistant) -> Voice:
    """Return an engine that is set up."""
    voice = Voice()
    await add_entities(hass, "tts", [voice], integration="voices")
    return voice


async def test_empty_house(hass: HomeAssistant) -> None:
    """Neither speakers nor engines; the integrations are not loaded."""
    assert speakers(hass) == []
    assert engines(hass) == []
    assert default_engine(hass) is None


async def test_what_can_speak(hass: HomeAssistant) -> None:
    """Only what can announce is listed; whether what plays goes on afterwards is told."""
    await add_entities(
        hass,
        "media_player",
        [
            Radio(),
            Radio("Announcer", Feature.PLAY_MEDIA | Feature.MEDIA_ANNOUNCE),
            Radio("Mute", Feature.PLAY),
            Radio("Away", on_line=False),
        ],
    )
    for name, features in (("robot", 3), ("dumb", 2)):
        hass.states.async_set(
            f"assist_satellite.{name}", "idle", {"supported_features": features}
        )

    assert [
        (speaker.entity_id, speaker.name, speaker.available, speaker.resumes)
        for speaker in speakers(hass)
    ] == [
        (ROBOT, "robot", True, True),
        ("media_player.announcer", "Announcer", True, True),
        ("media_player.away", "Away", False, False),
        (RADIO, "Radio", True, False),
    ]


async def test_player_speaks(hass: HomeAssistant, radio: Radio, voice: Voice) -> None:
    """The message really reaches it."""
    await send(hass, resolve(hass, RADIO, "Dinner!"))

    (played,) = radio.played
    assert "message=Dinner" in played["media_id"]
    assert VOICE in played["media_id"]
    assert played["announce"] is True


async def test_satellite_announces(hass: HomeAssistant) -> None:
    """With its own voice; the other arguments are not silently dropped."""
    hass.states.async_set(ROBOT, "idle", {"supported_features": 1})
    calls = async_mock_service(hass, "assist_satellite", "announce")

    await send(hass, resolve(hass, ROBOT, "Dinner!"))

    assert calls[0].data == {"message": "Dinner!", "entity_id": ROBOT}
    for more in ({"engine": VOICE}, {"language": "fr"}):
        with pytest.raises(InvalidArguments, match="its own assistant"):
            resolve(hass, ROBOT, "Dinner!", **more)


@pytest.mark.parametrize(
    ("entity_id", "state", "features", "error", "words"),
    [
        ("light.lamp", "on", 512, InvalidArguments, "Nothing can be said"),
        (RADIO, None, 0, NotFound, "There is no"),
        (ROBOT, None, 0, NotFound, "There is no"),
        (RADIO, "unavailable", 0, Unavailable, "unavailable"),
        (ROBOT, "unavailable", 1, Unavailable, "unavailable"),
        (RADIO, "idle", 1, InvalidArguments, "cannot play"),
        (ROBOT, "idle", 2, InvalidArguments, "cannot announce"),
        (RADIO, "idle", None, InvalidArguments, "cannot play"),
        (ROBOT, "idle", "1", InvalidArguments, "cannot announce"),
        (RADIO, "idle", 512, Unavailable, "No text-to-speech engine"),
    ],
)
async def test_what_cannot_speak(
    hass: HomeAssistant,
    *,
    entity_id: str,
    state: str | None,
    features: Any,
    error: type[BridgeError],
    words: str,
) -> None:
    """Said before anything is sent, where Home Assistant would answer that all went well."""
    if state is not None:
        hass.states.async_set(entity_id, state, {"supported_features": features})

    with pytest.raises(error, match=words):
        resolve(hass, entity_id, "Dinner!")


async def test_default_engine(hass: HomeAssistant, radio: Radio) -> None:
    """The one that Home Assistant takes: the cloud before others, else the first."""
    await add_entities(hass, "tts", [Voice("First"), Voice("Second")], integration="a")
    assert default_engine(hass) == "tts.first"
    assert resolve(hass, RADIO, "Hi").target == {"entity_id": "tts.first"}

    await add_entities(hass, "tts", [Voice("Cloudy")], integration="cloud")
    assert default_engine(hass) == "tts.cloudy"
    assert [engine.id for engine in engines(hass)] == [
        "tts.first",
        "tts.second",
        "tts.cloudy",
    ]


@pytest.mark.parametrize("engine", ["tts.second", "second", " tts.second "])
async def test_named_engine(hass: HomeAssistant, radio: Radio, engine: str) -> None:
    """With or without "tts."."""
    await add_entities(hass, "tts", [Voice("First"), Voice("Second")], integration="a")

    assert resolve(hass, RADIO, "Hi", engine) == ServiceRequest(
        "tts",
        "speak",
        {"message": "Hi", "media_player_entity_id": RADIO},
        {"entity_id": "tts.second"},
    )


@pytest.mark.parametrize(
    ("engine", "hint"),
    [
        ("tts.voise", "Did you mean tts.voice?"),
        ("xyzzy", "The engines are: tts.voice"),
        ("\x00" * 9999, "The engines are: tts.voice"),
    ],
)
async def test_unknown_engine(
    hass: HomeAssistant, radio: Radio, voice: Voice, engine: str, hint: str
) -> None:
    """A near one, else all of them."""
    with pytest.raises(NotFound) as error:
        resolve(hass, RADIO, "Hi", engine)

    assert error.value.hint == hint
    assert len(error.value.message) < 200


async def test_unavailable_engine(
    hass: HomeAssistant, radio: Radio, voice: Voice
) -> None:
    """It would say nothing."""
    hass.states.async_set(VOICE, "unavailable")

    with pytest.raises(Unavailable, match=VOICE):
        resolve(hass, RADIO, "Hi")


@pytest.mark.parametrize(
    ("language", "country", "spoken"),
    [
        ("fr-FR", None, "fr-FR"),
        ("fr", None, "fr-FR"),
        ("FR_fr", None, "fr-FR"),
        ("en", "GB", "en-GB"),
        ("en", "US", "en-US"),
    ],
)
async def test_language(
    hass: HomeAssistant,
    *,
    radio: Radio,
    voice: Voice,
    language: str,
    country: str | None,
    spoken: str,
) -> None:
    """The engine gets it in its own spelling."""
    hass.config.country = country

    assert resolve(hass, RADIO, "Hi", language=language).data["language"] == spoken


@pytest.mark.parametrize("language", ["de", "xx", "*", "-", "klingon " * 99])
async def test_language_that_is_not_spoken(
    hass: HomeAssistant, radio: Radio, voice: Voice, language: str
) -> None:
    """All that are spoken are listed."""
    with pytest.raises(InvalidArguments, match="does not speak") as error:
        resolve(hass, RADIO, "Hi", language=language)

    assert error.value.hint == "It speaks: en-GB, en-US, fr-FR"


async def test_no_language(hass: HomeAssistant, radio: Radio, voice: Voice) -> None:
    """The engine takes its own; an empty one counts as none."""
    for language in (None, ""):
        assert "language" not in resolve(hass, RADIO, "Hi", language=language).data


async def test_engine_of_the_older_kind(hass: HomeAssistant, radio: Radio) -> None:
    """It has a service of its own, which is used like the common one."""
    await add_old_voice(hass, ["fr"])
    (engine,) = engines(hass)
    assert (engine.id, engine.is_entity, engine.default_language) == (
        "old",
        False,
        "fr",
    )
    assert default_engine(hass) == "old"

    request = resolve(hass, RADIO, "Salut", language="fr")

    assert request == ServiceRequest(
        "tts", "old_say", {"message": "Salut", "language": "fr", "entity_id": RADIO}
    )
    await send(hass, request)
    assert "message=Salut" in radio.played[0]["media_id"]


async def test_older_engine_with_another_service(
    hass: HomeAssistant, radio: Radio
) -> None:
    """Its service was renamed in the configuration: nobody can tell which it is."""
    await add_old_voice(hass, None, service_name="say_it")

    assert engines(hass)[0].languages == ()
    with pytest.raises(InvalidArguments, match="renamed"):
        resolve(hass, RADIO, "Hi", "old")


def test_features_have_their_numbers() -> None:
    """They are not imported, because that would load the integrations."""
    assert Feature.PLAY_MEDIA == house_speakers._PLAY_MEDIA  # noqa: SLF001
    assert Feature.MEDIA_ANNOUNCE == house_speakers._MEDIA_ANNOUNCE  # noqa: SLF001
    # The package needs more than the tests have, its constants do not.
    path = Path(components.__path__[0]) / "assist_satellite" / "const.py"
    spec = spec_from_file_location("assist_satellite_const", path)
    assert spec is not None
    assert spec.loader is not None
    const = module_from_spec(spec)
    spec.loader.exec_module(const)
    assert const.AssistSatelliteEntityFeature.ANNOUNCE == house_speakers._ANNOUNCE  # noqa: SLF001
