"""The bridge of one config entry: the house, the access to it, the tools and the endpoint, put together."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from homeassistant.auth import EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, Event, HassJob, HomeAssistant, callback
from homeassistant.loader import async_get_integration
from homeassistant.util import dt as dt_util

from .access.audit import Audit
from .access.clients import Client, async_track_expiry, holds, read_clients
from .access.control import AccessControl
from .access.guard.guard import WriteGuard
from .access.journal import Journal
from .access.last_used import LastUsed
from .const import DOMAIN
from .house.catalog import Catalog
from .models import Caller
from .protocol.endpoint import Endpoint
from .protocol.server import build_server
from .tools import families
from .tools.declaration import Runtime
from .tools.registry import ToolRegistry

type McpBridgeConfigEntry = ConfigEntry[Bridge]


class Bridge:
    """All parts in one place, started and stopped together."""

    def __init__(
        self,
        hass: HomeAssistant,
        options: Mapping[str, Any],
        version: str,
        clients: Iterable[Client] = (),
    ) -> None:
        """Put the parts together."""
        self.hass = hass
        self._started: datetime = dt_util.utcnow()
        self._listeners: list[CALLBACK_TYPE] = []
        self._stop_expiry: CALLBACK_TYPE | None = None
        self.version = version
        self.catalog = Catalog(hass)
        self.access = AccessControl(hass, self.catalog, options, clients)
        self.last_used = LastUsed(hass)
        self.audit = Audit(hass)
        self.journal = Journal(hass)
        self.guard = WriteGuard(hass, self.access, self.audit, self.journal)
        self.registry = ToolRegistry(
            hass, self.access, self.guard, families(), self.runtime
        )
        self.endpoint = Endpoint(
            hass, partial(build_server, self.registry, self.access, version)
        )

    def runtime(self) -> Runtime:
        """Return what tools may tell of the bridge itself."""
        return Runtime(
            version=self.version,
            started=self._started,
            options=self.access.options,
            open_sessions=self.endpoint.open_sessions,
            catalog_in_step=self.catalog.is_in_step,
        )

    async def async_start(self) -> None:
        """Start following the house and its users, and answering."""
        await self.audit.async_load()
        await self.journal.async_load()
        await self.last_used.async_load()
        self.last_used.async_prune(self.access.clients)
        await self.catalog.async_start()
        self.access.async_start()
        await self.endpoint.async_start()
        self._track_expiry()
        self._listeners = [
            self.hass.bus.async_listen(EVENT_USER_UPDATED, self._user_updated),
            self.hass.bus.async_listen(EVENT_USER_REMOVED, self._user_removed),
        ]

    async def async_stop(self) -> None:
        """End all sessions and stop following the house."""
        for remove in self._listeners:
            remove()
        self._listeners.clear()
        if self._stop_expiry is not None:
            self._stop_expiry()
            self._stop_expiry = None
        await self.endpoint.async_stop()
        await self.last_used.async_stop()
        await self.guard.async_stop()
        await self.audit.async_save()
        await self.journal.async_save()
        self.access.async_stop()
        self.catalog.async_stop()

    async def async_set_options(
        self, options: Mapping[str, Any], clients: Iterable[Client]
    ) -> None:
        """Put changed options and clients in force, end what is not admitted any more, and tell the other clients."""
        self.access.async_set_options(options, clients)
        self.last_used.async_prune(self.access.clients)
        self._track_expiry()
        await self.endpoint.async_end(self._admits)
        await self.endpoint.async_announce_changes()

    def _admits(self, caller: Caller) -> bool:
        """Tell whether what a caller has opened may go on as it was opened."""
        return self.access.admits(caller) and holds(
            self.hass, self.access.clients, caller
        )

    @callback
    def _track_expiry(self) -> None:
        """Wait for the next client that expires."""
        if self._stop_expiry is not None:
            self._stop_expiry()
        self._stop_expiry = async_track_expiry(
            self.hass, self.access.clients.values(), self._expired
        )

    async def _expired(self, now: datetime) -> None:
        self._track_expiry()
        await self.endpoint.async_end(self._admits)

    async def _user_updated(self, event: Event) -> None:
        await self.endpoint.async_end(self._admits)

    async def _user_removed(self, event: Event) -> None:
        removed = event.data["user_id"]
        self.access.async_forget(removed)
        await self.endpoint.async_end(
            lambda caller: caller.user.id != removed and self._admits(caller)
        )


async def async_create_bridge(
    hass: HomeAssistant, entry: McpBridgeConfigEntry
) -> Bridge:
    """Return a started bridge that ends with the config entry, or before Home Assistant does."""
    integration = await async_get_integration(hass, DOMAIN)
    bridge = Bridge(hass, entry.options, str(integration.version), read_clients(entry))
    try:
        await bridge.async_start()
    except BaseException:
        # Cancelled, too: whatever has been started follows the house already.
        await bridge.async_stop()
        raise
    # Home Assistant cancels background tasks before it fires its stop events, so open streams are ended earlier.
    entry.async_on_unload(hass.async_add_shutdown_job(HassJob(bridge.async_stop)))
    return bridge
