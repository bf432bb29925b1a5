"""What Home Assistant can store and send."""

from typing import Final

# The least whole number that it cannot: one such number keeps a whole file from being written.
INTEGER_LIMIT: Final = 2**63


def plain_text(text: str) -> str:
    """Return a text that can be encoded: half a surrogate pair, which some integrations and clients let through, is replaced."""
    return (
        str(text) if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    )
