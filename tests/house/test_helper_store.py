"""Helpers are created, changed and deleted without losing anything."""

import logging
from typing import Any

import pytest

from custom_components.mcp_bridge.errors import (
    Failed,
    InvalidArguments,
    NotFound,
    Unavailable,
)
from custom_components.mcp_bridge.house import helper_store
from custom_components.mcp_bridge.house.helper_store import Helper
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.collection import DictStorageCollection
from homeassistant.setup import async_setup_component

TYPES = helper_store.helper_types()
# The least that a helper of each kind needs, besides the name.
LEAST: dict[str, dict[str, Any]] = {
    "input_boolean": {},
    "input_number": {"min": 0, "max": 10},
    "input_select": {"options": ["day", "night"]},
    "input_text": {},
    "input_datetime": {"has_time": True},
    "counter": {},
    "timer": {},
}
NUMBER = {
    "min": 1,
    "max": 9,
    "initial": 3,
    "step": 0.5,
    "unit_of_measurement": "°C",
    "mode": "box",
    "icon": "mdi:thermometer",
}


@pytest.fixture(autouse=True)
async def helpers(hass: HomeAssistant) -> None:
    """Load the integrations of all helpers."""
    for helper_type in TYPES:
        assert await async_setup_component(hass, helper_type, {})


def stored(hass_storage: dict[str, Any], helper_type: str) -> list[dict[str, Any]]:
    """Return the helpers of a kind as they are on disk."""
    items: list[dict[str, Any]] = hass_storage[helper_type]["data"]["items"]
    return items


@pytest.mark.parametrize("helper_type", TYPES)
async def test_life_of_a_helper(
    hass: HomeAssistant, hass_storage: dict[str, Any], helper_type: str
) -> None:
    """Every kind is created, found, renamed and deleted, and each time is on disk at once."""
    helper = await helper_store.create(
        hass, helper_type, "Été à la mer", LEAST[helper_type]
    )

    assert helper.entity_id == f"{helper_type}.ete_a_la_mer"
    assert (helper.id, helper.type) == ("ete_a_la_mer", helper_type)
    assert helper.config["name"] == "Été à la mer"
    assert hass.states.get(helper.entity_id) is not None
    assert stored(hass_storage, helper_type) == [{"id": helper.id, **helper.config}]
    assert helper_store.find(hass, helper.entity_id) == helper

    renamed = await helper_store.update(hass, helper.entity_id, {"name": "Mer"})

    assert renamed.config == {**helper.config, "name": "Mer"}
    assert renamed.entity_id == helper.entity_id
    assert stored(hass_storage, helper_type) == [{"id": helper.id, **renamed.config}]
    state = hass.states.get(helper.entity_id)
    assert state is not None
    assert state.name == "Mer"

    assert await helper_store.delete(hass, helper.entity_id) == renamed

    assert hass.states.get(helper.entity_id) is None
    assert er.async_get(hass).async_get(helper.entity_id) is None
    assert stored(hass_storage, helper_type) == []
    with pytest.raises(NotFound):
        helper_store.find(hass, helper.entity_id)


@pytest.mark.parametrize("helper_type", TYPES)
def test_the_private_way_still_leads_there(
    hass: HomeAssistant, helper_type: str
) -> None:
    """Home Assistant has no public way to its collections; this fails when a release moves them."""
    collection = helper_store._collection(hass, helper_type)  # noqa: SLF001

    assert isinstance(collection, DictStorageCollection)
    assert collection.store.key == helper_type


async def test_rename_keeps_everything_else(hass: HomeAssistant) -> None:
    """Home Assistant's own update command replaces all of it."""
    helper = await helper_store.create(hass, "input_number", "Target", NUMBER)

    renamed = await helper_store.update(hass, helper.entity_id, {"name": "Aim"})

    assert renamed.config == {**NUMBER, "name": "Aim"}


async def test_none_removes_an_option(hass: HomeAssistant) -> None:
    """The others stay; one with a default gets that."""
    helper = await helper_store.create(hass, "input_number", "Target", NUMBER)

    changed = await helper_store.update(
        hass, helper.entity_id, {"initial": None, "step": None, "max": 20}
    )

    rest = {key: value for key, value in NUMBER.items() if key != "initial"}
    assert changed.config == {**rest, "name": "Target", "step": 1, "max": 20}


async def test_timer_without_its_duration(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """Home Assistant cannot store the default of it."""
    helper = await helper_store.create(hass, "timer", "Tea", {"duration": "36:00:05"})
    assert helper.config["duration"] == "36:00:05"
    kept = await helper_store.update(hass, helper.entity_id, {"name": "Egg"})
    assert kept.config["duration"] == "36:00:05"

    changed = await helper_store.update(hass, helper.entity_id, {"duration": None})

    assert changed.config["duration"] == "0:00:00"
    assert stored(hass_storage, "timer")[0]["duration"] == "0:00:00"


async def test_none_on_creation_is_not_given(hass: HomeAssistant) -> None:
    """Assistants send null for what they leave out."""
    helper = await helper_store.create(
        hass, "counter", "Cups", {"icon": None, "minimum": None, "step": 2}
    )

    assert helper.config["step"] == 2
    assert "icon" not in helper.config


async def test_same_name_gets_another_id(hass: HomeAssistant) -> None:
    """As in the user interface."""
    ids = [
        (await helper_store.create(hass, "input_boolean", "Guests", {})).entity_id
        for _ in range(3)
    ]

    assert ids == [
        "input_boolean.guests",
        "input_boolean.guests_2",
        "input_boolean.guests_3",
    ]


@pytest.mark.parametrize(
    ("helper_type", "options", "words"),
    [
        ("input_number", {}, ["min"]),
        ("input_number", {"min": 5, "max": 5}, ["not greater"]),
        ("input_number", {"min": "low", "max": 5}, ["option min", "float"]),
        ("input_number", {"min": 0, "max": "inf"}, ["max", "finite"]),
        ("input_number", {"min": "nan", "max": 5}, ["min", "finite"]),
        ("input_number", {"min": 0, "max": 5, "initial": 6}, ["6.0", "0.0-5.0"]),
        ("input_number", {"min": 0, "max": 5, "mode": "knob"}, ["option mode"]),
        ("input_number", {"min": 0, "max": 5, "step": 0}, ["option step"]),
        ("input_select", {"options": []}, ["option options"]),
        ("input_select", {"options": ["a", "a"]}, ["Duplicate"]),
        ("input_select", {"options": [{"a": 1}, []]}, ["options"]),
        ("input_select", {"options": ["a"], "initial": "b"}, ["initial", "b"]),
        ("input_text", {"min": 5, "max": 2}, ["not greater"]),
        ("input_text", {"max": 100_000}, ["option max"]),
        ("input_datetime", {}, ["date or a time"]),
        ("input_datetime", {"has_date": True, "initial": "soon"}, ["soon"]),
        ("counter", {"step": -1}, ["option step"]),
        ("counter", {"initial": float("inf")}, ["counter"]),
        ("timer", {"duration": "soon"}, ["option duration"]),
        ("timer", {"duration": 1e308}, ["timer"]),
        ("input_boolean", {"icon": "lamp"}, ["option icon"]),
        ("input_boolean", {"initial": [1]}, ["option initial"]),
        ("input_boolean", {"intial": True}, ["no option intial"]),
        ("input_boolean", {"id": "mine"}, ["no option id"]),
        ("input_boolean", {"x": 1, "y": 2}, ["no option x, y"]),
        ("input_boolean", {"name": ""}, ["option name"]),
        ("input_boolean", {"name": 5}, ["option name"]),
        ("input_boolean", {"name": "long " * 60}, ["too long"]),
        ("input_boolean", {"name": None}, ["option name"]),
        ("light", {}, ["'light'"]),
    ],
)
async def test_what_does_not_fit_is_named(
    hass: HomeAssistant,
    caplog: pytest.LogCaptureFixture,
    helper_type: str,
    options: dict[str, Any],
    words: list[str],
) -> None:
    """The message names the option and what is wrong; nothing is left behind."""
    with pytest.raises(InvalidArguments) as refusal:
        await helper_store.create(hass, helper_type, "Name", options)

    assert [word for word in words if word not in refusal.value.message] == []
    assert hass.states.async_entity_ids(TYPES) == []
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("intial", "Did you mean initial?"),
        ("zzz", "Its options are: name, min, max, initial,"),
    ],
)
async def test_unknown_option_gets_a_hint(
    hass: HomeAssistant, option: str, hint: str
) -> None:
    """A near one, else all of them."""
    with pytest.raises(InvalidArguments) as refusal:
        await helper_store.create(hass, "input_number", "Name", {option: 1})

    assert refusal.value.hint is not None
    assert refusal.value.hint.startswith(hint)


async def test_refused_update_changes_nothing(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """Not even what would have fitted."""
    helper = await helper_store.create(hass, "input_number", "Target", NUMBER)

    for changes in ({"max": 0, "name": "Aim"}, {"min": None}, {"id": "x"}):
        with pytest.raises(InvalidArguments):
            await helper_store.update(hass, helper.entity_id, changes)

    assert helper_store.find(hass, helper.entity_id) == helper
    assert stored(hass_storage, "input_number") == [{"id": "target", **helper.config}]


async def test_replace_takes_away_what_is_not_named(hass: HomeAssistant) -> None:
    """So that a change can be taken back as a whole."""
    helper = await helper_store.create(
        hass, "input_number", "Target", {"min": 0, "max": 5}
    )
    changed = await helper_store.update(hass, helper.entity_id, NUMBER)
    assert changed.fingerprint != helper.fingerprint

    back = await helper_store.replace(hass, helper.entity_id, helper.config)

    assert back == helper
    assert back.fingerprint == helper.fingerprint


def test_fields() -> None:
    """What must be given stands first."""
    assert helper_store.fields("input_datetime") == (
        "name",
        "has_date",
        "has_time",
        "icon",
        "initial",
    )
    assert helper_store.fields("counter")[0] == "name"
    with pytest.raises(InvalidArguments):
        helper_store.fields("light")


@pytest.mark.parametrize(
    ("entity_id", "error"),
    [
        ("light.lamp", InvalidArguments),
        ("input_boolean.missing", NotFound),
        ("input_boolean." + "x" * 500, NotFound),
    ],
)
async def test_no_helper(
    hass: HomeAssistant, entity_id: str, error: type[Exception]
) -> None:
    """The wrong domain, and nothing there."""
    with pytest.raises(error):
        await helper_store.delete(hass, entity_id)


async def test_renamed_helper(hass: HomeAssistant) -> None:
    """The unique id leads to it, whatever it is called now."""
    helper = await helper_store.create(hass, "input_number", "Target", NUMBER)
    er.async_get(hass).async_update_entity(
        helper.entity_id, new_entity_id="input_number.aim"
    )
    await hass.async_block_till_done()

    found = helper_store.find(hass, "input_number.aim")
    assert found.id == "target"
    changed = await helper_store.update(hass, "input_number.aim", {"max": 30})
    state = hass.states.get("input_number.aim")
    assert state is not None
    assert (changed.config["max"], state.attributes["max"]) == (30, 30)
    await helper_store.delete(hass, "input_number.aim")
    assert hass.states.get("input_number.aim") is None


async def test_disabled_helper_is_truly_removed(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """It has no state, but it is there."""
    helper = await helper_store.create(hass, "counter", "Cups", {})
    registry = er.async_get(hass)
    registry.async_update_entity(
        helper.entity_id, disabled_by=er.RegistryEntryDisabler.USER
    )
    await hass.async_block_till_done()
    assert hass.states.get(helper.entity_id) is None

    changed = await helper_store.update(hass, helper.entity_id, {"step": 3})
    assert changed.config["step"] == 3
    deleted = await helper_store.delete(hass, helper.entity_id)

    assert deleted.registry["disabled_by"] == "user"
    assert registry.async_get(helper.entity_id) is None
    assert stored(hass_storage, "counter") == []


async def test_entity_of_another_integration(hass: HomeAssistant) -> None:
    """It only has the domain of a helper."""
    entry = er.async_get(hass).async_get_or_create("timer", "kitchen_app", "1")

    with pytest.raises(InvalidArguments, match="kitchen_app"):
        helper_store.find(hass, entry.entity_id)


async def test_entity_without_a_registry_entry(hass: HomeAssistant) -> None:
    """It is not managed in the user interface."""
    hass.states.async_set("counter.loose", "1")

    with pytest.raises(InvalidArguments, match="not in the entity registry"):
        helper_store.find(hass, "counter.loose")


async def test_registry_entry_without_a_helper(hass: HomeAssistant) -> None:
    """A leftover."""
    entry = er.async_get(hass).async_get_or_create("timer", "timer", "gone")

    with pytest.raises(NotFound, match="no helper behind it"):
        helper_store.find(hass, entry.entity_id)


async def test_place_that_is_not_known(hass: HomeAssistant) -> None:
    """A later release may keep its helpers elsewhere: that is told, not guessed."""

    def create(*args: Any) -> None:
        """Stand for a command of another make."""

    hass.data["websocket_api"]["counter/create"] = (create, False)

    with pytest.raises(Failed, match="not known"):
        await helper_store.create(hass, "counter", "Cups", {})

    del hass.data["websocket_api"]["counter/create"]
    with pytest.raises(Unavailable, match="not loaded"):
        await helper_store.create(hass, "counter", "Cups", {})


async def test_definition_is_not_the_live_one(hass: HomeAssistant) -> None:
    """What is returned may be changed without changing the helper."""
    helper = await helper_store.create(hass, "input_boolean", "Guests", {})

    helper.config["name"] = "Nobody"

    assert helper_store.find(hass, helper.entity_id).config["name"] == "Guests"


def test_fingerprint_is_of_the_configuration_only() -> None:
    """Another area is no reason to refuse to take a change back."""
    helper = Helper("counter.a", "a", "counter", {"name": "A", "step": 1})

    same = Helper("counter.b", "a", "counter", {"step": 1, "name": "A"}, {"icon": "x"})
    assert same.fingerprint == helper.fingerprint
    other = Helper("counter.a", "a", "counter", {"name": "A", "step": 2})
    assert other.fingerprint != helper.fingerprint
