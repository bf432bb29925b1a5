"""The HTTP endpoint: who gets in. It speaks no MCP; what is let in goes to the protocol's endpoint."""

from http import HTTPStatus
from ipaddress import ip_address

from aiohttp import hdrs, web
import mcp_types as types
from yarl import URL

from homeassistant.auth.models import User
from homeassistant.components.http.const import KEY_HASS_REFRESH_TOKEN_ID, KEY_HASS_USER
from homeassistant.core import HomeAssistant
from homeassistant.helpers.http import KEY_AUTHENTICATED, HomeAssistantView
from homeassistant.helpers.network import NoURLAvailableError, get_url

from .bridge import Bridge, McpBridgeConfigEntry
from .const import DOMAIN, ENDPOINT, NAME, REQUEST_BYTES
from .models import Caller
from .protocol.messages import rpc_error

_METADATA_PATH = "/.well-known/oauth-protected-resource"
_PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>{NAME}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}}</style>
<h1>{NAME}</h1>
<p>This is the address for AI assistants. There is nothing to see here with a browser.</p>
<p>Add it to your assistant as an MCP server (streamable HTTP), with a long-lived access token, which you create in
your profile in Home Assistant, under <i>Security</i>.</p>
</html>
"""


class McpBridgeView(HomeAssistantView):
    """Checks origin, login and rights.

    It does not ask Home Assistant to require a login: every client that discovers how to log in makes one request
    without, and Home Assistant would raise a "login attempt failed" alarm for each.
    """

    url = ENDPOINT
    # People paste addresses with a slash at the end.
    extra_urls = [f"{ENDPOINT}/"]
    name = f"api:{DOMAIN}"
    requires_auth = False
    max_body_size = REQUEST_BYTES

    def __init__(self, hass: HomeAssistant) -> None:
        """Hold Home Assistant."""
        self._hass = hass

    async def post(self, request: web.Request) -> web.StreamResponse:
        """Serve a message of a client."""
        return await self._handle(request)

    async def get(self, request: web.Request) -> web.StreamResponse:
        """Serve the stream of a session, or a page for people."""
        if "text/html" in request.headers.get(hdrs.ACCEPT, ""):
            return web.Response(text=_PAGE, content_type="text/html")
        return await self._handle(request)

    async def delete(self, request: web.Request) -> web.StreamResponse:
        """End a session."""
        return await self._handle(request)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if not _origin_allowed(self._hass, request):
            return rpc_error(
                HTTPStatus.FORBIDDEN,
                types.INVALID_REQUEST,
                "This origin is not allowed",
            )
        caller = _caller(request)
        if caller is None:
            return _unauthorized(request)
        bridge = _loaded_bridge(self._hass)
        if bridge is None:
            return rpc_error(
                HTTPStatus.SERVICE_UNAVAILABLE,
                types.INTERNAL_ERROR,
                f"{NAME} is not set up",
            )
        if not bridge.access.admits(caller.user):
            return rpc_error(
                HTTPStatus.FORBIDDEN,
                types.INVALID_REQUEST,
                "Only administrators may use MCP Bridge. The owner can switch that off in its options (Administrators only).",
            )
        try:
            body = await _read(request)
        except web.HTTPRequestEntityTooLarge:
            message = f"The body is larger than {REQUEST_BYTES} bytes"
            return rpc_error(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, types.INVALID_REQUEST, message
            )
        if body is None:
            message = "The content type must be application/json"
            return rpc_error(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, types.INVALID_REQUEST, message
            )
        return await bridge.endpoint.handle(request, body, caller)


async def _read(request: web.Request) -> bytes | None:
    """Return the body, empty for a method that has none; None when it is not declared as JSON."""
    if request.method != hdrs.METH_POST:
        return b""
    return await request.read() if request.content_type == "application/json" else None


def _loaded_bridge(hass: HomeAssistant) -> Bridge | None:
    entries: list[McpBridgeConfigEntry] = hass.config_entries.async_loaded_entries(
        DOMAIN
    )
    return entries[0].runtime_data if entries else None


def _caller(request: web.Request) -> Caller | None:
    """Return who Home Assistant's own login says is asking: it has refused inactive users and strangers already."""
    user: User | None = request.get(KEY_HASS_USER)
    if not request.get(KEY_AUTHENTICATED) or user is None:
        return None
    return Caller(user, request.get(KEY_HASS_REFRESH_TOKEN_ID))


def _unauthorized(request: web.Request) -> web.Response:
    """Return a 401 that tells the client where to learn how to log in."""
    response = rpc_error(
        HTTPStatus.UNAUTHORIZED,
        types.INVALID_REQUEST,
        "Log in to Home Assistant, or send a valid token",
    )
    try:
        metadata = request.url.origin().with_path(_METADATA_PATH)
    except ValueError:
        response.headers[hdrs.WWW_AUTHENTICATE] = "Bearer"
    else:
        response.headers[hdrs.WWW_AUTHENTICATE] = (
            f'Bearer resource_metadata="{metadata}"'
        )
    return response


def _origin_allowed(hass: HomeAssistant, request: web.Request) -> bool:
    """Tell whether a request may come from a page of this origin.

    Programs send no origin. A page has to be Home Assistant's own, under any of its addresses, or be on this machine:
    otherwise any web page could reach a home through the browser of somebody inside.
    """
    origin = request.headers.get(hdrs.ORIGIN)
    if origin is None:
        return True
    try:
        url = URL(origin).origin()
    except ValueError:
        return False
    return _is_loopback(url.host) or url in _own_origins(hass)


def _own_origins(hass: HomeAssistant) -> set[URL]:
    origins: set[URL] = set()
    for prefer in (
        {"allow_external": False},
        {"allow_internal": False},
        {"require_cloud": True},
    ):
        try:
            origins.add(URL(get_url(hass, **prefer)).origin())
        except NoURLAvailableError:
            continue
    return origins


def _is_loopback(host: str | None) -> bool:
    if host is None:
        return False
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
