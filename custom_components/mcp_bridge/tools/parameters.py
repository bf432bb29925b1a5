"""Parameter types: each one coerces what models really send, and knows its own JSON schema.

The schemas keep to what every client reads (no `anyOf`, `format`, `pattern`, `default`, type lists …), so a value that
may come in several forms is declared in its plainest one, and the other forms are understood all the same: "20" for 20,
"true" for true, one text where a list is meant, several ids in one text.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Protocol

import probatio as vol

from ..errors import InvalidArguments, quoted

_AROUND_ITEMS = " \t\r\n\"'"
_TRUE = frozenset(("true", "yes", "on", "1"))
_FALSE = frozenset(("false", "no", "off", "0"))


class Parameter(Protocol):
    """A voluptuous validator that knows its JSON schema."""

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""

    def __call__(self, value: Any) -> Any:
        """Return the coerced value or raise vol.Invalid with what was expected."""


class Text:
    """Text of 1 to `longest` characters; blanks around it do not count."""

    def __init__(self, longest: int = 255) -> None:
        """Set the greatest length."""
        self._longest = longest

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""
        return {"type": "string"}

    def __call__(self, value: Any) -> str:
        """Return the text without blanks around it."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise vol.Invalid(f"expected text, got {_kind(value)}")
        text = value.strip()
        if not text:
            raise vol.Invalid("must not be empty")
        if len(text) > self._longest:
            raise vol.Invalid(
                f"is too long: {len(text)} characters, at most {self._longest}"
            )
        return text


class Name(Text):
    """Text that names something of Home Assistant's, in lower case: a domain, an id."""

    def __call__(self, value: Any) -> str:
        """Return the name in lower case."""
        return super().__call__(value).lower()


class Whole:
    """A whole number within bounds, both included."""

    def __init__(self, least: int, most: int) -> None:
        """Set the bounds."""
        self._least = least
        self._most = most

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""
        return {"type": "integer", "minimum": self._least, "maximum": self._most}

    def __call__(self, value: Any) -> int:
        """Return the number; "20" and 20.0 are 20."""
        number = _whole(value)
        if number is None:
            raise vol.Invalid(f"expected a whole number, got {_kind(value)}")
        if not self._least <= number <= self._most:
            raise vol.Invalid(f"must be from {self._least} to {self._most}")
        return number


class Flag:
    """True or false."""

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""
        return {"type": "boolean"}

    def __call__(self, value: Any) -> bool:
        """Return the flag; the usual words for it are understood."""
        if isinstance(value, bool):
            return value
        word = str(value).strip().lower() if isinstance(value, str | int) else ""
        if word in _TRUE or word in _FALSE:
            return word in _TRUE
        raise vol.Invalid(f"expected true or false, got {_kind(value)}")


class OneOf:
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        """Set the words, all in lower case."""
        self._words = words

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""
        return {"type": "string", "enum": list(self._words)}

    def __call__(self, value: Any) -> str:
        """Return the word; case does not matter."""
        word = Text()(value).lower()
        if word not in self._words:
            raise vol.Invalid(f"{quoted(word)} is none of: {', '.join(self._words)}")
        return word


class ListOf:
    """A list of one parameter type; one value alone, or several in one text with commas between, are a list too."""

    def __init__(self, item: Parameter, most: int) -> None:
        """Set the type of the items and how many there may be."""
        self._item = item
        self._most = most

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""
        return {
            "type": "array",
            "items": self._item.json_schema,
            "maxItems": self._most,
        }

    def __call__(self, value: Any) -> list[Any]:
        """Return the items in order, each once."""
        # Counted before anything is done with them, because there may be any number.
        if isinstance(value, str) and value.count(",") > self._most * 10:
            raise self._too_many(value.count(",") + 1)
        if isinstance(value, list | tuple) and len(value) > self._most * 10:
            raise self._too_many(len(value))
        items = self._items(value)
        if not items:
            raise vol.Invalid("must not be empty")
        if len(items) > self._most:
            raise self._too_many(len(items))
        return list(dict.fromkeys(self._item(item) for item in items))

    def _too_many(self, count: int) -> vol.Invalid:
        return vol.Invalid(f"has {count} items, at most {self._most} are possible")

    def _items(self, value: Any) -> list[Any]:
        if isinstance(value, str):
            # A list that was written down as JSON reads the same once its brackets and quotes are gone.
            parts = value.strip().removeprefix("[").removesuffix("]").split(",")
            return [
                item for item in (part.strip(_AROUND_ITEMS) for part in parts) if item
            ]
        if not isinstance(value, list | tuple):
            return [value]
        return [
            part
            for item in value
            for part in (self._items(item) if isinstance(item, str) else [item])
        ]


class Names(ListOf):
    """One name or several. Declared as a text, because one is the common case."""

    def __init__(self, most: int) -> None:
        """Set how many names there may be."""
        super().__init__(Name(), most)

    @property
    def json_schema(self) -> dict[str, Any]:
        """JSON schema of one value."""
        return {"type": "string"}


def input_schema(schema: vol.Schema) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments."""
    converted: dict[str, Any] = vol.to_openapi(
        schema, custom_serializer=_serialize, openapi_version="3.1.0"
    )
    wanted = {"type": "object", "properties": converted.get("properties", {})}
    if required := converted.get("required"):
        wanted["required"] = required
    return wanted


def validate(schema: vol.Schema, arguments: Any) -> dict[str, Any]:
    """Return the coerced arguments, or raise one InvalidArguments that names the argument and what to do."""
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise InvalidArguments(
            f"The arguments must be an object, got {_kind(arguments)}."
        )
    known = {str(marker): parameter for marker, parameter in schema.schema.items()}
    for argument in arguments:
        if argument not in known:
            raise _unknown(str(argument), known)
    # An argument that is sent as null was left out.
    given = {name: value for name, value in arguments.items() if value is not None}
    try:
        validated: dict[str, Any] = schema(given)
    except vol.Invalid as err:
        raise _invalid(err) from None
    return validated


def _invalid(err: vol.Invalid) -> InvalidArguments:
    first = err.errors[0] if isinstance(err, vol.MultipleInvalid) else err
    argument = quoted(str(first.path[0])) if first.path else "?"
    if isinstance(first, vol.RequiredFieldInvalid):
        return InvalidArguments(f"The argument {argument} is missing.")
    return InvalidArguments(f"The argument {argument} {first.msg}.")


def _unknown(argument: str, known: Mapping[str, Any]) -> InvalidArguments:
    message = f"There is no argument {quoted(argument)}."
    if not known:
        return InvalidArguments(message, "This tool takes no arguments.")
    for name, parameter in known.items():
        if argument in getattr(parameter, "members", ()):
            return InvalidArguments(message, f"Put it into {name}.")
    if near := get_close_matches(argument.lower()[:64], list(known), n=1, cutoff=0.5):
        return InvalidArguments(message, f"Did you mean {near[0]}?")
    return InvalidArguments(message, f"The arguments are: {', '.join(known)}")


def _serialize(value: Any) -> Any:
    # A copy each time: the conversion writes the description into what it gets.
    return dict(value.json_schema) if hasattr(value, "json_schema") else vol.UNSUPPORTED


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        # Long digit strings are no limits or offsets, and slow to convert.
        number = (
            float(value) if not isinstance(value, str) or len(value) <= 20 else None
        )
    except ValueError, OverflowError:
        return None
    return int(number) if number is not None and number.is_integer() else None


def _kind(value: Any) -> str:
    """Return what a value is, in the words of JSON."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return f"the number {value}"[:40]
        case str():
            return quoted(value, 40)
        case list() | tuple():
            return "a list"
        case _:
            return "an object"
