"""The contract of each tool: a change shows as a difference of the snapshot."""

import pytest
from syrupy.assertion import SnapshotAssertion

from custom_components.mcp_bridge.tools import families
from custom_components.mcp_bridge.tools.declaration import Tool


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations() -> None:
    """Nothing here needs Home Assistant to run."""


@pytest.mark.parametrize(
    ("toolset", "tool"),
    [
        pytest.param(toolset, tool, id=tool.name)
        for toolset, tools in families().items()
        for tool in tools
    ],
)
def test_the_contract_of_each_tool_is_kept(
    toolset: str, tool: Tool, snapshot: SnapshotAssertion
) -> None:
    """Clients cache it, people have allowed it by name, and models have learnt it."""
    assert {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "annotations": tool.annotations,
        "kind": tool.kind.value,
        "toolset": toolset,
        "needs": tool.needs,
    } == snapshot
