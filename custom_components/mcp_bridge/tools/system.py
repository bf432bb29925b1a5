"""Home Assistant itself."""

from typing import Any

import probatio as vol

from homeassistant.const import __version__ as HA_VERSION

from ..models import Kind
from .declaration import Call, tool
from .parameters import OneOf


@tool(
    name="ha_get_system",
    title="Get system information",
    description="Home Assistant itself. Section config: version, name, time zone, units, currency, country, language, "
    "number of components, state.",
    parameters={
        vol.Optional("section", description="config unless told"): OneOf("config")
    },
    kind=Kind.READ,
)
async def get_system(call: Call) -> dict[str, Any]:
    """Return one section."""
    config = call.hass.config
    return {
        "version": HA_VERSION,
        "location_name": config.location_name,
        "time_zone": config.time_zone,
        "unit_system": config.units.as_dict(),
        "currency": config.currency,
        "country": config.country,
        "language": config.language,
        "components": len(config.components),
        "state": call.hass.state.value,
    }
