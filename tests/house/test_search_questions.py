"""People ask whole questions: what is found when some of the words name nothing."""

import pytest

from custom_components.mcp_bridge.house.search import PARTIAL, SearchIndex

from .test_search import entity, index_of


@pytest.fixture(name="index")
def fixture_index() -> SearchIndex:
    """A few things of a house."""
    return index_of(
        entity("cover.hall_window", "Hall window"),
        entity("lock.front", "Front door", places=("Hallway",)),
        entity("sensor.bedroom", "Bedroom climate", kinds=("temperature",)),
        entity("light.opener", "Opener lamp"),
    )


@pytest.mark.parametrize(
    ("query", "first", "left_out"),
    [
        ("hall window", "cover.hall_window", ()),
        ("open window", "cover.hall_window", ("open",)),
        ("is the front door locked?", "lock.front", ("is", "locked")),
        ("what is the temperature in the bedroom", "sensor.bedroom", ("what", "is")),
        ("ist das hall window offen", "cover.hall_window", ("ist", "offen")),
        ("bedroom xyzzy", "sensor.bedroom", ("xyzzy",)),
    ],
)
def test_words_that_name_nothing_are_left_out(
    index: SearchIndex, query: str, first: str, left_out: tuple[str, ...]
) -> None:
    """They are told, and the score says that the hit is not whole."""
    finding = index.find(query)

    assert finding.hits[0].key == first
    assert finding.left_out == left_out
    assert (finding.hits[0].score <= PARTIAL) == bool(left_out)


@pytest.mark.parametrize(
    "query", ["xyzzy qwrtp", "open", "what is on", "", "🦄", "bedroom window"]
)
def test_nothing_is_found_where_nothing_is_meant(
    index: SearchIndex, query: str
) -> None:
    """Not for nonsense, not for a question about nothing, and not for things that do not go together."""
    finding = index.find(query)

    assert [hit.key for hit in finding.hits if hit.key != "light.opener"] == []
    assert finding.left_out == () or finding.hits


def test_rejected_entities_leave_no_word_behind(index: SearchIndex) -> None:
    """A word that only a rejected entity meets is left out like one that nothing meets."""
    hidden = index.find("bedroom window", lambda key: key != "sensor.bedroom")
    without = index_of(entity("cover.hall_window", "Hall window"))

    assert hidden.left_out == without.find("bedroom window").left_out == ("bedroom",)
    assert [hit.key for hit in hidden.hits] == ["cover.hall_window"]
