"""Contents of the everything server, by kind."""

from base64 import b64encode
from io import BytesIO
import struct
import wave
import zlib

import mcp_types as types


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return (
        struct.pack(">I", len(data))
        + kind
        + data
        + struct.pack(">I", zlib.crc32(kind + data))
    )


def _red_pixel() -> bytes:
    return (
        b"\x89PNG\r\n\x1a\n"
        + _png_chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
        + _png_chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
        + _png_chunk(b"IEND", b"")
    )


def _silence() -> bytes:
    file = BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(b"\x80" * 80)
    return file.getvalue()


PNG = b64encode(_red_pixel()).decode()
WAV = b64encode(_silence()).decode()


def text(content: str) -> types.TextContent:
    """Return text."""
    return types.TextContent(text=content)


def image() -> types.ImageContent:
    """Return a picture of one red pixel."""
    return types.ImageContent(data=PNG, mime_type="image/png")


def audio() -> types.AudioContent:
    """Return a hundredth of a second of silence."""
    return types.AudioContent(data=WAV, mime_type="audio/wav")


def embedded(
    uri: str, content: str, mime_type: str = "text/plain"
) -> types.EmbeddedResource:
    """Return a resource inside a result."""
    return types.EmbeddedResource(
        resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=content)
    )
