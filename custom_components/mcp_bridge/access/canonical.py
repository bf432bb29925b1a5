"""One text, and one hash, for all spellings of the same arguments."""

import hashlib
import json
from typing import Any


def fingerprint(value: Any) -> str:
    """Return a hash of JSON data: equal for equal data whatever the order of the keys, and different for different data.

    20 and 20.0 are one number in JSON, while true and 1, or 1 and "1", are not the same.
    """
    text = json.dumps(_normal(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _normal(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {str(key): _normal(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_normal(inner) for inner in value]
        case set() | frozenset():
            return sorted(map(str, value))
        case None | bool() | int() | float() | str():
            return value
        case _:
            return [type(value).__name__, str(value)]
