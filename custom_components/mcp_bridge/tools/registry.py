"""The one call path: look the tool up, validate, run the handler, fit the answer. Nothing else runs a tool."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
import logging
from typing import Any

import probatio as vol

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers.json import json_bytes
from homeassistant.util.ulid import ulid_now

from ..access.control import AccessControl
from ..access.guard.attempt import Asker, AskFirst, Attempt
from ..access.guard.execution import ChangeFailed
from ..access.guard.guard import WriteGuard
from ..access.view import HouseView
from ..const import ANSWER_BYTES
from ..errors import (
    BridgeError,
    Failed,
    InternalError,
    NotAllowed,
    NotFound,
    did_you_mean,
    quoted,
    some_of,
)
from ..house.nearest import nearest
from ..house.storable import plain_text
from ..models import Caller, Kind
from .declaration import (
    CONFIRM_TOKEN,
    DRY_RUN,
    Call,
    Illustrated,
    Image,
    Result,
    Runtime,
    Tool,
)
from .envelope import fit
from .parameters import validate
from .scrubbing import scrubbed

_LOGGER = logging.getLogger(__name__)

# Characters of a reason that is passed on.
_LONGEST_REASON = 500
# Characters of an error's message and of its hint; integrations repeat in them what was sent.
_LONGEST_ERROR = 500
_NOT_THIS_USER = "Home Assistant does not let this user do that."
# Names of arguments on record.
_MOST_NAMES = 20


class UnknownTool(NotFound):
    """No such tool for this caller."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call gives: the data, the same as JSON text, whether it is an error, and a picture if there is one."""

    data: dict[str, Any]
    text: str
    is_error: bool = False
    image: Image | None = None


class ToolRegistry:
    """All tools, and the only way to call one."""

    def __init__(
        self,
        hass: HomeAssistant,
        access: AccessControl,
        guard: WriteGuard,
        toolsets: Mapping[str, Iterable[Tool]],
        runtime: Callable[[], Runtime],
    ) -> None:
        """Hold the tools by family; `runtime` tells about the bridge at the time of a call."""
        self._hass = hass
        self._access = access
        self._guard = guard
        self._runtime = runtime
        self._tools: dict[str, Tool] = {}
        self._toolset_of: dict[str, str] = {}
        for toolset, tools in toolsets.items():
            for tool in tools:
                self._tools[tool.name] = tool
                self._toolset_of[tool.name] = toolset

    @property
    def names(self) -> list[str]:
        """The names of all tools."""
        return list(self._tools)

    def offered(self, caller: Caller) -> list[Tool]:
        """Return the tools that exist for a caller, in the order of their declaration."""
        if not self._access.admits(caller):
            return []
        rights = self._access.rights(caller)
        return [
            tool
            for tool in self._tools.values()
            if rights.offers(tool.kind, self._toolset_of[tool.name])
            and (tool.needs is None or tool.needs in self._hass.config.components)
        ]

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
        self,
        name: str,
        arguments: Any,
        caller: Caller,
        limit: int = ANSWER_BYTES,
        asker: Asker | None = None,
    ) -> Answer:
        """Call a tool. Every error but UnknownTool is an answer.

        `limit` is the largest text in UTF-8 bytes. `asker` is the client, where it can ask its user. UnknownTool is
        raised, because MCP has an error of its own for it; and AskFirst when the call has to be made again with an
        answer of the user.
        """
        tool = self.lookup(name, caller)
        try:
            return await self._run(tool, arguments, caller, limit, asker)
        except BridgeError as err:
            return _error(err)

    async def _run(
        self,
        tool: Tool,
        arguments: Any,
        caller: Caller,
        limit: int,
        asker: Asker | None,
    ) -> Answer:
        attempt = Attempt(
            caller=caller,
            tool=tool.name,
            toolset=self._toolset_of[tool.name],
            kind=tool.kind,
            args=_names_only(arguments),
            asker=asker,
        )
        is_read = tool.kind is Kind.READ
        async with nullcontext() if is_read else self._guard.recorded(attempt):
            return await self._handle(tool, arguments, attempt, limit)

    async def _handle(
        self, tool: Tool, arguments: Any, attempt: Attempt, limit: int
    ) -> Answer:
        args = validate(tool.schema, arguments)
        attempt.dry_run = args.pop(DRY_RUN, False)
        if (token := args.pop(CONFIRM_TOKEN, None)) is not None:
            attempt.confirm_token = plain_text(token)
        attempt.args = args
        await self._access.async_settle()
        view = self._access.view(attempt.caller)
        call = Call(
            self._hass,
            view,
            args,
            self._runtime,
            attempt.caller,
            self._guard.journal,
            partial(self._guard.run, attempt=attempt),
        )
        try:
            return _answer(await tool.handler(call), limit, view)
        except BridgeError, AskFirst:
            raise
        except ChangeFailed as err:
            if isinstance(err.reason, Unauthorized):
                raise NotAllowed(_NOT_THIS_USER, _half_done(view, err.changed)) from err
            raise Failed(
                _reason(view, err.reason), _half_done(view, err.changed)
            ) from err
        except Unauthorized as err:
            raise NotAllowed(_NOT_THIS_USER) from err
        except (HomeAssistantError, vol.Invalid) as err:
            raise Failed(_reason(view, err)) from err
        except Exception as err:
            reference = ulid_now()
            _LOGGER.exception("Tool %s failed (reference %s)", tool.name, reference)
            raise InternalError(
                f"The tool failed unexpectedly (reference {reference}).",
                "Home Assistant's log has the details.",
            ) from err


def _answer(result: Result, limit: int, view: HouseView) -> Answer:
    """Return what a handler has found, as the caller may see it."""
    image = result.image if isinstance(result, Illustrated) else None
    shown = result.data if isinstance(result, Illustrated) else result
    data = fit(shown, limit, partial(scrubbed, view))
    return Answer(data, json_bytes(data).decode(), image=image)


def _names_only(arguments: Any) -> dict[str, Any]:
    """Return of arguments what is put on record before they are known to be right: their names, for they may hold anything."""
    names = arguments if isinstance(arguments, Mapping) else ()
    return dict.fromkeys(map(str, islice(names, _MOST_NAMES)), "…")


def _half_done(view: HouseView, changed: list[str]) -> str:
    """Return what to say of a change that failed on its way."""
    changed = [entity_id for entity_id in changed if view.find(entity_id)]
    if not changed:
        return "Nothing has changed."
    return f"It has changed all the same: {some_of(changed)}. Read their states."


def _reason(view: HouseView, err: Exception) -> str:
    """Return what Home Assistant says, fit to be sent; integrations put all kinds of things there."""
    reason = view.scrub(plain_text(str(err))).strip()[:_LONGEST_REASON]
    return reason or "Home Assistant refused, and gave no reason."


def _error(err: BridgeError) -> Answer:
    err.message = _fit_to_send(err.message) or ""
    err.hint = _fit_to_send(err.hint)
    if err.message[-1:] not in (".", "!", "?", "…"):
        err.message += "."
    text = f"Error: {err.message}" + (f" {err.hint}" if err.hint else "")
    return Answer({"error": err.as_dict()}, text, is_error=True)


def _fit_to_send(text: str | None) -> str | None:
    if text is None:
        return None
    cut = plain_text(text[:_LONGEST_ERROR])
    return cut if len(text) <= _LONGEST_ERROR else f"{cut}…"
