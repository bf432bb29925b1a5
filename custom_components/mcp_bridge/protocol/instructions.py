"""What a client is told at the start: what this is, what its user may do, and how to begin."""

from ..access.control import AccessControl
from ..models import Caller, Kind

_START = (
    "This is a home, run by Home Assistant. Begin with ha_get_overview, or find entities with ha_search_entities by the "
    "words a person would use, then read them with ha_get_entity. Never guess an entity id. Areas, floors and labels may "
    "be given by name. Answers are short: lists come in pages (next_offset), and an error says what to do next. Times are "
    "in the home's time zone."
)
_READ_ONLY = (
    "Access is read only: nothing in the home can be changed. The owner can switch on 'Control your home' in the options "
    "of MCP Bridge, and in the settings of this client."
)
_WRITES = (
    "You may act on the home. Answers tell the states before and after: report those, not what you meant to do. When an "
    "answer says confirmation_required, show the person what would be done, and repeat the call with confirm_token only "
    "after they agree. When something is refused, say so and do not look for another way. ha_undo_change takes a "
    "change back."
)
_RESTRICTED = "The owner has limited what can be seen, so what is missing may be hidden; do not conclude that it does not exist."


def instructions(access: AccessControl, caller: Caller) -> str:
    """Return the instructions for one caller, under 300 tokens."""
    acts = Kind.WRITE in access.rights(caller).kinds
    parts = [_START, _WRITES if acts else _READ_ONLY]
    if not access.view(caller).sees_all:
        parts.append(_RESTRICTED)
    return " ".join(parts)
