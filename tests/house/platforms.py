"""Puts entities of a test into Home Assistant's own components, by way of a config entry."""

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockModule,
    MockPlatform,
    mock_config_flow,
    mock_integration,
    mock_platform,
)

from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.setup import async_setup_component


class _Flow(ConfigFlow):
    """A config entry needs one."""


class Platform(MockPlatform):
    """A module of a platform, with more in it than entities."""

    def __init__(self, async_setup_entry: Any, **more: Any) -> None:
        """Hold functions by their names."""
        super().__init__(async_setup_entry=async_setup_entry)
        vars(self).update(more)


async def add_entities(
    hass: HomeAssistant,
    domain: str,
    entities: Iterable[Entity],
    *,
    integration: str = "test",
    entry_data: Mapping[str, Any] | None = None,
    **more: Any,
) -> MockConfigEntry:
    """Set up an integration whose config entry brings these entities of a domain.

    `more` stands in the module of the platform beside the set-up.
    """

    async def forward(hass: HomeAssistant, entry: ConfigEntry) -> Any:
        await hass.config_entries.async_forward_entry_setups(entry, [domain])

    async def setup(
        hass: HomeAssistant,
        entry: ConfigEntry,
        async_add_entities: AddConfigEntryEntitiesCallback,
    ) -> None:
        async_add_entities(entities)

    assert await async_setup_component(hass, domain, {})
    mock_integration(hass, MockModule(integration, async_setup_entry=forward))
    mock_platform(hass, f"{integration}.config_flow")
    mock_platform(
        hass, f"{integration}.{domain}", Platform(async_setup_entry=setup, **more)
    )
    entry = MockConfigEntry(domain=integration, data=dict(entry_data or {}))
    entry.add_to_hass(hass)
    with mock_config_flow(integration, _Flow):
        assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry
