"""The one call path: what is offered, and what becomes of whatever a handler does."""

import asyncio
from collections.abc import Awaitable, Callable
import json
import re
from typing import Any

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import MockUser

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
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import (
    HomeAssistantError,
    ServiceNotFound,
    ServiceValidationError,
    Unauthorized,
)

from .checks import refused, well_formed, whole

type Run = Callable[..., Awaitable[Answer]]


def tool_that(handler: Callable[[Call], Any], kind: Kind = Kind.READ) -> Tool:
    """Return a tool that does what a function does."""

    async def handle(call: Call) -> Any:
        return handler(call)

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
        tools = [tool_that(handler)]
        registry = ToolRegistry(hass, bridge.access, tools, bridge.runtime)
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
        (Unauthorized(), ""),
        (HomeAssistantError(), ""),
    ],
)
async def test_what_home_assistant_says_is_passed_on(
    run: Run, caplog: pytest.LogCaptureFixture, error: Exception, words: str
) -> None:
    """It is no failure of ours, so the log stays quiet; there is always something to read."""
    refused(await run(raising(error)), "home_assistant_error", words)
    assert "ha_do" not in caplog.text


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
async def test_what_acts_is_neither_offered_nor_callable(
    hass: HomeAssistant, bridge: Bridge, caller: Caller, kind: Kind
) -> None:
    """As if there were no such tool."""
    ran: list[Call] = []
    tools = [tool_that(ran.append, kind)]
    registry = ToolRegistry(hass, bridge.access, tools, bridge.runtime)

    assert registry.offered(caller) == []
    with pytest.raises(UnknownTool) as raised:
        await registry.call("ha_do", {}, caller)
    assert raised.value.hint is None
    assert not ran


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
    """The same tools in the same order."""
    offered = bridge.registry.offered(Caller(hass_read_only_user))

    assert [tool.name for tool in offered] == [tool.name for tool in all_tools()]
    assert bridge.registry.names == [tool.name for tool in all_tools()]


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
