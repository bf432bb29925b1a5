"""How long the search index takes on a synthetic house of 5,000 entities.

The house mixes languages, numbered devices and long diagnostic names, so that common
words ("sensor", "light", "kitchen") are in hundreds to thousands of documents.
"""

import random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from custom_components.mcp_bridge.house.search import SearchDocument, SearchIndex

ENTITIES = 5000

AREAS = (
    "Kitchen", "Living Room", "Master Bedroom", "Bathroom", "Hallway", "Garage", "Attic", "Laundry Room", "Office",
    "Küche", "Wohnzimmer", "Schlafzimmer", "Flur", "Cuisine", "Salon", "Chambre d'amis", "Entrée", "Salle de bain",
    "Stue", "Soveværelse", "Kökets fönster", "Cocina", "Habitación", "Bagno", "Camera", "Кухня", "Спальня", "客厅",
)  # fmt: skip
DEVICES = {
    "light": (
        "Ceiling light",
        "Floor lamp",
        "Bed light",
        "Deckenlampe",
        "Lumière",
        "Loftslampe",
        "LED strip",
        "Лампа",
        "灯",
    ),
    "switch": (
        "Socket",
        "Steckdose",
        "Prise",
        "Outlet",
        "Coffee machine",
        "Dishwasher",
        "Heizlüfter",
    ),
    "cover": ("Blind", "Rollladen", "Volet", "Curtain", "Garage door"),
    "climate": ("Thermostat", "Heizung", "Radiateur", "Air conditioner"),
    "binary_sensor": (
        "Window",
        "Front door",
        "Motion",
        "Fenster",
        "Fenêtre",
        "Occupancy",
        "Smoke alarm",
        "Water leak",
    ),
    "sensor": (
        "Climate",
        "Meter",
        "Multisensor",
        "Energy plug",
        "Air monitor",
        "Washing machine",
        "Solar inverter",
    ),
}
MEASUREMENTS = (
    ("Temperature", "temperature", "°C"), ("Humidity", "humidity", "%"), ("Battery", "battery", "%"),
    ("Power", "power", "W"), ("Energy total", "energy", "kWh"), ("Signal strength", "signal_strength", "dBm"),
    ("Carbon dioxide", "carbon_dioxide", "ppm"), ("Illuminance", "illuminance", "lx"), ("Last seen", "timestamp", ""),
    ("Voltage", "voltage", "V"), ("Current", "current", "A"), ("PM2.5", "pm25", "µg/m³"),
)  # fmt: skip
PRODUCTS = (
    "Aqara",
    "Hue",
    "Shelly Plus 1PM",
    "Tapo P110",
    "Zigbee 0x00158d",
    "Sonoff",
    "Netatmo",
    "ESP",
)

QUERIES = {
    "words_of_an_id": "sensor.kitchen_meter_temperature",
    "one_common_word": "sensor",
    "common_words": "temperature sensor kitchen",
    "two_fields": "binary sensor front door",
    "accents": "lumiere cuisine",
    "cyrillic": "лампа кухне",
    "han": "客厅灯",
    "compound": "schlafzimmerlampe",
    "short_prefix": "se te",
    "one_typo": "kitchn temperature",
    "typos_throughout": "tempratur senzor livng romm washng machin",
    "nonsense": "xyzzy qwrtp asdfghjkl zxcvbnm poiuytre",
    "many_words": "the temperature sensor of the washing machine in the master bedroom on the ground floor",
    "at_the_limits": "kitchensensor livingroomlight masterbedroomlamp washingmachinepower "
    * 5,
}


def document(number: int, chance: random.Random) -> SearchDocument:
    """One entity of the synthetic house."""
    domain = chance.choices(tuple(DEVICES), weights=(10, 8, 4, 3, 15, 60))[0]
    area, device = chance.choice(AREAS), chance.choice(DEVICES[domain])
    name, kinds = f"{area} {device}", [domain.replace("_", " ")]
    if domain == "sensor":
        measure, device_class, unit = chance.choice(MEASUREMENTS)
        name, kinds = f"{name} {measure}", [*kinds, device_class, unit]
    if chance.random() < 0.3:
        name = f"{chance.choice(PRODUCTS)} {chance.randrange(16**6):06x} {name}"
    if chance.random() < 0.4:
        name = f"{name} {chance.randrange(30)}"
    slug = "".join(
        letter if letter.isascii() and letter.isalnum() else "_"
        for letter in name.lower()
    )
    return SearchDocument(
        key=f"{domain}.{slug}_{number}",
        name=name,
        aliases=(f"{device} {area}",) if chance.random() < 0.2 else (),
        places=(
            area,
            f"{area} zone",
            chance.choice(("Ground floor", "First floor", "Cellar")),
        ),
        kinds=tuple(kinds),
        demoted=chance.random() < 0.05,
    )


def house(entities: int) -> list[SearchDocument]:
    """A synthetic house, the same each time."""
    chance = random.Random(entities)
    return [document(number, chance) for number in range(entities)]


def filled(documents: list[SearchDocument]) -> SearchIndex:
    """An index over documents."""
    index = SearchIndex()
    for entry in documents:
        index.put(entry)
    return index


@pytest.fixture(scope="module")
def documents() -> list[SearchDocument]:
    """The house."""
    return house(ENTITIES)


@pytest.fixture(scope="module")
def index(documents: list[SearchDocument]) -> SearchIndex:
    """The index over the house."""
    return filled(documents)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_search(benchmark: BenchmarkFixture, index: SearchIndex, query: str) -> None:
    """Queries that people and assistants ask, the dearest included."""
    hits = benchmark(index.search, query)

    assert len(hits) <= ENTITIES


def test_search_with_a_filter(benchmark: BenchmarkFixture, index: SearchIndex) -> None:
    """A caller who sees only lights asks for a common word."""
    hits = benchmark(index.search, "kitchen", lambda key: key.startswith("light."))

    assert all(hit.key.startswith("light.") for hit in hits)


def test_search_after_a_change(
    benchmark: BenchmarkFixture, index: SearchIndex, documents: list[SearchDocument]
) -> None:
    """The first search after a new word came to the house arranges the vocabulary anew."""

    def change() -> tuple[tuple[str], dict[str, object]]:
        index.put(
            SearchDocument("light.new", "Brandnew", (), (), ("light",), demoted=False)
        )
        index.remove("light.new")
        return ("kitchn temperature",), {}

    hits = benchmark.pedantic(index.search, setup=change, rounds=30)  # type: ignore[no-untyped-call]

    assert hits
    assert len(index) == len(documents)


def test_suggest(
    benchmark: BenchmarkFixture, index: SearchIndex, documents: list[SearchDocument]
) -> None:
    """A typo in an entity id."""
    key = documents[0].key

    assert key in benchmark(index.suggest, key[:-6] + key[-5:])


def test_fill(benchmark: BenchmarkFixture, documents: list[SearchDocument]) -> None:
    """Putting a whole house into an empty index."""
    index = benchmark.pedantic(filled, args=(documents,), rounds=5)  # type: ignore[no-untyped-call]

    assert len(index) == ENTITIES
