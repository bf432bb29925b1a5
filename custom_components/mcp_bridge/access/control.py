"""Access control: the options in force and the clients, applied to every caller."""

from collections.abc import Iterable, Mapping
from typing import Any

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback

from ..house.catalog import Catalog
from ..house.exposure import listen_to_exposure
from ..models import Caller
from .clients import Client
from .options import AccessOptions
from .rights import Rights
from .view import HouseView
from .visibility import Visibility

type _Key = tuple[str, str | None]


class AccessControl:
    """Opens the house to callers, as far as the options, the client and their own rights reach."""

    def __init__(
        self,
        hass: HomeAssistant,
        catalog: Catalog,
        options: Mapping[str, Any],
        clients: Iterable[Client] = (),
    ) -> None:
        """Start with the options of the config entry, and its clients."""
        self._hass = hass
        self._catalog = catalog
        self.options = AccessOptions.from_entry_options(options)
        self.clients = {client.id: client for client in clients}
        # Both by user and client.
        self._visibilities: dict[_Key, Visibility] = {}
        self._rights: dict[_Key, Rights] = {}
        self._stop_listening: CALLBACK_TYPE | None = None

    @callback
    def async_start(self) -> None:
        """Follow what the user exposes to Assist."""
        self._stop_listening = listen_to_exposure(self._hass, self._visibilities.clear)

    @callback
    def async_stop(self) -> None:
        """Stop following."""
        if self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None

    @callback
    def async_set_options(
        self, options: Mapping[str, Any], clients: Iterable[Client] = ()
    ) -> None:
        """Put changed options and clients in force, for the very next call."""
        self.options = AccessOptions.from_entry_options(options)
        self.clients = {client.id: client for client in clients}
        self._visibilities.clear()
        self._rights.clear()

    @callback
    def async_forget(self, user_id: str) -> None:
        """Forget a user who is gone."""
        for known in (self._visibilities, self._rights):
            for key in [key for key in known if key[0] == user_id]:
                del known[key]

    async def async_settle(self) -> None:
        """Bring the house up to date before it is looked at, without holding up others."""
        await self._catalog.async_settle()

    def admits(self, caller: Caller) -> bool:
        """Tell whether the caller may use the bridge at all."""
        user = caller.user
        if not user.is_active:
            return False
        if caller.client is None:
            return user.is_admin or not self.options.require_admin
        client = self.clients.get(caller.client)
        if client is None or client.has_expired:
            return False
        # A token that was replaced, or a client that was given to somebody else, is another client.
        return client.user_id in (None, user.id) and (
            client.token_hash is None or caller.credential == client.credential
        )

    def client_of(self, caller: Caller) -> Client | None:
        """Return the client that applies to a caller."""
        return self.clients.get(caller.client) if caller.client else None

    def rights(self, caller: Caller) -> Rights:
        """Return what the caller may do."""
        key = (caller.user.id, caller.client)
        rights = self._rights.get(key)
        if rights is None or not rights.holds_for(caller.user):
            rights = Rights(
                self._hass, self.options, self.client_of(caller), caller.user
            )
            self._rights[key] = rights
        return rights

    def view(self, caller: Caller) -> HouseView:
        """Return the house as the caller may see it."""
        key = (caller.user.id, caller.client)
        visibility = self._visibilities.get(key)
        if visibility is None or not visibility.holds_for(caller.user):
            visibility = Visibility(
                self._hass, self.options, caller.user, self.client_of(caller)
            )
            self._visibilities[key] = visibility
        return HouseView(self._hass, self._catalog, visibility)
