"""Step 7: what would happen, told without doing it."""

from collections.abc import Sequence
from dataclasses import dataclass
import json
from typing import Any

from ..view import HouseView
from .plan import Plan

# Entities that are told in full, and those that are reached as a consequence.
_MOST_TARGETS = 40
_MOST_CONSEQUENCES = 20
# Entities that a question names of each sort, and characters of the data in it.
_MOST_NAMED = 6
_LONGEST_DATA = 200


def preview_of(plan: Plan, view: HouseView) -> dict[str, Any]:
    """Return the change, the entities it acts on with their present states, and what else it reaches."""
    preview = dict(plan.what)
    if plan.targets:
        preview["targets"] = [
            _present(view, entity_id) for entity_id in plan.targets[:_MOST_TARGETS]
        ]
    if len(plan.targets) > _MOST_TARGETS:
        preview["targets_total"] = len(plan.targets)
    if plan.skipped:
        preview["skipped_unavailable"] = list(plan.skipped[:_MOST_TARGETS])
    reached = plan.named | plan.touches
    visible = sorted(id_ for id_ in reached if view.find(id_) is not None)
    if visible:
        preview["also_reaches"] = visible[:_MOST_CONSEQUENCES]
    if plan.open_domains:
        preview["may_reach_any"] = sorted(plan.open_domains)
    return preview


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a person has to agree to a change, in words, and the entities that it is about."""

    words: str
    entity_ids: tuple[str, ...] = ()


def dry_run(plan: Plan, view: HouseView, reason: Reason | None) -> dict[str, Any]:
    """Return the answer to a dry run; `reason` is why a person would have to agree."""
    answer: dict[str, Any] = {"dry_run": True, "would_do": preview_of(plan, view)}
    if reason:
        answer["needs_confirmation"] = reason.words
    return answer | {"note": "Nothing was changed."}


def in_words(
    plan: Plan, view: HouseView, reason: Reason, *, for_owner: bool = False
) -> str:
    """Return the question whether a change may be made.

    What makes it a question is named first, wherever it comes from and however much else there is; the owner is told
    of it also when it is hidden from the caller.
    """
    reached = _named(reason.entity_ids, view, for_owner=for_owner)
    others = [id_ for id_ in plan.targets if id_ not in reason.entity_ids]
    lines = [plan.summary, reason.words]
    if reached:
        lines.append(f"→ {reached}")
    if others:
        lines.append(_named(others, view, for_owner=for_owner))
    if data := plan.what.get("data"):
        lines.append(json.dumps(data, ensure_ascii=False, default=str)[:_LONGEST_DATA])
    return "\n".join(line for line in lines if line)


def _named(entity_ids: Sequence[str], view: HouseView, *, for_owner: bool) -> str:
    """Return the names of the first entities, with their states."""
    told = []
    for entity_id in entity_ids:
        record = view.known(entity_id) if for_owner else view.find(entity_id)
        if record is not None:
            state = view.hass.states.get(entity_id)
            told.append(f"{record.name} ({state.state if state else '?'})")
    more = len(entity_ids) - len(told[:_MOST_NAMED])
    return ", ".join(told[:_MOST_NAMED]) + (f" (+{more})" if more else "")


def _present(view: HouseView, entity_id: str) -> dict[str, Any]:
    record = view.entity(entity_id)
    return {
        "entity_id": entity_id,
        "name": record.name,
        "state": view.state_text(record),
    }
