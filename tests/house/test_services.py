"""Services are told with their fields and with the texts that people read."""

from typing import Any

import pytest

from custom_components.mcp_bridge.house.services import (
    Service,
    ServiceField,
    describe_services,
)
from homeassistant.components.kitchen_sink.services import async_setup_services
from homeassistant.core import HomeAssistant, ServiceCall, SupportsResponse
from homeassistant.helpers.service import async_set_service_schema
from homeassistant.setup import async_setup_component


async def _do_nothing(call: ServiceCall) -> None:
    """Serve."""


async def described(hass: HomeAssistant, service_id: str) -> Service:
    """Return the one service of this id."""
    services = await describe_services(hass, [service_id.split(".", maxsplit=1)[0]])
    (service,) = (service for service in services if service.id == service_id)
    return service


async def register(hass: HomeAssistant, schema: dict[str, Any]) -> Service:
    """Register a service with a description of its own, as scripts do, and return it."""
    hass.services.async_register("script", "made_up", _do_nothing)
    async_set_service_schema(hass, "script", "made_up", schema)
    return await described(hass, "script.made_up")


async def test_service_of_an_integration(hass: HomeAssistant) -> None:
    """Name, description and fields are in English, whatever language the house speaks."""
    hass.config.language = "fr"
    assert await async_setup_component(hass, "counter", {})

    assert await described(hass, "counter.set_value") == Service(
        domain="counter",
        service="set_value",
        name="Set counter value",
        description="Sets a counter to a specific value.",
        fields=(
            ServiceField(
                "value",
                "The new counter value the entity should be set to.",
                True,
                None,
                "number",
            ),
        ),
        has_target=True,
        response="none",
    )


async def test_fields_in_sections_are_fields(hass: HomeAssistant) -> None:
    """A section is for the eye only: its fields stand where it stood, and it is no field."""
    async_setup_services(hass)

    service = await described(hass, "kitchen_sink.test_service_1")

    assert [field.name for field in service.fields] == [
        "field_1",
        "field_2",
        "field_3",
        "field_4",
    ]
    assert [field.required for field in service.fields] == [True, True, False, False]
    assert service.fields[2].description == "Number of hours"
    assert service.fields[3].selector == "select"


async def test_sections_within_sections_are_opened_too(hass: HomeAssistant) -> None:
    """However deep a field is, it can be sent."""
    service = await register(
        hass,
        {"fields": {"a": {"fields": {"b": {"fields": {"deep": {"required": True}}}}}}},
    )

    assert service.fields == (ServiceField("deep", "", True, None, None),)


async def test_placeholders_are_filled_in(hass: HomeAssistant) -> None:
    """Names and descriptions hold words that the integration gives at run time."""
    async_setup_services(hass)

    service = await described(hass, "kitchen_sink.test_service_1")

    assert service.name == "Test action foo"
    assert service.description == "Fake action for testing bar"
    assert service.fields[0].description == "Number of seconds milk"


async def test_placeholder_that_nobody_gives_stays(hass: HomeAssistant) -> None:
    """Braces are not always placeholders."""
    service = await register(hass, {"description": 'Sends {"a": {b}} to {who}'})

    assert service.description == 'Sends {"a": {b}} to {who}'


@pytest.mark.parametrize(
    ("supports", "response"),
    [
        (SupportsResponse.NONE, "none"),
        (SupportsResponse.OPTIONAL, "optional"),
        (SupportsResponse.ONLY, "only"),
    ],
)
async def test_response_kinds(
    hass: HomeAssistant, supports: SupportsResponse, response: str
) -> None:
    """Whether a service answers is told in one word."""
    hass.services.async_register(
        "script", "ask", _do_nothing, supports_response=supports
    )

    assert (await described(hass, "script.ask")).response == response


async def test_service_without_a_description(hass: HomeAssistant) -> None:
    """A service is there by being registered, even under a domain that is no integration."""
    hass.services.async_register("no_such_integration", "do_it", _do_nothing)

    assert await describe_services(hass, ["no_such_integration"]) == [
        Service(
            "no_such_integration",
            "do_it",
            "",
            "",
            (),
            has_target=False,
            response="none",
        )
    ]


async def test_own_texts_come_before_translations(hass: HomeAssistant) -> None:
    """A script says itself what it does."""
    assert await async_setup_component(hass, "counter", {})
    async_set_service_schema(
        hass,
        "counter",
        "set_value",
        {"name": "Shine", "description": "Own words", "target": {}},
    )

    service = await described(hass, "counter.set_value")

    assert (service.name, service.description) == ("Shine", "Own words")
    assert (service.has_target, service.fields) == (True, ())


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ({"selector": {"text": None}}, "text"),
        ({"selector": {"number": {"min": 1}}}, "number"),
        ({"selector": {"no_such_selector": {"odd": [1]}}}, "no_such_selector"),
        ({"selector": "text"}, "text"),
        ({"selector": {}}, None),
        ({"selector": None}, None),
        ({"selector": ["text"]}, None),
        ({"selector": 5}, None),
        ({}, None),
    ],
    ids=repr,
)
async def test_selector_of_whatever_form(
    hass: HomeAssistant, field: dict[str, Any], expected: str | None
) -> None:
    """Descriptions of scripts and of custom integrations are not checked by anybody."""
    service = await register(hass, {"fields": {"value": field}})

    assert service.fields == (ServiceField("value", "", False, None, expected),)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"fields": None},
        {"fields": {}},
        {"fields": {"section": {"fields": None}}},
        {"fields": ["value"]},
        {"fields": "value"},
        {"fields": {"value": "text"}},
        {"fields": {"value": None}},
        {"name": None, "description": None},
    ],
    ids=repr,
)
async def test_description_of_whatever_form(
    hass: HomeAssistant, schema: dict[str, Any]
) -> None:
    """One odd description must not take all the others away."""
    hass.services.async_register("script", "plain", _do_nothing)

    service = await register(hass, schema)

    assert (service.name, service.description) == ("", "")
    assert {field.name for field in service.fields} <= {"value"}
    assert [service.id for service in await describe_services(hass, ["script"])] == [
        "script.made_up",
        "script.plain",
    ]


async def test_example_and_text_of_a_field(hass: HomeAssistant) -> None:
    """Examples keep their type; required is told as yes or no, however it was written."""
    service = await register(
        hass,
        {
            "fields": {
                "value": {"description": "Some", "example": [1, 2], "required": 1}
            }
        },
    )

    assert service.fields == (ServiceField("value", "Some", True, [1, 2], None),)
    assert service.fields[0].required is True


async def test_only_the_domains_asked_for_in_order(hass: HomeAssistant) -> None:
    """Sorted by id; a domain without services, and one asked for twice, change nothing."""
    for domain, service in (
        ("script", "b"),
        ("scene", "z"),
        ("script", "a"),
        ("counter", "x"),
    ):
        hass.services.async_register(domain, service, _do_nothing)

    services = await describe_services(hass, ["script", "scene", "nothing", "script"])

    assert [service.id for service in services] == ["scene.z", "script.a", "script.b"]


async def test_removed_service_is_gone(hass: HomeAssistant) -> None:
    """What Home Assistant no longer offers is not told any more."""
    hass.services.async_register("script", "a", _do_nothing)
    hass.services.async_register("script", "b", _do_nothing)
    assert len(await describe_services(hass, ["script"])) == 2

    hass.services.async_remove("script", "a")

    assert [service.id for service in await describe_services(hass, ["script"])] == [
        "script.b"
    ]


async def test_description_of_home_assistant_is_not_changed(
    hass: HomeAssistant,
) -> None:
    """The descriptions are shared by all of Home Assistant: twice the same answer."""
    async_setup_services(hass)

    first = await describe_services(hass, ["kitchen_sink"])

    assert await describe_services(hass, ["kitchen_sink"]) == first
