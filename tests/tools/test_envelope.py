"""Answers stay within the limit and stay whole."""

import json
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.mcp_bridge.errors import TooLarge
from custom_components.mcp_bridge.tools.envelope import Page, fit, shorten_texts

_texts = st.text(max_size=300)
_plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _texts,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(_texts, inner, max_size=5)
    ),
    max_leaves=20,
)


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations() -> None:
    """Nothing here needs Home Assistant to run."""


def size(data: Any) -> int:
    """Return the length of the JSON text in UTF-8 bytes."""
    return len(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


def pages(items: list[Any], limit: int, **page: Any) -> list[dict[str, Any]]:
    """Follow next_offset from the first page to the last."""
    answers: list[dict[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        answer = fit(Page(items[offset:], len(items), offset, **page), limit)
        answers.append(answer)
        offset = answer.get("next_offset")
        assert len(answers) <= len(items) + 1, "the pages do not get on"
    return answers


def test_an_answer_that_fits_is_left_as_it_is() -> None:
    """Nothing is shortened without need."""
    result = {"text": "x" * 900, "number": 1}

    assert fit(result, 1_000) == result


def test_a_long_text_is_shortened_and_its_length_told() -> None:
    """The cut is as small as one of the steps allows."""
    data = fit({"long": "x" * 50_000, "short": "kept"}, 15_000)

    assert data == {"long": "x" * 2_000 + "… (50000 characters)", "short": "kept"}


def test_many_long_texts_are_shortened_more() -> None:
    """The steps go down until the whole fits."""
    data = fit({str(number): "é" * 3_000 for number in range(40)}, 15_000)

    assert size(data) <= 15_000
    assert set(data.values()) == {"é" * 100 + "… (3000 characters)"}


def test_what_cannot_be_shortened_enough_is_an_error_with_a_way_out() -> None:
    """Numbers are never cut."""
    with pytest.raises(TooLarge) as raised:
        fit({"numbers": list(range(10_000))}, 15_000)

    assert raised.value.hint


def test_shortening_never_splits_a_character() -> None:
    """Wide characters are counted and cut whole."""
    assert shorten_texts("🏠" * 5, 2) == "🏠🏠… (5 characters)"
    assert shorten_texts("🏠" * 2, 2) == "🏠🏠"


@settings(max_examples=100, deadline=None)
@given(
    items=st.lists(_plain, max_size=40),
    limit=st.integers(2_000, 8_000),
    note=st.none() | st.text(max_size=50),
)
def test_pages_lead_through_all_items_once(
    items: list[Any], limit: int, note: str | None
) -> None:
    """Wherever a page ends, the next one goes on with the very next item."""
    try:
        answers = pages(items, limit, note=note, head={"of": "the house"})
    except TooLarge:
        assert any(size(shorten_texts(item, 100)) > limit - 300 for item in items)
        return

    assert [item for answer in answers for item in answer["items"]] == items
    assert all(size(answer) <= limit for answer in answers)
    assert all(answer["returned"] == len(answer["items"]) for answer in answers)
    assert [answer["has_more"] for answer in answers[:-1]] == [True] * (
        len(answers) - 1
    )
    assert not answers[-1]["has_more"]


def test_a_page_is_filled_until_the_limit() -> None:
    """Not one more of the items would have gone in."""
    item = "x" * 97
    first, *_ = pages([item] * 1_000, 15_000)

    assert 15_000 - size(first) < 300
    assert first["total"] == 1_000
    assert first["next_offset"] == first["returned"]


def test_the_numbers_of_a_page_never_push_it_over_the_limit() -> None:
    """Room for long counts is kept, whatever the items weigh."""
    for weight in range(80, 110):
        items = ["x" * weight] * 500
        page = Page(items, 999_999, 499_000, "n" * 90, {"head": "h" * 90}, "services")
        assert size(fit(page, 3_000)) <= 3_000


def test_a_long_text_in_the_middle_of_a_list_waits_for_the_next_page() -> None:
    """Where it is first it is shortened, and nothing else is."""
    items = [{"n": "a" * 50}, {"n": "b" * 9_000}, {"n": "c" * 90_000}, {"n": "d" * 50}]
    first, second = pages(items, 10_000)

    assert first["items"] == items[:2]
    assert second["items"] == [{"n": "c" * 2_000 + "… (90000 characters)"}, items[3]]


@pytest.mark.parametrize("empty", [None, "", 0, False, [], {}])
def test_an_item_that_is_nothing_is_an_item_all_the_same(empty: Any) -> None:
    """Prices of hours that are not known yet are null, in the middle of a list as at its start."""
    assert [answer["items"] for answer in pages([empty, 1, empty, 2], 1_000)] == [
        [empty, 1, empty, 2]
    ]


def test_an_item_that_fits_on_no_page_is_named_and_the_pages_go_on() -> None:
    """It is never left out in silence, and what comes behind it can be reached."""
    huge = {"name": "Huge", "data": list(range(10_000))}

    first, stub, last = [
        item for page in pages([1, huge, 3], 10_000) for item in page["items"]
    ]

    assert [first, last] == [1, 3]
    assert stub["name"] == "Huge"
    assert stub["error"]["code"] == "too_large"


def test_a_head_that_leaves_no_room_is_an_error() -> None:
    """The items are never dropped in favour of the head."""
    with pytest.raises(TooLarge):
        fit(Page([1], 1, head={"long": list(range(5_000))}), 10_000)


def test_an_empty_page_says_so() -> None:
    """Nothing found is an answer, not an error."""
    assert fit(Page([], 0, note="Nothing found."), 1_000) == {
        "items": [],
        "returned": 0,
        "total": 0,
        "has_more": False,
        "note": "Nothing found.",
    }


def test_a_page_behind_the_end_is_empty_and_the_last() -> None:
    """An offset that is too far leads nowhere, and says so."""
    data = fit(Page([], 3, 7), 1_000)

    assert (data["items"], data["total"], data["has_more"]) == ([], 3, False)
    assert "next_offset" not in data
