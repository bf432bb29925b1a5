"""Home Assistant over HTTP: its REST API, its websocket, its sign-in, its config flows."""

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
import json
from typing import Any
import urllib.error
import urllib.parse
import urllib.request

import aiohttp

from .errors import HouseError

# The house is on this machine: a proxy that the environment names must not be asked for it.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

type Command = dict[str, Any]


class Client:
    """One user's view of a house."""

    def __init__(self, url: str, token: str = "") -> None:
        """Take the address of the house and, if there is one yet, an access token."""
        self.url = url
        self.token = token

    def is_reachable(self) -> bool:
        """Whether Home Assistant answers at all."""
        try:
            self.get("/manifest.json")
        except HouseError, OSError:
            return False
        return True

    def is_running(self) -> bool:
        """Whether Home Assistant has set up everything."""
        try:
            return bool(self.get("/api/config")["state"] == "RUNNING")
        except HouseError, OSError:
            return False

    # REST

    def get(self, path: str) -> Any:
        """Read a resource."""
        return self._request("GET", path, None)

    def post(self, path: str, body: Any) -> Any:
        """Send a resource as JSON."""
        headers = {"Content-Type": "application/json"}
        return self._request("POST", path, json.dumps(body).encode(), headers)

    def act(self, action: str, **data: Any) -> Any:
        """Perform an action such as light.turn_on."""
        return self.post(f"/api/services/{action.replace('.', '/')}", data)

    def _request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        request = urllib.request.Request(
            self.url + path, body, headers or {}, method=method
        )
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with _open(request, timeout=60) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            text = error.read(500).decode(errors="replace")
            raise HouseError(f"{method} {path}: {error.code} {text}") from None

    # Websocket

    def ask(self, command: str, **fields: Any) -> Any:
        """Send one websocket command and return its result."""
        return self.ask_all([{"type": command, **fields}])[0]

    def ask_all(self, commands: Iterable[Command]) -> list[Any]:
        """Send websocket commands one after the other and return their results."""
        # In a thread of its own, so that it also works where an event loop is running.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, self._converse(list(commands))).result()

    async def _converse(self, commands: list[Command]) -> list[Any]:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{self.url}/api/websocket", max_msg_size=0) as socket,
        ):
            await socket.receive_json()
            await socket.send_json({"type": "auth", "access_token": self.token})
            answer = await socket.receive_json()
            if answer["type"] != "auth_ok":
                raise HouseError(f"the websocket refused the token: {answer}")
            return [
                await _exchange(socket, number, command)
                for number, command in enumerate(commands, 1)
            ]

    # Signing in

    def create_owner(self, name: str, username: str, password: str) -> str:
        """Create the first user of a new house and return an access token of half an hour."""
        person = {"name": name, "username": username, "password": password}
        body = {"client_id": f"{self.url}/", "language": "en", **person}
        code = self.post("/api/onboarding/users", body)["auth_code"]
        return self._redeem(code)

    def sign_in(self, username: str, password: str) -> str:
        """Sign in as in the browser and return an access token of half an hour."""
        visitor = {"client_id": f"{self.url}/"}
        start = {"handler": ["homeassistant", None], "redirect_uri": f"{self.url}/"}
        flow_id = self.post("/auth/login_flow", visitor | start)["flow_id"]
        answers = {"username": username, "password": password}
        result = self.post(f"/auth/login_flow/{flow_id}", visitor | answers)
        if result["type"] != "create_entry":
            raise HouseError(f"could not sign in as {username}: {result}")
        return self._redeem(result["result"])

    def _redeem(self, code: str) -> str:
        grant = {"grant_type": "authorization_code", "client_id": f"{self.url}/"}
        body = urllib.parse.urlencode(grant | {"code": code}).encode()
        return str(self._request("POST", "/auth/token", body)["access_token"])

    def create_token(self, name: str) -> str:
        """Create a long-lived access token for the user of this client."""
        command = "auth/long_lived_access_token"
        return str(self.ask(command, client_name=name, lifespan=365))

    # Config flows

    def set_up(self, integration: str, *answers: dict[str, Any]) -> dict[str, Any]:
        """Set an integration up through its config flow and return the flow's result, which holds the entry.

        The answers are for the forms and menus of the flow, in their order.
        """
        body = {"handler": integration, "show_advanced_options": True}
        return self._walk("/api/config/config_entries/flow", body, answers)

    def set_options(self, entry_id: str, *answers: dict[str, Any]) -> dict[str, Any]:
        """Change the options of a config entry through its options flow."""
        path = "/api/config/config_entries/options/flow"
        return self._walk(path, {"handler": entry_id}, answers)

    def _walk(
        self, path: str, body: dict[str, Any], answers: tuple[dict[str, Any], ...]
    ) -> dict[str, Any]:
        step: dict[str, Any] = self.post(path, body)
        for answer in answers:
            step = self.post(f"{path}/{step['flow_id']}", answer)
        if step["type"] != "create_entry":
            raise HouseError(f"{path} for {body['handler']} stopped at {step}")
        return step


async def _exchange(
    socket: aiohttp.ClientWebSocketResponse, number: int, command: Command
) -> Any:
    await socket.send_json({"id": number, **command})
    while True:
        answer = await socket.receive_json()
        if answer.get("id") == number and answer["type"] == "result":
            break
    if not answer["success"]:
        raise HouseError(f"{command}: {answer['error']}")
    return answer["result"]
