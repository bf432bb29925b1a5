"""Random houses, in which every entity has words of its own that nobody could guess, and some tell of others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

from pytest_homeassistant_custom_component.common import MockConfigEntry

from homeassistant.components.light import ColorMode, LightEntity
from homeassistant.const import SERVICE_RELOAD
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from homeassistant.setup import async_setup_component

# Every word of a random house begins with it, and no other word does.
MARK = "zuqi"
_LETTERS = "abcdefghijklmnoprstuvwxy"
# Domains of entities that have a state only, and states that are no words of their own.
_DOMAINS: Mapping[str, tuple[str, ...]] = {
    "assist_satellite": ("idle",),
    "binary_sensor": ("on", "off"),
    "camera": ("idle",),
    "climate": ("heat", "off"),
    "cover": ("open", "closed"),
    "device_tracker": ("home", "not_home"),
    "lock": ("locked", "unlocked"),
    "media_player": ("playing", "off"),
    "notify": ("unknown",),
    "person": ("home", "not_home"),
    "sensor": (),
    "text": (),
    "todo": ("0", "3"),
    "tts": ("unknown",),
    "weather": ("sunny",),
}
_ALL_FEATURES = 2**24 - 1
# Set up once; what is in them changes with each house.
_INTEGRATIONS = (
    "light",
    "group",
    "notify",
    "tts",
    "media_player",
    "lock",
    "cover",
    "climate",
)
_YAML = ("group", "script", "automation", "scene")


@dataclass(slots=True)
class Thing:
    """An entity, and all words that tell of it; a lamp is one that really can be switched."""

    entity_id: str
    words: set[str]
    area: str | None = None
    device: str | None = None
    labels: set[str] = field(default_factory=set)
    exposed: bool = True

    @property
    def domain(self) -> str:
        """The domain."""
        return self.entity_id.partition(".")[0]


class Lamp(LightEntity):
    """A light that does what it is told."""

    _attr_should_poll = False
    _attr_supported_color_modes = {ColorMode.ONOFF}
    _attr_color_mode = ColorMode.ONOFF
    _attr_is_on = False

    def __init__(self, entity_id: str, name: str) -> None:
        """Name it."""
        self.entity_id = entity_id
        self._attr_name = name
        self._attr_unique_id = entity_id

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Switch it on."""
        self._attr_is_on = True
        self.async_write_ha_state()

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Switch it off."""
        self._attr_is_on = False
        self.async_write_ha_state()


@dataclass
class RandomHouse:
    """What is in a house; areas, floors and labels have words that everybody may know."""

    hass: HomeAssistant
    rng: Random
    things: dict[str, Thing] = field(default_factory=dict)
    device_words: dict[str, set[str]] = field(default_factory=dict)
    public: set[str] = field(default_factory=set)
    areas: list[str] = field(default_factory=list)
    floors: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    floor_of: dict[str, str | None] = field(default_factory=dict)
    area_of_device: dict[str, str | None] = field(default_factory=dict)

    def word(self) -> str:
        """Return a new word."""
        return MARK + "".join(self.rng.choices(_LETTERS, k=9))

    def some(self, items: Iterable[str], least: int, most: int) -> list[str]:
        """Return some of the items, in any order."""
        listed = list(items)
        count = min(self.rng.randint(least, most), len(listed))
        return self.rng.sample(listed, count)

    def maybe(self, items: list[str]) -> str | None:
        """Return one of the items, or none."""
        return self.rng.choice(items) if self.rng.random() < 0.6 else None

    def area_of(self, thing: Thing) -> str | None:
        """Return the area that an entity is in, by itself or with its device."""
        return thing.area or (
            self.area_of_device[thing.device] if thing.device else None
        )

    async def build(self) -> None:
        """Fill the house."""
        self._arrange()
        for number in range(11):
            self._place(self.rng.choice(list(_DOMAINS)), number)
        await self._hang_lamps()
        self._tell()
        await self._write_yaml()
        await self.hass.async_block_till_done()

    async def clear(self) -> None:
        """Take everything out again."""
        await self._reload({})
        registry = er.async_get(self.hass)
        for entity_id in self.things:
            if registry.async_get(entity_id):
                registry.async_remove(entity_id)
            self.hass.states.async_remove(entity_id)
        devices, areas = dr.async_get(self.hass), ar.async_get(self.hass)
        for device_id in self.device_words:
            devices.async_remove_device(device_id)
        for area_id in self.areas:
            areas.async_delete(area_id)
        for floor_id in self.floors:
            fr.async_get(self.hass).async_delete(floor_id)
        for label_id in self.labels:
            lr.async_get(self.hass).async_delete(label_id)
        await self.hass.async_block_till_done()

    def _arrange(self) -> None:
        floors, areas = fr.async_get(self.hass), ar.async_get(self.hass)
        for _ in range(2):
            self.floors.append(floors.async_create(self._public()).floor_id)
            label = lr.async_get(self.hass).async_create(self._public())
            self.labels.append(label.label_id)
        for _ in range(3):
            floor = self.maybe(self.floors)
            area = areas.async_create(self._public(), floor_id=floor)
            self.areas.append(area.id)
            self.floor_of[area.id] = floor
        entry = MockConfigEntry(domain="acme", title="Acme")
        entry.add_to_hass(self.hass)
        for _ in range(3):
            self._install(entry.entry_id)

    def _public(self) -> str:
        word = self.word()
        self.public.add(word)
        return word.title()

    def _install(self, entry_id: str) -> None:
        name, maker, model = self.word(), self.word(), self.word()
        registry = dr.async_get(self.hass)
        device = registry.async_get_or_create(
            config_entry_id=entry_id,
            identifiers={("acme", name)},
            name=f"Box {name.title()}",
            manufacturer=maker.title(),
            model=model,
        )
        area = self.maybe(self.areas)
        registry.async_update_device(device.id, area_id=area)
        self.device_words[device.id] = {name, maker, model}
        self.area_of_device[device.id] = area

    def _place(self, domain: str, number: int) -> None:
        """Put in an entity that has a state only; every third is in no registry."""
        words = [self.word() for _ in range(5)]
        entity_id = f"{domain}.{words[0]}"
        thing = Thing(entity_id, set(words))
        self.things[entity_id] = thing
        if number % 3:
            self._register(thing, words[1], words[3])
        state = self.rng.choice((*_DOMAINS[domain], words[2]))
        attributes: dict[str, Any] = {
            "friendly_name": f"The {words[1].title()}",
            "detail": words[4],
            "supported_features": _ALL_FEATURES,
        }
        if self.rng.random() < 0.3:
            attributes["device_class"] = words[4]
        self.hass.states.async_set(entity_id, state, attributes)

    def _register(self, thing: Thing, name: str, alias: str) -> None:
        """Put an entity into the registry, on a device, into an area and under a label as it comes."""
        registry = er.async_get(self.hass)
        thing.device = self.maybe(list(self.device_words))
        thing.area = self.maybe(self.areas)
        thing.labels = set(self.some(self.labels, 0, 1))
        if not registry.async_get(thing.entity_id):
            domain, _, object_id = thing.entity_id.partition(".")
            entry = registry.async_get_or_create(
                domain, "acme", object_id, suggested_object_id=object_id
            )
            assert entry.entity_id == thing.entity_id
        registry.async_update_entity(
            thing.entity_id,
            name=name.title(),
            aliases=[er.COMPUTED_NAME, alias],
            device_id=thing.device,
            area_id=thing.area,
            labels=thing.labels,
        )

    async def _hang_lamps(self) -> None:
        lamps, hung = [], []
        for _ in range(4):
            words = [self.word() for _ in range(3)]
            thing = Thing(f"light.{words[0]}", set(words))
            self.things[thing.entity_id] = thing
            lamps.append(Lamp(thing.entity_id, words[1].title()))
            hung.append((thing, words[1], words[2]))
        await self.hass.data["light"].async_add_entities(lamps)
        for thing, name, alias in hung:
            self._register(thing, name, alias)

    def _tell(self) -> None:
        """Have some entities tell of others, wherever an id may stand."""
        for teller in self.some(self.things, 3, 6):
            state = self.hass.states.get(teller)
            if state is None or teller.startswith("light."):
                continue
            others = self.some(self.things, 2, 4)
            attributes = dict(state.attributes) | {
                "source": others[0],
                "told": f"After {others[-1]}, see {others[0].upper()}.",
                "levels": dict.fromkeys(others, 1),
                "entity_id": others,
            }
            told = self.rng.choice((state.state, state.state, others[0]))
            if self.rng.random() < 0.3:
                attributes["friendly_name"] = f"{state.name} with {others[1]}"
            self.hass.states.async_set(teller, told, attributes)

    async def _write_yaml(self) -> None:
        """Write groups, scripts, automations and scenes that act on any of the entities."""
        config: dict[str, Any] = {"group": {}, "script": {}}
        for _ in range(2):
            words = self.new_words_of("group", 2)
            config["group"][words[0]] = {
                "name": words[1],
                "entities": self.some(self.things, 2, 5),
            }
        for _ in range(3):
            words = self.new_words_of("script", 3)
            config["script"][words[0]] = self._script(words)
        config["automation"] = [self._automation() for _ in range(2)]
        config["scene"] = [self._scene() for _ in range(2)]
        await self._reload(config)

    def new_words_of(self, domain: str, count: int) -> list[str]:
        """Return the words of a new entity, the first of which its id is made of."""
        words = [self.word() for _ in range(count)]
        thing = Thing(f"{domain}.{words[0]}", set(words))
        self.things[thing.entity_id] = thing
        return words

    def _script(self, words: list[str]) -> dict[str, Any]:
        mentioned = self.some(self.things, 2, 2)
        return {
            "alias": words[1].title(),
            "description": f"Does {words[2]} with {mentioned[0]}",
            "fields": {
                "which": {
                    "description": f"Instead of {mentioned[1]}",
                    "example": mentioned[1],
                }
            },
            "sequence": self._steps(),
        }

    def _automation(self) -> dict[str, Any]:
        # The id of an automation is made of its alias.
        words = self.new_words_of("automation", 1)
        return {
            "id": words[0],
            "alias": words[0].title(),
            "triggers": [],
            "actions": self._steps(),
        }

    def _scene(self) -> dict[str, Any]:
        words = self.new_words_of("scene", 1)
        lamps = [id_ for id_ in self.things if id_.startswith("light.")]
        return {
            "name": words[0].title(),
            "entities": dict.fromkeys(self.some(lamps, 1, 3), "on"),
        }

    def _steps(self) -> list[dict[str, Any]]:
        lamps = [id_ for id_ in self.things if id_.startswith("light.")]
        return [
            {
                "action": "light.turn_on",
                "target": {"entity_id": self.some(lamps, 1, 2)},
            }
        ]

    async def _reload(self, config: dict[str, Any]) -> None:
        with patch(
            "homeassistant.config.load_yaml_config_file",
            autospec=True,
            return_value=config,
        ):
            for domain in _YAML:
                await self.hass.services.async_call(
                    domain, SERVICE_RELOAD, blocking=True
                )
        await self.hass.async_block_till_done()


async def found(hass: HomeAssistant) -> None:
    """Set up what every house is built on."""
    for domain in _INTEGRATIONS:
        assert await async_setup_component(hass, domain, {}), domain
