"""Which entities a call is about: the filters that several tools share."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
import operator
import re
from typing import Any

import probatio as vol

from ..access.view import HouseView
from ..errors import NotFound, did_you_mean, quoted, some_of
from ..house.nearest import nearest
from ..house.places import PlaceKind
from ..house.records import EntityRecord
from .declaration import Call
from .parameters import Name, Names, Parameter, Text

# The filters that go by the entity's record, as parameters of a tool.
RECORD_FILTERS: Mapping[vol.Marker, Parameter] = {
    vol.Optional(
        "domain", description="such as light; several with commas between"
    ): Names(10),
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
_NUMBER = re.compile(
    r"\s*[-+]?(\d{1,300}(\.\d*)?|\.\d+)(e[-+]?\d{1,2})?\s*", re.ASCII | re.IGNORECASE
)
# The longer ones first: >= starts with >.
_SIGNS = (">=", "<=", "!=", ">", "<", "=")


def matching(records: Iterable[EntityRecord], call: Call) -> Iterator[EntityRecord]:
    """Yield the records that pass all filters of the call; a filter by what is not there at all is an error."""
    matchers = list(_matchers(call))
    return (
        record for record in records if all(matches(record) for matches in matchers)
    )


def _matchers(call: Call) -> Iterator[Matcher]:
    if domains := call.get("domain"):
        known_domains = {record.domain for record in call.view.entities()}
        for domain in domains:
            _check("domain", domain, known_domains)
        yield lambda record: record.domain in domains
    if device_class := call.get("device_class"):
        view = call.view
        known = {_device_class(view, record) for record in view.entities()}
        _check("device class", device_class, known)
        yield lambda record: _device_class(view, record) == device_class
    for kind, inside in _PLACE_MATCHERS.items():
        if text := call.get(kind):
            place_id = call.view.place(kind, text).id
            yield partial(inside, place_id)
    if test := call.get("state"):
        yield partial(_passes, call.view, test)


def _device_class(view: HouseView, record: EntityRecord) -> str:
    """Return the device class as the caller sees it: filters and errors tell no more than the answers."""
    return view.scrub(record.device_class or "")


def _check(what: str, name: str, known: Iterable[str | None]) -> None:
    """Raise NotFound for a domain or device class that no entity has: an empty list would look like an answer."""
    names = sorted(filter(None, known))
    if name not in names:
        hint = did_you_mean(nearest(name, names)) or f"There are: {some_of(names, 30)}"
        raise NotFound(
            f"No entity has the {what} {quoted(name)}.", hint if names else None
        )


def states_of(view: HouseView, records: Iterable[EntityRecord]) -> str:
    """Return the states that some entities have, the most frequent first, for a message."""
    states = Counter(filter(None, map(view.state_text, records)))
    return some_of((state for state, _ in states.most_common(9)), 8)


_PLACE_MATCHERS: Mapping[PlaceKind, Callable[[str, EntityRecord], bool]] = {
    PlaceKind.AREA: lambda area_id, record: record.area_id == area_id,
    PlaceKind.FLOOR: lambda floor_id, record: record.floor_id == floor_id,
    PlaceKind.LABEL: lambda label_id, record: label_id in record.labels,
    PlaceKind.DEVICE: lambda device_id, record: device_id in record.device_ids,
}


class StateTest(Text):
    """A test of a state: a word, `!=` and a word, or a comparison with a number. Gives a function of the state."""

    def __call__(self, value: Any) -> Callable[[str], bool]:  # type: ignore[override]
        """Return the function that tells whether a state passes."""
        text = super().__call__(value)
        sign = next((sign for sign in _SIGNS if text.startswith(sign)), "")
        wanted = text.removeprefix(sign).strip()
        if sign in _OPERATORS:
            if (number := as_number(wanted)) is None:
                raise vol.Invalid(
                    f"compares with {quoted(wanted)}, which is no number: write for example >20"
                )
            return partial(_compares, _OPERATORS[sign], number)
        if not wanted:
            raise vol.Invalid("compares with nothing: write for example !=off")
        return partial(_differs if sign == "!=" else _equals, wanted.casefold())


def _compares(compare: Callable[[Any, Any], bool], number: float, state: str) -> bool:
    current = as_number(state)
    return current is not None and compare(current, number)


def _equals(word: str, state: str) -> bool:
    return state.casefold() == word


def _differs(word: str, state: str) -> bool:
    return state.casefold() != word


def _passes(view: HouseView, test: Callable[[str], bool], record: EntityRecord) -> bool:
    """Tell whether the state, as the caller sees it, passes; an entity that has none passes no test."""
    state = view.state_text(record)
    return state is not None and test(state)


def as_number(text: str) -> float | None:
    """Return a state as a number, or None when it is none that people would call one."""
    return float(text) if _NUMBER.fullmatch(text) else None
