"""What a client is told at the start: what this is, what its user may do, and how to begin."""

from ..access.control import AccessControl
from ..models import Caller

_START = (
    "This is a home, run by Home Assistant. Begin with ha_get_overview, or find entities with ha_search_entities by the "
    "words a person would use, then read them with ha_get_entity. Never guess an entity id. Areas, floors and labels may "
    "be given by name. Answers are short: lists come in pages (next_offset), and an error says what to do next. Times are "
    "in the home's time zone."
)
_READ_ONLY = "Access is read only: nothing in the home can be changed."
_RESTRICTED = "The owner has limited what can be seen, so what is missing may be hidden; do not conclude that it does not exist."


def instructions(access: AccessControl, caller: Caller) -> str:
    """Return the instructions for one caller, under 300 tokens."""
    parts = [_START, _READ_ONLY]
    if not access.view(caller).sees_all:
        parts.append(_RESTRICTED)
    return " ".join(parts)
