"""Lets the test plugin for Home Assistant 2026.10 run on 2026.11. Delete it with the plugin's first release for 2026.11.

Two things differ: Home Assistant aliases httpx, so it has to be imported before any plugin imports httpx; and the
plugin looks for a helper of the logger component at its former place.
"""

from homeassistant.components import logger
from homeassistant.components.logger import helpers

setattr(  # noqa: B010
    logger,
    "_clear_logger_overwrites",
    helpers._clear_logger_overwrites,  # noqa: SLF001
)
