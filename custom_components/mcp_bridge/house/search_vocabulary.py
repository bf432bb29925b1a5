"""The distinct tokens of a house, and how a word of a query is met by them.

How well a token meets a word is told in percent, from EXACT down to TYPO; `search.py`
tells the order. Nothing here knows which document has which token.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate, chain, repeat
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from .search_text import FUNCTION_WORDS, dense_characters, inflections, is_dense

CACHED_WORDS = 128

EXACT, INFLECTED, JOINED, PREFIX, PART, TYPO = 100, 88, 86, 72, 58, 50
COVERAGE_GAIN = 6  # what a beginning or part gains by the share of the token it covers
CHARACTERS_ONLY = 42  # all characters of a Chinese word are there, but not together


class Matches(NamedTuple):
    """How a word is met in the vocabulary."""

    # A token and how well it meets the word, in percent.
    tokens: list[tuple[str, int]]
    # Percent and parts: a document must have one token of every part.
    compounds: list[tuple[int, list[list[str]]]]


class Vocabulary:
    """The distinct tokens of all documents, arranged for looking words up."""

    def __init__(self, known: set[str]) -> None:
        """Arrange the tokens."""
        self._known = known
        self._sorted = sorted(known)
        # All tokens in one text, a line each: searching that is a single fast scan.
        self._text = "\n".join(self._sorted)
        self._starts = list(
            accumulate((len(token) + 1 for token in self._sorted), initial=0)
        )
        self._by_length: dict[int, list[str]] = {}
        for token in self._sorted:
            if token.isalpha() and not is_dense(token):
                self._by_length.setdefault(len(token), []).append(token)
        self._cache: dict[tuple[str, bool], Matches] = {}

    def matches(self, word: str, typos: bool) -> Matches:
        """Everything that meets a word, or everything that is near it."""
        found = self._cache.get((word, typos))
        if found is None:
            if len(self._cache) >= CACHED_WORDS:
                self._cache.clear()
            found = self._near(word) if typos else self._met(word)
            self._cache[word, typos] = found
        return found

    def _met(self, word: str) -> Matches:
        """Tokens that meet a word without typos."""
        met = chain(self._beginning_with(word), self._with_part(word))
        found = [*met, *zip(self._known & inflections(word), repeat(INFLECTED))]
        if word in self._known:
            found.append((word, EXACT))
        return Matches(found, [(JOINED, parts) for parts in self._cut(word)])

    def _beginning_with(self, word: str) -> Iterator[tuple[str, int]]:
        """Tokens that a word begins. A short number begins none: 1 is not 12."""
        if len(word) < (3 if word.isdecimal() else 2) and not is_dense(word):
            return
        for position in range(bisect_right(self._sorted, word), len(self._sorted)):
            token = self._sorted[position]
            if not token.startswith(word):
                return
            yield token, PREFIX + COVERAGE_GAIN * len(word) // len(token)

    def _with_part(self, word: str) -> Iterator[tuple[str, int]]:
        """Tokens that contain a word, but do not begin with it.

        Three letters must end the token ("tür" in "haustür"), and one Latin letter
        before the part makes another word, not a compound ("light" in "flight").
        """
        dense = is_dense(word)
        if (len(word) < 3 and not dense) or word.isdecimal():
            return
        at_end = not dense and len(word) == 3
        least = 2 if word.isascii() else 1
        position = self._text.find(word)
        while position >= 0:
            line = bisect_right(self._starts, position) - 1
            token = self._sorted[line]
            start = token.rfind(word) if at_end else token.find(word, least)
            if start >= least and (not at_end or token.endswith(word)):
                yield token, PART + COVERAGE_GAIN * len(word) // len(token)
            position = self._text.find(word, self._starts[line + 1])

    def _cut(self, word: str) -> Iterator[list[list[str]]]:
        """The ways to cut a word into two known ones."""
        if not word.isalpha() or is_dense(word):
            return
        for cut in range(2, len(word) - 1):
            if left := self._forms(word[:cut]):
                if right := self._forms(word[cut:]):
                    yield [left, right]

    def _forms(self, part: str) -> list[str]:
        """A part of a compound as the vocabulary has it."""
        if part in FUNCTION_WORDS:
            return []
        known = [part] if part in self._known else []
        stem = part[: max(3, len(part) - 4)]
        following = bisect_left(self._sorted, stem)
        if following < len(self._sorted) and self._sorted[following].startswith(stem):
            known += self._known & inflections(part)
        return known

    def _near(self, word: str) -> Matches:
        """Tokens some typos away; for dense scripts, all characters in any order."""
        if is_dense(word):
            parts = [
                [token for token, _ in self.matches(character, typos=False).tokens]
                for character in dense_characters(word)
            ]
            return Matches([], [(CHARACTERS_ONLY, parts)] if len(parts) > 1 else [])
        if len(word) < 4 or not word.isalpha():
            return Matches([], [])
        near = chain(
            self._misspelt(word), self._misspelt_beginning(word), self._with_stem(word)
        )
        return Matches(list(near), [])

    def _with_stem(self, word: str) -> Iterator[tuple[str, int]]:
        """Tokens with a word less its ending ("lichter" in "kuchenlicht")."""
        for stem in inflections(word):
            if len(stem) > 4 and word.startswith(stem):
                for token, _ in chain(
                    self._beginning_with(stem), self._with_part(stem)
                ):
                    yield token, TYPO - 4

    def _misspelt(self, word: str) -> Iterator[tuple[str, int]]:
        """Whole tokens within the typos that a word of this length may have.

        Short words, and all with more than one typo, must agree in the first letter,
        which people rarely get wrong: else "night" would be "light".
        """
        most = _typos_in(word)
        lengths = range(len(word) - most, len(word) + most + 1)
        choices = list(
            chain.from_iterable(self._by_length.get(length, ()) for length in lengths)
        )
        for token, typos, _ in process.extract(
            word, choices, scorer=OSA.distance, score_cutoff=most, limit=None
        ):
            if token[0] == word[0] or (typos == 1 and len(word) > 5):
                yield token, TYPO - 2 * typos

    def _misspelt_beginning(self, word: str) -> Iterator[tuple[str, int]]:
        """Longer tokens whose beginning is one typo away ("kuhcen" for "kuchenlicht")."""
        if len(word) < 6:
            return
        first = bisect_left(self._sorted, word[0])
        last = bisect_left(self._sorted, chr(ord(word[0]) + 1))
        same_letter = self._sorted[first:last]
        longer = [token for token in same_letter if len(token) > len(word) + 2]
        for length in (len(word), len(word) + 1):
            cut = [token[:length] for token in longer]
            for _, _, place in process.extract(
                word, cut, scorer=OSA.distance, score_cutoff=1, limit=None
            ):
                yield longer[place], TYPO - 3


def _typos_in(word: str) -> int:
    """How many typos a word may have."""
    return 1 if len(word) < 7 else 2 if len(word) < 12 else 3
