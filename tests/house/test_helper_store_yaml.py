"""Helpers that are defined in YAML are told apart, and left alone."""

import pytest

from custom_components.mcp_bridge.errors import InvalidArguments
from custom_components.mcp_bridge.house import helper_store
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component


@pytest.mark.parametrize("disabled", [False, True])
async def test_yaml_helper(hass: HomeAssistant, disabled: bool) -> None:
    """It has a registry entry like the others, but cannot be edited; disabled it has no state to tell."""
    assert await async_setup_component(
        hass, "input_boolean", {"input_boolean": {"from_yaml": {"name": "Yaml"}}}
    )
    if disabled:
        er.async_get(hass).async_update_entity(
            "input_boolean.from_yaml", disabled_by=er.RegistryEntryDisabler.USER
        )
        await hass.async_block_till_done()

    for change in (
        helper_store.delete(hass, "input_boolean.from_yaml"),
        helper_store.update(hass, "input_boolean.from_yaml", {"name": "Mine"}),
    ):
        with pytest.raises(InvalidArguments, match="defined in YAML"):
            await change

    assert er.async_get(hass).async_get("input_boolean.from_yaml") is not None


async def test_id_of_a_yaml_helper_is_not_taken(hass: HomeAssistant) -> None:
    """A new one of the same name gets another id."""
    assert await async_setup_component(
        hass, "input_boolean", {"input_boolean": {"guests": {}}}
    )

    helper = await helper_store.create(hass, "input_boolean", "Guests", {})

    assert helper.entity_id == "input_boolean.guests_2"
