"""Takes the ids of hidden entities out of data that tells of other things."""

from typing import Any

from ..access.view import HouseView
from .encoding import Plain


def scrubbed(view: HouseView, value: Plain) -> Plain:
    """Return the data as the caller may see it; lists and objects lose the members that are nothing but a hidden id."""
    if view.sees_all:
        return value
    match value:
        case str():
            return view.scrub(value)
        case list():
            return [scrubbed(view, item) for item in value if not is_hidden(view, item)]
        case dict():
            return {
                view.scrub(key): scrubbed(view, item)
                for key, item in value.items()
                if not is_hidden(view, key)
            }
        case _:
            return value


def is_hidden(view: HouseView, value: Any) -> bool:
    """Tell whether a value is nothing but the id of a hidden entity."""
    return isinstance(value, str) and view.hides(value.lower())
