"""How assistants are connected: the address of the endpoint, and what is pasted into each of them."""

import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.http import current_request
from homeassistant.helpers.network import NoURLAvailableError, get_url

from .const import ENDPOINT

_SERVER = "home-assistant"


def address(hass: HomeAssistant) -> str:
    """Return the address of the endpoint: for other machines where it is known, else as the user reaches it now."""
    try:
        base = get_url(hass, prefer_external=True)
    except NoURLAvailableError:
        request = current_request.get()
        base = str(request.url.origin()) if request else ""
    return base + ENDPOINT


def lines_to_paste(url: str, token: str) -> dict[str, str]:
    """Return what is pasted into a terminal or a file, by assistant."""
    bearer = f"Bearer {token}"
    headers = {"Authorization": bearer}
    remote = ["mcp-remote", url, "--allow-http", "--header", "Authorization:${AUTH}"]
    return {
        "claude_code": f"claude mcp add --scope user --transport http {_SERVER} {url} "
        f'--header "Authorization: {bearer}"',
        "claude_desktop": _servers(
            "mcpServers", {"command": "npx", "args": remote, "env": {"AUTH": bearer}}
        ),
        "cursor": _servers("mcpServers", {"url": url, "headers": headers}),
        "vs_code": _servers(
            "servers", {"type": "http", "url": url, "headers": headers}
        ),
        "gemini_cli": _servers("mcpServers", {"httpUrl": url, "headers": headers}),
    }


def _servers(key: str, server: dict[str, Any]) -> str:
    return json.dumps({key: {_SERVER: server}})
