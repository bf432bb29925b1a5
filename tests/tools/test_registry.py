"""The one call path: what is offered, and what becomes of whatever a handler does."""

import asyncio
from collections.abc import Awaitable, Callable
import inspect
import json
import re
from typing import Any

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.guard.guard import WriteGuard
from custom_components.mcp_bridge.access.guard.plan import Action, Performed, Plan
from custom_components.mcp_bridge.access.refusals import Refusal, Rule
from custom_components.mcp_bridge.access.view import HouseView
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ANSWER_BYTES
from custom_components.mcp_bridge.errors import NotFound
from custom_components.mcp_bridge.models import Caller, Kind
from custom_components.mcp_bridge.tools import all_tools
from custom_components.mcp_bridge.tools.declaration import Call, Tool
from custom_components.mcp_bridge.tools.registry import (
    Answer,
    ToolRegistry,
    UnknownTool,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import (
    HomeAssistantError,
    ServiceNotFound,
    ServiceValidationError,
    Unauthorized,
)
from tests.conftest import CallTool

from .checks import refused, well_formed, whole

type Run = Callable[..., Awaitable[Answer]]


def registry_of(hass: HomeAssistant, bridge: Bridge, *tools: Tool) -> ToolRegistry:
    """Return a registry of other tools, with the access, the audit and the journal of the bridge."""
    guard = WriteGuard(hass, bridge.access, bridge.audit, bridge.journal)
    return ToolRegistry(hass, bridge.access, guard, {"doing": tools}, bridge.runtime)


def tool_that(handler: Callable[[Call], Any], kind: Kind = Kind.READ) -> Tool:
    """Return a tool that does what a function does."""

    async def handle(call: Call) -> Any:
        result = handler(call)
        return await result if inspect.isawaitable(result) else result

    schema: dict[vol.Marker, Any] = {vol.Optional("a", description="anything"): object}
    return Tool("ha_do", "Do", "Does it.", schema, kind, handle)


def raising(error: BaseException) -> Callable[[Call], Any]:
    """Return a handler that raises."""

    def handle(call: Call) -> Any:
        raise error

    return handle


@pytest.fixture(name="run")
def fixture_run(hass: HomeAssistant, bridge: Bridge, caller: Caller) -> Run:
    """Return a function that runs a handler the way every tool is run."""

    async def run(handler: Callable[[Call], Any], **kwargs: Any) -> Answer:
        registry = registry_of(hass, bridge, tool_that(handler))
        return await registry.call("ha_do", {}, caller, **kwargs)

    return run


async def test_data_and_text_are_the_same(run: Run) -> None:
    """Whatever client reads whichever of them."""
    data = whole(await run(lambda call: {"a": {1}, "é": "🏠", "n": float("nan")}))

    assert data == {"a": [1], "é": "🏠", "n": None}


async def test_the_limit_may_be_raised(run: Run) -> None:
    """Resources have no pages, so they get more room."""
    result = {"numbers": list(range(4_000))}

    refused(await run(lambda call: result), "too_large")
    answer = await run(lambda call: result, limit=64_000)

    assert json.loads(answer.text) == result


async def test_an_unexpected_error_is_told_by_a_reference_only(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has the trace under the same reference; the answer has nothing of it."""
    answer = await run(raising(ZeroDivisionError("secret of /config/secrets.yaml")))

    error = refused(answer, "internal", "reference")
    found = re.search(r"reference (\w{26})", error["message"])
    assert found
    assert "secret" not in json.dumps(answer.data)
    logged = [record for record in caplog.records if found[1] in record.getMessage()]
    assert [record.levelname for record in logged] == ["ERROR"]
    assert logged[0].exc_info
    assert "secret of /config/secrets.yaml" in caplog.text
    assert "ha_do" in logged[0].getMessage()


@pytest.mark.parametrize(
    "error",
    [
        KeyError("a"),
        RecursionError(),
        MemoryError(),
        UnicodeDecodeError("a", b"", 0, 1, "b"),
        TimeoutError(),
        AssertionError("a"),
        StopAsyncIteration(),
        ExceptionGroup("a", [ValueError()]),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_no_error_of_a_handler_reaches_the_protocol(
    run: Run, error: Exception
) -> None:
    """All of them are answers."""
    refused(await run(raising(error)), "internal")


async def test_a_call_that_is_cancelled_stops(run: Run) -> None:
    """A cancelled call is no failure of the tool."""
    with pytest.raises(asyncio.CancelledError):
        await run(raising(asyncio.CancelledError()))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (HomeAssistantError("The valve is stuck."), "The valve is stuck."),
        (ServiceValidationError("No such tune."), "No such tune."),
        (vol.Invalid("expected a colour"), "expected a colour"),
        (ServiceNotFound("light", "explode"), "light.explode"),
        (HomeAssistantError(), ""),
    ],
)
async def test_what_home_assistant_says_is_passed_on(
    run: Run, caplog: pytest.LogCaptureFixture, error: Exception, words: str
) -> None:
    """It is no failure of ours, so the log stays quiet; there is always something to read."""
    refused(await run(raising(error)), "home_assistant_error", words)
    assert "ha_do" not in caplog.text


async def test_what_home_assistant_keeps_from_a_user(run: Run) -> None:
    """Has no words of its own."""
    refused(await run(raising(Unauthorized())), "not_allowed", "this user")


@pytest.mark.parametrize(
    "message",
    ["x" * 1_000_000, "half \ud800 a pair", "🏠" * 10_000, "\udfff" * 5_000],
    ids=["long", "surrogate", "wide", "surrogates"],
)
async def test_whatever_home_assistant_says_can_be_sent(run: Run, message: str) -> None:
    """Messages of integrations are as odd as their attributes."""
    answer = await run(raising(HomeAssistantError(message)))

    well_formed(answer)
    assert answer.data["error"]["code"] == "home_assistant_error"


async def test_an_error_of_ours_has_code_message_and_hint(run: Run) -> None:
    """In the data, and the same in the text."""
    answer = await run(raising(NotFound("There is no cat.", "Try the garden.")))

    assert answer == Answer(
        {
            "error": {
                "code": "not_found",
                "message": "There is no cat.",
                "hint": "Try the garden.",
            }
        },
        "Error: There is no cat. Try the garden.",
        is_error=True,
    )


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.READ])
async def test_what_is_not_switched_on_is_neither_offered_nor_callable(
    hass: HomeAssistant, bridge: Bridge, caller: Caller, kind: Kind
) -> None:
    """As if there were no such tool: not even an attempt is on record."""
    ran: list[Call] = []
    registry = registry_of(hass, bridge, tool_that(ran.append, kind))

    assert registry.offered(caller) == []
    with pytest.raises(UnknownTool) as raised:
        await registry.call("ha_do", {}, caller)
    assert raised.value.hint is None
    assert not ran
    assert bridge.audit.records == ()


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("ha_get_entitys", "ha_get_entity"),
        ("get_overview", "ha_get_overview"),
        ("HA_LIST_AREAS", "ha_list_areas"),
    ],
)
async def test_an_unknown_tool_is_named_with_the_nearest_one(
    bridge: Bridge, caller: Caller, name: str, near: str
) -> None:
    """It is an error of the protocol, so it is raised."""
    with pytest.raises(UnknownTool) as raised:
        await bridge.registry.call(name, {}, caller)

    assert name in raised.value.message
    assert near in (raised.value.hint or "")


@pytest.mark.parametrize(
    "name", ["", " ", "💡", "\ud800", "x" * 1_000_000, "__init__"], ids=len
)
async def test_a_tool_of_any_name_is_unknown_in_a_few_words(
    bridge: Bridge, caller: Caller, name: str
) -> None:
    """Nothing breaks, and nothing is sent back at length."""
    with pytest.raises(UnknownTool) as raised:
        await bridge.registry.call(name, {}, caller)

    assert len(f"{raised.value.message} {raised.value.hint}".encode()) < 600


@pytest.mark.parametrize("active", [True, False])
async def test_only_administrators_get_tools(
    bridge: Bridge,
    hass_read_only_user: MockUser,
    hass_admin_user: MockUser,
    active: bool,
) -> None:
    """A user who is none, or is no longer active, has no tool to call."""
    user = hass_read_only_user if active else hass_admin_user
    user.is_active = active

    assert bridge.registry.offered(Caller(user)) == []
    with pytest.raises(UnknownTool) as raised:
        await bridge.registry.call("ha_get_overview", {}, Caller(user))
    assert raised.value.hint is None


@pytest.mark.parametrize("options", [{"require_admin": False}])
async def test_other_users_get_tools_where_the_options_let_them(
    bridge: Bridge, hass_read_only_user: MockUser
) -> None:
    """The same tools for reading, in the same order."""
    offered = bridge.registry.offered(Caller(hass_read_only_user))

    reading = [tool.name for tool in all_tools() if tool.kind is Kind.READ]
    assert [tool.name for tool in offered] == reading
    assert bridge.registry.names == [tool.name for tool in all_tools()]


class Note(Action):
    """A change that touches nothing, or fails in one of its two steps."""

    def __init__(
        self, planning: Exception | None = None, doing: Exception | None = None
    ) -> None:
        """Hold what goes wrong."""
        self._planning = planning
        self._doing = doing

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Return a plan, or fail."""
        if self._planning:
            raise self._planning
        return Plan(summary="make a note", what={"note": "a"})

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Do nothing, or fail."""
        if self._doing:
            raise self._doing
        return Performed()


ACTING = {"allow_write": True, "allow_config_write": True}
OUTCOMES: dict[str, tuple[Any, dict[str, Any], str]] = {
    "done": (Note(), {}, "ok"),
    "dry run": (Note(), {"dry_run": True}, "dry_run"),
    "bad argument": (Note(), {"b": 1}, "refused:invalid_arguments"),
    "no object": (Note(), {"dry_run": {}}, "refused:invalid_arguments"),
    "not found": (NotFound("There is no cat."), {}, "refused:not_found"),
    "broken before": (ZeroDivisionError(), {}, "refused:internal"),
    "a rule": (
        Note(planning=Refusal(Rule.ENTITY_LISTS, "No.")),
        {},
        "refused:entity_lists",
    ),
    "broken plan": (Note(planning=KeyError()), {}, "refused:internal"),
    "home assistant says no": (Note(doing=HomeAssistantError("Stuck.")), {}, "error"),
    "broken change": (Note(doing=ZeroDivisionError()), {}, "error"),
}


@pytest.mark.parametrize("options", [ACTING])
@pytest.mark.parametrize("kind", [Kind.WRITE, Kind.CONFIG_WRITE])
@pytest.mark.parametrize("outcome", OUTCOMES)
async def test_every_attempt_to_change_something_is_on_record_once(
    hass: HomeAssistant, bridge: Bridge, caller: Caller, kind: Kind, outcome: str
) -> None:
    """However it ends."""
    what, arguments, recorded = OUTCOMES[outcome]

    async def handle(call: Call) -> Any:
        if isinstance(what, Exception):
            raise what
        return await call.act(what)

    registry = registry_of(hass, bridge, tool_that(handle, kind))
    answer = await registry.call("ha_do", arguments, caller)

    assert answer.is_error == (recorded not in ("ok", "dry_run"))
    (record,) = bridge.audit.records
    assert (record["tool"], record["outcome"]) == ("ha_do", recorded)
    assert record["user_id"] == caller.user.id


@pytest.mark.parametrize("options", [ACTING])
async def test_a_change_that_is_cancelled_before_it_begins_is_on_record(
    hass: HomeAssistant, bridge: Bridge, caller: Caller
) -> None:
    """The client has gone; the call stops, and the record says so."""
    gone = tool_that(raising(asyncio.CancelledError()), Kind.WRITE)

    with pytest.raises(asyncio.CancelledError):
        await registry_of(hass, bridge, gone).call("ha_do", {}, caller)
    assert [record["outcome"] for record in bridge.audit.records] == ["cancelled"]


async def test_reading_leaves_no_record(
    run: Run, bridge: Bridge, call_tool: CallTool
) -> None:
    """Neither when it succeeds nor when it fails: the record is of changes."""
    await run(lambda call: {})
    await run(raising(NotFound("There is no cat.")))
    await run(raising(ZeroDivisionError()))
    await call_tool("ha_get_entity", entity_id="light.nowhere")
    await call_tool("ha_get_overview", wrong=1)

    assert bridge.audit.records == ()


async def test_input_schemas_are_known_by_name(bridge: Bridge) -> None:
    """Also for the protocol, which asks before it knows who calls."""
    for tool in all_tools():
        assert bridge.registry.input_schema(tool.name) == tool.input_schema
    assert bridge.registry.input_schema("ha_explode") is None


async def test_an_answer_at_the_limit_is_within_it(run: Run) -> None:
    """To the byte."""
    text = "x" * (ANSWER_BYTES - len('{"t":""}'))

    assert len((await run(lambda call: {"t": text})).text) == ANSWER_BYTES
    assert "… (" in (await run(lambda call: {"t": text + "x"})).text


@pytest.mark.parametrize("size", [1_000, 1_000_000])
async def test_an_error_has_a_size(run: Run, size: int) -> None:
    """Integrations repeat in it what was sent; half characters are no part of an answer."""
    answer = await run(raising(NotFound("\ud83dx" * size, "y" * size)))

    assert len(answer.text.encode()) < 1_200
    json.dumps(answer.data).encode()
