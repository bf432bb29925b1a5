"""A house with helpers, in which assistants may act."""

from collections.abc import Iterator
from typing import Any

import pytest

from homeassistant.core import HomeAssistant
from tests.tools.checks import assert_quiet

from .helper_house import furnish


@pytest.fixture(name="options")
def fixture_options() -> dict[str, Any]:
    """Assistants may act."""
    return {"allow_write": True}


@pytest.fixture(name="house")
async def fixture_house(hass: HomeAssistant) -> None:
    """Furnish the house before the bridge starts."""
    await furnish(hass)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that nothing of this leaves a trace in the log."""
    yield
    assert_quiet(caplog)
