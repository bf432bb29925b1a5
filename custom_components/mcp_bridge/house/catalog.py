"""The live catalogue: every entity of the house in memory, kept by events, with the search index beside it.

Events only mark entities as stale. What is stale is read again in small slices soon after, or at the latest when
somebody asks: the catalogue never answers with old data. Whoever asks awaits `async_settle` first, which lets others
have their turn during a burst (an integration that starts, an area that is renamed); the properties then only catch up
with what has come since.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
import logging
from types import MappingProxyType
from typing import Any

from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_FRIENDLY_NAME,
    ATTR_UNIT_OF_MEASUREMENT,
    EVENT_STATE_CHANGED,
)
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    EventStateChangedData,
    HomeAssistant,
    callback,
)
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)

from .places import label_names
from .records import EntityRecord, read_record
from .search import SearchDocument, SearchIndex

_LOGGER = logging.getLogger(__name__)

# Entities read in one go: about 3 ms.
_SLICE = 100
# What the catalogue takes from a state. A change of anything else concerns nobody here.
_ATTRIBUTES = (ATTR_FRIENDLY_NAME, ATTR_DEVICE_CLASS, ATTR_UNIT_OF_MEASUREMENT)


class Catalog:
    """All entities by id, and the index to search them."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty; `async_start` fills it."""
        self._hass = hass
        self._records: dict[str, EntityRecord] = {}
        self._index = SearchIndex()
        # An ordered set: entities are read again in the order in which they became stale.
        self._stale: dict[str, None] = {}
        self._refresh: asyncio.Handle | None = None
        self._listeners: list[CALLBACK_TYPE] = []

    async def async_start(self) -> None:
        """Read the whole house, in slices, and follow it from then on."""
        self._listen()
        self._stale = dict.fromkeys(
            (*self._hass.states.async_entity_ids(), *er.async_get(self._hass).entities)
        )
        await self.async_settle()

    async def async_settle(self) -> None:
        """Read what is stale, and let others have their turn in between."""
        while self._stale:
            self._read_slice()
            await asyncio.sleep(0)

    @callback
    def async_stop(self) -> None:
        """Stop following the house."""
        for remove in self._listeners:
            remove()
        self._listeners.clear()
        if self._refresh is not None:
            self._refresh.cancel()
            self._refresh = None

    @property
    def records(self) -> Mapping[str, EntityRecord]:
        """All entities by id, disabled ones included."""
        self._settle()
        return MappingProxyType(self._records)

    @property
    def index(self) -> SearchIndex:
        """The search index over all entities that are not disabled."""
        self._settle()
        return self._index

    @property
    def is_in_step(self) -> bool:
        """Whether every entity that has a state is known here."""
        records = self.records
        return all(
            entity_id in records for entity_id in self._hass.states.async_entity_ids()
        )

    def _settle(self) -> None:
        while self._stale:
            self._read_slice()

    def _read_slice(self) -> None:
        for entity_id in list(islice(self._stale, _SLICE)):
            del self._stale[entity_id]
            try:
                self._put(entity_id, read_record(self._hass, entity_id))
            except Exception:
                # One entity that cannot be read must not take the others with it.
                _LOGGER.exception("%s cannot be read", entity_id)

    def _put(self, entity_id: str, record: EntityRecord | None) -> None:
        # The document is put again even for an equal record: it holds the names of the area, floor and labels too.
        if record is None or record.disabled_by:
            self._index.remove(entity_id)
        else:
            self._index.put(_document(self._hass, record))
        if record is None:
            self._records.pop(entity_id, None)
        else:
            self._records[entity_id] = record

    @callback
    def _mark(self, entity_ids: Iterable[str]) -> None:
        self._stale.update(dict.fromkeys(entity_ids))
        self._schedule()

    @callback
    def _schedule(self) -> None:
        if self._stale and self._refresh is None:
            self._refresh = self._hass.loop.call_later(0.05, self._refresh_some)

    @callback
    def _refresh_some(self) -> None:
        self._refresh = None
        self._read_slice()
        self._schedule()

    def _listen(self) -> None:
        on = self._hass.bus.async_listen
        self._listeners = [
            on(
                EVENT_STATE_CHANGED,
                self._state_changed,
                event_filter=_state_concerns_us,
            ),
            on(er.EVENT_ENTITY_REGISTRY_UPDATED, self._entity_updated),
            on(dr.EVENT_DEVICE_REGISTRY_UPDATED, self._device_updated),
            on(
                ar.EVENT_AREA_REGISTRY_UPDATED,
                self._place_updated(lambda record: record.area_id, "area_id"),
            ),
            on(
                fr.EVENT_FLOOR_REGISTRY_UPDATED,
                self._place_updated(lambda record: record.floor_id, "floor_id"),
            ),
            on(lr.EVENT_LABEL_REGISTRY_UPDATED, self._label_updated),
        ]

    @callback
    def _state_changed(self, event: Event[EventStateChangedData]) -> None:
        self._mark((event.data["entity_id"],))

    @callback
    def _entity_updated(self, event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        data = event.data
        self._mark((data["entity_id"],))
        if data["action"] == "update" and "old_entity_id" in data:
            self._mark((data["old_entity_id"],))

    @callback
    def _device_updated(self, event: Event[dr.EventDeviceRegistryUpdatedData]) -> None:
        # An entity takes its area from the device or the parent device, and no event of its own tells of the change.
        device_id = event.data["device_id"]
        self._mark(
            record.entity_id
            for record in self._records.values()
            if device_id in record.device_ids
        )

    def _place_updated(
        self, place_of: Callable[[EntityRecord], str | None], key: str
    ) -> Callable[[Event[Any]], None]:
        @callback
        def updated(event: Event[Any]) -> None:
            place = event.data.get(key)
            # A floor that an area was moved to shows in the area's event; the reordering of places has no id.
            if place is not None:
                self._mark(
                    record.entity_id
                    for record in self._records.values()
                    if place_of(record) == place
                )

        return updated

    @callback
    def _label_updated(self, event: Event[lr.EventLabelRegistryUpdatedData]) -> None:
        label_id = event.data["label_id"]
        self._mark(
            record.entity_id
            for record in self._records.values()
            if label_id in record.labels
        )


@callback
def _state_concerns_us(data: EventStateChangedData) -> bool:
    """Tell whether a state appeared, went, or changed one of the attributes that the catalogue holds.

    Called for every state change of the house, so the common case (same attributes) has to be cheap.
    """
    old, new = data["old_state"], data["new_state"]
    if old is None or new is None:
        return True
    if old.attributes is new.attributes:
        return False
    return any(
        old.attributes.get(attribute) != new.attributes.get(attribute)
        for attribute in _ATTRIBUTES
    )


def _document(hass: HomeAssistant, record: EntityRecord) -> SearchDocument:
    kinds = (
        record.domain.replace("_", " "),
        (record.device_class or "").replace("_", " "),
        record.unit or "",
    )
    return SearchDocument(
        key=record.entity_id,
        name=record.name,
        aliases=record.aliases + record.other_names,
        places=tuple(_place_names(hass, record)),
        kinds=tuple(kind for kind in kinds if kind),
        demoted=record.hidden,
    )


def _place_names(hass: HomeAssistant, record: EntityRecord) -> Iterator[str]:
    if record.area_id and (area := ar.async_get(hass).async_get_area(record.area_id)):
        yield area.name
        yield from sorted(area.aliases)
    if record.floor_id and (
        floor := fr.async_get(hass).async_get_floor(record.floor_id)
    ):
        yield floor.name
        yield from sorted(floor.aliases)
    yield from label_names(hass, record.labels)
