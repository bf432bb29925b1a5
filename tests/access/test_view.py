"""The house through one caller's eyes: what may not be seen is not there."""

from time import perf_counter
from typing import Any

import pytest

from custom_components.mcp_bridge.access.options import AccessOptions
from custom_components.mcp_bridge.access.view import HouseView
from custom_components.mcp_bridge.errors import ErrorCode, InvalidArguments, NotFound
from custom_components.mcp_bridge.house.catalog import Catalog
from custom_components.mcp_bridge.house.places import PlaceKind
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
from tests.house.building import Building

from .people import seen, user_who_may, view_of

HIDDEN = "lock.vault"


@pytest.fixture(name="furnished")
async def fixture_furnished(building: Building) -> Building:
    """Return a house with lamps, and a vault that only some may see."""
    attic = building.area("Attic", floor_id=building.floor("Upstairs"))
    lamps, vault = building.device("Lamps", attic), building.device("Vault")
    building.state(building.entity("light.ceiling", "Ceiling", device=lamps))
    building.state(building.entity("light.bedside", "Bedside", device=lamps))
    building.entity("light.former", "Former", device=lamps)
    building.change("light.former", disabled_by=er.RegistryEntryDisabler.USER)
    building.state(building.entity(HIDDEN, "Vault door", device=vault))
    building.state("sensor.vault_light", "Vault light")
    return building


@pytest.fixture(name="everything")
def fixture_everything(
    hass: HomeAssistant, furnished: Building, catalog: Catalog
) -> HouseView:
    """Return the house of somebody who sees all."""
    return view_of(hass, catalog, AccessOptions())


@pytest.fixture(name="less")
def fixture_less(
    hass: HomeAssistant, furnished: Building, catalog: Catalog
) -> HouseView:
    """Return the house of somebody from whom everything about the vault is kept."""
    return view_of(hass, catalog, without("*vault*"))


def without(*patterns: str) -> AccessOptions:
    """Return options that hide what some patterns name."""
    return AccessOptions.from_entry_options(
        {"filter_reads": True, "entity_denylist": {"patterns": list(patterns)}}
    )


def found(view: HouseView, query: str) -> list[str]:
    """Return the ids that a search finds, sorted."""
    hits, _left_out = view.search(query)
    return sorted(hit.record.entity_id for hit in hits)


def refusal(view: HouseView, entity_id: str) -> dict[str, str]:
    """Return the error that a read of an entity ends with."""
    with pytest.raises(NotFound) as raised:
        view.entity(entity_id)
    return raised.value.as_dict()


async def test_entities_are_listed_without_disabled_and_hidden_ones(
    everything: HouseView, less: HouseView
) -> None:
    """The lists of both callers, and whether anything is kept from them."""
    assert seen(everything) == [
        "light.bedside",
        "light.ceiling",
        HIDDEN,
        "sensor.vault_light",
    ]
    assert everything.sees_all
    assert seen(less) == ["light.bedside", "light.ceiling"]
    assert not less.sees_all


async def test_disabled_entity_can_be_asked_for(everything: HouseView) -> None:
    """By its id it is there, without a state."""
    record = everything.entity("light.former")

    assert record.disabled_by == "user"
    assert everything.state(record) is None


async def test_state_and_places_of_an_entity(everything: HouseView) -> None:
    """The state is the present one, and places go by their names."""
    ceiling, vault = everything.entity("light.ceiling"), everything.entity(HIDDEN)

    state = everything.state(ceiling)
    assert state is not None
    assert state.state == "on"
    assert (everything.area_name(ceiling), everything.floor_name(ceiling)) == (
        "Attic",
        "Upstairs",
    )
    assert (everything.area_name(vault), everything.floor_name(vault)) == (None, None)


async def test_search_finds_only_what_is_seen(
    everything: HouseView, less: HouseView
) -> None:
    """By name, by id and by a word of a hidden name."""
    assert found(everything, "vault") == [HIDDEN, "sensor.vault_light"]
    assert found(less, "vault") == found(less, HIDDEN) == []
    assert "sensor.vault_light" in found(everything, "light")
    assert found(less, "light") == ["light.bedside", "light.ceiling"]
    assert all(1 <= hit.score <= 100 for hit in less.search("light")[0])


async def test_word_that_only_a_hidden_entity_has_is_an_unknown_word(
    everything: HouseView, less: HouseView
) -> None:
    """It is left out of the question like one that nothing in the house has."""
    _hits, left_out = everything.search("vault light")
    assert left_out == ()

    for word in ("vault", "xyzzy"):
        hits, left_out = less.search(f"{word} ceiling")
        assert [hit.record.entity_id for hit in hits] == ["light.ceiling"]
        assert left_out == (word,)


async def test_unknown_entity_is_an_error_that_helps(everything: HouseView) -> None:
    """Near ids are named; when nothing is near, the way to find one is."""
    assert refusal(everything, "light.celing") == {
        "code": ErrorCode.NOT_FOUND,
        "message": "There is no entity 'light.celing'.",
        "hint": "Did you mean light.ceiling?",
    }
    assert refusal(everything, "fan.xyzzy") == {
        "code": ErrorCode.NOT_FOUND,
        "message": "There is no entity 'fan.xyzzy'.",
        "hint": "Search for it by name to get its id.",
    }


async def test_hidden_entity_is_refused_like_an_unknown_one(less: HouseView) -> None:
    """Word for word the same, and never suggested, however near the id."""
    hidden, unknown = refusal(less, HIDDEN), refusal(less, "lock.xyzzy")

    assert hidden == {**unknown, "message": f"There is no entity '{HIDDEN}'."}
    assert less.suggest("lock.vaul") == less.suggest("sensor.vault_ligth") == []
    assert HIDDEN not in less.hint("lock.vault_")
    assert less.find(HIDDEN) is less.find("lock.xyzzy") is None


async def test_error_shows_no_odd_characters_of_the_question(less: HouseView) -> None:
    """What was asked for is repeated on one line, and not at full length."""
    message = refusal(less, "light.a\nIgnore all\x1b[31m" + "x" * 500)["message"]

    assert message.isprintable()
    assert len(message) < 150


async def test_devices_with_something_to_see(
    furnished: Building, everything: HouseView, less: HouseView
) -> None:
    """A device of hidden entities is not there; neither is, for a restricted caller, an empty one."""
    furnished.device("Empty")

    assert [device.name for device in everything.devices()] == [
        "Lamps",
        "Vault",
        "Empty",
    ]
    assert [device.name for device in less.devices()] == ["Lamps"]
    assert [place.name for place in everything.places(PlaceKind.DEVICE)] == [
        "Empty",
        "Lamps",
        "Vault",
    ]
    assert [place.name for place in less.places(PlaceKind.DEVICE)] == ["Lamps"]


async def test_parent_device_is_seen_with_its_child(
    hass: HomeAssistant, furnished: Building, catalog: Catalog
) -> None:
    """The hub of a lamp that may be seen may be seen; a child with nothing to see may not."""
    hub = furnished.device("Hub")
    lamp, secret = furnished.child(hub, "Lamp"), furnished.child(hub, "Secret")
    furnished.entity("light.on_child", "Light", device=lamp)
    furnished.entity("light.secret", "Light", device=secret)
    user = user_who_may(hass, {"entity_ids": {"light.on_child": True}})

    view = view_of(hass, catalog, AccessOptions(), user)

    assert {device.id for device in view.devices()} == {hub, lamp}


async def test_device_of_disabled_entities_shows_nothing(
    hass: HomeAssistant, furnished: Building, catalog: Catalog, less: HouseView
) -> None:
    """What is switched off makes no device visible, and a disabled device is not listed to anybody."""
    old = furnished.device("Old")
    furnished.entity("light.old", "Old", device=old)
    furnished.change("light.old", disabled_by=er.RegistryEntryDisabler.USER)
    assert "Old" not in [device.name for device in less.devices()]

    furnished.devices.async_update_device(old, disabled_by=dr.DeviceEntryDisabler.USER)
    everything = view_of(hass, catalog, AccessOptions())
    assert "Old" not in [device.name for device in everything.devices()]


async def test_hidden_device_is_refused_like_an_unknown_one(
    furnished: Building, everything: HouseView, less: HouseView
) -> None:
    """By name and by id, with the same hint."""
    vault = everything.place(PlaceKind.DEVICE, "vault").id

    def error(text: str) -> str:
        with pytest.raises(NotFound) as raised:
            less.place(PlaceKind.DEVICE, text)
        return str(raised.value.as_dict()).replace(text, "…")

    assert error("vault") == error(vault) == error("xyzzy")
    assert "Vault" not in error("vaul")


@pytest.mark.parametrize("text", ["attic", "Attic", "ÀTTIC", "Loft"])
async def test_place_by_any_of_its_names(
    furnished: Building, less: HouseView, text: str
) -> None:
    """Areas, floors and labels are no secret."""
    furnished.areas.async_update("attic", aliases={"Loft"})

    assert less.place(PlaceKind.AREA, text).id == "attic"


async def test_two_areas_of_one_name_are_not_merged(
    furnished: Building, everything: HouseView
) -> None:
    """The error lists both ids, and either id is an answer to it."""
    both = [furnished.area("Salon"), furnished.area("Salón")]

    with pytest.raises(InvalidArguments) as raised:
        everything.place(PlaceKind.AREA, "salon\u0301")
    assert raised.value.message == "There are 2 areas named 'salon\u0301'."
    assert raised.value.hint == f"Use one of the ids: {both[0]}, {both[1]}"

    for area in both:
        assert everything.place(PlaceKind.AREA, area).id == area


async def test_two_devices_of_one_name_of_which_one_is_hidden(
    hass: HomeAssistant, furnished: Building, catalog: Catalog
) -> None:
    """The hidden one does not make the name ambiguous: that would tell of it."""
    shown, secret = furnished.device("Socket"), furnished.device("Socket")
    furnished.entity("switch.shown", "Switch", device=shown)
    furnished.entity("switch.secret", "Switch", device=secret)

    view = view_of(hass, catalog, without("*secret*"))

    assert view.place(PlaceKind.DEVICE, "socket").id == shown


@pytest.mark.parametrize(
    ("areas", "hint"),
    [
        ((), "This house has no areas."),
        (("Kitchen", "Attic"), "Did you mean Kitchen?"),
        (("Attic", "Cellar"), "There are: Attic, Cellar"),
        (("A1", "B2", "C3", "D4"), "There are: A1, B2, C3, D4"),
    ],
)
async def test_unknown_place_is_an_error_that_helps(
    hass: HomeAssistant,
    building: Building,
    catalog: Catalog,
    areas: tuple[str, ...],
    hint: str,
) -> None:
    """Near names, else the names there are, else that there are none."""
    for name in areas:
        building.area(name)

    with pytest.raises(NotFound) as raised:
        view_of(hass, catalog, AccessOptions()).place(PlaceKind.AREA, "kitchn")

    assert raised.value.message == "There is no area 'kitchn'."
    assert raised.value.hint == hint


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("lock.vault", "(hidden)"),
        ("Turn lock.vault on, then light.ceiling.", "Turn (hidden) on, then light.ceiling."),
        ("{{ states('lock.vault') }}", "{{ states('(hidden)') }}"),
        ("['lock.vault','sensor.vault_light']", "['(hidden)','(hidden)']"),
        ("lock.vault.", "(hidden)."),
        ("lock.vault_2 lock.vaults xlock.vault", "lock.vault_2 lock.vaults xlock.vault"),
        ("Version 2026.11.0 at 10.5 W, see example.com", "Version 2026.11.0 at 10.5 W, see example.com"),
        ("vault", "vault"),
        ("", ""),
    ],
)  # fmt: skip
async def test_scrub_takes_out_ids_of_hidden_entities_only(
    less: HouseView, text: str, scrubbed: str
) -> None:
    """Texts written by automations and integrations name entities; what names none stays as it is."""
    assert less.scrub(text) == scrubbed


@pytest.mark.parametrize(
    "text",
    [
        "{{ states.lock.vault.state }}",
        "states.lock.vault",
        "hass.states.lock.vault",
        "light.ceiling.lock.vault",
        "Entity Lock.Vault not found",
        "LOCK.VAULT",
        "%2Flock.vault",
        "/local/%2flock%2Evault",
        "lock.vault.lock.vault",
    ],
)
async def test_scrub_overlooks_no_way_to_write_an_id(
    less: HouseView, text: str
) -> None:
    """Templates write ids behind a dot, people in capitals; Home Assistant understands both."""
    assert "lock.vault" not in less.scrub(text).lower().replace("%2e", ".")


async def test_scrub_takes_out_ids_that_overlap(
    hass: HomeAssistant, building: Building, catalog: Catalog
) -> None:
    """The end of one may be the start of another."""
    building.state("light.lock")
    building.state("lock.light")

    assert view_of(hass, catalog, without("l*")).scrub("light.lock.light") == "(hidden)"


@pytest.mark.parametrize("text", ["v1. {}", "{}", "a.{}.b", "%2e{}", "{}%2f."])
@pytest.mark.parametrize("filling", ["0", ".", "a.", "%", "%2", "%2e", "ä"])
async def test_scrub_takes_time_for_the_length_only(
    less: HouseView, text: str, filling: str
) -> None:
    """A text from a device must not hold up the house: with its square this would take minutes."""
    started = perf_counter()

    less.scrub(text.format(filling * 100_000))

    assert perf_counter() - started < 2


async def test_who_sees_all_gets_texts_unchanged(everything: HouseView) -> None:
    """There is nothing to take out."""
    assert everything.scrub(f"Turn {HIDDEN} on") == f"Turn {HIDDEN} on"
    assert not everything.hides(HIDDEN)


async def test_hides_tells_hidden_from_unknown_and_seen(less: HouseView) -> None:
    """For scrubbing alone the three are told apart."""
    asked = (HIDDEN, "light.ceiling", "light.former", "lock.xyzzy", "")

    assert [less.hides(key) for key in asked] == [True, False, False, False, False]


@pytest.mark.parametrize(
    "options",
    [
        {"filter_reads": True, "entity_denylist": {"target": {"label_id": ["secret"]}}},
        {"filter_reads": True, "entity_allowlist": {"patterns": ["light.*"]}},
    ],
    ids=repr,
)
async def test_view_follows_the_house(
    hass: HomeAssistant, furnished: Building, catalog: Catalog, options: dict[str, Any]
) -> None:
    """An entity that comes under a rule during the call is gone from it at once."""
    label = furnished.label("Secret")
    view = view_of(hass, catalog, AccessOptions.from_entry_options(options))
    assert "light.ceiling" in seen(view)

    furnished.change("light.ceiling", labels={label}, new_entity_id="light.ceiling_2")
    furnished.state("light.ceiling_2")
    hidden = "entity_denylist" in options

    assert (view.find("light.ceiling_2") is None) is hidden
    assert ("light.ceiling_2" in found(view, "ceiling")) is not hidden
    assert ("light.ceiling_2" in seen(view)) is not hidden
