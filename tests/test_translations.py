"""Everything that a person reads in Home Assistant is there in English and in French."""

from collections.abc import Iterator
import inspect
import json
from pathlib import Path
import re
from types import ModuleType
from typing import Any

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge import client_flow, options_flow
from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.connecting import lines_to_paste
from custom_components.mcp_bridge.const import DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import section
from homeassistant.helpers.translation import async_get_translations

from .assistants import open_client_form, open_form

FOLDER = Path(inspect.getfile(options_flow)).parent / "translations"


def error_texts(prefix: str) -> set[str]:
    """Return the errors that have a text."""
    start = f"{prefix}.error."
    return {key.removeprefix(start) for key in _texts("en") if key.startswith(start)}


def _texts(language: str) -> dict[str, str]:
    return dict(_flat(json.loads((FOLDER / f"{language}.json").read_text())))


def _flat(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def test_the_languages_are_in_step() -> None:
    """The same keys and placeholders, and no text left in English."""
    english, french = _texts("en"), _texts("fr")
    assert english.keys() == french.keys()
    for key, text in english.items():
        assert text.strip()
        assert french[key] != text
        placeholders = re.findall(r"\{\w+\}", text)
        assert sorted(re.findall(r"\{\w+\}", french[key])) == sorted(placeholders)


async def test_every_field_has_a_text(
    hass: HomeAssistant, config_entry: MockConfigEntry, bridge: Bridge
) -> None:
    """With a label and a description; every choice, too."""
    for form in ("permissions", "visibility", "confirmation", "tools"):
        result = await open_form(hass, config_entry, form)
        assert result["data_schema"] is not None
        _check_form(f"options.step.{form}", result["data_schema"])
    for form in ("token", "login"):
        opened = await open_client_form(hass, config_entry, form)
        assert opened["data_schema"] is not None
        _check_form(f"config_subentries.client.step.{form}", opened["data_schema"])


def _check_form(step: str, schema: vol.Schema) -> None:
    english = _texts("en")
    assert f"{step}.title" in english
    for marker, field in schema.schema.items():
        if isinstance(field, section):
            assert f"{step}.sections.{marker}.name" in english
            inside = [
                f"sections.{marker}.data{{}}.{name}" for name in field.schema.schema
            ]
        else:
            inside = [f"data{{}}.{marker}"]
        for name in inside:
            assert f"{step}.{name.format('')}" in english
            assert f"{step}.{name.format('_description')}" in english
        config = getattr(field, "config", {})
        if key := config.get("translation_key"):
            for choice in config["options"]:
                assert f"selector.{key}.options.{choice}" in english


@pytest.mark.parametrize(
    ("flow", "prefix"),
    [
        (options_flow, "options"),
        (client_flow, "config_subentries.client"),
    ],
)
def test_no_error_without_a_use(flow: ModuleType, prefix: str) -> None:
    """The tests of the flows see to it that every error has a text."""
    source = inspect.getsource(flow)
    errors = error_texts(prefix)
    assert errors
    assert not [error for error in errors if f'"{error}"' not in source]


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_home_assistant_finds_the_texts(
    hass: HomeAssistant, language: str
) -> None:
    """As the frontend asks for them."""
    texts = await async_get_translations(hass, language, "options", [DOMAIN])
    assert texts[f"component.{DOMAIN}.options.error.invalid_pattern"]
    texts = await async_get_translations(hass, language, "config_subentries", [DOMAIN])
    shown = texts[f"component.{DOMAIN}.config_subentries.client.create_entry.token"]
    for placeholder in ("token", "address", *lines_to_paste("", "")):
        assert f"{{{placeholder}}}" in shown
