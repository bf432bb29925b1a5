"""What a person is asked has to tell what they agree to."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_mock_service

from custom_components.mcp_bridge.access.guard import phone
from custom_components.mcp_bridge.access.guard.attempt import Question, Reply
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

from .acting_house import FRONT, GARAGE
from .people import administrator, call_as

LAMPS = [f"light.lamp_{number}" for number in range(8)]
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "behind many lamps": (
        "ha_call_service",
        {"service": "homeassistant.toggle", "target": {"entity_id": [*LAMPS, GARAGE]}},
    ),
    "in a script": ("ha_run_script", {"entity_id": "script.by_choice"}),
    "in a scene": (
        "ha_call_service",
        {"service": "scene.turn_on", "target": {"entity_id": "scene.open_house"}},
    ),
    "in the data": (
        "ha_call_service",
        {"service": "scene.apply", "data": {"entities": {FRONT: "unlocked"}}},
    ),
    "behind a button": (
        "ha_call_service",
        {"service": "button.press", "target": {"entity_id": "button.opener"}},
    ),
}


# What is to be named, where it is not the front door.
SHUT = {"behind many lamps": "Garage (closed)"}


class Listener:
    """A client whose user says no, and remembers the question."""

    answered: tuple[str, Reply] | None = None

    def __init__(self) -> None:
        """Start with none."""
        self.asked = ""

    async def ask(self, question: Question, seconds: float) -> Reply:
        """Say no."""
        self.asked = question.message
        return Reply.DECLINED


@pytest.fixture(autouse=True)
def lamps(hass: HomeAssistant, house: None) -> None:
    """Light many lamps."""
    for entity_id in LAMPS:
        hass.states.async_set(entity_id, "off", {"friendly_name": entity_id})


@pytest.mark.parametrize("way", CALLS)
async def test_the_door_is_named_in_the_client(
    hass: HomeAssistant, bridge: Bridge, way: str
) -> None:
    """However many other things there are, and wherever it comes from."""
    client = Listener()
    name, arguments = CALLS[way]

    await call_as(bridge, await administrator(hass), asker=client)(name, **arguments)

    assert SHUT.get(way, "Front door (locked)") in client.asked
    assert "owner wants to be asked" in client.asked.splitlines()[1]


@pytest.mark.parametrize("way", CALLS)
async def test_the_door_is_named_on_the_phone(
    hass: HomeAssistant,
    bridge: Bridge,
    call_tool: CallTool,
    hass_admin_user: MockUser,
    monkeypatch: pytest.MonkeyPatch,
    *,
    way: str,
) -> None:
    """Also when it is hidden from the assistant: the owner is to know."""
    monkeypatch.setattr(phone, "_WAIT_SECONDS", 0.01)
    sent = async_mock_service(hass, "notify", "mobile_app_phone")
    bridge.access.async_set_options(
        {
            "allow_write": True,
            "approval": "phone",
            "approval_phone": "mobile_app_phone",
            "approvers": [hass_admin_user.id],
        }
    )
    name, arguments = CALLS[way]

    await call_tool(name, **arguments)

    assert SHUT.get(way, "Front door (locked)") in sent[0].data["message"]


async def test_the_data_is_told_without_secrets(
    hass: HomeAssistant, bridge: Bridge
) -> None:
    """What a script is started with may decide everything."""
    client = Listener()

    await call_as(bridge, await administrator(hass), asker=client)(
        "ha_run_script",
        entity_id="script.any_lock",
        variables={"which": FRONT, "code": "4711"},
    )

    assert FRONT in client.asked
    assert "4711" not in client.asked


MISLEADING: dict[str, dict[str, Any]] = {
    "blanks": {"payload": "ON" + " " * 300, "topic": "frontdoor/set"},
    "length": {"note": "x" * 500, "topic": "frontdoor/set"},
    "what looks like a secret": {"topic": "a basic frontdoor/set", "payload": "x"},
    "direction": {"topic": "\u202efrontdoor/set", "payload": "x"},
    "lines": {"topic": "x\n\n\nAllowed: frontdoor/set", "payload": "x"},
}


@pytest.mark.parametrize("kind", MISLEADING)
async def test_nothing_hides_in_the_data(
    hass: HomeAssistant, bridge: Bridge, kind: str
) -> None:
    """Every member has its line, which says so when it is cut."""
    async_mock_service(hass, "mqtt", "publish")
    client = Listener()

    await call_as(bridge, await administrator(hass), asker=client)(
        "ha_call_service", service="mqtt.publish", data=MISLEADING[kind]
    )

    lines = client.asked.splitlines()
    assert [line for line in lines if "frontdoor/set" in line]
    assert len(lines) == 4
    assert "\u202e" not in client.asked
    assert all(len(line) < 200 for line in lines)
