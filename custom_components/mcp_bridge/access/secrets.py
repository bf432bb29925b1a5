"""Keeps codes, passwords and tokens out of records and of what is shown to people."""

from collections.abc import Mapping
import re
from typing import Any

MASK = "***"
_SECRET_KEY = re.compile(
    r"code|pin(?![a-z])|passw|passphrase|token|secret|api_?key|credential|auth|bearer",
    re.IGNORECASE,
)
# Codes that are words of Home Assistant, not secrets.
_PLAIN_KEYS = frozenset(
    ("codec", "code_format", "country_code", "language_code", "postcode", "status_code")
)
_BEARER = re.compile(r"\b(bearer\s+|eyJ|mcpb_)[\w\-.~+/=]{8,}", re.IGNORECASE)
# Characters of a text in a record, and members of a list or an object.
_LONGEST_TEXT = 500
_MOST_MEMBERS = 50
# Objects and lists inside one another; integers of JSON as Home Assistant stores it.
_DEEPEST = 20
_MOST_INTEGER = 2**63


def masked(value: Any, key: str = "", depth: int = 0) -> Any:
    """Return data fit for a record: secrets masked, what is long, deep or cannot be stored cut."""
    if key and is_secret(key) and value not in (None, "", True, False):
        return MASK
    if depth > _DEEPEST:
        return "…"
    match value:
        case Mapping():
            members = list(value.items())[:_MOST_MEMBERS]
            return {
                _text(str(name)): masked(inner, str(name), depth + 1)
                for name, inner in members
            }
        case list() | tuple() | set() | frozenset():
            members = list(value)[:_MOST_MEMBERS]
            return [masked(inner, depth=depth + 1) for inner in members]
        case str():
            return _text(_BEARER.sub(MASK, value))
        case int() if abs(value) >= _MOST_INTEGER:
            return "…"
        case None | bool() | int() | float():
            return value
        case _:
            return _text(str(value))


def _text(text: str) -> str:
    """Return a text with an end; half a character, which some clients send, can be stored nowhere."""
    cut = text[:_LONGEST_TEXT].encode(errors="replace").decode()
    return cut if len(text) <= _LONGEST_TEXT else f"{cut}…"


def is_secret(key: str) -> bool:
    """Tell whether what stands under a key is a secret."""
    return key.lower() not in _PLAIN_KEYS and bool(_SECRET_KEY.search(key))
