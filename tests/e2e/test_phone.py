"""Approval on a phone: the app is registered with a real Home Assistant as apps do, and its buttons are pressed as it does."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import json
from queue import Empty, Queue
import threading
import time
from typing import Any

import httpx2
import pytest

from demo_house.house import House
from tests.clients import official_client

from .talking import USUAL, options, save, state_of, told

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

LOCK = "lock.front_door"
UNLOCK: dict[str, Any] = {"service": "lock.unlock", "target": {"entity_id": LOCK}}


class Phone:
    """A phone with the app on it: gets notifications over the push service, and answers through its webhook."""

    def __init__(self, house: House, push_url: str, name: str) -> None:
        """Register with Home Assistant."""
        registration = house.client.post(
            "/api/mobile_app/registrations",
            {
                "app_id": "test",
                "app_name": "Test",
                "app_version": "1",
                "device_name": name,
                "device_id": name,
                "manufacturer": "Acme",
                "model": "Phone",
                "os_name": "Test",
                "os_version": "1",
                "supports_encryption": False,
                "app_data": {"push_url": push_url, "push_token": name},
            },
        )
        self._webhook = f"{house.url}/api/webhook/{registration['webhook_id']}"
        self.service = f"mobile_app_{name.lower().replace(' ', '_')}"
        for _ in range(100):
            if self.service in _notify_services(house):
                return
            time.sleep(0.1)
        raise AssertionError(f"There is no notify.{self.service}")

    async def press(self, action: str) -> None:
        """Press a button, as the app tells Home Assistant."""
        data = {
            "event_type": "mobile_app_notification_action",
            "event_data": {"action": action},
        }
        async with httpx2.AsyncClient(trust_env=False) as http:
            pressed = await http.post(
                self._webhook, json={"type": "fire_event", "data": data}
            )
        assert pressed.status_code == 200


def _notify_services(house: House) -> set[str]:
    """Return the names of the services that send messages."""
    services = house.client.get("/api/services")
    return {
        name
        for entry in services
        if entry["domain"] == "notify"
        for name in entry["services"]
    }


@contextmanager
def _push_service() -> Iterator[tuple[str, Queue[dict[str, Any]]]]:
    """Run the service that brings notifications to phones."""
    sent: Queue[dict[str, Any]] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802
            size = int(self.headers["Content-Length"])
            sent.put(json.loads(self.rfile.read(size)))
            self.send_response(201)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/push", sent
    finally:
        server.shutdown()
        server.server_close()


async def _next(
    sent: Queue[dict[str, Any]], call: asyncio.Task[dict[str, Any]]
) -> dict[str, Any]:
    """Return the notification that a call leads to."""
    for _ in range(100):
        assert not call.done(), call.result()
        try:
            return sent.get_nowait()
        except Empty:
            await asyncio.sleep(0.1)
    raise AssertionError("No notification has come")


async def test_the_door_waits_for_the_phone(house: House) -> None:
    """Denied, allowed, and answered by a phone whose owner is not asked."""
    [owner] = [
        user["id"] for user in house.client.ask("config/auth/list") if user["is_owner"]
    ]
    with (
        _push_service() as (url, sent),
        options(house, "permissions", allow_write=True),
    ):
        phone = Phone(house, url, "Phone of Mia")
        other = Phone(_as(house, "visitor"), url, "Phone of a visitor")
        save(
            house,
            "confirmation",
            {
                **USUAL["confirmation"],
                "approval": "phone",
                "approval_phone": phone.service,
                "approvers": [owner],
            },
        )
        try:
            async with official_client(house.mcp_url, house.token) as client:
                for button, outcome in ((1, "confirmation"), (0, "done")):
                    call = asyncio.create_task(
                        told(client, "ha_call_service", **UNLOCK)
                    )
                    message = await _next(sent, call)
                    assert "Front Door (locked)" in message["message"]
                    actions = message["data"]["actions"]
                    await other.press(actions[0]["action"])
                    await asyncio.sleep(0.5)
                    assert not call.done()
                    assert state_of(house, LOCK) == "locked"
                    await phone.press(actions[button]["action"])
                    answer = await call
                    assert outcome in (
                        answer.get("outcome"),
                        answer.get("error", {}).get("rule"),
                    )
            assert state_of(house, LOCK) == "unlocked"
        finally:
            save(house, "confirmation", USUAL["confirmation"])
            house.client.act("lock.lock", entity_id=LOCK)
    assert house.problems() == []


def _as(house: House, username: str) -> Any:
    """Return the house as another administrator reaches it."""
    client = house.add_user(username, admin=True)
    return type("Reached", (), {"client": client, "url": house.url})()
