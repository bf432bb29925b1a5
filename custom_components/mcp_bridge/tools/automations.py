"""Automations: start one, switch one on or off."""

import probatio as vol

from homeassistant.components.automation import DOMAIN as AUTOMATION_DOMAIN
from homeassistant.const import ATTR_ENTITY_ID, SERVICE_TURN_OFF, SERVICE_TURN_ON

from ..access.actions.service import ServiceAction
from ..models import Kind
from .declaration import Call, Result, tool
from .objects import EntityOf
from .parameters import Flag


@tool(
    name="ha_trigger_automation",
    title="Trigger an automation",
    description="Start the actions of an automation now. Its conditions are skipped unless told.",
    parameters={
        vol.Required(
            "entity_id", description="such as automation.good_night"
        ): EntityOf(AUTOMATION_DOMAIN),
        vol.Optional(
            "skip_condition", description="false: only if its conditions hold"
        ): Flag(),
    },
    kind=Kind.WRITE,
    needs=AUTOMATION_DOMAIN,
)
async def trigger_automation(call: Call) -> Result:
    """Trigger an automation."""
    automation = call.view.entity(call.args["entity_id"])
    return await call.act(
        ServiceAction(
            domain=AUTOMATION_DOMAIN,
            service="trigger",
            target={ATTR_ENTITY_ID: [automation.entity_id]},
            data={"skip_condition": call.args.get("skip_condition", True)},
            words=f"trigger automation: {automation.name}",
        )
    )


@tool(
    name="ha_set_automation",
    title="Switch an automation on or off",
    description="Enable or disable an automation. It can be undone.",
    parameters={
        vol.Required(
            "entity_id", description="such as automation.good_night"
        ): EntityOf(AUTOMATION_DOMAIN),
        vol.Required("enabled", description="true or false"): Flag(),
    },
    kind=Kind.WRITE,
    destructive=False,
    idempotent=True,
    needs=AUTOMATION_DOMAIN,
)
async def set_automation(call: Call) -> Result:
    """Enable or disable an automation."""
    automation = call.view.entity(call.args["entity_id"])
    enabled: bool = call.args["enabled"]
    return await call.act(
        ServiceAction(
            domain=AUTOMATION_DOMAIN,
            service=SERVICE_TURN_ON if enabled else SERVICE_TURN_OFF,
            target={ATTR_ENTITY_ID: [automation.entity_id]},
            words=f"{'enable' if enabled else 'disable'} automation: {automation.name}",
        )
    )
