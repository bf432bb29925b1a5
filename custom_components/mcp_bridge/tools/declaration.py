"""What a tool is: its declaration, which stands right above its handler, and the call that the handler gets."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

import probatio as vol

from homeassistant.core import HomeAssistant

from ..access.guard.plan import Action
from ..access.journal import Journal
from ..access.options import AccessOptions
from ..access.view import HouseView
from ..models import Caller, Kind
from .envelope import Page
from .parameters import Flag, Text, input_schema

# The parameters of every tool that changes something. They say how it is done, and are no part of what is done.
DRY_RUN = "dry_run"
CONFIRM_TOKEN = "confirm_token"
WRITING: Mapping[vol.Marker, Any] = {
    vol.Optional(DRY_RUN, description="true: only tell what would happen"): Flag(),
    vol.Optional(
        CONFIRM_TOKEN, description="from the answer that asked for it"
    ): Text(),
}


@dataclass(frozen=True, slots=True)
class Runtime:
    """The bridge itself, as far as tools tell about it."""

    version: str
    started: datetime
    options: AccessOptions
    open_sessions: int
    catalog_in_step: bool


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the house as the caller sees it, and the validated arguments.

    `runtime` tells about the bridge itself; it is a function, because few tools ask and the answer takes a while.
    `act` makes a change, under the guard; it belongs to tools that are no READ. `journal` has the changes that were made.
    """

    hass: HomeAssistant
    view: HouseView
    args: Mapping[str, Any]
    runtime: Callable[[], Runtime]
    caller: Caller
    journal: Journal
    act: Callable[[Action], Awaitable[Result]]

    def get(self, name: str) -> Any:
        """Return an argument, or None when it was not given."""
        return self.args.get(name)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as it is sent: in Base64, because encoding it takes too long for the event loop."""

    base64: str
    mime_type: str


@dataclass(frozen=True, slots=True)
class Illustrated:
    """A result with a picture to it."""

    data: Mapping[str, Any]
    image: Image


type Result = Mapping[str, Any] | Page | Illustrated
type Handler = Callable[[Call], Awaitable[Result]]


@dataclass(frozen=True)
class Tool:
    """A tool with its public contract. `destructive` and `idempotent` say more of a tool that is not a READ.

    A tool is offered only where the Home Assistant integration that it `needs` is loaded.
    """

    name: str
    title: str
    description: str
    parameters: dict[vol.Marker, Any]
    kind: Kind
    handler: Handler
    destructive: bool = True
    idempotent: bool = False
    needs: str | None = None
    schema: vol.Schema = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compile the schema once. What changes something can be tried out, and can be confirmed."""
        parameters = {**self.parameters, **(WRITING if self.acts else {})}
        object.__setattr__(self, "schema", vol.Schema(parameters))

    @property
    def acts(self) -> bool:
        """Whether it changes something, and so goes through the write guard."""
        return self.kind in (Kind.WRITE, Kind.CONFIG_WRITE)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON schema of the arguments: plain, as every client can read it."""
        return input_schema(self.schema)

    @property
    def annotations(self) -> dict[str, bool]:
        """MCP annotations, which clients use to ask their user before a call."""
        if self.kind in (Kind.READ, Kind.CAMERA):
            return {"readOnlyHint": True}
        return {
            "readOnlyHint": False,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": True,
        }


def tool(
    *,
    name: str,
    title: str,
    description: str,
    kind: Kind,
    parameters: dict[vol.Marker, Any] | None = None,
    destructive: bool = True,
    idempotent: bool = False,
    needs: str | None = None,
) -> Callable[[Handler], Tool]:
    """Declare the function below as the handler of a tool."""

    def declare(handler: Handler) -> Tool:
        return Tool(
            name,
            title,
            description,
            parameters or {},
            kind,
            handler,
            destructive,
            idempotent,
            needs,
        )

    return declare
