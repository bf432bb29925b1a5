"""What people have set on an entity in the entity registry, as plain JSON, and how to set it again."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    label_registry as lr,
)

# Options that Home Assistant writes for its own bookkeeping.
_OWN_OPTIONS = frozenset({"collection"})


def customisations(entry: er.RegistryEntry) -> dict[str, Any]:
    """Return what people have set on an entity. Among the aliases None stands for the name of the entity."""
    return {
        "name": entry.name,
        "icon": entry.icon,
        "area_id": entry.area_id,
        "labels": sorted(entry.labels),
        "aliases": [
            alias if isinstance(alias, str) else None for alias in entry.aliases
        ],
        "categories": dict(entry.categories),
        "disabled_by": entry.disabled_by.value if entry.disabled_by else None,
        "hidden_by": entry.hidden_by.value if entry.hidden_by else None,
        "options": {
            domain: dict(options)
            for domain, options in entry.options.items()
            if domain not in _OWN_OPTIONS
        },
    }


def customise(
    hass: HomeAssistant, entity_id: str, wanted_id: str, settings: Mapping[str, Any]
) -> str:
    """Set what `customisations` returned, and the entity id when it is free; returns the entity id it has then.

    Areas and labels that have gone meanwhile are left out.
    """
    registry = er.async_get(hass)
    if entity_id != wanted_id and is_free(hass, wanted_id):
        registry.async_update_entity(entity_id, new_entity_id=wanted_id)
        entity_id = wanted_id
    if not settings:
        return entity_id
    for domain, options in settings["options"].items():
        registry.async_update_entity_options(entity_id, domain, options)
    disabled_by, hidden_by = settings["disabled_by"], settings["hidden_by"]
    registry.async_update_entity(
        entity_id,
        name=settings["name"],
        icon=settings["icon"],
        area_id=_area(hass, settings["area_id"]),
        labels=_labels(hass, settings["labels"]),
        aliases=[
            er.COMPUTED_NAME if alias is None else alias
            for alias in settings["aliases"]
        ],
        categories=dict(settings["categories"]),
        disabled_by=er.RegistryEntryDisabler(disabled_by) if disabled_by else None,
        hidden_by=er.RegistryEntryHider(hidden_by) if hidden_by else None,
    )
    return entity_id


def put_into_area(hass: HomeAssistant, entity_id: str, area_id: str | None) -> None:
    """Put an entity into an area, or into none."""
    er.async_get(hass).async_update_entity(entity_id, area_id=_area(hass, area_id))


def is_free(hass: HomeAssistant, entity_id: str) -> bool:
    """Tell whether an entity id could be given to an entity."""
    return (
        er.async_get(hass).async_get(entity_id) is None
        and hass.states.get(entity_id) is None
    )


def _area(hass: HomeAssistant, area_id: str | None) -> str | None:
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return area.id if area else None


def _labels(hass: HomeAssistant, label_ids: list[str]) -> set[str]:
    registry = lr.async_get(hass)
    return {label_id for label_id in label_ids if registry.async_get_label(label_id)}
