"""What a caller may not see does not exist: for every tool, however it is asked."""

from collections.abc import Callable
from typing import Any

from freezegun.api import FrozenDateTimeFactory
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mcp_bridge.bridge import Bridge
from custom_components.mcp_bridge.models import Caller
from custom_components.mcp_bridge.tools.registry import Answer
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from tests.conftest import CallTool

from .checks import refused, well_formed, whole
from .furniture import PIECES, SECRETS, Piece, place, remove

HIDDEN = ("lock.vault", "sensor.vault_charge")
# Each way to hide the vault: options of the entry, or the rights of the user.
WAYS: dict[str, dict[str, Any]] = {
    "pattern": {"filter_reads": True, "entity_denylist": {"patterns": ["*.vault*"]}},
    "picked": {
        "filter_reads": True,
        "entity_denylist": {"target": {"entity_id": [*HIDDEN]}},
    },
    "allowed": {
        "filter_reads": True,
        "entity_allowlist": {
            "patterns": [
                piece.entity_id for piece in PIECES if piece.entity_id not in HIDDEN
            ]
            + ["sensor.watch*", "group.watch", "script.*", "conversation.*"]
        },
    },
    "assist": {"assist_exposed_only": True},
    "user": {"require_admin": False},
}
hidden_each_way = pytest.mark.parametrize(
    ("way", "options"), WAYS.items(), ids=WAYS, indirect=["way"]
)

# Questions that go for the vault, by whatever an assistant may have heard of it.
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("ha_get_overview", {}),
    ("ha_list_entities", {}),
    *[
        ("ha_list_entities", arguments)
        for arguments in (
            {"domain": "lock"},
            {"area": "bedroom"},
            {"floor": "upper floor"},
            {"device": "Vault box"},
            {"search": "crown jewels"},
            {"search": "vault"},
            {"state": "stolen"},
            {"state": ">80"},
            {"state": "!=on", "limit": 200},
            {"domain": "sensor", "fields": "entity_id,name,device,area,labels,aliases"},
        )
    ],
    *[
        ("ha_search_entities", {"query": query})
        for query in (
            "crown jewels",
            "crwn jewls",
            "vault",
            "lock.vault",
            "vault box",
            "bedroom",
            "lock",
            "stolen",
            "charge of the vault",
            "vau",
            "jewel lock bedroom",
        )
    ],
    *[
        ("ha_get_entity", {"entity_id": entity_id})
        for entity_id in (
            "lock.vault",
            "LOCK.VAULT ",
            "lock.valt",
            "sensor.vault_charge",
            "vault",
            "lock.vault,light.dining",
            "sensor.vault",
            "crown jewels",
        )
    ],
    ("ha_get_entity", {"entity_id": "lock.vault", "attribute": "friendly_name"}),
    ("ha_list_areas", {}),
    ("ha_list_areas", {"area": "bedroom"}),
    ("ha_list_devices", {}),
    ("ha_list_devices", {"area": "bedroom"}),
    ("ha_list_devices", {"search": "vault"}),
    ("ha_list_devices", {"search": "stolen goods"}),
    ("ha_list_services", {}),
    ("ha_list_services", {"domain": "script"}),
    ("ha_get_system", {"section": "config"}),
]


@pytest.fixture(name="way")
def fixture_way(request: pytest.FixtureRequest) -> str:
    """Return how the vault is hidden."""
    way: str = request.param
    return way


@pytest.fixture(name="ask")
async def fixture_ask(
    hass: HomeAssistant,
    way: str,
    bridge: Bridge,
    call_tool: CallTool,
    hass_read_only_user: MockUser,
) -> CallTool:
    """Return the call of somebody who may not see the vault."""
    if way == "assist":
        for entity_id in hass.states.async_entity_ids():
            async_expose_entity(
                hass, conversation.DOMAIN, entity_id, entity_id not in HIDDEN
            )
        return call_tool
    if way != "user":
        return call_tool
    seen = {
        entity_id: {"read": True}
        for entity_id in (
            *hass.states.async_entity_ids(),
            "sensor.watch",
            "group.watch",
        )
        if entity_id not in HIDDEN
    }
    hass_read_only_user.mock_policy({"entities": {"entity_ids": seen}})

    async def ask(name: str, /, **arguments: Any) -> Answer:
        return await bridge.registry.call(name, arguments, Caller(hass_read_only_user))

    return ask


def without_question(answer: Answer, arguments: dict[str, Any]) -> str:
    """Return the text of an answer in small letters, less what was asked for by the caller."""
    text = answer.text.lower()
    for asked in arguments.values():
        for part in str(asked).lower().split(","):
            text = text.replace(f"'{part.strip()}'", "").replace(
                f'"{part.strip()}"', ""
            )
    return text


@hidden_each_way
async def test_nothing_of_a_hidden_entity_is_told(ask: CallTool) -> None:
    """Neither its id nor its name, state, device or maker, in answers and errors alike."""
    for tool, arguments in QUESTIONS:
        text = without_question(await ask(tool, **arguments), arguments)
        for secret in SECRETS:
            assert secret not in text, (tool, arguments, text)


async def test_the_questions_would_find_it_if_it_were_visible(
    call_tool: CallTool,
) -> None:
    """Else the test above would prove nothing: without options each secret is told."""
    told = [
        without_question(await call_tool(tool, **arguments), arguments)
        for tool, arguments in QUESTIONS
    ]

    assert all(any(secret in text for text in told) for secret in SECRETS)


@hidden_each_way
async def test_a_hidden_entity_answers_like_one_that_was_never_there(
    hass: HomeAssistant, ask: CallTool, freezer: FrozenDateTimeFactory
) -> None:
    """Every answer stays the same to the letter when the entity is taken out of the house."""
    before = [await ask(tool, **arguments) for tool, arguments in QUESTIONS]
    for entity_id in HIDDEN:
        remove(hass, entity_id)
    after = [await ask(tool, **arguments) for tool, arguments in QUESTIONS]

    for question, first, second in zip(QUESTIONS, before, after, strict=True):
        assert first == second, question


@hidden_each_way
async def test_a_hidden_id_and_an_unknown_one_get_the_same_answer(
    ask: CallTool,
) -> None:
    """Apart from the id that was asked for, which the caller knows."""
    hidden = await ask("ha_get_entity", entity_id="lock.vault")
    unknown = await ask("ha_get_entity", entity_id="lock.zzzzz")

    refused(hidden, "not_found")
    assert hidden.text.replace("lock.vault", "lock.zzzzz") == unknown.text


REFERENCES: dict[str, Callable[[], dict[str, Any]]] = {
    "member": lambda: {"entity_id": ["lock.vault", "light.dining"]},
    "only member": lambda: {"entity_id": ["lock.vault"]},
    "text": lambda: {"source": "lock.vault"},
    "sentence": lambda: {"text": "Look at lock.vault, sensor.vault_charge."},
    "template": lambda: {
        "text": "{{ states.lock.vault.state }} {{ states('lock.vault') }}"
    },
    "capitals": lambda: {"text": "Lock.Vault"},
    "blanks": lambda: {"ids": [" lock.vault ", "lock.vault\n"]},
    "nested": lambda: {"deep": [{"of": ({"lock.vault"},)}]},
    "key": lambda: {"levels": {"lock.vault": 1, "light.dining": 2}},
    "name of an attribute": lambda: {"lock.vault": 1},
    "long list": lambda: {"ids": ["light.dining"] * 100 + ["lock.vault"] * 100},
    "address": lambda: {"url": "/history?entity_id=lock.vault&x=1"},
    "joined": lambda: {"ids": "light.dining,lock.vault;sensor.vault_charge"},
}


@pytest.mark.parametrize(
    ("way", "options"),
    [("pattern", WAYS["pattern"]), ("user", WAYS["user"])],
    ids=["pattern", "user"],
    indirect=["way"],
)
@pytest.mark.parametrize("reference", REFERENCES)
async def test_attributes_of_others_do_not_tell_a_hidden_id(
    hass: HomeAssistant, ask: CallTool, reference: str
) -> None:
    """Wherever in an attribute it stands; what else stands there is kept."""
    attributes = {**REFERENCES[reference](), "kept": "light.dining"}
    hass.states.async_set("sensor.watch", "on", attributes)

    answers = [
        await ask("ha_get_entity", entity_id="sensor.watch"),
        await ask("ha_get_entity", entity_id="sensor.watch, light.dining"),
        await ask("ha_get_entity", entity_id="sensor.watch", attribute="nothing"),
        *[
            await ask("ha_get_entity", entity_id="sensor.watch", attribute=name)
            for name in attributes
            if "vault" not in name
        ],
    ]

    assert whole(answers[0])["attributes"]["kept"] == "light.dining"
    for answer in answers:
        well_formed(answer)
        assert "vault" not in answer.text.lower()


@hidden_each_way
async def test_the_state_of_another_does_not_tell_a_hidden_id(
    hass: HomeAssistant, ask: CallTool
) -> None:
    """Template sensors tell which door was opened last."""
    place(hass, Piece("sensor.watch", "Opened last", "lock.vault"))
    async_expose_entity(hass, conversation.DOMAIN, "sensor.watch", True)

    for tool, arguments in (
        ("ha_get_entity", {"entity_id": "sensor.watch"}),
        ("ha_list_entities", {"search": "opened last"}),
        ("ha_search_entities", {"query": "opened last"}),
    ):
        answer = await ask(tool, **arguments)
        assert "sensor.watch" in answer.text
        assert "vault" not in answer.text


@hidden_each_way
async def test_members_that_are_visible_are_told(
    hass: HomeAssistant, ask: CallTool
) -> None:
    """The hidden one is missing, not replaced by a mark."""
    place(
        hass,
        Piece(
            "group.watch", "Watch", "on", {"entity_id": ["lock.vault", "light.dining"]}
        ),
    )
    async_expose_entity(hass, conversation.DOMAIN, "group.watch", True)

    assert whole(await ask("ha_get_entity", entity_id="group.watch"))["members"] == [
        "light.dining"
    ]
