"""Makes plain JSON data out of whatever Home Assistant's integrations put into states and attributes.

It never fails, and never takes long: what has no JSON form becomes a short text, what cannot be read says so, and what
is nested too deep or has too many parts is cut. Times are given in Home Assistant's time zone, numbers stay numbers, and
what is no number (NaN, infinity) becomes null.
"""

import base64
from collections import deque
from collections.abc import Iterable, Mapping, Set as AbstractSet, ValuesView
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
import math
from typing import Any

from homeassistant.util import dt as dt_util

from ..house.storable import INTEGER_LIMIT, plain_text

_DEEPEST = 24
# Parts of one value: some times what the largest attributes have, and a few milliseconds of work.
_MOST_PARTS = 20_000
_TEXT_OF_UNKNOWN = 200
_TOO_DEEP = "… (nested too deep)"
_TOO_MANY = "… (cut off: too many parts)"
_UNREADABLE = "(unreadable)"

type Plain = str | int | float | bool | list[Any] | dict[str, Any] | None


@dataclass(slots=True)
class _Allowance:
    """How many parts a value may still have."""

    left: int


def local_iso(moment: datetime) -> str:
    """Return a moment in ISO 8601, to the second, in Home Assistant's time zone."""
    return dt_util.as_local(moment).isoformat(timespec="seconds")


def to_plain(value: Any) -> Plain:
    """Return a value as plain JSON data."""
    return _plain(value, _Allowance(_MOST_PARTS), 0)


def _plain(value: Any, allowance: _Allowance, depth: int) -> Plain:
    allowance.left -= 1
    try:
        return _scalar(value, allowance, depth)
    except Exception:  # noqa: BLE001
        # Whatever the code of an integration raises, the rest of the answer must not suffer.
        return _UNREADABLE


def _scalar(value: Any, allowance: _Allowance, depth: int) -> Plain:
    match value:
        case None | bool():
            return value
        case Enum():
            return _plain(value.value, allowance, depth + 1)
        case str():
            return plain_text(value)
        case int():
            return (
                int(value)
                if -INTEGER_LIMIT <= value < INTEGER_LIMIT
                else _long_number(value)
            )
        case float():
            return float(value) if math.isfinite(value) else None
        case datetime():
            return _datetime(value)
        case date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case Decimal():
            number = float(value) if value.is_finite() else math.nan
            return number if math.isfinite(number) else None
        case bytes() | bytearray():
            return _bytes(bytes(value))
        case _ if depth >= _DEEPEST:
            return _TOO_DEEP
        case _:
            return _container(value, allowance, depth)


def _container(value: Any, allowance: _Allowance, depth: int) -> Plain:
    match value:
        case Mapping():
            return _mapping(value.items(), allowance, depth)
        case list() | tuple() | deque() | ValuesView():
            return _sequence(value, allowance, depth)
        case AbstractSet():
            return _sequence(_sorted(value), allowance, depth)
        case type():
            return _text_of(value)
        case _ if is_dataclass(value):
            shown = ((part.name, getattr(value, part.name)) for part in fields(value))
            return _mapping(shown, allowance, depth)
        case _ if callable(getattr(value, "as_dict", None)):
            return _plain(value.as_dict(), allowance, depth + 1)
        case _:
            return _text_of(value)


def _sequence(items: Iterable[Any], allowance: _Allowance, depth: int) -> list[Plain]:
    plain: list[Plain] = []
    for item in items:
        if allowance.left <= 0:
            plain.append(_TOO_MANY)
            break
        plain.append(_part(item, allowance, depth))
    return plain


def _mapping(
    items: Iterable[tuple[Any, Any]], allowance: _Allowance, depth: int
) -> dict[str, Plain]:
    plain: dict[str, Plain] = {}
    for key, item in items:
        if allowance.left <= 0:
            plain["…"] = _TOO_MANY
            break
        plain[_key(key)] = _part(item, allowance, depth)
    return plain


def _part(item: Any, allowance: _Allowance, depth: int) -> Plain:
    """Return an item of a container. It may use up half of what is left, so that its neighbours are shown, too."""
    own = _Allowance(max(allowance.left // 2, 1))
    before = own.left
    plain = _plain(item, own, depth + 1)
    allowance.left -= before - own.left
    return plain


def _datetime(moment: datetime) -> str:
    try:
        return (dt_util.as_local(moment) if moment.tzinfo else moment).isoformat()
    except OverflowError:
        # At the ends of time there is no other zone to move to.
        return moment.isoformat()


def _long_number(number: int) -> str:
    try:
        return str(number)[:_TEXT_OF_UNKNOWN]
    except ValueError:
        return f"(a number of {number.bit_length()} bits)"


def _bytes(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(data).decode("ascii")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return plain_text(key)
    plain = to_plain(key)
    return plain if isinstance(plain, str) else str(plain)[:_TEXT_OF_UNKNOWN]


def _sorted(items: Iterable[Any]) -> list[Any]:
    """Return the items of a set in an order that is the same each time."""
    return sorted(items, key=lambda item: (type(item).__name__, _order(item)))


def _order(item: Any) -> str:
    try:
        return str(item)
    except Exception:  # noqa: BLE001
        return ""


def _text_of(value: Any) -> str:
    """Return a text for a value that has no other form; where that is its address in memory, its type."""
    text = str(value)
    if " at 0x" in text:
        return f"({type(value).__name__})"
    if len(text) > _TEXT_OF_UNKNOWN:
        # Cut between words: half an id would not be known as one.
        text = " ".join(text[:_TEXT_OF_UNKNOWN].split()[:-1]) + "…"
    return plain_text(text)
