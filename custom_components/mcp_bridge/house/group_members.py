"""The groups that Home Assistant opens before it acts: old-style `group.*`, and group entities of one integration."""

from collections.abc import Iterable
from typing import Any

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant
from homeassistant.helpers.group import (
    ENTITY_PREFIX,
    GenericGroup,
    get_entity_ids,
    get_group_entities,
)


def members_of(hass: HomeAssistant, entity_id: str) -> list[str]:
    """Return the members that Home Assistant puts in the place of an entity; none for what is no such group."""
    entity = get_group_entities(hass).get(entity_id)
    if entity is not None and isinstance(entity.group, GenericGroup):
        return id_list(entity.group.member_entity_ids)
    if entity_id.startswith(ENTITY_PREFIX):
        return id_list(get_entity_ids(hass, entity_id))
    return []


def open_groups(hass: HomeAssistant, entity_ids: Iterable[str]) -> set[str]:
    """Return entities with all members of the groups among them, to any depth.

    Unlike Home Assistant's own function it stands groups that contain each other, and takes linear time.
    """
    found = set(entity_ids)
    waiting = list(found)
    while waiting:
        new = set(members_of(hass, waiting.pop())) - found
        found |= new
        waiting += new
    return found


def id_list(value: Any) -> list[str]:
    """Return the entity ids in what an integration gave as a list of them; anything can set a state."""
    if not isinstance(value, list | tuple | set | frozenset):
        return []
    return [item.lower() for item in value if isinstance(item, str)]


def listed_members(hass: HomeAssistant, entity_id: str) -> list[str]:
    """Return the entities that an entity lists in its state, as groups of every kind and scenes do."""
    state = hass.states.get(entity_id)
    return id_list(state.attributes.get(ATTR_ENTITY_ID)) if state else []
