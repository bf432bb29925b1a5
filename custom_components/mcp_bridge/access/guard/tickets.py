"""Confirm tokens: each stands for one preview, and is good for one execution of exactly that.

They are kept in memory only: after a restart every one of them is unknown, and the change is previewed anew.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
import hmac
import secrets
from time import monotonic
from typing import Any

LIFETIME_SECONDS = 300
# Tokens that are pending, and answers that are kept for calls that are repeated: altogether, and of one client.
_MOST = 100
_MOST_OF_CLIENT = 20


class Way(StrEnum):
    """How the person is asked: a token that was made for one way is worth nothing on another."""

    TOKEN = "token"
    ELICITATION = "elicitation"


class Verdict(StrEnum):
    """What a presented token is worth."""

    GOOD = "good"
    UNKNOWN = "unknown"
    EXPIRED = "expired"
    MISMATCH = "made for something else"


@dataclass(frozen=True, slots=True)
class Binding:
    """What a token is bound to: the caller, the tool and its arguments; and what the change touches."""

    call: str
    plan: str


@dataclass(slots=True)
class Ticket:
    """A token; once it is used, `answer` becomes what came of it."""

    token: str
    binding: Binding
    way: Way
    client: str = ""
    issued: float = field(default_factory=monotonic)
    answer: asyncio.Future[Mapping[str, Any]] | None = None

    @property
    def has_expired(self) -> bool:
        """Whether it is too old."""
        return monotonic() - self.issued > LIFETIME_SECONDS


class Tickets:
    """The tokens that are pending or were used a moment ago."""

    def __init__(self) -> None:
        """Start with none."""
        self._tickets: OrderedDict[str, Ticket] = OrderedDict()

    def issue(self, binding: Binding, way: Way, client: str) -> str:
        """Return a new token; the oldest one ends when there are too many, that of the same client first."""
        ticket = Ticket(secrets.token_urlsafe(16), binding, way, client)
        self._tickets[ticket.token] = ticket
        own = [other for other in self._tickets.values() if other.client == client]
        for oldest in own[: max(len(own) - _MOST_OF_CLIENT, 0)]:
            del self._tickets[oldest.token]
        while len(self._tickets) > _MOST:
            self._tickets.popitem(last=False)
        return ticket.token

    def used(self, token: str, call: str) -> Ticket | None:
        """Return the ticket of a token that the very same call has used already."""
        ticket = self._find(token)
        if ticket is None or ticket.answer is None:
            return None
        return ticket if hmac.compare_digest(ticket.binding.call, call) else None

    def redeem(
        self, token: str, binding: Binding, way: Way
    ) -> tuple[Verdict, Ticket | None]:
        """Use a token up, whatever it is worth; only a good one comes with its ticket."""
        ticket = self._find(token)
        if ticket is None or ticket.way is not way or ticket.answer is not None:
            return Verdict.UNKNOWN, None
        if ticket.has_expired or ticket.binding != binding:
            del self._tickets[ticket.token]
            return (Verdict.EXPIRED if ticket.has_expired else Verdict.MISMATCH), None
        ticket.answer = asyncio.get_running_loop().create_future()
        return Verdict.GOOD, ticket

    def _find(self, token: str) -> Ticket | None:
        """Return a ticket; how long it takes does not tell how much of a token was right."""
        presented = token.encode(errors="surrogatepass")
        found = None
        for ticket in self._tickets.values():
            if hmac.compare_digest(ticket.token.encode(), presented):
                found = ticket
        return found
