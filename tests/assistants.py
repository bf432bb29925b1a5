"""The options and clients of the bridge as the tests set them: through Home Assistant's own flow managers."""

from datetime import timedelta
from typing import Any

from aiohttp import ClientResponse, ClientTimeout
from aiohttp.test_utils import TestClient
import probatio as vol
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mcp_bridge.const import ENDPOINT, SUBENTRY_CLIENT
from homeassistant.auth.models import User
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigFlowResult,
    SubentryFlowResult,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, section
from homeassistant.util import dt as dt_util

from .clients import INITIALIZE, modern_request

type Http = TestClient[Any, Any]

LISTEN, LISTEN_HEADERS = modern_request(
    "subscriptions/listen", {"notifications": {"toolsListChanged": True}}
)

# A test that moves the time on is not to end a stream by that.
_PATIENT = ClientTimeout(total=None)


async def open_form(
    hass: HomeAssistant, entry: MockConfigEntry, form: str
) -> ConfigFlowResult:
    """Choose a form from the menu."""
    menu = await hass.config_entries.options.async_init(entry.entry_id)
    assert menu["type"] is FlowResultType.MENU
    assert form in menu["menu_options"]
    return await hass.config_entries.options.async_configure(
        menu["flow_id"], {"next_step_id": form}
    )


async def save(
    hass: HomeAssistant, entry: MockConfigEntry, form: str, **typed: Any
) -> ConfigFlowResult:
    """Fill a form in over what it shows, and submit it."""
    result = await open_form(hass, entry, form)
    return await hass.config_entries.options.async_configure(
        result["flow_id"], {**shown_in(result), **typed}
    )


def shown_in(result: ConfigFlowResult | SubentryFlowResult) -> dict[str, Any]:
    """Return what the fields of a form show, as the frontend would send it back."""
    assert result["data_schema"] is not None
    return _shown(result["data_schema"])


def _shown(schema: vol.Schema) -> dict[str, Any]:
    shown = {}
    for marker, field in schema.schema.items():
        description = marker.description or {}
        if isinstance(field, section):
            shown[str(marker)] = _shown(field.schema)
        elif "suggested_value" in description:
            shown[str(marker)] = description["suggested_value"]
        elif callable(marker.default):
            shown[str(marker)] = marker.default()
    return shown


async def open_client_form(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    form: str,
    changed: str | None = None,
) -> SubentryFlowResult:
    """Choose a form from the menu of a new client, or of the one that is changed."""
    flows = hass.config_entries.subentries
    context: dict[str, Any] = {"source": SOURCE_USER}
    if changed is not None:
        context = {"source": SOURCE_RECONFIGURE, "subentry_id": changed}
    menu = await flows.async_init((entry.entry_id, SUBENTRY_CLIENT), context=context)  # type: ignore[arg-type]
    assert menu["type"] is FlowResultType.MENU
    assert form in menu["menu_options"]
    return await flows.async_configure(menu["flow_id"], {"next_step_id": form})


async def submit(
    hass: HomeAssistant, result: SubentryFlowResult, **typed: Any
) -> SubentryFlowResult:
    """Submit a form."""
    return await hass.config_entries.subentries.async_configure(
        result["flow_id"], typed
    )


def filled(**typed: Any) -> dict[str, Any]:
    """Return a client form with what has to be in it."""
    return {"name": "Claude", "entity_allowlist": {}, "entity_denylist": {}, **typed}


async def add_client(
    hass: HomeAssistant, entry: MockConfigEntry, user: User, **typed: Any
) -> tuple[str, str]:
    """Add a client with a token; returns its id and the token."""
    known = set(entry.subentries)
    form = await open_client_form(hass, entry, "token")
    result = await submit(hass, form, **filled(user_id=user.id, **typed))
    assert result["type"] is FlowResultType.CREATE_ENTRY, result
    placeholders = result["description_placeholders"]
    assert placeholders is not None
    [added] = set(entry.subentries) - known
    return added, placeholders["token"]


async def add_login(
    hass: HomeAssistant, entry: MockConfigEntry, user: User | None = None, **typed: Any
) -> str:
    """Add a client for the logins of claude.ai; returns its id."""
    known = set(entry.subentries)
    form = await open_client_form(hass, entry, "login")
    whom = {"user_id": user.id} if user else {}
    result = await submit(
        hass, form, **filled(oauth_client_id="https://claude.ai", **whom, **typed)
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY, result
    [added] = set(entry.subentries) - known
    return added


async def rotate(hass: HomeAssistant, entry: MockConfigEntry, client: str) -> str:
    """Give a client a new token."""
    form = await open_client_form(hass, entry, "rotate", client)
    shown = await submit(hass, form)
    assert shown["step_id"] == "new_token"
    assert shown["description_placeholders"] is not None
    return shown["description_placeholders"]["token"]


async def change(
    hass: HomeAssistant, entry: MockConfigEntry, client: str, **typed: Any
) -> SubentryFlowResult:
    """Change a client with a token."""
    form = await open_client_form(hass, entry, "token", client)
    return await submit(hass, form, **filled(**typed))


def day(days: int) -> str:
    """Return the day that is so many days from now."""
    return (dt_util.now() + timedelta(days=days)).date().isoformat()


def bearer(token: str) -> dict[str, str]:
    """Return the header that carries a token."""
    return {"Authorization": f"Bearer {token}"}


async def log_in(
    hass: HomeAssistant, user: User, client_id: str = "https://claude.ai"
) -> dict[str, str]:
    """Log a user in as an OAuth client does, and return the header."""
    token = await hass.auth.async_create_refresh_token(user, client_id)
    return bearer(hass.auth.async_create_access_token(token))


async def open_stream(http: Http, era: str, login: dict[str, str]) -> ClientResponse:
    """Open a stream, in a new session in the handshake era."""
    if era == "modern":
        headers = {**LISTEN_HEADERS, **login}
        stream = await http.post(
            ENDPOINT, json=LISTEN, headers=headers, timeout=_PATIENT
        )
    else:
        session_id = await shake_hands(http, login)
        headers = {
            "Mcp-Session-Id": session_id,
            "Accept": "text/event-stream",
            **login,
        }
        stream = await http.get(ENDPOINT, headers=headers, timeout=_PATIENT)
    assert stream.status == 200
    return stream


async def shake_hands(http: Http, login: dict[str, str]) -> str:
    """Open a session, and return its id."""
    opened = await http.post(ENDPOINT, json=INITIALIZE, headers=login)
    assert opened.status == 200
    return opened.headers["Mcp-Session-Id"]
