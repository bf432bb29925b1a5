"""Scenes made of the present states."""

import probatio as vol

from homeassistant.util import slugify

from ..access.actions.scenes import SnapshotScene
from ..errors import InvalidArguments, quoted
from ..models import Kind
from .declaration import Call, Result, tool
from .parameters import ListOf, Name, Text

# What Home Assistant makes of a name without a letter or a digit.
_NO_SLUG = "unknown"
_LONGEST_NAME = 100
_MOST_ENTITIES = 50


@tool(
    name="ha_snapshot_scene",
    title="Keep states as a scene",
    description="Create a scene from the present states of some entities, to come back to them with scene.turn_on. "
    "Lost when Home Assistant restarts.",
    parameters={
        vol.Required("name", description="such as Before the film"): Text(
            _LONGEST_NAME
        ),
        vol.Required(
            "entities", description="entity ids, such as light.kitchen"
        ): ListOf(Name(), _MOST_ENTITIES),
    },
    kind=Kind.WRITE,
    destructive=False,
    needs="scene",
)
async def snapshot_scene(call: Call) -> Result:
    """Create the scene."""
    scene_id = _scene_id(call.args["name"])
    return await call.act(SnapshotScene(scene_id, tuple(call.args["entities"])))


def _scene_id(name: str) -> str:
    """Return the id for a name: its letters without accents, its digits, and underscores between."""
    scene_id = slugify(name)
    if scene_id == _NO_SLUG and name.casefold() != _NO_SLUG:
        raise InvalidArguments(
            f"No id can be made of the name {quoted(name)}.",
            "Use a name with letters or digits.",
        )
    return scene_id
