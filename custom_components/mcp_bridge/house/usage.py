"""What uses an entity: asked before it is deleted."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
import re
from typing import Any

from homeassistant.components import automation, group, script
from homeassistant.components.homeassistant import scene
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er

from ..const import DOMAIN

# Parts of a configuration looked at before others have their turn: about 2 ms. And the most that are looked at in one
# configuration at all; a dashboard of 100 kB has about 5,000.
_SLICE = 2_000
_MOST_PARTS = 200_000


async def users_of(hass: HomeAssistant, entity_id: str) -> dict[str, list[str]]:
    """Return what uses an entity: {"automations", "scripts", "scenes", "groups", "entities", "dashboards"}.

    All but the dashboards, which are url paths, are entity ids. "entities" are those of integrations that name the
    entity in their options, such as a template or a threshold. What is named in templates and blueprint inputs counts;
    what takes the entity by its area, device or label does not.
    """
    mention = _mention(entity_id)
    groups = _groups(hass, entity_id)
    return {
        "automations": sorted(
            {
                *automation.automations_with_entity(hass, entity_id),
                *[user async for user in _naming(hass, automation.DOMAIN, mention)],
            }
        ),
        "scripts": sorted(
            {
                *script.scripts_with_entity(hass, entity_id),
                *[user async for user in _naming(hass, script.DOMAIN, mention)],
            }
        ),
        "scenes": sorted(set(scene.scenes_with_entity(hass, entity_id))),
        "groups": sorted(groups),
        "entities": sorted(
            {user async for user in _configured(hass, mention)} - groups - {entity_id}
        ),
        "dashboards": sorted({path async for path in _dashboards(hass, mention)}),
    }


def _mention(entity_id: str) -> re.Pattern[str]:
    """Return a pattern that finds the id in a text, but not as a part of a longer one."""
    return re.compile(rf"(?<!\w){re.escape(entity_id)}(?!\w)")


async def _naming(
    hass: HomeAssistant, domain: str, mention: re.Pattern[str]
) -> AsyncIterator[str]:
    """Yield the automations or scripts that name the entity anywhere in their configuration."""
    component = hass.data.get(domain)
    for entity in list(getattr(component, "entities", ())):
        if await _names(getattr(entity, "raw_config", None), mention):
            yield entity.entity_id


def _groups(hass: HomeAssistant, entity_id: str) -> set[str]:
    """Return the groups that the entity is in, old ones (group.…) and those of any other domain."""
    registry = er.async_get(hass)
    found = set(group.groups_with_entity(hass, entity_id))
    for state in hass.states.async_all():
        members = state.attributes.get(ATTR_ENTITY_ID)
        if isinstance(members, (list, tuple)) and entity_id in members:
            entry = registry.async_get(state.entity_id)
            if entry is not None and entry.platform == group.DOMAIN:
                found.add(state.entity_id)
    return found


async def _configured(
    hass: HomeAssistant, mention: re.Pattern[str]
) -> AsyncIterator[str]:
    registry = er.async_get(hass)
    for config_entry in hass.config_entries.async_entries():
        # Our own options say who may reach the entity, and do not use it.
        if config_entry.domain == DOMAIN:
            continue
        if await _names(config_entry.options, mention):
            for entry in er.async_entries_for_config_entry(
                registry, config_entry.entry_id
            ):
                yield entry.entity_id


async def _dashboards(
    hass: HomeAssistant, mention: re.Pattern[str]
) -> AsyncIterator[str]:
    """Yield the url paths of the dashboards that name the entity; one that cannot be read counts as not naming it."""
    lovelace = hass.data.get("lovelace")
    for url_path, dashboard in list(getattr(lovelace, "dashboards", {}).items()):
        try:
            config = await dashboard.async_load(False)
        except HomeAssistantError, OSError:
            continue
        if await _names(config, mention):
            yield url_path or "lovelace"


async def _names(config: Any, mention: re.Pattern[str]) -> bool:
    """Tell whether a text anywhere in a configuration, keys included, names the entity."""
    rest = [config]
    for number in range(1, _MOST_PARTS):
        if not rest:
            break
        part = rest.pop()
        if isinstance(part, str):
            if mention.search(part):
                return True
        else:
            rest.extend(_parts(part))
        if number % _SLICE == 0:
            await asyncio.sleep(0)
    return False


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return (*value.keys(), *value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    return ()
