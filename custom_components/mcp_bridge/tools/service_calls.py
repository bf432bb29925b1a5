"""Calling a service (action): the tool for everything that has no tool of its own."""

import asyncio
from collections.abc import Mapping

import probatio as vol

from homeassistant.const import ATTR_ENTITY_ID, ENTITY_MATCH_ALL, ENTITY_MATCH_NONE

from ..access.actions.service import ServiceAction
from ..access.view import HouseView
from ..errors import InvalidArguments, quoted, some_of
from ..house.places import PlaceKind
from ..house.search_text import fold
from ..models import Kind
from .declaration import Call, Result, tool
from .objects import Data, Target
from .parameters import Flag, Name

# Entities of one call that are called by name.
_MOST_NAMES = 20
_PLACES: Mapping[str, PlaceKind] = {
    "device_id": PlaceKind.DEVICE,
    "area_id": PlaceKind.AREA,
    "floor_id": PlaceKind.FLOOR,
    "label_id": PlaceKind.LABEL,
}


@tool(
    name="ha_call_service",
    title="Call a service",
    description="Act on the home: call any service (action), such as light.turn_on. ha_list_services tells their fields. Some need a "
    "person's agreement first. The answer has the states of the targets before and after.",
    parameters={
        vol.Required(
            "service", description="such as light.turn_on, or turn_on with a domain"
        ): Name(),
        vol.Optional("domain", description="such as light"): Name(),
        vol.Optional("target", description="what to act on"): Target(),
        vol.Optional("data", description="fields of the service"): Data(),
        vol.Optional(
            "return_response", description="true: answer with the service's response"
        ): Flag(),
    },
    kind=Kind.WRITE,
)
async def call_service(call: Call) -> Result:
    """Call a service under the guard."""
    domain, service = _split(call.args["service"], call.get("domain"))
    return await call.act(
        ServiceAction(
            domain=domain,
            service=service,
            target=await resolved_target(call.view, call.get("target") or {}),
            data=call.get("data") or {},
            returns=call.args.get("return_response", False),
        )
    )


def _split(service: str, domain: str | None) -> tuple[str, str]:
    """Return domain and service, which may come as one text or as two."""
    left, dot, right = service.partition(".")
    if dot and domain in (None, left):
        return left, right
    if not domain:
        raise InvalidArguments(
            f"The service {quoted(service)} has no domain.",
            "Name it in full, such as light.turn_on.",
        )
    return domain, service


async def resolved_target(
    view: HouseView, target: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    """Return a target with the ids of what it calls by name, or raise NotFound or InvalidArguments."""
    resolved = {
        key: [view.place(_PLACES[key], text).id for text in texts]
        for key, texts in target.items()
        if key in _PLACES
    }
    entities = target.get(ATTR_ENTITY_ID, [])
    names = [text for text in entities if not _is_id(text)]
    if len(names) > _MOST_NAMES:
        raise InvalidArguments(
            f"{len(names)} entities are called by name, at most {_MOST_NAMES} are possible.",
            "Use their ids.",
        )
    ids = {}
    for name in names:
        ids[name] = entity_named(view, name)
        # Each is a search of its own.
        await asyncio.sleep(0)
    if entities:
        resolved[ATTR_ENTITY_ID] = [ids.get(text, text) for text in entities]
    return resolved


def _is_id(text: str) -> bool:
    return "." in text or text in (ENTITY_MATCH_ALL, ENTITY_MATCH_NONE)


def entity_named(view: HouseView, text: str) -> str:
    """Return the id of the one entity of a name or alias; any other text as it is, for it may be an id."""
    wanted = fold(text)
    found, _ = view.search(text)
    exact = [
        hit.record.entity_id
        for hit in found
        if wanted in map(fold, (hit.record.name, *hit.record.aliases))
    ]
    if len(exact) > 1:
        raise InvalidArguments(
            f"There are {len(exact)} entities named {quoted(text)}.",
            f"Use one of the ids: {some_of(exact)}",
        )
    return exact[0] if exact else text
