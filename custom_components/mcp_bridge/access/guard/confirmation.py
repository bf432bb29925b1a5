"""Step 8: a person agrees, where one has to.

How they are asked is up to the options: in the client, where it can ask its user; by a token, which the assistant sends
with a second call after it has shown the preview; or by a button on a phone. Whatever the way, the agreement holds for
one execution of this very change.
"""

from collections.abc import Mapping
from typing import Any

from homeassistant.components.cover import DOMAIN as COVER_DOMAIN, CoverDeviceClass
from homeassistant.core import HomeAssistant

from ...house.reach_actions import ANYTHING
from ..options import AccessOptions, Approval
from ..refusals import Refusal, Rule
from ..view import HouseView
from .attempt import Attempt, CannotAsk, Question, Reply
from .phone import PhoneApproval
from .plan import Plan
from .preview import Reason, in_words, preview_of
from .tickets import LIFETIME_SECONDS, Binding, Ticket, Tickets, Verdict, Way

# Covers that let somebody in: they count as locks do.
_ENTRANCES = frozenset(
    (CoverDeviceClass.DOOR, CoverDeviceClass.GARAGE, CoverDeviceClass.GATE)
)
_REFUSED = {
    Reply.DECLINED: "The person said no.",
    Reply.CANCELLED: "The person did not answer the question.",
    Reply.TIMED_OUT: "Nobody answered in time.",
}
_HOW_TO_CONFIRM = (
    "Nothing was changed yet. Show this to the person. Only when they agree, repeat the same call with confirm_token "
    "added; it is good once, for exactly this."
)


def why_confirm(
    hass: HomeAssistant, plan: Plan, options: AccessOptions
) -> Reason | None:
    """Return why a person has to agree to a change; None if nobody has to."""
    touched = {*plan.targets, *plan.named, *plan.touches}
    touched |= {record.entity_id for record in plan.becomes}
    asked = tuple(
        entity_id
        for entity_id in sorted(touched)
        if options.confirms(entity_id.partition(".")[0])
        or _is_entrance(hass, entity_id)
    )
    if plan.confirm is not None:
        return Reason(plan.confirm, asked)
    if options.confirm_domains is None:
        return None
    if ANYTHING in plan.open_domains:
        return Reason("It cannot be told beforehand what this reaches.", asked)
    domains = {service.partition(".")[0] for service in plan.services}
    domains |= {entity_id.partition(".")[0] for entity_id in touched}
    for domain in sorted(domains | plan.open_domains):
        if options.confirms(domain):
            words = (
                f"The owner wants to be asked about everything of the domain {domain}."
            )
            return Reason(words, asked)
    if asked or COVER_DOMAIN in plan.open_domains:
        words = "The owner wants to be asked about doors, gates and garage doors."
        return Reason(words, asked)
    return None


def _is_entrance(hass: HomeAssistant, entity_id: str) -> bool:
    if not entity_id.startswith(f"{COVER_DOMAIN}."):
        return False
    state = hass.states.get(entity_id)
    # One that is not there just now might be anything.
    return state is None or state.attributes.get("device_class") in _ENTRANCES


class Confirmation:
    """Asks people, and knows what they have agreed to."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with no question asked."""
        self._hass = hass
        self._tickets = Tickets()
        self._phone = PhoneApproval(hass)

    def used_ticket(self, attempt: Attempt) -> Ticket | None:
        """Return the ticket that this very call has used before: it is not done again."""
        answered = attempt.asker.answered if attempt.asker else None
        for token in (attempt.confirm_token, answered[0] if answered else None):
            if token and (ticket := self._tickets.used(token, attempt.call_hash)):
                return ticket
        return None

    async def agree(
        self,
        attempt: Attempt,
        plan: Plan,
        view: HouseView,
        options: AccessOptions,
    ) -> Mapping[str, Any] | None:
        """Return None when the change may be made, else the answer that asks for a confirmation.

        Raises a Refusal when the person does not agree, and AskFirst when the client is to ask and call again.
        """
        reason = why_confirm(self._hass, plan, options)
        if reason is None:
            return None
        binding = Binding(attempt.call_hash, plan.fingerprint)
        answer = None
        if options.approval is Approval.PHONE:
            question = in_words(plan, view, reason, for_owner=True)
            _check_reply(await self._phone.ask(question, binding, attempt, options))
        elif options.approval is Approval.TOKEN or not await self._asked(
            attempt, binding, in_words(plan, view, reason)
        ):
            answer = self._by_token(attempt, plan, view, binding, reason)
        attempt.confirmed = answer is None
        return answer

    async def _asked(self, attempt: Attempt, binding: Binding, message: str) -> bool:
        """Ask in the client, and tell whether that was possible; raises a Refusal unless the person agrees.

        The answer may be here already, when the client has called again with it.
        """
        asker = attempt.asker
        if asker is None:
            return False
        if asker.answered is not None:
            token, reply = asker.answered
            verdict, attempt.ticket = self._tickets.redeem(
                token, binding, Way.ELICITATION
            )
            if verdict is Verdict.GOOD:
                _check_reply(reply)
                return True
        ticket = self._tickets.issue(binding, Way.ELICITATION, attempt.client_key)
        question = Question(message, ticket)
        try:
            _check_reply(await asker.ask(question, LIFETIME_SECONDS))
        except CannotAsk:
            return False
        return True

    def _by_token(
        self,
        attempt: Attempt,
        plan: Plan,
        view: HouseView,
        binding: Binding,
        reason: Reason,
    ) -> Mapping[str, Any] | None:
        note = _HOW_TO_CONFIRM
        if attempt.confirm_token:
            verdict, attempt.ticket = self._tickets.redeem(
                attempt.confirm_token, binding, Way.TOKEN
            )
            if verdict is Verdict.GOOD:
                return None
            note = f"The confirm_token is {verdict.value}, so this is a new preview. {note}"
        return {
            "confirmation_required": True,
            "reason": reason.words,
            "would_do": preview_of(plan, view),
            "confirm_token": self._tickets.issue(
                binding, Way.TOKEN, attempt.client_key
            ),
            "expires_in_seconds": LIFETIME_SECONDS,
            "note": note,
        }


def _check_reply(reply: Reply) -> None:
    if reply is not Reply.ACCEPTED:
        raise Refusal(
            Rule.CONFIRMATION,
            f"{_REFUSED[reply]} Nothing was changed.",
            "Do not try again unless they ask for it.",
        )
