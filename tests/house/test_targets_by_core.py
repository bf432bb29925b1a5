"""A call can be made with exactly the entities that Home Assistant would have made of its target."""

from typing import Any

import pytest

from custom_components.mcp_bridge.house.targets import resolve_now
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.setup import async_setup_component

from .acting import Stage


@pytest.fixture(name="stage")
async def fixture_stage(hass: HomeAssistant) -> Stage:
    """Return two lights that can do different things, one of them in the kitchen, and a group of both."""
    assert await async_setup_component(hass, "homeassistant", {})
    stage = Stage(hass)
    await stage.add("light.lamp", "light.spot")
    stage.building.change("light.lamp", area_id=stage.building.area("Kitchen"))
    stage.actors["light.lamp"].can(1, "lamp")
    stage.actors["light.spot"].can(7, "spot")
    stage.old_group("group.two", ["light.lamp", "light.spot", "light.nope"])
    return stage


@pytest.mark.parametrize(
    ("service", "target", "found"),
    [
        # Home Assistant passes over what cannot do it, unless it is named.
        ("light.dance", {"area_id": "kitchen"}, ((), (), ())),
        ("light.dance", {"entity_id": "all"}, ((), ("light.spot",), ())),
        ("light.dance", {"entity_id": "light.lamp"}, (("light.lamp",), (), ())),
        ("light.shine", {"entity_id": "all"}, ((), ("light.lamp",), ())),
        ("light.shine", {"entity_id": "light.spot"}, (("light.spot",), (), ())),
        # What is named and excluded is left alone, also out of a group, but the caller has to know it.
        (
            "light.turn_on",
            {
                "entity_id": ["light.lamp", "light.spot"],
                "exclude": {"entity_id": "light.lamp"},
            },
            (("light.spot",), (), ("light.lamp",)),
        ),
        (
            "homeassistant.turn_on",
            {"entity_id": "group.two", "exclude": {"entity_id": ["light.lamp"]}},
            ((), ("light.spot",), ("group.two",)),
        ),
        (
            "light.turn_on",
            {"entity_id": "light.nope", "exclude": {"entity_id": ["light.nope"]}},
            (("light.nope",), (), ()),
        ),
    ],
)
def test_what_core_passes_over(
    stage: Stage,
    service: str,
    target: dict[str, Any],
    found: tuple[tuple[str, ...], ...],
) -> None:
    """A call of the same service with `acted_on` as its only target does the same as the call."""
    targets = resolve_now(stage.hass, *split_entity_id(service), target, {})

    assert (targets.named, targets.expanded, targets.in_data) == found
    assert targets.resolved_by_core
    assert targets.wrong_domain == ()


def test_what_core_does_not_resolve(stage: Stage) -> None:
    """Of a service of its own kind nobody knows what it makes of its target."""
    targets = resolve_now(stage.hass, "acme", "touch", {"area_id": "kitchen"}, {})

    assert not targets.resolved_by_core
