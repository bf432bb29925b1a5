"""Hidden is as good as gone: the answers are those of a house in which the hidden entities never were."""

from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st

from custom_components.mcp_bridge.access.options import AccessOptions
from custom_components.mcp_bridge.access.view import HouseView
from custom_components.mcp_bridge.errors import BridgeError
from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.places import PlaceKind
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from tests.house.building import Building

from .people import ASSIST, owner, seen, user_who_may, view_of

NAMES = ("Kitchen lamp", "Kitchn", "Bedroom light", "Licht", "Lamp", "Vault")
KEYS = tuple(
    f"{domain}.{name}"
    for domain in ("light", "lock")
    for name in ("kitchen", "kitchen_2", "bedroom", "lamp")
)
ASKED = (
    *KEYS,
    "light.kitchn",
    "lock.bedrom",
    "kitchen",
    "switch.kitchen",
    "light.xyzzy",
    "Kitchen lamp",
)
QUERIES = (
    *NAMES,
    "lamp",
    "kichen",
    "light",
    "lock",
    "attic",
    "hub",
    "open lamp",
    "vault lamp",
    "kitchen xyzzy",
    *KEYS[:3],
)
AREAS, DEVICES, LABELS = ("attic", "hall"), ("Hub", "Panel"), ("party", "secret")

FURNITURE = st.dictionaries(
    st.sampled_from(KEYS),
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(NAMES),
            "registered": st.booleans(),
            "area": st.none() | st.sampled_from(AREAS),
            "device": st.none() | st.sampled_from(DEVICES),
            "label": st.none() | st.sampled_from(LABELS),
            "exposed": st.booleans(),
        }
    ),
    min_size=1,
)
LISTS = st.fixed_dictionaries(
    {},
    optional={
        "patterns": st.lists(
            st.sampled_from(["light.*", "*kitchen*", "*_2", "lock.lamp", "*"]),
            max_size=2,
        ),
        "target": st.fixed_dictionaries(
            {},
            optional={
                "entity_id": st.lists(st.sampled_from(KEYS), max_size=2),
                "area_id": st.lists(st.sampled_from(AREAS), max_size=1),
                "label_id": st.lists(st.sampled_from(LABELS), max_size=1),
            },
        ),
    },
)
OPTIONS = st.fixed_dictionaries(
    {"filter_reads": st.sampled_from([True, True, True, False])},
    optional={
        "entity_allowlist": LISTS,
        "entity_denylist": LISTS,
        "assist_exposed_only": st.booleans(),
    },
)
POLICIES = st.sampled_from(
    [
        True,
        True,
        {"domains": {"light": True}},
        {"entity_ids": {"light.kitchen": True, "lock.lamp": {"read": True}}},
        {"area_ids": {"attic": {"read": True}}},
    ]
)


def furnish(building: Building, furniture: dict[str, dict[str, Any]]) -> None:
    """Build a house out of what was drawn; areas, devices and labels stand already."""
    devices = {device.name: device.id for device in building.devices.devices}
    for entity_id, piece in furniture.items():
        if piece["registered"]:
            building.entity(
                entity_id,
                piece["name"],
                device=devices.get(piece["device"]),
                area=piece["area"],
                labels={piece["label"]} if piece["label"] else None,
            )
        building.state(entity_id, piece["name"])
        async_expose_entity(building.hass, ASSIST, entity_id, piece["exposed"])


def take_away(building: Building, entity_id: str) -> None:
    """Remove an entity as if it had never been there."""
    building.hass.states.async_remove(entity_id)
    if building.entities.async_get(entity_id):
        building.entities.async_remove(entity_id)


def refusal(view: HouseView, entity_id: str) -> dict[str, str] | None:
    """Return the error that a read ends with, None when the entity is there."""
    try:
        view.entity(entity_id)
    except BridgeError as error:
        return error.as_dict()
    return None


def answers(view: HouseView) -> dict[str, object]:
    """Return all that a caller can get out of a house."""
    return {
        "list": seen(view),
        "errors": [refusal(view, key) for key in ASKED],
        "hints": [view.hint(text) for text in (*ASKED, *QUERIES)],
        "found": [
            ([(hit.record.entity_id, hit.score) for hit in hits], left_out)
            for hits, left_out in map(view.search, QUERIES)
        ],
        "devices": [device.id for device in view.devices()],
        "places": [view.places(kind) for kind in PlaceKind],
    }


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(furniture=FURNITURE, chosen=OPTIONS, policy=POLICIES)
async def test_hidden_entities_leave_no_trace(
    hass: HomeAssistant,
    building: Building,
    *,
    furniture: dict[str, dict[str, Any]],
    chosen: dict[str, Any],
    policy: Any,
) -> None:
    """Errors, hints, hits, scores, devices: taking the hidden entities out of the house changes not one of them."""
    if not list(building.devices.devices):
        for name in AREAS:
            building.area(name)
        for name in LABELS:
            building.label(name)
        for name in DEVICES:
            building.device(name, "attic")
    furnish(building, furniture)
    catalog = Catalog(hass)
    await catalog.async_start()
    try:
        user = owner() if policy is True else user_who_may(hass, policy)
        view = view_of(hass, catalog, AccessOptions.from_entry_options(chosen), user)
        visible = seen(view)
        before = answers(view)
        assert view.sees_all <= (visible == sorted(furniture))

        for entity_id in furniture.keys() - set(visible):
            assert view.hides(entity_id)
            assert entity_id not in view.scrub(f"Turn {entity_id} on.")
            take_away(building, entity_id)

        assert set(catalog.records) == set(visible)
        assert answers(view) == before
    finally:
        catalog.async_stop()
        for entity_id in furniture:
            take_away(building, entity_id)
        building.entities.deleted_entities.clear()


async def test_error_of_a_hidden_entity_is_that_of_an_unknown_one(
    hass: HomeAssistant, building: Building, catalog: Catalog
) -> None:
    """Two houses, one with the entity and one without: the caller cannot tell in which one they are."""
    building.state("light.kitchen", "Kitchen")
    options = AccessOptions.from_entry_options(
        {"filter_reads": True, "entity_allowlist": {"patterns": ["light.*"]}}
    )
    without = answers(view_of(hass, catalog, options))

    building.state("lock.kitchen", "Kitchen lamp")
    building.state(
        building.entity("lock.kitchen_2", "Vault", device=building.device("Vault"))
    )

    assert answers(view_of(hass, catalog, options)) == without
