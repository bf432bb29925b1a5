"""What a client has opened ends with its access, at once: streams and sessions, in both eras of MCP."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from tests.assistants import (
    Http,
    add_client,
    add_login,
    bearer,
    change,
    day,
    log_in,
    open_stream,
    rotate,
    shake_hands,
)
from tests.clients import CALL


@dataclass
class Guest:
    """A user of the house, and the client that acts for them."""

    hass: HomeAssistant
    entry: MockConfigEntry
    user: User
    client: str
    token: str
    freezer: FrozenDateTimeFactory


type End = Callable[[Guest], Awaitable[Any]]


async def _remove(guest: Guest) -> None:
    guest.hass.config_entries.async_remove_subentry(guest.entry, guest.client)


async def _rotate(guest: Guest) -> None:
    await rotate(guest.hass, guest.entry, guest.client)


async def _give_away(guest: Guest) -> None:
    other = await guest.hass.auth.async_create_user("New", group_ids=[GROUP_ID_USER])
    await change(guest.hass, guest.entry, guest.client, user_id=other.id)


async def _expire(guest: Guest) -> None:
    guest.freezer.tick(timedelta(days=3))
    async_fire_time_changed(guest.hass)


async def _shorten(guest: Guest) -> None:
    """Give it an end, and let that come."""
    await change(
        guest.hass,
        guest.entry,
        guest.client,
        user_id=guest.user.id,
        last_day=day(0),
    )
    guest.freezer.tick(timedelta(days=1, minutes=1))
    async_fire_time_changed(guest.hass)


async def _deactivate(guest: Guest) -> None:
    await guest.hass.auth.async_update_user(guest.user, is_active=False)


async def _remove_user(guest: Guest) -> None:
    await guest.hass.auth.async_remove_user(guest.user)


ENDS = [_remove, _rotate, _give_away, _expire, _shorten, _deactivate, _remove_user]


@pytest.fixture(name="owner")
async def fixture_owner(hass: HomeAssistant) -> User:
    """Return the owner."""
    return await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])


@pytest.fixture(name="http")
async def fixture_http(
    bridge: Bridge, hass_client_no_auth: ClientSessionGenerator, socket_enabled: None
) -> Http:
    """Return an HTTP client without a login."""
    return await hass_client_no_auth()


@pytest.fixture(name="guest")
async def fixture_guest(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    owner: User,
    freezer: FrozenDateTimeFactory,
) -> Guest:
    """Return a guest with access for two more days."""
    user = await hass.auth.async_create_user("Guest", group_ids=[GROUP_ID_USER])
    client, token = await add_client(hass, config_entry, user, last_day=day(1))
    return Guest(hass, config_entry, user, client, token, freezer)


@pytest.fixture(name="other")
async def fixture_other(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, owner: User
) -> dict[str, str]:
    """Return the header of another client, which stays."""
    _, token = await add_client(hass, config_entry, owner, name="Other")
    return bearer(token)


@pytest.mark.parametrize("era", ["handshake", "modern"])
@pytest.mark.parametrize("end", ENDS)
async def test_streams_end_with_the_access(
    http: Http, guest: Guest, other: dict[str, str], *, era: str, end: End
) -> None:
    """Whatever ended it; those of others stay."""
    stream = await open_stream(http, era, bearer(guest.token))
    others = await open_stream(http, era, other)
    await end(guest)
    async with asyncio.timeout(5):
        await stream.content.read()
    assert stream.content.at_eof()
    assert not others.content.at_eof()
    others.close()


@pytest.mark.parametrize("end", ENDS)
async def test_sessions_end_with_the_access(
    http: Http, guest: Guest, other: dict[str, str], bridge: Bridge, *, end: End
) -> None:
    """Those of others stay; there is nothing left that waits."""
    ended = await shake_hands(http, bearer(guest.token))
    staying = await shake_hands(http, other)
    assert bridge.endpoint.open_sessions == 2
    await end(guest)
    await guest.hass.async_block_till_done()
    assert bridge.endpoint.open_sessions == 1
    assert await _ask(http, other, staying) == 200
    assert await _ask(http, bearer(guest.token), ended) in (401, 404)


async def test_a_session_does_not_outlive_the_token(
    hass: HomeAssistant, http: Http, guest: Guest
) -> None:
    """With the new token, the session of the old one is not found, so that the client shakes hands again."""
    session_id = await shake_hands(http, bearer(guest.token))
    token = await rotate(hass, guest.entry, guest.client)
    assert await _ask(http, bearer(token), session_id) == 404
    assert (
        await _ask(http, bearer(token), await shake_hands(http, bearer(token))) == 200
    )


async def test_changed_settings_end_nothing(
    hass: HomeAssistant, http: Http, guest: Guest, bridge: Bridge
) -> None:
    """They are in force at once for what is open."""
    stream = await open_stream(http, "handshake", bearer(guest.token))
    session_id = await shake_hands(http, bearer(guest.token))
    await change(
        hass, guest.entry, guest.client, user_id=guest.user.id, allow_write=True
    )
    await hass.async_block_till_done()
    assert bridge.endpoint.open_sessions == 2
    assert await _ask(http, bearer(guest.token), session_id) == 200
    assert not stream.content.at_eof()
    stream.close()


@pytest.mark.parametrize("era", ["handshake", "modern"])
@pytest.mark.parametrize("change_to", ["added", "removed", "given to a user"])
async def test_a_login_that_falls_under_another_client(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    owner: User,
    *,
    era: str,
    change_to: str,
) -> None:
    """It does not go on under the old one, though it would be let in either way; the next session is under the new."""
    client = None if change_to == "added" else await add_login(hass, config_entry)
    login = await log_in(hass, owner)
    stream = await open_stream(http, era, login)
    session_id = await shake_hands(http, login)
    unaffected = await open_stream(http, era, await log_in(hass, owner, "https://x/"))
    if client is None:
        await add_login(hass, config_entry)
    elif change_to == "removed":
        hass.config_entries.async_remove_subentry(config_entry, client)
    else:
        await add_login(hass, config_entry, owner, name="Owner's")
    async with asyncio.timeout(5):
        await stream.content.read()
    assert stream.content.at_eof()
    assert not unaffected.content.at_eof()
    unaffected.close()
    assert await _ask(http, login, session_id) == 404
    assert await _ask(http, login, await shake_hands(http, login)) == 200


async def test_the_sessions_of_a_revoked_login_end(
    hass: HomeAssistant, http: Http, owner: User, bridge: Bridge
) -> None:
    """Only those of this login."""
    revoked, kept = await log_in(hass, owner), await log_in(hass, owner, "https://x/")
    await shake_hands(http, revoked)
    await shake_hands(http, revoked)
    staying = await shake_hands(http, kept)
    for token in list(owner.refresh_tokens.values()):
        if token.client_id == "https://claude.ai":
            hass.auth.async_remove_refresh_token(token)
    await hass.async_block_till_done()
    assert bridge.endpoint.open_sessions == 1
    assert await _ask(http, kept, staying) == 200


async def test_logins_without_sessions_are_not_watched(
    hass: HomeAssistant, http: Http, owner: User, bridge: Bridge
) -> None:
    """Nothing is kept of sessions that were ended, nor of any when the bridge stops."""
    watched = hass.auth._revoke_callbacks  # noqa: SLF001
    first = await log_in(hass, owner)
    session_id = await shake_hands(http, first)
    assert [len(callbacks) for callbacks in watched.values()] == [1]
    headers = {"Mcp-Session-Id": session_id, **first}
    assert (await http.delete(ENDPOINT, headers=headers)).status == 200
    await shake_hands(http, await log_in(hass, owner, "https://x/"))
    assert sorted(map(len, watched.values())) == [0, 1]
    await bridge.async_stop()
    assert not any(watched.values())


@pytest.mark.parametrize("option", [{"require_admin": False}])
async def test_options_that_shut_people_out_end_their_sessions(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    owner: User,
    bridge: Bridge,
    *,
    option: dict[str, Any],
) -> None:
    """As they end their streams."""
    hass.config_entries.async_update_entry(config_entry, options=option)
    guest = await hass.auth.async_create_user("Guest", group_ids=[GROUP_ID_USER])
    await shake_hands(http, await log_in(hass, guest))
    await shake_hands(http, await log_in(hass, owner))
    hass.config_entries.async_update_entry(config_entry, options={})
    await hass.async_block_till_done()
    assert bridge.endpoint.open_sessions == 1


async def _ask(http: Http, login: dict[str, str], session_id: str) -> int:
    headers = {"Mcp-Session-Id": session_id, **login}
    return (await http.post(ENDPOINT, json=CALL, headers=headers)).status
