"""A message to somebody, by whatever service sends it there."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from homeassistant.core import Context, HomeAssistant

from ...house.service_requests import ServiceRequest
from ..guard.plan import Action, Performed, Plan
from ..view import HouseView
from .service import ServiceAction


@dataclass(frozen=True, slots=True)
class MessageAction(Action):
    """One call that sends or says something. It cannot be taken back.

    `behind` are the entities of the same device that its service does not name: whoever may not use them may not reach
    the device by its other name either.
    """

    call: ServiceAction
    behind: frozenset[str] = frozenset()

    @classmethod
    def of(cls, request: ServiceRequest, behind: Iterable[str] = ()) -> MessageAction:
        """Return the action for a call that was worked out."""
        call = ServiceAction(
            domain=request.domain,
            service=request.service,
            data=request.data,
            target={kind: [id_] for kind, id_ in request.target.items()},
            reversible=False,
        )
        return cls(call, frozenset(behind))

    @property
    def calls(self) -> tuple[str, ...]:
        """The one service."""
        return self.call.calls

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Plan the call; what is behind it counts as named, too."""
        plan = await self.call.plan(hass, view)
        return replace(plan, named=(plan.named | self.behind) - set(plan.targets))

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Make the call."""
        return await self.call.perform(hass, plan, context)
