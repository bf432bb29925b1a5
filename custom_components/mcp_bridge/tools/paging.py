"""Lists in pages: the two parameters, and the page that they ask for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import probatio as vol

from .declaration import Call
from .envelope import Page
from .parameters import Parameter, Whole

_FURTHEST = 1_000_000


def offset_parameter() -> dict[vol.Marker, Parameter]:
    """Return the parameter to go on where a page has ended."""
    marker = vol.Optional("offset", description="next_offset of the previous page")
    return {marker: Whole(0, _FURTHEST)}


def page_parameters(usual: int, most: int) -> dict[vol.Marker, Parameter]:
    """Return the parameters for a list that gives `usual` items at a time, and `most` on request."""
    marker = vol.Optional("limit", description=f"{usual} unless told")
    return {marker: Whole(1, most), **offset_parameter()}


def page_of[Item](
    call: Call,
    matches: Sequence[Item],
    render: Callable[[Item], Any],
    usual: int | None = None,
    *,
    note: str | None = None,
    head: Mapping[str, Any] | None = None,
    key: str = "items",
) -> Page:
    """Return the page of a list that the call asks for; only its items are rendered.

    Without `usual` and a limit in the call, a page holds as much as fits into an answer.
    """
    offset: int = call.args.get("offset", 0)
    limit: int = call.args.get("limit", usual or len(matches))
    items = [render(match) for match in matches[offset : offset + limit]]
    return Page(items, len(matches), offset, note, head or {}, key)
