"""Entities that services make, change or remove without naming their whole id."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.core import valid_entity_id

# The services, with the field that has the id less the domain. The domain is that of the service.
_FIELDS = {
    "group.remove": "object_id",
    "group.set": "object_id",
    "scene.create": "scene_id",
}
_REMOVING = frozenset({"group.remove"})


@dataclass(frozen=True, slots=True)
class Made:
    """An entity; `is_new` tells whether it comes into being unless it is there already."""

    entity_id: str
    is_new: bool


def made_by(service: str, data: Mapping[str, Any]) -> Made | None:
    """Return the entity that a service ("domain.service") makes, changes or removes; None for no such service."""
    field = _FIELDS.get(service)
    value = None if field is None else data.get(field)
    if not isinstance(value, str | int | float):
        return None
    # Home Assistant takes numbers for texts here.
    entity_id = f"{service.partition('.')[0]}.{value}".lower()
    if not valid_entity_id(entity_id):
        # Home Assistant refuses it.
        return None
    return Made(entity_id, service not in _REMOVING)


def field_of_made(service: str) -> str | None:
    """Return the field in which a service has a part of the id of what it makes."""
    return _FIELDS.get(service)
