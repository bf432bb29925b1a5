"""Pages: the two parameters, and what is rendered for them."""

from collections.abc import Mapping
from typing import Any, cast

import probatio as vol
import pytest

from custom_components.mcp_bridge.tools.declaration import Call
from custom_components.mcp_bridge.tools.paging import (
    offset_parameter,
    page_of,
    page_parameters,
)
from homeassistant.core import HomeAssistant


def call_with(hass: HomeAssistant, **arguments: Any) -> Call:
    """Return a call; the list decides on its page by the arguments alone."""
    nothing = cast(Any, None)
    return Call(hass, nothing, arguments, nothing, nothing, nothing, nothing)


def rendered(hass: HomeAssistant, usual: int | None = None, **arguments: Any) -> Any:
    """Return the page of the numbers from 0 to 9."""
    return page_of(call_with(hass, **arguments), range(10), str, usual)


@pytest.mark.parametrize(
    ("usual", "arguments", "items"),
    [
        (None, {}, "0123456789"),
        (None, {"offset": 8}, "89"),
        (4, {}, "0123"),
        (4, {"offset": 4}, "4567"),
        (4, {"offset": 8}, "89"),
        (4, {"limit": 6}, "012345"),
        (4, {"limit": 2, "offset": 9}, "9"),
        (4, {"offset": 10}, ""),
        (4, {"offset": 1_000_000}, ""),
    ],
)
async def test_a_page_holds_what_the_call_asks_for(
    hass: HomeAssistant, usual: int | None, arguments: Mapping[str, int], items: str
) -> None:
    """From the offset on, as many as wanted; the total is that of the whole list."""
    page = rendered(hass, usual, **arguments)

    assert "".join(page.items) == items
    assert (page.total, page.offset) == (10, arguments.get("offset", 0))


async def test_only_the_items_of_the_page_are_rendered(hass: HomeAssistant) -> None:
    """A page of a list of thousands costs no more than a page."""
    seen: list[int] = []

    page_of(call_with(hass, limit=3, offset=500), range(5_000), seen.append)

    assert seen == [500, 501, 502]


async def test_an_empty_list_gives_an_empty_page(hass: HomeAssistant) -> None:
    """With the note of the tool."""
    page = page_of(call_with(hass), [], str, note="Nothing.")

    assert (page.items, page.total, page.note) == ([], 0, "Nothing.")


@pytest.mark.parametrize(
    "arguments",
    [
        {"limit": 0},
        {"limit": 201},
        {"offset": -1},
        {"offset": 1_000_001},
        {"limit": "all"},
        {"offset": None},
    ],
)
def test_limits_and_offsets_have_bounds(arguments: Mapping[str, Any]) -> None:
    """What is out of bounds is refused, never silently clipped."""
    with pytest.raises(vol.Invalid):
        vol.Schema({**page_parameters(50, 200)})(arguments)


def test_limit_and_offset_are_described() -> None:
    """A list without a limit of its own can still be read on."""
    assert [str(marker) for marker in page_parameters(50, 200)] == ["limit", "offset"]
    assert [str(marker) for marker in offset_parameter()] == ["offset"]
