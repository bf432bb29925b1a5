"""The sessions of the handshake era: whose they are, how many there may be, and which are to hear of changes."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from typing import Any

from mcp.server.session import ServerSession
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
import mcp_types as types

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback

from ..const import MAX_SESSIONS, SESSIONS_PER_LOGIN
from ..models import Caller
from .messages import Refused

# Session ids remembered, of sessions that are open and such that have ended.
_REMEMBERED = 10_000
_ANNOUNCE_SECONDS = 2


class Sessions:
    """Keeps what the SDK's session manager does not: a session belongs to the login that opened it."""

    def __init__(
        self, hass: HomeAssistant, manager: StreamableHTTPSessionManager
    ) -> None:
        """Keep account of the sessions of a manager."""
        self._hass = hass
        self._manager = manager
        # Whose the session ids given out in this run are; the oldest first.
        self._owners: OrderedDict[str, Caller] = OrderedDict()
        # The logins that have opened some, watched for being revoked, by credential.
        self._watches: dict[str, CALLBACK_TYPE] = {}
        # Sessions that are just being opened, by credential.
        self._opening: Counter[str | None] = Counter()
        self._ready: dict[str, ServerSession] = {}

    @property
    def open(self) -> Mapping[str, Any]:
        """The open sessions by id. The SDK has no public view of them, and keeps the ended ones for a moment."""
        instances = self._manager._server_instances  # noqa: SLF001
        return {
            session_id: transport
            for session_id, transport in instances.items()
            if not transport.is_terminated
        }

    def is_known(self, session_id: str | None, caller: Caller) -> bool:
        """Tell whether an id was given out in this run, or raise Refused if to somebody else."""
        if session_id is None or session_id not in self._owners:
            return False
        if not _is_same(self._owners[session_id], caller):
            # Answered as if the session did not exist.
            raise Refused(HTTPStatus.NOT_FOUND, "Session not found")
        return True

    @asynccontextmanager
    async def opening(self, caller: Caller) -> AsyncIterator[None]:
        """Hold a place for one more session of a caller while it opens.

        A login that has too many loses its oldest one for it; Refused is raised if there are too many altogether.
        """
        await self._end_oldest(caller)
        if len(self.open) + self._opening.total() >= MAX_SESSIONS:
            message = "Too many sessions are open: end one, or use protocol version 2026-07-28, which needs none"
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, types.INTERNAL_ERROR)
        self._opening[caller.credential] += 1
        try:
            yield
        finally:
            self._opening[caller.credential] -= 1

    async def _end_oldest(self, caller: Caller) -> None:
        opened = self.open
        own = [
            session_id
            for session_id, owner in self._owners.items()
            if owner.credential == caller.credential and session_id in opened
        ]
        pending = self._opening[caller.credential]
        if pending >= SESSIONS_PER_LOGIN:
            raise Refused(
                HTTPStatus.TOO_MANY_REQUESTS,
                "Too many sessions are being opened at once",
            )
        for session_id in own[: max(len(own) + pending - SESSIONS_PER_LOGIN + 1, 0)]:
            await opened[session_id].terminate()

    def remember(self, session_id: str, caller: Caller) -> None:
        """Note whose a session is; a known one stays where it is in the order."""
        self._owners.setdefault(session_id, caller)
        self._watch(caller)
        if len(self._owners) > _REMEMBERED:
            opened = self.open
            ended = (known for known in self._owners if known not in opened)
            del self._owners[next(ended, next(iter(self._owners)))]

    async def async_end(self, admits: Callable[[Caller], bool]) -> None:
        """End the sessions of callers who are not admitted any more; their ids are answered with 404 from now on."""
        for session_id, transport in self.open.items():
            owner = self._owners.get(session_id)
            if owner is not None and not admits(owner):
                await transport.terminate()

    def _watch(self, caller: Caller) -> None:
        """End the sessions of a login to Home Assistant when it is revoked."""
        credential, auth = caller.credential, self._hass.auth
        if credential is None or credential in self._watches:
            return
        if auth.async_get_refresh_token(credential) is not None:
            self._forget_logins()
            self._watches[credential] = auth.async_register_revoke_token_callback(
                credential, partial(self._revoked, credential)
            )

    @callback
    def _revoked(self, credential: str) -> None:
        self._watches.pop(credential, None)
        self._hass.async_create_task(
            self.async_end(lambda owner: owner.credential != credential),
            "mcp_bridge end of sessions",
        )

    def _forget_logins(self) -> None:
        """Stop watching logins that have no open session."""
        opened = self.open
        used = {
            owner.credential for known, owner in self._owners.items() if known in opened
        }
        for credential in self._watches.keys() - used:
            self._watches.pop(credential)()

    def forget(self) -> None:
        """Stop watching all logins."""
        while self._watches:
            self._watches.popitem()[1]()

    def ready(self, session_id: str | None, session: ServerSession) -> None:
        """Note a session that has shaken hands."""
        self._forget_ended()
        if session_id is not None and session_id in self.open:
            self._ready[session_id] = session

    async def announce_changes(self) -> None:
        """Tell every session that the lists of tools and resources may have changed; a slow client is not waited for."""
        self._forget_ended()
        with suppress(TimeoutError):
            async with asyncio.timeout(_ANNOUNCE_SECONDS):
                await asyncio.gather(
                    *map(_tell, self._ready.values()), return_exceptions=True
                )

    def _forget_ended(self) -> None:
        for session_id in self._ready.keys() - self.open.keys():
            del self._ready[session_id]


def _is_same(owner: Caller, caller: Caller) -> bool:
    """Tell whether a session was opened with the same login, for the same client and user."""
    return (owner.credential, owner.client, owner.user.id) == (
        caller.credential,
        caller.client,
        caller.user.id,
    )


async def _tell(session: ServerSession) -> None:
    await session.send_tool_list_changed()
    await session.send_resource_list_changed()
