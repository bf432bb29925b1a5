"""People with more and with fewer rights, and the house as they see it."""

from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.access.options import AccessOptions
from custom_components.mcp_bridge.access.view import HouseView
from custom_components.mcp_bridge.access.visibility import Visibility
from custom_components.mcp_bridge.house.catalog import Catalog
from homeassistant.auth.models import Group
from homeassistant.auth.permissions import PolicyPermissions
from homeassistant.auth.permissions.const import CAT_ENTITIES
from homeassistant.auth.permissions.models import PermissionLookup
from homeassistant.auth.permissions.system_policies import READ_ONLY_POLICY, USER_POLICY
from homeassistant.auth.permissions.types import CategoryType
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er

ASSIST = "conversation"


def owner() -> MockUser:
    """Return somebody with every right."""
    return MockUser(is_owner=True)


def reader() -> MockUser:
    """Return a member of the group that reads everything and changes nothing."""
    return MockUser(
        groups=[Group("Read only", READ_ONLY_POLICY, "system-read-only", True)]
    )


def ordinary_user() -> MockUser:
    """Return a user of the house who is no administrator."""
    return MockUser(groups=[Group("Users", USER_POLICY, "system-users", True)])


def user_who_may(hass: HomeAssistant, entities: CategoryType) -> MockUser:
    """Return a user with a policy for entities, as the permissions of Home Assistant know it."""
    user = MockUser()
    user.perm_lookup = PermissionLookup(er.async_get(hass), dr.async_get(hass))
    user.mock_policy({CAT_ENTITIES: entities})
    return user


class _WatchedPermissions(PolicyPermissions):
    """The right to read lights, which notes down the entities it is asked about."""

    def __init__(self, perm_lookup: PermissionLookup, asked: list[str]) -> None:
        """Note down into a list."""
        super().__init__({CAT_ENTITIES: {"domains": {"light": True}}}, perm_lookup)
        self._asked = asked

    def check_entity(self, entity_id: str, key: str) -> bool:
        """Answer as ever."""
        self._asked.append(entity_id)
        return super().check_entity(entity_id, key)


def user_who_is_watched(hass: HomeAssistant) -> tuple[MockUser, list[str]]:
    """Return a user who may read lights, and the list of entities that these rights are asked about."""
    user, asked = user_who_may(hass, {}), list[str]()
    user.permissions = _WatchedPermissions(user.perm_lookup, asked)
    return user, asked


def expose_new_entities(hass: HomeAssistant, *, exposed: bool) -> None:
    """Change the default for entities that nobody has decided about."""
    hass.data[DATA_EXPOSED_ENTITIES].async_set_expose_new_entities(ASSIST, exposed)


def view_of(
    hass: HomeAssistant,
    catalog: Catalog,
    options: AccessOptions,
    user: MockUser | None = None,
) -> HouseView:
    """Return the house as a user sees it under some options."""
    return HouseView(hass, catalog, Visibility(hass, options, user or owner()))


def seen(view: HouseView) -> list[str]:
    """Return the ids of all entities in a view."""
    return sorted(record.entity_id for record in view.entities())
