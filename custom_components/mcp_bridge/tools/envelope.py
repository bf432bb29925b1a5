"""Answers within the size limit: always whole, valid JSON; a list page ends where the limit is reached."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.helpers.json import json_bytes

from ..errors import ErrorCode, TooLarge
from .encoding import Plain, to_plain

# Texts are shortened to these lengths, one after the other, until the answer fits.
_TEXT_LENGTHS = (2_000, 500, 100)
# Room for the numbers of a page: returned, total, has_more, next_offset.
_COUNTS_BYTES = 120
_NO_ROOM = object()

type Clean = Callable[[Plain], Plain]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """An item that gives back what the caller sent, which is not to be cleaned: that would tell what is hidden."""

    value: dict[str, Any]


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


def fit(
    result: Mapping[str, Any] | Page, limit: int, clean: Clean = lambda plain: plain
) -> dict[str, Any]:
    """Return the answer as plain JSON data of at most `limit` bytes, or raise TooLarge.

    `clean` takes out of the plain data what the caller may not see, before anything is shortened.
    """
    if isinstance(result, Page):
        return _fit_page(result, limit, clean)
    plain = clean(to_plain(result))
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


def _fit_page(result: Page, limit: int, clean: Clean) -> dict[str, Any]:
    head, note = clean(to_plain(result.head)), clean(to_plain(result.note))
    left = limit - len(json_bytes({"head": head, "note": note})) - _COUNTS_BYTES
    items: list[Plain] = []
    for item in result.items:
        is_verbatim = isinstance(item, Verbatim)
        plain = to_plain(item.value) if is_verbatim else clean(to_plain(item))
        fitting = _fit_item(plain, left, is_first=not items)
        if fitting is _NO_ROOM:
            break
        items.append(fitting)
        left -= len(json_bytes(fitting)) + 1
    return _page_data(result, head, note, items)


def _fit_item(item: Plain, left: int, *, is_first: bool) -> Any:
    """Return the item, shortened if it has a page to itself; what still does not fit is named, so that pages go on."""
    for longest in (None, *_TEXT_LENGTHS) if is_first else (None,):
        shortened = item if longest is None else shorten_texts(item, longest)
        if len(json_bytes(shortened)) <= left:
            return shortened
    if not is_first:
        return _NO_ROOM
    stub = _stub(item)
    if len(json_bytes(stub)) > left:
        raise TooLarge("The answer is too large.", "Ask for less: narrow it down.")
    return stub


def _stub(item: Plain) -> Plain:
    """Return what stands for an item that does not fit into any answer: its short texts, and that it is too large."""
    texts = item if isinstance(item, dict) else {}
    names = {
        key: text
        for key, text in list(texts.items())[:5]
        if isinstance(text, str) and len(text) < 100
    }
    return {
        **names,
        "error": {
            "code": ErrorCode.TOO_LARGE.value,
            "message": "This item is too large for an answer.",
        },
    }


def _page_data(
    result: Page, head: Plain, note: Plain, items: list[Plain]
) -> dict[str, Any]:
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
    if note:
        data["note"] = note
    return data
