"""Starts Home Assistant, confined to this machine."""

import errno
from ipaddress import ip_address
import sys
from typing import Any

from homeassistant.__main__ import main

CONFINED = {"socket.bind", "socket.connect", "socket.sendmsg", "socket.sendto"}


def stay_on_this_machine(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse every network address but loopback, as if there were no network.

    Without this, the resolver of Home Assistant listens for mDNS on all adapters.
    """
    if event not in CONFINED:
        return
    address = arguments[1]
    if isinstance(address, tuple) and not _is_loopback(address[0]):
        raise OSError(errno.EADDRNOTAVAIL, f"not on this machine: {address[0]}")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


if __name__ == "__main__":
    sys.addaudithook(stay_on_this_machine)
    sys.exit(main())
