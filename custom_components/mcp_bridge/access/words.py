"""What people read of the bridge inside Home Assistant, in its language.

The texts stand in translations/ under `selector.activity`: of the kinds of texts that a custom integration may have,
it is the one for words that belong to no form, entity or error.
"""

from collections.abc import Callable

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_cached_translations

from ..const import DOMAIN

_PREFIX = f"component.{DOMAIN}.selector.activity.options."


def words(hass: HomeAssistant) -> Callable[..., str]:
    """Return a function that gives a text by its key, with placeholders filled in."""
    texts = async_get_cached_translations(
        hass, hass.config.language, "selector", DOMAIN
    )

    def say(key: str, **placeholders: str) -> str:
        text = texts.get(_PREFIX + key, key)
        for name, value in placeholders.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    return say
