"""What cameras see."""

from base64 import b64encode

import probatio as vol

from homeassistant.util import dt as dt_util

from ..house.pictures import Picture, snapshot
from ..models import Kind
from .declaration import Call, Illustrated, Image, Result, tool
from .objects import EntityOf
from .parameters import Whole

_CAMERA = "camera"
# Pixels. Models scale down what is larger.
_USUAL_SIDE = 1_024
# 700 kB in Base64: some clients refuse an answer of 1 MB.
_MOST_BYTES = 525_000


@tool(
    name="ha_get_camera_snapshot",
    title="Look through a camera",
    description="The present picture of a camera, as a JPEG. Every look is on record.",
    parameters={
        vol.Required("entity_id", description="such as camera.front_door"): EntityOf(
            _CAMERA
        ),
        vol.Optional(
            "max_side", description=f"longest side in pixels, {_USUAL_SIDE} unless told"
        ): Whole(64, 1_600),
    },
    kind=Kind.CAMERA,
    needs=_CAMERA,
)
async def get_camera_snapshot(call: Call) -> Result:
    """Return the picture, with what it shows and when it was taken."""
    camera = call.view.entity(call.args["entity_id"])
    side: int = call.args.get("max_side", _USUAL_SIDE)
    picture = await snapshot(call.hass, camera.entity_id, side, _MOST_BYTES)
    taken = dt_util.now()
    image = await call.hass.async_add_executor_job(_encoded, picture)
    data = {
        "entity_id": camera.entity_id,
        "name": camera.name,
        "width": picture.width,
        "height": picture.height,
        "taken_at": taken.isoformat(timespec="seconds"),
    }
    return Illustrated(data, image)


def _encoded(picture: Picture) -> Image:
    return Image(b64encode(picture.content).decode(), picture.content_type)
