"""What was changed through the bridge, and the way back."""

from typing import Any

import probatio as vol

from ..access.actions.undo import undo_of
from ..access.journal import Change
from ..errors import NotFound, quoted
from ..models import Kind
from .declaration import Call, Result, tool
from .envelope import Page
from .paging import page_of, page_parameters
from .parameters import Name


@tool(
    name="ha_list_changes",
    title="List changes",
    description="What assistants have changed in the home through this connection, newest first: when, who, what, and whether it can be undone.",
    parameters={**page_parameters(20, 100)},
    kind=Kind.READ,
)
async def list_changes(call: Call) -> Page:
    """Return a page of changes."""
    changes = [change for change in call.journal if _sees(call, change)]
    note = None if changes else "Nothing has been changed through this connection."
    return page_of(call, changes, _told, 20, note=note)


@tool(
    name="ha_undo_change",
    title="Undo a change",
    description="Take back one change of ha_list_changes. Refused when somebody has changed the same since; the difference is told then.",
    parameters={
        vol.Required("change_id", description="from ha_list_changes"): Name(),
    },
    kind=Kind.WRITE,
)
async def undo_change(call: Call) -> Result:
    """Take a change back."""
    change_id: str = call.args["change_id"]
    change = call.journal.get(change_id)
    if change is None or not _sees(call, change):
        raise NotFound(
            f"There is no change {quoted(change_id)}.",
            "ha_list_changes lists those that are still known.",
        )
    return await call.act(undo_of(change, call.journal))


def _sees(call: Call, change: Change) -> bool:
    """Tell whether a change is the caller's to know: its own, or any for administrators; never of hidden entities.

    Its own also when they are gone: what somebody has deleted they may bring back.
    """
    caller, view = call.caller, call.view
    is_theirs = change.user_id == caller.user.id
    if is_theirs and change.client_id == caller.client:
        return not any(map(view.hides, change.targets))
    return (is_theirs or caller.user.is_admin) and (
        view.sees_all or all(map(view.find, change.targets))
    )


def _told(change: Change) -> dict[str, Any]:
    told: dict[str, Any] = {
        "change_id": change.id,
        "time": change.time,
        "by": f"{change.client} ({change.user})",
        "tool": change.tool,
        "what": change.summary,
        "can_be_undone": change.undo is not None and change.undone is None,
    }
    if change.targets:
        told["entities"] = list(change.targets)
    if change.undone:
        told["undone"] = change.undone
    return told
