"""Callers of the guard: with and without rights, as clients and by themselves."""

from collections.abc import Awaitable, Callable
from typing import Any

from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.clients import Client
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import DOMAIN
from custom_components.mcp_bridge.models import Caller
from custom_components.mcp_bridge.tools.registry import Answer
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_READ_ONLY, GROUP_ID_USER
from homeassistant.core import HomeAssistant

type Call = Callable[..., Awaitable[Answer]]


async def user(hass: HomeAssistant, group: str, *, active: bool = True) -> MockUser:
    """Return a user of one of Home Assistant's own groups."""
    found = await hass.auth.async_get_group(group)
    assert found is not None
    person = MockUser(name=group, groups=[found], is_active=active)
    return person.add_to_hass(hass)


async def administrator(hass: HomeAssistant) -> Caller:
    """Return an administrator."""
    return Caller(await user(hass, GROUP_ID_ADMIN), "login")


async def ordinary(hass: HomeAssistant) -> Caller:
    """Return a user who controls the house and administers nothing."""
    return Caller(await user(hass, GROUP_ID_USER), "login")


async def reader(hass: HomeAssistant) -> Caller:
    """Return a user who may only look."""
    return Caller(await user(hass, GROUP_ID_READ_ONLY), "login")


def as_client(bridge: Bridge, caller: Caller, **granted: Any) -> Caller:
    """Set up a client for a caller, and return the caller as that client."""
    client = Client(
        id="client", name="Kitchen tablet", user_id=caller.user.id, **granted
    )
    [entry] = bridge.hass.config_entries.async_entries(DOMAIN)
    bridge.access.async_set_options(entry.options, [client])
    return Caller(caller.user, client.credential, client.id)


def call_as(bridge: Bridge, caller: Caller, **kwargs: Any) -> Call:
    """Return a function that calls tools as somebody; `kwargs` go to the registry, such as an asker."""

    async def call(name: str, **arguments: Any) -> Answer:
        return await bridge.registry.call(name, arguments, caller, **kwargs)

    return call
