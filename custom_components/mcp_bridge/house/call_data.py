"""The texts in the data of a service call, however deep they are, and what they can mean."""

from collections.abc import Iterator, Mapping
import re
from typing import Any
from urllib.parse import unquote_plus

from homeassistant.helpers.template import Template

from ..errors import InvalidArguments

# More than any real call has. Beyond it the caller is at fault, or hostile.
MAX_DEPTH = 32
MAX_NODES = 20_000
# Characters in one text, and ids of entities and places.
MAX_TEXT = 100_000
MAX_IDS = 1_000

# Keys whose values are entity ids, by what services and script actions of Home Assistant call them.
_ENTITY_KEYS = frozenset(
    {"entity_id", "entity_ids", "entities", "group_members", "members"}
)
_ENTITY_KEY_ENDINGS = ("_entity_id", "_entity_ids", "_entities")
_ADDRESS_ENDS = re.compile(r"""[\s"'<>()]+""")
_ADDRESS_PARTS = re.compile(r"[^\w.-]+")
# Addresses may stand within addresses, encoded once more each.
_MOST_ENCODED = 4
_TEMPLATE_MARKS = ("{{", "{%", "{#")


def strings_of(data: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in data as (key, text), in order.

    The key is the nearest mapping key above the text; a mapping key is itself a text below the key of its mapping, as
    scenes have it: `entities: {light.kitchen: on}`. A template yields its source. Raises InvalidArguments for data
    that is deeper than `MAX_DEPTH` or has more than `MAX_NODES` parts, which includes data that contains itself.
    """
    stack: list[tuple[str, Any, int]] = [(key, data, 0)]
    nodes = 0
    while stack:
        key, value, depth = stack.pop()
        text = _text(value)
        nodes += 1 + (text.count(",") if text else 0)
        if depth > MAX_DEPTH or nodes + len(stack) > MAX_NODES:
            raise _too_much()
        if text is not None:
            yield key, text
        elif isinstance(value, Mapping):
            names = [_text(name) or "" for name in value]
            yield from ((key, name) for name in names if name)
            children = zip(names, value.values(), strict=True)
            stack += [(name, child, depth + 1) for name, child in children][::-1]
        elif isinstance(value, list | tuple | set | frozenset):
            stack += [(key, child, depth + 1) for child in value][::-1]


def pieces(text: str) -> Iterator[str]:
    """Yield the parts of a text between commas, as Home Assistant reads lists of ids; blanks around them dropped."""
    if "," not in text:
        text = text.strip()
        if text:
            yield text
        return
    for piece in text.split(","):
        if piece := piece.strip():
            yield piece


def address_pieces(text: str) -> Iterator[str]:
    """Yield the parts of the addresses in a text, decoded: "media-source://camera/camera.front", "/api/x?y=light%2Ea"."""
    if "/" not in text and "%" not in text:
        return
    for word in _ADDRESS_ENDS.split(text):
        address = word
        for _ in range(_MOST_ENCODED):
            if "/" in address:
                yield from (part.strip(".-") for part in _ADDRESS_PARTS.split(address))
            if "%" not in address:
                break
            address = unquote_plus(address)


def is_template(text: str) -> bool:
    """Tell whether a text has a Jinja template in it."""
    return any(mark in text for mark in _TEMPLATE_MARKS)


def has_template(data: Any) -> bool:
    """Tell whether any text in data, keys included, has a Jinja template in it."""
    return any(is_template(text) for _key, text in strings_of(data))


def means_entities(key: str) -> bool:
    """Tell whether the values of a key are entity ids."""
    return key in _ENTITY_KEYS or key.endswith(_ENTITY_KEY_ENDINGS)


def _text(value: Any) -> str | None:
    if isinstance(value, Template):
        return value.template
    return value if isinstance(value, str) else None


def _too_much() -> InvalidArguments:
    return InvalidArguments(
        f"The data is nested more than {MAX_DEPTH} levels deep or has more than {MAX_NODES} parts",
        "Split it into several smaller calls.",
    )
