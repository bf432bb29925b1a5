"""Long work gives others their turn."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
import gc
from time import perf_counter, sleep
from typing import Any

import pytest

from custom_components.mcp_bridge.errors import InvalidArguments
from custom_components.mcp_bridge.house.call_data import MAX_IDS, MAX_TEXT
from custom_components.mcp_bridge.house.reach import reach_of
from custom_components.mcp_bridge.house.targets import resolve_targets
from custom_components.mcp_bridge.house.turns import (
    Work,
    at_once,
    in_turns,
    listed,
    only,
)
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.setup import async_setup_component

from .acting import Stage

# Seconds. Meant are 5 ms; the machine of a test may be busy with other things.
_LONGEST = 0.1


def long_work() -> Work[str]:
    """Work for 50 ms."""
    for _ in range(10):
        sleep(0.005)
        yield
    return "done"


@asynccontextmanager
async def stretch(label: str) -> AsyncIterator[None]:
    """Fail if anything within keeps the event loop for too long."""
    stretches: list[float] = []

    async def tick() -> None:
        last = perf_counter()
        while True:
            await asyncio.sleep(0)
            now = perf_counter()
            stretches.append(now - last)
            last = now

    gc.collect()
    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0)
    started = perf_counter()
    try:
        yield
        await asyncio.sleep(0)
        total = perf_counter() - started
    finally:
        ticking.cancel()
    longest = max(stretches)
    print(f"{label}: {total:.3f} s, at most {longest:.4f} at once")  # noqa: T201
    assert longest < _LONGEST, label


async def test_results() -> None:
    """The same, in whatever way the work is done."""
    assert await in_turns(long_work()) == at_once(long_work()) == "done"
    numbers = range(1_000)
    assert at_once(listed(numbers)) == list(numbers)
    assert at_once(only(numbers, lambda number: number > 990)) == list(range(991, 1000))
    assert len(list(only(numbers, lambda _number: False))) == 20


async def test_others_have_their_turn() -> None:
    """Every few milliseconds, but not after each little piece."""
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await in_turns(long_work())
    assert 5 <= turns <= 12
    before = turns
    await in_turns(only(range(5), bool))
    assert turns == before
    counting.cancel()


async def test_errors_are_raised() -> None:
    """As if there were no turns."""

    def failing() -> Work[None]:
        yield
        raise InvalidArguments("no")

    with pytest.raises(InvalidArguments):
        await in_turns(failing())
    with pytest.raises(InvalidArguments):
        at_once(failing())


type Calls = dict[str, Callable[[], Awaitable[Any]]]


@pytest.fixture(name="calls")
async def fixture_calls(hass: HomeAssistant) -> Calls:
    """Return calls of the largest kind in a house of 5,000 entities."""
    on = {"action": "light.turn_on", "target": {"entity_id": "light.l1"}}
    any_light = {"action": "light.turn_on", "target": {"entity_id": "{{ x }}"}}
    config: dict[str, Any] = {
        "homeassistant": {},
        "input_button": {"go": None},
        "script": {
            "any": {"sequence": [any_light]},
            "long": {"sequence": [on] * 1_500},
        },
        "automation": [
            {
                "alias": f"Auto {number}",
                "triggers": [
                    {"trigger": "state", "entity_id": "input_button.go"},
                    {"trigger": "template", "value_template": "{{ states.light.l1 }}"},
                ],
                "actions": [on],
            }
            for number in range(200)
        ],
    }
    for domain in config:
        assert await async_setup_component(hass, domain, config)
    stage = Stage(hass)
    ids = [f"light.l{number}" for number in range(5_000)]
    await stage.add(*ids)
    area = stage.building.area("Big")
    for entity_id in ids[:3_000]:
        stage.building.change(entity_id, area_id=area)
    stage.old_group("group.big", ids[:1_900])
    some = ids[:MAX_IDS]

    def targets(service: str, **data: Any) -> Callable[[], Awaitable[Any]]:
        return lambda: resolve_targets(hass, *split_entity_id(service), {}, data)

    def reach(service: str, *entity_ids: str) -> Callable[[], Awaitable[Any]]:
        return lambda: reach_of(hass, service, entity_ids)

    return {
        "area": targets("light.turn_on", area_id=area),
        "area, any service": targets("acme.touch", area_id=area),
        "all": targets("light.turn_on", entity_id="all"),
        "all with features": targets("light.dance", entity_id="all"),
        "ids": targets("light.turn_on", entity_id=some),
        "missing ids": targets("light.turn_on", entity_id=[f"{x}x" for x in some]),
        "other ids": targets("acme.touch", x=dict.fromkeys(some, "on")),
        "texts": targets("acme.touch", **{f"k{n}": f"a.b{n}" for n in range(9_000)}),
        "commas": targets("acme.touch", x="a.b," * 18_000),
        "long texts": targets("acme.touch", x=["/%2f" * (MAX_TEXT // 4)] * 20),
        "reach of ids": reach("light.turn_on", *ids),
        "reach of a group": reach("homeassistant.turn_on", "group.big"),
        "reach of any light": reach("script.turn_on", "script.any"),
        "reach of a long script": reach("script.turn_on", "script.long"),
        "reach of a button": reach("input_button.press", "input_button.go"),
    }


async def test_the_event_loop_is_not_held(hass: HomeAssistant, calls: Calls) -> None:
    """Whatever an assistant asks for; 5 ms are meant, and shown by `pytest -s`."""
    # Descriptions of services are loaded once.
    await resolve_targets(hass, "homeassistant", "turn_on", {}, {})
    hass.loop.set_debug(False)
    for label, call in calls.items():
        async with stretch(label):
            await call()
