"""Which entities a registered service can act on at all, read off its registration."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from homeassistant.core import HomeAssistant, Service
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import DATA_DOMAIN_ENTITIES
from homeassistant.helpers.service import (
    async_get_cached_service_description,
    batched_entity_service_call,
    entity_service_call,
)

# Their services have the schema of an entity service, but a handler of their own that acts on their own entities.
_OWN_HANDLERS = frozenset({"script"})


@dataclass(frozen=True, slots=True)
class EntityScope:
    """The entities that an entity service can act on.

    Either those of one entity domain (`light.turn_on`), or those that the integration has (`sonos.snapshot`).
    """

    hass: HomeAssistant
    domain: str
    # None for all entities of the domain.
    entities: Mapping[str, Entity] | None = None
    # Sets of features of which an entity has to have one in full, and the device classes it may have; None for any.
    features: Sequence[int] | None = None
    device_classes: Collection[str | None] | None = None

    def holds(self, entity_id: str) -> bool:
        """Tell whether the service can act on an entity."""
        if self.entities is None:
            return entity_id.partition(".")[0] == self.domain
        if entity_id in self.entities:
            return True
        # One that is not loaded just now.
        entry = er.async_get(self.hass).async_get(entity_id)
        return entry is not None and entry.platform == self.domain

    def acts_on(self, entity_id: str) -> bool:
        """Tell whether the service does something to an entity that is not named."""
        return self.holds(entity_id) and self.suits(entity_id)

    def suits(self, entity_id: str) -> bool:
        """Tell whether an entity can do what the service asks for. One that is not loaded counts as able to.

        Home Assistant passes over one that cannot, unless it is named: then it fails.
        """
        if self.features is None and self.device_classes is None:
            return True
        entity = self._live.get(entity_id)
        if entity is None:
            return True
        if (
            self.device_classes is not None
            and entity.device_class not in self.device_classes
        ):
            return False
        return self.features is None or any(
            _has(entity.supported_features, needed) for needed in self.features
        )

    @property
    def _live(self) -> Mapping[str, Entity]:
        if self.entities is not None:
            return self.entities
        live: Mapping[str, Entity] = self.hass.data.get(DATA_DOMAIN_ENTITIES, {}).get(
            self.domain, {}
        )
        return live


@dataclass(frozen=True, slots=True)
class TurnScope:
    """The entities that homeassistant.turn_on, turn_off or toggle can act on: those whose domain has that service."""

    hass: HomeAssistant
    service: str

    def holds(self, entity_id: str) -> bool:
        """Tell whether the service is handed on to the domain of an entity."""
        return self.hass.services.has_service(entity_id.partition(".")[0], self.service)

    def acts_on(self, entity_id: str) -> bool:
        """Tell whether the service does something to an entity that is not named."""
        return self.holds(entity_id) and self.suits(entity_id)

    def suits(self, entity_id: str) -> bool:
        """Tell whether an entity can do what its domain is asked for."""
        scope = entity_scope(self.hass, entity_id.partition(".")[0], self.service)
        return scope is None or scope.suits(entity_id)


type Scope = EntityScope | TurnScope


def _has(features: int | None, needed: int) -> bool:
    return features is not None and features & needed == needed


def entity_scope(hass: HomeAssistant, domain: str, service: str) -> EntityScope | None:
    """Return what an entity service can act on; None when it cannot be told, so that it may be anything."""
    if (registered := _registered(hass, domain, service)) is None:
        return None
    if (entities := _entities(registered)) is not None:
        own = hass.data.get(DATA_DOMAIN_ENTITIES, {}).get(domain)
        return EntityScope(
            hass,
            domain,
            None if entities is own else entities,
            _bound(registered, "required_features"),
            _bound(registered, "entity_device_classes"),
        )
    if domain in _OWN_HANDLERS and _has_entity_schema(registered):
        return EntityScope(hass, domain)
    return None


def is_entity_service(hass: HomeAssistant, domain: str, service: str) -> bool:
    """Tell whether a service demands a target, and acts on the entities of it."""
    registered = _registered(hass, domain, service)
    return registered is not None and (
        _has_entity_schema(registered) or _entities(registered) is not None
    )


def takes_target(hass: HomeAssistant, domain: str, service: str) -> bool:
    """Tell whether a service has a target.

    Descriptions are looked up in Home Assistant's cache: `async_get_all_descriptions` must have been awaited before.
    """
    description = async_get_cached_service_description(hass, domain, service) or {}
    return "target" in description or is_entity_service(hass, domain, service)


def _registered(hass: HomeAssistant, domain: str, service: str) -> Service | None:
    return hass.services.async_services_internal().get(domain, {}).get(service)


def _has_entity_schema(registered: Service) -> bool:
    return registered.schema is not None and cv.is_entity_service_schema(
        registered.schema
    )


def _entities(registered: Service) -> Mapping[str, Entity] | None:
    """Return the entities out of the handler that Home Assistant's helpers made; None for any other handler.

    No interface tells them; a test pins that the handler is `partial(entity_service_call, hass, entities, …)`. Should
    that change, the service counts as acting on anything.
    """
    handler = registered.job.target
    if not isinstance(handler, partial) or len(handler.args) < 2:
        return None
    if handler.func not in (entity_service_call, batched_entity_service_call):
        return None
    entities = handler.args[1]
    if callable(entities):
        entities = entities()
    return entities if isinstance(entities, Mapping) else None


def _bound(registered: Service, name: str) -> tuple[Any, ...] | None:
    """Return what the handler is bound to demand of entities, None for nothing."""
    handler = registered.job.target
    value = handler.keywords.get(name) if isinstance(handler, partial) else None
    return None if value is None else tuple(value)
