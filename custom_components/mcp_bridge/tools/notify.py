"""Messages to people."""

from typing import Any

import probatio as vol

from ..access.actions.service import ServiceAction
from ..access.actions.several import SeveralActions
from ..access.guard.services import visible_notifiers
from ..errors import InvalidArguments, NotFound, some_of
from ..house.notifiers import Notifier, resolve
from ..models import Kind
from .declaration import Call, Result, tool
from .objects import Data
from .parameters import Names, Text

_MOST_TARGETS = 20
_MOST_LISTED = 100
_LONGEST_MESSAGE = 1_000
# Of what is sent in, before it is cut.
_LONGEST_TEXT = 100_000


@tool(
    name="ha_send_notification",
    title="Send a notification",
    description="Send a message to a phone or another notify target, or show it in Home Assistant (persistent_notification). "
    "Without target: list where messages can be sent.",
    parameters={
        vol.Optional(
            "target",
            description="such as notify.mobile_app_anna; several with commas",
        ): Names(_MOST_TARGETS),
        vol.Optional("message", description="required to send"): Text(_LONGEST_TEXT),
        vol.Optional("title", description="title"): Text(),
        vol.Optional(
            "data", description="what the platform takes, such as actions or tag"
        ): Data(),
    },
    kind=Kind.WRITE,
    destructive=False,
)
async def send_notification(call: Call) -> Result:
    """Send a message to all targets, or list them."""
    notifiers = visible_notifiers(call.view)
    wanted: list[str] | None = call.get("target")
    if wanted is None:
        return _listed(notifiers)
    message, notes = cut(required_message(call), _LONGEST_MESSAGE)
    # Two names of one phone are one target.
    found = (_resolved(notifiers, target) for target in wanted)
    targets = {notifier.key: notifier for notifier in found}
    parts = {
        target.id: ServiceAction.message(
            target.request(message, call.get("title"), call.get("data"))
        )
        for target in targets.values()
    }
    return await call.act(
        SeveralActions(parts, f"send a message to {some_of(parts, 4)}", notes)
    )


def _resolved(notifiers: list[Notifier], target: str) -> Notifier:
    """Return a target, or raise NotFound with the way to find the right one."""
    try:
        return resolve(notifiers, target)
    except NotFound as err:
        hint = err.hint or "Without target, all of them are listed."
        raise NotFound(err.message, hint) from None


def required_message(call: Call) -> str:
    """Return the message, which may be left out only to list the targets."""
    message: str | None = call.get("message")
    if message is None:
        raise InvalidArguments(
            "The argument 'message' is missing.",
            "Without target as well, the targets are listed.",
        )
    return message


def cut(message: str, longest: int) -> tuple[str, list[str]]:
    """Return a message that is not too long, and what to tell the caller about it."""
    if len(message) <= longest:
        return message, []
    note = f"The message was cut at {longest} of its {len(message)} characters."
    return f"{message[: longest - 1]}…", [note]


def _listed(notifiers: list[Notifier]) -> Result:
    listed = [notifier for notifier in notifiers if notifier.listed]
    data: dict[str, Any] = {
        "targets": [_told(notifier) for notifier in listed[:_MOST_LISTED]],
        "total": len(listed),
        "note": "Nothing was sent. Call again with a target and a message.",
    }
    return data


def _told(notifier: Notifier) -> dict[str, Any]:
    told: dict[str, Any] = {
        "target": notifier.id,
        "name": notifier.name,
        "takes_data": notifier.takes_data,
    }
    if not notifier.available:
        told["available"] = False
    return told
