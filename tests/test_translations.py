"""Everything that a person reads in Home Assistant is there in English and in French."""

from collections.abc import Iterator
import json
from pathlib import Path
import re
from typing import Any

import pytest

from custom_components.mcp_bridge import config_flow
from custom_components.mcp_bridge.const import DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations

FOLDER = Path(config_flow.__file__).parent / "translations"


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


def test_every_field_of_the_options_has_a_text() -> None:
    """With a label and a description."""
    english = _texts("en")
    for marker, value in config_flow._options_schema({}).schema.items():  # noqa: SLF001
        if hasattr(value, "schema"):
            section = f"options.step.init.sections.{marker}"
            assert f"{section}.name" in english
            fields = [f"{section}.data{{}}.{field}" for field in value.schema.schema]
        else:
            fields = [f"options.step.init.data{{}}.{marker}"]
        for field in fields:
            assert field.format("") in english
            assert field.format("_description") in english


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_home_assistant_finds_the_texts(
    hass: HomeAssistant, language: str
) -> None:
    """As the frontend asks for them."""
    texts = await async_get_translations(hass, language, "options", [DOMAIN])
    assert texts[f"component.{DOMAIN}.options.error.invalid_pattern"]
