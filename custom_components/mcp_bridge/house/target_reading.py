"""The texts of one service call, and the entities and places that they mean."""

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
import re
from typing import Any

from homeassistant.const import (
    ATTR_AREA_ID,
    ATTR_DEVICE_ID,
    ATTR_ENTITY_ID,
    ATTR_FLOOR_ID,
    ATTR_LABEL_ID,
    CONF_EXCLUDE,
    ENTITY_MATCH_ALL,
    ENTITY_MATCH_NONE,
)
from homeassistant.core import HomeAssistant, valid_entity_id
from homeassistant.helpers import device_registry as dr, entity_registry as er

from ..errors import InvalidArguments
from .call_data import (
    MAX_IDS,
    MAX_TEXT,
    address_pieces,
    is_template,
    means_entities,
    pieces,
    strings_of,
)
from .group_members import members_of, open_groups
from .made_entities import made_by
from .turns import Work, listed

PLACE_KEYS = (ATTR_DEVICE_ID, ATTR_AREA_ID, ATTR_FLOOR_ID, ATTR_LABEL_ID)
TARGET_KEYS = frozenset({ATTR_ENTITY_ID, *PLACE_KEYS})

_REGISTRY_ID_LENGTH = 32
_REGISTRY_ID = re.compile(r"[0-9a-f]{32}")

# Texts that are looked up before others have their turn, and the length at which one text takes as long.
_SLICE_TEXTS = 50
_LONG_TEXT = 1_000

type Places = dict[str, dict[str, None]]
# A text with the nearest key above it, and the key of the target it stands under, if it does.
type _Text = tuple[str | None, str, str]


class CallReader:
    """What the texts of one call mean. Dicts stand for ordered sets."""

    def __init__(
        self,
        hass: HomeAssistant,
        exclude: Mapping[str, Any] | None,
        core_resolves: bool,
    ) -> None:
        """Take the house, and how Home Assistant will read the call."""
        self.hass = hass
        self.exclude = exclude
        self.core_resolves = core_resolves
        self._entities = er.async_get(hass).entities
        self._devices = dr.async_get(hass)
        self.named: dict[str, None] = {}
        self.in_data: dict[str, None] = {}
        self.makes: dict[str, None] = {}
        self.missing: dict[str, None] = {}
        # The places that Home Assistant resolves, and those that the service may do something with.
        self.places: Places = {key: {} for key in PLACE_KEYS}
        self.other_places: Places = {key: {} for key in PLACE_KEYS}
        self.all_entities = False
        self._all_of: set[str] = set()
        self.has_target = False
        # By an exclude block, and what it leaves of named groups.
        self.excluded: frozenset[str] = frozenset()
        self.left: set[str] = set()

    def read(self, *parts: Mapping[str, Any]) -> Work[None]:
        """Take in target and data of the call; Home Assistant makes no difference between the two.

        Raises InvalidArguments for too much of anything, before any of it is looked up.
        """
        texts: list[_Text] = []
        for part in parts:
            texts += yield from listed(self._texts_of(part))
        _check_size(texts)
        for number, (target_key, key, text) in enumerate(texts, 1):
            if target_key is None:
                self._read_text(key, text)
            elif target_key != CONF_EXCLUDE:
                self._read_target(target_key, key, text)
            if len(self.in_data) > MAX_IDS:
                raise _too_many_ids()
            if number % _SLICE_TEXTS == 0 or len(text) > _LONG_TEXT:
                yield

    def _texts_of(self, part: Mapping[str, Any]) -> Iterator[_Text]:
        rest: dict[Any, Any] = {}
        for key, value in part.items():
            if key in TARGET_KEYS:
                for inner_key, text in strings_of(value, key):
                    yield key, inner_key, text
            elif key == CONF_EXCLUDE and self.exclude is not None:
                for _key, text in strings_of(self.exclude):
                    yield CONF_EXCLUDE, CONF_EXCLUDE, text
            else:
                rest[key] = value
        for inner_key, text in strings_of(rest):
            yield None, inner_key, text

    def read_made(self, service: str, data: Mapping[str, Any]) -> None:
        """Take in the entity that a service makes, changes or removes by a part of its id."""
        if (made := made_by(service, data)) is None:
            return
        if self._existing(made.entity_id) is not None:
            self.in_data[made.entity_id] = None
        elif made.is_new:
            self.makes[made.entity_id] = None
        else:
            self.missing[made.entity_id] = None

    def leave_out(self, excluded: Collection[str]) -> Work[None]:
        """Take the entities of an exclude block out of what is named, groups included."""
        self.excluded = frozenset(excluded)
        for entity_id in list(self.named):
            opened = open_groups(self.hass, [entity_id])
            if entity_id not in self.missing and not opened.isdisjoint(self.excluded):
                del self.named[entity_id]
                self.in_data[entity_id] = None
                self.left |= {
                    id_
                    for id_ in opened - self.excluded
                    if self._existing(id_) and not members_of(self.hass, id_)
                }
            yield

    def _read_target(self, key: str, inner_key: str, text: str) -> None:
        if not text.strip() or _is(text, ENTITY_MATCH_NONE):
            return
        self.has_target = True
        if key == inner_key == ATTR_ENTITY_ID:
            self._read_entities(key, text, self.named)
        elif inner_key == key:
            self.places[key][text] = None
            if not self.core_resolves:
                self._read_place(key, text)
        else:
            self._read_text(inner_key, text)

    def _read_text(self, key: str, text: str) -> None:
        if key in self.other_places:
            self._read_place(key, text)
        elif means_entities(key):
            self._read_entities(key, text, self.in_data)
        else:
            for piece in chain(pieces(text), address_pieces(text)):
                if "." in piece or len(piece) == _REGISTRY_ID_LENGTH:
                    self._read_word(piece)

    def _read_all(self, key: str) -> None:
        """Read what stands for every entity: of the service, or of the domain that another key names."""
        domain = key.removesuffix("s").removesuffix(f"_{ATTR_ENTITY_ID}")
        if domain in (key, key.removesuffix("s")):
            self.all_entities = True
        elif domain not in self._all_of:
            self._all_of.add(domain)
            self.in_data |= dict.fromkeys(self.hass.states.async_entity_ids(domain))

    def _read_entities(self, key: str, text: str, into: dict[str, None]) -> None:
        """Read a text that should be made of entity ids."""
        for piece in (text,) if is_template(text) else pieces(text):
            if _is(piece, ENTITY_MATCH_ALL):
                self._read_all(key)
            elif _is(piece, ENTITY_MATCH_NONE):
                continue
            elif (entity_id := self._existing(piece)) is not None:
                into[entity_id] = None
            elif into is self.named or not self._read_device(piece):
                self.missing[piece] = None
                if into is self.named and valid_entity_id(piece.lower()):
                    into[piece.lower()] = None

    def _read_place(self, key: str, text: str) -> None:
        """Read the id of a place in any form. As a target, Home Assistant takes it letter by letter only."""
        if not _is(text, ENTITY_MATCH_NONE):
            for piece in pieces(text):
                self.other_places[key][piece] = None
                self.other_places[key][piece.lower()] = None

    def _read_word(self, word: str) -> None:
        """Read a text that can be anything: it counts when it is the whole id of an entity or device."""
        if (entity_id := self._existing(word)) is not None:
            self.in_data[entity_id] = None
        else:
            self._read_device(word)

    def _read_device(self, word: str) -> bool:
        word = word.lower()
        if not _REGISTRY_ID.fullmatch(word) or self._devices.async_get(word) is None:
            return False
        self.other_places[ATTR_DEVICE_ID][word] = None
        return True

    def _existing(self, text: str) -> str | None:
        text = text.lower()
        if "." in text:
            known = text in self._entities or self.hass.states.get(text) is not None
            return text if known else None
        if _REGISTRY_ID.fullmatch(text) and (entry := self._entities.get_entry(text)):
            return entry.entity_id
        return None


def _is(text: str, word: str) -> bool:
    return text.strip().lower() == word


def _check_size(texts: list[_Text]) -> None:
    """Raise InvalidArguments for texts that are too long, or name too many entities and places."""
    ids = 0
    for target_key, key, text in texts:
        if len(text) > MAX_TEXT:
            raise InvalidArguments(
                f"A text in the data has more than {MAX_TEXT} characters",
                "Send a shorter one.",
            )
        if target_key is not None or key in TARGET_KEYS or means_entities(key):
            ids += 1 if is_template(text) else text.count(",") + 1
    if ids > MAX_IDS:
        raise _too_many_ids()


def _too_many_ids() -> InvalidArguments:
    return InvalidArguments(
        f"The call names more than {MAX_IDS} entities or places",
        "Name an area, a label or a group, or split it into several calls.",
    )
