"""What goes on record is masked, and can be stored whatever was sent."""

import json
from typing import Any

import pytest

from custom_components.mcp_bridge.access.secrets import MASK, masked
from homeassistant.helpers.json import json_bytes
from tests.tools.odd_values import nested


@pytest.mark.parametrize(
    "value",
    [
        "\ud83d",
        {"\udfff": "\ud83d"},
        ["\ud83d" * 1_000],
        10**400,
        -(2**80),
        [{"a": 2**64}],
        nested(5_000),
        {"a": nested(900)},
        float("nan"),
        object(),
    ],
    ids=range(10),
)
def test_whatever_was_sent_can_be_stored(value: Any) -> None:
    """Otherwise one odd call would keep all the records from being stored."""
    assert len(json_bytes(masked(value))) < 1_000


def test_ordinary_data_stays_as_it_is() -> None:
    """Down to where nobody nests anything."""
    data: dict[str, Any] = {"a": [1, 2.5, True, None, {"b": ["é", "🏠", 2**62]}]}
    for _ in range(8):
        data = {"inner": [data]}

    assert masked(data) == data
    assert json.loads(json_bytes(masked(data))) == data


def test_secrets_at_any_depth() -> None:
    """By the name they stand under."""
    assert masked({"data": [{"code": 1234, "zone": 1}]}) == {
        "data": [{"code": MASK, "zone": 1}]
    }
