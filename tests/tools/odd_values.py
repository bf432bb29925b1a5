"""What integrations put into states and attributes, and what else Python would let them."""

from collections import ChainMap, OrderedDict, UserDict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, Flag, IntEnum, StrEnum
from fractions import Fraction
from ipaddress import ip_address
from pathlib import PurePosixPath
import re
from types import MappingProxyType, SimpleNamespace
from typing import Any, Never
from uuid import UUID
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from homeassistant.core import State


class Mode(Enum):
    """An enum that is no text."""

    FAST = 1
    PAIR = (1, "two")
    NOTHING = None


class Level(IntEnum):
    """An enum that is a number."""

    HIGH = 3


class Word(StrEnum):
    """An enum that is a text."""

    ON = "on"


class Feature(Flag):
    """An enum of bits."""

    ONE = 1
    TWO = 2


@dataclass
class Point:
    """A dataclass as integrations use them."""

    x: int
    when: datetime = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    tags: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({"a": 1}))


class Unprintable:
    """Cannot be shown."""

    def __str__(self) -> str:
        """Fail."""
        raise RuntimeError("no text")

    __repr__ = __str__


class NoText:
    """Breaks the rules of str()."""

    def __str__(self) -> Any:
        """Return no text at all."""
        return 7  # noqa: PLE0307


class BrokenDict:
    """Promises to be shown as a dict."""

    def as_dict(self) -> dict[str, Any]:
        """Fail."""
        raise ValueError("no dict")


class Endless:
    """Shows itself as a dict that holds itself."""

    def as_dict(self) -> dict[str, Any]:
        """Return itself once more."""
        return {"again": self}


class Grumpy:
    """Fails when asked for any attribute."""

    def __getattr__(self, name: str) -> Never:
        """Fail."""
        raise RuntimeError(name)


class BrokenText(str):
    """A text whose own rendering fails."""

    __slots__ = ()

    def __str__(self) -> str:
        """Fail."""
        raise RuntimeError("no text")


class BrokenList(list[int]):
    """A list that cannot be read."""

    def __iter__(self) -> Iterator[int]:
        """Fail."""
        raise RuntimeError("no items")


class BrokenMapping(Mapping[str, int]):
    """A mapping that changes while it is read."""

    def __getitem__(self, key: str) -> int:
        """Fail."""
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        """Give a key that is gone."""
        return iter(("gone",))

    def __len__(self) -> int:
        """Tell a length."""
        return 1


def nested(depth: int) -> list[Any]:
    """Return lists in lists."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def cyclic_list() -> list[Any]:
    """Return a list that holds itself."""
    value: list[Any] = [1]
    value.append(value)
    return value


def cyclic_dict() -> dict[str, Any]:
    """Return a dict that holds itself, by way of a list and a tuple."""
    value: dict[str, Any] = {"a": 1}
    value["self"] = [(value,)]
    return value


def cyclic_point() -> Point:
    """Return a dataclass that holds itself."""
    point = Point(1)
    point.tags = {"me": point}
    return point


class Unbounded(BaseException):
    """Somebody goes on and on; no Exception, so that nobody takes it for a fault of the value."""


class Counted(list[Any]):
    """A list that may not be read without end."""

    reads = 0

    def __iter__(self) -> Iterator[Any]:
        """Count."""
        Counted.reads += 1
        if Counted.reads > 100_000:
            raise Unbounded
        return super().__iter__()


def braided() -> list[Any]:
    """Return a list that holds itself twice: each level down doubles the work."""
    Counted.reads = 0
    value = Counted()
    value.extend((value, value))
    return value


def lattice() -> list[Any]:
    """Return a small value that has 10**20 leaves when it is written out."""
    Counted.reads = 0
    value = Counted("x")
    for _ in range(20):
        value = Counted([value] * 10)
    return value


# A factory each, because some are used up or hold themselves.
ODD: dict[str, Any] = {
    "aware datetime": lambda: datetime(
        2026, 3, 29, 2, 30, tzinfo=ZoneInfo("Asia/Tokyo")
    ),
    "naive datetime": lambda: datetime(2026, 3, 29, 2, 30),
    "first datetime": lambda: datetime.min.replace(tzinfo=UTC),
    "last datetime": lambda: datetime.max.replace(tzinfo=UTC),
    "datetime far west": lambda: datetime.max.replace(
        tzinfo=timezone(-timedelta(hours=12))
    ),
    "date": lambda: date(2026, 4, 1),
    "time": lambda: time(7, 30, tzinfo=UTC),
    "timedelta": lambda: timedelta(minutes=1, milliseconds=5),
    "decimal": lambda: Decimal("1.069"),
    "decimal nan": lambda: Decimal("NaN"),
    "signalling nan": lambda: Decimal("sNaN"),
    "huge decimal": lambda: Decimal("1E+400"),
    "fraction": lambda: Fraction(1, 3),
    "complex": lambda: complex(1, 2),
    "nan": lambda: float("nan"),
    "infinity": lambda: float("-inf"),
    "64 bits": lambda: 2**63,
    "100 bits": lambda: -(2**100),
    "5,000 digits": lambda: 10**5000,
    "set": lambda: {1, "a", None, (2, 3)},
    "frozenset": lambda: frozenset((Unprintable(), NoText())),
    "enum": lambda: Mode.FAST,
    "enum of a tuple": lambda: Mode.PAIR,
    "enum of nothing": lambda: Mode.NOTHING,
    "int enum": lambda: Level.HIGH,
    "str enum": lambda: Word.ON,
    "flags": lambda: Feature.ONE | Feature.TWO,
    "enum class": lambda: Mode,
    "bytes": lambda: b"abc",
    "binary": lambda: bytes(range(256)),
    "bytearray": lambda: bytearray(b"\xff\xfe"),
    "memoryview": lambda: memoryview(b"abc"),
    "surrogate": lambda: "half \ud83d a pair",
    "swapped surrogates": lambda: "\udc00\ud800",
    "control characters": lambda: "\x00\x1b\u2028\u202e",
    "long text": lambda: "x" * 1_000_000,
    "long wide text": lambda: "🏠" * 300_000,
    "long list": lambda: list(range(100_000)),
    "long dict": lambda: {f"key {number}": number for number in range(20_000)},
    "odd keys": lambda: {
        None: 1,
        2: 2,
        2.5: 3,
        True: 4,
        (1, 2): 5,
        date(2026, 1, 1): 6,
        Mode.FAST: 7,
        Word.ON: 8,
        b"\xff": 9,
        "\ud800": 10,
        float("nan"): 11,
        frozenset((1,)): 12,
    },
    "unprintable key": lambda: {Unprintable(): 1},
    "mappingproxy": lambda: MappingProxyType({"a": datetime(2026, 1, 1, tzinfo=UTC)}),
    "ordered dict": lambda: OrderedDict(a=1),
    "user dict": lambda: UserDict({"a": {1}}),
    "chain map": lambda: ChainMap({"a": 1}, {"b": 2}),
    "deque": lambda: deque((1, 2)),
    "range": lambda: range(10**9),
    "generator": lambda: (number for number in range(3)),
    "dict view": {"a": 1}.keys,
    "dataclass": lambda: Point(1),
    "dataclass class": lambda: Point,
    "namespace": lambda: SimpleNamespace(a=1),
    "state": lambda: State("light.a", "on", {"b": {1}}),
    "state class": lambda: State,
    "exception": lambda: ValueError("bad"),
    "function": lambda: nested,
    "pattern": lambda: re.compile("a"),
    "path": lambda: PurePosixPath("/a"),
    "uuid": lambda: UUID(int=1),
    "ip address": lambda: ip_address("192.0.2.1"),
    "zone": lambda: ZoneInfo("Europe/Paris"),
    "ellipsis": lambda: ...,
    "unprintable": Unprintable,
    "no text": NoText,
    "broken as_dict": BrokenDict,
    "endless as_dict": Endless,
    "as_dict no method": lambda: SimpleNamespace(as_dict=7),
    "grumpy": Grumpy,
    "broken text": lambda: BrokenText("abc"),
    "broken list": lambda: BrokenList([1]),
    "broken mapping": BrokenMapping,
    "deep": lambda: nested(2_000),
    "cyclic list": cyclic_list,
    "cyclic dict": cyclic_dict,
    "cyclic dataclass": cyclic_point,
}

_HASHABLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(codec=None), max_size=20),
    st.binary(max_size=20),
    st.dates(),
    st.datetimes(timezones=st.sampled_from((None, UTC, ZoneInfo("Asia/Tokyo")))),
    st.timedeltas(),
    st.decimals(allow_nan=False),
    st.complex_numbers(),
    st.sampled_from((*Mode, *Level, *Word, *Feature)),
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.lists(inner, max_size=4)
    return st.one_of(
        lists,
        lists.map(tuple),
        lists.map(deque),
        st.dictionaries(_HASHABLE, inner, max_size=4),
        st.dictionaries(_HASHABLE, inner, max_size=4).map(MappingProxyType),
        st.frozensets(_HASHABLE, max_size=4),
        inner.map(lambda value: SimpleNamespace(as_dict=lambda: value)),
        inner.map(lambda value: Point(1, tags={"inner": value})),
    )


odd_values = st.recursive(
    st.one_of(_HASHABLE, st.sampled_from(list(ODD.values())).map(lambda make: make())),
    _containers,
    max_leaves=8,
)
