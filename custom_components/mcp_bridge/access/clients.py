"""Clients: what one assistant may do, and the token or the login that it is known by."""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
import hashlib
import hmac
import secrets
from typing import Any, Self

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_track_point_in_utc_time
from homeassistant.util import dt as dt_util

from ..const import (
    CONF_ALLOW_ELEVATED,
    CONF_EXPIRES,
    CONF_OAUTH_CLIENT_ID,
    CONF_TOKEN_HASH,
    CONF_USER_ID,
    SUBENTRY_CLIENT,
)
from ..models import Caller
from .options import Grant, read_grant

TOKEN_PREFIX = "mcpb_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client(Grant):
    """A client, as a subentry of the config entry describes it.

    user_id: the Home Assistant user it acts as; with a login (`oauth_client_id`) only logins of this user are meant,
        and None means those of anybody.
    token_hash: SHA-256 of the token, in hex; None for a client that logs in.
    oauth_client_id: the OAuth client id of its logins, such as https://claude.ai/; None for a client with a token.
    may_elevate: may do what runs without a user of its own, such as triggering automations, though the user is no
        administrator.
    expires: when its access ends; None for never.
    """

    id: str
    name: str
    user_id: str | None = None
    token_hash: str | None = None
    oauth_client_id: str | None = None
    may_elevate: bool = False
    expires: datetime | None = None

    @classmethod
    def from_subentry(cls, id: str, name: str, data: Mapping[str, Any]) -> Self:
        """Read the data of a subentry."""
        return cls(
            **read_grant(data),
            id=id,
            name=name,
            user_id=data.get(CONF_USER_ID),
            token_hash=data.get(CONF_TOKEN_HASH),
            oauth_client_id=data.get(CONF_OAUTH_CLIENT_ID),
            may_elevate=data.get(CONF_ALLOW_ELEVATED, False),
            expires=_read_expiry(data.get(CONF_EXPIRES)),
        )

    @property
    def has_expired(self) -> bool:
        """Whether its access has ended."""
        return self.expires is not None and self.expires <= dt_util.utcnow()

    @property
    def credential(self) -> str:
        """What tells its sessions from those of others, and from those of its former tokens."""
        return f"{self.id}:{self.token_hash or self.oauth_client_id}"


def read_clients(entry: ConfigEntry[Any]) -> list[Client]:
    """Return the clients of the config entry."""
    return [
        Client.from_subentry(subentry.subentry_id, subentry.title, subentry.data)
        for subentry in entry.get_subentries_of_type(SUBENTRY_CLIENT)
    ]


def _read_expiry(stored: str | None) -> datetime | None:
    """Return when an access ends; one that cannot be read has ended."""
    if stored is None:
        return None
    expires = dt_util.parse_datetime(stored)
    return dt_util.as_utc(expires) if expires else datetime.min.replace(tzinfo=UTC)


@callback
def async_track_expiry(
    hass: HomeAssistant,
    clients: Iterable[Client],
    expired: Callable[[datetime], Coroutine[Any, Any, None]],
) -> CALLBACK_TYPE:
    """Call `expired` when the first of the clients expires that has not yet; returns the way to stop."""
    ends = [
        client.expires
        for client in clients
        if client.expires and not client.has_expired
    ]
    if not ends:
        return lambda: None
    return async_track_point_in_utc_time(hass, expired, min(ends))


def new_token() -> str:
    """Return a token: 256 bits of randomness."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return what is stored of a token. It needs no salt: nobody can try 256 bits."""
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()


def client_with_token(clients: Iterable[Client], token: str) -> Client | None:
    """Return the client whose token this is, expired or not; how long it takes tells nothing."""
    presented = hash_token(token)
    found = None
    for client in clients:
        if client.token_hash and hmac.compare_digest(client.token_hash, presented):
            found = client
    return found


def client_with_login(
    clients: Iterable[Client], user_id: str, oauth_client_id: str | None
) -> Client | None:
    """Return the client that a login belongs to; one that names the user comes before one that is for anybody."""
    if oauth_client_id is None:
        return None
    found = [
        client
        for client in clients
        if client.oauth_client_id
        and client.user_id in (None, user_id)
        and _same_client(client.oauth_client_id, oauth_client_id)
    ]
    return min(found, key=lambda client: client.user_id is None, default=None)


def holds(hass: HomeAssistant, clients: Mapping[str, Client], caller: Caller) -> bool:
    """Tell whether a caller's token or login is still there, and still belongs to the client that it was let in as."""
    client = clients.get(caller.client) if caller.client else None
    if client is not None and client.token_hash is not None:
        return caller.credential == client.credential
    if caller.credential is None:
        return caller.client is None
    token = hass.auth.async_get_refresh_token(caller.credential)
    if token is None:
        return False
    current = client_with_login(clients.values(), caller.user.id, token.client_id)
    return (current.id if current else None) == caller.client


def _same_client(configured: str, presented: str) -> bool:
    """Tell whether two OAuth client ids are one: people leave out the slash at the end of an address."""
    return configured.strip().rstrip("/").lower() == presented.rstrip("/").lower()
