"""Entities: search and list."""

import pytest

from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

from .checks import every_page, ids, refused, whole
from .furniture import PIECES, fill

DISABLED = "sensor.asleep"
STATELESS = "sensor.gone"


async def test_search_finds_the_best_first_with_state_and_score(
    call_tool: CallTool,
) -> None:
    """An alias weighs as much as the name."""
    data = whole(await call_tool("ha_search_entities", query="big lamp"))

    first = data["items"][0]
    assert (first["entity_id"], first["name"]) == (
        "light.kitchen_ceiling",
        "Kitchen hub Ceiling",
    )
    assert (first["state"], first["area"], first["score"]) == ("on", "Kitchen", 100)
    scores = [item["score"] for item in data["items"]]
    assert scores == sorted(scores, reverse=True)


async def test_search_lists_hidden_entities_last_and_marks_them(
    call_tool: CallTool,
) -> None:
    """The user has hidden them from the dashboards, not from the world."""
    data = whole(await call_tool("ha_search_entities", query="kitchen light"))

    assert ids(data)[-1] == "light.hidden_lamp"
    assert [item.get("hidden") for item in data["items"]][-1] is True
    assert not any("hidden" in item for item in data["items"][:-1])


async def test_search_leaves_out_disabled_entities(call_tool: CallTool) -> None:
    """They have no state to tell."""
    assert DISABLED not in ids(
        whole(await call_tool("ha_search_entities", query="asleep"))
    )


async def test_search_is_narrowed_down_by_filters(call_tool: CallTool) -> None:
    """The total is that of what passes."""
    data = whole(
        await call_tool(
            "ha_search_entities",
            query="temperature",
            area="bedroom",
            device_class="temperature",
        )
    )

    assert (ids(data), data["total"]) == (["sensor.bedroom_temperature"], 1)


@pytest.mark.parametrize(
    "query", ["xyzzy", "💡💡", "\u202e", "....", "x" * 200, "\ud800"]
)
async def test_search_that_finds_nothing_says_what_to_try(
    call_tool: CallTool, query: str
) -> None:
    """It is an answer, not an error."""
    data = whole(await call_tool("ha_search_entities", query=query))

    assert (data["items"], data["total"], data["has_more"]) == ([], 0, False)
    assert data["note"]


async def test_the_list_without_a_filter_counts_the_house(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """By domain and area, disabled entities left out; what Home Assistant and the bridge bring along is counted, too."""
    data = whole(await call_tool("ha_list_entities", fields="name", limit=3))

    there = [piece for piece in PIECES if not piece.disabled]
    furniture = {piece.entity_id for piece in PIECES}
    brought_along = set(hass.states.async_entity_ids()) - furniture
    assert data["total"] == len(there) + len(brought_along)
    assert data["by_domain"]["light"] == 4
    assert data["by_area"]["Kitchen"] == 5
    areas = sum(data["by_area"].values())
    assert data["without_area"] == data["total"] - areas
    assert data["note"]


async def test_the_list_is_sorted_by_id(call_tool: CallTool) -> None:
    """So that pages stay where they are."""
    found = ids(whole(await call_tool("ha_list_entities", domain="sensor")))

    assert found == sorted(found)
    assert STATELESS in found
    assert DISABLED not in found


async def test_the_list_gives_the_columns_that_are_asked_for(
    call_tool: CallTool,
) -> None:
    """Those without a value are left out."""
    data = whole(
        await call_tool(
            "ha_list_entities",
            device="kitchen hub",
            fields="entity_id,floor,labels,device,integration,category,aliases,unit",
        )
    )

    assert data["items"] == [
        {
            "entity_id": "light.kitchen_ceiling",
            "floor": "Ground floor",
            "labels": ["Important"],
            "device": "Kitchen hub",
            "integration": "acme",
            "aliases": ["Big lamp"],
        },
        {
            "entity_id": "sensor.hub_signal",
            "floor": "Ground floor",
            "device": "Kitchen hub",
            "integration": "acme",
            "category": "diagnostic",
        },
        {
            "entity_id": "switch.kitchen_socket_2",
            "floor": "Ground floor",
            "device": "Socket two",
            "integration": "acme",
        },
    ]


async def test_a_column_that_there_is_not_is_refused(call_tool: CallTool) -> None:
    """The error lists those there are."""
    refused(
        await call_tool("ha_list_entities", domain="light", fields=["colour"]),
        "invalid_arguments",
        "'fields'",
        "'colour'",
        "device_class",
    )


async def test_the_same_alias_as_the_name_is_told_once(call_tool: CallTool) -> None:
    """Home Assistant keeps the name among the aliases as a mark that is no text."""
    data = whole(await call_tool("ha_get_entity", entity_id="light.dining"))

    assert "aliases" not in data
    assert "ComputedName" not in str(data)


@pytest.mark.parametrize("filters", [{"domain": "light"}, {"search": "residence"}])
@pytest.mark.parametrize("limit", [7, 200])
async def test_pages_of_a_big_house_lead_through_all_entities_once(
    hass: HomeAssistant, call_tool: CallTool, filters: dict[str, str], limit: int
) -> None:
    """Also where long names end a page before its limit."""
    name = "Résidence 🏠 {} " + "avec un très long nom " * 5
    added = fill(hass, 150 if limit == 7 else 1_000, name)

    items = await every_page(call_tool, "ha_list_entities", **filters, limit=limit)

    found = [item["entity_id"] for item in items]
    assert len(found) == len(set(found))
    assert [entity_id for entity_id in found if entity_id in set(added)] == added


async def test_pages_of_a_search_lead_through_all_hits_once(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Best first over all pages."""
    added = fill(hass, 120, "Pumpkin {} " + "🎃" * 100)

    items = await every_page(call_tool, "ha_search_entities", query="pumpkin", limit=50)

    assert sorted(item["entity_id"] for item in items) == added
