"""Several changes that are asked for as one: all of them are checked before the first is made."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import logging
from typing import Any

import probatio as vol

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from ..canonical import fingerprint
from ..guard.plan import Action, Performed, Plan
from ..view import HouseView

_LOGGER = logging.getLogger(__name__)

_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralPlans(Plan):
    """The plans of all parts, and what they come to together."""

    parts: tuple[Plan, ...] = ()


@dataclass(frozen=True, slots=True)
class SeveralActions(Action):
    """Changes that do not depend on each other, such as one message to several people.

    parts: the changes, by what each one is called in the answer.
    words: the words for all of them.
    notes: what else the caller is to know, whether it is done or only tried out.
    They are made at the same time, so that something is heard in all rooms at once. Nothing of it can be taken back.
    """

    parts: Mapping[str, Action]
    words: str
    notes: Sequence[str] = ()

    @property
    def calls(self) -> tuple[str, ...]:
        """The services of all parts."""
        return tuple(
            dict.fromkeys(
                service for action in self.parts.values() for service in action.calls
            )
        )

    async def plan(self, hass: HomeAssistant, view: HouseView) -> Plan:
        """Plan every part: what is wrong with one of them is wrong with all."""
        plans = [await action.plan(hass, view) for action in self.parts.values()]
        what: dict[str, Any] = {
            "calls": [
                {"to": name, **plan.what}
                for name, plan in zip(self.parts, plans, strict=True)
            ]
        }
        if self.notes:
            what["notes"] = list(self.notes)
        return _together(plans, self.words, what)

    async def perform(
        self, hass: HomeAssistant, plan: Plan, context: Context
    ) -> Performed:
        """Make all of them, and tell which have failed; raises only when none has been made."""
        assert isinstance(plan, SeveralPlans)
        outcomes = await asyncio.gather(
            *(
                action.perform(hass, part, context)
                for action, part in zip(self.parts.values(), plan.parts, strict=True)
            ),
            return_exceptions=True,
        )
        by_name = dict(zip(self.parts, outcomes, strict=True))
        failed = {
            name: outcome
            for name, outcome in by_name.items()
            if isinstance(outcome, BaseException)
        }
        if failed and len(failed) == len(by_name):
            raise next(iter(failed.values()))
        result: dict[str, Any] = {
            "reached": [name for name in by_name if name not in failed]
        }
        if failed:
            result["outcome"] = "partly_done"
            result["failed"] = {name: _told(name, err) for name, err in failed.items()}
        if self.notes:
            result["notes"] = list(self.notes)
        return Performed(result)


def _told(name: str, err: BaseException) -> str:
    """Return why one part has failed, when others have not."""
    if isinstance(err, (HomeAssistantError, vol.Invalid)):
        return str(err)[:_LONGEST_REASON] or "Home Assistant gave no reason."
    _LOGGER.error("Reaching %s failed", name, exc_info=err)
    return "It failed unexpectedly; Home Assistant's log has the details."


def _together(
    plans: Sequence[Plan], summary: str, what: Mapping[str, Any]
) -> SeveralPlans:
    """Return one plan for all: whatever one part touches, needs or counts for."""
    targets = _each_once(plan.targets for plan in plans)
    return SeveralPlans(
        parts=tuple(plans),
        summary=summary,
        what=what,
        call_data={plan.summary: plan.call_data for plan in plans},
        targets=targets,
        skipped=_each_once(plan.skipped for plan in plans),
        named=_union(plan.named for plan in plans) - set(targets),
        touches=_union(plan.touches for plan in plans) - set(targets),
        becomes=tuple(record for plan in plans for record in plan.becomes),
        services=_union(plan.services for plan in plans),
        open_domains=_union(plan.open_domains for plan in plans),
        elevated=next((plan.elevated for plan in plans if plan.elevated), None),
        admin_only=any(plan.admin_only for plan in plans),
        has_templates=any(plan.has_templates for plan in plans),
        confirm=next((plan.confirm for plan in plans if plan.confirm), None),
        watches=any(plan.watches for plan in plans),
        is_unbound=any(plan.is_unbound for plan in plans),
        caps=tuple(cap for plan in plans for cap in plan.caps),
        base=fingerprint([plan.base for plan in plans]),
    )


def _each_once(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))


def _union(groups: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*groups)
