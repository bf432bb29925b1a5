"""The errors that an assistant gets to see. Every message tells what to do next."""

from collections.abc import Collection, Iterable
from enum import StrEnum


class ErrorCode(StrEnum):
    """What kind of error it is, in a form that a client can branch on."""

    INVALID_ARGUMENTS = "invalid_arguments"
    NOT_FOUND = "not_found"
    NOT_ALLOWED = "not_allowed"
    CONFIRMATION_INVALID = "confirmation_invalid"
    CONFLICT = "conflict"
    UNAVAILABLE = "unavailable"
    RATE_LIMITED = "rate_limited"
    HOME_ASSISTANT_ERROR = "home_assistant_error"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    INTERNAL = "internal"


class BridgeError(Exception):
    """An error that is answered, never raised further; `hint` is the next step in one sentence."""

    code = ErrorCode.INTERNAL

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Hold the message and the hint."""
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_dict(self) -> dict[str, str]:
        """Return the error as it stands under "error" in an answer."""
        error = {"code": self.code.value, "message": self.message}
        if self.hint:
            error["hint"] = self.hint
        return error


class InvalidArguments(BridgeError):
    """The arguments do not fit the tool."""

    code = ErrorCode.INVALID_ARGUMENTS


class NotFound(BridgeError):
    """The thing does not exist, or the caller may not see it: the two are never told apart."""

    code = ErrorCode.NOT_FOUND


class NotAllowed(BridgeError):
    """The caller may not do this."""

    code = ErrorCode.NOT_ALLOWED


class Conflict(BridgeError):
    """Something else has changed meanwhile, or the same is being done already."""

    code = ErrorCode.CONFLICT


class Unavailable(BridgeError):
    """It is there, but does not answer."""

    code = ErrorCode.UNAVAILABLE


class TooLarge(BridgeError):
    """The answer does not fit the size limit, however it is shortened."""

    code = ErrorCode.TOO_LARGE


class Failed(BridgeError):
    """Home Assistant refused or failed; the message is its own."""

    code = ErrorCode.HOME_ASSISTANT_ERROR


class InternalError(BridgeError):
    """Our own fault. The log has the details under the reference that the message names."""

    code = ErrorCode.INTERNAL


def quoted(text: str, limit: int = 80) -> str:
    """Return what a caller sent, fit to stand in a message: in quotes, on one line, shortened, without odd characters."""
    shown = "".join(char if char.isprintable() else " " for char in text[:limit])
    return f"'{shown}…'" if len(text) > limit else f"'{shown}'"


def some_of(names: Iterable[str], most: int = 10, longest: int = 40) -> str:
    """Return the first of many names, each of them shortened, fit to stand in a message."""
    listed = list(names)
    shown = [quoted(name, longest).strip("'") for name in listed[:most]]
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(shown) + more


def did_you_mean(near: Collection[str]) -> str | None:
    """Return the question after near misses; None when there are none."""
    return f"Did you mean {' or '.join(near)}?" if near else None
