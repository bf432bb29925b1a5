"""What one user may see, under the options in force."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.options import AccessOptions
from custom_components.mcp_bridge.access.visibility import Visibility
from custom_components.mcp_bridge.house.catalog import Catalog
from homeassistant.auth.permissions.types import CategoryType
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from tests.house.building import Building

from .people import (
    ASSIST,
    expose_new_entities,
    ordinary_user,
    owner,
    reader,
    user_who_is_watched,
    user_who_may,
    view_of,
)

LIGHTS = {"patterns": ["light.*"]}
LOCKS = {"patterns": ["lock.*"]}


def options(**chosen: Any) -> AccessOptions:
    """Return the options of a config entry."""
    return AccessOptions.from_entry_options(chosen)


@pytest.fixture(name="furnished")
async def fixture_furnished(building: Building, catalog: Catalog) -> Building:
    """Return a house with a lamp, a lock and a thermometer, the last two in the hall."""
    hall = building.area("Hall")
    building.state(building.entity("light.lamp", "Lamp"))
    building.state(building.entity("lock.door", "Door", area=hall))
    device = building.device("Thermometer", hall)
    building.state(building.entity("sensor.warmth", "Warmth", device=device))
    return building


def seen(visibility: Visibility, catalog: Catalog) -> list[str]:
    """Return the ids of what can be seen, sorted."""
    return sorted(
        record.entity_id
        for record in catalog.records.values()
        if visibility.sees(record)
    )


ALL = ["light.lamp", "lock.door", "sensor.warmth"]


@pytest.mark.usefixtures("furnished")
@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ALL),
        ({"entity_allowlist": LIGHTS}, ALL),
        ({"entity_denylist": LIGHTS}, ALL),
        ({"filter_reads": True}, ALL),
        ({"filter_reads": True, "entity_allowlist": LIGHTS}, ["light.lamp"]),
        ({"filter_reads": True, "entity_denylist": LIGHTS}, ["lock.door", "sensor.warmth"]),
        ({"filter_reads": True, "entity_denylist": {"target": {"area_id": ["hall"]}}}, ["light.lamp"]),
        ({"filter_reads": True, "entity_allowlist": LIGHTS, "entity_denylist": LIGHTS}, []),
        ({"filter_reads": True, "entity_allowlist": {"patterns": ["fan.*"]}}, []),
    ],
    ids=repr,
)  # fmt: skip
async def test_lists_hide_only_when_they_filter_reads(
    hass: HomeAssistant, catalog: Catalog, chosen: dict[str, Any], expected: list[str]
) -> None:
    """Without the option the lists are about control, and reads go free."""
    visibility = Visibility(hass, options(**chosen), owner())

    assert seen(visibility, catalog) == expected
    assert visibility.sees_all is (
        not chosen.get("filter_reads") or chosen == {"filter_reads": True}
    )


@pytest.mark.usefixtures("furnished")
@pytest.mark.parametrize("user", [owner(), reader(), ordinary_user()])
async def test_groups_of_home_assistant_see_everything(
    hass: HomeAssistant, catalog: Catalog, user: MockUser
) -> None:
    """Administrators, users and those who may only read: all of them may read all."""
    visibility = Visibility(hass, options(), user)

    assert visibility.sees_all
    assert seen(visibility, catalog) == ALL


@pytest.mark.usefixtures("furnished")
@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (None, []),
        ({}, []),
        ({"entity_ids": {"lock.door": True}}, ["lock.door"]),
        ({"entity_ids": {"lock.door": {"read": True}}}, ["lock.door"]),
        ({"entity_ids": {"lock.door": {"control": True}}}, []),
        ({"domains": {"light": {"read": True}, "sensor": True}}, ["light.lamp", "sensor.warmth"]),
        ({"area_ids": {"hall": True}}, ["sensor.warmth"]),
        ({"all": {"control": True}}, []),
        ({"all": {"read": True}}, ALL),
        (True, ALL),
    ],
    ids=repr,
)  # fmt: skip
async def test_policy_of_the_user_is_kept_to(
    hass: HomeAssistant, catalog: Catalog, policy: CategoryType, expected: list[str]
) -> None:
    """Somebody who may read only some entities sees only these; the right to control is no right to read."""
    visibility = Visibility(hass, options(), user_who_may(hass, policy))

    assert seen(visibility, catalog) == expected
    assert visibility.sees_all is (expected == ALL)


@pytest.mark.usefixtures("furnished")
async def test_user_without_groups_sees_nothing(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """No right is given by default."""
    visibility = Visibility(hass, options(), MockUser())

    assert not visibility.sees_all
    assert seen(visibility, catalog) == []


@pytest.mark.usefixtures("furnished")
async def test_options_and_rights_both_have_to_permit(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """The lists do not open what the user may not read, nor the user's rights what the lists close."""
    user = user_who_may(hass, {"domains": {"light": True, "lock": True}})
    chosen = options(
        filter_reads=True, entity_allowlist={"patterns": ["lock.*", "sensor.*"]}
    )

    assert seen(Visibility(hass, chosen, user), catalog) == ["lock.door"]


@pytest.mark.usefixtures("furnished")
async def test_lists_that_do_not_filter_reads_never_hide(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """Not even from somebody for whom other things are hidden."""
    chosen = {"entity_denylist": {"patterns": ["*"]}}
    user = user_who_may(hass, {"domains": {"lock": True}})
    async_expose_entity(hass, ASSIST, "lock.door", True)

    assert seen(Visibility(hass, options(**chosen), user), catalog) == ["lock.door"]
    exposed_only = options(**chosen, assist_exposed_only=True)
    assert seen(Visibility(hass, exposed_only, user), catalog) == ["lock.door"]


@pytest.mark.usefixtures("furnished")
async def test_exposed_only(hass: HomeAssistant, catalog: Catalog) -> None:
    """What Assist may not see is hidden, with or without lists, from an owner too."""
    async_expose_entity(hass, ASSIST, "light.lamp", False)
    async_expose_entity(hass, ASSIST, "lock.door", True)
    async_expose_entity(hass, ASSIST, "sensor.warmth", True)

    assert seen(Visibility(hass, options(), owner()), catalog) == ALL
    exposed_only = Visibility(hass, options(assist_exposed_only=True), owner())
    assert seen(exposed_only, catalog) == ["lock.door", "sensor.warmth"]
    assert not exposed_only.sees_all
    both = options(assist_exposed_only=True, filter_reads=True, entity_denylist=LOCKS)
    assert seen(Visibility(hass, both, owner()), catalog) == ["sensor.warmth"]


@pytest.mark.usefixtures("furnished")
async def test_changed_default_of_exposure_ends_all_decisions(
    hass: HomeAssistant,
) -> None:
    """No event tells of the default for new entities, so it is compared."""
    user = owner()
    visibility = Visibility(hass, options(assist_exposed_only=True), user)
    indifferent = Visibility(hass, options(), user)
    assert visibility.holds_for(user)

    expose_new_entities(hass, exposed=False)

    assert not visibility.holds_for(user)
    assert indifferent.holds_for(user)


@pytest.mark.usefixtures("furnished")
async def test_changed_rights_end_all_decisions(hass: HomeAssistant) -> None:
    """A user who is put into another group, or loses the ownership, is judged anew."""
    user = ordinary_user()
    visibility = Visibility(hass, options(), user)
    assert visibility.holds_for(user)

    user.groups = reader().groups

    assert not visibility.holds_for(user)

    proprietor = owner()
    visibility = Visibility(hass, options(), proprietor)
    proprietor.is_owner = False

    assert not visibility.holds_for(proprietor)


async def test_decision_follows_the_record(
    hass: HomeAssistant, catalog: Catalog, furnished: Building
) -> None:
    """An entity that is moved into a closed area is closed at once, and open again when it comes out."""
    chosen = options(
        filter_reads=True, entity_denylist={"target": {"area_id": ["hall"]}}
    )
    visibility = Visibility(hass, chosen, owner())
    assert seen(visibility, catalog) == ["light.lamp"]

    furnished.change("light.lamp", area_id="hall")
    assert seen(visibility, catalog) == []

    furnished.change("light.lamp", area_id=None)
    furnished.change("lock.door", area_id=furnished.area("Garden"))
    assert seen(visibility, catalog) == ["light.lamp", "lock.door"]


async def test_decision_follows_the_device(
    hass: HomeAssistant, catalog: Catalog, furnished: Building
) -> None:
    """A policy for an area reaches what stands on a device there, and lets go of it when the device is moved."""
    visibility = Visibility(
        hass, options(), user_who_may(hass, {"area_ids": {"hall": True}})
    )
    assert seen(visibility, catalog) == ["sensor.warmth"]

    record = catalog.records["sensor.warmth"]
    assert record.device_id is not None
    furnished.devices.async_update_device(record.device_id, area_id=None)

    assert seen(visibility, catalog) == []


async def test_decision_follows_the_new_id(
    hass: HomeAssistant, catalog: Catalog, furnished: Building
) -> None:
    """An entity renamed into a closed pattern is closed, and what takes its old id is judged by itself."""
    chosen = options(filter_reads=True, entity_denylist={"patterns": ["*.secret*"]})
    visibility = Visibility(hass, chosen, owner())
    assert seen(visibility, catalog) == ALL

    hass.states.async_remove("light.lamp")
    furnished.change("light.lamp", new_entity_id="light.secret")
    assert seen(visibility, catalog) == ["lock.door", "sensor.warmth"]

    furnished.state("light.lamp", "Another lamp")
    assert seen(visibility, catalog) == ALL


async def test_decision_follows_what_the_default_of_exposure_depends_on(
    hass: HomeAssistant, catalog: Catalog, furnished: Building
) -> None:
    """An undecided entity is exposed by its class, category and visibility, which may change."""
    visibility = Visibility(hass, options(assist_exposed_only=True), owner())
    assert seen(visibility, catalog) == ["light.lamp"]

    furnished.state("sensor.warmth", device_class="temperature")
    assert seen(visibility, catalog) == ["light.lamp", "sensor.warmth"]

    furnished.change("light.lamp", hidden_by=er.RegistryEntryHider.USER)
    assert seen(visibility, catalog) == ["sensor.warmth"]


async def test_decision_is_kept_until_the_record_changes(
    hass: HomeAssistant, catalog: Catalog, furnished: Building
) -> None:
    """Filtering the same house again asks nobody again; a changed entity is asked about once more."""
    user, asked = user_who_is_watched(hass)
    visibility = Visibility(hass, options(), user)

    for _ in range(2):
        assert seen(visibility, catalog) == ["light.lamp"]
    assert sorted(asked) == ALL

    furnished.change("lock.door", name="Gate")
    assert seen(visibility, catalog) == ["light.lamp"]
    assert sorted(asked) == sorted([*ALL, "lock.door"])


async def test_disabled_entity_is_judged_like_any_other(
    hass: HomeAssistant, catalog: Catalog, furnished: Building
) -> None:
    """Lists and rights hold for what is switched off, too."""
    furnished.change("lock.door", disabled_by=er.RegistryEntryDisabler.USER)
    chosen = options(filter_reads=True, entity_denylist=LOCKS)

    assert view_of(hass, catalog, options()).find("lock.door") is not None
    assert view_of(hass, catalog, chosen).find("lock.door") is None
