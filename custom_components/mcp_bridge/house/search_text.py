"""Text as people type it, turned into tokens that can be compared.

Folding drops what people leave out or vary when they type: case, accents, width,
invisible characters. What folding keeps is cut into tokens:

- at spaces and punctuation, so `light.bed_2` and `l'entrée` fall apart;
- between a word and its number (`socket12` is `socket` and `12`; `co2` stays whole);
- between scripts written without spaces and all others (`TV灯` is `tv` and `灯`);
- a symbol such as 💡 or % is a token of its own, a number loses its leading zeros.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
import re
import unicodedata

TEXT_LIMIT = 200  # characters read of any one text; what follows is ignored
TOKEN_LIMIT = 40  # characters kept of one token
WORD_LIMIT = 12  # words read of a query
CACHED_WORDS = 4096

# Letters that Unicode does not decompose, or that keyboards and people interchange.
_PLAIN = {
    "æ": "ae", "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ŋ": "n", "ø": "o", "œ": "oe",
    "þ": "th", "ŧ": "t", "ة": "ه", "ى": "ي", "ʼ": " ", "ʻ": " ", "©": " ", "®": " ", "°": "°", "%": " % ",
}  # fmt: skip

# Thai to Burmese, kana, Han and Hangul: no spaces between words, or few.
_DENSE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
_DENSE_CHARACTER = re.compile(f"[{_DENSE}]")
_RUNS = re.compile(f"[{_DENSE}]+|[^{_DENSE}]+")
_NUMBERED = re.compile(r"([^\W\d_]{3,})(\d+)")

# Umlauts may be typed as two letters, and two letters may be meant as an umlaut.
_SPELT_OUT = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "å": "aa",
        "Ä": "ae",
        "Ö": "oe",
        "Ü": "ue",
        "Å": "aa",
    }
)
_TWO_LETTER_VOWEL = re.compile("([aou])e|aa")

# Words that carry no meaning of their own, folded: English; French; German; Dutch;
# Spanish and Portuguese; Italian; Danish, Norwegian and Swedish; Russian.
_FUNCTION_WORDS = """
    the a an in on of at to for and my s
    le la les l de d du des un une dans sur et au aux en
    der die das den dem des ein eine im am an auf und von vom zu zum zur
    het een op van aan bij
    el los las una del y al da do
    il lo i gli di della dello dei degli delle dell nel nella nell su sul sulla e
    et ett det pa av af til till og och med
    на в во с со у и из для по к
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
# Words of questions and of states, folded: English; German; French. People put them around the name of a thing; they are
# left out when nothing is found with them.
_QUESTION_WORDS = """
    what which who where how is are was were there that these those all any every show list tell me please current now
    open opened closed on off low high locked unlocked running active home away
    was welche welcher welches wer wo wie ist sind gibt alle zeig bitte offen geoffnet zu geschlossen an aus leer
    quoi quel quelle quels quelles qui ou est sont tous toutes ouvert ouverte ouvertes ferme fermee fermees allume allumee
    allumees eteint eteinte eteintes
"""
QUESTION_WORDS = frozenset(_QUESTION_WORDS.split())
_DENSE_PARTICLES = frozenset("的の")

# Endings that a noun or adjective exchanges for one another, and how many letters must
# stand before them. An empty ending is the bare word.
_LATIN_ENDINGS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (3, ("", "s", "es")),
    (4, ("", "x")),
    (3, ("y", "ie", "ies", "i")),
    (3, ("", "a", "e", "i", "o", "as", "es", "os")),
    (3, ("", "e", "n", "en", "s", "et")),
    (4, ("", "e", "en", "er", "ern", "ene", "erne")),
    (3, ("a", "an", "or", "orna")),
    (3, ("", "en", "ar", "arna")),
    (2, ("z", "ces")),
)
_CYRILLIC = """
    а я о е у ю ы и ь і ая яя ую юю ои еи ыи ии ое ее ые ие ом ем ам ям ах ях ов ев ою ею
    ами ями ого его ому ему ыми ими
"""
_CYRILLIC_ENDINGS = ((3, ("", *_CYRILLIC.split())),)


class _FoldingTable(dict[int, str | None]):
    """A table for `str.translate`, filled as characters are met.

    Only characters below the CJK blocks are kept: that covers every alphabet and
    bounds the table, whatever strangers type.
    """

    def __missing__(self, code: int) -> str | None:
        """Work out one character."""
        folded = _fold_character(chr(code))
        if code < 0x3000:
            self[code] = folded
        return folded


_TABLE = _FoldingTable()


def _fold_character(character: str) -> str | None:
    """One decomposed, case-folded character: its replacement, or None to drop it."""
    if character in _PLAIN:
        return _PLAIN[character]
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category[0] in "LN":
        return character
    if category[0] == "M":
        return character if _is_spelling_mark(character, category) else None
    if category == "Cf":
        return None
    return f" {character} " if category in {"So", "Sc"} else " "


def _is_spelling_mark(character: str, category: str) -> bool:
    """Whether a mark is part of the spelling (Indic vowels, kana voicing), not an accent.

    Unicode's combining classes tell: 0 spacing vowels, 7 to 9 nukta, voicing and virama;
    1 and 10 upwards are what is set above, below or through a letter.
    """
    variation_selector = "\ufe00" <= character <= "\ufe0f"
    return (
        category != "Me"
        and not variation_selector
        and unicodedata.combining(character) in {0, 7, 8, 9}
    )


def fold(text: str) -> str:
    """Comparable form of a text: tokens and single symbols, set apart by blanks."""
    if text.isascii():
        return text.lower().translate(_TABLE)
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", decomposed.translate(_TABLE))


def tokens(text: str) -> tuple[str, ...]:
    """The tokens of the first TEXT_LIMIT characters of a text, in order."""
    words = text[:TEXT_LIMIT].replace("_", " ").split()
    return tuple(chain.from_iterable(map(_tokens_of_word, words)))


@lru_cache(maxsize=CACHED_WORDS)
def _tokens_of_word(word: str) -> tuple[str, ...]:
    """The tokens of a text without blanks. Few words make up most names of a house."""
    if word.isascii() and word.isdecimal():
        return (_plain_number(word),)
    found: list[str] = []
    for folded in fold(word).split():
        for run in (folded,) if folded.isascii() else _RUNS.findall(folded):
            if run[-1].isdecimal():
                found += _cut_number(run)
            else:
                found.append(run[:TOKEN_LIMIT])
    return tuple(found)


def _cut_number(word: str) -> tuple[str, ...]:
    """A word that ends in a digit: itself, or the word before the number and the number."""
    if word.isdecimal():
        return (_plain_number(word),)
    if match := _NUMBERED.fullmatch(word):
        return match[1][:TOKEN_LIMIT], _plain_number(match[2])
    return (word[:TOKEN_LIMIT],)


def _plain_number(digits: str) -> str:
    return digits.lstrip("0")[:TOKEN_LIMIT] or "0"


def is_dense(token: str) -> bool:
    """Whether a token is written in a script that does not set words apart."""
    return not token.isascii() and _DENSE_CHARACTER.match(token) is not None


def dense_characters(token: str) -> list[str]:
    """The characters of a dense token that carry meaning, each once, in order."""
    return [
        character
        for character in dict.fromkeys(token)
        if character not in _DENSE_PARTICLES
    ]


def is_optional(token: str) -> bool:
    """Whether a document may lack this query word: a function word or a symbol."""
    return token in FUNCTION_WORDS or not any(map(str.isalnum, token))


def inflections(word: str) -> set[str]:
    """Forms the same word may take: plural, case, gender, definite article.

    No dictionary: every known ending is exchanged for every other of its group, so most
    forms are not words. They are only ever compared with words of the house.
    """
    if not word.isalpha():
        return set()
    cyrillic = "\u0400" <= word[0] <= "\u04ff"
    forms: set[str] = set()
    for least, endings in _CYRILLIC_ENDINGS if cyrillic else _LATIN_ENDINGS:
        for ending in endings:
            if word.endswith(ending) and len(word) - len(ending) >= least:
                stem = word[: len(word) - len(ending)]
                forms.update(stem + other for other in endings)
    forms.discard(word)
    return forms


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of a query."""

    spellings: tuple[str, ...]  # the token, then other spellings of the same word
    joined: tuple[str, ...]  # run together with the word before or after it
    optional: bool


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, read."""

    phrase: str  # all tokens, one blank between
    listed: tuple[str, ...]  # the phrases between commas, when there are commas
    words: tuple[QueryWord, ...]  # distinct, at most WORD_LIMIT of them


def phrase_of(text: str) -> str:
    """A text in the form in which whole names are compared."""
    return " ".join(tokens(text))


def read_query(text: str) -> Query:
    """Read what was typed; anything beyond the limits is ignored."""
    text = text[:TEXT_LIMIT]
    plain = tokens(text)
    spelt_out = (
        plain
        if text.isascii()
        else tokens(unicodedata.normalize("NFC", text).translate(_SPELT_OUT))
    )
    if len(spelt_out) != len(plain):
        spelt_out = plain
    words: dict[str, QueryWord] = {}
    for position, token in enumerate(plain):
        if token not in words and len(words) < WORD_LIMIT:
            before, after = (
                plain[max(position - 1, 0) : position],
                plain[position + 1 : position + 2],
            )
            words[token] = QueryWord(
                spellings=_spellings(token, spelt_out[position]),
                joined=tuple(
                    [other + token for other in before]
                    + [token + other for other in after]
                ),
                optional=is_optional(token),
            )
    parts = text.split(",")
    return Query(
        phrase=" ".join(plain),
        listed=tuple(filter(None, map(phrase_of, parts))) if len(parts) > 1 else (),
        words=_at_least_one_required(tuple(words.values())),
    )


def _spellings(token: str, spelt_out: str) -> tuple[str, ...]:
    shortened = _TWO_LETTER_VOWEL.sub(lambda found: found[1] or "a", token)
    return tuple(dict.fromkeys((token, spelt_out, shortened)))


def _at_least_one_required(words: tuple[QueryWord, ...]) -> tuple[QueryWord, ...]:
    """Words none of which is required are all required: they are all there is to find."""
    if not all(word.optional for word in words):
        return words
    return tuple(
        QueryWord(word.spellings, word.joined, optional=False) for word in words
    )
