"""Waiting for entities to tell what a service call did to them."""

import asyncio
from collections.abc import Iterable
from types import TracebackType
from typing import Any, NamedTuple, Self

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    HomeAssistant,
    State,
    callback,
    split_entity_id,
)
from homeassistant.helpers.event import (
    async_track_state_change_event,
    async_track_state_report_event,
)

# Their state only says when they were last used: there is nothing to wait for.
_NO_STATE_OF_THEIR_OWN = frozenset(
    {
        "ai_task",
        "button",
        "conversation",
        "event",
        "image",
        "input_button",
        "notify",
        "scene",
        "stt",
        "tts",
        "wake_word",
    }
)


class StateChange(NamedTuple):
    """The state of an entity before and after; None when it had or has none. Both are one when nothing changed."""

    entity_id: str
    before: State | None
    after: State | None


class StateWatch:
    """Follows some entities while it is entered (`with StateWatch(hass, entity_ids) as watch:`).

    An entity has settled when it has changed or reported its state since then. One that is missing or unavailable, or
    whose domain has no state of its own (buttons, scenes), is not waited for.
    """

    def __init__(self, hass: HomeAssistant, entity_ids: Iterable[str]) -> None:
        """Take the entities, each once and in this order."""
        self._hass = hass
        self._before: dict[str, State | None] = dict.fromkeys(entity_ids)
        self._awaited: set[str] = set()
        self._settled = asyncio.Event()
        self._listeners: list[CALLBACK_TYPE] = []

    def __enter__(self) -> Self:
        """Note the states and follow the entities from now on."""
        for entity_id in self._before:
            self._before[entity_id] = self._hass.states.get(entity_id)
        self._awaited = {
            entity_id
            for entity_id, state in self._before.items()
            if _will_tell(entity_id, state)
        }
        if self._awaited:
            for track in (
                async_track_state_change_event,
                async_track_state_report_event,
            ):
                self._listeners.append(
                    track(self._hass, list(self._awaited), self._heard)
                )
        else:
            self._settled.set()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop following."""
        while self._listeners:
            self._listeners.pop()()

    async def settle(self, timeout: float) -> None:
        """Return as soon as every entity has settled, at the latest after `timeout` seconds."""
        try:
            async with asyncio.timeout(timeout):
                await self._settled.wait()
        except TimeoutError:
            return

    def changes(self) -> list[StateChange]:
        """Return every entity with its state before and its state now, changed or not."""
        return [
            StateChange(entity_id, before, self._hass.states.get(entity_id))
            for entity_id, before in self._before.items()
        ]

    @callback
    def _heard(self, event: Event[Any]) -> None:
        self._awaited.discard(event.data["entity_id"])
        if not self._awaited:
            self._settled.set()


def _will_tell(entity_id: str, state: State | None) -> bool:
    return (
        state is not None
        and state.state != STATE_UNAVAILABLE
        and split_entity_id(entity_id)[0] not in _NO_STATE_OF_THEIR_OWN
    )
