"""The streams that are open: whose they are, how many there may be, and their end when the access ends."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from homeassistant.core import HomeAssistant

from ..const import SESSIONS_PER_LOGIN
from ..models import Caller
from .asgi import Exchange


class OpenStreams:
    """Event streams that stay open after their request, by caller; the oldest first."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with none."""
        self._hass = hass
        self._open: dict[Exchange, Caller] = {}

    @contextmanager
    def opened(self, exchange: Exchange, caller: Caller) -> Iterator[None]:
        """Hold a stream while it is open; it ends when the login that opened it is revoked.

        A login that opens too many loses its oldest one.
        """
        own = [
            other
            for other, owner in self._open.items()
            if owner.credential == caller.credential
        ]
        for oldest in own[: max(len(own) - SESSIONS_PER_LOGIN + 1, 0)]:
            oldest.finish()
            del self._open[oldest]
        self._open[exchange] = caller
        unregister = _watch(self._hass, caller, exchange.finish)
        try:
            yield
        finally:
            unregister()
            self._open.pop(exchange, None)

    def end(self, admits: Callable[[Caller], bool] = lambda caller: False) -> None:
        """End the streams of all callers who are not admitted any more; without `admits`, all."""
        for exchange, caller in list(self._open.items()):
            if not admits(caller):
                exchange.finish()


def _watch(
    hass: HomeAssistant, caller: Caller, revoked: Callable[[], None]
) -> Callable[[], None]:
    """Call `revoked` when the caller's login to Home Assistant is revoked; returns the way to stop."""
    credential = caller.credential
    if credential is None or hass.auth.async_get_refresh_token(credential) is None:
        return lambda: None
    return hass.auth.async_register_revoke_token_callback(credential, revoked)
