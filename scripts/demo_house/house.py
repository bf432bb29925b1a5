"""The demo house as a folder and a process."""

from collections.abc import Callable
import contextlib
import fcntl
import os
from pathlib import Path
import shutil
import signal
import socket
import subprocess
import sys
import time

from homeassistant.const import RESTART_EXIT_CODE

from . import foundations
from .client import Client
from .errors import HouseError

START_SECONDS, STOP_SECONDS = 180, 60

# Lines that are in the log of every house like this one.
EXPECTED = (
    "Skipping pip installation of required modules",
    "We found a custom integration mcp_bridge",
)


class House:
    """One configuration folder and the Home Assistant that lives in it."""

    def __init__(self, folder: Path, port: int) -> None:
        """Take a folder, which may not exist yet, and the port to listen on."""
        self.folder = folder.resolve()
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.mcp_url = f"{self.url}/api/mcp_bridge"
        self._stamp = self.folder / ".demo_house"
        self._token = self.folder / ".token"
        self.log = self.folder / "hass.log"
        self._process: subprocess.Popen[bytes] | None = None

    # The folder

    @property
    def is_complete(self) -> bool:
        """Whether the house was built to its end."""
        return self._stamp.exists() and self._stamp.read_text() == "complete"

    def lay_foundations(self) -> None:
        """Make the folder anew."""
        self._clear()
        self.folder.mkdir(parents=True)
        self._stamp.write_text("under construction")
        foundations.lay(self.folder)

    def complete(self) -> None:
        """Note that the house was built to its end."""
        self._stamp.write_text("complete")

    def _clear(self) -> None:
        """Remove the folder, provided that it is a demo house."""
        if not self.folder.exists():
            return
        if not self._stamp.exists() and any(self.folder.iterdir()):
            raise HouseError(
                f"{self.folder} holds something else than a demo house: choose another folder with --dir"
            )
        shutil.rmtree(self.folder)

    # The door

    @property
    def token(self) -> str:
        """The owner's long-lived access token, empty before there is one."""
        return self._token.read_text() if self._token.exists() else ""

    @token.setter
    def token(self, token: str) -> None:
        self._token.touch(mode=0o600)
        self._token.write_text(token)

    @property
    def client(self) -> Client:
        """The house as its owner reaches it."""
        return Client(self.url, self.token)

    def add_user(self, username: str, *, admin: bool = False) -> Client:
        """Add a user to the running house and return the house as that user reaches it."""
        group = "system-admin" if admin else "system-users"
        create = "config/auth/create"
        user = self.client.ask(create, name=username.title(), group_ids=[group])["user"]
        credentials = {"username": username, "password": f"{username}-password"}
        create = "config/auth_provider/homeassistant/create"
        self.client.ask(create, user_id=user["id"], **credentials)
        access_token = Client(self.url).sign_in(**credentials)
        token = Client(self.url, access_token).create_token(f"Token of {username}")
        return Client(self.url, token)

    # The process

    @property
    def pid(self) -> int | None:
        """The process id of Home Assistant, None when it is not running."""
        if self._process is None or self._process.poll() is not None:
            return None
        return self._process.pid

    def start(self) -> None:
        """Start Home Assistant and wait: until it runs, or in a new house until somebody can move in."""
        self.check_vacant()
        foundations.bring_up_to_date(self.folder, self.port)
        home_assistant = str(foundations.PACKAGE / "inside")
        command = [sys.executable, home_assistant, "--config", str(self.folder)]
        with self.log.open("wb") as log:
            # In a session of its own: Ctrl-C in the terminal then reaches only us, and we end it in good order.
            self._process = subprocess.Popen(
                [*command, "--skip-pip", "--log-no-color"],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=_environment(),
                start_new_session=True,
            )
        try:
            if self.token:
                self.wait_until_running()
            else:
                self._wait_until(self.client.is_reachable)
        except BaseException:
            self.stop()
            raise

    def wait_until_running(self) -> None:
        """Wait until Home Assistant has set up everything."""
        self._wait_until(self.client.is_running)

    def stop(self) -> None:
        """End Home Assistant in good order, so that it saves what it knows."""
        if self._process is None:
            return
        for signal_number in (signal.SIGINT, signal.SIGKILL):
            if self._process.poll() is None:
                self._process.send_signal(signal_number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(STOP_SECONDS)
        self._process = None

    def restart(self) -> None:
        """Stop and start, with the integration as it is in the repository by now."""
        self.stop()
        self.start()

    def stay(self) -> None:
        """Stay until Home Assistant ends, and start it again when it was asked to restart."""
        while self._process is not None:
            code = self._process.wait()
            if code != RESTART_EXIT_CODE:
                raise HouseError(f"Home Assistant ended (exit code {code})")
            self.start()

    def check_vacant(self) -> None:
        """Complain if the house is open already or somebody else listens on its port."""
        lock = self.folder / ".ha_run.lock"
        if lock.exists() and _is_locked(lock):
            raise HouseError(
                f"the house in {self.folder} is open already: close it first (Ctrl-C there), "
                "or choose another folder with --dir"
            )
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", self.port))
            except OSError:
                raise HouseError(
                    f"port {self.port} is taken: stop what runs there "
                    f"or choose another port, for example --port {self.port + 10}"
                ) from None

    def _wait_until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.pid is None:
                raise HouseError("Home Assistant ended while it was starting")
            if condition():
                return
            time.sleep(0.1)
        raise HouseError(f"Home Assistant was not ready in {START_SECONDS} seconds")

    # The log

    def problems(self) -> list[str]:
        """The warnings and errors since the last start, without those that every house has."""
        return [
            line
            for line in self.log_lines()
            if any(f" {level} " in line for level in ("WARNING", "ERROR", "CRITICAL"))
            and not any(expected in line for expected in EXPECTED)
        ]

    def log_lines(self) -> list[str]:
        """What Home Assistant wrote since the last start."""
        if not self.log.exists():
            return []
        return self.log.read_text(errors="replace").splitlines()


def _is_locked(file: Path) -> bool:
    """Whether a running Home Assistant holds its lock file."""
    with file.open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _environment() -> dict[str, str]:
    """The environment of Home Assistant."""
    # Without byte code it starts three times slower; with the other two it takes itself for an add-on's host.
    unwanted = {"PYTHONDONTWRITEBYTECODE", "SUPERVISOR", "SUPERVISOR_TOKEN"}
    return {name: value for name, value in os.environ.items() if name not in unwanted}
