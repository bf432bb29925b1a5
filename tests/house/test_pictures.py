"""Pictures of cameras are made small; what is none is refused."""

from io import BytesIO
import random
import struct
from typing import Any
import zlib

from PIL import Image
import pytest

from custom_components.mcp_bridge.errors import (
    BridgeError,
    Failed,
    InvalidArguments,
    NotFound,
    TooLarge,
    Unavailable,
)
from custom_components.mcp_bridge.house import pictures
from custom_components.mcp_bridge.house.pictures import Picture, shrink, snapshot
from homeassistant.components.camera import Camera
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from .platforms import add_entities

DOOR = "camera.door"
CAP = 1_000_000


class Door(Camera):
    """A camera that shows what it is given."""

    _attr_name = "Door"
    _attr_unique_id = "door"

    def __init__(self, content: bytes | None, content_type: str = "image/jpeg") -> None:
        """Take the picture."""
        super().__init__()
        self.content = content
        self.content_type = content_type

    async def async_camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes | None:
        """Return the picture."""
        return self.content


def painted(
    size: tuple[int, int] = (400, 200),
    file_format: str = "JPEG",
    mode: str = "RGB",
    **more: Any,
) -> bytes:
    """Return a picture that is blue all over."""
    colour: Any = {"RGBA": (0, 0, 255, 0), "L": 90, "CMYK": (9, 9, 9, 9), "1": 1}.get(
        mode, (0, 0, 255)
    )
    image = Image.new("RGB" if mode == "P" else mode, size, colour)
    if mode == "P":
        image = image.convert("P")
    buffer = BytesIO()
    image.save(buffer, file_format, **more)
    return buffer.getvalue()


def noise(side: int) -> bytes:
    """Return a picture that cannot be compressed."""
    image = Image.frombytes(
        "RGB", (side, side), random.Random(1).randbytes(side * side * 3)
    )
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def seen(picture: Picture) -> Image.Image:
    """Return the picture as a client sees it, which is always a JPEG of the size that is told."""
    image = Image.open(BytesIO(picture.content))
    assert image.format == "JPEG"
    assert image.size == (picture.width, picture.height)
    image.load()
    return image


async def taken(hass: HomeAssistant, camera: Camera) -> Picture:
    """Return a snapshot of a camera that is set up."""
    await add_entities(hass, "camera", [camera])
    return await snapshot(hass, DOOR, 100, CAP)


@pytest.mark.parametrize(
    ("file_format", "content_type"),
    [
        ("JPEG", "image/jpeg"),
        ("JPEG", "image/jpg"),
        ("PNG", "image/png"),
        ("PNG", "image/jpeg"),
        ("WEBP", "image/webp"),
        ("GIF", "image/gif"),
        ("BMP", "application/octet-stream"),
    ],
)
async def test_any_format_becomes_a_small_jpeg(
    hass: HomeAssistant, file_format: str, content_type: str
) -> None:
    """Whatever the camera calls it, the picture itself counts."""
    picture = await taken(hass, Door(painted(file_format=file_format), content_type))

    assert (picture.width, picture.height) == (100, 50)
    assert picture.content_type == "image/jpeg"
    assert seen(picture).mode == "RGB"


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((50, 40), (50, 40)),
        ((100, 100), (100, 100)),
        ((40, 400), (10, 100)),
        ((4000, 1), (100, 1)),
        ((1, 1), (1, 1)),
    ],
)
def test_size(size: tuple[int, int], expected: tuple[int, int]) -> None:
    """Never larger than it was, and the same shape."""
    picture = shrink(painted(size), 100, CAP)

    assert (picture.width, picture.height) == expected
    seen(picture)


@pytest.mark.parametrize("mode", ["RGBA", "L", "LA", "P", "1", "I;16"])
def test_colours(mode: str) -> None:
    """A JPEG has colours only; what was transparent is white."""
    if mode == "LA":
        content = painted(file_format="PNG", mode="RGBA")
        image = Image.open(BytesIO(content)).convert("LA")
        buffer = BytesIO()
        image.save(buffer, "PNG")
        content = buffer.getvalue()
    elif mode == "I;16":
        buffer = BytesIO()
        Image.new("I;16", (40, 20), 7).save(buffer, "PNG")
        content = buffer.getvalue()
    else:
        content = painted(file_format="PNG", mode=mode)

    image = seen(shrink(content, 100, CAP))

    assert image.mode == "RGB"
    if mode in ("RGBA", "LA"):
        assert image.getpixel((5, 5)) == (255, 255, 255)


def test_print_colours() -> None:
    """A JPEG may come in the colours of a printing press."""
    assert seen(shrink(painted(mode="CMYK"), 100, CAP)).mode == "RGB"


def test_upright_and_without_the_place_it_was_taken() -> None:
    """A turned picture is turned back; remarks and the position are gone."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "at home"
    content = painted((80, 40), exif=exif, comment=b"secret remark")
    assert b"secret remark" in content

    picture = shrink(content, 100, CAP)

    assert (picture.width, picture.height) == (40, 80)
    assert not seen(picture).getexif()
    assert b"secret remark" not in picture.content
    assert b"at home" not in picture.content


def test_quality_falls_before_size() -> None:
    """Under the cap at any price, but not smaller than needed."""
    content = noise(256)
    full = shrink(content, 256, CAP)

    lower = shrink(content, 256, len(full.content) * 2 // 3)
    smaller = shrink(content, 256, 5_000)

    assert (full.width, lower.width) == (256, 256)
    assert len(lower.content) <= len(full.content) * 2 // 3
    assert 32 <= smaller.width < 256
    assert len(smaller.content) <= 5_000
    for picture in (full, lower, smaller):
        seen(picture)


@pytest.mark.parametrize("cap", [0, 100])
def test_cap_that_nothing_fits_into(cap: int) -> None:
    """Then it is said."""
    with pytest.raises(TooLarge, match=f"{cap} bytes"):
        shrink(noise(64), 64, cap)


def bomb(width: int, height: int) -> bytes:
    """Return the few bytes of a PNG that claims to be huge."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + body))
        return struct.pack(">I", len(body)) + kind + body + check

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"<html>Not found</html>", Failed),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", Failed),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", Failed),
        (b"\0", Failed),
        (b"\xff\xd8\xff", Failed),
        (painted()[:200], Failed),
        (painted(file_format="PNG")[:60], Failed),
        (bomb(100, 100), Failed),
        (bomb(10_000, 10_000), TooLarge),
        (bomb(1_000_000, 1_000_000), TooLarge),
        (bomb(0, 0), Failed),
    ],
    ids=lambda value: repr(value)[:30],
)
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
async def test_what_is_no_picture(
    hass: HomeAssistant, content: bytes, error: type[BridgeError]
) -> None:
    """Refused before it fills the memory, in words that do not come from a library."""
    with pytest.raises(error, match=r"^(The camera sent|What the camera sent)"):
        await taken(hass, Door(content))


def test_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not even looked at."""
    monkeypatch.setattr(pictures, "_MOST_SOURCE_BYTES", 10)

    with pytest.raises(TooLarge):
        shrink(painted(), 100, CAP)


@pytest.mark.parametrize(
    ("entity_id", "error"),
    [("light.lamp", InvalidArguments), ("camera.missing", NotFound)],
)
async def test_no_camera(
    hass: HomeAssistant, entity_id: str, error: type[BridgeError]
) -> None:
    """With and without the camera integration."""
    with pytest.raises(error):
        await snapshot(hass, entity_id, 100, CAP)
    await add_entities(hass, "camera", [Door(painted())])
    with pytest.raises(error):
        await snapshot(hass, entity_id, 100, CAP)


async def test_state_without_a_camera(hass: HomeAssistant) -> None:
    """No integration stands behind it."""
    hass.states.async_set(DOOR, "idle")

    with pytest.raises(NotFound):
        await snapshot(hass, DOOR, 100, CAP)


async def test_unavailable_camera(hass: HomeAssistant) -> None:
    """Said at once, without waiting for ten seconds."""
    door = Door(painted())
    door._attr_available = False  # noqa: SLF001

    with pytest.raises(Unavailable):
        await taken(hass, door)


async def test_home_assistant_refuses(hass: HomeAssistant) -> None:
    """A camera that is off, or sends nothing: in Home Assistant's own words."""
    off = Door(painted())
    off._attr_is_on = False  # noqa: SLF001

    with pytest.raises(HomeAssistantError, match="Camera is off"):
        await taken(hass, off)

    off._attr_is_on = True  # noqa: SLF001
    off.content = None
    with pytest.raises(HomeAssistantError, match="Unable to get image"):
        await snapshot(hass, DOOR, 100, CAP)
