"""Fixtures for all tests."""

# Before Home Assistant mounts its own config folder, which holds a custom_components package too.
import custom_components  # noqa: F401, I001

import pytest


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations(enable_custom_integrations: None) -> None:
    """Let Home Assistant load the integration out of this repository."""
