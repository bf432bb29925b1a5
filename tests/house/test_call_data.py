"""Data of a service call is looked through to the bottom, but not without end."""

from time import perf_counter
from typing import Any

import pytest

from custom_components.mcp_bridge.errors import InvalidArguments
from custom_components.mcp_bridge.house.call_data import (
    MAX_DEPTH,
    MAX_NODES,
    MAX_TEXT,
    address_pieces,
    has_template,
    means_entities,
    pieces,
    strings_of,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.template import Template


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("a", [("", "a")]),
        ({"a": "b"}, [("", "a"), ("a", "b")]),
        ({"a": ["b", ("c",), {"d"}]}, [("", "a"), ("a", "b"), ("a", "c"), ("a", "d")]),
        ({"a": {"b": "c"}}, [("", "a"), ("a", "b"), ("b", "c")]),
        ({1: "b", None: ["c"]}, [("", "b"), ("", "c")]),
        ([1, None, True, 2.5, b"x", Ellipsis], []),
        ({}, []),
    ],
    ids=repr,
)
def test_texts_in_order(data: Any, expected: list[tuple[str, str]]) -> None:
    """Values and keys are texts alike; what is no text is passed over."""
    assert list(strings_of(data)) == expected


def test_template_object_is_its_source(hass: HomeAssistant) -> None:
    """Script actions hold templates as objects."""
    data = {"a": [Template("{{ b }}", hass)]}

    assert list(strings_of(data)) == [("", "a"), ("a", "{{ b }}")]
    assert has_template(data)


def nested(depth: int) -> Any:
    """Return a text below so many lists."""
    data: Any = "deep"
    for _ in range(depth):
        data = [data]
    return data


def itself() -> Any:
    """Return a list that contains itself."""
    data: list[Any] = []
    data.append(data)
    return data


@pytest.mark.parametrize(
    "data",
    [nested(MAX_DEPTH + 1), ["x"] * (MAX_NODES + 1), "," * MAX_NODES, itself()],
    ids=["deep", "many", "commas", "itself"],
)
def test_too_much_is_refused(data: Any) -> None:
    """Hostile data costs little, and is told apart from an error of ours."""
    with pytest.raises(InvalidArguments):
        list(strings_of(data))


@pytest.mark.parametrize("data", [nested(MAX_DEPTH), ["x"] * (MAX_NODES - 1)])
def test_large_data_is_read(data: Any) -> None:
    """The limits themselves are allowed."""
    assert list(strings_of(data))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"a": ["plain"]}, False),
        ({"a": ["{{ x }}"]}, True),
        ({"a": {"b": "{% if x %}"}}, True),
        ({"{{ x }}": 1}, True),
        ("say {# nothing #}", True),
        ("{ x } {x{", False),
    ],
    ids=repr,
)
def test_template(data: Any, expected: bool) -> None:
    """A template may stand anywhere."""
    assert has_template(data) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", ["a"]), (" a , b,,c ", ["a", "b", "c"]), ("", []), (" , ", [])],
)
def test_pieces(text: str, expected: list[str]) -> None:
    """Lists may be written with commas."""
    assert list(pieces(text)) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("entity_id", True),
        ("entities", True),
        ("media_player_entity_id", True),
        ("snapshot_entities", True),
        ("add_entities", True),
        ("group_members", True),
        ("message", False),
        ("entity", False),
        ("", False),
    ],
)
def test_keys_of_entities(key: str, expected: bool) -> None:
    """Under these keys an id that does not exist is a mistake, elsewhere it is a text."""
    assert means_entities(key) is expected


@pytest.mark.parametrize(
    "text",
    [
        "media-source://camera/camera.front",
        "MEDIA-SOURCE://camera/camera.front?x=1#y",
        "/api/camera_proxy_stream/camera.front",
        "/api/camera_proxy/camera.front?token=abc&x=y",
        "http://host:8123/api/x?entity_id=camera.front",
        "http://host/a,camera.front;b",
        "media-source://camera/camera%2Efront",
        "media-source://camera%2Fcamera.front",
        "/proxy?url=%2Fapi%2Fcamera_proxy%2Fcamera.front",
        "/proxy?url=%252Fapi%252Fcamera_proxy%252Fcamera%252Efront",
        "Look: ![snapshot](/api/camera_proxy/camera.front).",
        '<img src="/api/camera_proxy/camera.front">',
        "see /api/camera_proxy/camera.front.",
        "api/camera_proxy/camera.front",
        "/api/camera_proxy/camera.front\n/other",
    ],
)
def test_addresses_are_taken_apart(text: str) -> None:
    """An id may be a part of a path or a query, encoded however often."""
    assert "camera.front" in address_pieces(text)


@pytest.mark.parametrize("text", ["", "camera.front", "The camera.front is on", "50 %"])
def test_what_is_no_address(text: str) -> None:
    """Sentences are left alone."""
    assert list(address_pieces(text)) == []


def test_long_texts_in_little_time() -> None:
    """Linear in the length, whatever they are made of."""
    for text in ("a", "/", "%", "%25", "a/", "://", "/%2f", "( "):
        started = perf_counter()
        list(address_pieces(text * (MAX_TEXT // len(text))))
        assert perf_counter() - started < 1
