"""Which calls send a message or speak, so that they count for the same limits whichever tool makes them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
import re
from typing import Any

from homeassistant.components.notify import DOMAIN as NOTIFY_DOMAIN
from homeassistant.const import ENTITY_MATCH_ALL, ENTITY_MATCH_NONE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ..house.call_data import pieces, strings_of
from ..house.group_members import open_groups
from ..house.notifiers import NotifierKind, all_notifiers, keys_of_call
from .guard.rates import Cap, CapKind

_TTS = "tts"
_SATELLITE = "assist_satellite"
_PLAYER = "media_player"
_PLAYERS_FIELD = "media_player_entity_id"
APPROVAL_TAG = "mcp_bridge_approval"
# Texts that the companion apps take for orders.
_COMMAND = re.compile(
    r"\s*(command_\w+|request_\w+|remove_channel|clear_\w+|delete_alert|update_\w+|tts)\s*",
    re.IGNORECASE,
)
# What a text-to-speech engine says, as a media player gets it.
_SPOKEN_MEDIA = "media-source://tts"


def caps_of(
    hass: HomeAssistant,
    service: str,
    targets: Sequence[str],
    data: Mapping[str, Any],
) -> tuple[Cap, ...]:
    """Return the limits that a call counts for, each with what it reaches: a device, or a speaker.

    `targets` are the entities that it acts on. A group counts for itself and for every member.
    """
    domain, _, name = service.lower().partition(".")
    notified = keys_of_call(hass, domain, name, open_groups(hass, targets))
    if notified:
        return tuple(Cap(CapKind.NOTIFICATION, key) for key in notified)
    heard = sorted(open_groups(hass, _speakers(hass, domain, name, targets, data)))
    return tuple(Cap(CapKind.ANNOUNCEMENT, speaker) for speaker in heard)


def same_devices(
    hass: HomeAssistant, service: str, targets: Sequence[str]
) -> Iterator[str]:
    """Yield the notify entities of the phones that a call reaches by another name: who may not use them may not do that."""
    domain, _, name = service.lower().partition(".")
    keys = keys_of_call(hass, domain, name, targets)
    # Nobody can tell whom it reaches.
    reaches_any = (domain, name) == (NOTIFY_DOMAIN, NOTIFY_DOMAIN)
    for notifier in all_notifiers(hass) if keys else ():
        if notifier.kind is NotifierKind.ENTITY and (
            reaches_any or notifier.key in keys
        ):
            yield notifier.id


def operates_phone(hass: HomeAssistant, service: str, data: Mapping[str, Any]) -> bool:
    """Tell whether a message does more than tell something: its buttons set automations off, or its text is a command.

    Phones obey texts such as command_activity. What a button says need not be what it does. And nobody but the bridge
    asks for an approval.
    """
    domain, _, name = service.lower().partition(".")
    if not keys_of_call(hass, domain, name, ()) and domain != NOTIFY_DOMAIN:
        return False
    if _COMMAND.fullmatch(str(data.get("message", ""))):
        return True
    more = data.get("data")
    return isinstance(more, Mapping) and (
        "actions" in more or str(more.get("tag", "")) == APPROVAL_TAG
    )


def _speakers(
    hass: HomeAssistant,
    domain: str,
    name: str,
    targets: Sequence[str],
    data: Mapping[str, Any],
) -> Iterable[str]:
    """Return what a call speaks on."""
    if (domain, name) == (_TTS, "speak"):
        return _named_players(hass, data.get(_PLAYERS_FIELD))
    # Engines of the older kind have services of their own, which act on the media player: tts.google_say.
    if domain in (_SATELLITE, _TTS):
        return targets
    if (domain, name) == (_PLAYER, "play_media") and _is_spoken(data):
        return targets
    return ()


def _named_players(hass: HomeAssistant, named: Any) -> Iterator[str]:
    """Yield the media players that a field names, as Home Assistant reads it."""
    entities = er.async_get(hass).entities
    for _, text in strings_of(named):
        for piece in pieces(text.lower()):
            if piece == ENTITY_MATCH_ALL:
                yield from hass.states.async_entity_ids(_PLAYER)
            elif piece != ENTITY_MATCH_NONE:
                entry = entities.get_entry(piece)
                yield entry.entity_id if entry else piece


def _is_spoken(data: Mapping[str, Any]) -> bool:
    """Tell whether a media player is to play speech; the media stands in the data or in a field of its own."""
    media = data.get("media")
    fields = media if isinstance(media, Mapping) else data
    source = str(fields.get("media_content_id", ""))
    return source.strip().lower().startswith(_SPOKEN_MEDIA)
