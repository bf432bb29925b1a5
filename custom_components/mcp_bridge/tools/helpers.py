"""Helpers: switches, numbers, texts, timers and the like that people make for their own use."""

from collections.abc import Mapping
from typing import Any

import probatio as vol

from homeassistant.const import CONF_ID, CONF_NAME, CONF_TYPE
from homeassistant.helpers.json import json_bytes

from ..access.actions.helper_fields import AREA
from ..access.actions.helpers import CreateHelper, DeleteHelper, UpdateHelper, Which
from ..errors import InvalidArguments, quoted
from ..house.helper_store import helper_types
from ..house.places import PlaceKind
from ..models import Kind
from .declaration import Call, Result, tool
from .objects import Data
from .parameters import Name, OneOf, Text

# Bytes of what is set at once: as much as Home Assistant keeps of the attributes of a state.
_MOST_BYTES = 16_384


@tool(
    name="ha_create_helper",
    title="Create a helper",
    description="Make a helper. Its entity id comes with the answer.",
    parameters={
        vol.Required("helper_type", description="kind of helper"): OneOf(
            *helper_types()
        ),
        vol.Required("name", description="such as Guest mode"): Text(),
        vol.Optional(
            "options",
            description="any: icon; all but timer: initial; input_number: min, max, step, mode (box or slider), "
            "unit_of_measurement; input_select: options (list); input_text: min, max, pattern, mode (text or password); "
            "input_datetime: has_date, has_time; counter: minimum, maximum, step, restore; timer: duration (H:MM:SS), restore",
        ): Data(),
        vol.Optional("area", description="area id, name or alias"): Text(),
    },
    kind=Kind.WRITE,
    destructive=False,
)
async def create_helper(call: Call) -> Result:
    """Make a helper under the guard."""
    helper_type, name, area = (
        call.args["helper_type"],
        call.args["name"],
        call.get("area"),
    )
    return await call.act(
        CreateHelper(
            helper_type=helper_type,
            name=name,
            options=_without_repeated(call.get("options") or {}, helper_type, name),
            area_id=call.view.place(PlaceKind.AREA, area).id if area else None,
        )
    )


@tool(
    name="ha_update_helper",
    title="Change a helper",
    description="Change fields of a helper that was made in the user interface; the others stay. To set its value, call a service instead.",
    parameters={
        vol.Required("entity_id", description="such as input_number.target"): Name(),
        vol.Required(
            "changes",
            description="fields with their new values: options as in ha_create_helper, name, area; null removes one",
        ): Data(),
    },
    kind=Kind.WRITE,
)
async def update_helper(call: Call) -> Result:
    """Change a helper under the guard."""
    changes = _changes(call, call.args["changes"])
    which = Which(call.args["entity_id"])
    return await call.act(UpdateHelper(which=which, changes=changes))


@tool(
    name="ha_delete_helper",
    title="Delete a helper",
    description="Delete a helper that was made in the user interface. A person has to agree if something uses it.",
    parameters={
        vol.Required("entity_id", description="such as input_boolean.guests"): Name(),
    },
    kind=Kind.WRITE,
)
async def delete_helper(call: Call) -> Result:
    """Delete a helper under the guard."""
    return await call.act(DeleteHelper(which=Which(call.args["entity_id"])))


def _without_repeated(
    options: Mapping[str, Any], helper_type: str, name: str
) -> dict[str, Any]:
    """Return the options without what only repeats another argument; raise InvalidArguments for what contradicts it."""
    _check_size("options", options)
    repeated = {CONF_TYPE: helper_type, "helper_type": helper_type, CONF_NAME: name}
    for key, value in repeated.items():
        if options.get(key) not in (None, value):
            raise InvalidArguments(
                f"The options have {key} {quoted(str(options[key]))}, which is not what is asked for.",
                f"Leave {key} out of the options.",
            )
    if options.get(CONF_ID) is not None:
        raise InvalidArguments(
            "The id of a helper is given by Home Assistant.",
            "Leave id out of the options.",
        )
    return {
        key: value
        for key, value in options.items()
        if key != CONF_ID and key not in repeated
    }


def _changes(call: Call, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields to change, with the id of the area and a name as it is stored."""
    if not given:
        raise InvalidArguments(
            "The argument 'changes' is empty.", "Give at least one field."
        )
    _check_size("changes", given)
    changes = dict(given)
    try:
        if CONF_NAME in changes:
            changes[CONF_NAME] = Text()(changes[CONF_NAME])
        for key in ("area", AREA):
            if key in changes:
                area = changes.pop(key)
                changes[AREA] = None if area is None else _area_id(call, Text()(area))
    except vol.Invalid as err:
        raise InvalidArguments(f"The name or area in 'changes' {err.msg}.") from None
    return changes


def _area_id(call: Call, text: str) -> str:
    return call.view.place(PlaceKind.AREA, text).id


def _check_size(argument: str, value: Mapping[str, Any]) -> None:
    """Raise InvalidArguments for what is no data of a helper, before anything is done with it."""
    try:
        size = len(json_bytes(value))
    except TypeError, ValueError, RecursionError:
        raise InvalidArguments(
            f"The argument {argument!r} holds something that cannot be stored.",
            "Use plain texts, numbers and lists.",
        ) from None
    if size > _MOST_BYTES:
        raise InvalidArguments(
            f"The argument {argument!r} is too long: {size} bytes, at most {_MOST_BYTES}."
        )
