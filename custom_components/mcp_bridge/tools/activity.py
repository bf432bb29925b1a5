"""What is going on: which entities are on, open or awake, the word for it, and what matters most."""

from homeassistant.core import State

from ..house.records import EntityRecord

_ACTIVE_STATES = frozenset(
    [
        "on",
        "open",
        "opening",
        "playing",
        "heat",
        "cool",
        "heat_cool",
        "auto",
        "dry",
        "fan_only",
        "unlocked",
        "jammed",
        "cleaning",
        "mowing",
        "pending",
        "triggered",
    ]
)
# Domains that are switched on for good, and domains whose state is a value, which may be any word.
_NEVER_ACTIVE = frozenset(
    [
        "automation",
        "update",
        "input_boolean",
        "sensor",
        "select",
        "input_select",
        "text",
        "input_text",
        "event",
        "weather",
    ]
)
# What it means that a binary sensor is on.
_ON_WORDS = {
    "battery": "low",
    "carbon_monoxide": "detected",
    "connectivity": "connected",
    "door": "open",
    "garage_door": "open",
    "gas": "detected",
    "lock": "unlocked",
    "moisture": "wet",
    "motion": "detected",
    "occupancy": "detected",
    "opening": "open",
    "plug": "plugged in",
    "presence": "detected",
    "problem": "problem",
    "safety": "unsafe",
    "smoke": "detected",
    "tamper": "tampering",
    "window": "open",
}
_FIRST = frozenset(["alarm_control_panel", "binary_sensor", "cover", "lock", "valve"])
_LAST = frozenset(
    [
        "calendar",
        "device_tracker",
        "group",
        "media_player",
        "remote",
        "schedule",
        "script",
        "timer",
    ]
)


def activity(record: EntityRecord, state: State | None) -> str | None:
    """Return the word for what an entity is doing, such as on, open or unlocked.

    None for one that is off or closed, or that is a setting, a diagnostic value or an automation that is enabled.
    """
    if state is None or state.state not in _ACTIVE_STATES:
        return None
    if record.category or record.hidden or record.domain in _NEVER_ACTIVE:
        return None
    if record.domain == "binary_sensor" and state.state == "on":
        return _ON_WORDS.get(record.device_class or "", "on")
    return state.state


def rank(record: EntityRecord) -> int:
    """Return the place in a short list: doors, locks and alarms before lights, these before what only plays or waits."""
    if record.domain in _FIRST:
        return 0
    return 2 if record.domain in _LAST else 1
