"""What one caller may do: never more than the options, the client and the Home Assistant user each allow."""

from collections.abc import Iterator
from functools import cached_property

from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.core import HomeAssistant

from ..house.exposure import is_exposed
from ..house.records import EntityRecord
from ..models import Kind
from .clients import Client
from .options import AccessOptions, Grant
from .refusals import Rule

_ADMIN_KINDS = frozenset((Kind.CONFIG_WRITE, Kind.RAW))


class Rights:
    """The options, a client and a user, taken together; made anew whenever one of them changes."""

    def __init__(
        self,
        hass: HomeAssistant,
        options: AccessOptions,
        client: Client | None,
        user: User,
    ) -> None:
        """Take the user's permissions as they are; `holds_for` tells when they have changed."""
        self._hass = hass
        self.options = options
        self.client = client
        self.user = user
        self._permissions = user.permissions
        self._is_admin = user.is_admin
        self._controls_all = self._permissions.access_all_entities(POLICY_CONTROL)

    def holds_for(self, user: User) -> bool:
        """Tell whether the user's rights are still the ones that were taken."""
        return user.permissions is self._permissions and user.is_admin is self._is_admin

    @property
    def grants(self) -> Iterator[Grant]:
        """What is granted to everybody, and what to this client."""
        yield self.options
        if self.client is not None:
            yield self.client

    @property
    def is_admin(self) -> bool:
        """Whether the user is an administrator."""
        return self._is_admin

    @property
    def may_elevate(self) -> bool:
        """Whether the caller may start what runs without a user of its own, or asks nobody for permission."""
        return self._is_admin or (self.client is not None and self.client.may_elevate)

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of tools that exist for the caller."""
        kinds = frozenset.intersection(*(grant.kinds for grant in self.grants))
        if not self._is_admin:
            kinds -= _ADMIN_KINDS
        return kinds if self._controls_anything else kinds - {Kind.WRITE}

    @property
    def _controls_anything(self) -> bool:
        return self._controls_all or any(
            self._permissions.check_entity(entity_id, POLICY_CONTROL)
            for entity_id in self._hass.states.async_entity_ids()
        )

    def offers(self, kind: Kind, toolset: str) -> bool:
        """Tell whether a tool exists for the caller."""
        return kind in self.kinds and all(
            grant.toolsets is None or toolset in grant.toolsets for grant in self.grants
        )

    @property
    def controls_all(self) -> bool:
        """Whether the user may control every entity, and no list limits which."""
        return self._controls_all and not self.limits_entities

    @property
    def limits_entities(self) -> bool:
        """Whether anything but the user's own permissions keeps entities from being controlled."""
        return self.options.assist_exposed_only or any(
            grant.has_lists for grant in self.grants
        )

    def rule_against(self, record: EntityRecord) -> Rule | None:
        """Return the rule that keeps the caller from controlling an entity; None if none does."""
        if (rule := self.rule_against_reaching(record)) is not None:
            return rule
        if self.options.assist_exposed_only and not is_exposed(
            self._hass, record.entity_id
        ):
            return Rule.ASSIST_EXPOSED_ONLY
        return None

    def rule_against_reaching(self, record: EntityRecord) -> Rule | None:
        """Return the rule that keeps the caller from reaching an entity by another one.

        What is exposed to Assist may use what is not: that is how people expose a group and not its members, or a
        script and not the devices it controls. The lists make no such difference.
        """
        if not self.options.lists_permit(record):
            return Rule.ENTITY_LISTS
        if self.client is not None and not self.client.lists_permit(record):
            return Rule.CLIENT_LISTS
        if self._controls_all or self._permissions.check_entity(
            record.entity_id, POLICY_CONTROL
        ):
            return None
        return Rule.USER_RIGHTS
