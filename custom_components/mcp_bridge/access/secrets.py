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


def masked(value: Any, key: str = "") -> Any:
    """Return data fit for a record: secrets masked, long texts and long lists cut."""
    if key and is_secret(key) and value not in (None, "", True, False):
        return MASK
    match value:
        case Mapping():
            members = list(value.items())[:_MOST_MEMBERS]
            return {str(name): masked(inner, str(name)) for name, inner in members}
        case list() | tuple() | set() | frozenset():
            return [masked(inner) for inner in list(value)[:_MOST_MEMBERS]]
        case str():
            text = _BEARER.sub(MASK, value)
            return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"
        case None | bool() | int() | float():
            return value
        case _:
            return str(value)[:_LONGEST_TEXT]


def is_secret(key: str) -> bool:
    """Tell whether what stands under a key is a secret."""
    return key.lower() not in _PLAIN_KEYS and bool(_SECRET_KEY.search(key))
