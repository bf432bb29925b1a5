"""One call of a tool that changes something, from its arguments to its record."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic
from typing import Any, Protocol

from homeassistant.core import Context

from ...models import Caller, Kind
from ..canonical import fingerprint
from .plan import Plan
from .tickets import Ticket


class Reply(StrEnum):
    """What a person answered."""

    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked; `ticket` comes back with an answer that arrives in a call of its own."""

    message: str
    ticket: str


class AskFirst(Exception):
    """The call ends here: the client is to put a question to its user, and to call again with the answer."""

    def __init__(self, question: Question) -> None:
        """Hold the question."""
        super().__init__(question.message)
        self.question = question


class CannotAsk(Exception):
    """The client said that it can ask its user, and cannot."""


class Asker(Protocol):
    """A client that can ask its user."""

    @property
    def answered(self) -> tuple[str, Reply] | None:
        """The ticket of a question that this call brings the answer to, and the answer."""

    async def ask(self, question: Question, seconds: float) -> Reply:
        """Return what the user says, or raise AskFirst or CannotAsk."""


@dataclass(slots=True)
class Attempt:
    """What is known of a call; the guard adds the plan, and how the call went on."""

    caller: Caller
    tool: str
    toolset: str
    kind: Kind
    args: Mapping[str, Any]
    dry_run: bool = False
    confirm_token: str | None = None
    asker: Asker | None = None
    started: float = field(default_factory=monotonic)
    # What it is about, in a few words: while there is no plan yet, the service that was named.
    about: str = ""
    plan: Plan | None = None
    ticket: Ticket | None = None
    context: Context | None = None
    # Whether a person had to agree, and did; and whether the change was begun.
    confirmed: bool = False
    executed: bool = False

    @property
    def call_hash(self) -> str:
        """A hash of who calls what with which arguments; what confirms a call is none of them."""
        caller = (self.caller.user.id, self.caller.credential, self.caller.client)
        return fingerprint([*caller, self.tool, self.args])

    @property
    def client_key(self) -> str:
        """What tells one client from another, where clients are counted."""
        return self.caller.client or self.caller.credential or self.caller.user.id
