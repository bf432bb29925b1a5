"""Search over the entities of a house by what people type.

How hits are ranked
-------------------
A document is a hit when every word of the query is met in it, each word in whichever
field. Function words and symbols ("the", "de", 💡) may be missing, and add a little
when they are there. A word is met, best first, by

1. the same token ("light" by `light`),
2. another form of it ("lights", "кухне" for "кухня"),
3. the same letters cut differently ("livingroom" by `living room`, and the reverse),
4. the beginning of a token ("kitch", "lamp" in `lampshade`),
5. a part inside a compound ("licht" in `kuchenlicht`),
6. a token one to three typos away.

Within each of these, names and aliases weigh more than parts of the entity id, these
more than places, these more than kinds; no field lifts a word over a better way of
being met. The score of a document is the mean over the words, a little less when its
name says much more than was asked.

The whole query as an entity id or as a name comes first, with score 100. Then scores
fall; demoted documents follow all others; equal scores are listed by key.

Typos cost most and mislead most, so they are considered only when nothing better
than a part of a word is found. No step looks at how often or where else a word
occurs, so documents that the caller rejects cannot show through.
"""

from collections.abc import Callable, Collection, Iterable, KeysView
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain, repeat
from operator import add
from typing import NamedTuple

from rapidfuzz import fuzz, process

from .search_text import (
    FUNCTION_WORDS,
    QUESTION_WORDS,
    TEXT_LIMIT,
    Query,
    QueryWord,
    phrase_of,
    read_query,
    tokens,
)
from .search_vocabulary import JOINED, Vocabulary

TEXTS_PER_FIELD = 50  # aliases, places or kinds read of one document

# Weights of the four fields, in percent: names, id parts, places, kinds.
FIELD_WEIGHTS = (100, 97, 93, 90)

EXACT_OBJECT_ID = 98
WEAK = 62  # hits below this are no better than parts of words: typos are considered
PARTIAL = 60  # highest score when words were left out
NEAR = 75  # least similarity, in percent, of a suggestion

type Accept = Callable[[str], bool]
type Levels = dict[int, list[Collection[str]]]  # percent -> keys of documents


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """What can be found of one entity."""

    key: str  # entity id
    name: str
    aliases: tuple[str, ...]  # weigh like the name
    places: tuple[str, ...]  # area, area aliases, floor, labels
    kinds: tuple[str, ...]  # domain words, device class, unit
    demoted: bool  # listed after all others


class Hit(NamedTuple):
    """One document found."""

    key: str
    score: int  # 1..100


class Finding(NamedTuple):
    """What was found, and the words of the query that had to be left out for it."""

    hits: list[Hit]
    left_out: tuple[str, ...]


class _Postings:
    """Keys of the documents that have a token, or a phrase.

    Most tokens are in one document only: for these the bare key is kept instead of a
    set, which saves half the memory.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.entries: dict[str, str | set[str]] = {}

    def keys(self, entry: str) -> Collection[str]:
        """The keys of one entry."""
        keys = self.entries.get(entry, ())
        return (keys,) if isinstance(keys, str) else keys

    def add(self, entries: Iterable[str], key: str) -> bool:
        """Put a key under entries that lacked it; whether any of these is new."""
        new = False
        for entry in entries:
            keys = self.entries.setdefault(entry, key)
            if isinstance(keys, set):
                keys.add(key)
            elif keys is key:
                new = True
            else:
                self.entries[entry] = {keys, key}
        return new

    def discard(self, entries: Iterable[str], key: str) -> bool:
        """Take a key from entries that have it; whether any of these is gone with it."""
        gone = False
        for entry in set(entries):
            keys = self.entries[entry]
            if isinstance(keys, str):
                del self.entries[entry]
                gone = True
            else:
                keys.discard(key)
                if len(keys) == 1:
                    self.entries[entry] = keys.pop()
        return gone


class _Reading(NamedTuple):
    """What the index keeps of a document, worked out anew to take it back."""

    fields: tuple[tuple[str, ...], ...]  # tokens, in the order of FIELD_WEIGHTS
    names: tuple[str, ...]  # phrases of name and aliases
    object_id: str  # phrase of the id without its domain
    length: int  # words in the shortest name, function words not counted


class SearchIndex:
    """Finds documents; see the top of this module for the order of hits."""

    def __init__(self) -> None:
        """Start empty."""
        self._documents: dict[str, SearchDocument] = {}
        self._demoted: set[str] = set()
        self._lengths: dict[str, int] = {}  # key -> words in the shortest name
        self._fields = tuple(_Postings() for _ in FIELD_WEIGHTS)
        self._names = _Postings()
        self._object_ids = _Postings()
        # Arranged when next asked for, None until then.
        self._vocabulary: Vocabulary | None = None
        self._key_order: list[str] | None = None

    def __len__(self) -> int:
        """Number of documents."""
        return len(self._documents)

    def put(self, document: SearchDocument) -> None:
        """Add a document, or replace the one with its key."""
        key = document.key
        known = self._documents.get(key)
        if known == document:
            return
        if known is None:
            self._key_order = None
        else:
            self._take_back(known)
        self._documents[key] = document
        reading = _read(document)
        for postings, field in zip(self._fields, reading.fields, strict=True):
            if postings.add(field, key):
                self._vocabulary = None
        self._names.add(reading.names, key)
        self._object_ids.add((reading.object_id,), key)
        self._lengths[key] = reading.length
        if document.demoted:
            self._demoted.add(key)

    def remove(self, key: str) -> None:
        """Forget a document; an unknown key is fine."""
        if (document := self._documents.pop(key, None)) is not None:
            self._take_back(document)
            del self._lengths[key]
            self._key_order = None

    def _take_back(self, document: SearchDocument) -> None:
        """Undo what putting a document did to the tables of tokens and names."""
        key, reading = document.key, _read(document)
        for postings, field in zip(self._fields, reading.fields, strict=True):
            if postings.discard(field, key):
                self._vocabulary = None
        self._names.discard(reading.names, key)
        self._object_ids.discard((reading.object_id,), key)
        self._demoted.discard(key)

    def search(self, query: str, accept: Accept | None = None) -> list[Hit]:
        """All documents that meet a query, best first.

        Keys that `accept` rejects influence neither the hits nor their scores.
        """
        asked = read_query(query)
        if not asked.words:
            return []
        scores = self._scores(asked, accept, typos=False)
        exact = self._exact(asked, query, accept)
        if not exact and max(scores.values(), default=0) < WEAK:
            scores = self._scores(asked, accept, typos=True)
        for key in exact:
            scores.pop(key, None)
        hits = list(map(Hit, exact, repeat(100)))
        # Sorting keeps the order of equals, reversed too: each group stays ordered by key.
        ordered = sorted(self._by_key(scores), key=scores.__getitem__, reverse=True)
        hits += [Hit(key, scores[key]) for key in ordered if key not in self._demoted]
        hits += [Hit(key, scores[key]) for key in ordered if key in self._demoted]
        return hits

    def find(self, query: str, accept: Accept | None = None) -> Finding:
        """All documents that meet a query; if there are none, those that meet what is left of it.

        Left out are the words that nothing meets, else those of questions and states: "open window" finds windows.
        """
        if hits := self.search(query, accept):
            return Finding(hits, ())
        words = [word for word in read_query(query).words if not word.optional]
        without = [word for word in words if not self._is_met(word, accept)]
        without = without or [
            word for word in words if word.spellings[0] in QUESTION_WORDS
        ]
        rest = [word.spellings[0] for word in words if word not in without]
        hits = self.search(" ".join(rest), accept)
        left_out = tuple(word.spellings[0] for word in without) if hits else ()
        return Finding(
            [Hit(hit.key, min(hit.score, PARTIAL)) for hit in hits], left_out
        )

    def _is_met(self, word: QueryWord, accept: Accept | None) -> bool:
        """Whether any accepted document meets a word, however badly."""
        keys = chain.from_iterable(
            chain.from_iterable(self._levels(word, True).values())
        )
        return any(accept is None or accept(key) for key in keys)

    def suggest(
        self, text: str, limit: int = 3, accept: Accept | None = None
    ) -> list[str]:
        """Keys someone may have meant who wrote this id or name; none when none is near.

        Ids and names that are spelt alike come first; an id or a name of several words
        is searched for as well, since people also leave words out.
        """
        domain, dot, rest = text[:TEXT_LIMIT].strip().rpartition(".")
        phrase, start = phrase_of(rest), domain.lower() + dot
        if not phrase or limit < 1:
            return []
        near = self._spelt_like(phrase)
        order = sorted(
            near,
            key=lambda key: (
                -near[key],
                not key.startswith(start),
                key in self._demoted,
                key,
            ),
        )
        suggestions = [key for key in order if accept is None or accept(key)]
        if len(suggestions) < limit and (dot or " " in phrase):
            suggestions += [
                hit.key for hit in self.search(text, accept) if hit.key not in near
            ]
        return suggestions[:limit]

    def _spelt_like(self, phrase: str) -> dict[str, float]:
        """Documents whose id or a name is spelt like a phrase, and how alike, in percent."""
        near: dict[str, float] = {}
        for postings in (self._object_ids, self._names):
            for found, alike, _ in process.extract(
                phrase,
                list(postings.entries),
                scorer=fuzz.ratio,
                score_cutoff=NEAR,
                limit=None,
            ):
                for key in postings.keys(found):
                    near[key] = max(alike, near.get(key, 0))
        return near

    def _exact(self, asked: Query, text: str, accept: Accept | None) -> list[str]:
        """Keys whose id or name is what was typed, in order."""
        named = set(self._names.keys(asked.phrase))
        if len(asked.listed) > 1:
            named |= set.intersection(
                *(set(self._names.keys(phrase)) for phrase in asked.listed)
            )
        order = sorted(named, key=lambda key: (key in self._demoted, key))
        typed = text[: TEXT_LIMIT * 2].strip()
        ids = [key for key in (typed, typed.lower()) if key in self._documents]
        return [
            key for key in dict.fromkeys(ids + order) if accept is None or accept(key)
        ]

    def _scores(
        self, asked: Query, accept: Accept | None, typos: bool
    ) -> dict[str, int]:
        """Scores, 1 to 99, of the accepted documents that meet every required word.

        The rarest word comes first: the others are then looked at among its documents.
        """
        required = [word for word in asked.words if not word.optional]
        levels = sorted((self._levels(word, typos) for word in required), key=_size)
        words = [_best(levels[0])]
        for others in levels[1:]:
            words.append(_best(others, words[-1].keys()))
        keys = words[-1]
        met = list(keys) if accept is None else [key for key in keys if accept(key)]
        count = len(words)
        scores: dict[str, int] = {}
        if met:
            found: list[Iterable[int]] = [map(word.__getitem__, met) for word in words]
            lengths = map(self._lengths.__getitem__, met)
            for key, total, length in zip(
                met, reduce(_added, found), lengths, strict=True
            ):
                portion = 89 + 8 * count // max(count, length)
                scores[key] = total * portion // (100 * count)
            self._add_details(scores, asked)
        return scores

    def _add_details(self, scores: dict[str, int], asked: Query) -> None:
        """Optional words that are met add one point; a whole object id is nearly exact."""
        for word in asked.words:
            if word.optional:
                for key in _best(self._levels(word, typos=False), scores.keys()):
                    scores[key] = min(scores[key] + 1, 99)
        for key in scores.keys() & self._object_ids.keys(asked.phrase):
            scores[key] = max(scores[key], EXACT_OBJECT_ID)

    def _levels(self, word: QueryWord, typos: bool) -> Levels:
        """The documents that meet a word, by how well; one may be on several levels."""
        vocabulary = self._arranged()
        found = [
            vocabulary.matches(spelling, typos=False) for spelling in word.spellings
        ]
        if typos:
            found += [
                vocabulary.matches(spelling, typos=True) for spelling in word.spellings
            ]
        levels: Levels = {}
        joined = zip(word.joined, repeat(JOINED))
        for token, quality in chain(joined, *(matches.tokens for matches in found)):
            for postings, weight in zip(self._fields, FIELD_WEIGHTS, strict=True):
                if keys := postings.keys(token):
                    levels.setdefault(quality * weight // 100, []).append(keys)
        for matches in found:
            for quality, parts in matches.compounds:
                keys = set.intersection(*map(self._with_any, parts))
                levels.setdefault(quality, []).append(keys)
        return levels

    def _with_any(self, choices: list[str]) -> set[str]:
        """Keys of the documents that have one of several tokens, in whichever field."""
        return set().union(
            *(postings.keys(token) for token in choices for postings in self._fields)
        )

    def _arranged(self) -> Vocabulary:
        if self._vocabulary is None:
            self._vocabulary = Vocabulary(
                set().union(*(postings.entries for postings in self._fields))
            )
        return self._vocabulary

    def _by_key(self, scores: dict[str, int]) -> Iterable[str]:
        """Keys in their order: few are sorted, many are picked from the sorted list of all."""
        if len(scores) * 8 < len(self._documents):
            return sorted(scores)
        if self._key_order is None:
            self._key_order = sorted(self._documents)
        return [key for key in self._key_order if key in scores]


def _size(levels: Levels) -> int:
    return sum(map(len, chain.from_iterable(levels.values())))


def _best(levels: Levels, within: KeysView[str] | None = None) -> dict[str, int]:
    """The best level of each document, or of each within some."""
    best: dict[str, int] = {}
    for level in sorted(levels):  # the best level is written last
        for keys in levels[level]:
            best.update(dict.fromkeys(keys if within is None else within & keys, level))
    return best


def _added(some: Iterable[int], others: Iterable[int]) -> Iterable[int]:
    return map(add, some, others)


@lru_cache(maxsize=1024)
def _recurring_tokens(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Tokens of rooms or kinds, each once: thousands of documents have the same ones."""
    return tuple(
        dict.fromkeys(chain.from_iterable(map(tokens, texts[:TEXTS_PER_FIELD])))
    )


def _read(document: SearchDocument) -> _Reading:
    """Take a document apart."""
    names = [tokens(document.name)]
    names += map(tokens, document.aliases[:TEXTS_PER_FIELD])
    domain, _, object_id = document.key.rpartition(".")
    id_parts = tokens(object_id)
    return _Reading(
        fields=(
            tuple(chain.from_iterable(names)),
            id_parts,
            _recurring_tokens(document.places),
            _recurring_tokens((domain, *document.kinds)),
        ),
        names=tuple(map(" ".join, filter(None, names))),
        object_id=" ".join(id_parts),
        length=min(
            len(name) - sum(map(FUNCTION_WORDS.__contains__, name)) for name in names
        ),
    )
