"""The options in force, for every caller, from the very next call on."""

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.mcp_bridge.access.control import AccessControl
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.models import Caller
from homeassistant.auth.models import Group
from homeassistant.auth.permissions.system_policies import ADMIN_POLICY
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from tests.house.building import Building

from .people import (
    ASSIST,
    expose_new_entities,
    ordinary_user,
    owner,
    reader,
    seen,
    user_who_is_watched,
    user_who_may,
)

LIGHTS = {"patterns": ["light.*"]}
CLOSED = {"filter_reads": True, "entity_denylist": LIGHTS}


def administrator(*, active: bool = True) -> MockUser:
    """Return a member of the administrators."""
    group = Group("Administrators", ADMIN_POLICY, "system-admin", True)
    return MockUser(groups=[group], is_active=active)


@pytest.fixture(name="furnished", autouse=True)
async def fixture_furnished(building: Building) -> Building:
    """Return a house with a lamp and a lock."""
    building.state(building.entity("light.lamp", "Lamp"))
    building.state(building.entity("lock.door", "Door"))
    return building


@pytest.mark.parametrize(
    ("user", "strict", "lax"),
    [
        (owner(), True, True),
        (administrator(), True, True),
        (ordinary_user(), False, True),
        (reader(), False, True),
        (MockUser(), False, True),
        (administrator(active=False), False, False),
        (MockUser(is_owner=True, is_active=False), False, False),
        (MockUser(is_active=False), False, False),
    ],
    ids=["owner", "admin", "user", "reader", "nobody", "former admin", "former owner", "former user"],
)  # fmt: skip
async def test_who_is_admitted(
    hass: HomeAssistant, catalog: Catalog, user: MockUser, *, strict: bool, lax: bool
) -> None:
    """Administrators always, others only when the options say so, and nobody who was locked out."""
    assert AccessControl(hass, catalog, {}).admits(Caller(user)) is strict
    for require_admin, admitted in ((True, strict), (False, lax)):
        control = AccessControl(hass, catalog, {"require_admin": require_admin})
        assert control.admits(Caller(user)) is admitted


async def test_changed_options_hold_for_the_next_call(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """For who gets in, and for what is seen, both ways."""
    control = AccessControl(hass, catalog, {})
    caller = Caller(owner())
    assert seen(control.view(caller)) == ["light.lamp", "lock.door"]
    assert not control.admits(Caller(ordinary_user()))

    control.async_set_options({**CLOSED, "require_admin": False})

    assert seen(control.view(caller)) == ["lock.door"]
    assert control.admits(Caller(ordinary_user()))

    control.async_set_options({})

    assert seen(control.view(caller)) == ["light.lamp", "lock.door"]
    assert not control.admits(Caller(ordinary_user()))


async def test_a_call_under_way_keeps_its_options(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """One call sees one house: an answer is never half of the old and half of the new."""
    control = AccessControl(hass, catalog, CLOSED)
    under_way = control.view(Caller(owner()))

    control.async_set_options({})

    assert seen(under_way) == ["lock.door"]


async def test_options_of_the_config_entry_are_followed(
    hass: HomeAssistant, bridge: Bridge, config_entry: MockConfigEntry, caller: Caller
) -> None:
    """What the user saves in the options is in force without a restart."""
    assert "light.lamp" in seen(bridge.access.view(caller))

    hass.config_entries.async_update_entry(config_entry, options=CLOSED)
    await hass.async_block_till_done()

    assert "light.lamp" not in seen(bridge.access.view(caller))
    assert "lock.door" in seen(bridge.access.view(caller))


async def test_callers_are_told_apart(hass: HomeAssistant, catalog: Catalog) -> None:
    """What one user may see says nothing about another, in whatever order they come."""
    control = AccessControl(hass, catalog, {})
    lights = Caller(user_who_may(hass, {"domains": {"light": True}}))
    locks = Caller(user_who_may(hass, {"domains": {"lock": True}}))

    for _ in range(2):
        assert seen(control.view(lights)) == ["light.lamp"]
        assert seen(control.view(locks)) == ["lock.door"]
        assert seen(control.view(Caller(MockUser()))) == []
        assert control.view(Caller(owner())).sees_all


async def test_decisions_are_kept_from_call_to_call(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """For each caller, though others call in between."""
    control = AccessControl(hass, catalog, {})
    watched = [user_who_is_watched(hass) for _ in range(2)]

    for _ in range(3):
        for user, _asked in watched:
            assert seen(control.view(Caller(user))) == ["light.lamp"]

    for _user, asked in watched:
        assert sorted(asked) == ["light.lamp", "lock.door"]


async def test_changed_rights_hold_for_the_next_call(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """Rights given and taken in Home Assistant need no restart."""
    control = AccessControl(hass, catalog, {})
    caller = Caller(user_who_may(hass, {"domains": {"light": True}}))
    assert seen(control.view(caller)) == ["light.lamp"]

    caller.user.permissions = user_who_may(
        hass, {"domains": {"lock": True}}
    ).permissions

    assert seen(control.view(caller)) == ["lock.door"]


@pytest.mark.parametrize("entity_id", ["light.lamp", "light.plain"])
async def test_exposure_holds_for_the_next_call(
    hass: HomeAssistant, furnished: Building, catalog: Catalog, entity_id: str
) -> None:
    """Exposed, taken back, exposed again: a registered entity and one that is only a state."""
    furnished.state("light.plain")
    control = AccessControl(hass, catalog, {"assist_exposed_only": True})
    control.async_start()
    caller = Caller(owner())
    assert entity_id in seen(control.view(caller))

    async_expose_entity(hass, ASSIST, entity_id, False)
    assert entity_id not in seen(control.view(caller))

    async_expose_entity(hass, ASSIST, entity_id, True)
    assert entity_id in seen(control.view(caller))
    control.async_stop()


async def test_default_of_exposure_holds_for_the_next_call(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """New entities are no longer exposed: those that nobody decided about go, the others stay."""
    control = AccessControl(hass, catalog, {"assist_exposed_only": True})
    control.async_start()
    caller = Caller(owner())
    async_expose_entity(hass, ASSIST, "lock.door", True)
    assert seen(control.view(caller)) == ["light.lamp", "lock.door"]

    expose_new_entities(hass, exposed=False)
    assert seen(control.view(caller)) == ["lock.door"]

    expose_new_entities(hass, exposed=True)
    assert seen(control.view(caller)) == ["light.lamp", "lock.door"]
    control.async_stop()


async def test_stopping_leaves_no_listener_for_exposure(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    """Started and stopped twice, and stopped once too often."""

    def listeners() -> int:
        exposed = hass.data[DATA_EXPOSED_ENTITIES]
        return len(exposed._listeners.get(ASSIST, ()))  # noqa: SLF001

    before = listeners()
    control = AccessControl(hass, catalog, {})
    for _ in range(2):
        control.async_start()
        assert listeners() == before + 1
        control.async_stop()
        assert listeners() == before
    control.async_stop()
    assert listeners() == before
