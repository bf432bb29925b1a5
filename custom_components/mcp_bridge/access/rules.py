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
)

from ..const import CONF_PATTERNS, CONF_TARGET
from ..house.records import EntityRecord


@dataclass(frozen=True, slots=True)
class EntityRule:
    """A list of entities: glob patterns on the entity id, and picked entities, devices, areas, floors and labels."""

    pattern: re.Pattern[str] | None = None
    entity_ids: frozenset[str] = frozenset()
    device_ids: frozenset[str] = frozenset()
    area_ids: frozenset[str] = frozenset()
    floor_ids: frozenset[str] = frozenset()
    label_ids: frozenset[str] = frozenset()

    @classmethod
    def from_option(cls, option: Mapping[str, Any] | None) -> Self:
        """Read a list as the options flow stores it; an absent one is empty."""
        option = option or {}
        target = option.get(CONF_TARGET) or {}
        return cls(
            compile_globs(option.get(CONF_PATTERNS) or ()),
            _ids(target.get(ATTR_ENTITY_ID)),
            _ids(target.get(ATTR_DEVICE_ID)),
            _ids(target.get(ATTR_AREA_ID)),
            _ids(target.get(ATTR_FLOOR_ID)),
            _ids(target.get(ATTR_LABEL_ID)),
        )

    @property
    def is_empty(self) -> bool:
        """Whether the list names nothing at all."""
        picked = (
            self.entity_ids,
            self.device_ids,
            self.area_ids,
            self.floor_ids,
            self.label_ids,
        )
        return self.pattern is None and not any(picked)

    def matches(self, record: EntityRecord) -> bool:
        """Tell whether the list names this entity."""
        return (
            record.entity_id in self.entity_ids
            or record.area_id in self.area_ids
            or record.floor_id in self.floor_ids
            or not self.device_ids.isdisjoint(record.device_ids)
            or not self.label_ids.isdisjoint(record.labels)
            or (
                self.pattern is not None
                and self.pattern.fullmatch(record.entity_id) is not None
            )
        )


def compile_globs(globs: Iterable[str]) -> re.Pattern[str] | None:
    """Compile glob patterns into one expression; None when there are none.

    Only `*` is special and stands for any run of characters, dots included. A pattern is anchored at both ends, and
    case and surrounding blanks are ignored.
    """
    cleaned = dict.fromkeys(glob.strip().lower() for glob in globs if glob.strip())
    if not cleaned:
        return None
    alternatives = "|".join(
        ".*".join(re.escape(part) for part in re.split(r"\*+", glob))
        for glob in cleaned
    )
    return re.compile(alternatives, re.IGNORECASE | re.DOTALL)


def _ids(value: str | Iterable[str] | None) -> frozenset[str]:
    """Return the ids of a target, which the UI stores as a list and a person may write as one text."""
    if value is None:
        return frozenset()
    return frozenset((value,)) if isinstance(value, str) else frozenset(value)
