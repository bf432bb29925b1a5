"""Step 6: not too many changes in a minute. Only what is really done counts."""

from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from time import monotonic

from ..options import AccessOptions
from ..refusals import Refusal, Rule

_WINDOW_SECONDS = 60
# Keys that are kept: targets and clients that were busy within the last minutes.
_MOST_KEYS = 1_000
# Dry runs, refusals and questions for each change that is possible.
_ATTEMPTS_PER_WRITE = 10


class CapKind(StrEnum):
    """What is counted."""

    WRITE = "write"
    NOTIFICATION = "notification"
    ANNOUNCEMENT = "announcement"
    # Calls of tools that change something, whatever comes of them.
    ATTEMPT = "attempt"


@dataclass(frozen=True, slots=True)
class Cap:
    """A limit that a change counts for: `key` is the client, or the target of a message."""

    kind: CapKind
    key: str


_WORDS = {
    CapKind.WRITE: "changes by this client",
    CapKind.NOTIFICATION: "messages to this target",
    CapKind.ANNOUNCEMENT: "announcements on this speaker",
    CapKind.ATTEMPT: "attempts by this client",
}


class Rates:
    """What was done within the last minute."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._done: OrderedDict[Cap, deque[float]] = OrderedDict()

    def check(self, caps: Iterable[Cap], options: AccessOptions) -> None:
        """Raise a Refusal if one of the limits is reached."""
        now = monotonic()
        for cap in caps:
            done = self._recent(cap, now)
            limit = _limit(cap.kind, options)
            if len(done) >= limit:
                wait = ceil(_WINDOW_SECONDS - (now - done[0])) if done else 0
                raise Refusal(
                    Rule.RATE_LIMIT,
                    f"There were {limit} {_WORDS[cap.kind]} within a minute, which is the limit.",
                    f"Wait {wait} seconds." if done else None,
                )

    def count(self, caps: Iterable[Cap]) -> None:
        """Note that something is done now."""
        now = monotonic()
        for cap in caps:
            self._done.setdefault(cap, deque()).append(now)
            self._done.move_to_end(cap)
        while len(self._done) > _MOST_KEYS:
            self._done.popitem(last=False)

    def _recent(self, cap: Cap, now: float) -> deque[float]:
        done = self._done.get(cap, deque[float]())
        while done and now - done[0] >= _WINDOW_SECONDS:
            done.popleft()
        return done


def _limit(kind: CapKind, options: AccessOptions) -> int:
    match kind:
        case CapKind.NOTIFICATION:
            return options.notification_limit
        case CapKind.ANNOUNCEMENT:
            return options.announcement_limit
        case CapKind.WRITE:
            return options.write_limit
        case CapKind.ATTEMPT:
            return options.write_limit * _ATTEMPTS_PER_WRITE
