"""Set-up, reload and unload."""

import asyncio
import gc
import logging
from typing import Any

from aiohttp.test_utils import TestClient
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT
from custom_components.mcp_bridge.models import Caller
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .clients import CALL, open_session


async def test_unload_leaves_nothing_behind(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    """No listener, no task: all is as before the set-up, also after a reload."""
    assert await async_setup_component(hass, "homeassistant", {})
    config_entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    # Once, for what Home Assistant itself sets up for an integration and keeps: the event platform, its registries.
    assert await hass.config_entries.async_unload(config_entry.entry_id)
    await hass.async_block_till_done()
    listeners, tasks = hass.bus.async_listeners(), _tasks()
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    assert hass.bus.async_listeners() != listeners
    assert await hass.config_entries.async_reload(config_entry.entry_id)
    assert await hass.config_entries.async_unload(config_entry.entry_id)
    await hass.async_block_till_done()
    assert hass.bus.async_listeners() == listeners
    assert _tasks() == tasks
    assert config_entry.state is ConfigEntryState.NOT_LOADED


async def test_unload_frees_the_bridge(
    hass: HomeAssistant, http: TestClient[Any, Any], config_entry: MockConfigEntry
) -> None:
    """Nothing holds the catalogue of a bridge that has ended, not even a session that was open."""
    session_id = await open_session(http)
    stream = await http.get(
        ENDPOINT, headers={"Mcp-Session-Id": session_id, "Accept": "text/event-stream"}
    )
    assert await hass.config_entries.async_unload(config_entry.entry_id)
    async with asyncio.timeout(5):
        assert await stream.content.read() == b""
    await hass.async_block_till_done()


async def test_reload_forgets_sessions_and_serves_on(
    hass: HomeAssistant, http: TestClient[Any, Any], config_entry: MockConfigEntry
) -> None:
    """A client with a session from before is served all the same."""
    session_id = await open_session(http)
    assert await hass.config_entries.async_reload(config_entry.entry_id)
    response = await http.post(
        ENDPOINT, json=CALL, headers={"Mcp-Session-Id": session_id}
    )
    assert response.status == 200


async def test_home_assistant_stops_quickly_with_open_streams(
    hass: HomeAssistant, http: TestClient[Any, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The streams are ended before Home Assistant waits for anything, and the log stays clean."""
    session_id = await open_session(http)
    headers = {"Mcp-Session-Id": session_id, "Accept": "text/event-stream"}
    stream = await http.get(ENDPOINT, headers=headers)
    started = hass.loop.time()
    await hass.async_stop()
    assert await stream.content.read() == b""
    assert hass.loop.time() - started < 5
    assert [
        record for record in caplog.records if record.levelno >= logging.ERROR
    ] == []


async def test_the_house_is_known_before_the_first_request(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    """What was there before the set-up is found at once."""
    hass.states.async_set("light.kitchen", "on")
    assert await async_setup_component(hass, "homeassistant", {})
    config_entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    bridge: Bridge = config_entry.runtime_data
    assert "light.kitchen" in bridge.catalog.records


def _tasks() -> set[str]:
    gc.collect()
    return {task.get_name() for task in asyncio.all_tasks()}


async def test_calls_that_run_are_answered_at_a_reload(
    hass: HomeAssistant,
    http: TestClient[Any, Any],
    config_entry: MockConfigEntry,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """None of them fails: each has its answer, or is told that the bridge is shutting down."""
    session = {"Mcp-Session-Id": await open_session(http)}
    calls = [
        http.post(ENDPOINT, json={**CALL, "id": number}, headers=headers)
        for number in range(20)
        for headers in (session, {})
    ]
    running = asyncio.gather(*calls)
    await asyncio.sleep(0)
    assert await hass.config_entries.async_reload(config_entry.entry_id)
    assert {response.status for response in await running} <= {200, 404, 503}
    assert not [
        record
        for record in caplog.records
        if record.name.startswith(("mcp", "custom_components"))
        and record.levelno >= logging.WARNING
    ]


@pytest.mark.parametrize(
    "options",
    [
        {
            "filter_reads": True,
            "entity_denylist": {
                "patterns": ["light.vault", "lock.*"],
                "target": {"entity_id": ["light.vault"], "area_id": ["attic"]},
            },
        }
    ],
)
async def test_an_entity_that_is_picked_stays_picked_under_another_id(
    hass: HomeAssistant, bridge: Bridge, caller: Caller, config_entry: MockConfigEntry
) -> None:
    """What is closed does not open because it is renamed."""
    registry = er.async_get(hass)
    registry.async_get_or_create("light", "test", "1", suggested_object_id="vault")
    assert bridge.access.view(caller).find("light.vault") is None
    registry.async_update_entity("light.vault", new_entity_id="light.safe")
    assert bridge.access.view(caller).find("light.safe") is None
    await hass.async_block_till_done()
    assert config_entry.options["entity_denylist"] == {
        "patterns": ["light.vault", "light.safe", "lock.*"],
        "target": {"entity_id": ["light.vault", "light.safe"], "area_id": ["attic"]},
    }
    assert bridge.access.view(caller).find("light.safe") is None


async def test_a_set_up_that_fails_leaves_nothing_behind(
    hass: HomeAssistant, config_entry: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever had started is stopped, so that a second try starts from nothing."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "mcp_bridge", {})
    await hass.async_block_till_done()
    listeners, tasks = hass.bus.async_listeners(), _tasks()

    def fail(self: StreamableHTTPSessionManager) -> None:
        raise RuntimeError("on purpose")

    config_entry.add_to_hass(hass)
    with monkeypatch.context() as patched:
        patched.setattr(StreamableHTTPSessionManager, "run", fail)
        async with asyncio.timeout(5):
            assert not await hass.config_entries.async_setup(config_entry.entry_id)
    assert hass.bus.async_listeners() == listeners
    assert _tasks() == tasks
