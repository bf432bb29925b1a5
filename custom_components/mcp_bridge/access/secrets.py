"""Keeps codes, passwords and tokens out of records and of what is shown to people, and records at a size."""

from collections.abc import Mapping
import json
import re
from typing import Any

from ..house.storable import INTEGER_LIMIT, plain_text

MASK = "***"
_SECRET_KEY = re.compile(
    r"code|pin(?![a-z])|passw|passphrase|\bpass\b|pwd|psk|token|secret|api_?key|(^|_)key$|credential|auth|bearer|otp"
    r"|kennwort|mot_?de_?passe|contrase|senha",
    re.IGNORECASE,
)
# Words of Home Assistant in which such a part means nothing secret.
_PLAIN_KEYS = frozenset(
    (
        "author",
        "codec",
        "code_format",
        "country_code",
        "language_code",
        "postcode",
        "status_code",
    )
)
# Secrets within a text: tokens, what stands behind a name of one, and what is in an address before the @.
_SECRET_TEXT = re.compile(
    r"\b(bearer|basic)\s+[\w\-.~+/=]{6,}|\b(eyJ|mcpb_|ghp_|sk-|xox[abp]-)[\w\-.~+/=]{8,}"
    r"|\b(code|pin|passw\w*|pwd|token|secret|api_?key|key|auth)[\"\']?\s*[=:]\s*(\"[^\"]*\"?|\'[^\']*\'?|[^\s&\"\',;]+)"
    r"|(?<=://)[^\s/@]+@",
    re.IGNORECASE,
)
# Characters of a text in a record; members of a list or an object; objects and lists inside one another.
_LONGEST_TEXT = 500
_MOST_MEMBERS = 50
_DEEPEST = 20
# Characters of all texts of one record together, and its parts.
_MOST_CHARACTERS = 4_000
_MOST_PARTS = 500
_CUT = "…"


def masked(value: Any, key: str = "", *, in_texts: bool = True) -> Any:
    """Return data fit for a record: secrets masked, what is long, deep or cannot be stored cut, and no more than 4 kB.

    Without `in_texts` only what stands under the name of a secret is masked, so that texts can be read as they are.
    """
    return _Masking(in_texts=in_texts).value(value, key, 0)


def is_secret(key: str) -> bool:
    """Tell whether what stands under a key is a secret."""
    return key.lower() not in _PLAIN_KEYS and bool(_SECRET_KEY.search(key))


class _Masking:
    """One walk through a value, with what is left of its size."""

    def __init__(self, *, in_texts: bool) -> None:
        """Start with the whole size."""
        self._in_texts = in_texts
        self._characters = _MOST_CHARACTERS
        self._parts = _MOST_PARTS

    def value(self, value: Any, key: str, depth: int) -> Any:
        """Return a part of the value."""
        self._parts -= 1
        if key and is_secret(key) and value not in (None, "", True, False):
            return MASK
        if depth > _DEEPEST or self._parts < 0:
            return _CUT
        match value:
            case Mapping():
                members = list(value.items())[:_MOST_MEMBERS]
                return {
                    self._text(str(name)): self.value(inner, str(name), depth + 1)
                    for name, inner in members
                }
            case list() | tuple() | set() | frozenset():
                members = list(value)[:_MOST_MEMBERS]
                return [self.value(inner, "", depth + 1) for inner in members]
            case str():
                return self._text(value, depth)
            case int() if abs(value) >= INTEGER_LIMIT:
                return _CUT
            case None | bool() | int() | float():
                return value
            case _:
                return self._text(str(value))

    def _text(self, text: str, depth: int = _DEEPEST) -> str:
        """Return a text without secrets, and with an end. Objects are also sent written down as text."""
        longest = min(_LONGEST_TEXT, self._characters)
        if text.lstrip()[:1] in ("{", "[") and (inner := _parsed(text)) is not None:
            text = json.dumps(self.value(inner, "", depth + 1), ensure_ascii=False)
        cut = plain_text(text[: _LONGEST_TEXT * 2])
        if self._in_texts:
            cut = _SECRET_TEXT.sub(MASK, cut)
        cut = cut[:longest]
        self._characters -= len(cut)
        return cut if len(text) <= longest else f"{cut}{_CUT}"


def _parsed(text: str) -> Any:
    if len(text) > _MOST_CHARACTERS or text.count("[") + text.count("{") > _MOST_PARTS:
        return None
    try:
        return json.loads(text)
    except ValueError, RecursionError:
        return None
