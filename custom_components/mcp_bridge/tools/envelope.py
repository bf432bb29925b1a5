"""Answers within the size limit: always whole, valid JSON; a list page ends where the limit is reached."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.helpers.json import json_bytes

from ..errors import TooLarge
from .encoding import Plain, to_plain

# Texts are shortened to these lengths, one after the other, until the answer fits.
_TEXT_LENGTHS = (2_000, 500, 100)
# Room for the numbers of a page: returned, total, has_more, next_offset.
_COUNTS_BYTES = 120
_NO_ROOM = object()


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: the items from `offset` on, out of `total`.

    `head` stands before the items, which are listed under `key`.
    """

    items: list[Any]
    total: int
    offset: int = 0
    note: str | None = None
    head: Mapping[str, Any] = field(default_factory=dict)
    key: str = "items"


def fit(result: dict[str, Any] | Page, limit: int) -> dict[str, Any]:
    """Return the answer as plain JSON data of at most `limit` bytes, or raise TooLarge."""
    if isinstance(result, Page):
        return _fit_page(result, limit)
    plain: Plain = to_plain(result)
    for longest in (None, *_TEXT_LENGTHS):
        data = plain if longest is None else shorten_texts(plain, longest)
        if len(json_bytes(data)) <= limit and isinstance(data, dict):
            return data
    raise TooLarge(
        "The answer is too large.",
        "Ask for less: narrow it down, or take fewer things at once.",
    )


def shorten_texts(value: Plain, longest: int) -> Plain:
    """Return the value with every longer text cut, its original length told."""
    match value:
        case str() if len(value) > longest:
            return f"{value[:longest]}… ({len(value)} characters)"
        case list():
            return [shorten_texts(item, longest) for item in value]
        case dict():
            return {key: shorten_texts(item, longest) for key, item in value.items()}
        case _:
            return value


def _fit_page(result: Page, limit: int) -> dict[str, Any]:
    head = to_plain(result.head)
    left = limit - len(json_bytes({"head": head, "note": result.note})) - _COUNTS_BYTES
    items: list[Plain] = []
    for item in result.items:
        plain = to_plain(item)
        # Only the first item of a page is shortened: any other one fits better on the next page.
        lengths = (None, *_TEXT_LENGTHS) if not items else (None,)
        fitting = _fit_item(plain, left, lengths)
        if fitting is _NO_ROOM:
            break
        items.append(fitting)
        left -= len(json_bytes(fitting)) + 1
    if result.items and not items:
        raise TooLarge(
            "One item alone is too large for an answer.", "Ask for fewer of its fields."
        )
    return _page_data(result, head, items)


def _fit_item(item: Plain, left: int, lengths: tuple[int | None, ...]) -> Any:
    for longest in lengths:
        shortened = item if longest is None else shorten_texts(item, longest)
        if len(json_bytes(shortened)) <= left:
            return shortened
    return _NO_ROOM


def _page_data(result: Page, head: Plain, items: list[Plain]) -> dict[str, Any]:
    end = result.offset + len(items)
    data: dict[str, Any] = dict(head) if isinstance(head, dict) else {}
    data |= {
        result.key: items,
        "returned": len(items),
        "total": result.total,
        "has_more": end < result.total,
    }
    if data["has_more"]:
        data["next_offset"] = end
    if result.note:
        data["note"] = result.note
    return data
