"""What people type, and what the search must find."""

from collections.abc import Callable
from itertools import pairwise
import random
import string
import time

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.mcp_bridge.house.search import Hit, SearchDocument, SearchIndex


def entity(
    key: str,
    name: str = "",
    *aliases: str,
    places: tuple[str, ...] = (),
    kinds: tuple[str, ...] = (),
    demoted: bool = False,
) -> SearchDocument:
    """A document; its domain is among its kinds, as it is in a house."""
    domain = key.partition(".")[0].replace("_", " ")
    return SearchDocument(key, name, aliases, places, (domain, *kinds), demoted)


def index_of(*documents: SearchDocument) -> SearchIndex:
    """An index over documents."""
    index = SearchIndex()
    for document in documents:
        index.put(document)
    return index


def lights(*names: str) -> SearchIndex:
    """An index over lights with these names and ids that tell nothing."""
    return index_of(
        *(entity(f"light.x{number}", name) for number, name in enumerate(names))
    )


def found(
    index: SearchIndex, query: str, accept: Callable[[str], bool] | None = None
) -> list[str]:
    """The keys found, in order."""
    return [hit.key for hit in index.search(query, accept)]


NAMED = {
    "Küchenlicht": "light.kuchenlicht_2",
    "Lumière de l'entrée": "light.lumiere_de_l_entree",
    "Свет на кухне": "light.svet_na_kukhne",
    "客厅灯": "light.ke_ting_deng",
    "Loftslampe stue": "light.loftslampe_stue",
    "Öffnung Tür": "light.offnung_tur",
    "Bed light": "light.bed_light",
}
TYPED = {
    "kuchenlicht": "Küchenlicht",
    "kuche licht": "Küchenlicht",
    "küche licht": "Küchenlicht",
    "Kueche Licht": "Küchenlicht",
    "in der Küche das Licht": "Küchenlicht",
    "lichter küche": "Küchenlicht",
    "Küchenlichter": "Küchenlicht",
    "licht in der küche": "Küchenlicht",
    "KÜCHENLICHT": "Küchenlicht",
    "ku\u0308chenlicht": "Küchenlicht",
    "ｋｕｃｈｅｎｌｉｃｈｔ": "Küchenlicht",
    "kuchen\u00adlicht": "Küchenlicht",
    "lumiere entree": "Lumière de l'entrée",
    "entrée lumière": "Lumière de l'entrée",
    "la lumière dans l’entrée": "Lumière de l'entrée",
    "lumieres entree": "Lumière de l'entrée",
    "lumere entree": "Lumière de l'entrée",
    "свет кухня": "Свет на кухне",
    "кухня": "Свет на кухне",
    "свет в кухне": "Свет на кухне",
    "СВЕТ": "Свет на кухне",
    "客厅": "客厅灯",
    "灯": "客厅灯",
    "客厅的灯": "客厅灯",
    "loftlampe stue": "Loftslampe stue",
    "loftslampen i stuen": "Loftslampe stue",
    "offnung tur": "Öffnung Tür",
    "Tür": "Öffnung Tür",
    "tuer oeffnung": "Öffnung Tür",
    "bed light": "Bed light",
    "light bed": "Bed light",
    "the bed light": "Bed light",
    "bedlight": "Bed light",
    "bed lights": "Bed light",
    "bed-light!": "Bed light",
}


@pytest.mark.parametrize("opaque", [True, False])
@pytest.mark.parametrize(("query", "name"), TYPED.items())
def test_finds_first(query: str, name: str, opaque: bool) -> None:
    """The one that is meant comes first, by its name alone too."""
    keys = {
        key: f"light.x{number}" if opaque else NAMED[key]
        for number, key in enumerate(NAMED)
    }
    index = index_of(*(entity(key, name) for name, key in keys.items()))

    assert found(index, query)[0] == keys[name]


@pytest.mark.parametrize(
    "query",
    [
        "xyzzy qwrtp",
        "zzzzzz",
        "asdfghjkl",
        "🦄",
        "bed xyzzy",
        "light 7",
        "客厅 厨房",
        "....",
        "'",
        "ъъъъъ",
    ],
)
def test_finds_nothing(query: str) -> None:
    """Nonsense, and words of which one is nowhere, find nothing."""
    index = index_of(*(entity(key, name) for name, key in NAMED.items()))

    assert index.search(query) == []
    assert index.suggest(query) == []


HOUSE = index_of(
    entity(
        "light.kitchen_ceiling",
        "Kitchen ceiling",
        "Big lamp",
        places=("Kitchen", "Ground floor"),
    ),
    entity("light.bedroom", "Bedroom light", places=("Bedroom", "First floor")),
    entity("light.p1", "Reading lamp", places=("Bedroom",)),
    entity("light.p2", "Lampe", places=("Küche", "Erdgeschoss")),
    entity("light.p3", "💡 Hue Go 2", places=("Salon", "abc")),
    entity(
        "light.p4", "Lumière du plan de travail", places=("Cuisine", "Rez-de-chaussée")
    ),
    entity("climate.hall", "Thermostat", places=("Hall",)),
    entity("climate.c2", "Climatisation abc", places=("abc",)),
    entity(
        "sensor.front_door_battery",
        "Front door",
        places=("Hallway",),
        kinds=("battery", "%"),
    ),
    entity(
        "binary_sensor.front_door", "Front door", places=("Hallway",), kinds=("door",)
    ),
    entity("binary_sensor.bell", "Doorbell", places=("Porch",), kinds=("occupancy",)),
    entity(
        "sensor.t1",
        "Outdoor temperature",
        places=("Garden",),
        kinds=("temperature", "°C"),
    ),
    entity("sensor.co2", "CO2", places=("Office",), kinds=("carbon dioxide", "ppm")),
    entity("sensor.pm", "Air quality PM2.5", kinds=("pm25", "µg/m³")),
    entity("switch.tv", "Samsung TV-Steckdose", places=("Wohnzimmer",)),
    entity("switch.s2", "Multi socket 2", "Salt lamp"),
    entity("switch.s12", "Multi socket 12", "Fan, left"),
    entity("light.pasillo", "Luz del pasillo"),
    entity("cover.r1", "Rollladen Schlafzimmer links"),
    entity("cover.porta", "Porta del garage", places=("Piano terra",)),
    entity("sensor.wifi", "Wi-Fi signal", kinds=("signal strength", "dBm")),
    entity("light.hebrew", "אור במטבח"),
    entity("light.arabic", "إضاءة المطبخ"),
    entity("light.greek", "Φως κουζίνας"),
    entity("light.hindi", "रसोई की बत्ती"),
    entity("light.korean", "거실 조명"),
    entity("light.japanese", "リビングの照明"),
    entity("light.polish", "Światło w łazience"),
    entity("light.danish", "Lys på badeværelset"),
    entity("light.swedish", "Taklampor i köket"),
    entity("vacuum.anna", "Anna's vacuum"),
)
ASKED = {
    "big lamp": "light.kitchen_ceiling",
    "kitchen ceiling": "light.kitchen_ceiling",
    "kitchn ceiling": "light.kitchen_ceiling",
    "kitchen celing": "light.kitchen_ceiling",
    "ceiling ground floor": "light.kitchen_ceiling",
    "bedrom light": "light.bedroom",
    "bedroom lamp": "light.p1",
    "bed room light": "light.bedroom",
    "bedroomlight": "light.bedroom",
    "lamp bedrooms": "light.p1",
    "küchenlampe": "light.p2",
    "lampe erdgeschoß": "light.p2",
    "hue go": "light.p3",
    "💡 hue": "light.p3",
    "salon light": "light.p3",
    "lumière cuisine": "light.p4",
    "lumieres de la cuisine": "light.p4",
    "termostat": "climate.hall",
    "thermosatt": "climate.hall",
    "battery front door": "sensor.front_door_battery",
    "front door battery %": "sensor.front_door_battery",
    "batery front door": "sensor.front_door_battery",
    "baterry frontdoor": "sensor.front_door_battery",
    "door bell": "binary_sensor.bell",
    "temperature °c": "sensor.t1",
    "temperatures in the garden": "sensor.t1",
    "tempratur outside": "",
    "co 2": "sensor.co2",
    "co2 office": "sensor.co2",
    "pm2.5": "sensor.pm",
    "pm25": "sensor.pm",
    "µg/m3": "sensor.pm",
    "tv steckdose": "switch.tv",
    "fernseher": "",
    "steckdosen wohnzimmer": "switch.tv",
    "multi socket 2": "switch.s2",
    "socket12": "switch.s12",
    "socket 02": "switch.s2",
    "salt lamp": "switch.s2",
    "fan left": "switch.s12",
    "luces pasillo": "light.pasillo",
    "rolladen schlafzimmer": "cover.r1",
    "schlafzmmer rollladen links": "cover.r1",
    "porte garage": "cover.porta",
    "wifi": "sensor.wifi",
    "מטבח": "light.hebrew",
    "مطبخ": "light.arabic",
    "اضاءة": "light.arabic",
    "ΦΩΣ ΚΟΥΖΊΝΑΣ": "light.greek",
    "रसोई": "light.hindi",
    "조명 거실": "light.korean",
    "リビング照明": "light.japanese",
    "照明": "light.japanese",
    "swiatlo lazienka": "light.polish",
    "lys badeværelse": "light.danish",
    "taklampa kok": "light.swedish",
    "annas vacuum": "vacuum.anna",
    "vacuum cleaner": "",
}


@pytest.mark.parametrize(("query", "key"), ASKED.items())
def test_house_answers(query: str, key: str) -> None:
    """In a house of many languages people find what they ask for; an empty key: nothing."""
    assert found(HOUSE, query)[:1] == [key][: len(key)]


def test_exact_id_then_exact_names() -> None:
    """A whole id is first even when something else has it as its name; both score 100."""
    index = index_of(
        entity("light.a", "light.b"),
        entity("light.b", "Ceiling"),
        entity("light.c", "Ceiling lamp", "ceiling"),
        entity("light.d", "The ceiling of the house"),
        entity("light.e", "Light B", demoted=True),
    )

    assert index.search("light.b")[:3] == [
        Hit("light.b", 100),
        Hit("light.a", 100),
        Hit("light.e", 100),
    ]
    assert found(index, " Light.B ")[0] == "light.b"
    hits = index.search("CEILING")
    assert hits[:2] == [Hit("light.b", 100), Hit("light.c", 100)]
    assert 1 <= hits[2].score < 100


def test_object_id_alone_is_nearly_exact() -> None:
    """An id without its domain finds its entity before those that say the same elsewhere."""
    index = index_of(
        entity("light.a_b", "Bee"),
        entity("light.x", "A long B"),
        entity("light.a_b_c", "A C B"),
    )

    assert found(index, "a_b")[0] == "light.a_b"


@pytest.mark.parametrize(
    "query",
    [
        "Multi socket 2, Salt lamp",
        "Salt lamp,Multi socket 2",
        "multi socket 2, salt lamp, ",
    ],
)
def test_comma_joined_names(query: str) -> None:
    """Name and aliases joined by commas are still exactly that entity."""
    assert HOUSE.search(query)[0] == Hit("switch.s2", 100)


def test_comma_joined_names_of_different_entities_name_none() -> None:
    """A list over two entities is not the name of either."""
    assert HOUSE.search("Salt lamp, Doorbell") == []


def test_better_ways_of_meeting_a_word_come_first() -> None:
    """Same token, other form, cut differently, beginning, inside, in this order."""
    index = lights("Gartenlichthof", "Zlicht", "Lichtung", "Lichter", "Licht")

    assert found(index, "licht") == ["light.x4", "light.x3", "light.x2", "light.x0"]
    assert found(lights("bed roof", "bedroofs", "bedroofing"), "bedroof") == [
        "light.x1",
        "light.x0",
        "light.x2",
    ]


def test_fields_weigh_differently() -> None:
    """Name and alias before id, id before place, place before kind."""
    index = index_of(
        entity("light.k", "Red one", kinds=("attic",)),
        entity("light.p", "Red two", places=("attic",)),
        entity("light.attic_1", "Red three"),
        entity("light.z_alias", "Red four", "Attic four"),
        entity("light.z_name", "Attic five"),
    )

    assert found(index, "attic") == [
        "light.z_alias",
        "light.z_name",
        "light.attic_1",
        "light.p",
        "light.k",
    ]


def test_demoted_come_after_all_others() -> None:
    """Hidden entities are found, last, whatever their score; an exact name is still exact."""
    index = index_of(
        entity("light.a", "Desk lamp", demoted=True),
        entity("light.b", "Lamp", demoted=True),
        entity("light.c", "Long named lampshade of the desk"),
        entity("light.d", "Lamp"),
    )

    assert found(index, "lam") == ["light.d", "light.c", "light.b", "light.a"]
    assert found(index, "lamp") == ["light.d", "light.b", "light.c", "light.a"]


def test_equal_scores_are_listed_by_key() -> None:
    """The order does not depend on what was put first."""
    keys = [f"light.{letter}" for letter in "qadzb"]

    assert found(
        index_of(*(entity(key, "Lamp one") for key in keys)), "lamp"
    ) == sorted(keys)


def test_real_lights_before_false_friends() -> None:
    """Lights, by name or by domain, come before lightning, and night is none."""
    index = index_of(
        entity("sensor.a", "Lightning counter"),
        entity("sensor.b", "Night mode"),
        entity("sensor.c", "Flight tracker"),
        entity("light.x", "Lamp"),
        entity("light.y", "Desk light"),
        entity("light.z", "Desk lights"),
    )

    assert found(index, "light") == ["light.y", "light.x", "light.z", "sensor.a"]
    assert "sensor.b" not in found(index, "lights")


@pytest.mark.parametrize(
    ("query", "names", "missed"),
    [
        ("abc", ("Salon",), True),
        ("door", ("Floor lamp",), True),
        ("hall lamp", ("Wall lamp",), True),
        ("heater", ("Water",), True),
        ("light 1", ("Light 12", "Light 21"), True),
        ("sense", ("Sensor",), True),
        ("on", ("Salon",), True),
        ("bathroom", ("Bedroom",), True),
        ("garage", ("Garden",), True),
        ("123", ("12345",), False),
        ("heater", ("Heating",), True),
    ],
)
def test_false_friends(query: str, names: tuple[str, ...], missed: bool) -> None:
    """Words that look alike to a computer are not found for one another."""
    assert (found(lights(*names), query) == []) is missed


def test_numbers_matter() -> None:
    """A number is met by itself, never by a longer one."""
    index = lights("Light 12", "Light 2", "Light 22", "Light")

    assert found(index, "light 2") == ["light.x1"]
    assert found(index, "light 12") == ["light.x0"]
    assert found(index, "light12") == ["light.x0"]


def test_door_before_doorbell() -> None:
    """A door by name or by device class comes before a doorbell."""
    keys = found(HOUSE, "door")

    assert keys.index("binary_sensor.front_door") < keys.index("binary_sensor.bell")


def test_function_words_help_but_are_not_needed() -> None:
    """They may be missing; alone they are words like others."""
    index = lights("Lamp", "Den lamp", "Over there")

    assert found(index, "the lamp in the den") == ["light.x1", "light.x0"]
    assert found(index, "den") == ["light.x1"]
    assert found(index, "the") == ["light.x2"]


def test_typos_only_when_nothing_better_is_found() -> None:
    """A word that is there is not a typo of another."""
    index = lights("Kitchen lamp", "Kitten camera")

    assert found(index, "kitten") == ["light.x1"]
    assert found(index, "kitchem") == ["light.x0"]


@pytest.mark.parametrize(
    "query",
    [
        "kitchn",
        "licht",
        "bedrom lihgt",
        "kitchen",
        "living",
        "lamp 2",
        "wohnzimmerlampe",
    ],
)
def test_rejected_keys_influence_nothing(query: str) -> None:
    """With a filter, hits and scores are those of a house without the others."""
    shown = [
        entity("light.a", "Kitchen lamp 2"),
        entity("light.b", "Bedroom light"),
        entity("light.c", "Wohnzimmer"),
    ]
    hidden = [
        entity("light.h1", "Kitchn"),
        entity("light.h2", "Licht"),
        entity("light.h3", "Bedrom lihgt"),
        entity("light.h4", "Wohnzimmerlampe", "Lampe"),
    ]
    own, all_of_them = index_of(*shown), index_of(*shown, *hidden)

    def accept(key: str) -> bool:
        return not key.startswith("light.h")

    assert all_of_them.search(query, accept) == own.search(query)
    assert all_of_them.suggest(query, 3, accept) == own.suggest(query)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("light.kitchen_celing", "light.kitchen_ceiling"),
        ("ligth.kitchen_ceiling", "light.kitchen_ceiling"),
        ("switch.kitchen_ceiling", "light.kitchen_ceiling"),
        ("kitchen_cieling", "light.kitchen_ceiling"),
        ("light.kitchen", "light.kitchen_ceiling"),
        ("Raeding lamp", "light.p1"),
        ("reading_lamp", "light.p1"),
        ("front dor", "binary_sensor.front_door"),
        ("sensor.front_door", "sensor.front_door_battery"),
        ("salt lmap", "switch.s2"),
        ("binary_sensor.frontdoor", "binary_sensor.front_door"),
    ],
)
def test_suggests(text: str, key: str) -> None:
    """Typos of an id, of its second half or of a name lead to the entity."""
    assert key in HOUSE.suggest(text)


@pytest.mark.parametrize(
    "text", ["", " ", ".", "light.", "light.xyzzy", "zzzzzz", "🦄", "sensor.asdf_ghjk"]
)
def test_suggests_nothing(text: str) -> None:
    """When nothing is near, nothing is suggested."""
    assert HOUSE.suggest(text) == []


def test_suggestions_are_limited_and_of_the_same_domain_first() -> None:
    """As many as asked for; among equals the domain that was written."""
    index = index_of(
        *(
            entity(f"{domain}.desk_lamp", "")
            for domain in ("cover", "light", "switch", "sensor")
        )
    )

    assert index.suggest("switch.desk_lmap", 2) == [
        "switch.desk_lamp",
        "cover.desk_lamp",
    ]
    assert index.suggest("switch.desk_lmap", 0) == []
    assert len(index.suggest("desk_lmap")) == 3


HOSTILE = {
    "empty": "",
    "blank": " \t\n\u00a0\u3000",
    "one megabyte": "a" * 1_000_000,
    "ten thousand words": "kitchen " * 10_000,
    "distinct words": " ".join(f"word{number}" for number in range(10_000)),
    "lone surrogates": "\ud800 kitchen \udfff",
    "control characters": "\x00\x01\x1bkitchen\x7f\u0085",
    "right to left": "\u202ekitchen\u202c \u200f",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪" * 50,
    "zalgo": "k" + "\u0335\u0301\u0489" * 500 + "itchen",
    "expanding": "\ufdfa" * 1000,
    "newlines": "\n\n\nkitchen\n",
    "wildcards": "%_*?[a-z](+){9}\\",
    "commas": "," * 5000,
    "dots": "." * 5000,
    "long compound": "kitchen" * 5000,
    "Han": "客" * 5000,
    "digits": "0" * 5000,
    "other digits": "٣²①½Ⅷ",
    "spelt out beside a number": "kitchen nü2",
    "all kinds of Han": "".join(map(chr, range(0x4E00, 0x4E00 + 200))),
    "every beginning": "se te ki li ba ma wo sc sp sh cu ch",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text(text: str) -> None:
    """Whatever is typed, and whatever entities are called: no error, and soon over."""
    started = time.process_time()
    HOUSE.search(text)
    HOUSE.suggest(text)
    index = index_of(
        SearchDocument(
            "light.a", text, (text,) * 200, (text,) * 200, (text,) * 200, demoted=False
        ),
        SearchDocument(text, "", (), (), (), demoted=True),
    )
    index.search(text)
    index.search("kitchen")
    index.suggest(text)
    index.remove(text)
    index.remove("light.a")

    assert time.process_time() - started < 1
    assert len(index) == 0
    assert index.search("kitchen") == []


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u200b", "--", "."])
def test_empty_query(query: str) -> None:
    """Nothing asked, nothing found."""
    assert HOUSE.search(query) == []


def test_zalgo_and_invisible_characters_are_seen_through() -> None:
    """Marks and joiners do not hide a word."""
    assert (
        found(HOUSE, "K\u0335i\u0301\u0489tch\u200ben ceiling\ufeff")[0]
        == "light.kitchen_ceiling"
    )


def test_names_beyond_the_limit_are_cut() -> None:
    """A huge name is found by its beginning, and still by the whole."""
    name = "beginning " + "x" * 300 + " end"
    index = lights(name)

    assert found(index, "beginning") == ["light.x0"]
    assert found(index, "end") == []
    assert found(index, name) == ["light.x0"]


def test_put_replaces_and_remove_forgets() -> None:
    """A document put again loses its old words."""
    index = index_of(entity("light.a", "Old name", "Elder"), entity("light.b", "Other"))
    index.put(entity("light.a", "New name", places=("Attic",)))

    assert len(index) == 2
    assert found(index, "old") == found(index, "elder") == []
    assert found(index, "new attic") == ["light.a"]

    index.remove("light.a")
    index.remove("light.unknown")

    assert len(index) == 1
    assert found(index, "new") == []
    assert index.suggest("light.aa") == []


def test_scores_fall_and_stay_in_range() -> None:
    """Scores are 1 to 100, falling within the shown and within the demoted."""
    for query in (*ASKED, *TYPED, "light", "l", "se", "a", "sensor door"):
        hits = HOUSE.search(query)
        assert all(1 <= hit.score <= 100 for hit in hits)
        assert all(before.score >= after.score for before, after in pairwise(hits))
        assert len({hit.key for hit in hits}) == len(hits)


WORDS = st.sampled_from(
    [
        "kitchen",
        "küche",
        "licht",
        "küchenlicht",
        "lamp",
        "lamps",
        "light",
        "2",
        "12",
        "客厅",
        "灯",
        "кухня",
        "кухне",
        "the",
    ]
)
TEXTS = st.lists(WORDS, max_size=3).map(" ".join)
FIELDS = st.lists(TEXTS, max_size=2).map(tuple)
DOCUMENTS = st.builds(
    SearchDocument,
    key=st.sampled_from(
        ["light.a", "light.kitchen", "light.lamp_2", "sensor.licht", "sensor.kitchen"]
    ),
    name=TEXTS,
    aliases=FIELDS,
    places=FIELDS,
    kinds=FIELDS,
    demoted=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(
    changes=st.lists(
        DOCUMENTS | DOCUMENTS.map(lambda document: document.key), max_size=12
    ),
    queries=st.lists(TEXTS, min_size=1, max_size=4),
)
def test_history_leaves_no_trace(
    changes: list[SearchDocument | str], queries: list[str]
) -> None:
    """After any puts and removals, asked in between or not, the index is as a new one."""
    index, documents = SearchIndex(), dict[str, SearchDocument]()
    for change in changes:
        if isinstance(change, SearchDocument):
            index.put(change)
            documents[change.key] = change
        else:
            index.remove(change)
            documents.pop(change, None)
        index.search(queries[0])
    fresh = index_of(*documents.values())

    assert len(index) == len(fresh)
    for query in (*queries, "kichen lihgt", "küchenlampe"):
        assert index.search(query) == fresh.search(query)
        assert index.suggest(query) == fresh.suggest(query)


@settings(max_examples=150, deadline=None)
@given(
    documents=st.lists(DOCUMENTS, max_size=8),
    shown=st.sets(st.sampled_from(["light.a", "light.kitchen", "sensor.licht"])),
    query=TEXTS,
)
def test_filter_is_like_absence(
    documents: list[SearchDocument], shown: set[str], query: str
) -> None:
    """A filter gives what an index without the rejected documents gives."""
    index = index_of(*documents)
    without = index_of(*(document for document in documents if document.key in shown))

    for text in (query, "kitchn", "licht lamp"):
        assert index.search(text, shown.__contains__) == without.search(text)
        assert index.suggest(text, 3, shown.__contains__) == without.suggest(text)


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(st.characters(), max_size=300),
    name=st.text(st.characters(), max_size=60),
)
def test_any_text(text: str, name: str) -> None:
    """No text is too odd to be asked for or to be a name; a name finds what bears it."""
    index = lights(name, text)
    index.search(text)
    index.suggest(text)

    assert "light.x0" in found(index, name) or not found(index, name)


def test_every_name_of_a_house_finds_its_entity() -> None:
    """Whole names, in whatever order their words are, and single ids."""
    chance = random.Random(7)
    names = {
        f"light.n{number}": "".join(chance.choices(string.ascii_lowercase, k=9))
        + " lamp"
        for number in range(300)
    }
    index = index_of(*(entity(key, name) for key, name in names.items()))

    for key, name in names.items():
        assert index.search(name)[0] == Hit(key, 100)
        assert found(index, " ".join(reversed(name.split())))[0] == key
        assert index.search(key)[0] == Hit(key, 100)
