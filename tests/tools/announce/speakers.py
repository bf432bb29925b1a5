"""The speakers of a house, and what has been heard on them."""

from tests.house.test_speakers import Radio

TOOL = "ha_announce"
RADIO = "media_player.radio"
SPEAKER = "media_player.speaker"
ROBOT = "assist_satellite.robot"
VOICE = "tts.voice"


def heard(radio: Radio) -> list[str]:
    """Return what a media player has played, as the ids of the media."""
    assert all(played["announce"] is True for played in radio.played)
    return [played["media_id"] for played in radio.played]
