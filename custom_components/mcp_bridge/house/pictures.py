"""A picture of what a camera sees now, made small enough to be sent."""

from dataclasses import dataclass
from io import BytesIO
import struct
from typing import TYPE_CHECKING

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, split_entity_id

from ..errors import Failed, InvalidArguments, NotFound, TooLarge, Unavailable, quoted

if TYPE_CHECKING:
    from PIL.Image import Image

_CAMERA = "camera"
_TIMEOUT_SECONDS = 10
# What Pillow may take the picture for. Its other formats are none that a camera sends, and some run programs.
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP")
# A few kilobytes can claim to be a picture that fills the memory. 50 megapixels take 150 MB.
_MOST_PIXELS = 50_000_000
_MOST_SOURCE_BYTES = 50_000_000
_QUALITIES = (85, 75, 60, 45, 30)
# Below this width or height there is nothing to be seen any more.
_LEAST_SIDE = 32


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG, with its size in pixels."""

    content: bytes
    width: int
    height: int

    content_type = "image/jpeg"


async def snapshot(
    hass: HomeAssistant, entity_id: str, max_side: int, max_bytes: int
) -> Picture:
    """Return what a camera sees, with no side longer than `max_side` pixels and in at most `max_bytes`.

    Raises HomeAssistantError, with Home Assistant's own words, when the camera is off or does not answer.
    """
    _check(hass, entity_id)
    # Not before the check: the camera integration can only be imported once Home Assistant has installed it.
    from homeassistant.components.camera import async_get_image

    image = await async_get_image(hass, entity_id, timeout=_TIMEOUT_SECONDS)
    return await hass.async_add_executor_job(shrink, image.content, max_side, max_bytes)


def _check(hass: HomeAssistant, entity_id: str) -> None:
    if split_entity_id(entity_id)[0] != _CAMERA:
        raise InvalidArguments(
            f"{quoted(entity_id)} is no camera.", "The id of a camera begins: camera."
        )
    state = hass.states.get(entity_id)
    if state is None or _CAMERA not in hass.config.components:
        raise NotFound(f"There is no camera {quoted(entity_id)}.")
    if state.state == STATE_UNAVAILABLE:
        raise Unavailable(f"The camera {entity_id} is unavailable.")


def shrink(content: bytes, max_side: int, max_bytes: int) -> Picture:
    """Return a picture of any usual format as a JPEG that keeps to the limits; blocks, so not for the event loop.

    What else the file held, such as the place where it was taken, is gone.
    """
    image = _opened(content, max_side)
    side = max_side
    while side >= _LEAST_SIDE or side == max_side:
        image.thumbnail((side, side))
        for quality in _QUALITIES:
            buffer = BytesIO()
            image.save(buffer, "JPEG", quality=quality, optimize=True, comment=b"")
            if buffer.tell() <= max_bytes:
                return Picture(buffer.getvalue(), image.width, image.height)
        side = side * 3 // 4
    raise TooLarge(f"The picture does not fit into {max_bytes} bytes.")


def _opened(content: bytes, max_side: int) -> Image:
    """Return the picture upright, in colours only."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    if len(content) > _MOST_SOURCE_BYTES:
        raise TooLarge("The camera sent a file that is too large to be read.")
    try:
        image: Image.Image = Image.open(BytesIO(content), formats=_FORMATS)
        if image.width * image.height > _MOST_PIXELS:
            raise TooLarge(
                f"The camera sent a picture of {image.width} × {image.height} pixels, which is too large to be read."
            )
        # A JPEG can be read at half, a quarter or an eighth of its size, which is faster.
        image.draft("RGB", (max_side, max_side))
        return _in_colours(ImageOps.exif_transpose(image))
    except Image.DecompressionBombError as err:
        raise TooLarge(
            "The camera sent a picture that is too large to be read."
        ) from err
    except UnidentifiedImageError as err:
        raise Failed("What the camera sent is no picture that can be read.") from err
    except (OSError, EOFError, SyntaxError, ValueError, struct.error) as err:
        raise Failed("The camera sent a damaged picture.") from err


def _in_colours(image: Image) -> Image:
    """Return the picture without transparency, which a JPEG does not have: what was transparent is white."""
    from PIL import Image

    if not image.has_transparency_data:
        return image.convert("RGB")
    layer = image.convert("RGBA")
    ground = Image.new("RGBA", layer.size, "white")
    ground.alpha_composite(layer)
    return ground.convert("RGB")
