"""What calls cost in a house of 5,000 entities: through the registry, and over HTTP beside Home Assistant's own REST.

Run with: pytest tests/benchmarks --benchmark-columns=median,min,max
"""

import asyncio
from collections.abc import Callable, Coroutine
import json
from typing import Any

from aiohttp.test_utils import TestClient
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT
from custom_components.mcp_bridge.models import Caller
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
from tests.clients import modern_request, open_session, request

ENTITIES = 5_000
ROOMS = ("Kitchen", "Living room", "Bedroom", "Office", "Hallway", "Garage", "Garden")
THINGS = ("ceiling light", "temperature", "humidity", "window", "motion", "plug")
ENTITY = "light.device_2500"

type Run = Callable[[Callable[[], Coroutine[Any, Any, Any]]], None]


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> None:
    """Fill a house with registered entities in areas."""
    assert await async_setup_component(hass, "api", {})
    areas = ar.async_get(hass)
    registry = er.async_get(hass)
    ids = [areas.async_create(room).id for room in ROOMS]
    for number in range(ENTITIES):
        name = f"{ROOMS[number % 7]} {THINGS[number % 6]} {number}"
        entry = registry.async_get_or_create(
            "light",
            "test",
            str(number),
            object_id_base=f"device_{number}",
            suggested_object_id=f"device_{number}",
            original_name=name,
        )
        registry.async_update_entity(
            entry.entity_id, area_id=ids[number % 7], name=name
        )
        hass.states.async_set(
            entry.entity_id, "on", {"friendly_name": name, "brightness": number % 255}
        )


@pytest.fixture(name="run")
def fixture_run(hass: HomeAssistant, benchmark: BenchmarkFixture) -> Run:
    """Return a function that measures one asynchronous call."""

    def run(call: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        benchmark(lambda: hass.loop.run_until_complete(call()))

    return run


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ha_search_entities", {"query": "kitchen ceiling"}),
        ("ha_search_entities", {"query": "kitchn celing 2500"}),
        ("ha_get_entity", {"entity_id": ENTITY}),
        ("ha_list_entities", {"area": "Kitchen", "limit": 50}),
        ("ha_list_entities", {}),
        ("ha_list_areas", {}),
        ("ha_get_overview", {}),
    ],
)
def test_tool(
    run: Run, bridge: Bridge, caller: Caller, name: str, arguments: dict[str, Any]
) -> None:
    """A call through the registry, without HTTP."""
    run(lambda: bridge.registry.call(name, arguments, caller))


def test_http_floor_rest_state(run: Run, http: TestClient[Any, Any]) -> None:
    """Home Assistant's own REST read of one state: what the round trips below compare with."""
    run(lambda: _get(http, f"/api/states/{ENTITY}"))


@pytest.mark.parametrize("era", ["modern", "session", "stateless"])
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "ha_get_entity", "arguments": {"entity_id": ENTITY}}),
        (
            "tools/call",
            {"name": "ha_search_entities", "arguments": {"query": "kitchen ceiling"}},
        ),
        ("tools/list", {}),
    ],
    ids=["get_entity", "search", "tools_list"],
)
def test_http(
    run: Run,
    http: TestClient[Any, Any],
    era: str,
    method: str,
    params: dict[str, Any],
) -> None:
    """A whole round trip."""
    message, headers = (
        modern_request(method, params)
        if era == "modern"
        else (request(method, params), {})
    )
    if era == "session":
        headers = {
            "Mcp-Session-Id": asyncio.get_event_loop().run_until_complete(
                open_session(http)
            )
        }
    body = json.dumps(message).encode()
    headers["Content-Type"] = "application/json"
    run(lambda: _post(http, body, headers))


async def _get(http: TestClient[Any, Any], path: str) -> None:
    async with http.get(path) as response:
        assert response.status == 200
        await response.read()


async def _post(
    http: TestClient[Any, Any], body: bytes, headers: dict[str, str]
) -> None:
    async with http.post(ENDPOINT, data=body, headers=headers) as response:
        assert response.status == 200
        await response.read()
