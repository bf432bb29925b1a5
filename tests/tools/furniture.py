"""A furnished house: floors, areas, labels, devices and entities as they are met in real ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.tools import all_tools
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from homeassistant.setup import async_setup_component

# What tools can act on; the other integrations that they need come without configuration.
_CONFIGURATION: Mapping[str, Any] = {
    "input_boolean": {"guests": {"name": "Guests"}},
    "script": {
        "movie_night": {
            "alias": "Movie night",
            "sequence": [
                {
                    "action": "input_boolean.turn_on",
                    "target": {"entity_id": "input_boolean.guests"},
                }
            ],
        }
    },
    "automation": [
        {
            "id": "good_night",
            "alias": "Good night",
            "triggers": [],
            "actions": [
                {
                    "action": "input_boolean.turn_off",
                    "target": {"entity_id": "input_boolean.guests"},
                }
            ],
        }
    ],
}

# Whoever may not see the vault must not learn any of this.
SECRETS = ("vault", "crown jewels", "stolen", "87.125")


@dataclass(frozen=True, slots=True)
class Piece:
    """An entity of the house; without a state it is in the registry only."""

    entity_id: str
    name: str
    state: str | None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    area: str | None = None
    device: str | None = None
    labels: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    category: EntityCategory | None = None
    hidden: bool = False
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class House:
    """The ids that Home Assistant made up."""

    hub: str
    socket: str
    vault: str


PIECES = (
    Piece(
        "light.kitchen_ceiling",
        "Ceiling",
        "on",
        {"brightness": 200},
        device="hub",
        labels=frozenset(("important",)),
        aliases=("Big lamp",),
    ),
    Piece("switch.kitchen_socket_2", "Switch", "off", device="socket"),
    Piece(
        "sensor.freezer",
        "Freezer",
        "-18.5",
        {"device_class": "temperature", "unit_of_measurement": "°C"},
        area="kitchen",
    ),
    Piece("light.hidden_lamp", "Lamp nobody needs", "on", area="kitchen", hidden=True),
    Piece("light.dining", "Lustre", "off", area="salle_a_manger"),
    Piece(
        "sensor.bedroom_temperature",
        "Bedroom temperature",
        "21.5",
        {"device_class": "temperature", "unit_of_measurement": "°C"},
        area="bedroom",
    ),
    Piece("binary_sensor.gate", "Gate", "on", {"device_class": "door"}, area="garden"),
    Piece("sensor.soil", "Soil", "dry", area="garden"),
    Piece(
        "sensor.hub_signal",
        "Signal",
        "unavailable",
        device="hub",
        category=EntityCategory.DIAGNOSTIC,
    ),
    Piece("person.anna", "Anna", "home", {"device_trackers": ["device_tracker.anna"]}),
    Piece(
        "weather.home",
        "Forecast",
        "sunny",
        {"temperature": 12.5, "temperature_unit": "°C"},
    ),
    Piece(
        "light.all",
        "All lights",
        "on",
        {"entity_id": ["light.kitchen_ceiling", "light.dining"]},
    ),
    Piece("sensor.asleep", "Asleep", None, disabled=True),
    Piece("sensor.gone", "Gone", None, area="bedroom"),
    Piece("lock.vault", "Crown jewels", "stolen", device="vault"),
    Piece("sensor.vault_charge", "Charge of the vault", "87.125", device="vault"),
)


def furnish(hass: HomeAssistant) -> House:
    """Fill the house."""
    _arrange_places(hass)
    devices = _install_devices(hass)
    for piece in PIECES:
        place(hass, piece, devices)
    return House(**devices)


async def equip(hass: HomeAssistant) -> None:
    """Set up every integration that some tool needs, so that all tools are offered."""
    assert await async_setup_component(hass, "homeassistant", {})
    needed = {tool.needs for tool in all_tools() if tool.needs is not None}
    for domain in sorted(needed | _CONFIGURATION.keys()):
        configuration = {domain: _CONFIGURATION.get(domain, {})}
        assert await async_setup_component(hass, domain, configuration), domain
    await hass.async_block_till_done()


def _arrange_places(hass: HomeAssistant) -> None:
    floors, areas = fr.async_get(hass), ar.async_get(hass)
    ground = floors.async_create("Ground floor", aliases={"Downstairs"}, level=0)
    upper = floors.async_create("Upper floor", level=1)
    areas.async_create("Kitchen", aliases={"Cuisine"}, floor_id=ground.floor_id)
    areas.async_create("Salle à manger", floor_id=ground.floor_id)
    areas.async_create("Bedroom", floor_id=upper.floor_id)
    areas.async_create("Büro", floor_id=upper.floor_id)
    # Home Assistant tells the two apart, a person who types "buro" does not.
    areas.async_create("Buro", floor_id=upper.floor_id)
    areas.async_create("Garden", labels={"outside"})
    labels = lr.async_get(hass)
    labels.async_create("Important")
    labels.async_create("Outside")


def _install_devices(hass: HomeAssistant) -> dict[str, str]:
    entry = MockConfigEntry(domain="acme", title="Acme")
    entry.add_to_hass(hass)
    registry = dr.async_get(hass)
    hub = registry.async_get_or_create(
        config_entry_id=entry.entry_id,
        identifiers={("acme", "hub")},
        name="Acme hub",
        manufacturer="Acme",
        model="Hub 1",
    )
    registry.async_update_device(hub.id, area_id="kitchen", name_by_user="Kitchen hub")
    socket = registry.async_get_or_create_child(
        config_entry_id=entry.entry_id,
        identifiers={("acme", "socket")},
        name="Socket two",
        parent_device_id=hub.id,
    )
    vault = registry.async_get_or_create(
        config_entry_id=entry.entry_id,
        identifiers={("acme", "vault")},
        name="Vault box",
        manufacturer="Stolen Goods",
    )
    registry.async_update_device(vault.id, area_id="bedroom")
    registry.async_get_or_create(
        config_entry_id=entry.entry_id,
        identifiers={("acme", "old")},
        name="Old hub",
        disabled_by=dr.DeviceEntryDisabler.USER,
    )
    return {"hub": hub.id, "socket": socket.id, "vault": vault.id}


def place(
    hass: HomeAssistant, piece: Piece, devices: Mapping[str, str] | None = None
) -> None:
    """Put one entity into the house."""
    domain, _, object_id = piece.entity_id.partition(".")
    registry = er.async_get(hass)
    entry = registry.async_get_or_create(
        domain,
        "acme",
        piece.entity_id,
        suggested_object_id=object_id,
        original_name=piece.name,
        device_id=(devices or {})[piece.device] if piece.device else None,
        entity_category=piece.category,
        disabled_by=er.RegistryEntryDisabler.USER if piece.disabled else None,
        hidden_by=er.RegistryEntryHider.USER if piece.hidden else None,
    )
    assert entry.entity_id == piece.entity_id
    entry = registry.async_update_entity(
        entry.entity_id,
        name=piece.name,
        aliases=[er.COMPUTED_NAME, *piece.aliases],
        area_id=piece.area,
        labels=set(piece.labels),
    )
    if piece.state is not None:
        name = er.async_get_full_entity_name(hass, entry)
        attributes = {"friendly_name": name, **piece.attributes}
        hass.states.async_set(piece.entity_id, piece.state, attributes)


def remove(hass: HomeAssistant, entity_id: str) -> None:
    """Take one entity out of the house, as if it had never been there."""
    er.async_get(hass).async_remove(entity_id)
    hass.states.async_remove(entity_id)


def fill(hass: HomeAssistant, count: int, name: str = "Lamp {}") -> list[str]:
    """Add many lights that have a state only; return their ids in order."""
    entity_ids = [f"light.x{number:05}" for number in range(count)]
    for number, entity_id in enumerate(entity_ids):
        state = "on" if number % 2 else "off"
        hass.states.async_set(
            entity_id, state, {"friendly_name": name.format(number), "number": number}
        )
    return entity_ids
