"""Diagnostics."""

import json
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.components.diagnostics import (
    get_diagnostics_for_config_entry,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.mcp_bridge.access.clients import hash_token
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .assistants import add_client, add_login


@pytest.mark.parametrize(
    "options",
    [
        {
            "filter_reads": True,
            "entity_denylist": {
                "patterns": ["*.secret_*"],
                "target": {"area_id": ["vault"]},
            },
        }
    ],
)
async def test_diagnostics_tell_of_the_bridge_and_nothing_of_the_house(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    socket_enabled: None,
) -> None:
    """Options without the lists, numbers, names of tools."""
    assert await async_setup_component(hass, "diagnostics", {})
    hass.states.async_set("light.private_room", "on", {"friendly_name": "Private room"})
    diagnostics: Any = await get_diagnostics_for_config_entry(
        hass, hass_client, config_entry
    )
    assert diagnostics["options"]["filter_reads"] is True
    assert diagnostics["catalog"]["entities"] >= 1
    assert diagnostics["catalog"]["in_step"] is True
    assert "ha_get_entity" in diagnostics["tools"]
    text = json.dumps(diagnostics).lower()
    assert not [word for word in ("secret_", "vault", "private") if word in text]


async def test_diagnostics_tell_what_clients_may_do_and_not_who_they_are(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    socket_enabled: None,
) -> None:
    """Neither names nor users, and nothing of a token."""
    assert await async_setup_component(hass, "diagnostics", {})
    user = await hass.auth.async_create_user("Zoe", group_ids=[GROUP_ID_ADMIN])
    options = {"approval_phone": "mobile_app_zoe", "approvers": [user.id]}
    hass.config_entries.async_update_entry(config_entry, options=options)
    denied = {"patterns": ["lock.zoe_*"]}
    client, token = await add_client(
        hass,
        config_entry,
        user,
        name="Claude of Zoe",
        allow_write=True,
        last_day="2100-01-01",
        entity_denylist=denied,
    )
    login = await add_login(hass, config_entry)
    bridge.last_used.async_touch(client)
    diagnostics: Any = await get_diagnostics_for_config_entry(
        hass, hass_client, config_entry
    )
    with_token, with_login = diagnostics["clients"]
    assert with_token.pop("last_used").startswith("20")
    assert with_token.pop("expires").startswith("2100-01-0")
    assert with_token == {
        "id": client,
        "kind": "token",
        "may": ["read", "write"],
        "may_elevate": False,
        "filter_reads": True,
        "has_lists": True,
        "toolsets": None,
    }
    assert with_login["id"] == login
    assert with_login["kind"] == "login"
    assert with_login["last_used"] is with_login["expires"] is None
    text = json.dumps(diagnostics)
    for secret in ("zoe", "Zoe", user.id, token, hash_token(token), "Claude"):
        assert secret not in text


async def test_attempts_are_told_without_what_they_were_about(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    *,
    caller: Caller,
    socket_enabled: None,
) -> None:
    """When, with which tool and service, and how it went."""
    assert await async_setup_component(hass, "diagnostics", {})
    bridge.access.async_set_options({"allow_write": True})
    hass.states.async_set("lock.vault", "locked")
    arguments = {"service": "homeassistant.stop", "data": {"entity_id": "lock.vault"}}
    await bridge.registry.call("ha_call_service", arguments, caller)

    diagnostics: Any = await get_diagnostics_for_config_entry(
        hass, hass_client, config_entry
    )

    [attempt] = diagnostics["attempts"]
    assert attempt["outcome"] == "refused:service_denylist"
    assert attempt["service"] == "homeassistant.stop"
    assert attempt["tool"] == "ha_call_service"
    assert "vault" not in json.dumps(diagnostics["attempts"])
    assert caller.user.id not in json.dumps(diagnostics["attempts"])
    assert diagnostics["changes_in_journal"] == 0
