"""A list that survives restarts, in Home Assistant's storage."""

from collections.abc import Callable
from typing import Any

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store


class KeptList:
    """Writes a list down soon after it has changed; what it holds is its owner's.

    `items` gives the members as JSON data. It is called outside the event loop, so it has to take all at once.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        key: str,
        member: str,
        items: Callable[[], list[Any]],
        save_seconds: float,
    ) -> None:
        """Take the key in storage, and the name that the list has there."""
        self._store = _store(hass, key)
        self._member = member
        self._items = items
        self._save_seconds = save_seconds
        self._loaded = False

    async def async_load(self) -> list[Any]:
        """Return the members from before a restart."""
        stored = await self._store.async_load() or {}
        self._loaded = True
        return stored.get(self._member, [])

    @callback
    def changed(self) -> None:
        """Write it down soon."""
        self._store.async_delay_save(self._data, self._save_seconds)

    async def async_save(self) -> None:
        """Write what has not been written yet. What was never read is not overwritten."""
        if self._loaded:
            await self._store.async_save(self._data())

    def _data(self) -> dict[str, list[Any]]:
        return {self._member: self._items()}


async def async_remove_kept(hass: HomeAssistant, key: str) -> None:
    """Remove a list from storage."""
    await _store(hass, key).async_remove()


def _store(hass: HomeAssistant, key: str) -> Store[dict[str, list[Any]]]:
    return Store(
        hass,
        1,
        key,
        private=True,
        atomic_writes=True,
        serialize_in_event_loop=False,
    )
