"""When each client was last let in: kept over a restart, written now and then."""

from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.mcp_bridge.access.last_used import LastUsed
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from tests.assistants import add_client, add_login, bearer, log_in
from tests.clients import CALL

KEY = "mcp_bridge.clients"


@pytest.fixture(name="owner")
async def fixture_owner(hass: HomeAssistant) -> User:
    """Return an administrator."""
    return await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])


async def test_every_admitted_request_counts(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    owner: User,
    *,
    hass_client_no_auth: ClientSessionGenerator,
    socket_enabled: None,
    freezer: FrozenDateTimeFactory,
) -> None:
    """With a token or a login; a refused one does not, nor one without a client."""
    http = await hass_client_no_auth()
    first, token = await add_client(hass, config_entry, owner)
    second = await add_login(hass, config_entry, name="Web")
    used = bridge.last_used
    assert used.of(first) is used.of(second) is None
    await http.post(ENDPOINT, json=CALL, headers=bearer(token))
    assert used.of(first) == dt_util.utcnow()
    freezer.tick(60)
    await http.post(ENDPOINT, json=CALL, headers=await log_in(hass, owner, "https://x"))
    assert used.of(second) is None
    await http.post(ENDPOINT, json=CALL, headers=await log_in(hass, owner))
    assert used.of(second) == dt_util.utcnow()
    assert used.of(first) == dt_util.utcnow() - timedelta(seconds=60)
    freezer.tick(60)
    await http.post(ENDPOINT, json=CALL, headers=bearer(f"{token}x"))
    assert used.of(first) == dt_util.utcnow() - timedelta(seconds=120)


@pytest.mark.parametrize("end", ["reload", "shutdown"])
async def test_it_is_written_at_the_end(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    owner: User,
    *,
    hass_storage: dict[str, Any],
    end: str,
) -> None:
    """Nothing is lost, and the next run knows it."""
    client, _ = await add_client(hass, config_entry, owner)
    bridge.last_used.async_touch(client)
    used = bridge.last_used.of(client)
    assert KEY not in hass_storage
    if end == "reload":
        assert await hass.config_entries.async_reload(config_entry.entry_id)
        assert config_entry.runtime_data is not bridge
        assert config_entry.runtime_data.last_used.of(client) == used
    else:
        await hass.async_stop()
    assert used is not None
    assert hass_storage[KEY]["data"] == {client: used.isoformat()}


async def test_it_is_written_once_a_minute_however_busy_a_client_is(
    hass: HomeAssistant,
    bridge: Bridge,
    hass_storage: dict[str, Any],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Neither at each request, nor put off by each."""
    used = bridge.last_used
    started = dt_util.utcnow()
    for _ in range(13):
        used.async_touch("x")
        freezer.tick(5)
        async_fire_time_changed(hass)
        await hass.async_block_till_done()
    assert hass_storage[KEY]["data"]["x"] > started.isoformat()
    written = hass_storage[KEY]["data"]["x"]
    used.async_touch("x")
    freezer.tick(5)
    async_fire_time_changed(hass)
    await hass.async_block_till_done()
    assert hass_storage[KEY]["data"]["x"] == written


async def test_a_client_that_is_gone_is_forgotten(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    owner: User,
    *,
    hass_storage: dict[str, Any],
) -> None:
    """At once, or at the next start; with the bridge, all of it goes."""
    gone, _ = await add_client(hass, config_entry, owner)
    kept, _ = await add_client(hass, config_entry, owner, name="Kept")
    bridge.last_used.async_touch(gone)
    bridge.last_used.async_touch(kept)
    hass.config_entries.async_remove_subentry(config_entry, gone)
    assert bridge.last_used.of(gone) is None
    await hass.config_entries.async_unload(config_entry.entry_id)
    assert list(hass_storage[KEY]["data"]) == [kept]
    hass.config_entries.async_remove_subentry(config_entry, kept)
    await hass.config_entries.async_setup(config_entry.entry_id)
    assert config_entry.runtime_data.last_used.of(kept) is None
    await hass.config_entries.async_remove(config_entry.entry_id)
    assert KEY not in hass_storage


async def test_what_cannot_be_read_is_left_out(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """A damaged file keeps nobody from starting."""
    data = {"a": "2026-11-01T10:00:00+00:00", "b": "yesterday"}
    hass_storage[KEY] = {"version": 1, "minor_version": 1, "key": KEY, "data": data}
    used = LastUsed(hass)
    await used.async_load()
    assert used.of("a") == dt_util.parse_datetime(data["a"])
    assert used.of("b") is None
