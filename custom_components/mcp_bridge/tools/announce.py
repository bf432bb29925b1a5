"""Announcements in the rooms."""

from typing import Any

import probatio as vol

from ..access.actions.service import ServiceAction
from ..access.actions.several import SeveralActions
from ..access.view import HouseView
from ..errors import NotFound, Unavailable, did_you_mean, quoted, some_of
from ..house.nearest import nearest
from ..house.speakers import Engine, Speaker, default_engine, engines, resolve, speakers
from ..models import Kind
from .declaration import Call, Result, tool
from .notify import cut, required_message
from .parameters import Name, Names, Text

_MOST_TARGETS = 20
_MOST_LISTED = 100
_MOST_LANGUAGES = 15
_LONGEST_MESSAGE = 500
# Of what is sent in, before it is cut.
_LONGEST_TEXT = 100_000


@tool(
    name="ha_announce",
    title="Announce something aloud",
    description="Say a message on voice satellites, or on media players with a text-to-speech engine. "
    "Without target: list the speakers and engines.",
    parameters={
        vol.Optional(
            "target",
            description="such as assist_satellite.kitchen or media_player.radio; several with commas",
        ): Names(_MOST_TARGETS),
        vol.Optional("message", description="required to announce"): Text(
            _LONGEST_TEXT
        ),
        vol.Optional(
            "engine", description="such as tts.cloud; media players only"
        ): Name(),
        vol.Optional("language", description="such as fr; media players only"): Text(),
    },
    kind=Kind.WRITE,
    destructive=False,
)
async def announce(call: Call) -> Result:
    """Say a message on all targets, or list them."""
    wanted: list[str] | None = call.get("target")
    if wanted is None:
        return _listed(call.view)
    message, notes = cut(required_message(call), _LONGEST_MESSAGE)
    parts = {
        entity_id: ServiceAction.message(
            resolve(
                call.hass,
                call.view.entity(entity_id).entity_id,
                message,
                _engine_for(call, entity_id),
                call.get("language"),
            )
        )
        for entity_id in wanted
    }
    notes += _interrupted(call.view, wanted)
    return await call.act(
        SeveralActions(parts, f"announce on {some_of(parts, 4)}", notes)
    )


def _engine_for(call: Call, entity_id: str) -> str | None:
    """Return the engine that speaks on a media player: a hidden one is neither taken nor named.

    A satellite has its own; naming one is an error that `resolve` tells.
    """
    wanted: str | None = call.get("engine")
    if not entity_id.startswith("media_player."):
        return wanted
    known = [engine.id for engine in _visible_engines(call.view)]
    if not known:
        raise Unavailable(
            "No text-to-speech engine is set up, so media players cannot speak.",
            "One can be added in Home Assistant under Settings > Devices & services.",
        )
    if wanted is None:
        usual = default_engine(call.hass)
        return usual if usual in known else known[0]
    for name in (wanted, f"tts.{wanted}"):
        if name in known:
            return name
    raise NotFound(
        f"There is no text-to-speech engine {quoted(wanted)}.",
        did_you_mean(nearest(wanted, known)) or f"The engines are: {some_of(known)}",
    )


def _visible_engines(view: HouseView) -> list[Engine]:
    return [
        engine
        for engine in engines(view.hass)
        if not engine.is_entity or view.find(engine.id) is not None
    ]


def _visible_speakers(view: HouseView) -> list[Speaker]:
    return [
        speaker
        for speaker in speakers(view.hass)
        if view.find(speaker.entity_id) is not None
    ]


def _interrupted(view: HouseView, targets: list[str]) -> list[str]:
    """Return what to say of media players that stop what they play."""
    stopping = [
        speaker.entity_id
        for speaker in _visible_speakers(view)
        if speaker.entity_id in targets and not speaker.resumes
    ]
    if not stopping:
        return []
    return [f"What plays on {some_of(stopping)} stops, and does not go on afterwards."]


def _listed(view: HouseView) -> Result:
    listed, known = _visible_speakers(view), _visible_engines(view)
    usual = default_engine(view.hass)
    return {
        "speakers": [_speaker(speaker) for speaker in listed[:_MOST_LISTED]],
        "total": len(listed),
        "engines": [_engine(engine, is_usual=engine.id == usual) for engine in known],
        "note": "Nothing was said. Call again with a target and a message.",
    }


def _speaker(speaker: Speaker) -> dict[str, Any]:
    told: dict[str, Any] = {
        "entity_id": speaker.entity_id,
        "name": speaker.name,
        "goes_on_playing": speaker.resumes,
    }
    if not speaker.available:
        told["available"] = False
    return told


def _engine(engine: Engine, *, is_usual: bool) -> dict[str, Any]:
    languages = sorted(engine.languages)
    told: dict[str, Any] = {
        "engine": engine.id,
        "name": engine.name,
        "languages": languages[:_MOST_LANGUAGES],
    }
    if len(languages) > _MOST_LANGUAGES:
        told["languages_total"] = len(languages)
    if is_usual:
        told["default"] = True
    if not engine.available:
        told["available"] = False
    return told
