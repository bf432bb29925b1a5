"""The form of the options that says what needs a person to agree, and what is never done."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_mock_service,
)

from custom_components.mcp_bridge.access.options import Approval
from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData

from .assistants import open_form, save, shown_in
from .test_translations import error_texts


async def test_services_and_domains_are_stored_as_they_are_matched(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """In lower case, without blanks; a domain alone stands for all its services; limits are whole numbers."""
    await save(
        hass,
        config_entry,
        "confirmation",
        confirm_domains=[" Cover ", "alarm_*", ""],
        service_denylist=["Light.Turn_On", "backup", "*.reload", "script*", " "],
        writes_per_minute=12.0,
    )
    options = bridge.access.options
    assert config_entry.options["confirm_domains"] == ["cover", "alarm_*"]
    assert config_entry.options["service_denylist"] == [
        "light.turn_on",
        "backup.*",
        "*.reload",
        "script*",
    ]
    assert type(config_entry.options["writes_per_minute"]) is int
    assert options.write_limit == 12
    assert options.confirms("cover")
    assert not options.confirms("lock")
    assert options.denies_service("backup.create")
    assert not options.denies_service("homeassistant.restart")


async def test_lists_can_be_emptied(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """That is something else than leaving them as they are; and back again."""
    result = await open_form(hass, config_entry, "confirmation")
    typed = shown_in(result)
    assert typed.pop("confirm_domains") == ["alarm_control_panel", "lock"]
    assert "backup.*" in typed.pop("service_denylist")
    await hass.config_entries.options.async_configure(result["flow_id"], typed)
    assert config_entry.options["confirm_domains"] == []
    assert not bridge.access.options.confirms("lock")
    assert not bridge.access.options.denies_service("backup.create")


@pytest.mark.parametrize(
    ("typed", "errors", "named"),
    [
        (
            {"confirm_domains": ["lock", "lock.door"]},
            {"confirm_domains": "invalid_domain"},
            "lock.door",
        ),
        ({"confirm_domains": ["a b"]}, {"confirm_domains": "invalid_domain"}, "a b"),
        (
            {"service_denylist": ["light.turn on", "x.*"]},
            {"service_denylist": "invalid_service"},
            "light.turn on",
        ),
        (
            {"service_denylist": ["a.b.c"]},
            {"service_denylist": "invalid_service"},
            "a.b.c",
        ),
        (
            {"approval": "phone"},
            {
                "approval_phone": "phone_missing",
                "approvers": "approvers_missing",
            },
            "",
        ),
        (
            {"approval": "phone", "approval_phone": "mobile_app_fairphone"},
            {"approvers": "approvers_missing"},
            "",
        ),
    ],
)
async def test_mistakes_in_the_confirmation(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    bridge: Bridge,
    *,
    typed: dict[str, Any],
    errors: dict[str, str],
    named: str,
) -> None:
    """The form comes back with what was typed, and nothing is stored."""
    async_mock_service(hass, "notify", "mobile_app_fairphone")
    result = await save(hass, config_entry, "confirmation", **typed)
    assert result["type"] is FlowResultType.FORM
    assert result["errors"] == errors
    assert error_texts("options") >= set(errors.values())
    assert result["description_placeholders"] == {"patterns": named}
    assert shown_in(result).items() >= typed.items()
    assert config_entry.options == {}


async def test_confirmation_on_a_phone(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """A phone with the app, and administrators who may answer; gone again with another way."""
    async_mock_service(hass, "notify", "mobile_app_fairphone")
    async_mock_service(hass, "notify", "telegram")
    owner = await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    child = await hass.auth.async_create_user("Child", group_ids=[GROUP_ID_USER])
    chosen = {
        "approval": "phone",
        "approval_phone": "mobile_app_fairphone",
        "approvers": [owner.id],
    }
    await save(hass, config_entry, "confirmation", **chosen)
    options = bridge.access.options
    assert options.approval is Approval.PHONE
    assert options.approval_phone == "mobile_app_fairphone"
    assert options.approvers == {owner.id}
    for wrong in ({"approvers": [child.id]}, {"approval_phone": "telegram"}):
        with pytest.raises(InvalidData):
            await save(hass, config_entry, "confirmation", **wrong)
    hass.services.async_remove("notify", "mobile_app_fairphone")
    result = await save(hass, config_entry, "confirmation", writes_per_minute=5)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert bridge.access.options.approval_phone == "mobile_app_fairphone"
    await save(hass, config_entry, "confirmation", approval="token")
    assert not {"approval_phone", "approvers"} & config_entry.options.keys()
