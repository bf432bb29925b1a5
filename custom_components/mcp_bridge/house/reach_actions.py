"""What the actions of a script, automation or template entity call, read without running them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.const import (
    ATTR_AREA_ID,
    ATTR_DEVICE_ID,
    ATTR_ENTITY_ID,
    ATTR_FLOOR_ID,
    ATTR_LABEL_ID,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.template import Template

from .call_data import has_template, is_template, means_entities, strings_of
from .entity_services import entity_scope
from .made_entities import field_of_made

# Anything in the house.
ANYTHING = "*"

_TARGET_KEYS = (
    ATTR_ENTITY_ID,
    ATTR_DEVICE_ID,
    ATTR_AREA_ID,
    ATTR_FLOOR_ID,
    ATTR_LABEL_ID,
)
# Members are of the same domain as what they are joined to.
_MEMBER_KEYS = ("group_members", "members")
_SERVICE_KEYS = ("action", "service", "service_template")
_DATA_KEYS = ("data", "data_template")
# Blocks of further actions, and the keys of their own that they may stand under.
_BLOCK_KEYS = ("sequence", "then", "else", "default", "parallel", "choose", "repeat")


@dataclass(frozen=True, slots=True)
class ServiceStep:
    """A service call out of a sequence. `service` is None when a template makes it up."""

    service: str | None
    target: Mapping[Any, Any] = field(default_factory=dict)
    data: Mapping[Any, Any] = field(default_factory=dict)
    # The target or data as a whole is a template.
    all_templated: bool = False


@dataclass(frozen=True, slots=True)
class DeviceStep:
    """A device action: it acts on the one entity, else on the whole device."""

    domain: str
    type: str
    ids: Mapping[str, Any]


type Step = ServiceStep | DeviceStep


def steps_of(sequence: Any) -> Iterator[Step]:
    """Yield all calls in a sequence, whatever the conditions around them; steps that are disabled for good are left out.

    Takes a validated sequence as well as a raw one. Every key that could be a call counts, also where Home Assistant
    would go by another one of the step. Events that a step fires cannot be followed.
    """
    waiting = [sequence]
    while waiting:
        step = waiting.pop()
        if isinstance(step, list | tuple):
            waiting += reversed(step)
        elif isinstance(step, Mapping) and step.get("enabled") is not False:
            yield from _calls(step)
            waiting += [step[key] for key in _BLOCK_KEYS if key in step][::-1]


def _calls(step: Mapping[Any, Any]) -> Iterator[Step]:
    for key in _SERVICE_KEYS:
        if key in step:
            yield _service_step(step, step[key])
    if (scene := step.get("scene")) is not None:
        yield ServiceStep("scene.turn_on", {ATTR_ENTITY_ID: scene})
    if ATTR_DEVICE_ID in step and "domain" in step and "condition" not in step:
        key = ATTR_ENTITY_ID if step.get(ATTR_ENTITY_ID) else ATTR_DEVICE_ID
        yield DeviceStep(
            str(step["domain"]), str(step.get("type", "")), {key: step[key]}
        )


def _service_step(step: Mapping[Any, Any], service: Any) -> ServiceStep:
    target: dict[Any, Any] = {}
    data: dict[Any, Any] = {}
    all_templated = False
    for into, keys in ((target, ("target",)), (data, _DATA_KEYS)):
        for key in keys:
            value = step.get(key)
            if isinstance(value, Mapping):
                into.update(value)
            elif value is not None:
                all_templated = True
    if ATTR_ENTITY_ID in step:
        # Home Assistant lets this legacy key overrule the target; here both count.
        target[ATTR_ENTITY_ID] = [target.get(ATTR_ENTITY_ID), step[ATTR_ENTITY_ID]]
    literal = isinstance(service, str) and not is_template(service)
    return ServiceStep(
        service.strip().lower() if literal else None, target, data, all_templated
    )


def open_domains_of(hass: HomeAssistant, step: ServiceStep) -> frozenset[str]:
    """Return the domains of which any entity may be acted on, because a template says which one."""
    if step.service is None:
        return frozenset({ANYTHING})
    domain, _, service = step.service.partition(".")
    found: set[str] = set()
    if _is_target_templated(step, domain):
        scope = entity_scope(hass, domain, service)
        if scope is None:
            return frozenset({ANYTHING})
        if scope.entities is None:
            found.add(scope.domain)
        else:
            found |= {id_.partition(".")[0] for id_ in scope.entities} or {ANYTHING}
    if domain != "script":
        found |= _domains_in_data(hass, step.data)
    field_name = field_of_made(step.service)
    if field_name is not None and has_template(step.data.get(field_name)):
        found.add(domain)
    return frozenset(found)


def _is_target_templated(step: ServiceStep, domain: str) -> bool:
    if step.all_templated or has_template(step.target):
        return True
    if domain == "script":
        # What a script gets as variables counts where its own actions use it.
        return has_template({key: step.data.get(key) for key in _TARGET_KEYS})
    return any(
        is_template(text)
        for key, text in strings_of(step.data)
        if key in _TARGET_KEYS or key in _MEMBER_KEYS
    )


def _domains_in_data(hass: HomeAssistant, data: Mapping[Any, Any]) -> set[str]:
    """Return the domains of templated entities that are not the target, as far as their key tells them."""
    keys = {
        key
        for key, text in strings_of(data)
        if means_entities(key)
        and key not in (*_TARGET_KEYS, *_MEMBER_KEYS)
        and is_template(text)
    }
    domains = {key.removesuffix("s").removesuffix(f"_{ATTR_ENTITY_ID}") for key in keys}
    return {
        domain if hass.states.async_entity_ids(domain) else ANYTHING
        for domain in domains
    }


def written(value: Any) -> Iterator[str]:
    """Yield a definition in small texts of a stable order, for a fingerprint."""
    if isinstance(value, Mapping):
        yield "{"
        for key, item in sorted(value.items(), key=lambda pair: str(pair[0])):
            yield f"{key!r}:"
            yield from written(item)
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for item in value:
            yield from written(item)
        yield "]"
    elif isinstance(value, set | frozenset):
        yield repr(sorted(map(str, value)))
    else:
        yield f"{_written_plainly(value)},"


def _written_plainly(value: Any) -> str:
    if isinstance(value, Template):
        return repr(value.template)
    if value is None or isinstance(value, str | int | float | bool):
        return repr(value)
    text = str(value)
    # The address of an object is another one after each restart.
    return type(value).__name__ if " at 0x" in text else text
