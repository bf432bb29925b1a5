"""What becomes of a change: done, refused or unknown, and the truth about it in each case."""

import asyncio
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.mcp_bridge.access.guard import execution
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from homeassistant.components.light import ColorMode, LightEntity
from homeassistant.core import HomeAssistant, ServiceCall, SupportsResponse
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from tests.conftest import CallTool
from tests.house.platforms import add_entities
from tests.tools.checks import refused, whole

from .acting_house import HALL, state_of

ON: dict[str, Any] = {"service": "light.turn_on", "target": {"entity_id": HALL}}


class Lamp(LightEntity):
    """A lamp that takes its time, or breaks."""

    _attr_color_mode = ColorMode.BRIGHTNESS
    _attr_supported_color_modes = {ColorMode.BRIGHTNESS}

    def __init__(self, name: str, error: Exception | None = None) -> None:
        """Take what goes wrong."""
        self._attr_name = self._attr_unique_id = name
        self._attr_is_on = False
        self._attr_brightness = 10
        self._error = error
        self.let_go = asyncio.Event()
        self.let_go.set()
        self.calls = 0

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn on, once it is let go."""
        self.calls += 1
        await self.let_go.wait()
        if self._error:
            raise self._error
        self._attr_is_on = True
        self._attr_brightness = kwargs.get("brightness", 10)
        self.async_write_ha_state()

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off."""
        self._attr_is_on = False
        self.async_write_ha_state()


async def test_states_are_told_before_and_after(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """With what else has changed on the target."""
    await add_entities(hass, "light", [Lamp("desk")])

    await call_tool(
        "ha_call_service", service="light.turn_on", target={"entity_id": "light.desk"}
    )
    data = whole(
        await call_tool(
            "ha_call_service",
            service="light.turn_on",
            target={"entity_id": "light.desk"},
            data={"brightness": 200},
        )
    )

    assert data["outcome"] == "done"
    [told] = data["entities"]
    assert (told["before"], told["after"]) == ("on", "on")
    assert told["attributes"]["brightness"] == [10, 200]
    assert data["can_be_undone"] is True


async def test_a_change_that_did_not_happen_is_told(
    hass: HomeAssistant, call_tool: CallTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service succeeded, and the light is still off."""
    monkeypatch.setattr(execution, "SETTLE_SECONDS", 0.01)
    async_mock_service(hass, "light", "turn_on")

    data = whole(await call_tool("ha_call_service", **ON))

    [told] = [entity for entity in data["entities"] if entity["entity_id"] == HALL]
    assert (told["before"], told["after"]) == ("off", "off")


async def test_one_of_two_fails(
    hass: HomeAssistant, call_tool: CallTool, bridge: Bridge
) -> None:
    """The error says which one has changed all the same."""
    broken = Lamp("broken", HomeAssistantError("The fuse is blown."))
    await add_entities(hass, "light", [Lamp("good"), broken])

    answer = await call_tool(
        "ha_call_service",
        service="light.turn_on",
        target={"entity_id": "light.good,light.broken"},
    )

    refused(answer, "home_assistant_error", "The fuse is blown.", "light.good")
    assert "light.broken" not in answer.data["error"]["hint"]
    assert list(bridge.audit.records)[-1]["outcome"] == "error"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (HomeAssistantError("No."), "home_assistant_error"),
        (ServiceValidationError("Not so."), "home_assistant_error"),
        (ValueError("inside"), "internal"),
        (TimeoutError(), "internal"),
    ],
    ids=repr,
)
async def test_an_error_of_an_integration(
    hass: HomeAssistant,
    call_tool: CallTool,
    bridge: Bridge,
    error: Exception,
    code: str,
) -> None:
    """Is told where it is meant for people, is on record, and leaves no journal entry behind."""
    await add_entities(hass, "light", [Lamp("broken", error)])

    answer = await call_tool(
        "ha_call_service", service="light.turn_on", target={"entity_id": "light.broken"}
    )

    refused(answer, code)
    assert list(bridge.audit.records)[-1]["outcome"] == "error"
    assert list(bridge.journal) == []


async def test_it_still_runs(
    hass: HomeAssistant,
    call_tool: CallTool,
    bridge: Bridge,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer says so, a repetition is refused, and in the end it is on record."""
    monkeypatch.setattr(execution, "EXECUTE_SECONDS", 0.05)
    lamp = Lamp("slow")
    lamp.let_go.clear()
    await add_entities(hass, "light", [lamp])
    call = {"service": "light.turn_on", "target": {"entity_id": "light.slow"}}

    data = whole(await call_tool("ha_call_service", **call))
    assert data["outcome"] == "unknown"
    again = await call_tool("ha_call_service", **call)
    assert refused(again, "conflict")["rule"] == Rule.STILL_RUNNING
    assert [record["outcome"] for record in bridge.audit.records] == [
        "unknown",
        "refused:still_running",
    ]

    lamp.let_go.set()
    await hass.async_block_till_done()
    assert list(bridge.audit.records)[-1]["outcome"] == "ok"
    [change] = bridge.journal
    assert change.undo is not None
    assert lamp.calls == 1
    assert whole(await call_tool("ha_call_service", **call))["outcome"] == "done"


async def test_the_client_goes_away(
    hass: HomeAssistant, bridge: Bridge, caller: Caller
) -> None:
    """What was begun is finished, and on record; what was not begun never happens."""
    lamp = Lamp("slow")
    lamp.let_go.clear()
    await add_entities(hass, "light", [lamp])
    arguments = {"service": "light.turn_on", "target": {"entity_id": "light.slow"}}
    call = asyncio.create_task(
        bridge.registry.call("ha_call_service", arguments, caller)
    )
    while not lamp.calls:
        await asyncio.sleep(0)

    call.cancel()
    await asyncio.wait((call,))
    assert call.cancelled()
    lamp.let_go.set()
    await hass.async_block_till_done()

    assert state_of(hass, "light.slow") == "on"
    assert [record["outcome"] for record in bridge.audit.records] == ["ok"]
    assert len(list(bridge.journal)) == 1


async def test_the_same_at_the_same_time(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Is done once; something else at the same time is no obstacle."""
    lamps = [Lamp("one"), Lamp("two")]
    for lamp in lamps:
        lamp.let_go.clear()
    await add_entities(hass, "light", lamps)

    calls = [
        asyncio.ensure_future(
            call_tool(
                "ha_call_service",
                service="light.turn_on",
                target={"entity_id": entity_id},
            )
        )
        for entity_id in ("light.one", "light.one", "light.two")
    ]
    while sum(lamp.calls for lamp in lamps) < 2:
        await asyncio.sleep(0)
    for lamp in lamps:
        lamp.let_go.set()
    answers = await asyncio.gather(*calls)

    assert sorted(answer.is_error for answer in answers) == [False, False, True]
    assert [lamp.calls for lamp in lamps] == [1, 1]


async def test_responses(hass: HomeAssistant, call_tool: CallTool) -> None:
    """Come where they are wanted, and where there is nothing else to a service."""

    async def respond(call: ServiceCall) -> dict[str, Any]:
        return {"found": [1, 2], "template": "{{ states }}"}

    register = hass.services.async_register
    register("light", "only", respond, supports_response=SupportsResponse.ONLY)
    register("light", "optional", respond, supports_response=SupportsResponse.OPTIONAL)

    async def call(service: str, **more: Any) -> dict[str, Any]:
        first = await call_tool("ha_call_service", service=service, **more)
        token = first.data.get("confirm_token")
        return whole(
            await call_tool(
                "ha_call_service", service=service, **more, confirm_token=token
            )
        )

    assert (await call("light.only"))["response"]["found"] == [1, 2]
    assert "response" not in await call("light.optional")
    assert (await call("light.optional", return_response="true"))["response"][
        "found"
    ] == [1, 2]
    refused(
        await call_tool("ha_call_service", **ON, return_response=True),
        "invalid_arguments",
        "no response",
    )


async def test_a_script_answers(hass: HomeAssistant, call_tool: CallTool) -> None:
    """With its response, once it has ended."""
    data = whole(await call_tool("ha_run_script", entity_id="script.answers"))

    assert data["outcome"] == "done"
    assert data["response"] == {"found": 3}


async def test_a_script_is_only_started(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """When nobody is to wait for it."""
    data = whole(await call_tool("ha_run_script", entity_id="slow", wait=False))

    assert data["outcome"] == "done"
    assert state_of(hass, "script.slow") == "on"
    await hass.services.async_call(
        "script", "turn_off", {"entity_id": "script.slow"}, blocking=True
    )


async def test_what_else_a_script_changes_is_told(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """And can be put back."""
    data = whole(await call_tool("ha_run_script", entity_id="script.lights"))

    [told] = [entity for entity in data["entities"] if entity["entity_id"] == HALL]
    assert (told["before"], told["after"]) == ("off", "on")
    undone = whole(await call_tool("ha_undo_change", change_id=data["change_id"]))
    assert undone["outcome"] == "done"
    assert state_of(hass, HALL) == "off"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"brigthness": 3}, ["brigthness"]),
        ({"brightness": "very"}, ["brightness"]),
        ({"brightness": 3, "brightness_pct": 3}, ["light.turn_on"]),
        ({"rgb_color": [1]}, ["rgb_color"]),
        ({"brightness": None}, ["brightness"]),
    ],
    ids=repr,
)
async def test_what_a_service_does_not_accept(
    hass: HomeAssistant, call_tool: CallTool, data: dict[str, Any], words: list[str]
) -> None:
    """Is refused before it is called, and also when it is tried out; the field is named."""
    for extra in ({}, {"dry_run": True}):
        answer = await call_tool("ha_call_service", **ON, data=data, **extra)
        refused(answer, "invalid_arguments", *words)


async def test_templates_are_not_rendered(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Data goes to the service as it was sent."""
    calls = async_mock_service(hass, "notify", "phone")

    await call_tool(
        "ha_call_service",
        service="notify.phone",
        data={"message": "{{ states('lock.front') }}"},
    )

    assert calls[0].data["message"] == "{{ states('lock.front') }}"


async def test_the_call_carries_the_user(
    hass: HomeAssistant, call_tool: CallTool, caller: Caller
) -> None:
    """A context without a user would have every right."""
    calls = async_mock_service(hass, "notify", "phone")

    await call_tool(
        "ha_call_service", service="notify.phone", data={"message": "hello"}
    )

    assert calls[0].context.user_id == caller.user.id


async def test_the_bridge_ends_while_something_runs(
    hass: HomeAssistant, call_tool: CallTool, bridge: Bridge
) -> None:
    """What was begun gets on record before that."""
    lamp = Lamp("slow")
    lamp.let_go.clear()
    await add_entities(hass, "light", [lamp])
    call = asyncio.ensure_future(
        call_tool("ha_call_service", service="light.turn_on", target="light.slow")
    )
    while not lamp.calls:
        await asyncio.sleep(0)
    stop = hass.async_create_task(bridge.async_stop())
    await asyncio.sleep(0.01)
    lamp.let_go.set()

    await asyncio.gather(stop, call)

    assert [record["outcome"] for record in bridge.audit.records] == ["ok"]
    assert len(list(bridge.journal)) == 1
