"""The options in force, read once whenever they change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from ..const import (
    CONF_ASSIST_EXPOSED_ONLY,
    CONF_ENTITY_ALLOWLIST,
    CONF_ENTITY_DENYLIST,
    CONF_FILTER_READS,
    CONF_REQUIRE_ADMIN,
)
from ..house.records import EntityRecord
from .rules import EntityRule


@dataclass(frozen=True, slots=True)
class AccessOptions:
    """What assistants may see, for all of them together.

    filter_reads: the entity lists hide entities from reads; without it they have no effect, as there is only reading.
    allow: unless it is empty, everything that it does not name is closed.
    deny: closes what it names, and wins over `allow`.
    assist_exposed_only: whatever is not exposed to Assist is closed.
    require_admin: only administrators get in.
    """

    filter_reads: bool = False
    allow: EntityRule = EntityRule()
    deny: EntityRule = EntityRule()
    assist_exposed_only: bool = False
    require_admin: bool = True

    @classmethod
    def from_entry_options(cls, options: Mapping[str, Any]) -> Self:
        """Read the options of the config entry."""
        return cls(
            filter_reads=options.get(CONF_FILTER_READS, False),
            allow=EntityRule.from_option(options.get(CONF_ENTITY_ALLOWLIST)),
            deny=EntityRule.from_option(options.get(CONF_ENTITY_DENYLIST)),
            assist_exposed_only=options.get(CONF_ASSIST_EXPOSED_ONLY, False),
            require_admin=options.get(CONF_REQUIRE_ADMIN, True),
        )

    def lists_permit(self, record: EntityRecord) -> bool:
        """Tell whether the entity lists leave an entity open."""
        return (
            self.allow.is_empty or self.allow.matches(record)
        ) and not self.deny.matches(record)

    @property
    def hides_entities(self) -> bool:
        """Whether anything in here may hide an entity from a read."""
        return (self.filter_reads and self._has_lists) or self.assist_exposed_only

    @property
    def lists_without_effect(self) -> bool:
        """Whether something stands in a list while the lists are switched off."""
        return self._has_lists and not self.filter_reads

    @property
    def _has_lists(self) -> bool:
        return not (self.allow.is_empty and self.deny.is_empty)


def with_renamed_entity(
    options: Mapping[str, Any], old: str, new: str
) -> dict[str, Any] | None:
    """Return the options of the config entry with the new id of an entity; None if the old one does not stand in them.

    An entity that is closed by its id stays closed under another one. Its old id stays closed, too: the old state may
    be there for a while yet. A pattern with `*` is left as it is.
    """
    replaced = {CONF_ENTITY_ALLOWLIST: [new], CONF_ENTITY_DENYLIST: [old, new]}
    changed = {
        name: _replaced(value, old, replaced[name]) if name in replaced else value
        for name, value in options.items()
    }
    return changed if changed != options else None


def _replaced(value: Any, old: str, new: list[str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _replaced(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        ids = [ids for inner in value for ids in (new if inner == old else [inner])]
        return list(dict.fromkeys(ids))
    return new if value == old else value
