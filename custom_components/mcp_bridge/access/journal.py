"""The changes that can be taken back, and how. Survives restarts; the oldest are dropped first."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
import json
from typing import Any

from homeassistant.core import HomeAssistant, callback

from ..const import DOMAIN
from .kept import KeptList

STORE_KEY = f"{DOMAIN}.journal"
_MOST_CHANGES = 200
_MOST_BYTES = 5_000_000
# Soon, because a change that is not in here cannot be undone after a crash.
_SAVE_SECONDS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change: who made it when with what, and how to take it back.

    client_id: the client by its id; None where no client is set up.
    undo: kind and data of the action that takes it back; None when there is no way.
    undone: when it was taken back.
    """

    id: str
    time: str
    user: str
    user_id: str
    client: str
    tool: str
    summary: str
    targets: tuple[str, ...]
    client_id: str | None = None
    undo: Mapping[str, Any] | None = None
    undone: str | None = None


class Journal:
    """The changes, by id, the newest last."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty; `async_load` brings back what was before."""
        self._kept = KeptList(hass, STORE_KEY, "changes", self._stored, _SAVE_SECONDS)
        self._changes: dict[str, Change] = {}
        self._sizes: dict[str, int] = {}

    async def async_load(self) -> None:
        """Read the changes from before a restart."""
        for change in await self._kept.async_load():
            self._put(Change(**{**change, "targets": tuple(change["targets"])}))

    async def async_save(self) -> None:
        """Write what has not been written yet."""
        await self._kept.async_save()

    def __iter__(self) -> Iterator[Change]:
        """Yield the changes, the newest first."""
        return reversed(self._changes.values())

    def get(self, change_id: str) -> Change | None:
        """Return a change."""
        return self._changes.get(change_id)

    @callback
    def add(self, change: Change) -> None:
        """Keep a change."""
        self._put(change)
        self._kept.changed()

    @callback
    def mark_undone(self, change_id: str, when: str) -> None:
        """Note that a change was taken back."""
        if (change := self._changes.get(change_id)) is not None:
            self.add(replace(change, undone=when))

    def _put(self, change: Change) -> None:
        self._changes[change.id] = change
        self._sizes[change.id] = len(json.dumps(asdict(change), default=str))
        while (
            len(self._changes) > _MOST_CHANGES
            or sum(self._sizes.values()) > _MOST_BYTES
        ):
            oldest = next(iter(self._changes))
            del self._changes[oldest], self._sizes[oldest]

    def _stored(self) -> list[dict[str, Any]]:
        return [asdict(change) for change in list(self._changes.values())]
