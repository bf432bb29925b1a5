"""Step 10: what was done can be undone where there is a way back, and every attempt is on record."""

from time import monotonic
from typing import Any

from homeassistant.core import Context, valid_entity_id
from homeassistant.util.ulid import ulid_now

from ...errors import BridgeError
from ...models import Kind
from ..audit import Audit, AuditRecord, now_text
from ..journal import Change, Journal
from ..refusals import Refusal
from ..rights import Rights
from ..secrets import masked
from .attempt import AskFirst, Attempt
from .plan import Undo

_MOST_TARGETS = 20
_LONGEST_SUMMARY = 200
NO_CLIENT = "an assistant"


class Recorder:
    """Writes audit and journal."""

    def __init__(self, audit: Audit, journal: Journal) -> None:
        """Hold both."""
        self.audit = audit
        self.journal = journal

    def announce(self, attempt: Attempt, rights: Rights) -> None:
        """Say that a change begins, with the context that it will have."""
        attempt.context = Context(user_id=attempt.caller.user.id)
        attempt.executed = True
        self.audit.announce(_record(attempt, rights, "started"), attempt.context)

    def add(self, attempt: Attempt, rights: Rights, outcome: str) -> None:
        """Put an attempt on record."""
        context = attempt.context or Context(user_id=attempt.caller.user.id)
        self.audit.add(
            _record(attempt, rights, outcome), context, executed=attempt.executed
        )

    def note_change(
        self,
        attempt: Attempt,
        rights: Rights,
        undo: Undo | None,
        made: tuple[str, ...],
    ) -> Change:
        """Put a change that was made into the journal, with the entities that are new."""
        change = Change(
            id=ulid_now().lower(),
            time=now_text(),
            **_who(attempt, rights),
            client_id=attempt.caller.client,
            tool=attempt.tool,
            summary=_summary(attempt),
            targets=(*made, *_targets(attempt)),
            undo={"kind": undo.kind, "data": dict(undo.data)} if undo else None,
        )
        self.journal.add(change)
        return change


def outcome_of(err: BaseException) -> str:
    """Return what an error means for the record."""
    match err:
        case AskFirst():
            return "confirm_requested"
        case Refusal():
            return f"refused:{err.rule}"
        case BridgeError():
            return f"refused:{err.code}"
        case _:
            return "error"


def _record(attempt: Attempt, rights: Rights, outcome: str) -> AuditRecord:
    return AuditRecord(
        time=now_text(),
        **_who(attempt, rights),
        tool=attempt.tool,
        summary=_summary(attempt),
        targets=_targets(attempt),
        outcome=outcome,
        duration=round(monotonic() - attempt.started, 3),
        arguments=masked(attempt.args),
        context=attempt.context.id if attempt.context else "",
    )


def _who(attempt: Attempt, rights: Rights) -> dict[str, Any]:
    user = attempt.caller.user
    return {
        "user": user.name or user.id,
        "user_id": user.id,
        "client": rights.client.name if rights.client else NO_CLIENT,
    }


def _summary(attempt: Attempt) -> str:
    summary = attempt.plan.summary if attempt.plan else attempt.about
    told: str = masked(summary or attempt.tool)
    return told[:_LONGEST_SUMMARY]


def _targets(attempt: Attempt) -> tuple[str, ...]:
    if attempt.plan is not None:
        return attempt.plan.targets[:_MOST_TARGETS]
    # A look through a camera has no plan.
    camera = attempt.args.get("entity_id") if attempt.kind is Kind.CAMERA else None
    return (camera,) if isinstance(camera, str) and valid_entity_id(camera) else ()
