"""When each client was last let in. It survives a restart, so that a client that nobody uses any more is noticed."""

from collections.abc import Container
from datetime import datetime

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util

from ..const import DOMAIN

_VERSION = 1
# Seconds between two writes.
_WRITE_DELAY = 60


class LastUsed:
    """The time of the last request of every client, by the id of the client."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with nothing; `async_load` reads what is kept."""
        self._store = _store(hass)
        self._times: dict[str, datetime] = {}
        self._is_waiting = False

    async def async_load(self) -> None:
        """Read what is kept."""
        kept = await self._store.async_load() or {}
        read = {client: dt_util.parse_datetime(time) for client, time in kept.items()}
        self._times = {client: time for client, time in read.items() if time} | (
            self._times
        )

    async def async_stop(self) -> None:
        """Write what has not been written yet."""
        if self._is_waiting:
            await self._store.async_save(self._written())

    def of(self, client: str) -> datetime | None:
        """Return when a client was last let in; None for never."""
        return self._times.get(client)

    @callback
    def async_touch(self, client: str) -> None:
        """Note that a client has been let in."""
        self._times[client] = dt_util.utcnow()
        self._write_later()

    @callback
    def async_prune(self, clients: Container[str]) -> None:
        """Forget all clients but these."""
        gone = [client for client in self._times if client not in clients]
        for client in gone:
            del self._times[client]
        if gone:
            self._write_later()

    @callback
    def _write_later(self) -> None:
        """Write in a while. Asked again meanwhile, the store would put it off, for ever where a client is busy."""
        if not self._is_waiting:
            self._is_waiting = True
            self._store.async_delay_save(self._written, _WRITE_DELAY)

    @callback
    def _written(self) -> dict[str, str]:
        self._is_waiting = False
        return {client: time.isoformat() for client, time in self._times.items()}


async def async_remove_last_used(hass: HomeAssistant) -> None:
    """Remove what is kept, when the bridge is removed."""
    await _store(hass).async_remove()


def _store(hass: HomeAssistant) -> Store[dict[str, str]]:
    return Store(hass, _VERSION, f"{DOMAIN}.clients")
