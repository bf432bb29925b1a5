"""What is set off by pressing a button or activating a scene: actions of which that is a trigger."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
import re
from typing import Any

from homeassistant.const import ATTR_DEVICE_ID
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import DATA_DOMAIN_ENTITIES

from ..errors import InvalidArguments
from .call_data import has_template, is_template, strings_of
from .targets import resolve_now
from .turns import Work

# Pressing or activating one of these is an event of its own that automations are made for.
PRESSABLE = frozenset({"button", "input_button", "scene"})

# Events that tell of everything that is pressed, unless their data says of what.
_TELLING_EVENTS = frozenset({"call_service", "state_changed", "state_reported"})
_CALLED_DOMAINS = PRESSABLE | {"homeassistant"}

_DOTTED = re.compile(r"\w+(?:\s*\.\s*\w+)+")
_SUBSCRIPT = re.compile(r"""\s*\[\s*(['"])([\w.]+)\1\s*\]""")
# Templates that may make up an id, or go through entities without naming them; read after `_SUBSCRIPT` is dotted.
_DYNAMIC = re.compile(
    r"""
    ~ | \\ | (?<!\{)%(?!\}) | ['"]\s*\+ | \+\s*['"] | ['"]\s*['"]
    | \b(?:attr|expand|extends|format|from|import|include|join|map|replace|reject\w*|select\w*|\w+_entities)\b
    | \bstates\b (?! \s*\(\s*['"] | \s*\.\s*\w+\s*\.\s*\w )
    | \b(?:has_value|is_state|is_state_attr|state_attr|state_attr_translated|state_translated)\s*\(\s*(?!['"\s])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class SetOff:
    """Actions that are set off: those of an automation, or a sequence that belongs to nothing that could be called."""

    automation_id: str | None = None
    sequence: Any = None


class TriggerReader:
    """Reads the triggers of the whole house, once."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the house; `load` does the reading."""
        self._hass = hass
        self._loaded = False
        self._by_entity: defaultdict[str, list[SetOff]] = defaultdict(list)
        # By whatever is pressed.
        self._by_any: list[SetOff] = []

    def load(self) -> Work[None]:
        """Read all triggers, unless that has been done."""
        if self._loaded:
            return
        self._loaded = True
        for triggers, what in list(self._all()):
            for trigger in _each(triggers):
                entity_ids = self._entities_of(trigger)
                if entity_ids is None:
                    self._by_any.append(what)
                for entity_id in entity_ids or ():
                    self._by_entity[entity_id].append(what)
            yield

    def set_off_by(self, entity_id: str) -> list[SetOff]:
        """Return what is set off by pressing or activating an entity; nothing for one of another kind."""
        if entity_id.partition(".")[0] not in PRESSABLE:
            return []
        return [*self._by_entity.get(entity_id, ()), *self._by_any]

    def _all(self) -> Iterator[tuple[Any, SetOff]]:
        """Yield triggers with their actions: of automations that are on, and of template entities."""
        live = self._hass.data.get(DATA_DOMAIN_ENTITIES, {})
        for automation in live.get("automation", {}).values():
            if getattr(automation, "is_on", False):
                what = SetOff(automation.entity_id)
                config = getattr(automation, "raw_config", None)
                if not isinstance(config, Mapping):
                    # Nobody knows what its triggers are, so they are as good as any.
                    config = {"trigger": {"trigger": "template"}}
                for key in ("triggers", "trigger"):
                    yield config.get(key), what
        coordinators = self._hass.data.get("template")
        for item in coordinators if isinstance(coordinators, list) else ():
            config = getattr(item, "config", None)
            if isinstance(config, Mapping) and config.get("actions"):
                yield config.get("triggers"), SetOff(sequence=config["actions"])

    def _entities_of(self, trigger: Mapping[Any, Any]) -> set[str] | None:
        """Return the entities that a trigger is about, None for all that can be pressed."""
        try:
            found = self._named_by(trigger)
        except InvalidArguments:
            # Too large to be looked through.
            return None
        kind = trigger.get("trigger", trigger.get("platform"))
        if kind == "template":
            return self._entities_of_template(trigger, found)
        if kind == "event" and not found and _tells_of_presses(trigger):
            return None
        return None if has_template(trigger.get("target")) else found

    def _named_by(self, trigger: Mapping[Any, Any]) -> set[str]:
        """Return the entities that a trigger names, and those in its places."""
        targets = resolve_now(self._hass, "", "", {}, {"trigger": trigger})
        is_device = trigger.get("trigger", trigger.get("platform")) == "device"
        if is_device and targets.in_data:
            # It names the device beside the entity that it is about.
            rest = {k: value for k, value in trigger.items() if k != ATTR_DEVICE_ID}
            targets = resolve_now(self._hass, "", "", {}, {"trigger": rest})
        found = {*targets.in_data, *targets.expanded}
        for _key, text in strings_of(trigger):
            if is_template(text):
                found.update(self._in_template(text))
        return found

    def _in_template(self, text: str) -> Iterator[str]:
        """Yield the entities in a template: states('light.a'), states.light.a.state, states['light']['a']."""
        for chain in _DOTTED.findall(_SUBSCRIPT.sub(r".\2", text)):
            words = re.split(r"\s*\.\s*", chain.lower())
            for domain, name in zip(words, words[1:], strict=False):
                if self._exists(entity_id := f"{domain}.{name}"):
                    yield entity_id

    def _entities_of_template(
        self, trigger: Mapping[Any, Any], found: set[str]
    ) -> set[str] | None:
        dynamic = any(
            _DYNAMIC.search(_SUBSCRIPT.sub(r".\2", text))
            for _key, text in strings_of(trigger)
            if is_template(text)
        )
        return found if found and not dynamic else None

    def _exists(self, entity_id: str) -> bool:
        registry = er.async_get(self._hass)
        return (
            entity_id in registry.entities
            or self._hass.states.get(entity_id) is not None
        )


def _each(triggers: Any) -> Iterator[Mapping[Any, Any]]:
    """Yield the triggers that are not disabled for good, in whatever lists they stand."""
    waiting = [triggers]
    while waiting:
        trigger = waiting.pop()
        if isinstance(trigger, list | tuple):
            waiting += trigger
        elif isinstance(trigger, Mapping) and trigger.get("enabled") is not False:
            if "triggers" in trigger:
                waiting.append(trigger["triggers"])
            else:
                yield trigger


def _tells_of_presses(trigger: Mapping[Any, Any]) -> bool:
    """Tell whether an event that names no entity may come of anything that is pressed."""
    kinds = [text for _key, text in strings_of(trigger.get("event_type"))]
    if not any(is_template(kind) or kind in _TELLING_EVENTS for kind in kinds):
        return False
    data = trigger.get("event_data")
    domain = data.get("domain") if isinstance(data, Mapping) else None
    literal = isinstance(domain, str) and not is_template(domain)
    return not literal or domain in _CALLED_DOMAINS


def automation_ids(actions: Iterable[SetOff]) -> list[str]:
    """Return the automations among what is set off, in order."""
    return sorted({item.automation_id for item in actions if item.automation_id})
