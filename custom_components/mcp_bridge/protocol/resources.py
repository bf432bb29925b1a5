"""Resources: the same answers as the tools give, under an address. Each is read by calling its tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field
import re
from typing import Any

from homeassistant.helpers.json import json_bytes

from ..const import RESOURCE_BYTES
from ..errors import ErrorCode
from ..models import Caller
from ..tools.registry import Answer, ToolRegistry, UnknownTool

MIME_TYPE = "application/json"
_PARAMETER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource, or a template for many when the address has parameters, which become arguments of the tool.

    `pick` names the one value of the tool's answer that is the body; without it the whole answer is.
    """

    uri: str
    name: str
    description: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    parameter: str | None = None
    pick: str | None = None

    @property
    def is_template(self) -> bool:
        """Whether the address has a parameter."""
        return self.parameter is not None

    def match(self, uri: str) -> dict[str, Any] | None:
        """Return the arguments for the tool if the address is this resource's."""
        if self.parameter is None:
            return dict(self.arguments) if uri == self.uri else None
        prefix = _PARAMETER.sub("", self.uri)
        value = uri.removeprefix(prefix)
        if value == uri or not value or "/" in value:
            return None
        return {**self.arguments, self.parameter: value}


RESOURCES = (
    Resource(
        "ha://overview",
        "Overview of the house",
        "What is going on at home, on one page.",
        "ha_get_overview",
    ),
    Resource(
        "ha://areas",
        "Areas",
        "All areas with their number of entities.",
        "ha_list_areas",
        pick="items",
    ),
    Resource(
        "ha://services",
        "Services",
        "Service domains with their number of services.",
        "ha_list_services",
        pick="domains",
    ),
    Resource(
        "ha://config",
        "Configuration",
        "Home Assistant's version, units and time zone.",
        "ha_get_system",
        {"section": "config"},
    ),
    Resource(
        "ha://area/{area_id}",
        "Area",
        "One area: its domains, and what is on or open.",
        "ha_list_areas",
        parameter="area",
    ),
    Resource(
        "ha://entity/{entity_id}",
        "Entity",
        "State and attributes of one entity.",
        "ha_get_entity",
        parameter="entity_id",
    ),
)


class ResourceNotFound(Exception):
    """There is nothing at that address for this caller."""


class ResourceFailed(Exception):
    """It is there and could not be read; the message says why."""


def offered_resources(registry: ToolRegistry, caller: Caller) -> list[Resource]:
    """Return the resources whose tool the caller has."""
    tools = {tool.name for tool in registry.offered(caller)}
    return [resource for resource in RESOURCES if resource.tool in tools]


async def read_resource(registry: ToolRegistry, caller: Caller, uri: str) -> str:
    """Return the body of a resource as JSON text, or raise ResourceNotFound or ResourceFailed."""
    for resource in RESOURCES:
        if (arguments := resource.match(uri)) is None:
            continue
        try:
            answer = await registry.call(
                resource.tool, arguments, caller, RESOURCE_BYTES
            )
        except UnknownTool as err:
            raise ResourceNotFound(uri) from err
        if answer.is_error:
            raise _failure(answer, uri)
        return _body(answer, resource.pick)
    raise ResourceNotFound(uri)


def _failure(answer: Answer, uri: str) -> Exception:
    """Return the error for an answer that is one; only what is not there is not found."""
    error = answer.data["error"]
    if error["code"] in (ErrorCode.NOT_FOUND, ErrorCode.INVALID_ARGUMENTS):
        return ResourceNotFound(uri)
    return ResourceFailed(error["message"])


def _body(answer: Answer, pick: str | None) -> str:
    """Return the picked part of an answer, or all of it where the part is not whole."""
    if pick is None or answer.data["has_more"]:
        return answer.text
    return json_bytes(answer.data[pick]).decode()
