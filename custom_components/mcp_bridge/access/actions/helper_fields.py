"""What can be changed of a helper, compared and told."""

from collections.abc import Mapping
from typing import Any

from homeassistant.const import CONF_NAME
from homeassistant.core import HomeAssistant

from ...errors import some_of
from ...house.helper_store import Helper
from ...house.places import area_name
from ..refusals import Refusal, Rule

# The field of a helper that stands in the entity registry; the others are those of its configuration.
AREA = "area_id"

type Fields = Mapping[str, Any]


def fields(helper: Helper) -> dict[str, Any]:
    """Return what can be changed of a helper, in one."""
    return {**helper.config, AREA: helper.registry[AREA]}


def differing(before: Fields, after: Fields) -> list[str]:
    """Return the fields that differ; one that is None is not there."""
    return [
        key
        for key in dict.fromkeys((*before, *after))
        if before.get(key) != after.get(key)
    ]


def check_unchanged(entity_id: str, expected: Fields, present: Fields) -> None:
    """Raise a Refusal with the difference if a helper is not as expected any more."""
    changed = [
        f"{key} was {shown(expected.get(key))}, now {shown(present.get(key))}"
        for key in differing(expected, present)
    ]
    if changed:
        raise Refusal(
            Rule.CHANGED_SINCE,
            f"{entity_id} was changed since: {'; '.join(changed[:4])}. Nothing was changed.",
            "Ask the person what they want now.",
        )


def told(hass: HomeAssistant, helper: Helper) -> dict[str, Any]:
    """Return a helper for an answer."""
    registry = helper.registry
    answer = {"entity_id": helper.entity_id} | definition(
        hass, helper.type, helper.config, registry.get(AREA)
    )
    if registry.get("name"):
        # It was given in the entity's own settings, and wins over the name of the helper.
        answer["shown_as"] = registry["name"]
    if registry.get("disabled_by"):
        answer["disabled"] = True
    return answer


def definition(
    hass: HomeAssistant, helper_type: str, config: Fields, area_id: str | None
) -> dict[str, Any]:
    """Return a configuration for an answer, without the options that are not set."""
    options = {
        key: value
        for key, value in config.items()
        if key != CONF_NAME and value is not None
    }
    answer = {
        "helper_type": helper_type,
        "name": config[CONF_NAME],
        "options": options,
    }
    return answer | ({"area": area_name(hass, area_id)} if area_id else {})


def readable(hass: HomeAssistant, given: Fields, keys: list[str]) -> dict[str, Any]:
    """Return some of the fields, with the name of the area instead of its id."""
    chosen = {key: given.get(key) for key in keys if key != AREA}
    if AREA in keys:
        chosen["area"] = area_name(hass, given.get(AREA))
    return chosen


def shown(value: Any) -> str:
    """Return a value on one line, shortened."""
    return "not set" if value is None else some_of((str(value),), longest=60)
