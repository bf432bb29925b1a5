"""A to-do list with two items, and the calls that change it."""

from datetime import date
from itertools import count
from typing import Any

from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus as Status,
    TodoListEntity,
    TodoListEntityFeature as Feature,
)
from tests.conftest import CallTool
from tests.tools.checks import whole

TOOL = "ha_manage_todo"
SHOPPING = "todo.shopping"
MILK = TodoItem("Milk", "1", Status.NEEDS_ACTION, date(2026, 4, 1), "Two bottles")
BREAD = TodoItem("Bread", "2", Status.COMPLETED)


class Shopping(TodoListEntity):
    """A list that keeps what it is given, as the one of Home Assistant does."""

    def __init__(
        self,
        name: str = "Shopping",
        features: int = 127,
        items: tuple[TodoItem, ...] = (),
    ) -> None:
        """Take the items."""
        self._attr_name = self._attr_unique_id = name
        self._attr_supported_features = Feature(features)
        self._attr_todo_items = list(items)
        self.error: Exception | None = None
        self._uids = count(100)

    @property
    def listed(self) -> list[TodoItem]:
        """Return the items."""
        assert self._attr_todo_items is not None
        return self._attr_todo_items

    def put(self, items: list[TodoItem]) -> None:
        """Change the list, by a service or by hand."""
        if self.error:
            raise self.error
        self._attr_todo_items = items
        self.async_write_ha_state()

    async def async_create_todo_item(self, item: TodoItem) -> None:
        """Add an item at the end."""
        item.uid = str(next(self._uids))
        self.put([*self.listed, item])

    async def async_update_todo_item(self, item: TodoItem) -> None:
        """Put an item in the place of the one with its uid."""
        assert item.uid in {old.uid for old in self.listed}
        self.put([item if old.uid == item.uid else old for old in self.listed])

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        """Take items away."""
        self.put([old for old in self.listed if old.uid not in uids])


async def manage(call_tool: CallTool, action: str, item: str, **more: Any) -> Any:
    """Change the list, and return the answer."""
    answer = await call_tool(TOOL, entity_id=SHOPPING, action=action, item=item, **more)
    return whole(answer)


async def undo(call_tool: CallTool, change: dict[str, Any]) -> Any:
    """Take a change back, and return the answer."""
    assert change["can_be_undone"] is True
    answer = await call_tool("ha_undo_change", change_id=change["change_id"])
    return whole(answer)
