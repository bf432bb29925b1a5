"""The attributes of a state, fit to be shown: secrets taken out, long values as a preview."""

from collections.abc import Mapping
import re
from typing import Any

from homeassistant.core import State
from homeassistant.helpers.json import json_bytes

from ..access.view import HouseView
from .encoding import Plain, to_plain
from .scrubbing import is_hidden, scrubbed

# An attribute is shown whole up to this size, in bytes of JSON.
PREVIEW_BYTES = 500
# All attributes of an entity together.
_ALL_BYTES = 8_000
# Whoever holds one of these can fetch a camera's picture, or any signed path, without a login.
_SECRET_ATTRIBUTES = frozenset(("access_token",))
_SECRET_IN_URL = re.compile(
    r"(?<=[?&;]token=)[^&#\"'\s<>]+|(?<=[?&;]authSig=)[^&#\"'\s<>]+"
)


def plain_attributes(view: HouseView, state: State) -> dict[str, Plain]:
    """Return all attributes as plain JSON data, without what grants access and without ids of hidden entities."""
    plain = plain_attribute(view, dict(state.attributes))
    return plain if isinstance(plain, dict) else {}


def plain_attribute(view: HouseView, value: Any) -> Plain:
    """Return one attribute, or a part of one, in the same way."""
    return scrubbed(view, _without_secrets(to_plain(value)))


def attribute_parts(view: HouseView, value: Any) -> list[Any] | None:
    """Return the parts of a list or an object that exist for the caller, not converted; None for any other value.

    A page of a long attribute is cut from these, so that it may be of any length. The parts of an object have a key and
    a value.
    """
    if isinstance(value, Mapping):
        parts = ((str(to_plain(key)), part) for key, part in value.items())
        return [
            {"key": key, "value": part}
            for key, part in parts
            if key not in _SECRET_ATTRIBUTES and not is_hidden(view, key)
        ]
    if isinstance(value, list | tuple):
        return [part for part in value if not is_hidden(view, part)]
    return None


def _without_secrets(value: Plain) -> Plain:
    match value:
        case str() if "=" in value:
            return _SECRET_IN_URL.sub("REDACTED", value)
        case list():
            return [_without_secrets(item) for item in value]
        case dict():
            return {
                key: _without_secrets(item)
                for key, item in value.items()
                if key not in _SECRET_ATTRIBUTES
            }
        case _:
            return value


def previewed(attributes: dict[str, Plain]) -> tuple[dict[str, Plain], list[str]]:
    """Return the attributes with long values as a preview, and the names of those.

    Where there are so many that together they are too much, the last ones are left out and named with the shortened.
    """
    if len(json_bytes(attributes)) <= PREVIEW_BYTES:
        return attributes, []
    shown: dict[str, Plain] = {}
    shortened: list[str] = []
    left = _ALL_BYTES
    for name, value in attributes.items():
        is_long = len(json_bytes(value)) > PREVIEW_BYTES
        fitting = _preview(value) if is_long else value
        left -= len(json_bytes({name: fitting}))
        if left >= 0:
            shown[name] = fitting
        if is_long or left < 0:
            shortened.append(name)
    return shown, shortened


def _preview(value: Plain) -> Any:
    match value:
        case list():
            return {"preview": _fitting(value), "total": len(value)}
        case dict():
            return {"preview": dict(_fitting(list(value.items()))), "total": len(value)}
        case _:
            text = str(value)
            return f"{text[: PREVIEW_BYTES // 2]}… ({len(text)} characters)"


def _fitting(items: list[Any]) -> list[Any]:
    """Return the first items, as many as fit into a preview."""
    fitting: list[Any] = []
    left = PREVIEW_BYTES
    for item in items:
        left -= len(json_bytes(item))
        if left < 0:
            break
        fitting.append(item)
    return fitting
