"""The house through one caller's eyes. Tools and resources read entities here, and nowhere else.

What the caller may not see does not exist: it is in no list and no count, it is never suggested, and asking for it
gives the same error as asking for something that was never there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
import re

from homeassistant.core import HomeAssistant, State

from ..errors import InvalidArguments, NotFound, did_you_mean, quoted, some_of
from ..house.catalog import Catalog
from ..house.nearest import nearest
from ..house.places import (
    Device,
    Place,
    PlaceKind,
    all_devices,
    area_name,
    find_places,
    floor_name,
    places,
)
from ..house.records import EntityRecord
from .visibility import Visibility

_DOT = re.compile(r"(\.|%2e)", re.IGNORECASE)
# Every word, with those joined to it by dots; an escape such as %2F is no part of one. Nothing is looked at twice.
_WORDS = re.compile(
    r"%(?!2e)[0-9a-f]{2}|\w++(?:(?:\.|%2e)\w++)*+", re.ASCII | re.IGNORECASE
)
_HIDDEN = "(hidden)"
# Said where something seems to be missing: otherwise "nobody is home" would be concluded from people that are hidden.
HIDDEN_NOTE = "The owner has hidden part of the home."


@dataclass(frozen=True, slots=True)
class Found:
    """A search hit; score is 1 to 100."""

    record: EntityRecord
    score: int


class HouseView:
    """Reads of entities, their states and their places, for one caller and one call."""

    def __init__(
        self, hass: HomeAssistant, catalog: Catalog, visibility: Visibility
    ) -> None:
        """Look at the house with the eyes of `visibility`."""
        self.hass = hass
        self._catalog = catalog
        self._visibility = visibility

    @property
    def sees_all(self) -> bool:
        """Whether nothing is hidden from the caller."""
        return self._visibility.sees_all

    def entities(self) -> Iterator[EntityRecord]:
        """Yield what is there and not disabled."""
        sees = self._visibility.sees
        for record in list(self._catalog.records.values()):
            if not record.disabled_by and sees(record):
                yield record

    def find(self, entity_id: str) -> EntityRecord | None:
        """Return an entity, disabled or not, or None."""
        record = self._catalog.records.get(entity_id)
        return record if record is not None and self._visibility.sees(record) else None

    def known(self, entity_id: str) -> EntityRecord | None:
        """Return an entity whether or not the caller may see it. For decisions only, never to answer."""
        return self._catalog.records.get(entity_id)

    def entity(self, entity_id: str) -> EntityRecord:
        """Return an entity, or raise NotFound with suggestions."""
        if (record := self.find(entity_id)) is not None:
            return record
        raise NotFound(f"There is no entity {quoted(entity_id)}.", self.hint(entity_id))

    def hint(self, text: str) -> str:
        """Return what to try instead of an entity id that is not there."""
        return (
            did_you_mean(self.suggest(text)) or "Search for it by name to get its id."
        )

    def suggest(self, text: str) -> list[str]:
        """Return up to three ids that are near."""
        return self._catalog.index.suggest(text, 3, self._accept)

    def search(self, query: str) -> tuple[list[Found], tuple[str, ...]]:
        """Return the entities that a query means, best first, and the words that were left out to find them."""
        records = self._catalog.records
        hits, left_out = self._catalog.index.find(query, self._accept)
        return [Found(records[hit.key], hit.score) for hit in hits], left_out

    def state_text(self, record: EntityRecord) -> str | None:
        """Return the present state as a caller may read it; some entities tell the id of another one."""
        state = self.state(record)
        return self.scrub(state.state) if state else None

    def state(self, record: EntityRecord) -> State | None:
        """Return the present state; None for an entity that is disabled or whose integration is not running."""
        return self.hass.states.get(record.entity_id)

    def area_name(self, record: EntityRecord) -> str | None:
        """Return the name of the area an entity is in."""
        return area_name(self.hass, record.area_id)

    def floor_name(self, record: EntityRecord) -> str | None:
        """Return the name of the floor an entity is on."""
        return floor_name(self.hass, record.floor_id)

    def devices(self) -> list[Device]:
        """Return the devices that have at least one visible entity; all of them when nothing is hidden."""
        devices = all_devices(self.hass)
        if self.sees_all:
            return devices
        seen = {
            device_id for record in self.entities() for device_id in record.device_ids
        }
        return [device for device in devices if device.id in seen]

    def places(self, kind: PlaceKind) -> list[Place]:
        """Return the areas, floors or labels (these are never hidden), or the devices that may be seen."""
        found = places(self.hass, kind)
        if kind is not PlaceKind.DEVICE or self.sees_all:
            return found
        seen = {device.id for device in self.devices()}
        return [place for place in found if place.id in seen]

    def place(self, kind: PlaceKind, text: str) -> Place:
        """Return the one place that a text means, by id, name or alias; raise an error that helps otherwise."""
        candidates = self.places(kind)
        found = find_places(candidates, text)
        if len(found) == 1:
            return found[0]
        if found:
            ids = some_of((place.id for place in found), longest=64)
            raise InvalidArguments(
                f"There are {len(found)} {kind}s named {quoted(text)}.",
                f"Use one of the ids: {ids}",
            )
        raise NotFound(
            f"There is no {kind} {quoted(text)}.",
            _place_hint([self.scrub(place.name) for place in candidates], text, kind),
        )

    def scrub(self, text: str) -> str:
        """Return a text with the ids of hidden entities taken out of it."""
        if self.sees_all or not _DOT.search(text):
            return text
        return _WORDS.sub(lambda match: self._scrub_dotted(match[0]), text)

    def _scrub_dotted(self, text: str) -> str:
        """Scrub words with dots between, of which any two neighbours may be an id: states.light.kitchen.state."""
        # Words at even places, what stands between them at odd ones.
        parts = _DOT.split(text)
        hidden = [
            place
            for place in range(0, len(parts) - 2, 2)
            if self.hides(f"{parts[place]}.{parts[place + 2]}".lower())
        ]
        for place in reversed(hidden):
            # The neighbours of a hidden id may overlap, and all of them go.
            parts[place : place + 3] = [_HIDDEN, "", ""]
        return "".join(parts) if hidden else text

    def hides(self, entity_id: str) -> bool:
        """Tell whether there is an entity of this id that the caller may not see. For scrubbing only, never to answer."""
        return entity_id in self._catalog.records and self.find(entity_id) is None

    @property
    def _accept(self) -> Callable[[str], bool] | None:
        return None if self.sees_all else self._accepts

    def _accepts(self, entity_id: str) -> bool:
        """Tell whether an entity may be found: by what it tells of a hidden one, that one could be guessed word by word."""
        record = self.find(entity_id)
        if record is None:
            return False
        texts = (record.name, record.device_class or "", record.unit or "")
        told = "\n".join((*texts, *record.aliases, *record.other_names))
        return self.scrub(told) == told


def _place_hint(names: list[str], text: str, kind: PlaceKind) -> str:
    if not names:
        return f"This house has no {kind}s."
    if near := nearest(text, names):
        return f"Did you mean {some_of(near)}?"
    return f"There are: {some_of(names)}"
