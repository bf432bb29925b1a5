"""Step 5: the caller may control what is acted on, and everything that may be acted on as a consequence."""

from collections.abc import Callable, Iterable

from ...errors import some_of
from ...house.reach_actions import ANYTHING
from ...house.records import EntityRecord
from ..refusals import Refusal, Rule
from ..rights import Rights
from ..view import HouseView
from .plan import Plan

_WHOSE = {
    Rule.ENTITY_LISTS: "The owner does not let assistants control {}.",
    Rule.CLIENT_LISTS: "The owner does not let this client control {}.",
    Rule.ASSIST_EXPOSED_ONLY: "Only what is exposed to Assist may be controlled: {} is not.",
    Rule.USER_RIGHTS: "This Home Assistant user may not control {}.",
}
_ASK_OWNER = "Tell the person; do not look for another way."
_OUT_OF_REACH = (
    "It would be out of reach afterwards. Use another name or area, or ask the person."
)


def check_permission(plan: Plan, rights: Rights, view: HouseView) -> None:
    """Raise a Refusal if the caller may not do all of this."""
    _check_user(plan, rights)
    acted_on = map(view.entity, (*plan.targets, *sorted(plan.named)))
    _check_entities(acted_on, rights, "Leave it out, or ask them.")
    _check_entities(plan.becomes, rights, _OUT_OF_REACH)
    if plan.is_unbound and not plan.becomes:
        _check_unbound(rights)
    _check_consequences(plan, rights, view)
    if plan.has_templates and not (rights.controls_all and view.sees_all):
        raise Refusal(
            Rule.TEMPLATE_IN_DATA,
            "The data has a template in it, which could read what is hidden.",
            "Send plain values.",
        )


def _check_user(plan: Plan, rights: Rights) -> None:
    if plan.admin_only and not rights.is_admin:
        raise Refusal(
            Rule.ADMIN_ONLY,
            "Only an administrator of Home Assistant may do this.",
            _ASK_OWNER,
        )
    if plan.elevated and not rights.may_elevate:
        raise Refusal(
            Rule.ELEVATED,
            f"{plan.elevated} Only an administrator, or a client with that right, may do this.",
            _ASK_OWNER,
        )


def _check_entities(records: Iterable[EntityRecord], rights: Rights, hint: str) -> None:
    """Check what is acted on directly, all of which the caller can see; or what that becomes."""
    if refused := _first_refused(records, rights.rule_against):
        rule, forbidden = refused
        raise Refusal(rule, _WHOSE[rule].format(some_of(forbidden)), hint)


def _first_refused(
    records: Iterable[EntityRecord], rule_against: Callable[[EntityRecord], Rule | None]
) -> tuple[Rule, list[str]] | None:
    """Return the first rule that is against one of the entities, and all that it is against; None if none is."""
    refused: dict[Rule, list[str]] = {}
    for record in records:
        if (rule := rule_against(record)) is not None:
            refused.setdefault(rule, []).append(record.entity_id)
    return next(iter(refused.items()), None)


def _check_unbound(rights: Rights) -> None:
    """Refuse what acts on no entity where a list says that everything is closed but what stands in it."""
    rules = (Rule.ENTITY_LISTS, Rule.CLIENT_LISTS)
    for rule, grant in zip(rules, rights.grants, strict=False):
        if not grant.allow.is_empty:
            raise Refusal(
                rule,
                "The owner has listed the entities that may be used, and this acts on none of them.",
                _ASK_OWNER,
            )


def _check_consequences(plan: Plan, rights: Rights, view: HouseView) -> None:
    """Check what is reached by groups, scenes, scripts and automations; only what the caller sees is named."""
    known = filter(None, map(view.known, sorted(plan.touches)))
    if refused := _first_refused(known, rights.rule_against_reaching):
        rule, forbidden = refused
        visible = [entity_id for entity_id in forbidden if view.find(entity_id)]
        what = f" ({some_of(visible)})" if visible else ""
        raise Refusal(
            rule,
            f"This reaches something that may not be controlled{what}.",
            _ASK_OWNER,
        )
    if plan.open_domains and not rights.controls_all:
        _check_open(plan, rights, view)


def _check_open(plan: Plan, rights: Rights, view: HouseView) -> None:
    """Check what is decided only when it runs: every entity that it might be has to be open to the caller."""
    if ANYTHING not in plan.open_domains and all(
        view.find(entity_id) is not None
        and rights.rule_against(view.entity(entity_id)) is None
        for entity_id in view.hass.states.async_entity_ids(plan.open_domains)
    ):
        return
    raise Refusal(
        Rule.UNKNOWN_REACH,
        "What this reaches is decided only when it runs, so it cannot be told whether it may be controlled.",
        _ASK_OWNER,
    )
