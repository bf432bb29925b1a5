"""What an assistant may ask: one module per family of tools."""

from collections.abc import Iterator, Mapping
from types import ModuleType

from . import (
    announce,
    areas,
    automations,
    cameras,
    changes,
    diagnostics,
    entities,
    helpers,
    notify,
    overview,
    scenes,
    scripts,
    service_calls,
    services,
    system,
    todo,
)
from .declaration import Tool

# The families that the owner can choose from, in the order in which their tools are offered.
_TOOLSETS: Mapping[str, tuple[ModuleType, ...]] = {
    "entities": (overview, entities, areas),
    "services": (services, service_calls),
    "scripts": (scripts,),
    "automations": (automations,),
    "notify": (notify, announce),
    "helpers": (helpers,),
    "todo": (todo,),
    "scenes": (scenes,),
    "camera": (cameras,),
    "changes": (changes,),
    "system": (system, diagnostics),
}


def families() -> dict[str, list[Tool]]:
    """Return the tools by family."""
    return {
        toolset: [
            declared
            for module in modules
            for declared in vars(module).values()
            if isinstance(declared, Tool)
        ]
        for toolset, modules in _TOOLSETS.items()
    }


def toolsets() -> list[str]:
    """Return the names of the families."""
    return list(_TOOLSETS)


def all_tools() -> Iterator[Tool]:
    """Yield every tool there is, in the order in which they are offered."""
    for tools in families().values():
        yield from tools
