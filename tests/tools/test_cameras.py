"""A camera is looked through by those who may, and every look is on record."""

from base64 import b64decode
import json
from typing import Any

from aiohttp.test_utils import TestClient
from mcp_types import ImageContent
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.const import ENDPOINT
from custom_components.mcp_bridge.models import Kind
from custom_components.mcp_bridge.protocol.server import _wire_answer
from custom_components.mcp_bridge.tools.declaration import Image
from custom_components.mcp_bridge.tools.registry import Answer
from homeassistant.core import HomeAssistant
from tests.access.people import reader, user_who_may
from tests.clients import MODES, official_client
from tests.conftest import CallTool
from tests.house.platforms import add_entities
from tests.house.test_pictures import Door, noise, painted

from .callers import calling_as_client, calling_as_user, outcomes
from .checks import assert_quiet, refused, whole

TOOL = "ha_get_camera_snapshot"
DOOR = "camera.door"


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may look, and need not act for that."""
    return {"allow_camera": True}


@pytest.fixture(name="door")
async def fixture_door(hass: HomeAssistant, house: None) -> Door:
    """Install a camera."""
    door = Door(painted((2_000, 1_000)))
    await add_entities(hass, "camera", [door])
    return door


@pytest.fixture(autouse=True)
async def a_settled_house(
    door: Door, bridge: Bridge, caplog: pytest.LogCaptureFixture
) -> Any:
    """Start the bridge when the camera is there; nothing is said in the log."""
    yield
    assert_quiet(caplog)


def seen(answer: Answer) -> bytes:
    """Return the picture of an answer."""
    assert answer.image is not None
    assert answer.image.mime_type == "image/jpeg"
    return b64decode(answer.image.base64, validate=True)


async def test_a_picture(
    hass: HomeAssistant, call_tool: CallTool, bridge: Bridge, hass_admin_user: MockUser
) -> None:
    """Of a usual size, with what it shows; it is on record, and in the Activity of the camera."""
    activity: list[Any] = []
    hass.bus.async_listen("mcp_bridge_activity", activity.append)

    answer = await call_tool(TOOL, entity_id="door")

    data = whole(answer)
    assert seen(answer).startswith(b"\xff\xd8")
    assert data.pop("taken_at")[:4].isdigit()
    assert data == {
        "entity_id": DOOR,
        "name": "Door",
        "width": 1_024,
        "height": 512,
    }
    [record] = bridge.audit.records
    assert record["outcome"] == "ok"
    assert record["tool"] == TOOL
    assert record["targets"] == (DOOR,)
    assert record["user_id"] == hass_admin_user.id
    await hass.async_block_till_done()
    assert [(e.data["outcome"], e.data["entity_id"]) for e in activity] == [
        ("ok", [DOOR])
    ]
    assert not list(bridge.journal)


@pytest.mark.parametrize(
    ("side", "width"), [(64, 64), ("1600", 1_600), (100.0, 100), (None, 1_024)]
)
async def test_sizes(call_tool: CallTool, side: Any, width: int) -> None:
    """Within bounds."""
    answer = await call_tool(TOOL, entity_id=DOOR, max_side=side)

    assert whole(answer)["width"] == width


async def test_a_picture_fits_every_client(call_tool: CallTool, door: Door) -> None:
    """Whatever the camera sends."""
    door.content = noise(1_600)

    answer = await call_tool(TOOL, entity_id=DOOR, max_side=1_600)

    whole(answer)
    assert answer.image is not None
    assert len(answer.image.base64) <= 700_000


def test_how_it_is_sent() -> None:
    """The picture first, then the text; and no picture where there is none."""
    answer = Answer({"a": 1}, '{"a":1}', image=Image("Zm9v", "image/jpeg"))

    sent = json.loads(json.dumps(_wire_answer(answer)))

    assert sent["content"] == [
        {"type": "image", "data": "Zm9v", "mimeType": "image/jpeg"},
        {"type": "text", "text": '{"a":1}'},
    ]
    assert sent["structuredContent"] == {"a": 1}
    assert sent["isError"] is False
    assert [part["type"] for part in _wire_answer(Answer({}, "{}"))["content"]] == [
        "text"
    ]


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_gets_it(
    http: TestClient[Any, Any], hass_access_token: str, mode: str
) -> None:
    """As an image of MCP, in both of its eras."""
    url = str(http.make_url(ENDPOINT))
    async with official_client(url, hass_access_token, mode) as client:
        result = await client.call_tool(TOOL, {"entity_id": DOOR})

    image, text = result.content
    assert isinstance(image, ImageContent)
    assert image.mime_type == "image/jpeg"
    assert b64decode(image.data).startswith(b"\xff\xd8")
    assert text.type == "text"
    assert result.structured_content == json.loads(text.text)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({}, "invalid_arguments", "'entity_id' is missing"),
        ({"entity_id": ""}, "invalid_arguments", "'entity_id'"),
        ({"entity_id": ["camera.door"]}, "invalid_arguments", "'entity_id'"),
        ({"entity_id": "camera.doro"}, "not_found", DOOR),
        ({"entity_id": f"{DOOR},{DOOR}"}, "not_found", DOOR),
        ({"entity_id": "lock.vault"}, "invalid_arguments", "domain camera"),
        ({"entity_id": "camera.{{ x }}"}, "not_found", "{{ x }}"),
        ({"entity_id": "camera." + "x" * 300}, "invalid_arguments", "too long"),
        ({"entity_id": DOOR, "max_side": 63}, "invalid_arguments", "64"),
        ({"entity_id": DOOR, "max_side": 1601}, "invalid_arguments", "1600"),
        ({"entity_id": DOOR, "max_side": "x"}, "invalid_arguments", "max_side"),
        ({"entity_id": DOOR, "dry_run": True}, "invalid_arguments", "dry_run"),
    ],
)
async def test_wrong_arguments(
    *,
    call_tool: CallTool,
    bridge: Bridge,
    arguments: dict[str, Any],
    code: str,
    words: str,
) -> None:
    """They are told, and on record."""
    answer = await call_tool(TOOL, **arguments)

    refused(answer, code, words)
    assert answer.image is None
    assert outcomes(bridge) == [f"refused:{code}"]


async def test_a_camera_that_does_not_work(
    call_tool: CallTool, door: Door, bridge: Bridge
) -> None:
    """Off, without a picture, with something that is none, and unavailable."""
    door.content = None
    refused(
        await call_tool(TOOL, entity_id=DOOR), "home_assistant_error", "Unable to get"
    )
    door.content = b"no picture"
    refused(await call_tool(TOOL, entity_id=DOOR), "home_assistant_error", "no picture")
    door._attr_is_on = False  # noqa: SLF001
    refused(await call_tool(TOOL, entity_id=DOOR), "home_assistant_error", "off")
    door._attr_available = False  # noqa: SLF001
    door.async_write_ha_state()
    refused(await call_tool(TOOL, entity_id=DOOR), "unavailable", DOOR)

    assert all(outcome.startswith("refused:") for outcome in outcomes(bridge))
    assert len(outcomes(bridge)) == 4


HIDDEN = {"entity_denylist": {"patterns": ["camera.*"]}, "filter_reads": True}


@pytest.mark.parametrize("options", [{"allow_camera": True, **HIDDEN}])
async def test_a_hidden_camera(call_tool: CallTool) -> None:
    """It is not there, as one that never was."""
    hidden = refused(await call_tool(TOOL, entity_id=DOOR), "not_found")
    other = refused(await call_tool(TOOL, entity_id="camera.xyzzy"), "not_found")

    assert hidden["message"].replace(DOOR, "x") == other["message"].replace(
        "camera.xyzzy", "x"
    )
    assert hidden.get("hint") == other.get("hint")


@pytest.mark.parametrize("options", [{}, {"allow_write": True}])
async def test_not_without_the_option(
    call_tool: CallTool, bridge: Bridge, door: Door
) -> None:
    """There is no such tool then."""
    with pytest.raises(Exception, match="no tool"):
        await call_tool(TOOL, entity_id=DOOR)

    assert outcomes(bridge) == []


async def test_clients(
    hass_admin_user: MockUser, bridge: Bridge, options: dict[str, Any]
) -> None:
    """A client needs the right of its own, and sees what it may see."""
    hiding = calling_as_client(bridge, hass_admin_user, options, **HIDDEN)
    refused(await hiding(TOOL, entity_id=DOOR), "not_found")
    closed = calling_as_client(bridge, hass_admin_user, options, allow_camera=False)
    with pytest.raises(Exception, match="no tool"):
        await closed(TOOL, entity_id=DOOR)
    other = calling_as_client(bridge, hass_admin_user, options, toolsets=["entities"])
    with pytest.raises(Exception, match="no tool"):
        await other(TOOL, entity_id=DOOR)


async def test_users(
    hass: HomeAssistant, bridge: Bridge, options: dict[str, Any]
) -> None:
    """One who only reads may look; one who may not read this camera does not find it."""
    carl = calling_as_user(hass, bridge, reader(), options)
    assert (await carl(TOOL, entity_id=DOOR)).image is not None
    lights: Any = {"domains": {"light": True}}
    bert = calling_as_user(hass, bridge, user_who_may(hass, lights), options)
    refused(await bert(TOOL, entity_id=DOOR), "not_found")


async def test_there_is_no_such_tool_without_cameras(
    hass: HomeAssistant, bridge: Bridge, caller: Any
) -> None:
    """It needs the integration."""
    tool = bridge.registry.lookup(TOOL, caller)
    assert tool.kind is Kind.CAMERA
    assert tool.annotations == {"readOnlyHint": True}
    hass.config.components.remove("camera")

    assert TOOL not in [tool.name for tool in bridge.registry.offered(caller)]
