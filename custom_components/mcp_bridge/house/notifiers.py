"""Where a message can be sent: to notify entities, by the older notify services, and onto Home Assistant's own screen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from homeassistant.components import persistent_notification
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er

from ..errors import InvalidArguments, NotFound, Unavailable, did_you_mean, quoted
from .nearest import nearest
from .service_requests import ServiceRequest

_NOTIFY = "notify"
_PREFIX = f"{_NOTIFY}."
_SEND = "send_message"
_SCREEN = persistent_notification.DOMAIN
_SCREEN_NAMES = frozenset({_SCREEN, f"{_SCREEN}.create", f"{_PREFIX}{_SCREEN}"})
# NotifyEntityFeature.TITLE
_TITLE = 1
_MOBILE_APP = "mobile_app"


class NotifierKind(StrEnum):
    """How a message gets there."""

    ENTITY = "entity"
    SERVICE = "service"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True)
class Notifier:
    """Somewhere that a message can be sent to.

    `id` is what to call it by: an entity id, the name of a service, or "persistent_notification". `key` is the same
    for two notifiers that reach the same device, so that a limit per target cannot be passed by another spelling.
    `service` is the service that can send `data` there. `listed` is false for one that is not to be offered, because
    nobody can tell whom it reaches.
    """

    id: str
    kind: NotifierKind
    name: str
    key: str
    takes_title: bool = True
    service: str | None = None
    available: bool = True
    listed: bool = True

    @property
    def takes_data(self) -> bool:
        """Whether extra data (buttons, pictures, channels) can be sent along."""
        return self.service is not None

    def request(
        self,
        message: str,
        title: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> ServiceRequest:
        """Return the call that sends a message here."""
        if not self.available:
            raise Unavailable(
                f"{self.id} is unavailable, so nothing can be sent there."
            )
        if self.kind is NotifierKind.SCREEN:
            return self._on_screen(message, title, data or {})
        if self.service is not None and (data or self.kind is NotifierKind.SERVICE):
            return ServiceRequest(_NOTIFY, self.service, _body(message, title, data))
        if data:
            raise InvalidArguments(
                f"{self.id} is a notify entity, which takes a message and a title, but no data."
            )
        if title and not self.takes_title:
            message, title = f"{title}\n{message}", None
        return ServiceRequest(
            _NOTIFY, _SEND, _body(message, title), target={"entity_id": self.id}
        )

    def _on_screen(
        self, message: str, title: str | None, data: Mapping[str, Any]
    ) -> ServiceRequest:
        identifier = persistent_notification.ATTR_NOTIFICATION_ID
        if others := data.keys() - {identifier}:
            raise InvalidArguments(
                f"A persistent notification takes no {quoted(min(others))} in data.",
                f"Only {identifier} is possible.",
            )
        return ServiceRequest(_SCREEN, "create", {**_body(message, title), **data})


def all_notifiers(hass: HomeAssistant) -> list[Notifier]:
    """Return everywhere that a message can be sent to: entities, services, then the screen, each sorted by id."""
    services = hass.services.async_services_for_domain(_NOTIFY)
    entities = sorted(hass.states.async_all(_NOTIFY), key=lambda state: state.entity_id)
    return [
        *(_entity(hass, state) for state in entities),
        *(
            _service(service)
            for service in sorted(services)
            if service not in (_SEND, _SCREEN)
        ),
        Notifier(_SCREEN, NotifierKind.SCREEN, "Persistent notification", _SCREEN),
    ]


def resolve(notifiers: Sequence[Notifier], target: str) -> Notifier:
    """Return the notifier that a text means, with or without "notify."; an entity comes before a service.

    Raises NotFound with near names, which are taken out of `notifiers`: whoever asks passes what may be seen.
    """
    wanted = target.strip().lower()
    if wanted in _SCREEN_NAMES:
        wanted = _SCREEN
    for name in (wanted, f"{_PREFIX}{wanted}"):
        for notifier in notifiers:
            if notifier.id == name:
                return notifier
    near = nearest(wanted.removeprefix(_PREFIX), map(_short, _listed(notifiers)))
    raise NotFound(
        f"There is no notify target {quoted(target)}.",
        did_you_mean(
            [f"{_PREFIX}{name}" if name != _SCREEN else name for name in near]
        ),
    )


def keys_of_call(
    hass: HomeAssistant, domain: str, service: str, entity_ids: Iterable[str] = ()
) -> list[str]:
    """Return the keys of the notifiers that a service call reaches, sorted; none for a service that sends nothing."""
    if (domain, service) in {(_NOTIFY, _SCREEN), (_SCREEN, "create")}:
        return [_SCREEN]
    if domain != _NOTIFY:
        return []
    if service != _SEND:
        return [_service_key(service)]
    wanted = set(entity_ids)
    states = hass.states.async_all(_NOTIFY)
    known = {state.entity_id: _entity(hass, state).key for state in states}
    return sorted({known.get(entity_id, entity_id) for entity_id in wanted})


def _body(
    message: str, title: str | None, data: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    body: dict[str, Any] = {"message": message}
    if title:
        body["title"] = title
    if data:
        body["data"] = dict(data)
    return body


def _entity(hass: HomeAssistant, state: State) -> Notifier:
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES)
    service = _mobile_app_service(hass, state.entity_id)
    return Notifier(
        id=state.entity_id,
        kind=NotifierKind.ENTITY,
        name=state.name,
        key=_service_key(service) if service else f"entity {state.entity_id}",
        takes_title=bool(isinstance(features, int) and features & _TITLE),
        service=service,
        available=state.state != STATE_UNAVAILABLE,
    )


def _service(service: str) -> Notifier:
    return Notifier(
        id=f"{_PREFIX}{service}",
        kind=NotifierKind.SERVICE,
        name=service.replace("_", " "),
        key=_service_key(service),
        service=service,
        # notify.notify is the service of whichever integration came first without a name: one phone, or all of them.
        listed=service != _NOTIFY,
    )


def _service_key(service: str) -> str:
    return f"service {_PREFIX}{service}"


def _mobile_app_service(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the older service of the phone whose notify entity this is, which can do more: it sends data.

    The phone's config entry and the service have the webhook in common.
    """
    entry = er.async_get(hass).async_get(entity_id)
    if entry is None or entry.platform != _MOBILE_APP or not entry.config_entry_id:
        return None
    config_entry = hass.config_entries.async_get_entry(entry.config_entry_id)
    webhook = config_entry.data.get("webhook_id") if config_entry else None
    for service, reaches in _mobile_app_services(hass):
        if reaches == webhook and hass.services.has_service(_NOTIFY, service):
            return service
    return None


def _mobile_app_services(hass: HomeAssistant) -> Iterator[tuple[str, Any]]:
    """Yield the services of phones with their webhooks."""
    for platform in hass.data.get("notify_services", {}).get(_MOBILE_APP, ()):
        yield from getattr(platform, "registered_targets", {}).items()


def _listed(notifiers: Iterable[Notifier]) -> list[Notifier]:
    return [notifier for notifier in notifiers if notifier.listed]


def _short(notifier: Notifier) -> str:
    return notifier.id.removeprefix(_PREFIX)
