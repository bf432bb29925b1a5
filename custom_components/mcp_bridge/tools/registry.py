"""The one call path: look the tool up, validate, run the handler, fit the answer. Nothing else runs a tool."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
import logging
from typing import Any

import probatio as vol

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.json import json_bytes
from homeassistant.util.ulid import ulid_now

from ..access.control import AccessControl
from ..access.view import HouseView
from ..const import ANSWER_BYTES
from ..errors import BridgeError, Failed, InternalError, NotFound, did_you_mean, quoted
from ..house.nearest import nearest
from ..models import Caller, Kind
from .declaration import Call, Runtime, Tool
from .encoding import plain_text
from .envelope import fit
from .parameters import validate
from .scrubbing import scrubbed

_LOGGER = logging.getLogger(__name__)

# The kinds of tools that can be offered so far: everything that acts waits for the write guard.
_OFFERED_KINDS = frozenset((Kind.READ,))

# Characters of a reason that is passed on.
_LONGEST_REASON = 500


class UnknownTool(NotFound):
    """No such tool for this caller."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call gives: the data, the same as JSON text, and whether it is an error."""

    data: dict[str, Any]
    text: str
    is_error: bool = False


class ToolRegistry:
    """All tools, and the only way to call one."""

    def __init__(
        self,
        hass: HomeAssistant,
        access: AccessControl,
        tools: Iterable[Tool],
        runtime: Callable[[], Runtime],
    ) -> None:
        """Hold the tools; `runtime` tells about the bridge at the time of a call."""
        self._hass = hass
        self._access = access
        self._runtime = runtime
        self._tools = {tool.name: tool for tool in tools}

    @property
    def names(self) -> list[str]:
        """The names of all tools."""
        return list(self._tools)

    def offered(self, caller: Caller) -> list[Tool]:
        """Return the tools that exist for a caller, in the order of their declaration."""
        if not self._access.admits(caller):
            return []
        return [tool for tool in self._tools.values() if tool.kind in _OFFERED_KINDS]

    def lookup(self, name: str, caller: Caller) -> Tool:
        """Return a tool, or raise UnknownTool if there is none of that name for the caller."""
        offered = {tool.name: tool for tool in self.offered(caller)}
        if (tool := offered.get(name)) is not None:
            return tool
        hint = did_you_mean(nearest(name, offered))
        raise UnknownTool(f"There is no tool {quoted(name)}.", hint)

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """Return the JSON schema of a tool's arguments, whoever asks; None if there is no such tool."""
        tool = self._tools.get(name)
        return tool.input_schema if tool else None

    async def call(
        self, name: str, arguments: Any, caller: Caller, limit: int = ANSWER_BYTES
    ) -> Answer:
        """Call a tool. Every error but UnknownTool is an answer.

        `limit` is the largest text in UTF-8 bytes. UnknownTool is raised, because MCP has an error of its own for it.
        """
        tool = self.lookup(name, caller)
        try:
            data = await self._run(tool, arguments, caller, limit)
        except BridgeError as err:
            return _error(err)
        return Answer(data, json_bytes(data).decode())

    async def _run(
        self, tool: Tool, arguments: Any, caller: Caller, limit: int
    ) -> dict[str, Any]:
        args = validate(tool.schema, arguments)
        await self._access.async_settle()
        view = self._access.view(caller)
        try:
            call = Call(self._hass, view, args, self._runtime)
            return fit(await tool.handler(call), limit, partial(scrubbed, view))
        except BridgeError:
            raise
        except (HomeAssistantError, vol.Invalid) as err:
            raise Failed(_reason(view, err)) from err
        except Exception as err:
            reference = ulid_now()
            _LOGGER.exception("Tool %s failed (reference %s)", tool.name, reference)
            raise InternalError(
                f"The tool failed unexpectedly (reference {reference}).",
                "Home Assistant's log has the details.",
            ) from err


def _reason(view: HouseView, err: Exception) -> str:
    """Return what Home Assistant says, fit to be sent; integrations put all kinds of things there."""
    reason = view.scrub(plain_text(str(err))).strip()[:_LONGEST_REASON]
    return reason or "Home Assistant refused, and gave no reason."


def _error(err: BridgeError) -> Answer:
    text = f"Error: {err.message}" + (f" {err.hint}" if err.hint else "")
    return Answer({"error": err.as_dict()}, text, is_error=True)
