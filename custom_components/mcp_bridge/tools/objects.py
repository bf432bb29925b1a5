"""Parameter types that are objects: the target and the data of a service call."""

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

import probatio as vol

from homeassistant.const import (
    ATTR_AREA_ID,
    ATTR_DEVICE_ID,
    ATTR_ENTITY_ID,
    ATTR_FLOOR_ID,
    ATTR_LABEL_ID,
)
from homeassistant.util import slugify
from homeassistant.util.json import JSON_DECODE_EXCEPTIONS, json_loads

from ..errors import InvalidArguments
from ..house.call_data import strings_of
from .parameters import Name, Names, Parameter

# Bytes of data in one call: far more than any service takes.
_LONGEST_TEXT = 100_000
_MOST_IDS = 500


class Data:
    """An object with members of any kind; it may be written down as JSON, as some clients send it."""

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""
        return {"type": "object", "properties": {}}

    def __call__(self, value: Any) -> dict[str, Any]:
        """Return the object; what is nested too deep, or has too many parts, is refused before anything looks through it."""
        given = self._object(value)
        try:
            deque(strings_of(given), maxlen=0)
        except InvalidArguments as err:
            raise vol.Invalid(f"is too large: {err.message}") from None
        return given

    @staticmethod
    def _object(value: Any) -> dict[str, Any]:
        if isinstance(value, str):
            value = _read(value)
        if not isinstance(value, Mapping):
            raise vol.Invalid("expected an object")
        return {str(key): inner for key, inner in value.items()}


class Fields(Data):
    """An object with a few members that are known; one that is null is left out."""

    def __init__(self, fields: Mapping[str, tuple[str, Parameter]]) -> None:
        """Take the members, each with its description and its type."""
        self._fields = fields

    @property
    def members(self) -> Collection[str]:
        """The names of the members."""
        return self._fields.keys()

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""
        properties = {
            name: {**parameter.json_schema, "description": description}
            for name, (description, parameter) in self._fields.items()
        }
        return {"type": "object", "properties": properties}

    def __call__(self, value: Any) -> dict[str, Any]:
        """Return the members, each coerced."""
        given = self._object(value)
        coerced = {}
        for name, inner in given.items():
            if name not in self._fields:
                known = ", ".join(self._fields)
                raise vol.Invalid(f"has no member {name[:40]!r}; they are: {known}")
            if inner is not None:
                coerced[name] = self._fields[name][1](inner)
        return coerced


class Target(Fields):
    """What to act on: entities by id or name; everything else by id, name or alias. Entities alone may be given as text or list."""

    def __init__(self) -> None:
        """Set the members."""
        super().__init__(
            {
                ATTR_ENTITY_ID: (
                    "such as light.kitchen; several with commas",
                    Names(_MOST_IDS),
                ),
                ATTR_DEVICE_ID: ("device ids or names", Names(_MOST_IDS)),
                ATTR_AREA_ID: ("area ids or names", Names(_MOST_IDS)),
                ATTR_FLOOR_ID: ("floor ids or names", Names(_MOST_IDS)),
                ATTR_LABEL_ID: ("label ids or names", Names(_MOST_IDS)),
            }
        )

    def __call__(self, value: Any) -> dict[str, Any]:
        """Return the members, each a list."""
        is_text = isinstance(value, str) and not value.lstrip().startswith("{")
        if is_text or isinstance(value, list | tuple):
            value = {ATTR_ENTITY_ID: value}
        return super().__call__(value)


def _read(text: str) -> Any:
    if len(text) > _LONGEST_TEXT:
        raise vol.Invalid(f"is too long: at most {_LONGEST_TEXT} characters")
    try:
        return json_loads(text)
    except JSON_DECODE_EXCEPTIONS:
        raise vol.Invalid("expected an object") from None


class EntityOf(Name):
    """The id of an entity of one domain."""

    def __init__(self, domain: str) -> None:
        """Set the domain."""
        super().__init__()
        self._domain = domain

    def __call__(self, value: Any) -> str:
        """Return the id; the domain may be left out, and a name is taken for the id that is made of it."""
        entity_id = super().__call__(value)
        domain, dot, _ = entity_id.partition(".")
        if not dot:
            return f"{self._domain}.{slugify(entity_id)}"
        if domain != self._domain:
            raise vol.Invalid(f"must be an entity of the domain {self._domain}")
        return entity_id
