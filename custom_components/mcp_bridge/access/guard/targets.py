"""Step 4: the targets are entities that are there, and answer."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from homeassistant.const import STATE_UNAVAILABLE

from ...errors import some_of
from ...house.targets import CallTargets
from ..refusals import Refusal, Rule
from ..view import HouseView
from .services import script_of

# More than any house has of one kind of thing: what is beyond it is a mistake.
MOST_TARGETS = 1_000
# What can be done with an entity although it does not answer.
_REVIVES = frozenset(
    ("homeassistant.reload_config_entry", "homeassistant.update_entity")
)


@dataclass(frozen=True, slots=True)
class Acted:
    """What a service call acts on for this caller.

    hidden: entities that stand in the places it names, but not for this caller.
    skipped: entities there that do not answer.
    """

    targets: tuple[str, ...]
    hidden: tuple[str, ...]
    skipped: tuple[str, ...]


def check_targets(view: HouseView, service: str, found: CallTargets) -> Acted:
    """Return the entities that a service call acts on, or raise a Refusal."""
    _check_named(view, found)
    visible = [id_ for id_ in found.expanded if view.find(id_) is not None]
    count = len(found.named) + len(visible)
    if count > MOST_TARGETS:
        raise Refusal(
            Rule.TOO_MANY_TARGETS,
            f"That would act on {count} entities, at most {MOST_TARGETS} are possible at once.",
            "Name fewer of them.",
        )
    if found.wrong_domain:
        raise Refusal(
            Rule.WRONG_DOMAIN,
            f"{service} does not act on {some_of(found.wrong_domain)}.",
            _fitting(view, service, found.wrong_domain[0]),
        )
    acted = _answering(view, service, found, visible)
    # A script that is run by a service of its own is acted on, though the call does not name it as a target.
    script = script_of(view, service)
    if script is None or script in acted.targets or not view.find(script):
        return acted
    return replace(acted, targets=(*acted.targets, script))


def check_has_target(
    service: str, found: CallTargets, targets: tuple[str, ...]
) -> None:
    """Raise a Refusal if a service that needs a target has none."""
    if targets or not found.takes_target:
        return
    if found.has_target:
        message = f"Nothing in the places that were named can be reached by {service}."
        raise Refusal(
            Rule.NO_TARGET, message, "Look with ha_list_entities what is there."
        )
    raise Refusal(
        Rule.NO_TARGET,
        f"{service} needs a target.",
        "Name entities, devices, areas, floors or labels under target.",
    )


def _check_named(view: HouseView, found: CallTargets) -> None:
    """Raise a Refusal for what is missing. What is hidden is missing, too, and said in the same words."""
    hidden = [id_ for id_ in (*found.named, *found.in_data) if view.find(id_) is None]
    missing = list(dict.fromkeys((*found.missing, *hidden)))
    if missing:
        raise Refusal(
            Rule.MISSING_TARGET,
            f"There is no {some_of(missing)}.",
            view.hint(missing[0]) if len(missing) == 1 else None,
        )


def _answering(
    view: HouseView, service: str, found: CallTargets, visible: list[str]
) -> Acted:
    dead = {id_ for id_ in (*found.named, *visible) if not answers(view, id_)}
    if service in _REVIVES:
        dead.clear()
    named = [id_ for id_ in found.named if id_ in dead]
    alive = tuple(id_ for id_ in (*found.named, *visible) if id_ not in dead)
    if named or (dead and not alive):
        raise unavailable(named or sorted(dead))
    return Acted(
        alive,
        tuple(id_ for id_ in found.expanded if view.find(id_) is None),
        tuple(id_ for id_ in visible if id_ in dead),
    )


def answers(view: HouseView, entity_id: str) -> bool:
    """Tell whether an entity is there to be acted on."""
    state = view.hass.states.get(entity_id)
    return state is not None and state.state != STATE_UNAVAILABLE


def unavailable(entity_ids: Iterable[str]) -> Refusal:
    """Return the Refusal for entities that do not answer."""
    return Refusal(
        Rule.UNAVAILABLE_TARGET,
        f"Not available now: {some_of(entity_ids)}.",
        "Its device may be switched off or out of reach; nothing was changed.",
    )


def _fitting(view: HouseView, service: str, entity_id: str) -> str:
    """Return what to call instead: the same service of the entity's own domain, if there is one."""
    domain, name = entity_id.partition(".")[0], service.partition(".")[2]
    if view.hass.services.has_service(domain, name):
        return f"Use {domain}.{name}."
    return f"ha_list_services with domain {domain} tells what can be done with it."
