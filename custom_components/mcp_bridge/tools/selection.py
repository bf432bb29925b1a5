"""Which entities a call is about: the filters that several tools share."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
import math
import operator
from typing import Any

import probatio as vol

from ..access.view import HouseView
from ..errors import InvalidArguments, quoted
from ..house.places import PlaceKind
from ..house.records import EntityRecord
from .declaration import Call
from .parameters import Name, Parameter, Text

# The filters that go by the entity's record, as parameters of a tool.
RECORD_FILTERS: Mapping[vol.Marker, Parameter] = {
    vol.Optional("domain", description="such as light"): Name(),
    vol.Optional("area", description="area id, name or alias"): Text(),
    vol.Optional(
        "device_class", description="such as temperature, battery, door"
    ): Name(),
}

type Matcher = Callable[[EntityRecord], bool]

_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
# The longer ones first: >= starts with >.
_SIGNS = (">=", "<=", "!=", ">", "<", "=")


def matching(records: Iterable[EntityRecord], call: Call) -> Iterator[EntityRecord]:
    """Yield the records that pass all filters of the call."""
    matchers = list(_matchers(call))
    return (
        record for record in records if all(matches(record) for matches in matchers)
    )


def _matchers(call: Call) -> Iterator[Matcher]:
    if domain := call.get("domain"):
        yield lambda record: record.domain == domain
    if device_class := call.get("device_class"):
        yield lambda record: record.device_class == device_class
    for kind, inside in _PLACE_MATCHERS.items():
        if text := call.get(kind):
            place_id = call.view.place(kind, text).id
            yield partial(inside, place_id)
    if wanted := call.get("state"):
        yield _state_matcher(call.view, wanted)


_PLACE_MATCHERS: Mapping[PlaceKind, Callable[[str, EntityRecord], bool]] = {
    PlaceKind.AREA: lambda area_id, record: record.area_id == area_id,
    PlaceKind.FLOOR: lambda floor_id, record: record.floor_id == floor_id,
    PlaceKind.LABEL: lambda label_id, record: label_id in record.labels,
    PlaceKind.DEVICE: lambda device_id, record: device_id in record.device_ids,
}


def _state_matcher(view: HouseView, wanted: str) -> Matcher:
    """Return the matcher for a state: a word, `!=` a word, or a comparison with a number."""
    sign = next((sign for sign in _SIGNS if wanted.startswith(sign)), "")
    value = wanted.removeprefix(sign).strip()
    if sign in _OPERATORS:
        compare, number = _OPERATORS[sign], as_number(value)
        if number is None:
            raise InvalidArguments(
                f"{quoted(value)} after '{sign}' is not a number.",
                "Compare with one: >20",
            )
        return lambda record: (
            (current := as_number(_state_of(view, record))) is not None
            and compare(current, number)
        )
    word = value.casefold()
    if sign == "!=":
        return lambda record: _state_of(view, record).casefold() != word
    return lambda record: _state_of(view, record).casefold() == word


def _state_of(view: HouseView, record: EntityRecord) -> str:
    state = view.state(record)
    return state.state if state else "unavailable"


def as_number(text: str) -> float | None:
    """Return a state as a number, or None when it is no finite one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
