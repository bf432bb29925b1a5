"""Waiting ends as soon as every entity has spoken, and never lasts longer than allowed."""

import asyncio
from collections.abc import Callable
import time

import pytest

from custom_components.mcp_bridge.house.waiting import StateChange, StateWatch
from homeassistant.const import STATE_OFF, STATE_ON, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant

LAMP = "light.lamp"
FAN = "fan.fan"
LONG = 30.0


async def seconds_to_settle(watch: StateWatch, timeout: float = LONG) -> float:
    """Return how long the watch waited."""
    started = time.monotonic()
    await watch.settle(timeout)
    return time.monotonic() - started


async def test_ends_when_all_have_changed(hass: HomeAssistant) -> None:
    """The states before and after are told, in the order of the entities."""
    for entity_id in (LAMP, FAN):
        hass.states.async_set(entity_id, STATE_OFF)

    with StateWatch(hass, [LAMP, FAN, LAMP]) as watch:
        hass.loop.call_later(0.01, hass.states.async_set, FAN, STATE_ON)
        hass.loop.call_later(0.02, hass.states.async_set, LAMP, STATE_ON)
        assert await seconds_to_settle(watch) < 5

    told = [
        (change.entity_id, change.before and change.before.state, change.after)
        for change in watch.changes()
    ]
    assert told == [
        (LAMP, STATE_OFF, hass.states.get(LAMP)),
        (FAN, STATE_OFF, hass.states.get(FAN)),
    ]


async def test_report_of_the_same_state_is_enough(hass: HomeAssistant) -> None:
    """A lamp that was on already is turned on: it reports, but nothing changes."""
    hass.states.async_set(LAMP, STATE_ON)

    with StateWatch(hass, [LAMP]) as watch:
        hass.states.async_set(LAMP, STATE_ON)
        assert await seconds_to_settle(watch) < 5

    ((_entity_id, before, after),) = watch.changes()
    assert before is after


async def test_change_of_an_attribute_is_enough(hass: HomeAssistant) -> None:
    """Brightness is an attribute."""
    hass.states.async_set(LAMP, STATE_ON, {"brightness": 1})

    with StateWatch(hass, [LAMP]) as watch:
        hass.states.async_set(LAMP, STATE_ON, {"brightness": 2})
        assert await seconds_to_settle(watch) < 5


async def test_removed_entity_has_spoken(hass: HomeAssistant) -> None:
    """Its last change is that it goes."""
    hass.states.async_set(LAMP, STATE_ON)

    with StateWatch(hass, [LAMP]) as watch:
        hass.states.async_remove(LAMP)
        assert await seconds_to_settle(watch) < 5

    assert watch.changes()[0].after is None


async def test_silent_entity_is_waited_for_no_longer_than_allowed(
    hass: HomeAssistant,
) -> None:
    """One that speaks does not end the wait for one that does not."""
    for entity_id in (LAMP, FAN):
        hass.states.async_set(entity_id, STATE_OFF)

    with StateWatch(hass, [LAMP, FAN]) as watch:
        hass.states.async_set(LAMP, STATE_ON)
        assert 0.05 <= await seconds_to_settle(watch, 0.05) < 5

    assert [change.before is change.after for change in watch.changes()] == [
        False,
        True,
    ]


@pytest.mark.parametrize("timeout", [0, -1])
async def test_no_time_to_wait(hass: HomeAssistant, timeout: float) -> None:
    """Then it just looks."""
    hass.states.async_set(LAMP, STATE_OFF)

    with StateWatch(hass, [LAMP]) as watch:
        assert await seconds_to_settle(watch, timeout) < 1


@pytest.mark.parametrize(
    ("entity_id", "state"),
    [
        ("scene.evening", STATE_UNKNOWN),
        ("button.restart", STATE_UNKNOWN),
        ("input_button.go", STATE_UNKNOWN),
        ("event.doorbell", STATE_UNKNOWN),
        ("notify.phone", STATE_UNKNOWN),
        ("light.unavailable", STATE_UNAVAILABLE),
        ("light.missing", None),
    ],
)
async def test_not_waited_for(
    hass: HomeAssistant, entity_id: str, state: str | None
) -> None:
    """There is nothing that such an entity would tell; it is listed all the same."""
    if state is not None:
        hass.states.async_set(entity_id, state)

    with StateWatch(hass, [entity_id]) as watch:
        assert await seconds_to_settle(watch) < 1

    current = hass.states.get(entity_id)
    assert watch.changes() == [StateChange(entity_id, current, current)]


async def test_nothing_to_watch(hass: HomeAssistant) -> None:
    """No entities, no wait."""
    with StateWatch(hass, []) as watch:
        assert await seconds_to_settle(watch) < 1

    assert watch.changes() == []


async def test_thousand_entities(hass: HomeAssistant) -> None:
    """A whole house can be watched without holding the others up."""
    entity_ids = [f"light.lamp_{number}" for number in range(1000)]
    for entity_id in entity_ids:
        hass.states.async_set(entity_id, STATE_OFF)
    started = time.process_time()

    with StateWatch(hass, entity_ids) as watch:
        for entity_id in entity_ids:
            hass.states.async_set(entity_id, STATE_ON)
        assert await seconds_to_settle(watch) < 5

    assert time.process_time() - started < 1
    assert all(
        change.after.state == STATE_ON for change in watch.changes() if change.after
    )


async def test_what_happened_before_does_not_count(hass: HomeAssistant) -> None:
    """The watch begins when it is entered."""
    hass.states.async_set(LAMP, STATE_OFF)
    watch = StateWatch(hass, [LAMP])
    hass.states.async_set(LAMP, STATE_ON)

    with watch:
        assert await seconds_to_settle(watch, 0.02) >= 0.02

    assert watch.changes()[0].before is hass.states.get(LAMP)


@pytest.mark.parametrize("ending", [RuntimeError, asyncio.CancelledError, None])
async def test_always_stops_following(
    hass: HomeAssistant, ending: Callable[[], BaseException] | None
) -> None:
    """However it ends, no listener stays."""
    hass.states.async_set(LAMP, STATE_OFF)
    listeners = dict(hass.bus.async_listeners())

    def work() -> None:
        with StateWatch(hass, [LAMP]):
            assert hass.bus.async_listeners() != listeners
            if ending is not None:
                raise ending()

    if ending is None:
        work()
    else:
        with pytest.raises((RuntimeError, asyncio.CancelledError)):
            work()

    assert hass.bus.async_listeners() == listeners
