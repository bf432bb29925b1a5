"""What Home Assistant's Activity says of assistants, and whom it names as the cause of what they do."""

from collections.abc import Callable
from typing import Any

from homeassistant.components.logbook import (
    LOGBOOK_ENTRY_ICON,
    LOGBOOK_ENTRY_MESSAGE,
    LOGBOOK_ENTRY_NAME,
)
from homeassistant.core import Event, HomeAssistant, callback

from .access.audit import EVENT_ACTIVITY
from .access.words import words
from .const import DOMAIN, NAME

type _Describe = Callable[[Event], dict[str, Any]]

_ICON = "mdi:robot-outline"
_REFUSED = "refused"


@callback
def async_describe_events(
    hass: HomeAssistant, async_describe_event: Callable[[str, str, _Describe], None]
) -> None:
    """Describe the events of what assistants do, or tried to do."""

    @callback
    def describe(event: Event) -> dict[str, Any]:
        """Return the line. Anybody can fire an event of this name, so nothing of it is taken for granted.

        It names no entity: the frontend would put that entity's name in the place of the assistant's.
        """
        data = event.data
        outcome, _, rule = str(data.get("outcome", "")).partition(":")
        say = words(hass)
        return {
            LOGBOOK_ENTRY_NAME: f"{NAME} ({data.get('client', '?')})",
            LOGBOOK_ENTRY_MESSAGE: say(
                f"activity_{outcome}",
                change=str(data.get("summary", "?")),
                rule=say(f"rule_{rule}") if outcome == _REFUSED else "",
            ),
            LOGBOOK_ENTRY_ICON: _ICON,
        }

    async_describe_event(DOMAIN, EVENT_ACTIVITY, describe)
