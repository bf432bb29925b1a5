"""The guard itself: all steps, one after the other."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from homeassistant.core import HomeAssistant

from ...models import Kind
from ..audit import Audit
from ..control import AccessControl
from ..journal import Journal
from ..refusals import Refusal, Rule
from ..rights import Rights
from .attempt import Attempt
from .confirmation import Confirmation, why_confirm
from .execution import EXECUTE_SECONDS, Execution, Outcome, told_changes
from .permission import check_permission
from .plan import Action, Plan
from .preview import dry_run
from .rates import Cap, CapKind, Rates
from .record import Recorder, outcome_of
from .services import check_denylist, check_exists
from .tickets import Ticket

_UNKNOWN: Mapping[str, Any] = {
    "outcome": "unknown",
    "note": f"It was started and still runs after {EXECUTE_SECONDS:.0f} seconds. Do not repeat it: read the states of "
    "its targets to see how it goes on.",
}
_NOT_DONE: Mapping[str, Any] = {"outcome": "refused"}
_DONE_ALREADY = "This was done already with this confirmation; nothing was done again."


class WriteGuard:
    """The one way to change anything."""

    def __init__(
        self,
        hass: HomeAssistant,
        access: AccessControl,
        audit: Audit,
        journal: Journal,
    ) -> None:
        """Guard for all callers of `access`."""
        self._hass = hass
        self._access = access
        self._rates = Rates()
        self._confirmation = Confirmation(hass)
        self._execution = Execution(hass)
        self._recorder = Recorder(audit, journal)
        self.journal = journal

    async def async_stop(self) -> None:
        """Let what is being done get on record."""
        await self._execution.async_finish()

    @asynccontextmanager
    async def recorded(self, attempt: Attempt) -> AsyncIterator[None]:
        """Put an attempt on record in every outcome but those that the way to a change records itself.

        Somebody who tries without end is refused before that: the record is not theirs to fill.
        """
        cap = Cap(CapKind.ATTEMPT, attempt.client_key)
        self._rates.check((cap,), self._access.options)
        self._rates.count((cap,))
        try:
            yield
        except asyncio.CancelledError:
            # The client has gone. What was begun records itself when it ends.
            if not attempt.executed:
                self._record(attempt, "cancelled")
                _settle(attempt, _NOT_DONE)
            raise
        except BaseException as err:
            if not attempt.executed:
                self._record(attempt, outcome_of(err))
                _settle(attempt, _NOT_DONE)
            raise
        # Who looks through a camera changes nothing, so it has not been put on record on the way.
        if attempt.kind is Kind.CAMERA:
            self._record(attempt, "ok")

    async def run(self, action: Action, attempt: Attempt) -> Mapping[str, Any]:
        """Make a change, or raise what keeps it from being made. The answer is what the caller gets."""
        attempt.about = ", ".join(action.calls)
        used = self._confirmation.used_ticket(attempt)
        if used is not None and not attempt.dry_run:
            self._record(attempt, "repeated")
            return await _answer_again(used)
        plan = await self._checked(action, attempt)
        view, options = self._access.view(attempt.caller), self._access.options
        if attempt.dry_run:
            self._record(attempt, "dry_run")
            return dry_run(plan, view, why_confirm(self._hass, plan, options))
        answer = await self._confirmation.agree(attempt, plan, view, options)
        if answer is not None:
            self._record(attempt, "confirm_requested")
            return answer
        plan = await self._unchanged(plan, action, attempt)
        return await self._execute(action, plan, attempt)

    async def _checked(self, action: Action, attempt: Attempt) -> Plan:
        """Take the steps that may refuse; the caller's rights are those of this moment."""
        view = self._access.view(attempt.caller)
        for service in action.calls:
            check_exists(view, service)
        check_denylist(action.calls, self._access.options)
        try:
            plan = attempt.plan = await action.plan(self._hass, view)
        except Refusal as err:
            if err.rule is Rule.CHANGED_SINCE:
                # It tells values of others, which may name what is hidden.
                err.message = view.scrub(err.message)
            raise
        # Planning may have taken a while, so what is allowed is asked only now.
        rights = self._access.rights(attempt.caller)
        if not self._access.admits(attempt.caller) or not rights.offers(
            attempt.kind, attempt.toolset
        ):
            raise Refusal(Rule.USER_RIGHTS, "This is not allowed any more.")
        check_denylist(plan.services, self._access.options)
        check_permission(plan, rights, self._access.view(attempt.caller))
        self._rates.check(self._caps(plan, attempt), self._access.options)
        return plan

    async def _unchanged(self, plan: Plan, action: Action, attempt: Attempt) -> Plan:
        """Check again what a person had time to think about; it has to be the same as it was."""
        if not attempt.confirmed:
            return plan
        again = await self._checked(action, attempt)
        if again.fingerprint != plan.fingerprint:
            raise Refusal(
                Rule.CHANGED_SINCE,
                "What this touches has changed since it was asked about. Nothing was changed.",
                "Call again, to have it confirmed as it is now.",
            )
        return again

    async def _execute(
        self, action: Action, plan: Plan, attempt: Attempt
    ) -> Mapping[str, Any]:
        self._execution.check_idle(attempt)
        rights = self._access.rights(attempt.caller)
        self._rates.count(self._caps(plan, attempt))
        self._recorder.announce(attempt, rights)
        finish = partial(self._finish, action, plan, attempt, rights)
        answer = await self._execution.carry_out(action, plan, attempt, finish)
        if answer is None:
            self._recorder.add(attempt, rights, "unknown")
            answer = {"summary": plan.summary, **_UNKNOWN}
        return answer

    def _finish(
        self,
        action: Action,
        plan: Plan,
        attempt: Attempt,
        rights: Rights,
        outcome: Outcome | BaseException,
    ) -> Mapping[str, Any]:
        """Record what came of a change, and return the answer."""
        if isinstance(outcome, BaseException):
            self._recorder.add(attempt, rights, outcome_of(outcome))
            _settle(attempt, _NOT_DONE)
            return {}
        view = self._access.view(attempt.caller)
        # What is hidden from the caller is neither told nor the caller's to put back.
        changes = [
            change for change in outcome.changes if not view.hides(change.entity_id)
        ]
        undo = outcome.performed.undo or action.undo(self._hass, plan, changes)
        made = outcome.performed.made
        change = self._recorder.note_change(attempt, rights, undo, made)
        self._recorder.add(attempt, rights, "ok")
        answer: dict[str, Any] = {"outcome": "done", "summary": plan.summary}
        if changes:
            answer["entities"] = told_changes(changes, frozenset(plan.targets), view)
        if plan.skipped:
            answer["skipped_unavailable"] = list(plan.skipped)
        answer |= outcome.performed.result
        answer |= {"change_id": change.id, "can_be_undone": change.undo is not None}
        _settle(attempt, answer)
        return answer

    def _record(self, attempt: Attempt, outcome: str) -> None:
        self._recorder.add(attempt, self._access.rights(attempt.caller), outcome)

    @staticmethod
    def _caps(plan: Plan, attempt: Attempt) -> tuple[Cap, ...]:
        return (Cap(CapKind.WRITE, attempt.client_key), *plan.caps)


async def _answer_again(used: Ticket) -> Mapping[str, Any]:
    """Return what came of a call that was confirmed, and is made once more with the same confirmation."""
    assert used.answer is not None
    finished, _ = await asyncio.wait((used.answer,), timeout=EXECUTE_SECONDS)
    if not finished:
        return _UNKNOWN
    answer = used.answer.result()
    if answer == _NOT_DONE:
        raise Refusal(
            Rule.CONFIRMATION,
            "This confirmation was used up without anything being done.",
            "Call again without it, to ask anew.",
        )
    return {**answer, "note": _DONE_ALREADY}


def _settle(attempt: Attempt, answer: Mapping[str, Any]) -> None:
    """Keep the answer for the same call with the same confirmation."""
    ticket = attempt.ticket
    if ticket is not None and ticket.answer is not None and not ticket.answer.done():
        ticket.answer.set_result(answer)
