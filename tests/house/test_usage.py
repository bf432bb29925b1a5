"""Everything that names an entity is found before it is deleted."""

from pathlib import Path
import re
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.house import usage
from custom_components.mcp_bridge.house.usage import users_of
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

TARGET = "input_boolean.guests"
NOBODY: dict[str, list[str]] = {
    "automations": [],
    "scripts": [],
    "scenes": [],
    "groups": [],
    "entities": [],
    "dashboards": [],
}


async def test_nothing_uses_it(hass: HomeAssistant) -> None:
    """No integration that could is loaded."""
    assert await users_of(hass, TARGET) == NOBODY


async def test_automations(hass: HomeAssistant) -> None:
    """By trigger, by template and in data; a longer id is another entity."""
    automations = [
        {"id": "1", "alias": "Trigger", "triggers": state_trigger(TARGET)},
        {
            "id": "2",
            "alias": "Template",
            "triggers": [],
            "conditions": [
                {
                    "condition": "template",
                    "value_template": "{{ is_state('input_boolean.guests', 'on') }}",
                }
            ],
        },
        {
            "id": "3",
            "alias": "Attribute",
            "triggers": [
                {
                    "trigger": "template",
                    "value_template": "{{ states.input_boolean.guests.state == 'on' }}",
                }
            ],
        },
        {"id": "4", "alias": "Longer", "triggers": state_trigger(f"{TARGET}_2")},
        {
            "id": "5",
            "alias": "Shorter",
            "triggers": state_trigger("input_boolean.guest"),
        },
    ]
    for automation in automations:
        automation["actions"] = []
    assert await async_setup_component(hass, "automation", {"automation": automations})

    users = await users_of(hass, TARGET)

    assert users == {
        **NOBODY,
        "automations": [
            "automation.attribute",
            "automation.template",
            "automation.trigger",
        ],
    }


def state_trigger(entity_id: str) -> list[dict[str, str]]:
    """Return a trigger on an entity."""
    return [{"trigger": "state", "entity_id": entity_id}]


async def test_scripts_scenes_and_groups(hass: HomeAssistant) -> None:
    """Each kind under its own name."""
    action = {"action": "homeassistant.turn_on", "target": {"entity_id": TARGET}}
    assert await async_setup_component(
        hass,
        "script",
        {
            "script": {
                "uses": {"sequence": [action]},
                "templates": {
                    "sequence": [{"variables": {"v": f"{{{{ states('{TARGET}') }}}}"}}]
                },
                "other": {"sequence": []},
            }
        },
    )
    assert await async_setup_component(
        hass,
        "scene",
        {"scene": [{"name": "Party", "entities": {TARGET: "on"}}]},
    )
    assert await async_setup_component(
        hass, "group", {"group": {"people": {"entities": [TARGET, "light.lamp"]}}}
    )
    await hass.async_block_till_done()

    assert await users_of(hass, TARGET) == {
        **NOBODY,
        "scripts": ["script.templates", "script.uses"],
        "scenes": ["scene.party"],
        "groups": ["group.people"],
    }


async def test_helpers_of_integrations(hass: HomeAssistant) -> None:
    """A template, a threshold or a group that was set up in the user interface keeps the id in its options."""
    registry = er.async_get(hass)
    for domain, options in (
        ("template", {"state": f"{{{{ is_state('{TARGET}', 'on') }}}}"}),
        ("group", {"entities": [TARGET]}),
        ("threshold", {"entity_id": "sensor.other"}),
    ):
        entry = MockConfigEntry(domain=domain, options=options)
        entry.add_to_hass(hass)
        registry.async_get_or_create(
            "binary_sensor",
            domain,
            "1",
            config_entry=entry,
            suggested_object_id=domain,
        )
    hass.states.async_set("binary_sensor.group", "on", {"entity_id": [TARGET]})
    hass.states.async_set("light.hub", "on", {"entity_id": [TARGET]})

    assert await users_of(hass, TARGET) == {
        **NOBODY,
        "groups": ["binary_sensor.group"],
        "entities": ["binary_sensor.template"],
    }


@pytest.fixture(name="lovelace")
async def fixture_lovelace(
    hass: HomeAssistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Return the dashboards: the default one, one in storage, one in a YAML file and one whose file is missing."""
    monkeypatch.setattr(hass.config, "config_dir", str(tmp_path))
    (tmp_path / "wall.yaml").write_text(
        f"views:\n  - badges: ['{TARGET}']\n", encoding="utf-8"
    )
    yaml = {
        f"{name}-panel": {"mode": "yaml", "title": name, "filename": f"{name}.yaml"}
        for name in ("wall", "missing")
    }
    assert await async_setup_component(
        hass, "lovelace", {"lovelace": {"dashboards": yaml}}
    )
    return hass.data["lovelace"]


async def test_dashboards(hass: HomeAssistant, lovelace: Any) -> None:
    """Cards at any depth, in storage and in YAML; one without a configuration or file is passed over."""
    card = {"type": "entities", "entities": [{"entity": TARGET}]}
    nested = {"views": [{"sections": [{"cards": [{"type": "grid", "cards": [card]}]}]}]}

    assert (await users_of(hass, TARGET))["dashboards"] == ["wall-panel"]

    await lovelace.dashboards[None].async_save(nested)
    assert (await users_of(hass, TARGET))["dashboards"] == ["lovelace", "wall-panel"]
    assert (await users_of(hass, "light.lamp"))["dashboards"] == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (TARGET, True),
        (f"states.{TARGET}.state", True),
        (f"a, {TARGET}", True),
        (f"'{TARGET}'", True),
        (f"{TARGET}_2", False),
        (f"my_{TARGET}", False),
        ("input_boolean-guests", False),
        ("", False),
    ],
)
async def test_the_whole_id(text: str, named: bool) -> None:
    """A part of a longer id is none."""
    mention = usage._mention(TARGET)  # noqa: SLF001

    for config in (text, [text], {"a": [{"b": (text,)}]}, {text: 1}):
        assert await usage._names(config, mention) is named  # noqa: SLF001


@pytest.mark.parametrize("config", [None, 5, 1.5, True, b"x", object(), {}, []])
async def test_odd_configuration(config: Any) -> None:
    """Whatever stands in a configuration is passed over."""
    assert not await usage._names([config], re.compile("x"))  # noqa: SLF001


async def test_endless_configuration() -> None:
    """One that holds itself is left after a while."""
    config: dict[str, Any] = {}
    config["self"] = [config, config]

    assert not await usage._names(config, re.compile("nothing"))  # noqa: SLF001
