"""Services: what can be called."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import probatio as vol

from homeassistant.helpers.json import json_bytes

from ..access.guard.services import visible_services
from ..access.options import AccessOptions
from ..access.view import HouseView
from ..errors import NotFound, did_you_mean, quoted
from ..house.nearest import nearest
from ..house.search_text import fold
from ..house.services import Service, ServiceField, describe_services
from ..models import Kind
from .declaration import Call, tool
from .encoding import to_plain
from .envelope import Page
from .paging import page_of, page_parameters
from .parameters import Name, Text
from .scrubbing import scrubbed

_DESCRIPTION_LENGTH = 200
_FIELD_LENGTH = 150
# Services of a page, unless told.
_PAGE = 30


@tool(
    name="ha_list_services",
    title="List services",
    description="Services (actions) that Home Assistant knows. Without arguments: the domains. With a domain: its services with their "
    "fields, whether they respond, are denied or need confirmation. With search: services whose name or description has "
    "these words.",
    parameters={
        vol.Optional(
            "domain", description="such as light, or light.turn_on for one"
        ): Name(),
        vol.Optional("search", description="words, such as turn on"): Text(),
        **page_parameters(_PAGE, 200),
    },
    kind=Kind.READ,
)
async def list_services(call: Call) -> Page:
    """Return the domains with their number of services, or a page of services."""
    names = visible_services(call.view)
    if not (call.get("domain") or call.get("search")):
        return page_of(
            call,
            sorted(names),
            lambda domain: {"domain": domain, "services": len(names[domain])},
            note="Give a domain to see its services with their fields.",
            key="domains",
        )
    domain = ""
    if given := call.get("domain"):
        domain, _, service = given.partition(".")
        _check("service domain", domain, names)
        if service:
            _check("service", service, names[domain])
        names = {domain: {service} if service else names[domain]}
    if search := call.get("search"):
        return await _found(call, search, names)
    return await _of_domain(call, domain, names[domain])


def _check(what: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        hint = did_you_mean(nearest(name, known))
        raise NotFound(f"There is no {what} {quoted(name)}.", hint)


async def _of_domain(call: Call, domain: str, visible: set[str]) -> Page:
    services = [
        _seen(call.view, service)
        for service in await describe_services(call.hass, (domain,))
        if service.service in visible
    ]
    head = {"domain": domain}
    detail = partial(_detail, call.runtime().options)
    return page_of(call, services, detail, _PAGE, head=head, key="services")


async def _found(call: Call, search: str, names: dict[str, set[str]]) -> Page:
    words = fold(search.replace("_", " ")).split()
    described = await describe_services(call.hass, names)
    visible = (
        _seen(call.view, service)
        for service in described
        if service.service in names[service.domain]
    )
    found = [service for service in visible if words and _has(service, words)]
    # Those that have the words in their name stand before those that mention them.
    found.sort(key=lambda service: (not _names(service, words), service.id))
    return page_of(
        call,
        found,
        lambda service: {
            "service": service.id,
            "description": _short(service.description, 120),
        },
        _PAGE,
        note=None if found else "No service has these words.",
    )


def _seen(view: HouseView, service: Service) -> Service:
    """Return a service with texts that name no hidden entity: users write some of them."""
    if view.sees_all:
        return service
    fields = tuple(
        replace(
            field,
            description=view.scrub(field.description),
            example=scrubbed(view, to_plain(field.example)),
        )
        for field in service.fields
    )
    return replace(
        service,
        name=view.scrub(service.name),
        description=view.scrub(service.description),
        fields=fields,
    )


def _names(service: Service, words: Iterable[str]) -> bool:
    name = fold(f"{service.id} {service.name}".replace("_", " "))
    return all(word in name for word in words)


def _has(service: Service, words: Iterable[str]) -> bool:
    text = f"{service.id} {service.name} {service.description}".replace("_", " ")
    folded = fold(text)
    return all(word in folded for word in words)


def _detail(options: AccessOptions, service: Service) -> dict[str, Any]:
    detail: dict[str, Any] = {
        "service": service.service,
        "description": _short(service.description or service.name, _DESCRIPTION_LENGTH),
        "fields": [_field(field) for field in service.fields],
    }
    if service.has_target:
        detail["target"] = True
    if service.response != "none":
        detail["response"] = service.response
    if options.denies_service(service.id):
        detail["denied"] = True
    elif options.confirms(service.domain):
        detail["needs_confirmation"] = True
    return detail


def _field(field: ServiceField) -> dict[str, Any]:
    described: dict[str, Any] = {"name": field.name, "required": field.required}
    if field.description:
        described["description"] = _short(field.description, _FIELD_LENGTH)
    if field.example is not None:
        example = to_plain(field.example)
        fits = len(json_bytes(example)) <= _FIELD_LENGTH
        described["example"] = example if fits else _short(str(example), _FIELD_LENGTH)
    if field.selector:
        described["selector"] = field.selector
    return described


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length].rstrip()}…"
