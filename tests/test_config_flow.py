"""Config flow."""

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import DOMAIN
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component


async def test_one_step_makes_the_entry(hass: HomeAssistant) -> None:
    """There is nothing to ask; the bridge is read only on arrival."""
    assert await async_setup_component(hass, "homeassistant", {})
    result = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    assert result["type"] is FlowResultType.FORM
    assert result["step_id"] == "user"
    result = await hass.config_entries.flow.async_configure(result["flow_id"], {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "MCP Bridge"
    assert result["data"] == {}
    await hass.async_block_till_done()
    [entry] = hass.config_entries.async_loaded_entries(DOMAIN)
    assert entry.options == {}


async def test_there_is_only_one(hass: HomeAssistant, bridge: Bridge) -> None:
    """A second one is refused."""
    result = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "single_instance_allowed"


async def test_the_address_is_told_when_the_entry_is_made(hass: HomeAssistant) -> None:
    """It is what the user needs next."""
    assert await async_setup_component(hass, "homeassistant", {})
    await hass.config.async_update(external_url="https://home.example.org")
    flow = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    result = await hass.config_entries.flow.async_configure(flow["flow_id"], {})
    assert result["description_placeholders"] == {
        "address": "https://home.example.org/api/mcp_bridge"
    }
