"""Who is asking: a login to Home Assistant, or the token of a client."""

from contextlib import suppress
from http import HTTPStatus

from aiohttp import hdrs, web

from homeassistant.auth.models import User
from homeassistant.components.http.auth_util import async_user_not_allowed_do_auth
from homeassistant.components.http.const import KEY_HASS_REFRESH_TOKEN_ID, KEY_HASS_USER
from homeassistant.core import HomeAssistant
from homeassistant.helpers.http import KEY_AUTHENTICATED

from .access.clients import TOKEN_PREFIX, Client, client_with_login, client_with_token
from .access.control import AccessControl
from .const import NAME
from .models import Caller
from .protocol.messages import Refused

_METADATA_PATH = "/.well-known/oauth-protected-resource"
_EXPIRED = f"The access of this client has expired; an administrator can give it a new date in the settings of {NAME}"


class WrongToken(Refused):
    """A token that looks like one of ours, and is none."""


async def identify(
    hass: HomeAssistant, access: AccessControl, request: web.Request
) -> Caller:
    """Return who is asking and may come in, or raise Refused; WrongToken where somebody may be guessing."""
    if request.get(KEY_AUTHENTICATED):
        caller = _caller_with_login(hass, access, request)
    elif token := _token(request):
        caller = await _caller_with_token(hass, access, request, token)
    else:
        raise _unauthorized(request)
    if not access.admits(caller):
        raise Refused(
            HTTPStatus.FORBIDDEN,
            f"Only administrators may use {NAME}; its owner can switch off the option 'Administrators only', "
            "or add a client for this user",
        )
    return caller


def _caller_with_login(
    hass: HomeAssistant, access: AccessControl, request: web.Request
) -> Caller:
    """Return who Home Assistant's own login says is asking: it has refused inactive users and strangers already.

    It did when the request began; a body may take its time to come, and the login may have ended meanwhile.
    """
    user: User | None = request.get(KEY_HASS_USER)
    if user is None or not user.is_active:
        raise _unauthorized(request)
    credential: str | None = request.get(KEY_HASS_REFRESH_TOKEN_ID)
    if credential is None:
        return Caller(user)
    token = hass.auth.async_get_refresh_token(credential)
    if token is None:
        raise _unauthorized(request)
    client = client_with_login(access.clients.values(), user.id, token.client_id)
    if client is None:
        return Caller(user, credential)
    if client.has_expired:
        raise Refused(HTTPStatus.FORBIDDEN, _EXPIRED)
    return Caller(user, credential, client.id)


async def _caller_with_token(
    hass: HomeAssistant, access: AccessControl, request: web.Request, token: str
) -> Caller:
    client = client_with_token(access.clients.values(), token)
    if client is None:
        raise _unauthorized(
            request, "The token is wrong, or is no longer valid", WrongToken
        )
    if client.has_expired:
        raise _unauthorized(request, _EXPIRED)
    user = await _user_of(hass, client)
    if user is None or async_user_not_allowed_do_auth(hass, user, request):
        raise _unauthorized(
            request, "The Home Assistant user of this client may not log in from here"
        )
    return Caller(user, client.credential, client.id)


async def _user_of(hass: HomeAssistant, client: Client) -> User | None:
    return await hass.auth.async_get_user(client.user_id) if client.user_id else None


def _token(request: web.Request) -> str | None:
    """Return the token of ours that a request carries, right or wrong."""
    scheme, _, token = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
    token = token.strip()
    is_ours = scheme.lower() == "bearer" and token.startswith(TOKEN_PREFIX)
    return token if is_ours else None


def _unauthorized(
    request: web.Request,
    message: str = "Log in to Home Assistant, or send a valid token",
    refusal: type[Refused] = Refused,
) -> Refused:
    """Return a 401 that tells the client where to learn how to log in."""
    pointer = "Bearer"
    with suppress(ValueError):
        metadata = request.url.origin().with_path(_METADATA_PATH)
        pointer = f'Bearer resource_metadata="{metadata}"'
    return refusal(
        HTTPStatus.UNAUTHORIZED, message, headers={hdrs.WWW_AUTHENTICATE: pointer}
    )
