"""Approval by a button in a notification on a phone.

Any code inside Home Assistant can fire the event of a button, and administrators can read the text of notifications.
So an answer counts only when it comes from outside, from the phone of somebody who is allowed to approve, and with the
random number of this one question, which is good for one answer and a minute.
"""

import asyncio
from collections.abc import Mapping
import secrets
from typing import Any

from homeassistant.components.notify import DOMAIN as NOTIFY_DOMAIN
from homeassistant.core import Context, Event, EventOrigin, HomeAssistant, callback

from ..messages import APPROVAL_TAG
from ..options import AccessOptions
from ..refusals import Refusal, Rule
from ..words import words
from .attempt import Attempt, Reply
from .tickets import Binding

EVENT = "mobile_app_notification_action"
_WAIT_SECONDS = 60
_ALLOW = "MCP_BRIDGE_ALLOW"
_DENY = "MCP_BRIDGE_DENY"


class PhoneApproval:
    """Asks on the phone of the options."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with nothing to ask."""
        self._hass = hass
        # What is being asked right now: the same is not asked twice at a time.
        self._asking: set[Binding] = set()

    async def ask(
        self, message: str, binding: Binding, attempt: Attempt, options: AccessOptions
    ) -> Reply:
        """Return what one of the approvers answers within a minute."""
        phone = options.approval_phone
        if not phone or not self._hass.services.has_service(NOTIFY_DOMAIN, phone):
            raise Refusal(
                Rule.CONFIRMATION,
                "The phone that is to confirm cannot be reached.",
                "Tell the person: its notifications have to be set up in the options of MCP Bridge.",
            )
        if binding in self._asking:
            raise Refusal(
                Rule.STILL_RUNNING, "The phone is being asked for exactly this already."
            )
        self._asking.add(binding)
        try:
            return await self._answer(phone, message, attempt, options)
        finally:
            self._asking.discard(binding)

    async def _answer(
        self, phone: str, message: str, attempt: Attempt, options: AccessOptions
    ) -> Reply:
        nonce = secrets.token_urlsafe(16)
        approvers = await self._approvers(options)
        answer: asyncio.Future[Reply] = self._hass.loop.create_future()
        replies = {
            f"{_ALLOW}_{nonce}": Reply.ACCEPTED,
            f"{_DENY}_{nonce}": Reply.DECLINED,
        }

        @callback
        def pressed(event: Event[Mapping[str, Any]]) -> None:
            reply = replies.get(event.data.get("action", ""))
            if reply is not None and not answer.done() and _counts(event, approvers):
                answer.set_result(reply)

        stop = self._hass.bus.async_listen(EVENT, pressed)
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                await self._send(phone, message, nonce, attempt)
                return await answer
        except TimeoutError:
            return Reply.TIMED_OUT
        finally:
            stop()

    async def _approvers(self, options: AccessOptions) -> frozenset[str]:
        """Return the ids of those who may approve, as far as they still are administrators."""
        return frozenset(
            user.id
            for user in await self._hass.auth.async_get_users()
            if user.id in options.approvers and user.is_active and user.is_admin
        )

    async def _send(
        self, phone: str, message: str, nonce: str, attempt: Attempt
    ) -> None:
        say = words(self._hass)
        await self._hass.services.async_call(
            NOTIFY_DOMAIN,
            phone,
            {
                "title": say("phone_title"),
                "message": say("phone_question", tool=attempt.tool, change=message),
                "data": {
                    "actions": [
                        {"action": f"{_ALLOW}_{nonce}", "title": say("allow")},
                        {"action": f"{_DENY}_{nonce}", "title": say("deny")},
                    ],
                    "tag": APPROVAL_TAG,
                },
            },
            blocking=True,
            # Of the bridge itself: the caller need not be allowed to send notifications.
            context=Context(),
        )


def _counts(event: Event[Any], approvers: frozenset[str]) -> bool:
    return event.origin is EventOrigin.remote and event.context.user_id in approvers
