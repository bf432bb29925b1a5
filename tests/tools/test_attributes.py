"""Attributes are shown without what grants access, and long ones as a preview."""

import json
from typing import Any

import pytest

from custom_components.mcp_bridge.tools.attributes import PREVIEW_BYTES, previewed
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

from .checks import whole

# Whoever has one of these can fetch a picture, or any signed path, without a login.
TOKEN = "f00dfeedf00dfeed"
PICTURE = f"/api/camera_proxy/camera.porch?token={TOKEN}"


@pytest.mark.parametrize(
    "attributes",
    [
        {"access_token": TOKEN},
        {"entity_picture": PICTURE},
        {"entity_picture": f"http://house.local{PICTURE}&cache=1"},
        {"entity_picture": f"/api/image_proxy/image.map?cache=1&token={TOKEN}"},
        {"entity_picture": f"/api/image_proxy/image.map?token={TOKEN}#top"},
        {
            "entity_picture_local": f"/api/media_player_proxy/media_player.tv?token={TOKEN}"
        },
        {"signed": f"/api/camera_proxy/camera.porch?authSig={TOKEN}"},
        {"pictures": [PICTURE, PICTURE]},
        {"cameras": {"porch": {"picture": PICTURE}}},
        {"cameras": [{"entity": "camera.porch", "access_token": TOKEN}]},
        {"html": f'<img src="{PICTURE}">'},
    ],
    ids=lambda attributes: next(iter(attributes)),
)
async def test_what_grants_access_is_never_shown(
    hass: HomeAssistant, call_tool: CallTool, attributes: dict[str, Any]
) -> None:
    """Tokens are taken out wherever they are, and the rest of the value stays."""
    hass.states.async_set("camera.porch", "idle", {**attributes, "brand": "Acme"})

    answers = [
        await call_tool("ha_get_entity", entity_id="camera.porch"),
        await call_tool("ha_get_entity", entity_id=["camera.porch", "light.all"]),
        *[
            await call_tool("ha_get_entity", entity_id="camera.porch", attribute=name)
            for name in attributes
        ],
    ]

    assert all(TOKEN not in answer.text for answer in answers)
    assert whole(answers[0])["attributes"]["brand"] == "Acme"


async def test_a_picture_keeps_its_address(
    hass: HomeAssistant, call_tool: CallTool
) -> None:
    """Only the token in it is replaced."""
    hass.states.async_set(
        "camera.porch", "idle", {"entity_picture": f"{PICTURE}&cache=1"}
    )

    data = whole(await call_tool("ha_get_entity", entity_id="camera.porch"))

    assert data["attributes"]["entity_picture"] == (
        "/api/camera_proxy/camera.porch?token=REDACTED&cache=1"
    )


def test_short_attributes_are_shown_whole() -> None:
    """Up to the limit to the byte."""
    attributes = {"text": "x" * (PREVIEW_BYTES - 2), "list": [1, 2], "nothing": None}

    assert previewed({**attributes}) == (attributes, [])


@pytest.mark.parametrize(
    ("value", "total"),
    [
        ([f"item {number}" for number in range(500)], 500),
        ([{"start": "2026", "value": number} for number in range(48)], 48),
        ([["x" * 10_000], 1], 2),
        ({f"key {number}": number for number in range(500)}, 500),
        ({"only": "x" * 10_000}, 1),
    ],
)
def test_long_lists_and_dicts_come_as_their_beginning_with_the_total(
    value: Any, total: int
) -> None:
    """The beginning is as it was, and small."""
    shown, shortened = previewed({"long": value, "short": 1})

    preview = shown["long"]
    assert isinstance(preview, dict)
    assert preview["total"] == total
    beginning = preview["preview"]
    assert isinstance(beginning, type(value))
    if isinstance(beginning, list):
        assert beginning == value[: len(beginning)]
    else:
        assert beginning == dict(list(value.items())[: len(beginning)])
    assert len(json.dumps(preview)) < PREVIEW_BYTES + 200
    assert (shortened, shown["short"]) == (["long"], 1)


def test_a_long_text_comes_as_its_beginning_with_its_length() -> None:
    """Wide characters are never split."""
    shown, shortened = previewed({"text": "🏠" * 600})

    assert isinstance(shown["text"], str)
    assert shown["text"].startswith("🏠" * 100)
    assert shown["text"].endswith("… (600 characters)")
    assert shortened == ["text"]
