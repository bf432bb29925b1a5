"""How the catalogue works in the background: in slices, soon, and not at all once it is stopped."""

from collections.abc import Iterator
from datetime import timedelta
from unittest.mock import MagicMock, patch

import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)

from custom_components.mcp_bridge.const import DOMAIN
from custom_components.mcp_bridge.house import catalog as catalog_module
from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.records import read_record
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.async_ import get_scheduled_timer_handles

from .building import Building, found

BURST = 1000
# One slice may not take longer than the event loop can spare: about 20 ms.
MOST_IN_ONE_GO = 250


@pytest.fixture(name="reads")
def fixture_reads() -> Iterator[MagicMock]:
    """Count the entities that are read; each is really read."""
    with patch.object(catalog_module, "read_record", wraps=read_record) as reads:
        yield reads


def listeners(hass: HomeAssistant) -> dict[str, int]:
    """Return how many listeners each event has, without the events that have none."""
    counts = hass.bus.async_listeners()
    return {str(event): number for event, number in counts.items() if number}


def timers(hass: HomeAssistant) -> int:
    """Return how many timers of the event loop are still to fire."""
    handles = get_scheduled_timer_handles(hass.loop)
    return sum(not handle.cancelled() for handle in handles)


def some_time_passes(hass: HomeAssistant) -> None:
    """Let the timers fire that are due within a second, but not those that they set in turn."""
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=1))


def full_area(building: Building) -> str:
    """Return an area with very many entities in it."""
    area = building.area("Attic")
    device = building.device("Hub", area)
    for number in range(BURST):
        building.entity(f"sensor.n{number}", f"Number {number}", device=device)
    return area


async def test_burst_is_right_when_read_at_once(
    building: Building, catalog: Catalog
) -> None:
    """Whoever asks right after the change gets the new names, not the old ones."""
    area = full_area(building)
    assert len(found(catalog, "attic")) == BURST

    building.areas.async_update(area, name="Studio")

    assert len(found(catalog, "studio")) == BURST
    assert found(catalog, "attic") == []


async def test_burst_is_worked_off_in_slices(
    hass: HomeAssistant, building: Building, catalog: Catalog, reads: MagicMock
) -> None:
    """With nobody asking, the event itself reads nothing, and each turn of the loop reads only some."""
    area = full_area(building)
    assert len(catalog.records) == BURST
    reads.reset_mock()

    building.areas.async_update(area, name="Studio")
    assert reads.call_count == 0

    done, most = 0, 0
    while reads.call_count < BURST:
        some_time_passes(hass)
        assert reads.call_count > done, "a turn of the loop did nothing"
        most = max(most, reads.call_count - done)
        done = reads.call_count

    assert most <= MOST_IN_ONE_GO
    assert len(found(catalog, "studio")) == BURST
    assert reads.call_count == BURST


async def test_asking_amid_a_burst_reads_the_rest(
    hass: HomeAssistant, building: Building, catalog: Catalog, reads: MagicMock
) -> None:
    """Half worked off in the background, half when asked: each entity is read once."""
    area = full_area(building)
    assert len(catalog.records) == BURST
    reads.reset_mock()

    building.areas.async_update(area, name="Studio")
    some_time_passes(hass)
    assert 0 < reads.call_count < BURST

    assert len(found(catalog, "studio")) == BURST
    some_time_passes(hass)
    assert reads.call_count == BURST


async def test_many_events_of_one_entity_are_one_read(
    building: Building, catalog: Catalog, reads: MagicMock
) -> None:
    """An entity is marked, not queued."""
    for number in range(50):
        building.state("sensor.x", f"Name {number}")

    assert catalog.records["sensor.x"].name == "Name 49"
    assert reads.call_count == 1


async def test_nothing_to_do_sets_no_timer(
    hass: HomeAssistant, building: Building, catalog: Catalog
) -> None:
    """Once all is read the catalogue does not wake up any more."""
    before = timers(hass)
    building.state("sensor.x")
    assert timers(hass) == before + 1

    some_time_passes(hass)

    assert timers(hass) == before


async def test_changes_during_the_start_are_not_lost(
    hass: HomeAssistant, building: Building
) -> None:
    """What changes while the house is read is read again."""
    for number in range(300):
        building.state(f"sensor.n{number}", "Before")
    catalog = Catalog(hass)
    start = hass.async_create_task(catalog.async_start(), eager_start=True)
    assert not start.done()

    building.state("sensor.n0", "Afterwards")
    building.state("sensor.fresh", "Fresh")
    hass.states.async_remove("sensor.n299")
    await start

    assert catalog.records["sensor.n0"].name == "Afterwards"
    assert catalog.records["sensor.fresh"].name == "Fresh"
    assert "sensor.n299" not in catalog.records
    catalog.async_stop()


async def test_stop_leaves_no_listener_and_no_timer(
    hass: HomeAssistant, building: Building
) -> None:
    """The end is complete, even with changes not read yet, and may be told twice."""
    before = (listeners(hass), timers(hass))
    catalog = Catalog(hass)
    await catalog.async_start()
    building.state("sensor.x")
    assert len(listeners(hass)) > 0
    assert (listeners(hass), timers(hass)) != before

    catalog.async_stop()
    catalog.async_stop()

    assert (listeners(hass), timers(hass)) == before
    building.state("sensor.y")
    assert timers(hass) == before[1]


async def test_unloaded_integration_leaves_no_listener_and_no_timer(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    """Set up and unloaded, twice over, the integration listens to nothing more than before."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, DOMAIN, {})
    config_entry.add_to_hass(hass)
    await hass.async_block_till_done()
    # What Home Assistant itself sets up for the first entry stays.
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    assert await hass.config_entries.async_unload(config_entry.entry_id)
    await hass.async_block_till_done()
    before = listeners(hass)

    for _ in range(2):
        assert await hass.config_entries.async_setup(config_entry.entry_id)
        await hass.async_block_till_done()
        while_loaded = listeners(hass)
        hass.states.async_set("sensor.x", "1")
        assert await hass.config_entries.async_unload(config_entry.entry_id)
        await hass.async_block_till_done()

        assert while_loaded != before
        assert listeners(hass) == before
