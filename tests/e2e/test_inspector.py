"""The MCP project's inspector asks a real Home Assistant."""

import json
from pathlib import Path
from typing import Any

import pytest

from demo_house.house import House
from tests.conformance.inspector import Inspector

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_the_inspector_lists_and_calls(
    house: House, tmp_path: Path, era: str
) -> None:
    """From its command line, as a developer would."""
    inspector = Inspector(tmp_path, house.mcp_url)

    async def run(method: str, *arguments: str) -> dict[str, Any]:
        output = await inspector.run(
            house.token, method, *arguments, "--protocol-era", era
        )
        assert output.code == 0, output.err
        result: dict[str, Any] = json.loads(output.out)["result"]
        return result

    tools = [tool["name"] for tool in (await run("tools/list"))["tools"]]
    assert "ha_get_overview" in tools
    named = (
        "--tool-name",
        "ha_get_entity",
        "--tool-arg",
        "entity_id=light.kitchen_lights",
    )
    entity = await run("tools/call", *named)
    assert entity["structuredContent"]["name"] == "Kitchen Lights"
