"""Which entities are exposed to Assist, read without writing the default for the unseen ones into the registry."""

from collections.abc import Callable

from homeassistant.components import conversation
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
)
from homeassistant.core import CALLBACK_TYPE, HomeAssistant


def is_exposed(hass: HomeAssistant, entity_id: str) -> bool:
    """Tell whether an entity is exposed to the voice assistants of Assist."""
    exposed_entities = hass.data[DATA_EXPOSED_ENTITIES]
    try:
        return exposed_entities.async_get_should_expose(conversation.DOMAIN, entity_id)
    except TypeError:
        # Home Assistant decides by the device class, and some integration has set one that is no text.
        return False


def listen_to_exposure(
    hass: HomeAssistant, changed: Callable[[], None]
) -> CALLBACK_TYPE:
    """Call `changed` whenever the user exposes something or takes it back; returns the way to stop."""
    return async_listen_entity_updates(hass, conversation.DOMAIN, changed)


def exposes_new_entities(hass: HomeAssistant) -> bool:
    """Tell whether entities that nobody has decided about are exposed by default."""
    return hass.data[DATA_EXPOSED_ENTITIES].async_get_expose_new_entities(
        conversation.DOMAIN
    )
