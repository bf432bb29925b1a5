"""Makes plain JSON data out of whatever Home Assistant's integrations put into states and attributes.

It never fails: what has no JSON form becomes a short text. Times are given in Home Assistant's time zone, numbers stay
numbers, and what is no number (NaN, infinity) becomes null.
"""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
import math
from typing import Any

from homeassistant.util import dt as dt_util

_DEEPEST = 24
_INT_LIMIT = 2**63
_TEXT_OF_UNKNOWN = 200

type Plain = str | int | float | bool | list[Any] | dict[str, Any] | None


def local_iso(moment: datetime) -> str:
    """Return a moment in ISO 8601, to the second, in Home Assistant's time zone."""
    return dt_util.as_local(moment).isoformat(timespec="seconds")


def to_plain(value: Any, depth: int = 0) -> Plain:
    """Return a value as plain JSON data."""
    match value:
        case None | bool():
            return value
        case Enum():
            return to_plain(value.value, depth + 1)
        case str():
            return plain_text(value)
        case int():
            return (
                int(value)
                if -_INT_LIMIT <= value < _INT_LIMIT
                else str(value)[:_TEXT_OF_UNKNOWN]
            )
        case float():
            return float(value) if math.isfinite(value) else None
        case Mapping() | list() | tuple() | set() | frozenset() if depth >= _DEEPEST:
            return "… (nested too deep)"
        case Mapping():
            return {_key(key): to_plain(item, depth + 1) for key, item in value.items()}
        case list() | tuple():
            return [to_plain(item, depth + 1) for item in value]
        case set() | frozenset():
            return [to_plain(item, depth + 1) for item in _sorted(value)]
        case _:
            return _other(value, depth)


def plain_text(text: str) -> str:
    """Return a text that can be encoded: half a surrogate pair, which some integrations let through, is replaced."""
    return (
        str(text) if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    )


def _other(value: Any, depth: int) -> Plain:
    match value:
        case datetime():
            return (dt_util.as_local(value) if value.tzinfo else value).isoformat()
        case date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case Decimal():
            return to_plain(float(value)) if value.is_finite() else None
        case bytes() | bytearray():
            return _bytes(bytes(value))
        case _ if (
            is_dataclass(value) and not isinstance(value, type) and depth < _DEEPEST
        ):
            return to_plain(_attempt(lambda: asdict(value)), depth + 1)
        case _ if hasattr(value, "as_dict") and depth < _DEEPEST:
            return to_plain(_attempt(value.as_dict), depth + 1)
        case _:
            return plain_text(str(_attempt(lambda: str(value))))[:_TEXT_OF_UNKNOWN]


def _bytes(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(data).decode("ascii")


def _key(key: Any) -> str:
    return plain_text(key) if isinstance(key, str) else str(to_plain(key))


def _sorted(items: Iterable[Any]) -> list[Any]:
    """Return the items of a set in an order that is the same each time."""
    return sorted(
        items, key=lambda item: (type(item).__name__, str(_attempt(lambda: str(item))))
    )


def _attempt(convert: Any) -> Any:
    """Call what an integration wrote. Whatever it raises, the rest of the answer must not suffer."""
    try:
        return convert()
    except Exception:  # noqa: BLE001
        return "(unreadable)"
