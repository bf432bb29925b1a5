"""Whatever integrations put into an attribute comes out as plain JSON data."""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
import json
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given, settings
import pytest

from custom_components.mcp_bridge.house.storable import plain_text
from custom_components.mcp_bridge.tools.encoding import local_iso, to_plain
from homeassistant.util import dt as dt_util

from .odd_values import ODD, Level, Mode, Point, Word, braided, lattice, odd_values

PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations() -> None:
    """Nothing here needs Home Assistant to run."""


@pytest.fixture(autouse=True)
def zone() -> Iterator[None]:
    """Let Home Assistant stand in Paris."""
    before = dt_util.get_default_time_zone()
    dt_util.set_default_time_zone(PARIS)
    yield
    dt_util.set_default_time_zone(before)


def assert_plain(value: Any) -> None:
    """Check that a value is plain JSON data through and through, and small enough to be written out."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    assert json.loads(text.encode()) == value


@pytest.mark.parametrize("kind", ODD)
def test_every_odd_value_becomes_plain_data(kind: str) -> None:
    """No kind of value raises, or leaves anything behind that JSON does not know."""
    assert_plain(to_plain(ODD[kind]()))


@pytest.mark.parametrize("zone_name", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize("kind", ["first datetime", "last datetime"])
def test_moments_at_the_ends_of_time_fit_every_zone(kind: str, zone_name: str) -> None:
    """What cannot be moved into the house's zone is told all the same."""
    dt_util.set_default_time_zone(ZoneInfo(zone_name))

    moment = to_plain(ODD[kind]())

    assert isinstance(moment, str)
    assert moment[:4] in ("0001", "0000", "9999")


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_value_leaves_its_neighbours_alone(kind: str) -> None:
    """Its neighbours in a list and in a dict come out as ever."""
    plain = to_plain({"before": 1, "odd": ODD[kind](), "list": ["a", ODD[kind](), "b"]})

    assert isinstance(plain, dict)
    assert plain["before"] == 1
    assert isinstance(plain["list"], list)
    assert (plain["list"][0], plain["list"][-1]) == ("a", "b")


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(value=odd_values)
def test_any_mixture_of_odd_values_becomes_plain_data(value: Any) -> None:
    """Containers of odd values in whatever order are plain data in the end."""
    assert_plain(to_plain(value))


@pytest.mark.parametrize("unfolding", [braided, lattice])
def test_a_small_value_that_unfolds_without_end_is_cut(
    unfolding: Callable[[], Any],
) -> None:
    """Values that hold the same list again and again cost neither minutes nor gigabytes."""
    assert_plain(to_plain(unfolding()))


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (datetime(2026, 1, 15, 11, 0, tzinfo=UTC), "2026-01-15T12:00:00+01:00"),
        (datetime(2026, 7, 15, 11, 0, tzinfo=UTC), "2026-07-15T13:00:00+02:00"),
        (
            datetime(2026, 3, 29, 2, 30, tzinfo=ZoneInfo("Asia/Tokyo")),
            "2026-03-28T18:30:00+01:00",
        ),
        # The hour that comes twice in autumn: the offset tells which one is meant.
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "2026-10-25T02:30:00+02:00"),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "2026-10-25T02:30:00+01:00"),
        (date(2026, 4, 1), "2026-04-01"),
        (time(7, 30), "07:30:00"),
        (timedelta(minutes=1, milliseconds=5), 60.005),
        (Decimal("1.069"), 1.069),
        (Decimal(3), 3.0),
        (Decimal("NaN"), None),
        (float("nan"), None),
        (float("inf"), None),
        (2**63 - 1, 2**63 - 1),
        (-(2**63), -(2**63)),
        (2**63, "9223372036854775808"),
        (True, True),
        (Mode.FAST, 1),
        (Mode.PAIR, [1, "two"]),
        (Level.HIGH, 3),
        (Word.ON, "on"),
        (b"abc", "abc"),
        (b"\xff\xfe", "//4="),
        ({"b", "a"}, ["a", "b"]),
        ((1, (2,)), [1, [2]]),
        (MappingProxyType({"a": {1}}), {"a": [1]}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (deque((1, 2)), [1, 2]),
        ({"a": 1}.keys(), ["a"]),
        ({"a": 1}.values(), [1]),
        (object(), "(object)"),
        ({None: 1, 2: 2, True: 3, Word.ON: 4}, {"None": 1, "2": 2, "True": 3, "on": 4}),
    ],
)
def test_values_keep_their_meaning(value: Any, plain: Any) -> None:
    """Numbers stay numbers, times get the house's offset, sets an order."""
    converted = to_plain(value)

    assert converted == plain
    assert type(converted) is type(plain)


def test_a_dataclass_shows_its_fields() -> None:
    """Each field is converted like any other value."""
    assert to_plain(Point(1)) == {
        "x": 1,
        "when": "2026-01-02T04:04:00+01:00",
        "tags": {"a": 1},
    }


def test_half_a_surrogate_pair_is_replaced_and_the_rest_kept() -> None:
    """A text that could not be sent loses only what is broken in it."""
    assert plain_text("a\ud83db 🏠 é") == "a?b 🏠 é"
    assert to_plain({"\udc00key": "v\ud800"}) == {"?key": "v?"}


def test_moments_are_told_to_the_second_in_the_time_zone_of_the_house() -> None:
    """Summer and winter each have their offset."""
    assert local_iso(datetime(2026, 7, 1, 10, 0, 0, 999, tzinfo=UTC)) == (
        "2026-07-01T12:00:00+02:00"
    )
    assert local_iso(datetime(2026, 12, 1, 10, tzinfo=UTC)) == (
        "2026-12-01T11:00:00+01:00"
    )
