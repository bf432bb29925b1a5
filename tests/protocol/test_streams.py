"""Open streams end with the access of those who opened them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import ClientResponse
from aiohttp.test_utils import TestClient
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.const import ENDPOINT, SESSIONS_PER_LOGIN
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import RefreshToken, User
from homeassistant.core import HomeAssistant
from tests.clients import INITIALIZE, modern_request

type Http = TestClient[Any, Any]
type Guest = tuple[User, RefreshToken, dict[str, str]]
type End = Callable[
    [HomeAssistant, MockConfigEntry, User, RefreshToken], Awaitable[Any]
]

LISTEN, LISTEN_HEADERS = modern_request(
    "subscriptions/listen", {"notifications": {"toolsListChanged": True}}
)


async def _close_to_others(
    hass: HomeAssistant, entry: MockConfigEntry, user: User, token: RefreshToken
) -> None:
    hass.config_entries.async_update_entry(entry, options={"require_admin": True})


async def _deactivate(
    hass: HomeAssistant, entry: MockConfigEntry, user: User, token: RefreshToken
) -> None:
    await hass.auth.async_update_user(user, is_active=False)


async def _remove(
    hass: HomeAssistant, entry: MockConfigEntry, user: User, token: RefreshToken
) -> None:
    await hass.auth.async_remove_user(user)


async def _revoke(
    hass: HomeAssistant, entry: MockConfigEntry, user: User, token: RefreshToken
) -> None:
    hass.auth.async_remove_refresh_token(token)


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Let everybody in."""
    return {"require_admin": False}


@pytest.fixture(name="guest")
async def fixture_guest(
    hass: HomeAssistant,
) -> Guest:
    """Return a user with a token, and the header to log in with it."""
    await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    user = await hass.auth.async_create_user("Guest", group_ids=[GROUP_ID_USER])
    token = await hass.auth.async_create_refresh_token(user, "http://127.0.0.1/")
    return (
        user,
        token,
        {"Authorization": f"Bearer {hass.auth.async_create_access_token(token)}"},
    )


async def _open(http: Http, era: str, login: dict[str, str]) -> ClientResponse:
    if era == "modern":
        stream = await http.post(
            ENDPOINT, json=LISTEN, headers={**LISTEN_HEADERS, **login}
        )
    else:
        opened = await http.post(ENDPOINT, json=INITIALIZE, headers=login)
        headers = {
            "Mcp-Session-Id": opened.headers["Mcp-Session-Id"],
            "Accept": "text/event-stream",
            **login,
        }
        stream = await http.get(ENDPOINT, headers=headers)
    assert stream.status == 200
    return stream


@pytest.mark.parametrize("era", ["handshake", "modern"])
@pytest.mark.parametrize("end", [_close_to_others, _deactivate, _remove, _revoke])
async def test_a_stream_ends_with_the_access(
    config_entry: MockConfigEntry,
    http: Http,
    guest: Guest,
    era: str,
    end: End,
) -> None:
    """Whatever ended it; the stream of somebody else stays."""
    user, token, login = guest
    stream, other = await _open(http, era, login), await _open(http, era, {})
    await end(config_entry.runtime_data.hass, config_entry, user, token)
    async with asyncio.timeout(5):
        await stream.content.read()
    assert stream.content.at_eof()
    assert not other.content.at_eof()
    other.close()


async def test_one_login_has_only_so_many_streams(http: Http) -> None:
    """The oldest ends for a new one."""
    first = await _open(http, "modern", {})
    others = [await _open(http, "modern", {}) for _ in range(SESSIONS_PER_LOGIN)]
    async with asyncio.timeout(5):
        await first.content.read()
    assert not any(other.content.at_eof() for other in others)
    for other in others:
        other.close()
