"""Where something can be said aloud: by voice assistants that announce, and by media players with a text-to-speech engine."""

from dataclasses import dataclass
from typing import Any

from homeassistant.const import ATTR_SUPPORTED_FEATURES, MATCH_ALL, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.util import language as language_util

from ..errors import (
    InvalidArguments,
    NotFound,
    Unavailable,
    did_you_mean,
    quoted,
    some_of,
)
from .nearest import nearest
from .service_requests import ServiceRequest

_SATELLITE = "assist_satellite"
_PLAYER = "media_player"
_TTS = "tts"
# AssistSatelliteEntityFeature.ANNOUNCE, MediaPlayerEntityFeature.PLAY_MEDIA and .MEDIA_ANNOUNCE
_ANNOUNCE = 1
_PLAY_MEDIA = 512
_MEDIA_ANNOUNCE = 1_048_576


@dataclass(frozen=True, slots=True)
class Speaker:
    """A voice assistant or a media player.

    `resumes` tells whether what plays there goes on after the announcement; a media player without that just stops.
    """

    entity_id: str
    name: str
    available: bool
    resumes: bool

    @property
    def is_satellite(self) -> bool:
        """Whether it speaks with the voice of its own assistant."""
        return self.entity_id.startswith(f"{_SATELLITE}.")


@dataclass(frozen=True, slots=True)
class Engine:
    """A text-to-speech engine: an entity, or one of the older kind, which has a service of its own."""

    id: str
    name: str
    languages: tuple[str, ...]
    default_language: str | None
    is_entity: bool
    available: bool = True


def speakers(hass: HomeAssistant) -> list[Speaker]:
    """Return everything that can announce, satellites first, sorted by id."""
    return [
        _speaker(state)
        for domain in (_SATELLITE, _PLAYER)
        for state in sorted(hass.states.async_all(domain), key=lambda s: s.entity_id)
        if _lack(state) is None
    ]


def engines(hass: HomeAssistant) -> list[Engine]:
    """Return the text-to-speech engines, entities first."""
    component, manager = hass.data.get(_TTS), hass.data.get("tts_manager")
    if component is None or manager is None:
        return []
    return [
        *(_entity_engine(hass, entity) for entity in component.entities),
        *(
            Engine(
                engine,
                str(provider.name or engine),
                *_languages(provider),
                is_entity=False,
            )
            for engine, provider in manager.providers.items()
            if not provider.has_entity
        ),
    ]


def default_engine(hass: HomeAssistant) -> str | None:
    """Return the id of the engine that Home Assistant takes when none is named; None when there is none."""
    if not engines(hass):
        return None
    # Not at the top: the integration can only be imported once Home Assistant has installed it.
    from homeassistant.components.tts import async_default_engine

    return async_default_engine(hass)


def resolve(
    hass: HomeAssistant,
    entity_id: str,
    message: str,
    engine: str | None = None,
    language: str | None = None,
) -> ServiceRequest:
    """Return the call that says a message on a satellite or a media player.

    Raises InvalidArguments when the two do not go together, NotFound for what does not exist, and Unavailable.
    """
    if split_entity_id(entity_id)[0] not in (_SATELLITE, _PLAYER):
        raise InvalidArguments(
            f"Nothing can be said on {quoted(entity_id)}.",
            "Name an assist_satellite or a media_player.",
        )
    speaker = _usable(hass, entity_id)
    if not speaker.is_satellite:
        return _speak(hass, entity_id, message, engine, language)
    if engine or language:
        raise InvalidArguments(
            f"{entity_id} speaks with the engine and language of its own assistant.",
            "Leave engine and language out for a satellite.",
        )
    return ServiceRequest(
        _SATELLITE, "announce", {"message": message}, target={"entity_id": entity_id}
    )


def _usable(hass: HomeAssistant, entity_id: str) -> Speaker:
    state = hass.states.get(entity_id)
    if state is None:
        raise NotFound(f"There is no {quoted(entity_id)}.")
    # Before the features: an unavailable entity tells none.
    if state.state == STATE_UNAVAILABLE:
        raise Unavailable(f"{entity_id} is unavailable.")
    if lack := _lack(state):
        raise InvalidArguments(f"{entity_id} {lack}.")
    return _speaker(state)


def _speak(
    hass: HomeAssistant,
    player: str,
    message: str,
    engine_id: str | None,
    language: str | None,
) -> ServiceRequest:
    engine = _engine(hass, engine_id)
    data: dict[str, Any] = {"message": message}
    if language:
        data["language"] = _spoken(hass, engine, language)
    if engine.is_entity:
        data["media_player_entity_id"] = player
        return ServiceRequest(_TTS, "speak", data, target={"entity_id": engine.id})
    # The service of an older engine takes the media player as its entity_id.
    return ServiceRequest(
        _TTS, _legacy_service(hass, engine), {**data, "entity_id": player}
    )


def _engine(hass: HomeAssistant, engine_id: str | None) -> Engine:
    known = {engine.id: engine for engine in engines(hass)}
    if not known:
        raise Unavailable(
            "No text-to-speech engine is set up, so media players cannot speak.",
            "One can be added in Home Assistant under Settings > Devices & services.",
        )
    wanted = (engine_id or default_engine(hass) or "").strip()
    engine = known.get(wanted) or known.get(f"{_TTS}.{wanted}")
    if engine is None:
        raise NotFound(
            f"There is no text-to-speech engine {quoted(wanted)}.",
            did_you_mean(nearest(wanted, known))
            or f"The engines are: {some_of(known)}",
        )
    if not engine.available:
        raise Unavailable(f"The text-to-speech engine {engine.id} is unavailable.")
    return engine


def _spoken(hass: HomeAssistant, engine: Engine, language: str) -> str:
    """Return the language as the engine writes it: "fr" and "FR_fr" are "fr-FR" when that is what it speaks.

    Of several, such as "en-GB" and "en-US" for "en", the one of the country of the house.
    """
    if language in engine.languages:
        return language
    found = language_util.matches(
        language.replace("_", "-"), engine.languages, country=hass.config.country
    )
    if not found or language == MATCH_ALL:
        raise InvalidArguments(
            f"{engine.id} does not speak {quoted(language)}.",
            f"It speaks: {some_of(sorted(engine.languages), most=30)}",
        )
    return found[0]


def _legacy_service(hass: HomeAssistant, engine: Engine) -> str:
    service = f"{engine.id}_say"
    if not hass.services.has_service(_TTS, service):
        raise InvalidArguments(
            f"{engine.id} is an engine of the older kind, which only its own service can use, and that was renamed.",
            "Look for it among the services of tts.",
        )
    return service


def _speaker(state: State) -> Speaker:
    return Speaker(
        entity_id=state.entity_id,
        name=state.name,
        available=state.state != STATE_UNAVAILABLE,
        resumes=state.domain == _SATELLITE or _has(state, _MEDIA_ANNOUNCE),
    )


def _lack(state: State) -> str | None:
    """Return what a satellite or media player lacks to say something; None for nothing."""
    if state.domain == _SATELLITE and not _has(state, _ANNOUNCE):
        return "cannot announce"
    if state.domain == _PLAYER and not _has(state, _PLAY_MEDIA):
        return "cannot play what a text-to-speech engine says"
    return None


def _has(state: State, feature: int) -> bool:
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES)
    return isinstance(features, int) and bool(features & feature)


def _entity_engine(hass: HomeAssistant, entity: Any) -> Engine:
    state = hass.states.get(entity.entity_id)
    return Engine(
        entity.entity_id,
        state.name if state else entity.entity_id,
        *_languages(entity),
        is_entity=True,
        available=state is not None and state.state != STATE_UNAVAILABLE,
    )


def _languages(engine: Any) -> tuple[tuple[str, ...], str | None]:
    """Return the languages that an engine speaks, and the one it speaks when none is named."""
    return tuple(engine.supported_languages or ()), engine.default_language
