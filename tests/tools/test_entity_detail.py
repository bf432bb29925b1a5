"""One entity in detail, several of them, one attribute."""

from datetime import UTC, datetime

from freezegun.api import FrozenDateTimeFactory
import pytest

from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

from .checks import every_page, ids, refused, whole
from .furniture import House

DISABLED = "sensor.asleep"
STATELESS = "sensor.gone"


async def test_the_detail_tells_everything(call_tool: CallTool, house: House) -> None:
    """Registries, state and attributes in one answer."""
    data = whole(await call_tool("ha_get_entity", entity_id=" Light.Kitchen_Ceiling "))

    for key in ("last_changed", "last_updated"):
        assert datetime.fromisoformat(data.pop(key)).utcoffset() is not None
    assert data == {
        "entity_id": "light.kitchen_ceiling",
        "name": "Kitchen hub Ceiling",
        "state": "on",
        "area": "Kitchen",
        "floor": "Ground floor",
        "labels": ["Important"],
        "device": "Kitchen hub",
        "integration": "acme",
        "aliases": ["Big lamp"],
        "device_id": house.hub,
        "exposed_to_assist": True,
        "attributes": {"brightness": 200, "friendly_name": "Kitchen hub Ceiling"},
    }


async def test_the_detail_tells_exposure_to_assist(
    hass: HomeAssistant, bridge: Bridge, call_tool: CallTool
) -> None:
    """As it is at the moment."""
    async_expose_entity(hass, conversation.DOMAIN, "light.dining", False)

    data = whole(await call_tool("ha_get_entity", entity_id="light.dining"))

    assert data["exposed_to_assist"] is False


@pytest.mark.parametrize(
    ("entity_id", "words"),
    [(DISABLED, "disabled"), (STATELESS, "no state")],
)
async def test_an_entity_without_a_state_says_why(
    call_tool: CallTool, entity_id: str, words: str
) -> None:
    """It is in the registry, so it is found."""
    data = whole(await call_tool("ha_get_entity", entity_id=entity_id))

    assert "state" not in data
    assert words in data["note"]


async def test_a_group_tells_its_members(call_tool: CallTool) -> None:
    """Beside its attributes."""
    data = whole(await call_tool("ha_get_entity", entity_id="light.all"))

    assert data["members"] == ["light.kitchen_ceiling", "light.dining"]
    assert "entity_id" not in data["attributes"]


async def test_a_group_of_many_members_can_be_read(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """The group of all lights of a big house, whole by pages."""
    members = [f"light.long_name_of_a_lamp_{number:04}" for number in range(1_000)]
    hass.states.async_set("group.many", "on", {"entity_id": members})

    whole(await call_tool("ha_get_entity", entity_id="group.many"))
    listed = await every_page(
        call_tool, "ha_get_entity", entity_id="group.many", attribute="entity_id"
    )

    assert listed == members


async def test_an_entity_of_many_attributes_can_be_read(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Each of them is short, all of them are too much for one answer."""
    attributes = {f"attribute_{number}": "x" * 90 for number in range(500)}
    hass.states.async_set("sensor.chatty", "on", attributes)

    data = whole(await call_tool("ha_get_entity", entity_id="sensor.chatty"))

    assert data["state"] == "on"


async def test_a_long_attribute_comes_whole_on_request(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Prices of two days, with hours that are not known yet."""
    prices = [
        {"start": f"hour {n}", "value": None if n % 5 == 0 else n} for n in range(900)
    ]
    hass.states.async_set(
        "sensor.price", "1", {"prices": prices, "plain": [None, 1, None]}
    )

    data = whole(await call_tool("ha_get_entity", entity_id="sensor.price"))
    assert data["attributes"]["prices"]["total"] == 900
    assert "prices" in data["note"]

    for name, value in (("prices", prices), ("plain", [None, 1, None])):
        assert value == await every_page(
            call_tool, "ha_get_entity", entity_id="sensor.price", attribute=name
        )


async def test_an_attribute_that_is_no_list_comes_as_its_value(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """A long text is shortened only where it has to be."""
    hass.states.async_set("sensor.a", "1", {"text": "x" * 9_000, "null": None})

    for name, value in (("text", "x" * 9_000), ("null", None)):
        data = whole(
            await call_tool("ha_get_entity", entity_id="sensor.a", attribute=name)
        )
        assert data == {"entity_id": "sensor.a", "attribute": name, "value": value}


async def test_an_unknown_attribute_is_an_error_that_lists_those_there_are(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """In a few words, however many there are."""
    refused(
        await call_tool("ha_get_entity", entity_id="weather.home", attribute="wind"),
        "not_found",
        "'wind'",
        "temperature",
    )
    hass.states.async_set(
        "sensor.many", "1", {f"attribute {n}": n for n in range(5_000)}
    )
    refused(
        await call_tool(
            "ha_get_entity", entity_id="sensor.many", attribute="attribut 7"
        ),
        "not_found",
        "attribute 7",
    )


async def test_one_attribute_is_for_one_entity(call_tool: CallTool) -> None:
    """The error says so."""
    refused(
        await call_tool(
            "ha_get_entity", entity_id="light.dining,light.all", attribute="a"
        ),
        "invalid_arguments",
        "'attribute'",
    )


async def test_several_entities_come_in_the_order_asked_for(
    call_tool: CallTool,
) -> None:
    """One that is not there is an error in its place, and only there."""
    data = whole(
        await call_tool(
            "ha_get_entity",
            entity_id="light.dining, light.kitchen_cieling, Sensor.Freezer",
        )
    )

    assert ids(data) == ["light.dining", "light.kitchen_cieling", "sensor.freezer"]
    assert data["items"][1]["error"]["code"] == "not_found"
    assert "light.kitchen_ceiling" in data["items"][1]["error"]["hint"]
    assert data["items"][2]["state"] == "-18.5"


async def test_more_than_twenty_entities_are_too_many(call_tool: CallTool) -> None:
    """Twenty are fine."""
    many = ",".join(f"light.x{number}" for number in range(20))

    assert whole(await call_tool("ha_get_entity", entity_id=many))["total"] == 20
    refused(
        await call_tool("ha_get_entity", entity_id=f"{many},light.y"),
        "invalid_arguments",
        "entity_id",
        "20",
    )


@pytest.mark.parametrize(
    "entity_id",
    [
        "light.nothing",
        "no dot",
        "💡",
        "light.",
        ".",
        "*",
        "light.*",
        "../secrets",
        "x" * 255,
    ],
)
async def test_an_unknown_entity_is_not_found(
    call_tool: CallTool, entity_id: str
) -> None:
    """With a hint where to go on."""
    assert refused(await call_tool("ha_get_entity", entity_id=entity_id), "not_found")[
        "hint"
    ]


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (datetime(2026, 1, 15, 11, 0, tzinfo=UTC), "2026-01-15T12:00:00+01:00"),
        (datetime(2026, 7, 15, 11, 0, tzinfo=UTC), "2026-07-15T13:00:00+02:00"),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "2026-10-25T02:30:00+02:00"),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "2026-10-25T02:30:00+01:00"),
    ],
)
async def test_times_are_told_in_the_time_zone_of_the_house(
    hass: HomeAssistant,
    call_tool: CallTool,
    freezer: FrozenDateTimeFactory,
    moment: datetime,
    told: str,
) -> None:
    """With the offset of that day, summer or winter, whenever it is asked."""
    freezer.move_to(moment)
    hass.states.async_set("light.now", "on")
    freezer.move_to(datetime(2026, 12, 1, tzinfo=UTC))

    data = whole(await call_tool("ha_get_entity", entity_id="light.now"))
    row = whole(await call_tool("ha_list_entities", domain="light", search="now"))[
        "items"
    ][0]

    assert (data["last_changed"], data["last_updated"]) == (told, told)
    assert row["last_changed"] == told


async def test_a_large_object_comes_in_pages(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """An attribute with many members is read member by member."""
    rooms = {
        f"room {number}": {"target": number, "x": "y" * 50} for number in range(300)
    }
    hass.states.async_set("sensor.rooms", "1", {"rooms": rooms})

    listed = await every_page(
        call_tool, "ha_get_entity", entity_id="sensor.rooms", attribute="rooms"
    )

    assert {item["key"]: item["value"] for item in listed} == rooms
