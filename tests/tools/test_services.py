"""Services: what can be called."""

from typing import Any

import pytest

from custom_components.mcp_bridge.house import services as services_module
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
)
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.service import async_set_service_schema
from homeassistant.helpers.translation import async_get_translations
from homeassistant.setup import async_setup_component
from tests.conftest import CallTool

from .checks import every_page, refused, whole

SCRIPTS = {
    "good_night": {"alias": "Good night", "sequence": []},
    "vault_open": {"alias": "Open the safe", "sequence": []},
}


@pytest.fixture(autouse=True)
async def services(hass: HomeAssistant, house: None) -> None:
    """Register services as integrations do."""
    register(
        hass,
        "brew",
        {
            "name": "Brew tea",
            "description": "Boils water. " + "And waits. " * 40,
            "target": {"entity": {"domain": "switch"}},
            "fields": {
                "minutes": {
                    "required": True,
                    "description": "How long. " * 30,
                    "example": 3,
                    "selector": {"number": {"min": 1, "max": 9}},
                },
                "advanced": {
                    "collapsed": True,
                    "fields": {"sugar": {"selector": {"boolean": {}}}},
                },
            },
        },
    )
    register(
        hass,
        "taste",
        {"description": "Tells what the tea is like."},
        SupportsResponse.ONLY,
    )
    assert await async_setup_component(hass, "script", {"script": SCRIPTS})
    await hass.async_block_till_done()


def register(
    hass: HomeAssistant,
    service: str,
    description: dict[str, Any],
    response: SupportsResponse = SupportsResponse.NONE,
) -> None:
    """Register a service of the kettle."""

    async def handle(call: ServiceCall) -> ServiceResponse:
        return None

    hass.services.async_register("kettle", service, handle, supports_response=response)
    async_set_service_schema(hass, "kettle", service, description)


async def services_of(call_tool: CallTool, domain: str) -> set[str]:
    """Return the names of the services of a domain."""
    services = await every_page(
        call_tool, "ha_list_services", "services", domain=domain
    )
    return {service["service"] for service in services}


async def test_without_arguments_the_domains_are_counted(call_tool: CallTool) -> None:
    """In order, with what to ask next."""
    data = whole(await call_tool("ha_list_services", limit=200))

    rows = {row["domain"]: row["services"] for row in data["domains"]}
    assert rows["kettle"] == 2
    assert rows["script"] == 4 + len(SCRIPTS)
    assert list(rows) == sorted(rows)
    assert data["note"]


async def test_a_domain_tells_its_services_with_their_fields(
    call_tool: CallTool,
) -> None:
    """Sections are opened, selectors told by their name, texts cut."""
    data = whole(await call_tool("ha_list_services", domain=" Kettle "))

    assert (data["domain"], data["total"]) == ("kettle", 2)
    brew, taste = data["services"]
    minutes, sugar = brew["fields"]
    assert brew["target"] is True
    assert "response" not in brew
    assert len(brew["description"]) <= 201
    assert brew["description"].endswith("…")
    assert (minutes["name"], minutes["required"], minutes["example"]) == (
        "minutes",
        True,
        3,
    )
    assert minutes["selector"] == "number"
    assert len(minutes["description"]) <= 151
    assert sugar == {"name": "sugar", "required": False, "selector": "boolean"}
    assert taste == {
        "service": "taste",
        "description": "Tells what the tea is like.",
        "fields": [],
        "response": "only",
    }


@pytest.mark.parametrize(
    ("search", "first"),
    [
        ("brew", "kettle.brew"),
        ("TEA brew", "kettle.brew"),
        ("kettle.taste", "kettle.taste"),
        ("boils water", "kettle.brew"),
        ("good night", "script.good_night"),
        ("homeassistant turn_on", "homeassistant.turn_on"),
    ],
)
async def test_search_finds_services_by_words(
    call_tool: CallTool, search: str, first: str
) -> None:
    """Of the id, the name or the description; those named so come first."""
    data = whole(await call_tool("ha_list_services", search=search))

    assert data["items"][0]["service"] == first
    assert data["total"] == len(data["items"])


@pytest.mark.parametrize("search", ["xyzzy", "💡", "\u202e", "\ud800", "x" * 255])
async def test_search_that_finds_nothing_says_so(
    call_tool: CallTool, search: str
) -> None:
    """It is no error."""
    data = whole(await call_tool("ha_list_services", search=search))

    assert (data["items"], data["total"]) == ([], 0)
    assert data["note"]


@pytest.mark.parametrize(
    ("domain", "hint"),
    [("ketle", "kettle"), ("light.turn_on", ""), ("💡", ""), ("\ud800", "")],
)
async def test_an_unknown_domain_is_not_found(
    call_tool: CallTool, domain: str, hint: str
) -> None:
    """The nearest one is named."""
    refused(await call_tool("ha_list_services", domain=domain), "not_found", hint)


async def test_services_come_in_pages(hass: HomeAssistant, call_tool: CallTool) -> None:
    """As many as fit, each once."""
    for number in range(150):
        register(hass, f"brew_{number:03}", {"description": "☕" * 300, "fields": {}})

    found = await every_page(call_tool, "ha_list_services", search="brew", limit=200)
    names = [item["service"] for item in found]

    assert len(set(names)) == len(names) == 151


@pytest.mark.parametrize(
    "description",
    [
        {"name": None, "description": None, "fields": None},
        {
            "description": 7,
            "fields": {"a": None, "b": {"description": 7, "example": {1, 2}}},
        },
        {"fields": []},
        {"fields": {"a": {"selector": "text"}}},
        {"fields": {"a": {"selector": {}}}},
        {"fields": {"a": {"fields": None}}},
        {"fields": {"a": {"fields": []}}},
        {"fields": {7: {"required": "yes"}}},
        {"description": "half \ud800 a pair"},
        {"description": "x" * 1_000_000, "fields": {"a": {"example": "x" * 1_000_000}}},
    ],
    ids=lambda description: str(description)[:50],
)
async def test_an_odd_description_leaves_the_other_services_alone(
    hass: HomeAssistant, call_tool: CallTool, description: dict[str, Any]
) -> None:
    """Users write descriptions too, for python_script for one."""
    register(hass, "odd", description)

    assert await services_of(call_tool, "kettle") == {"brew", "odd", "taste"}
    assert whole(await call_tool("ha_list_services", search="brew tea"))["items"]


async def test_a_script_that_was_renamed_is_still_a_service(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The service keeps the name that the script was written with."""
    er.async_get(hass).async_update_entity(
        "script.good_night", new_entity_id="script.sleep_well"
    )
    await hass.async_block_till_done()
    assert hass.services.has_service("script", "good_night")

    assert "good_night" in await services_of(call_tool, "script")


HIDING = {"filter_reads": True, "entity_denylist": {"patterns": ["script.vault_*"]}}


@pytest.mark.parametrize("options", [HIDING])
@pytest.mark.parametrize(
    "arguments",
    [{"limit": 200}, {"domain": "script"}, {"search": "safe"}, {"search": "vault"}],
)
async def test_a_script_that_is_hidden_is_no_service(
    call_tool: CallTool, arguments: dict[str, Any]
) -> None:
    """Neither in a list nor in a count; its neighbours stay."""
    answer = await call_tool("ha_list_services", **arguments)

    data = whole(answer)
    assert "vault" not in answer.text.replace("'vault'", "")
    assert "Open the safe" not in answer.text
    if "domains" in data:
        assert {"domain": "script", "services": 5} in data["domains"]
    if "domain" in arguments:
        assert await services_of(call_tool, "script") >= {"good_night", "turn_on"}


@pytest.mark.parametrize("options", [HIDING])
async def test_a_hidden_script_that_was_renamed_stays_hidden(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Also when a visible entity now has the id that it had."""
    registry = er.async_get(hass)
    registry.async_update_entity(
        "script.vault_open", new_entity_id="script.vault_secret"
    )
    registry.async_update_entity("script.good_night", new_entity_id="script.night")
    await hass.async_block_till_done()

    names = await services_of(call_tool, "script")

    assert "vault_open" not in names
    assert "good_night" in names


@pytest.mark.parametrize("limit", [0, 201, "many"])
async def test_limits_have_bounds(call_tool: CallTool, limit: object) -> None:
    """The error names them."""
    refused(
        await call_tool("ha_list_services", limit=limit), "invalid_arguments", "'limit'"
    )


async def test_one_service_may_be_named_in_full(call_tool: CallTool) -> None:
    """As it is written everywhere else."""
    assert await services_of(call_tool, "kettle.brew") == {"brew"}
    refused(
        await call_tool("ha_list_services", domain="kettle.brw"),
        "not_found",
        "'brw'",
        "brew",
    )


async def test_a_search_may_be_narrowed_to_a_domain(call_tool: CallTool) -> None:
    """Neither of the two is ignored."""
    data = whole(
        await call_tool("ha_list_services", domain="homeassistant", search="reload")
    )

    assert data["items"]
    for row in data["items"]:
        assert row["service"].startswith("homeassistant.")
        assert "reload" in f"{row['service']} {row['description']}".lower()


async def test_a_service_that_goes_while_they_are_described_is_left_out(
    hass: HomeAssistant, call_tool: CallTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading the texts takes a while, and integrations come and go."""
    load_texts = async_get_translations

    async def load_and_lose(*arguments: Any) -> dict[str, str]:
        hass.services.async_remove("kettle", "taste")
        return await load_texts(*arguments)

    monkeypatch.setattr(services_module, "async_get_translations", load_and_lose)

    assert await services_of(call_tool, "kettle") == {"brew"}


@pytest.mark.parametrize(
    "options",
    [{"service_denylist": ["kettle.brew"], "confirm_domains": ["script"]}],
)
async def test_what_is_denied_or_asked_about_is_marked(call_tool: CallTool) -> None:
    """So that nobody tries in vain."""
    kettle = whole(await call_tool("ha_list_services", domain="kettle"))["services"]
    scripts = whole(await call_tool("ha_list_services", domain="script"))["services"]

    assert {service["service"]: service.get("denied") for service in kettle} == {
        "brew": True,
        "taste": None,
    }
    assert all(service["needs_confirmation"] for service in scripts)
    assert not any("needs_confirmation" in service for service in kettle)
