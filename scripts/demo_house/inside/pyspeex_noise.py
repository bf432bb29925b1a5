"""Stands in for pyspeex-noise, which takes noise out of a recording."""

from typing import NamedTuple


class ProcessedAudio(NamedTuple):
    """Sound after processing."""

    audio: bytes


class AudioProcessor:
    """Leaves the sound as it is."""

    def __init__(self, auto_gain: int, noise_suppression: int) -> None:
        """Take the settings, which have no effect."""

    def Process10ms(self, audio: bytes) -> ProcessedAudio:  # noqa: N802
        """Return 10 ms of sound unchanged."""
        return ProcessedAudio(audio)
