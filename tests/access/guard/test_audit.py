"""Every attempt is on record, in every outcome, with secrets kept out."""

import json
import logging
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import async_capture_events

from custom_components.mcp_bridge.access.audit import EVENT_ACTIVITY, EVENT_AUDIT
from custom_components.mcp_bridge.access.refusals import Rule
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.errors import ErrorCode
from custom_components.mcp_bridge.logbook import async_describe_events
from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers import translation
from tests.conftest import CallTool
from tests.tools.checks import refused

from .acting_house import FRONT, HALL
from .people import administrator, as_client, call_as

ON: dict[str, Any] = {"service": "light.turn_on", "target": {"entity_id": HALL}}
UNLOCK: dict[str, Any] = {"service": "lock.unlock", "target": {"entity_id": FRONT}}
ENTITY = "event.mcp_bridge_assistant_activity"

ATTEMPTS: dict[str, tuple[str, dict[str, Any]]] = {
    "ok": ("ha_call_service", ON),
    "dry_run": ("ha_call_service", {**ON, "dry_run": True}),
    "confirm_requested": ("ha_call_service", UNLOCK),
    "refused:service_denylist": ("ha_call_service", {"service": "homeassistant.stop"}),
    "refused:missing_target": (
        "ha_call_service",
        {**ON, "target": {"entity_id": "light.x"}},
    ),
    "refused:invalid_arguments": ("ha_call_service", {"servce": "…"}),
    "refused:not_found": ("ha_run_script", {"entity_id": "script.nope"}),
}


# What the entity makes of an outcome: slips are of another sort than what is forbidden.
KINDS = {
    "refused:service_denylist": "refused",
    "refused:missing_target": "mistake",
    "refused:invalid_arguments": "mistake",
    "refused:not_found": "mistake",
}


@pytest.mark.parametrize("outcome", ATTEMPTS)
async def test_every_outcome_is_told_everywhere(
    hass: HomeAssistant, bridge: Bridge, caplog: pytest.LogCaptureFixture, outcome: str
) -> None:
    """In the log, on the bus, in the entity and in the ring; with who, what and how."""
    caplog.set_level(logging.INFO)
    caller = as_client(
        bridge, await administrator(hass), kinds=bridge.access.options.kinds
    )
    heard = async_capture_events(hass, EVENT_AUDIT)
    name, arguments = ATTEMPTS[outcome]

    await call_as(bridge, caller)(name, **arguments)
    await hass.async_block_till_done()

    [record] = bridge.audit.records
    assert record["outcome"] == outcome
    assert record["client"] == "Kitchen tablet"
    assert record["user_id"] == caller.user.id
    assert record["tool"] == name
    assert json.loads(json.dumps(record["arguments"])) == {
        key: value if key != "target" else {"entity_id": [value["entity_id"]]}
        for key, value in arguments.items()
        if key != "dry_run"
    }
    [event] = heard
    assert event.data["outcome"] == outcome
    assert event.context.user_id == caller.user.id
    assert "arguments" not in event.data
    state = hass.states.get(ENTITY)
    assert state is not None
    assert state.attributes["event_type"] == KINDS.get(outcome, outcome)
    assert state.attributes["client"] == "Kitchen tablet"
    logged = [rec for rec in caplog.records if rec.name.endswith(".audit")]
    assert [json.loads(rec.getMessage())["outcome"] for rec in logged] == [outcome]


async def test_reads_are_not_on_record(call_tool: CallTool, bridge: Bridge) -> None:
    """There are too many of them, and they change nothing."""
    await call_tool("ha_get_entity", entity_id=HALL)
    await call_tool("ha_list_changes")

    assert not list(bridge.audit.records)


async def test_the_change_carries_the_context_that_was_announced(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """So the Activity names the assistant as the cause."""
    announced = async_capture_events(hass, EVENT_ACTIVITY)

    await call_tool("ha_call_service", **ON)

    [event] = announced
    assert event.data["outcome"] == "started"
    assert event.data["entity_id"] == [HALL]
    changed = hass.states.get("input_boolean.hall")
    assert changed is not None
    assert event.context.id in (changed.context.id, changed.context.parent_id)


SECRETS = {
    "code": "4711xyz",
    "pin": "4711xyz",
    "Password": "4711xyz",
    "api_key": "4711xyz",
    "access_token": "4711xyz",
    "nested": {"client_secret": "4711xyz", "list": [{"auth": "4711xyz"}]},
    "header": "Bearer 4711xyzabcdefgh",
    "text": "my token is mcpb_4711xyzabcdefgh",
    "json": '{"code": "4711"}',
    "command": "open --code=4711 now",
    "address": "https://user:4711@example.com/?key=4711&a=b",
    "pwd": "4711",
    "psk": "4711",
    "kennwort": "4711",
    "mot_de_passe": "4711",
    "login": "Authorization: Basic 4711xyzabc",
}


@pytest.mark.parametrize("dry_run", [True, False])
async def test_secrets_are_kept_out(
    hass: HomeAssistant,
    call_tool: CallTool,
    bridge: Bridge,
    caplog: pytest.LogCaptureFixture,
    dry_run: bool,
) -> None:
    """Out of the log, the bus, the entity, the ring and the journal."""
    caplog.set_level(logging.INFO, "custom_components.mcp_bridge")
    heard = [
        *async_capture_events(hass, EVENT_AUDIT),
        *async_capture_events(hass, EVENT_ACTIVITY),
    ]

    answer = await call_tool(
        "ha_call_service",
        service="script.lights",
        data={**SECRETS, "note": "kept"},
        dry_run=dry_run,
    )
    await hass.async_block_till_done()

    assert not answer.is_error, answer.text
    kept = [str(bridge.audit.records), caplog.text, str(hass.states.get(ENTITY))]
    kept += [str(event.data) for event in heard] + [str(list(bridge.journal))]
    assert not [text for text in kept if "4711" in text]
    assert "kept" in kept[0]
    assert "4711" not in answer.text


async def speak(hass: HomeAssistant, language: str) -> None:
    """Let Home Assistant speak a language."""
    translation.async_setup(hass)
    await hass.config.async_update(language=language)
    await hass.async_block_till_done()


def described(hass: HomeAssistant, **data: Any) -> dict[str, Any]:
    """Return the line of the Activity for an event."""
    describers: list[Any] = []
    async_describe_events(
        hass, lambda domain, event_type, describe: describers.append(describe)
    )
    line: dict[str, Any] = describers[0](Event(EVENT_ACTIVITY, data))
    return line


@pytest.mark.parametrize(
    ("language", "outcome", "message"),
    [
        ("en", "started", "does: light.turn_on: Hall light"),
        ("fr", "started", "exécute : light.turn_on: Hall light"),
        (
            "en",
            "refused:entity_lists",
            "was not allowed to: light.turn_on: Hall light (the entity is denied)",
        ),
        (
            "fr",
            "refused:entity_lists",
            "n'a pas été autorisé à : light.turn_on: Hall light (entité interdite)",
        ),
        ("de", "started", "does: light.turn_on: Hall light"),
    ],
)
async def test_the_activity_in_words(
    hass: HomeAssistant, bridge: Bridge, language: str, outcome: str, message: str
) -> None:
    """In the language of the house, or in English."""
    await speak(hass, language)

    line = described(
        hass,
        client="Claude",
        summary="light.turn_on: Hall light",
        outcome=outcome,
        entity_id=[HALL],
    )

    assert line["name"] == "MCP Bridge (Claude)"
    assert line["message"] == message
    assert "entity_id" not in line


@pytest.mark.parametrize("data", [{}, {"outcome": 7, "entity_id": "", "client": None}])
async def test_an_event_that_somebody_else_fired(
    hass: HomeAssistant, bridge: Bridge, data: dict[str, Any]
) -> None:
    """Must not break the Activity."""
    assert described(hass, **data)["name"].startswith("MCP Bridge")


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_every_rule_and_code_has_words(
    hass: HomeAssistant, bridge: Bridge, language: str
) -> None:
    """In both languages."""
    await speak(hass, language)

    for rule in (*Rule, *ErrorCode):
        message = described(hass, outcome=f"refused:{rule}", summary="x")["message"]
        assert "rule_" not in message
        assert "activity_" not in message


HUGE: dict[str, Any] = {
    "wide": {f"key{number}": "x" * 480 for number in range(5_000)},
    "deep": {"a": [{"b": {"c": ["x" * 5_000] * 50}}] * 50},
    "long": "x" * 90_000,
    "many": ["light.x"] * 500,
}


@pytest.mark.parametrize("kind", HUGE)
async def test_a_record_has_a_size(
    call_tool: CallTool, bridge: Bridge, kind: str
) -> None:
    """Whatever was sent, right or wrong: the ring is as large as its records."""
    await call_tool(
        "ha_call_service", service="script.lights", data={"x": HUGE[kind]}, dry_run=True
    )
    await call_tool("ha_call_service", nonsense=HUGE[kind])
    await call_tool("ha_call_service", **{"x" * 50_000: 1})

    assert len(bridge.audit.records) == 3  # type: ignore[arg-type]
    for record in bridge.audit.records:
        assert len(json.dumps(record)) < 12_000


@pytest.mark.parametrize("options", [{"allow_write": True, "writes_per_minute": 2}])
async def test_who_tries_without_end_does_not_fill_the_record(
    call_tool: CallTool, bridge: Bridge
) -> None:
    """Refused attempts have a limit of their own."""
    for _ in range(50):
        answer = await call_tool("ha_call_service", service="homeassistant.stop")

    refused(answer, "rate_limited", "attempts")
    assert len(bridge.audit.records) == 20  # type: ignore[arg-type]


async def test_an_invalid_call_is_recorded_by_the_names_of_its_arguments(
    call_tool: CallTool, bridge: Bridge
) -> None:
    """Nobody knows yet what is in them."""
    await call_tool(
        "ha_call_service", service="lock.unlock", data='{"code": "987654"}', nonsense=1
    )

    [record] = bridge.audit.records
    assert "987654" not in str(record)
    assert set(record["arguments"]) == {"service", "data", "nonsense"}
