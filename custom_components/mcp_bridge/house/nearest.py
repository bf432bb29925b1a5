"""Near misses among a few names, for "did you mean"."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from .search_text import fold

# Below this similarity (percent) a name is no near miss but another word.
_CUTOFF = 65


def nearest(text: str, names: Iterable[str], limit: int = 3) -> list[str]:
    """Return up to `limit` of the names that are nearest to a text, nearest first; none when nothing is near."""
    hits = process.extract(
        text[:100],
        list(names),
        scorer=fuzz.WRatio,
        processor=fold,
        limit=limit,
        score_cutoff=_CUTOFF,
    )
    return [name for name, _score, _position in hits]
