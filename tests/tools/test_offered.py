"""What is offered: the options, the client and the user each take something away, and what is not offered is unknown."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import product
import re
from typing import Any

import pytest

from custom_components.mcp_bridge.access.clients import Client
from custom_components.mcp_bridge.access.guard.guard import WriteGuard
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller, Kind
from custom_components.mcp_bridge.tools import all_tools, families, toolsets
from custom_components.mcp_bridge.tools.declaration import Call, Tool
from custom_components.mcp_bridge.tools.registry import ToolRegistry, UnknownTool
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_READ_ONLY, GROUP_ID_USER
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from tests.access.guard.people import user

from .furniture import equip, furnish

SWITCHES = {
    Kind.WRITE: "allow_write",
    Kind.CONFIG_WRITE: "allow_config_write",
    Kind.CAMERA: "allow_camera",
    Kind.RAW: "allow_raw_api",
}
EVERYTHING = dict.fromkeys(SWITCHES.values(), True)
ALL_KINDS = frozenset(Kind)
# What users may do at most, whatever is switched on.
USERS: dict[str, tuple[str, frozenset[Kind]]] = {
    "administrator": (GROUP_ID_ADMIN, ALL_KINDS),
    "ordinary": (GROUP_ID_USER, frozenset((Kind.READ, Kind.WRITE, Kind.CAMERA))),
    "read only": (GROUP_ID_READ_ONLY, frozenset((Kind.READ, Kind.CAMERA))),
    "inactive": (GROUP_ID_ADMIN, frozenset()),
}
# The profiles of clients, and what they let through; None is a login for which no client is set up.
PROFILES: dict[str, tuple[Mapping[str, Any] | None, frozenset[Kind]]] = {
    "no client": (None, ALL_KINDS),
    "may everything": ({"kinds": ALL_KINDS}, ALL_KINDS),
    "may act": (
        {"kinds": frozenset((Kind.READ, Kind.WRITE))},
        frozenset((Kind.READ, Kind.WRITE)),
    ),
    "reads": ({}, frozenset((Kind.READ,))),
    "another family": (
        {"kinds": ALL_KINDS, "toolsets": frozenset(("other",))},
        frozenset(),
    ),
    "expired": (
        {"kinds": ALL_KINDS, "expires": datetime(2020, 1, 1, tzinfo=UTC)},
        frozenset(),
    ),
    "somebody else's": ({"kinds": ALL_KINDS, "user_id": "nobody"}, frozenset()),
}


async def nothing(call: Call) -> dict[str, Any]:
    """Do nothing."""
    return {}


def a_tool(kind: Kind = Kind.READ, **more: Any) -> Tool:
    """Return a tool of a kind."""
    return Tool(f"ha_{kind}", kind.title(), "Does it.", {}, kind, nothing, **more)


def registry_of(
    hass: HomeAssistant, bridge: Bridge, tools: Mapping[str, list[Tool]]
) -> ToolRegistry:
    """Return a registry of other tools."""
    guard = WriteGuard(hass, bridge.access, bridge.audit, bridge.journal)
    return ToolRegistry(hass, bridge.access, guard, tools, bridge.runtime)


def every_switch() -> Iterator[tuple[dict[str, Any], frozenset[Kind]]]:
    """Yield every setting of the switches, with the kinds that it lets through."""
    for positions in product((False, True), repeat=len(SWITCHES)):
        switches = dict(zip(SWITCHES.values(), positions, strict=True))
        on = (kind for kind, name in SWITCHES.items() if switches[name])
        yield switches, frozenset((Kind.READ, *on))


@pytest.mark.parametrize("who", USERS)
@pytest.mark.parametrize("profile", PROFILES)
async def test_a_kind_is_offered_where_options_client_and_user_all_allow_it(
    hass: HomeAssistant, bridge: Bridge, profile: str, who: str
) -> None:
    """Never more than any one of them; what is not offered cannot be called, and leaves no record."""
    group, of_user = USERS[who]
    granted, of_client = PROFILES[profile]
    person = await user(hass, group, active=who != "inactive")
    caller, clients = Caller(person, "login"), []
    if granted is not None:
        client = Client(**{"id": "c", "name": "C", "user_id": person.id, **granted})
        caller, clients = Caller(person, client.credential, "c"), [client]
    registry = registry_of(hass, bridge, {"doing": [a_tool(kind) for kind in Kind]})

    for switches, of_options in every_switch():
        bridge.access.async_set_options({"require_admin": False, **switches}, clients)
        offered = {tool.kind for tool in registry.offered(caller)}

        assert offered == of_options & of_client & of_user, switches
        for kind in ALL_KINDS - offered:
            with pytest.raises(UnknownTool):
                await registry.call(f"ha_{kind}", {}, caller)
    assert bridge.audit.records == ()


@pytest.mark.parametrize("options", [EVERYTHING])
async def test_a_user_who_is_no_administrator_needs_a_client(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """Unless the options let everybody in; a client that is gone is none."""
    person = await user(hass, GROUP_ID_USER)
    client = Client(id="c", name="C", user_id=person.id)
    as_client = Caller(person, client.credential, "c")

    assert bridge.registry.offered(Caller(person, "login")) == []
    assert bridge.registry.offered(as_client) == []
    bridge.access.async_set_options(EVERYTHING, [client])
    assert bridge.registry.offered(as_client)
    assert bridge.registry.offered(Caller(person, "login")) == []


@pytest.mark.parametrize("options", [EVERYTHING])
async def test_a_tool_is_offered_only_where_its_integration_is_loaded(
    hass: HomeAssistant, bridge: Bridge, caller: Caller
) -> None:
    """From the moment on at which it is; until then there is no such tool."""
    registry = registry_of(
        hass, bridge, {"doing": [a_tool(needs="input_boolean"), a_tool(Kind.WRITE)]}
    )

    assert [tool.kind for tool in registry.offered(caller)] == [Kind.WRITE]
    with pytest.raises(UnknownTool):
        await registry.call("ha_read", {}, caller)
    assert await async_setup_component(hass, "input_boolean", {})

    assert len(registry.offered(caller)) == 2
    assert (await registry.call("ha_read", {}, caller)).data == {}


@pytest.mark.parametrize("options", [EVERYTHING])
@pytest.mark.parametrize("house", [None])
async def test_what_tools_need_are_integrations_of_home_assistant(
    hass: HomeAssistant, bridge: Bridge, caller: Caller, house: None
) -> None:
    """Each is missing until its integration is there; the others are offered in any house."""
    offered = {tool.name for tool in bridge.registry.offered(caller)}

    for tool in all_tools():
        loaded = tool.needs is None or tool.needs in hass.config.components
        assert (tool.name in offered) == loaded, tool.name
    furnish(hass)
    await equip(hass)
    assert bridge.registry.offered(caller) == list(all_tools())


@pytest.mark.parametrize("toolset", toolsets())
@pytest.mark.parametrize("by", ["options", "client", "both"])
async def test_the_owner_chooses_families(
    hass: HomeAssistant, bridge: Bridge, caller: Caller, toolset: str, by: str
) -> None:
    """Of the whole set-up or of one client; the tools of all others are unknown, also by their names."""
    await equip(hass)
    chosen: dict[str, Any] = {} if by == "client" else {"toolsets": [toolset]}
    only = None if by == "options" else frozenset((toolset, "ghosts"))
    client = Client(id="c", name="C", kinds=ALL_KINDS, toolsets=only)
    bridge.access.async_set_options({**EVERYTHING, **chosen}, [client])
    as_client = Caller(caller.user, client.credential, "c")
    expected = families()[toolset]

    assert bridge.registry.offered(as_client) == expected
    for tool in all_tools():
        if tool not in expected:
            with pytest.raises(UnknownTool) as raised:
                await bridge.registry.call(tool.name, {}, as_client)
            named = re.findall(r"ha_\w+", raised.value.hint or "")
            assert set(named) <= {other.name for other in expected}


@pytest.mark.parametrize("options", [{**EVERYTHING, "toolsets": []}])
async def test_no_family_at_all_is_no_tool_at_all(
    bridge: Bridge, caller: Caller
) -> None:
    """An empty choice is not every choice."""
    assert bridge.registry.offered(caller) == []


def test_no_two_families_share_a_tool() -> None:
    """Else it would be open through one while the other is closed."""
    names = [tool.name for tool in all_tools()]

    assert len(set(names)) == len(names)
    assert list(families()) == toolsets()
    assert all(families().values())
