"""A house with to-do lists, in which assistants may act."""

from typing import Any

import pytest

from custom_components.mcp_bridge.bridge import Bridge
from homeassistant.components.todo import TodoItem, TodoItemStatus as Status
from homeassistant.core import HomeAssistant
from tests.house.platforms import add_entities
from tests.tools.checks import assert_quiet

from .shopping import BREAD, MILK, Shopping


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act."""
    return {"allow_write": True, "allow_camera": True}


@pytest.fixture(name="shopping")
async def fixture_shopping(hass: HomeAssistant, house: None) -> Shopping:
    """Install a list of which nothing is missing, and one of which everything is."""
    shopping = Shopping(items=(MILK, BREAD))
    plain = Shopping("Plain", 0, (TodoItem("Tea", "1", Status.NEEDS_ACTION),))
    await add_entities(hass, "todo", [shopping, plain])
    return shopping


@pytest.fixture(autouse=True)
async def a_settled_house(
    shopping: Shopping, bridge: Bridge, caplog: pytest.LogCaptureFixture
) -> Any:
    """Start the bridge when the lists are there; nothing is said in the log."""
    yield
    assert_quiet(caplog)
