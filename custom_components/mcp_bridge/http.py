"""The HTTP endpoint: who gets in. It speaks no MCP; what is let in goes to the protocol's endpoint."""

from http import HTTPStatus
from ipaddress import ip_address

from aiohttp import hdrs, web
import mcp_types as types
from yarl import URL

from homeassistant.components.http.ban import process_wrong_login
from homeassistant.core import HomeAssistant
from homeassistant.helpers.http import HomeAssistantView
from homeassistant.helpers.network import NoURLAvailableError, get_url

from .bridge import Bridge, McpBridgeConfigEntry
from .const import DOMAIN, ENDPOINT, NAME, REQUEST_BYTES
from .login import WrongToken, identify
from .protocol.messages import Refused

_PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>{NAME}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}}</style>
<h1>{NAME}</h1>
<p>This is the address for AI assistants. There is nothing to see here with a browser.</p>
<p>Add it to your assistant as an MCP server (streamable HTTP), with the token that you are given
when you add a client to {NAME} in Home Assistant, under <i>Settings</i>, <i>Devices &amp; services</i>.</p>
</html>
"""


class McpBridgeView(HomeAssistantView):
    """Checks origin, login and rights.

    It does not ask Home Assistant to require a login: every client that discovers how to log in makes one request
    without, and Home Assistant would raise a "login attempt failed" alarm for each. Nor does a wrong token of Home
    Assistant's count as one: clients send expired ones before they log in again. A wrong token of ours does.
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
        try:
            return await self._serve(request)
        except Refused as err:
            return err.response

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        if not _origin_allowed(self._hass, request):
            raise Refused(HTTPStatus.FORBIDDEN, "This origin is not allowed")
        bridge = _loaded_bridge(self._hass)
        try:
            await identify(self._hass, bridge.access, request)
        except WrongToken:
            await process_wrong_login(request)
            raise
        body = await _read(request)
        # A body may take its time to come, and the access may have ended meanwhile.
        bridge = _loaded_bridge(self._hass)
        caller = await identify(self._hass, bridge.access, request)
        if caller.client is not None:
            bridge.last_used.async_touch(caller.client)
        return await bridge.endpoint.handle(request, body, caller)


def _loaded_bridge(hass: HomeAssistant) -> Bridge:
    """Return the bridge, or raise Refused while there is none."""
    entries: list[McpBridgeConfigEntry]
    entries = hass.config_entries.async_loaded_entries(DOMAIN)
    if not entries:
        raise Refused(
            HTTPStatus.SERVICE_UNAVAILABLE,
            f"{NAME} is not set up",
            types.INTERNAL_ERROR,
        )
    return entries[0].runtime_data


async def _read(request: web.Request) -> bytes:
    """Return the body, empty for a method that has none, or raise Refused."""
    if request.method != hdrs.METH_POST:
        return b""
    if request.content_type.lower() != "application/json":
        raise Refused(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "The content type must be application/json",
        )
    if request.headers.get(hdrs.CONTENT_ENCODING, "identity").lower() != "identity":
        # What is small when it arrives could be anything when it is unpacked.
        raise Refused(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed"
        )
    try:
        return await request.read()
    except web.HTTPRequestEntityTooLarge:
        message = f"The body is larger than {REQUEST_BYTES} bytes"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message) from None


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
        return _is_loopback(url.host) or url in _own_origins(hass)
    except ValueError:
        # Also from the host, which is decoded only when it is looked at.
        return False


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
