"""Access control: the options in force, applied to every caller."""

from collections.abc import Mapping
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback

from ..house.catalog import Catalog
from ..house.exposure import listen_to_exposure
from ..models import Caller
from .options import AccessOptions
from .view import HouseView
from .visibility import Visibility


class AccessControl:
    """Opens the house to callers, as far as the options and their own rights reach."""

    def __init__(
        self, hass: HomeAssistant, catalog: Catalog, options: Mapping[str, Any]
    ) -> None:
        """Start with the options of the config entry."""
        self._hass = hass
        self._catalog = catalog
        self.options = AccessOptions.from_entry_options(options)
        self._visibilities: dict[str, Visibility] = {}
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
    def async_set_options(self, options: Mapping[str, Any]) -> None:
        """Put changed options in force, for the very next call."""
        self.options = AccessOptions.from_entry_options(options)
        self._visibilities.clear()

    @callback
    def async_forget(self, user_id: str) -> None:
        """Forget a user who is gone."""
        self._visibilities.pop(user_id, None)

    async def async_settle(self) -> None:
        """Bring the house up to date before it is looked at, without holding up others."""
        await self._catalog.async_settle()

    def admits(self, user: User) -> bool:
        """Tell whether the user may use the bridge at all."""
        return user.is_active and (user.is_admin or not self.options.require_admin)

    def view(self, caller: Caller) -> HouseView:
        """Return the house as the caller may see it."""
        visibility = self._visibilities.get(caller.user.id)
        if visibility is None or not visibility.holds_for(caller.user):
            visibility = Visibility(self._hass, self.options, caller.user)
            self._visibilities[caller.user.id] = visibility
        return HouseView(self._hass, self._catalog, visibility)
