"""Step 7: what would happen, told without doing it."""

from collections.abc import Iterable
from typing import Any

from ..view import HouseView
from .plan import Plan

# Entities that are told in full, and those that are reached as a consequence.
_MOST_TARGETS = 40
_MOST_CONSEQUENCES = 20


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


def dry_run(plan: Plan, view: HouseView, confirm: str | None) -> dict[str, Any]:
    """Return the answer to a dry run; `confirm` is why a person would have to agree."""
    answer: dict[str, Any] = {"dry_run": True, "would_do": preview_of(plan, view)}
    if confirm:
        answer["needs_confirmation"] = confirm
    return answer | {"note": "Nothing was changed."}


def in_words(plan: Plan, view: HouseView) -> str:
    """Return the change in a few words with the states of its targets, for the person who is to agree."""
    return f"{plan.summary}{_states(plan.targets, view)}"


def _states(entity_ids: Iterable[str], view: HouseView) -> str:
    told = [
        f"{entity['name']}: {entity['state']}"
        for entity in (_present(view, entity_id) for entity_id in entity_ids)
    ]
    shown = ", ".join(told[:5]) + (f" (+{len(told) - 5})" if len(told) > 5 else "")
    return f" ({shown})" if told else ""


def _present(view: HouseView, entity_id: str) -> dict[str, Any]:
    record = view.entity(entity_id)
    return {
        "entity_id": entity_id,
        "name": record.name,
        "state": view.state_text(record),
    }
