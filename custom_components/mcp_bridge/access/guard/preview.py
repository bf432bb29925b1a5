"""Step 7: what would happen, told without doing it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
import json
from typing import Any

from ..secrets import MASK, is_secret, masked
from ..view import HouseView
from .plan import Plan

# Entities that are told in full, and those that are reached as a consequence.
_MOST_TARGETS = 40
_MOST_CONSEQUENCES = 20
# Entities that a question names of each sort; lines of the data in it, and characters of a line.
_MOST_NAMED = 6
_MOST_LINES = 10
_LONGEST_KEY = 40
_LONGEST_VALUE = 120


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
    lines += _told_data(plan.call_data)
    return "\n".join(line for line in lines if line)


def _told_data(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the data of a call, a line for each member: every one shows, and what is not shown in full says so."""
    for key, value in list(data.items())[:_MOST_LINES]:
        shown = MASK if is_secret(str(key)) else _one_line(_without_secrets(value))
        yield f"{_one_line(str(key))[:_LONGEST_KEY]}: {shown}"
    if len(data) > _MOST_LINES:
        yield f"… (+{len(data) - _MOST_LINES})"


def _without_secrets(value: Any) -> str:
    """Return a value as text; what stands under the name of a secret is masked, and nothing else is."""
    if isinstance(value, str):
        return value
    return json.dumps(masked(value, in_texts=False), ensure_ascii=False, default=str)


def _one_line(text: str) -> str:
    """Return a text without what changes how a line is read, and with a mark where it is cut."""
    readable = "".join(char if char.isprintable() else " " for char in text[:2_000])
    shown = " ".join(readable.split())
    return shown if len(shown) <= _LONGEST_VALUE else f"{shown[:_LONGEST_VALUE]}…"


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
