"""Clients as their subentries describe them, and whose a token or a login is."""

from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
import pytest

from custom_components.mcp_bridge.access.clients import (
    Client,
    client_with_login,
    client_with_token,
    hash_token,
    holds,
    new_token,
)
from custom_components.mcp_bridge.models import Caller
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from .people import owner


def client(id: str, **data: Any) -> Client:
    """Return a client."""
    return Client.from_subentry(id, id.title(), data)


def test_tokens_differ_and_are_recognised() -> None:
    """Each opens its own client, whichever place that has; expired ones are found, too."""
    tokens = [new_token() for _ in range(3)]
    assert len(set(tokens)) == 3
    past = (dt_util.utcnow() - timedelta(days=1)).isoformat()
    clients = [
        client(str(place), token_hash=hash_token(token), expires=past)
        for place, token in enumerate(tokens)
    ]
    clients.append(client("login", oauth_client_id="https://claude.ai"))
    for place, token in enumerate(tokens):
        found = client_with_token(clients, token)
        assert found is not None
        assert found.id == str(place)
        assert found.has_expired
    for wrong in ("", "mcpb_", tokens[0][:-1], hash_token(tokens[0]), "\udcff"):
        assert client_with_token(clients, wrong) is None


def test_a_login_that_names_its_user_comes_first() -> None:
    """Before one that is for anybody, whatever the order."""
    anybody = client("anybody", oauth_client_id="https://claude.ai/")
    named = client("named", oauth_client_id="https://claude.ai", user_id="1")
    for clients in ([anybody, named], [named, anybody]):
        assert client_with_login(clients, "1", "https://claude.ai") is named
        assert client_with_login(clients, "2", "https://Claude.ai/") is anybody
        assert client_with_login(clients, "1", "https://claude.ai/x") is None
        assert client_with_login(clients, "1", None) is None
    assert client_with_login([named], "2", "https://claude.ai") is None


@pytest.mark.parametrize(
    ("stored", "expired"),
    [
        (None, False),
        ("2026-11-03T12:00:00+00:00", True),
        ("2026-11-03T13:00:00+01:00", True),
        ("2026-11-03T12:00:01+00:00", False),
        ("some day", True),
        ("", True),
    ],
)
def test_when_an_access_has_ended(
    freezer: FrozenDateTimeFactory, stored: str | None, *, expired: bool
) -> None:
    """To the second; one that cannot be read has."""
    freezer.move_to("2026-11-03 12:00:00+00:00")
    assert client("x", expires=stored).has_expired is expired


async def test_what_holds_for_a_caller(hass: HomeAssistant) -> None:
    """A token that is the client's still, a login that is there and would be let in as the same client."""
    user = owner().add_to_hass(hass)
    refresh = await hass.auth.async_create_refresh_token(user, "https://claude.ai/")
    token = client("token", token_hash="a", user_id=user.id)
    login = client("login", oauth_client_id="https://claude.ai")
    known = {found.id: found for found in (token, login)}
    assert holds(hass, known, Caller(user, token.credential, "token"))
    assert not holds(hass, known, Caller(user, "token:b", "token"))
    assert not holds(hass, {}, Caller(user, token.credential, "token"))
    assert holds(hass, known, Caller(user, refresh.id, "login"))
    assert not holds(hass, known, Caller(user, refresh.id))
    assert not holds(hass, {}, Caller(user, refresh.id, "login"))
    assert holds(hass, {}, Caller(user, refresh.id))
    # The Supervisor has no token.
    assert holds(hass, known, Caller(user))
    hass.auth.async_remove_refresh_token(refresh)
    assert not holds(hass, known, Caller(user, refresh.id, "login"))
    assert not holds(hass, {}, Caller(user, refresh.id))
