"""What has to hold for every answer, whatever was asked."""

import json
import re
from typing import Any

import pytest

from custom_components.mcp_bridge.const import ANSWER_BYTES
from custom_components.mcp_bridge.errors import ErrorCode
from custom_components.mcp_bridge.tools.registry import Answer
from tests.conftest import CallTool

CODES = frozenset(code.value for code in ErrorCode)
# An error is for reading: a few lines at most.
ERROR_BYTES = 600
_INTERNALS = re.compile(
    r"Traceback|File \"|\bobject at 0x|custom_components|homeassistant\.|[A-Z]\w+Error\b"
)


def whole(answer: Answer) -> dict[str, Any]:
    """Return the data of an answer that succeeded: its text is the same data, and within the limit."""
    assert not answer.is_error, answer.text[:500]
    assert len(answer.text.encode()) <= ANSWER_BYTES
    assert json.loads(answer.text) == answer.data
    return answer.data


def refused(answer: Answer, code: str, *words: str) -> dict[str, str]:
    """Return an error: it has the code, says all the words, is short, and tells nothing of the inside."""
    assert answer.is_error, answer.text[:500]
    error: dict[str, str] = answer.data["error"]
    assert error["code"] == code, error
    assert error["message"].strip(), error
    assert answer.text.startswith("Error: ")
    assert error["message"] in answer.text
    assert len(answer.text.encode()) < ERROR_BYTES, answer.text[:2000]
    assert not _INTERNALS.search(answer.text), answer.text
    for word in words:
        assert word in answer.text, answer.text
    return error


def well_formed(answer: Answer) -> None:
    """Check what holds for data and errors alike: encodable, within the limit, a known code, never our own fault."""
    assert len(answer.text.encode()) <= ANSWER_BYTES
    json.dumps(answer.data, allow_nan=False).encode()
    if answer.is_error:
        assert answer.data["error"]["code"] in CODES - {ErrorCode.INTERNAL}
    else:
        assert json.loads(answer.text) == answer.data


def assert_quiet(caplog: pytest.LogCaptureFixture) -> None:
    """Check that a call left no trace in the log."""
    loud = [
        record
        for record in caplog.get_records("call")
        if record.levelname in ("WARNING", "ERROR", "CRITICAL")
        and record.name.partition(".")[0] in ("custom_components", "mcp")
    ]
    assert not loud, [record.getMessage() for record in loud]


def ids(data: dict[str, Any]) -> list[str]:
    """Return the entity ids of a page, in order."""
    return [item["entity_id"] for item in data["items"]]


async def every_page(
    call_tool: CallTool, tool: str, key: str = "items", **arguments: Any
) -> list[Any]:
    """Return the items of all pages, and check that the pages lead through them."""
    items: list[Any] = []
    while True:
        data = whole(await call_tool(tool, **arguments, offset=len(items)))
        assert data[key] or not data["total"]
        items += data[key]
        assert data["has_more"] == (len(items) < data["total"])
        if not data["has_more"]:
            return items
        assert data["next_offset"] == len(items)
