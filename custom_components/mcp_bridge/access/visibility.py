"""What one user may see: the one place that decides it."""

from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.core import HomeAssistant

from ..house.exposure import exposes_new_entities, is_exposed
from ..house.records import EntityRecord
from .clients import Client
from .options import AccessOptions, Grant


class Visibility:
    """Decides for one user, under the options in force and those of the client, which entities exist at all.

    A decision is kept until the entity's record is replaced, so that a list of 5,000 entities is cheap to filter.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        options: AccessOptions,
        user: User,
        client: Client | None = None,
    ) -> None:
        """Take the user's permissions as they are; `holds_for` tells when they have changed."""
        self._hass = hass
        self._options = options
        granted: tuple[Grant, ...] = (options, client) if client else (options,)
        # The grants whose lists hide what they close.
        self._hiding = [
            grant for grant in granted if grant.filter_reads and grant.has_lists
        ]
        self._permissions = user.permissions
        self._reads_all = self._permissions.access_all_entities(POLICY_READ)
        self._sees_all = self._reads_all and not (
            self._hiding or options.assist_exposed_only
        )
        self._decided: dict[str, tuple[EntityRecord, bool]] = {}
        self._exposes_new = self._options.assist_exposed_only and exposes_new_entities(
            hass
        )

    @property
    def sees_all(self) -> bool:
        """Whether nothing is hidden from this user."""
        return self._sees_all

    def holds_for(self, user: User) -> bool:
        """Tell whether the user's rights, and the default for new entities in Assist, are still the ones decided by."""
        if (
            self._options.assist_exposed_only
            and self._exposes_new != exposes_new_entities(self._hass)
        ):
            return False
        return user.permissions is self._permissions

    def sees(self, record: EntityRecord) -> bool:
        """Tell whether the user may see an entity."""
        if self._sees_all:
            return True
        known = self._decided.get(record.entity_id)
        if known is not None and known[0] is record:
            return known[1]
        decision = self._decide(record)
        self._decided[record.entity_id] = (record, decision)
        return decision

    def _decide(self, record: EntityRecord) -> bool:
        if not all(grant.lists_permit(record) for grant in self._hiding):
            return False
        if self._options.assist_exposed_only and not is_exposed(
            self._hass, record.entity_id
        ):
            return False
        return self._reads_all or self._permissions.check_entity(
            record.entity_id, POLICY_READ
        )
