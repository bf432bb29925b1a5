"""Keeping the present states of some entities as a scene, and deleting that scene again."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er

from ...errors import Conflict, some_of
from ...house.group_members import listed_members
from ...house.records import EntityRecord
from ..guard.plan import Action, Performed, Plan, Undo
from ..guard.targets import answers, unavailable
from ..refusals import Refusal, Rule
from ..view import HouseView
from .service import ServiceAction

KIND = "scene"
_DOMAIN = "scene"
# Home Assistant adds the scene after it has answered.
_ADDED_SECONDS = 2
_LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class SnapshotScene(Action):
    """Make a scene of the present states; `scene_id` is its id without the domain."""

    scene_id: str
    entity_ids: tuple[str, ...]

    @property
    def entity_id(self) -> str:
        """The id of the scene."""
        return f"{_DOMAIN}.{self.scene_id}"

    @property
    def calls(self) -> tuple[str, ...]:
        """The one service."""
        return self._call.calls

    @property
    def _call(self) -> ServiceAction:
        return ServiceAction(
            domain=_DOMAIN,
            service="create",
            data={
                "scene_id": self.scene_id,
                "snapshot_entities": list(self.entity_ids),
            },
            words=f"create scene {self.scene_id} from {some_of(self.entity_ids, 4)}",
            reversible=False,
            # The entities are looked at, and stay as they are.
            watches=False,
        )

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Check that the id is free, and that there are states to keep."""
        for entity_id in self.entity_ids:
            view.entity(entity_id)
        dead = [id_ for id_ in self.entity_ids if not answers(view, id_)]
        if dead:
            raise unavailable(dead)
        # One that is hidden is met only when the scene is made: until then the rules say whether it may be.
        if view.find(self.entity_id) is not None:
            self._check_free(hass)
        plan = await self._call.plan(hass, view)
        states = {
            entity_id: view.state_text(view.entity(entity_id))
            for entity_id in self.entity_ids
        }
        # Home Assistant names it by its id.
        scene = EntityRecord(self.entity_id, _DOMAIN, self.scene_id)
        what = {"scene": self.entity_id, "states": states}
        return replace(plan, what=what, becomes=(scene,))

    def _check_free(self, hass: HomeAssistant) -> None:
        """Raise Conflict if there is such a scene: Home Assistant would replace it, or do nothing, and say neither."""
        if hass.states.get(self.entity_id) or er.async_get(hass).async_get(
            self.entity_id
        ):
            raise Conflict(
                f"There is a scene {self.entity_id} already.", "Choose another name."
            )

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Make it, and wait until it is there."""
        self._check_free(hass)
        await self._call.perform(hass, plan, context)
        await self._wait(hass)
        result = {
            "scene": self.entity_id,
            "note": "Activate it with scene.turn_on. It is lost when Home Assistant restarts or reloads its scenes.",
        }
        kept = {"entity_id": self.entity_id, "entities": list(self.entity_ids)}
        return Performed(result, Undo(KIND, kept), (self.entity_id,))

    async def _wait(self, hass: HomeAssistant) -> None:
        try:
            async with asyncio.timeout(_ADDED_SECONDS):
                while hass.states.get(self.entity_id) is None:
                    await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            raise HomeAssistantError(
                f"Home Assistant has not created the scene {self.entity_id}."
            ) from None


@dataclass(frozen=True, slots=True)
class DeleteScene(Action):
    """Delete a scene that was made of states, unless it is another one by now."""

    entity_id: str
    entity_ids: tuple[str, ...]

    @classmethod
    def from_undo(cls, data: Mapping[str, Any]) -> DeleteScene:
        """Read what `SnapshotScene.perform` has stored."""
        return cls(data["entity_id"], tuple(data["entities"]))

    @property
    def calls(self) -> tuple[str, ...]:
        """The one service."""
        return self._call.calls

    @property
    def _call(self) -> ServiceAction:
        return ServiceAction(
            domain=_DOMAIN,
            service="delete",
            target={ATTR_ENTITY_ID: [self.entity_id]},
            reversible=False,
        )

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Check that it still is the scene that was made."""
        if hass.states.get(self.entity_id) is None:
            raise Refusal(
                Rule.CHANGED_SINCE, f"The scene {self.entity_id} is gone already."
            )
        view.entity(self.entity_id)
        present = listed_members(hass, self.entity_id)
        if set(present) != set(self.entity_ids):
            raise Refusal(
                Rule.CHANGED_SINCE,
                f"The scene {self.entity_id} was changed since: it had {_visible(view, self.entity_ids)}, and now has "
                f"{_visible(view, present)}.",
                "Ask the person what they want now.",
            )
        return await self._call.plan(hass, view)

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Delete it."""
        return await self._call.perform(hass, plan, context)


def _visible(view: HouseView, entity_ids: list[str] | tuple[str, ...]) -> str:
    """Return ids for a message, as far as the caller may see them."""
    return some_of(id_ for id_ in entity_ids if not view.hides(id_)) or "nothing"
