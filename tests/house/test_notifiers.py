"""A message goes where it was meant to go, or nowhere."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_get_persistent_notifications,
)

from custom_components.mcp_bridge.errors import InvalidArguments, NotFound, Unavailable
from custom_components.mcp_bridge.house import notifiers
from custom_components.mcp_bridge.house.notifiers import (
    Notifier,
    NotifierKind,
    all_notifiers,
    keys_of_call,
    resolve,
)
from custom_components.mcp_bridge.house.service_requests import ServiceRequest
from homeassistant.components.notify import (
    BaseNotificationService,
    NotifyEntity,
    NotifyEntityFeature,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import discovery
from homeassistant.setup import async_setup_component

from .platforms import add_entities

PHONE = "notify.phone"


class Bell(NotifyEntity):
    """A notify entity that remembers."""

    def __init__(
        self, name: str, *, title: bool = True, available: bool = True
    ) -> None:
        """Take the name, which the entity id is made of."""
        self._attr_name = name
        self._attr_unique_id = name
        self._attr_available = available
        self._attr_supported_features = NotifyEntityFeature(int(title))
        self.heard: list[tuple[str, str | None]] = []

    async def async_send_message(self, message: str, title: str | None = None) -> None:
        """Remember a message."""
        self.heard.append((message, title))


class Phones(BaseNotificationService):
    """The older service for two phones, whose targets are their webhooks."""

    def __init__(self) -> None:
        """Start silent."""
        self.heard: list[dict[str, Any]] = []

    @property
    def targets(self) -> dict[str, str]:
        """Return the phones."""
        return {"Paul": "webhook-1", "Léa": "webhook-2"}

    async def async_send_message(self, message: str, **more: Any) -> None:
        """Remember a message."""
        self.heard.append({"message": message, **more})


async def add_phones(hass: HomeAssistant, bell: Bell) -> Phones:
    """Set up the phones, one of which has a notify entity too."""
    phones = Phones()

    async def get_service(
        hass: HomeAssistant, config: Any, discovery_info: Any = None
    ) -> Phones:
        return phones

    await add_entities(
        hass,
        "notify",
        [bell],
        integration="mobile_app",
        entry_data={"webhook_id": "webhook-1"},
        async_get_service=get_service,
    )
    await discovery.async_load_platform(hass, "notify", "mobile_app", {}, {})
    await hass.async_block_till_done()
    return phones


async def send(hass: HomeAssistant, request: ServiceRequest) -> None:
    """Make a call, as a tool does."""
    await hass.services.async_call(
        request.domain,
        request.service,
        request.data,
        blocking=True,
        target=request.target,
    )


def ids(hass: HomeAssistant) -> list[str]:
    """Return the ids of all notifiers that are listed."""
    return [notifier.id for notifier in all_notifiers(hass) if notifier.listed]


async def test_empty_house(hass: HomeAssistant) -> None:
    """The screen is always there."""
    assert ids(hass) == ["persistent_notification"]
    assert await async_setup_component(hass, "notify", {})
    assert ids(hass) == ["persistent_notification"]


async def test_entity_gets_message_and_title(hass: HomeAssistant) -> None:
    """By the one service for entities."""
    bell = Bell("Phone")
    await add_entities(hass, "notify", [bell])

    notifier = resolve(all_notifiers(hass), "phone")

    assert (notifier.id, notifier.name, notifier.kind) == (
        PHONE,
        "Phone",
        NotifierKind.ENTITY,
    )
    assert not notifier.takes_data
    await send(hass, notifier.request("Hello", "Title"))
    await send(hass, notifier.request("Hello"))
    assert bell.heard == [("Hello", "Title"), ("Hello", None)]


async def test_title_is_not_lost(hass: HomeAssistant) -> None:
    """Home Assistant drops the title for an entity that has none: it becomes the first line."""
    bell = Bell("Phone", title=False)
    await add_entities(hass, "notify", [bell])

    await send(hass, resolve(all_notifiers(hass), PHONE).request("Hello", "Title"))

    assert bell.heard == [("Title\nHello", None)]


async def test_entity_takes_no_data(hass: HomeAssistant) -> None:
    """Said before anything is sent."""
    await add_entities(hass, "notify", [Bell("Phone")])
    notifier = resolve(all_notifiers(hass), PHONE)

    with pytest.raises(InvalidArguments, match="no data"):
        notifier.request("Hello", data={"image": "/x.jpg"})
    assert notifier.request("Hello", data={}).data == {"message": "Hello"}


async def test_unavailable_entity(hass: HomeAssistant) -> None:
    """Home Assistant would say that all went well."""
    await add_entities(hass, "notify", [Bell("Phone", available=False)])

    with pytest.raises(Unavailable):
        resolve(all_notifiers(hass), PHONE).request("Hello")


async def test_older_service(hass: HomeAssistant) -> None:
    """It takes title and data."""
    phones = await add_phones(hass, Bell("Phone"))
    data = {"actions": [{"action": "YES", "title": "Yes"}]}

    request = resolve(all_notifiers(hass), "mobile_app_lea").request("Hi", "T", data)

    assert request == ServiceRequest(
        "notify", "mobile_app_lea", {"message": "Hi", "title": "T", "data": data}
    )
    assert request.id == "notify.mobile_app_lea"
    await send(hass, request)
    assert phones.heard == [
        {"message": "Hi", "title": "T", "data": data, "target": ["webhook-2"]}
    ]


async def test_phone_with_entity_and_service(hass: HomeAssistant) -> None:
    """A phone is one target, whichever of its two names is used; data goes by the service, which alone can take it."""
    bell = Bell("Phone")
    phones = await add_phones(hass, bell)
    everywhere = all_notifiers(hass)
    entity, service = (
        resolve(everywhere, name) for name in ("phone", "mobile_app_paul")
    )

    assert entity.key == service.key
    assert entity.key != resolve(everywhere, "mobile_app_lea").key
    await send(hass, entity.request("Plain", "T"))
    await send(hass, entity.request("Buttons", "T", {"tag": "x"}))

    assert bell.heard == [("Plain", "T")]
    assert [(heard["message"], heard["target"]) for heard in phones.heard] == [
        ("Buttons", ["webhook-1"])
    ]


async def test_what_is_listed(hass: HomeAssistant) -> None:
    """Entities, services, the screen. notify.notify reaches nobody knows whom, but can be named."""
    await add_phones(hass, Bell("Phone"))

    assert ids(hass) == [
        PHONE,
        "notify.mobile_app_lea",
        "notify.mobile_app_paul",
        "persistent_notification",
    ]
    assert resolve(all_notifiers(hass), "notify").id == "notify.notify"
    assert resolve(all_notifiers(hass), "notify.notify").id == "notify.notify"


@pytest.mark.parametrize(
    "target",
    ["phone", "notify.phone", " Notify.Phone ", "PHONE"],
)
async def test_entity_comes_before_a_service_of_the_same_name(
    hass: HomeAssistant, target: str
) -> None:
    """However it is spelt."""
    await add_entities(hass, "notify", [Bell("Phone")])
    hass.services.async_register("notify", "phone", lambda call: None)

    assert resolve(all_notifiers(hass), target).kind is NotifierKind.ENTITY


@pytest.mark.parametrize(
    "target",
    [
        "persistent_notification",
        "notify.persistent_notification",
        "persistent_notification.create",
        "Persistent_Notification",
    ],
)
async def test_screen(hass: HomeAssistant, target: str) -> None:
    """A message on Home Assistant's own screen."""
    assert await async_setup_component(hass, "persistent_notification", {})
    notifier = resolve(all_notifiers(hass), target)

    await send(hass, notifier.request("Hello", "Title", {"notification_id": "mine"}))
    await send(hass, notifier.request("Hello"))

    shown = async_get_persistent_notifications(hass)
    assert shown["mine"]["title"] == "Title"
    assert [entry["message"] for entry in shown.values()] == ["Hello", "Hello"]
    with pytest.raises(InvalidArguments, match="'image'"):
        notifier.request("Hello", data={"image": "x"})


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("notify.mobile_app_pual", "Did you mean notify.mobile_app_paul"),
        ("phnoe", "Did you mean notify.phone?"),
        ("persistent_notif", "Did you mean persistent_notification?"),
        ("xyzzy", None),
        ("", None),
        ("notify.", None),
        ("light.lamp", None),
        ("\x00\n" * 1000, None),
    ],
)
async def test_unknown_target(
    hass: HomeAssistant, target: str, hint: str | None
) -> None:
    """Near names are told, in the form that works."""
    await add_phones(hass, Bell("Phone"))

    with pytest.raises(NotFound) as error:
        resolve(all_notifiers(hass), target)

    assert (error.value.hint or "").startswith(hint or "")
    assert bool(error.value.hint) == bool(hint)
    assert len(error.value.message) < 200


def test_only_what_may_be_seen_is_suggested() -> None:
    """Whoever asks leaves out what is hidden."""
    seen = Notifier("notify.phone", NotifierKind.ENTITY, "Phone", "key")

    with pytest.raises(NotFound) as error:
        resolve([seen], "notify.phone_of_paul_2")

    assert error.value.hint == "Did you mean notify.phone?"
    with pytest.raises(NotFound):
        resolve([], "notify.phone")


async def test_keys_of_service_calls(hass: HomeAssistant) -> None:
    """A call that goes around resolve counts for the same target."""
    await add_phones(hass, Bell("Phone"))
    everywhere = {notifier.id: notifier.key for notifier in all_notifiers(hass)}
    paul = everywhere["notify.mobile_app_paul"]
    screen = everywhere["persistent_notification"]

    assert keys_of_call(hass, "notify", "mobile_app_paul") == [paul]
    assert keys_of_call(hass, "notify", "send_message", [PHONE, PHONE]) == [paul]
    assert len(keys_of_call(hass, "notify", "send_message", [PHONE, "notify.x"])) == 2
    assert keys_of_call(hass, "notify", "send_message") == []
    assert keys_of_call(hass, "notify", "persistent_notification") == [screen]
    assert keys_of_call(hass, "persistent_notification", "create") == [screen]
    assert keys_of_call(hass, "persistent_notification", "dismiss") == []
    assert keys_of_call(hass, "light", "turn_on", [PHONE]) == []


@pytest.mark.parametrize("features", [None, "1", [1], {}, -1, 0])
async def test_odd_features(hass: HomeAssistant, features: Any) -> None:
    """A state that was set by hand may hold anything."""
    hass.states.async_set(PHONE, "unknown", {"supported_features": features})

    assert resolve(all_notifiers(hass), PHONE).takes_title is (features == -1)


async def test_phone_whose_service_is_gone(hass: HomeAssistant) -> None:
    """Then the entity is all there is."""
    await add_phones(hass, Bell("Phone"))
    hass.services.async_remove("notify", "mobile_app_paul")
    notifier = resolve(all_notifiers(hass), PHONE)
    assert (notifier.service, notifier.key) == (None, f"entity {PHONE}")

    (entry,) = hass.config_entries.async_entries("mobile_app")
    assert isinstance(entry, MockConfigEntry)
    await hass.config_entries.async_remove(entry.entry_id)
    assert PHONE not in ids(hass)


def test_the_feature_has_its_number() -> None:
    """It is not imported, because that would load the integration."""
    assert NotifyEntityFeature.TITLE == notifiers._TITLE  # noqa: SLF001
