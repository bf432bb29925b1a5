"""A real Home Assistant with MCP Bridge, started once per test session from a copy of the demo house.

Building the house takes a while, so the finished building is kept in .cache/e2e, under a name that changes with the
demo_house package and with Home Assistant. The integration is not part of it: House.start() copies it afresh.
"""

from collections.abc import Iterator
from contextlib import contextmanager
import fcntl
import hashlib
from pathlib import Path
import socket
import tarfile

import pytest
import pytest_socket

from demo_house import building, foundations
from demo_house.furnish import live
from demo_house.house import House
from homeassistant.const import __version__ as HOMEASSISTANT_VERSION

CACHE = Path(__file__).parents[2] / ".cache" / "e2e"


@pytest.fixture(autouse=True)
def auto_enable_custom_integrations() -> None:
    """Take the place of the fixture that starts a Home Assistant inside the test process."""


@pytest.fixture(autouse=True)
def loopback() -> None:
    """Allow sockets, which the test plugin forbids before each test; only 127.0.0.1 can be reached with them."""
    pytest_socket.enable_socket()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The demo house, running, with MCP Bridge set up; all tests of a session share it."""
    pytest_socket.enable_socket()
    house = House(tmp_path_factory.mktemp("demo") / "house", free_port())
    try:
        _put_up(house)
        building.move_in(house)
        building.open_up(house)
        live(house.client)
        yield house
    finally:
        house.stop()


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _put_up(house: House) -> None:
    """Put the finished building where the house is to be, and build it first if it is not kept yet."""
    kept = CACHE / f"house-{_fingerprint()}.tar"
    with _alone():
        if not kept.exists():
            building.build(house)
            _keep(house.folder, kept)
            return
    with tarfile.open(kept) as tar:
        tar.extractall(house.folder, filter="data")


def _keep(folder: Path, kept: Path) -> None:
    for outdated in CACHE.glob("house-*.tar"):
        outdated.unlink()
    unfinished = kept.with_suffix(".new")
    with tarfile.open(unfinished, "w") as tar:
        tar.add(folder, ".")
    unfinished.rename(kept)


@contextmanager
def _alone() -> Iterator[None]:
    """Let one of several test processes build while the others wait."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fingerprint() -> str:
    """Tells apart everything that makes a different building."""
    digest = hashlib.sha256(HOMEASSISTANT_VERSION.encode())
    for file in sorted(foundations.PACKAGE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(str(file.relative_to(foundations.PACKAGE)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
