"""The inspector of the MCP project, as a client of MCP Bridge."""

import asyncio
from functools import partial
import json
from pathlib import Path
from typing import Any

import pytest

from homeassistant.core import HomeAssistant

from .inspector import Inspector
from .process import Output

# What the inspector exits with when it is told to log in.
_AUTH_REQUIRED = 3


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> None:
    """Put a lamp into the house."""
    hass.states.async_set("light.kitchen", "on", {"friendly_name": "Kitchen lamp"})


@pytest.fixture(name="inspector")
def fixture_inspector(tmp_path: Path, address: str) -> Inspector:
    """Return the inspector."""
    return Inspector(tmp_path, address)


def _result(output: Output) -> dict[str, Any]:
    assert output.code == 0, output.err
    result: dict[str, Any] = json.loads(output.out)["result"]
    return result


async def _call(
    inspector: Inspector, token: str, era: str, method: str, *arguments: str
) -> dict[str, Any]:
    return _result(
        await inspector.run(token, method, *arguments, "--protocol-era", era)
    )


@pytest.mark.parametrize(
    ("era", "is_modern"), [("legacy", False), ("modern", True), ("auto", True)]
)
async def test_tools(
    inspector: Inspector, hass_access_token: str, era: str, is_modern: bool
) -> None:
    """Tools are listed and called in both eras of MCP, and a client that can do both finds the newer one."""

    run = partial(_call, inspector, hass_access_token, era)
    listed, overview, entity = await asyncio.gather(
        run("tools/list"),
        run("tools/call", "--tool-name", "ha_get_overview"),
        run(
            *("tools/call", "--tool-name", "ha_get_entity"),
            *("--tool-arg", "entity_id=light.kitchen"),
        ),
    )
    names = [tool["name"] for tool in listed["tools"]]
    assert "ha_get_overview" in names
    assert "ha_get_entity" in names
    assert overview["structuredContent"]["domains"]["light"]["on"] == 1
    assert entity["structuredContent"]["name"] == "Kitchen lamp"
    assert json.loads(entity["content"][0]["text"]) == entity["structuredContent"]
    # Only results of the newer era tell whose they are.
    assert ("io.modelcontextprotocol/serverInfo" in entity.get("_meta", {})) == (
        is_modern
    )


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_resources(
    inspector: Inspector, hass_access_token: str, era: str
) -> None:
    """Resources are listed and read."""

    run = partial(_call, inspector, hass_access_token, era)
    listed, templates, read = await asyncio.gather(
        run("resources/list"),
        run("resources/templates/list"),
        run("resources/read", "--uri", "ha://entity/light.kitchen"),
    )
    assert "ha://overview" in [resource["uri"] for resource in listed["resources"]]
    assert "ha://entity/{entity_id}" in [
        template["uriTemplate"] for template in templates["resourceTemplates"]
    ]
    (contents,) = read["contents"]
    assert contents["mimeType"] == "application/json"
    assert json.loads(contents["text"])["state"] == "on"


async def test_portable_schemas(inspector: Inspector, hass_access_token: str) -> None:
    """No schema of a tool has anything that a client is known to have trouble with."""
    output = await inspector.run(hass_access_token, "tools/list", "--strict")
    assert _result(output)["tools"]
    assert "schemaFindings" not in json.loads(output.out)
    assert not output.err


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_wrong_token(inspector: Inspector, era: str) -> None:
    """A client with a wrong token is told to log in."""
    output = await inspector.run("wrong", "tools/list", "--protocol-era", era)
    assert output.code == _AUTH_REQUIRED
    assert json.loads(output.err)["error"]["code"] == "auth_required"
