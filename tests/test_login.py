"""Clients: every way in, and every refusal."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
import json
import logging
from pathlib import Path
from typing import Any

from freezegun.api import FrozenDateTimeFactory
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.components.http import ban
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .assistants import (
    Http,
    add_client,
    add_login,
    bearer,
    change,
    day,
    filled,
    log_in,
    open_client_form,
    rotate,
    submit,
)
from .clients import CALL, error_code

WRONG = f"mcpb_{'x' * 43}"


@pytest.fixture(name="user")
async def fixture_user(hass: HomeAssistant) -> User:
    """Return a user of the house who is no administrator."""
    await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    return await hass.auth.async_create_user("Guest", group_ids=[GROUP_ID_USER])


@pytest.fixture(name="http")
async def fixture_http(
    bridge: Bridge, hass_client_no_auth: ClientSessionGenerator, socket_enabled: None
) -> Http:
    """Return an HTTP client without a login."""
    return await hass_client_no_auth()


async def _ask(http: Http, headers: dict[str, str]) -> int:
    return (await http.post(ENDPOINT, json=CALL, headers=headers)).status


async def test_a_token_opens_the_endpoint_and_nothing_else(
    hass: HomeAssistant, config_entry: MockConfigEntry, http: Http, user: User
) -> None:
    """Also for a user who is no administrator: the client names them."""
    assert await async_setup_component(hass, "api", {})
    _, token = await add_client(hass, config_entry, user)
    assert await _ask(http, bearer(token)) == 200
    for path in ("/api/", "/api/states", "/api/services", "/api/config"):
        assert (await http.get(path, headers=bearer(token))).status == 401


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer "])
async def test_the_scheme_may_be_written_in_any_way(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    user: User,
    *,
    scheme: str,
) -> None:
    """As the standard has it."""
    _, token = await add_client(hass, config_entry, user)
    assert await _ask(http, {"Authorization": f"{scheme} {token}"}) == 200


async def test_what_is_asked_is_asked_as_the_user_of_the_client(
    hass: HomeAssistant, config_entry: MockConfigEntry, http: Http, user: User
) -> None:
    """With the limits of the client."""
    hass.states.async_set("light.kitchen", "on")
    hass.states.async_set("lock.door", "locked")
    _, token = await add_client(
        hass, config_entry, user, entity_denylist={"patterns": ["lock.*"]}
    )
    params = {"name": "ha_list_entities", "arguments": {"state": "!=x"}}
    asked = {**CALL, "params": params}
    response = await http.post(ENDPOINT, json=asked, headers=bearer(token))
    assert response.status == 200
    text = await response.text()
    assert "light.kitchen" in text
    assert "lock.door" not in text


@pytest.mark.parametrize(
    "authorization",
    [
        WRONG,
        "mcpb_",
        "mcpb_é",
        "mcpb_ x",
        f"mcpb_{'x' * 4000}",
    ],
)
async def test_a_wrong_token_is_a_failed_login(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    user: User,
    caplog: pytest.LogCaptureFixture,
    *,
    authorization: str,
) -> None:
    """It is counted and told to the owner, as any wrong password is; the token stands nowhere."""
    await add_client(hass, config_entry, user)
    response = await http.post(ENDPOINT, json=CALL, headers=bearer(authorization))
    assert response.status == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer resource_metadata=")
    assert await error_code(response) == -32600
    assert "Login attempt" in caplog.text
    assert len(hass.data["persistent_notification"]) == 1
    assert "mcpb_" not in caplog.text


async def test_guessing_ends_in_a_ban(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    hass_client_no_auth: ClientSessionGenerator,
    socket_enabled: None,
    *,
    user: User,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where Home Assistant is set up to ban; the right token does not help then."""
    monkeypatch.setattr(ban, "IP_BANS_FILE", str(tmp_path / "ip_bans.yaml"))
    settings = {"ip_ban_enabled": True, "login_attempts_threshold": 3}
    http = await _start(hass, config_entry, hass_client_no_auth, settings)
    _, token = await add_client(hass, config_entry, user)
    for _ in range(2):
        assert await _ask(http, bearer(WRONG)) == 401
        assert await _ask(http, bearer("not.one.of-ours")) == 401
    assert await _ask(http, bearer(token)) == 200
    assert await _ask(http, bearer(WRONG)) == 401
    assert await _ask(http, bearer(token)) == 403
    assert "127.0.0.1" in (tmp_path / "ip_bans.yaml").read_text()


async def _start(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    hass_client_no_auth: ClientSessionGenerator,
    settings: dict[str, Any],
) -> Http:
    """Start the bridge on a web server with settings of its own."""
    assert await async_setup_component(hass, "http", {"http": settings})
    assert await async_setup_component(hass, "homeassistant", {})
    config_entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    return await hass_client_no_auth()


async def test_the_wrong_token_of_others_is_no_failed_login(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    user: User,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An OAuth client sends its expired token before it logs in again."""
    await add_client(hass, config_entry, user)
    assert await _ask(http, bearer("eyJhbGciOiJIUzI1NiJ9.e30.x")) == 401
    assert "Login attempt" not in caplog.text


async def test_an_old_token_is_wrong_at_once(
    hass: HomeAssistant, config_entry: MockConfigEntry, http: Http, user: User
) -> None:
    """The new one is in force as soon as it is shown."""
    client, old = await add_client(hass, config_entry, user)
    new = await rotate(hass, config_entry, client)
    assert await _ask(http, bearer(old)) == 401
    assert await _ask(http, bearer(new)) == 200


async def test_a_removed_client_is_out(
    hass: HomeAssistant, config_entry: MockConfigEntry, http: Http, user: User
) -> None:
    """Only this one."""
    first, token = await add_client(hass, config_entry, user)
    _, other = await add_client(hass, config_entry, user, name="Other")
    hass.config_entries.async_remove_subentry(config_entry, first)
    assert await _ask(http, bearer(token)) == 401
    assert await _ask(http, bearer(other)) == 200


async def test_an_expired_token_says_so(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    user: User,
    *,
    freezer: FrozenDateTimeFactory,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is no wrong login; with a new date it opens again."""
    client, token = await add_client(hass, config_entry, user, last_day=day(30))
    assert await _ask(http, bearer(token)) == 200
    freezer.tick(timedelta(days=31))
    response = await http.post(ENDPOINT, json=CALL, headers=bearer(token))
    assert response.status == 401
    assert "expired" in (await response.json())["error"]["message"]
    assert "Login attempt" not in caplog.text
    await change(hass, config_entry, client, user_id=user.id, last_day=day(1))
    assert await _ask(http, bearer(token)) == 200


@pytest.mark.parametrize("end", ["inactive", "gone"])
async def test_a_client_whose_user_may_not_log_in(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    user: User,
    caplog: pytest.LogCaptureFixture,
    *,
    end: str,
) -> None:
    """Refused as the user would be; that is no attack."""
    _, token = await add_client(hass, config_entry, user)
    if end == "inactive":
        await hass.auth.async_update_user(user, is_active=False)
    else:
        await hass.auth.async_remove_user(user)
    assert await _ask(http, bearer(token)) == 401
    assert "Login attempt" not in caplog.text


@pytest.mark.parametrize(
    ("forwarded", "status"), [("192.168.1.7", 200), ("203.0.113.9", 401)]
)
async def test_a_user_who_may_only_log_in_at_home(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    hass_client_no_auth: ClientSessionGenerator,
    socket_enabled: None,
    user: User,
    *,
    forwarded: str,
    status: int,
) -> None:
    """Their clients are kept out from elsewhere, too."""
    proxy = {"use_x_forwarded_for": True, "trusted_proxies": ["127.0.0.1"]}
    http = await _start(hass, config_entry, hass_client_no_auth, proxy)
    _, token = await add_client(hass, config_entry, user)
    await hass.auth.async_update_user(user, local_only=True)
    headers = {**bearer(token), "X-Forwarded-For": forwarded}
    assert await _ask(http, headers) == status


@pytest.mark.parametrize(
    ("client_id", "status"),
    [
        ("https://claude.ai", 200),
        ("https://claude.ai/", 200),
        ("https://chatgpt.com/", 403),
        ("https://claude.ai.evil.example.com/", 403),
    ],
)
async def test_a_login_that_a_client_names(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    user: User,
    *,
    client_id: str,
    status: int,
) -> None:
    """It gets in though its user is no administrator; other logins do not."""
    login = await log_in(hass, user, client_id)
    assert await _ask(http, login) == 403
    await add_login(hass, config_entry)
    assert await _ask(http, login) == status


async def test_an_expired_login_says_so(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    freezer: FrozenDateTimeFactory,
) -> None:
    """Also for an administrator, who would get in without the client."""
    owner = await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    client = await add_login(hass, config_entry, last_day=day(0))
    freezer.tick(timedelta(days=1))
    login = await log_in(hass, owner)
    response = await http.post(ENDPOINT, json=CALL, headers=login)
    assert response.status == 403
    assert "expired" in (await response.json())["error"]["message"]
    hass.config_entries.async_remove_subentry(config_entry, client)
    assert await _ask(http, login) == 200


@pytest.mark.parametrize("end", ["rotated", "removed", "inactive"])
async def test_an_access_that_ends_while_the_body_arrives(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    user: User,
    caplog: pytest.LogCaptureFixture,
    *,
    end: str,
) -> None:
    """The token was right a moment ago, so this is no wrong login."""
    client, token = await add_client(hass, config_entry, user)

    async def slowly() -> AsyncIterator[bytes]:
        """Give the body in two parts, and take the access away between them."""
        body = json.dumps(CALL).encode()
        yield body[:10]
        await asyncio.sleep(0.1)
        if end == "rotated":
            await rotate(hass, config_entry, client)
        elif end == "removed":
            hass.config_entries.async_remove_subentry(config_entry, client)
        else:
            await hass.auth.async_update_user(user, is_active=False)
        yield body[10:]

    headers = {**bearer(token), "Content-Type": "application/json"}
    response = await http.post(ENDPOINT, data=slowly(), headers=headers)
    assert response.status == 401
    assert "Login attempt" not in caplog.text


async def test_a_token_is_in_no_log(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    http: Http,
    user: User,
    *,
    hass_storage: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nor in anything that is stored: there is only its hash."""
    caplog.set_level(logging.DEBUG)
    client, token = await add_client(hass, config_entry, user)
    assert await _ask(http, bearer(token)) == 200
    newer = await rotate(hass, config_entry, client)
    assert await _ask(http, bearer(newer)) == 200
    assert await _ask(http, bearer(token)) == 401
    form = await open_client_form(hass, config_entry, "token", client)
    await submit(hass, form, **filled(user_id=user.id))
    await hass.async_block_till_done()
    stored = json.dumps(hass_storage, default=str) + repr(config_entry.as_dict())
    for secret in (token, newer):
        assert secret.removeprefix("mcpb_") not in caplog.text + stored
