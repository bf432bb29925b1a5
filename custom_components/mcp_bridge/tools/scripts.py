"""Running scripts."""

import probatio as vol

from homeassistant.components.script import DOMAIN as SCRIPT_DOMAIN
from homeassistant.const import ATTR_ENTITY_ID, SERVICE_TURN_ON
from homeassistant.core import HomeAssistant, SupportsResponse
from homeassistant.helpers import entity_registry as er

from ..access.actions.service import ServiceAction
from ..models import Kind
from .declaration import Call, Result, tool
from .objects import Data, EntityOf
from .parameters import Flag


@tool(
    name="ha_run_script",
    title="Run a script",
    description="Run a script with its fields as variables. Waits for its end, at most 30 seconds, and answers with its response and what has changed.",
    parameters={
        vol.Required("entity_id", description="such as script.movie_night"): EntityOf(
            SCRIPT_DOMAIN
        ),
        vol.Optional("variables", description="fields of the script"): Data(),
        vol.Optional("wait", description="false: only start it"): Flag(),
    },
    kind=Kind.WRITE,
    needs=SCRIPT_DOMAIN,
)
async def run_script(call: Call) -> Result:
    """Run a script by its own service, which waits for it, or start it."""
    script = call.view.entity(call.args["entity_id"])
    variables = call.get("variables") or {}
    words = f"run script: {script.name}"
    service = _service_of(call.hass, script.entity_id)
    if call.args.get("wait", True) and call.hass.services.has_service(
        SCRIPT_DOMAIN, service
    ):
        supports = call.hass.services.supports_response(SCRIPT_DOMAIN, service)
        return await call.act(
            ServiceAction(
                domain=SCRIPT_DOMAIN,
                service=service,
                data=variables,
                returns=supports is not SupportsResponse.NONE,
                words=words,
            )
        )
    return await call.act(
        ServiceAction(
            domain=SCRIPT_DOMAIN,
            service=SERVICE_TURN_ON,
            target={ATTR_ENTITY_ID: [script.entity_id]},
            data={"variables": variables} if variables else {},
            words=words,
        )
    )


def _service_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return the name of the service that runs a script: its first id, which stays when the entity is renamed."""
    entry = er.async_get(hass).async_get(entity_id)
    return str(entry.unique_id) if entry else entity_id.partition(".")[2]
