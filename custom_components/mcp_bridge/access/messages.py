"""Which calls send a message or speak, so that they count for the same limits whichever tool makes them."""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.components.notify import (
    DOMAIN as NOTIFY_DOMAIN,
    SERVICE_SEND_MESSAGE,
)
from homeassistant.core import HomeAssistant

from .guard.rates import Cap, CapKind

_TTS_DOMAIN = "tts"
_SATELLITE_DOMAIN = "assist_satellite"
_MEDIA_PLAYER = "media_player_entity_id"
_PERSISTENT = "persistent_notification"


def caps_of(
    hass: HomeAssistant,
    service: str,
    targets: Sequence[str],
    data: Mapping[str, Any],
) -> tuple[Cap, ...]:
    """Return the limits that a call counts for, each with its target."""
    domain, _, name = service.partition(".")
    if domain == NOTIFY_DOMAIN:
        sent_to = targets if name == SERVICE_SEND_MESSAGE else (service,)
        return tuple(Cap(CapKind.NOTIFICATION, target) for target in sent_to)
    if service == f"{_PERSISTENT}.create":
        return (Cap(CapKind.NOTIFICATION, _PERSISTENT),)
    if domain == _TTS_DOMAIN:
        players = data.get(_MEDIA_PLAYER) or data.get("entity_id") or service
        listed = [players] if isinstance(players, str) else players
        ids = [part.strip().lower() for player in listed for part in player.split(",")]
        return tuple(Cap(CapKind.ANNOUNCEMENT, player) for player in ids)
    if domain == _SATELLITE_DOMAIN:
        return tuple(Cap(CapKind.ANNOUNCEMENT, target) for target in targets)
    return ()
