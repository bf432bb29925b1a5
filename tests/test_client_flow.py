"""Client flow: adding a client, changing it, a new token; and what is stored of it."""

from datetime import datetime, timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.access.clients import hash_token
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import SUBENTRY_CLIENT
from custom_components.mcp_bridge.models import Caller, Kind
from custom_components.mcp_bridge.tools import toolsets
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import User
from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from .assistants import (
    add_client,
    add_login,
    change,
    day,
    filled,
    open_client_form,
    rotate,
    shown_in,
    submit,
)
from .readme import README
from .test_translations import error_texts

USUAL = {
    "allow_write": False,
    "allow_config_write": False,
    "allow_camera": False,
    "allow_raw_api": False,
    "allow_elevated": False,
    "filter_reads": True,
    "entity_allowlist": {},
    "entity_denylist": {},
}


@pytest.fixture(name="user")
async def fixture_user(hass: HomeAssistant) -> User:
    """Return an administrator."""
    return await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])


async def test_a_client_starts_with_nothing_but_reading(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """What is stored, and that it is in force as soon as the token is shown."""
    client, token = await add_client(hass, config_entry, user)
    subentry = config_entry.subentries[client]
    assert subentry.title == "Claude"
    assert subentry.subentry_type == SUBENTRY_CLIENT
    assert subentry.data == {
        **USUAL,
        "user_id": user.id,
        "token_hash": hash_token(token),
    }
    known = bridge.access.clients[client]
    assert known.kinds == {Kind.READ}
    assert known.name == "Claude"
    assert bridge.access.admits(Caller(user, known.credential, client))


async def test_every_field_is_stored(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """And read again by the bridge."""
    typed = {
        "allow_write": True,
        "allow_config_write": True,
        "allow_camera": True,
        "allow_raw_api": True,
        "allow_elevated": True,
        "filter_reads": False,
        "entity_allowlist": {"patterns": ["light.*"]},
        "entity_denylist": {"target": {"area_id": ["vault"]}},
        "toolsets": toolsets()[:1],
    }
    client, _ = await add_client(hass, config_entry, user, **typed)
    assert config_entry.subentries[client].data.items() >= typed.items()
    known = bridge.access.clients[client]
    assert known.kinds == set(Kind)
    assert known.may_elevate
    assert not known.filter_reads
    assert known.has_lists
    assert known.toolsets == frozenset(toolsets()[:1])


async def test_the_token_comes_with_lines_to_paste(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """The same ones as in the README, with the token and the address in them."""
    await hass.config.async_update(external_url="https://home.example.org")
    form = await open_client_form(hass, config_entry, "token")
    result = await submit(hass, form, **filled(user_id=user.id))
    assert result["description"] == "token"
    shown = dict(result["description_placeholders"] or {})
    token, address = shown.pop("token"), shown.pop("address")
    assert address == "https://home.example.org/api/mcp_bridge"
    readme = README.read_text()
    for line in shown.values():
        assert token in line
        assert address in line
        assert line.replace(token, "TOKEN").replace(address, "ADDRESS") in readme


async def test_a_client_that_logs_in(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """It has no token; the user is optional."""
    anybody = await add_login(hass, config_entry)
    assert config_entry.subentries[anybody].data == {
        **USUAL,
        "oauth_client_id": "https://claude.ai",
    }
    named = await add_login(hass, config_entry, user, name="Claude of the owner")
    assert config_entry.subentries[named].data["user_id"] == user.id


@pytest.mark.parametrize(
    ("form", "typed", "errors"),
    [
        ("token", {"name": " "}, {"name": "name_missing"}),
        ("token", {"name": " claude "}, {"name": "name_taken"}),
        ("token", {"last_day": "2020-01-01"}, {"last_day": "in_the_past"}),
        ("token", {"toolsets": []}, {"toolsets": "no_toolsets"}),
        (
            "token",
            {"entity_denylist": {"patterns": ["lock"]}},
            {"base": "invalid_pattern"},
        ),
        (
            "token",
            {"filter_reads": False, "entity_denylist": {"patterns": ["lock.*"]}},
            {"filter_reads": "lists_without_effect"},
        ),
        ("login", {"oauth_client_id": " "}, {"oauth_client_id": "client_id_missing"}),
        (
            "login",
            {"oauth_client_id": "https://Claude.ai/"},
            {"oauth_client_id": "login_taken"},
        ),
    ],
)
async def test_mistakes(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    user: User,
    *,
    form: str,
    typed: dict[str, Any],
    errors: dict[str, str],
) -> None:
    """The form comes back with what was typed, and nothing is stored."""
    await add_client(hass, config_entry, user)
    await add_login(hass, config_entry, name="Web")
    before = dict(config_entry.subentries)
    right = filled(name="New", oauth_client_id="https://other.example.org")
    if form == "token":
        right = filled(name="New", user_id=user.id)
    result = await open_client_form(hass, config_entry, form)
    result = await submit(hass, result, **{**right, **typed})
    assert result["type"] is FlowResultType.FORM
    assert result["step_id"] == form
    assert result["errors"] == errors
    assert error_texts("config_subentries.client") >= set(errors.values())
    assert shown_in(result).items() >= typed.items()
    assert dict(config_entry.subentries) == before
    result = await submit(hass, result, **right)
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_lists_without_effect_are_pointed_out_once(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """Who means it submits once more."""
    typed = filled(
        user_id=user.id,
        filter_reads=False,
        entity_denylist={"patterns": ["lock.*"]},
    )
    result = await open_client_form(hass, config_entry, "token")
    result = await submit(hass, result, **typed)
    assert result["type"] is FlowResultType.FORM
    result = await submit(hass, result, **typed)
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_only_people_who_can_log_in_are_to_choose(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """Neither Home Assistant's own users nor inactive ones, nor made-up ones."""
    system = await hass.auth.async_create_system_user("System")
    gone = await hass.auth.async_create_user("Gone", group_ids=[GROUP_ID_ADMIN])
    await hass.auth.async_update_user(gone, is_active=False)
    for wrong in (system.id, gone.id, "nobody"):
        result = await open_client_form(hass, config_entry, "token")
        with pytest.raises(InvalidData):
            await submit(hass, result, **filled(user_id=wrong))
    result = await open_client_form(hass, config_entry, "token")
    with pytest.raises(InvalidData):
        await submit(hass, result, **filled())


@pytest.mark.parametrize("zone", ["UTC", "Europe/Copenhagen", "Pacific/Auckland"])
async def test_the_last_day_counts_where_home_assistant_is(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    user: User,
    freezer: FrozenDateTimeFactory,
    *,
    zone: str,
) -> None:
    """To its end, also on days of another length; the form shows it again."""
    await hass.config.async_set_time_zone(zone)
    freezer.move_to("2026-10-01 12:00:00+00:00")
    client, _ = await add_client(hass, config_entry, user, last_day="2026-10-24")
    expires = config_entry.subentries[client].data["expires"]
    midnight = datetime(2026, 10, 25, tzinfo=dt_util.get_default_time_zone())
    assert expires == dt_util.as_utc(midnight).isoformat()
    assert bridge.access.clients[client].expires == midnight
    form = await open_client_form(hass, config_entry, "token", client)
    assert shown_in(form)["last_day"] == "2026-10-24"


async def test_a_day_in_the_far_future(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """The last one that there is."""
    client, _ = await add_client(hass, config_entry, user, last_day="9999-12-31")
    assert not bridge.access.clients[client].has_expired


async def test_today_is_not_over(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """Access for a day."""
    client, _ = await add_client(hass, config_entry, user, last_day=day(0))
    expires = bridge.access.clients[client].expires
    assert expires is not None
    assert expires - dt_util.utcnow() <= timedelta(hours=25)


async def test_changing_settings_keeps_the_token(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """The form shows what is stored; what is taken out of it is gone."""
    client, token = await add_client(
        hass,
        config_entry,
        user,
        allow_write=True,
        last_day=day(9),
        toolsets=toolsets()[:1],
        entity_denylist={"patterns": ["lock.*"]},
    )
    before = dict(config_entry.subentries[client].data)
    form = await open_client_form(hass, config_entry, "token", client)
    shown = shown_in(form)
    result = await submit(hass, form, **shown)
    assert result["reason"] == "reconfigure_successful"
    assert config_entry.subentries[client].data == before
    await change(hass, config_entry, client, name="Claude 2", user_id=user.id)
    subentry = config_entry.subentries[client]
    assert subentry.title == "Claude 2"
    assert subentry.data == {
        **USUAL,
        "user_id": user.id,
        "token_hash": hash_token(token),
    }
    assert bridge.access.clients[client].name == "Claude 2"


async def test_changing_a_login(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """It does not become a client with a token."""
    client = await add_login(hass, config_entry)
    form = await open_client_form(hass, config_entry, "login", client)
    await submit(hass, form, **{**shown_in(form), "allow_write": True})
    assert config_entry.subentries[client].data == {
        **USUAL,
        "allow_write": True,
        "oauth_client_id": "https://claude.ai",
    }
    menu = await hass.config_entries.subentries.async_init(
        (config_entry.entry_id, SUBENTRY_CLIENT),
        context={"source": SOURCE_RECONFIGURE, "subentry_id": client},
    )
    assert menu["menu_options"] == ["login"]


async def test_a_new_token(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """Everything else of the client stays; nothing changes before it is confirmed."""
    client, old = await add_client(hass, config_entry, user, allow_write=True)
    before = dict(config_entry.subentries[client].data)
    form = await open_client_form(hass, config_entry, "rotate", client)
    assert config_entry.subentries[client].data == before
    shown = await submit(hass, form)
    placeholders = shown["description_placeholders"]
    assert placeholders is not None
    assert placeholders["token"] != old
    assert placeholders["token"] in placeholders["claude_code"]
    assert config_entry.subentries[client].data == {
        **before,
        "token_hash": hash_token(placeholders["token"]),
    }
    done = await submit(hass, shown)
    assert done["type"] is FlowResultType.ABORT
    assert done["reason"] == "token_replaced"
    assert await rotate(hass, config_entry, client) != placeholders["token"]


async def test_the_menu_tells_when_a_client_was_last_used(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    user: User,
    freezer: FrozenDateTimeFactory,
) -> None:
    """In the time of the house; also while the bridge is not running."""
    await hass.config.async_set_time_zone("Europe/Copenhagen")
    client, _ = await add_client(hass, config_entry, user)

    async def told() -> str:
        menu = await hass.config_entries.subentries.async_init(
            (config_entry.entry_id, SUBENTRY_CLIENT),
            context={"source": SOURCE_RECONFIGURE, "subentry_id": client},
        )
        assert menu["menu_options"] == ["token", "rotate"]
        return (menu["description_placeholders"] or {})["last_used"]

    assert await told() == "–"
    freezer.move_to("2026-11-03 13:05:00+00:00")
    bridge.last_used.async_touch(client)
    assert await told() == "2026-11-03 14:05"
    await hass.config_entries.async_unload(config_entry.entry_id)
    assert await told() == "–"


async def test_a_client_is_added_while_the_bridge_is_not_running(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """It is in force when the bridge starts."""
    await hass.config_entries.async_unload(config_entry.entry_id)
    client, _ = await add_client(hass, config_entry, user)
    await hass.config_entries.async_setup(config_entry.entry_id)
    assert client in config_entry.runtime_data.access.clients


async def test_what_is_picked_stays_picked_under_another_id(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge, user: User
) -> None:
    """For clients as for the options, at once."""
    registry = er.async_get(hass)
    registry.async_get_or_create("light", "test", "1", suggested_object_id="vault")
    denied = {"target": {"entity_id": ["light.vault"]}}
    client, _ = await add_client(hass, config_entry, user, entity_denylist=denied)
    caller = Caller(user, bridge.access.clients[client].credential, client)
    assert bridge.access.view(caller).find("light.vault") is None
    registry.async_update_entity("light.vault", new_entity_id="light.safe")
    assert bridge.access.view(caller).find("light.safe") is None
    await hass.async_block_till_done()
    assert config_entry.subentries[client].data["entity_denylist"] == {
        "target": {"entity_id": ["light.vault", "light.safe"]}
    }
    assert bridge.access.view(caller).find("light.safe") is None
    assert bridge.access.view(Caller(user)).find("light.safe") is not None


async def test_the_first_question_is_how_a_client_is_known(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """By a token, or by its login."""
    menu = await hass.config_entries.subentries.async_init(
        (config_entry.entry_id, SUBENTRY_CLIENT), context={"source": SOURCE_USER}
    )
    assert menu["type"] is FlowResultType.MENU
    assert menu["menu_options"] == ["token", "login"]
