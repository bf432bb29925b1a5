"""Near misses, for "did you mean"."""

import time

import pytest

from custom_components.mcp_bridge.house.nearest import nearest

NAMES = ("Kitchen", "Salle à manger", "Living room", "Bedroom", "Bathroom", "Attic")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("kitchn", "Kitchen"),
        ("KITCHEN", "Kitchen"),
        ("kicthen", "Kitchen"),
        ("salle a manger", "Salle à manger"),
        ("Salle a\u0300 mangé", "Salle à manger"),
        ("room living", "Living room"),
        ("the attic", "Attic"),
    ],
)
def test_near_name_comes_first(text: str, name: str) -> None:
    """Typos, case, accents and the order of words do not hide it."""
    assert nearest(text, NAMES)[0] == name


@pytest.mark.parametrize("text", ["", " ", "garage", "xyzzy", "客厅", "🦄", "1234567"])
def test_another_word_is_near_to_nothing(text: str) -> None:
    """Suggesting something unlike would mislead."""
    assert nearest(text, NAMES) == []


def test_at_most_as_many_as_wanted() -> None:
    """Three are enough for a hint, unless asked otherwise."""
    names = [f"Bedroom {number}" for number in range(10)]

    assert len(nearest("bedroom", names)) == 3
    assert len(nearest("bedroom", names, limit=1)) == 1


def test_equally_near_names_keep_their_order() -> None:
    """The same question gets the same answer."""
    names = [f"Bedroom {number}" for number in range(10)]

    assert nearest("bedroom", names) == names[:3]


def test_no_names_nothing_near() -> None:
    """An empty house suggests nothing; any iterable will do."""
    assert nearest("kitchen", ()) == []
    assert nearest("kitchen", iter(NAMES)) == ["Kitchen"]


def test_very_long_text_is_cut() -> None:
    """Whatever is sent in costs little."""
    started = time.process_time()

    assert nearest("k" * 1_000_000, NAMES * 100) == []

    assert time.process_time() - started < 0.5
