"""Step 3: the service is there for the caller, and nobody has closed it."""

from collections.abc import Collection, Iterable

from homeassistant.components.notify import DOMAIN as NOTIFY_DOMAIN
from homeassistant.components.script import DOMAIN as SCRIPT_DOMAIN
from homeassistant.const import (
    SERVICE_RELOAD,
    SERVICE_TOGGLE,
    SERVICE_TURN_OFF,
    SERVICE_TURN_ON,
)
from homeassistant.helpers import entity_registry as er

from ...errors import did_you_mean, quoted
from ...house.nearest import nearest
from ...house.notifiers import Notifier, NotifierKind, all_notifiers
from ..options import AccessOptions
from ..refusals import Refusal, Rule
from ..view import HouseView

# The services of the script domain itself; each other one there is a script.
_SCRIPT_SERVICES = frozenset(
    (SERVICE_RELOAD, SERVICE_TURN_ON, SERVICE_TURN_OFF, SERVICE_TOGGLE)
)


def visible_services(view: HouseView) -> dict[str, set[str]]:
    """Return the names of the services by domain.

    What the caller may not see is no service either: neither a script, nor a phone by the older way to write to it.
    """
    registered = view.hass.services.async_services_internal()
    return {domain: _visible(view, domain, registered[domain]) for domain in registered}


def _visible(view: HouseView, domain: str, services: Iterable[str]) -> set[str]:
    """Return the names of those services of one domain that the caller may see."""
    if domain == SCRIPT_DOMAIN:
        return {
            name
            for name in services
            if name in _SCRIPT_SERVICES or view.find(_script(view, name)) is not None
        }
    if domain == NOTIFY_DOMAIN and not view.sees_all:
        shown = visible_notifiers(view)
        return set(services) - {
            notifier.service
            for notifier in all_notifiers(view.hass)
            if notifier.service and notifier not in shown
        }
    return set(services)


def visible_notifiers(view: HouseView) -> list[Notifier]:
    """Return where the caller can send something; a phone that is hidden is not there under its other name either."""
    notifiers = all_notifiers(view.hass)
    hidden = {
        notifier.key
        for notifier in notifiers
        if notifier.kind is NotifierKind.ENTITY and view.find(notifier.id) is None
    }
    return [notifier for notifier in notifiers if notifier.key not in hidden]


def script_of(view: HouseView, service: str) -> str | None:
    """Return the entity of the script that a service of its own runs; None for every other service."""
    domain, _, name = service.partition(".")
    if domain != SCRIPT_DOMAIN or name in _SCRIPT_SERVICES:
        return None
    return _script(view, name)


def _script(view: HouseView, name: str) -> str:
    """Return the entity of the script behind a service, which may have been renamed."""
    registered = er.async_get(view.hass).async_get_entity_id(
        SCRIPT_DOMAIN, SCRIPT_DOMAIN, name
    )
    return registered or f"{SCRIPT_DOMAIN}.{name}"


def check_exists(view: HouseView, name: str) -> None:
    """Raise a Refusal with a suggestion if there is no service of that name for the caller."""
    registered = view.hass.services.async_services_internal()
    domain, _, service = name.partition(".")
    if domain not in registered:
        raise _unknown("service domain", domain, registered)
    visible = _visible(view, domain, registered[domain])
    if service not in visible:
        raise _unknown("service", name, visible, service)


def _unknown(
    what: str, name: str, known: Collection[str], compared: str | None = None
) -> Refusal:
    near = nearest(compared or name, known)
    hint = did_you_mean(near) or "ha_list_services lists what there is."
    return Refusal(Rule.UNKNOWN_SERVICE, f"There is no {what} {quoted(name)}.", hint)


def check_denylist(services: Iterable[str], options: AccessOptions) -> None:
    """Raise a Refusal if one of the services is closed, whether it is called directly or on the way."""
    denied = sorted(filter(options.denies_service, services))
    if denied:
        raise Refusal(
            Rule.SERVICE_DENYLIST,
            f"The owner does not let assistants call {denied[0]}.",
            "Tell the person; do not look for another way.",
        )
