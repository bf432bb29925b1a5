"""What an assistant may ask: one module per family of tools."""

from collections.abc import Iterator

from . import areas, diagnostics, entities, overview, services, system
from .declaration import Tool

_FAMILIES = (overview, entities, areas, services, system, diagnostics)


def all_tools() -> Iterator[Tool]:
    """Yield every tool there is, in the order in which they are offered."""
    for family in _FAMILIES:
        yield from (
            declared for declared in vars(family).values() if isinstance(declared, Tool)
        )
