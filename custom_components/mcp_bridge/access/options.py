"""The options in force, read once whenever they change."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
import re
from typing import Any, Self

from ..const import (
    CONF_ALLOW_CAMERA,
    CONF_ALLOW_CONFIG_WRITE,
    CONF_ALLOW_RAW_API,
    CONF_ALLOW_WRITE,
    CONF_ANNOUNCEMENT_LIMIT,
    CONF_APPROVAL,
    CONF_APPROVAL_PHONE,
    CONF_APPROVERS,
    CONF_ASSIST_EXPOSED_ONLY,
    CONF_CONFIRM_DOMAINS,
    CONF_ENTITY_ALLOWLIST,
    CONF_ENTITY_DENYLIST,
    CONF_FILTER_READS,
    CONF_NOTIFICATION_LIMIT,
    CONF_REQUIRE_ADMIN,
    CONF_SERVICE_DENYLIST,
    CONF_TOOLSETS,
    CONF_WRITE_LIMIT,
    DEFAULT_ANNOUNCEMENT_LIMIT,
    DEFAULT_CONFIRM_DOMAINS,
    DEFAULT_NOTIFICATION_LIMIT,
    DEFAULT_SERVICE_DENYLIST,
    DEFAULT_WRITE_LIMIT,
)
from ..house.records import EntityRecord
from ..models import Kind
from .rules import EntityRule, compile_globs

_SWITCHES = {
    CONF_ALLOW_WRITE: Kind.WRITE,
    CONF_ALLOW_CONFIG_WRITE: Kind.CONFIG_WRITE,
    CONF_ALLOW_CAMERA: Kind.CAMERA,
    CONF_ALLOW_RAW_API: Kind.RAW,
}
_ACTING = frozenset((Kind.WRITE, Kind.CONFIG_WRITE, Kind.RAW))


class Approval(StrEnum):
    """How a person agrees to a change that needs it."""

    # In the client, where it can ask its user; else as TOKEN.
    ASK = "ask"
    # The assistant shows a preview, and repeats the call with the token from it.
    TOKEN = "token"
    # By a button in a notification on a phone.
    PHONE = "phone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What is granted, to all assistants together or to one client.

    kinds: the kinds of tools; reading always is among them.
    toolsets: the families of tools; None for all.
    filter_reads: the entity lists hide entities from reads, too; without it they only keep them from being controlled.
    allow: unless it is empty, everything that it does not name is closed.
    deny: closes what it names, and wins over `allow`.
    """

    kinds: frozenset[Kind] = frozenset((Kind.READ,))
    toolsets: frozenset[str] | None = None
    filter_reads: bool = False
    allow: EntityRule = EntityRule()
    deny: EntityRule = EntityRule()

    def lists_permit(self, record: EntityRecord) -> bool:
        """Tell whether the entity lists leave an entity open."""
        return (
            self.allow.is_empty or self.allow.matches(record)
        ) and not self.deny.matches(record)

    @property
    def has_lists(self) -> bool:
        """Whether the entity lists close anything."""
        return not (self.allow.is_empty and self.deny.is_empty)

    @property
    def lists_without_effect(self) -> bool:
        """Whether something stands in a list that neither hides anything nor keeps it from being controlled."""
        acts = not _ACTING.isdisjoint(self.kinds)
        return self.has_lists and not (self.filter_reads or acts)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessOptions(Grant):
    """What assistants may see and do, for all of them together.

    assist_exposed_only: whatever is not exposed to Assist is closed.
    require_admin: users who are no administrators get in only as a client.
    denied_services: services that are never called; None for none.
    confirm_domains: domains whose services, and whose entities, are touched only when a person agrees; None for none.
    approval: how a person agrees. phone: the notify service, approvers: the ids of the users whose answer counts.
    limits: changes per minute: messages to one target, announcements on one speaker, changes by one client.
    """

    assist_exposed_only: bool = False
    require_admin: bool = True
    denied_services: re.Pattern[str] | None = compile_globs(DEFAULT_SERVICE_DENYLIST)
    confirm_domains: re.Pattern[str] | None = compile_globs(DEFAULT_CONFIRM_DOMAINS)
    approval: Approval = Approval.ASK
    approval_phone: str | None = None
    approvers: frozenset[str] = frozenset()
    notification_limit: int = DEFAULT_NOTIFICATION_LIMIT
    announcement_limit: int = DEFAULT_ANNOUNCEMENT_LIMIT
    write_limit: int = DEFAULT_WRITE_LIMIT

    @classmethod
    def from_entry_options(cls, options: Mapping[str, Any]) -> Self:
        """Read the options of the config entry."""
        return cls(
            **read_grant(options),
            assist_exposed_only=options.get(CONF_ASSIST_EXPOSED_ONLY, False),
            require_admin=options.get(CONF_REQUIRE_ADMIN, True),
            denied_services=compile_globs(
                options.get(CONF_SERVICE_DENYLIST, DEFAULT_SERVICE_DENYLIST)
            ),
            confirm_domains=compile_globs(
                options.get(CONF_CONFIRM_DOMAINS, DEFAULT_CONFIRM_DOMAINS)
            ),
            approval=Approval(options.get(CONF_APPROVAL, Approval.ASK)),
            approval_phone=options.get(CONF_APPROVAL_PHONE),
            approvers=frozenset(options.get(CONF_APPROVERS, ())),
            notification_limit=int(
                options.get(CONF_NOTIFICATION_LIMIT, DEFAULT_NOTIFICATION_LIMIT)
            ),
            announcement_limit=int(
                options.get(CONF_ANNOUNCEMENT_LIMIT, DEFAULT_ANNOUNCEMENT_LIMIT)
            ),
            write_limit=int(options.get(CONF_WRITE_LIMIT, DEFAULT_WRITE_LIMIT)),
        )

    def denies_service(self, service: str) -> bool:
        """Tell whether a service, such as light.turn_on, is never called."""
        return _matches(self.denied_services, service)

    def confirms(self, domain: str) -> bool:
        """Tell whether a person has to agree before anything of a domain is touched."""
        return _matches(self.confirm_domains, domain)


def read_grant(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a Grant, as the config entry and its clients store them."""
    toolsets: Iterable[str] | None = stored.get(CONF_TOOLSETS)
    switched_on = (kind for name, kind in _SWITCHES.items() if stored.get(name))
    return {
        "kinds": frozenset((Kind.READ, *switched_on)),
        "toolsets": None if toolsets is None else frozenset(toolsets),
        "filter_reads": stored.get(CONF_FILTER_READS, False),
        "allow": EntityRule.from_option(stored.get(CONF_ENTITY_ALLOWLIST)),
        "deny": EntityRule.from_option(stored.get(CONF_ENTITY_DENYLIST)),
    }


def _matches(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is not None and pattern.fullmatch(text) is not None


def with_renamed_entity(
    options: Mapping[str, Any], old: str, new: str
) -> dict[str, Any] | None:
    """Return the options of the config entry, or of a client, with the new id of an entity; None if the old one is not in them.

    An entity that is closed by its id stays closed under another one. Its old id stays closed, too: the old state may
    be there for a while yet. A pattern with `*` is left as it is.
    """
    replaced = {CONF_ENTITY_ALLOWLIST: [new], CONF_ENTITY_DENYLIST: [old, new]}
    changed = {
        name: _replaced(value, old, replaced[name]) if name in replaced else value
        for name, value in options.items()
    }
    return changed if changed != options else None


def _replaced(value: Any, old: str, new: list[str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _replaced(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        ids = [ids for inner in value for ids in (new if inner == old else [inner])]
        return list(dict.fromkeys(ids))
    return new if value == old else value
