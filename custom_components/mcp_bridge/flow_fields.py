"""Form fields that the options and the clients have in common."""

from collections.abc import Iterable, Mapping
import re
from typing import Any

import probatio as vol

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TargetSelector,
    TextSelector,
    TextSelectorConfig,
)

from .access.rules import EntityRule
from .const import (
    CONF_ALLOW_CAMERA,
    CONF_ALLOW_CONFIG_WRITE,
    CONF_ALLOW_RAW_API,
    CONF_ALLOW_WRITE,
    CONF_ENTITY_ALLOWLIST,
    CONF_ENTITY_DENYLIST,
    CONF_PATTERNS,
    CONF_TARGET,
    CONF_TOOLSETS,
)
from .tools import toolsets

type Fields = dict[vol.Marker, Any]

MAY_DO = (
    CONF_ALLOW_WRITE,
    CONF_ALLOW_CONFIG_WRITE,
    CONF_ALLOW_CAMERA,
    CONF_ALLOW_RAW_API,
)
_ENTITY_LISTS = (CONF_ENTITY_ALLOWLIST, CONF_ENTITY_DENYLIST)
# What can match an entity id: a domain, a dot and an object id, of which * may stand for any part. Anything else is a
# mistake that would silently do nothing.
_GLOB = re.compile(r"(?=.*[.*])[a-z0-9_*]+(\.[a-z0-9_*]+)?")


def switches(*names: str, on: bool = False) -> Fields:
    """Return switches that are off, or on, unless something else is stored."""
    return {vol.Required(name, default=on): BooleanSelector() for name in names}


def entity_lists(shown: Mapping[str, Any]) -> Fields:
    """Return the two entity lists. A list that has something in it is shown open."""
    return {
        vol.Required(name): section(
            vol.Schema(
                {
                    vol.Optional(CONF_PATTERNS): globs(),
                    vol.Optional(CONF_TARGET): TargetSelector(),
                }
            ),
            {"collapsed": EntityRule.from_option(shown.get(name)).is_empty},
        )
        for name in _ENTITY_LISTS
    }


def globs() -> TextSelector:
    """Return the selector of a list of glob patterns."""
    return TextSelector(TextSelectorConfig(multiple=True))


def toolset_choice() -> Fields:
    """Return the choice of the families of tools."""
    selector = SelectSelector(
        SelectSelectorConfig(
            options=toolsets(),
            multiple=True,
            mode=SelectSelectorMode.LIST,
            translation_key="toolset",
        )
    )
    return {vol.Required(CONF_TOOLSETS, default=toolsets()): selector}


def user_choice(users: Iterable[User], *, multiple: bool = False) -> SelectSelector:
    """Return the choice of one or several users, by name."""
    return SelectSelector(
        SelectSelectorConfig(
            options=[
                SelectOptionDict(value=user.id, label=user.name or user.id)
                for user in users
            ],
            multiple=multiple,
            mode=SelectSelectorMode.DROPDOWN,
            sort=True,
        )
    )


async def people(hass: HomeAssistant) -> list[User]:
    """Return the users who can log in."""
    users = await hass.auth.async_get_users()
    return [user for user in users if user.is_active and not user.system_generated]


def cleaned_lists(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with the patterns of their entity lists as they are matched."""
    cleaned = dict(stored)
    for name in _ENTITY_LISTS:
        entity_list = dict(stored.get(name, {}))
        if kept := cleaned_globs(entity_list.pop(CONF_PATTERNS, ())):
            entity_list[CONF_PATTERNS] = kept
        cleaned[name] = entity_list
    return cleaned


def cleaned_globs(typed: Iterable[str]) -> list[str]:
    """Return patterns in lower case, without blanks and empty rows."""
    return [glob for glob in (glob.strip().lower() for glob in typed) if glob]


def wrong_patterns(options: Mapping[str, Any]) -> list[str]:
    """Return the patterns of the entity lists that can match no entity."""
    return [
        glob
        for name in _ENTITY_LISTS
        for glob in options[name].get(CONF_PATTERNS, ())
        if not is_glob(glob)
    ]


def is_glob(glob: str) -> bool:
    """Tell whether a pattern can match what has a domain, a dot and a name: an entity id or a service."""
    return _GLOB.fullmatch(glob) is not None


def without_all_toolsets(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options without the families of tools where all are chosen: those to come are meant, too."""
    stored = dict(options)
    if set(toolsets()) <= set(stored.get(CONF_TOOLSETS, ())):
        del stored[CONF_TOOLSETS]
    return stored


def with_toolsets(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is stored, with the families of tools as a form shows them."""
    chosen = stored.get(CONF_TOOLSETS)
    shown = [name for name in toolsets() if chosen is None or name in chosen]
    return {**stored, CONF_TOOLSETS: shown}
