"""What a caller may not see does not exist for the tools that act, and for what they have done."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from tests.conftest import CallTool
from tests.house.test_notifiers import Bell, add_phones

from .callers import calling
from .checks import refused, whole
from .furniture import House, equip, furnish
from .random_house import Lamp

SCRIPT = "script.movie_night"
HIDING: dict[str, Any] = {"allow_write": True, "filter_reads": True}
HIDES_SCRIPT = {**HIDING, "entity_denylist": {"patterns": [SCRIPT]}}
HIDES_PHONE = {**HIDING, "entity_denylist": {"patterns": ["notify.phone"]}}


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act; what is hidden is decided later."""
    return {"allow_write": True}


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> House:
    """Furnish the house with a script and phones."""
    house = furnish(hass)
    await equip(hass)
    await add_phones(hass, Bell("Phone"))
    return house


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ha_run_script", {"entity_id": SCRIPT}),
        ("ha_run_script", {"entity_id": SCRIPT, "wait": False}),
        ("ha_call_service", {"service": SCRIPT}),
        (
            "ha_call_service",
            {"service": "script.turn_on", "target": {"entity_id": SCRIPT}},
        ),
    ],
)
async def test_a_run_of_a_hidden_script_is_no_change_that_is_told(
    hass: HomeAssistant,
    bridge: Bridge,
    call_tool: CallTool,
    tool: str,
    arguments: dict[str, Any],
) -> None:
    """In whatever way it was run: its record names it, so that others do not get to hear of it."""
    owner = calling(bridge, Caller(MockUser(is_owner=True).add_to_hass(hass)))
    done = whole(await owner(tool, **arguments))

    listed = whole(await call_tool("ha_list_changes"))
    assert listed["items"][0]["change_id"] == done["change_id"]
    assert SCRIPT in listed["items"][0]["entities"]
    bridge.access.async_set_options(HIDES_SCRIPT)
    assert whole(await call_tool("ha_list_changes"))["items"] == []
    refused(await call_tool("ha_undo_change", change_id=done["change_id"]), "not_found")


async def test_the_older_service_of_a_hidden_phone_is_not_there(
    bridge: Bridge, call_tool: CallTool
) -> None:
    """It is made of the name of the phone; that of a phone without an entity is nobody's to hide."""
    arguments: dict[str, Any] = {"domain": "notify"}
    listed = whole(await call_tool("ha_list_services", **arguments))
    names = {service["service"] for service in listed["services"]}
    assert {"mobile_app_paul", "mobile_app_lea", "send_message"} <= names
    bridge.access.async_set_options(HIDES_PHONE)

    listed = whole(await call_tool("ha_list_services", **arguments))
    left = {service["service"] for service in listed["services"]}
    assert names - left == {"mobile_app_paul"}
    found = await call_tool("ha_list_services", search="paul")
    assert whole(found)["items"] == []
    message = {"data": {"message": "a"}, "dry_run": True}
    hidden = await call_tool(
        "ha_call_service", service="notify.mobile_app_paul", **message
    )
    unknown = await call_tool(
        "ha_call_service", service="notify.mobile_app_pava", **message
    )
    refused(hidden, "not_found")
    assert hidden.text.replace("paul", "pava") == unknown.text


class Broken(Lamp):
    """A light that says what keeps it dark."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Fail."""
        raise HomeAssistantError(f"Waiting for {SCRIPT} to end")


async def test_what_home_assistant_says_names_nothing_hidden(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """Integrations put ids into their errors."""
    assert await async_setup_component(hass, "light", {})
    await hass.data["light"].async_add_entities([Broken("light.broken", "Broken")])
    target = {"entity_id": "light.broken"}
    for options, told in ((HIDING, True), (HIDES_SCRIPT, False)):
        bridge.access.async_set_options(options)
        answer = await call_tool(
            "ha_call_service", service="light.turn_on", target=target
        )
        refused(answer, "home_assistant_error", "Waiting for")
        assert (SCRIPT in answer.text) == told
