"""Entity lists: which entities a list of the options names, by pattern or by what was picked in the UI."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
import re
from typing import Any, Self

from homeassistant.const import (
    ATTR_AREA_ID,
    ATTR_DEVICE_ID,
    ATTR_ENTITY_ID,
    ATTR_FLOOR_ID,
    ATTR_LABEL_ID,
    CONF_EXCLUDE,
)

from ..const import CONF_PATTERNS, CONF_TARGET
from ..house.records import EntityRecord


@dataclass(frozen=True, slots=True)
class Picked:
    """Entities as the target picker of the UI names them: by themselves, or by what they are in, on or marked with."""

    entity_ids: frozenset[str] = frozenset()
    device_ids: frozenset[str] = frozenset()
    area_ids: frozenset[str] = frozenset()
    floor_ids: frozenset[str] = frozenset()
    label_ids: frozenset[str] = frozenset()

    @classmethod
    def from_target(cls, target: Mapping[str, Any] | None) -> Self:
        """Read a target; an absent one is empty."""
        target = target or {}
        return cls(
            _texts(target.get(ATTR_ENTITY_ID)),
            _texts(target.get(ATTR_DEVICE_ID)),
            _texts(target.get(ATTR_AREA_ID)),
            _texts(target.get(ATTR_FLOOR_ID)),
            _texts(target.get(ATTR_LABEL_ID)),
        )

    def __bool__(self) -> bool:
        """Tell whether anything is picked."""
        picked = (
            self.entity_ids,
            self.device_ids,
            self.area_ids,
            self.floor_ids,
            self.label_ids,
        )
        return any(picked)

    def matches(self, record: EntityRecord) -> bool:
        """Tell whether this entity is among the picked."""
        return (
            record.entity_id in self.entity_ids
            or record.area_id in self.area_ids
            or record.floor_id in self.floor_ids
            or not self.device_ids.isdisjoint(record.device_ids)
            or not self.label_ids.isdisjoint(record.labels)
        )


@dataclass(frozen=True, slots=True)
class EntityRule:
    """A list of entities: glob patterns on the entity id, and what was picked, less what was excluded from it again."""

    pattern: re.Pattern[str] | None = None
    picked: Picked = Picked()
    excluded: Picked = Picked()

    @classmethod
    def from_option(cls, option: Mapping[str, Any] | Iterable[str] | None) -> Self:
        """Read a list as the options flow stores it, or a plain list of patterns; an absent one is empty."""
        stored: Mapping[str, Any]
        stored = option if isinstance(option, Mapping) else {CONF_PATTERNS: option}
        target = stored.get(CONF_TARGET) or {}
        return cls(
            compile_globs(_texts(stored.get(CONF_PATTERNS))),
            Picked.from_target(target),
            Picked.from_target(target.get(CONF_EXCLUDE)),
        )

    @property
    def is_empty(self) -> bool:
        """Whether the list names nothing at all; what is excluded only takes from what is picked."""
        return self.pattern is None and not self.picked

    def matches(self, record: EntityRecord) -> bool:
        """Tell whether the list names this entity."""
        if self.pattern is not None and self.pattern.fullmatch(record.entity_id):
            return True
        return self.picked.matches(record) and not self.excluded.matches(record)


def compile_globs(globs: Iterable[str]) -> re.Pattern[str] | None:
    """Compile glob patterns into one expression; None when there are none.

    Only `*` is special and stands for any run of characters, dots included. A pattern is anchored at both ends, and
    case and surrounding blanks are ignored.
    """
    cleaned = dict.fromkeys(glob.strip().lower() for glob in globs if glob.strip())
    return re.compile("|".join(map(_expression, sorted(cleaned)))) if cleaned else None


def _expression(glob: str) -> str:
    """Return the expression for one glob. It never goes back over a `*`, so no glob can take long."""
    first, *rest = (re.escape(part) for part in re.split(r"\*+", glob))
    if not rest:
        return first
    *middle, last = rest
    return first + "".join(f"(?>.*?{part})" for part in middle) + f".*{last}"


def _texts(value: str | Iterable[str] | None) -> frozenset[str]:
    """Return the texts of an option, which the UI stores as a list and a person may write as one text."""
    if value is None:
        return frozenset()
    return frozenset((value,)) if isinstance(value, str) else frozenset(value)
