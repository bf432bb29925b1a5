"""A house whose entities note what is really done to them, with Home Assistant's own service helpers."""

from collections.abc import Callable
import logging

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.entity_platform import DATA_DOMAIN_ENTITIES
from homeassistant.helpers.group import GenericGroup
from homeassistant.helpers.service import (
    async_extract_entity_ids,
    async_register_entity_service,
)

from .building import Building

_LOGGER = logging.getLogger(__name__)


class Actor(Entity):
    """An entity that notes each time it is acted on."""

    _attr_should_poll = False

    def __init__(self, entity_id: str, note: Callable[[str], None]) -> None:
        """Take the id, and where to note what is done."""
        self.entity_id = entity_id
        self._attr_unique_id = self._attr_name = entity_id
        self._note = note

    async def async_turn_on(self) -> None:
        """Note it."""
        self._note(self.entity_id)

    def can(self, features: int | None, device_class: str | None = None) -> None:
        """Give this other features, and another device class."""
        self._attr_supported_features = features
        self._attr_device_class = device_class

    def make_group(self, members: list[str]) -> None:
        """Make this a group that Home Assistant opens before it acts."""
        self.group = GenericGroup(self, members)


class Stage:
    """Lights and switches, and `acme.touch`, a service that takes any target.

    Theirs are `turn_on`, `dance` for those with some features, and `shine` for some device classes.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Start without entities."""
        self.hass = hass
        self.building = Building(hass)
        self.acted: set[str] = set()
        self.actors: dict[str, Actor] = {}
        self.components = {
            domain: EntityComponent[Actor](_LOGGER, domain, hass)
            for domain in ("light", "switch")
        }
        for component in self.components.values():
            component.async_register_entity_service("turn_on", None, "async_turn_on")
            component.async_register_entity_service(
                "dance", None, "async_turn_on", required_features=[1 | 2, 4]
            )
            async_register_entity_service(
                hass,
                component.domain,
                "shine",
                entities=hass.data[DATA_DOMAIN_ENTITIES][component.domain],
                func="async_turn_on",
                job_type=None,
                schema=None,
                entity_device_classes=["lamp", None],
            )
        hass.services.async_register("acme", "touch", self._touch)

    async def _touch(self, call: ServiceCall) -> None:
        self.acted |= await async_extract_entity_ids(call)

    async def add(self, *entity_ids: str, group: list[str] | None = None) -> None:
        """Add entities; with `group` they are groups of these members."""
        for entity_id in entity_ids:
            actor = self.actors[entity_id] = Actor(entity_id, self.acted.add)
            if group is not None:
                actor.make_group(group)
            await self.components[entity_id.split(".")[0]].async_add_entities([actor])

    def old_group(self, entity_id: str, members: list[str]) -> None:
        """Put up an old-style group, which is known by its state."""
        self.hass.states.async_set(entity_id, "on", {"entity_id": members})

    async def done_by(self, service: str, target: dict[str, object]) -> set[str]:
        """Call a service and return the entities that were really acted on."""
        self.acted.clear()
        domain, name = service.split(".")
        await self.hass.services.async_call(domain, name, dict(target), blocking=True)
        # A service that checks nothing takes any text for an entity id.
        return self.acted & self.actors.keys()
