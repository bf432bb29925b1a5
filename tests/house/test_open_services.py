"""Some services can do anything, whatever they are called with."""

from typing import Any

import pytest

from custom_components.mcp_bridge.house.open_services import open_ended
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers.service import async_set_service_schema
from homeassistant.setup import async_setup_component


async def _serve(call: ServiceCall) -> None:
    """Serve."""


@pytest.mark.parametrize(
    ("service", "is_open"),
    [
        ("counter.increment", False),
        ("acme.aimed", False),
        ("acme.unaimed", True),
        ("acme.no_such", True),
        ("zwave_js.aimed", True),
        ("mqtt.publish", True),
        ("conversation.process", True),
        ("conversation.reload", False),
        ("shell_command.anything", True),
        ("rest_command.anything", True),
        ("esphome.anything", True),
        ("hassio.addon_stdin", True),
        ("notify.phone", False),
        ("persistent_notification.create", False),
        ("homeassistant.turn_on", False),
        ("homeassistant.restart", False),
        ("homeassistant.reload_core_config", False),
        ("homeassistant.delete_all_entities", True),
        ("script.anything", False),
        ("scene.apply", False),
        ("light.reload", False),
        ("MQTT.Publish", True),
    ],
)
async def test_open_ended(hass: HomeAssistant, service: str, is_open: bool) -> None:
    """Without a target only what is known is contained; raw commands are open even with one."""
    assert await async_setup_component(hass, "counter", {})
    for domain, name in (("acme", "aimed"), ("acme", "unaimed"), ("zwave_js", "aimed")):
        hass.services.async_register(domain, name, _serve)
        schema: dict[str, Any] = {"target": {}} if name == "aimed" else {}
        async_set_service_schema(hass, domain, name, schema)

    assert open_ended(hass, service) is is_open
