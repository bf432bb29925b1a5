"""The command line of the MCP project's inspector."""

from pathlib import Path

from .packages import PACKAGES, node
from .process import Output, run_node

_SCRIPT = PACKAGES / "inspector" / "clients" / "launcher" / "build" / "index.js"


class Inspector:
    """Runs the inspector's command line."""

    def __init__(self, home: Path, address: str) -> None:
        """Let it talk to the server at this address, and keep its own files in `home`."""
        self._home = home
        self._address = address

    async def run(self, token: str, method: str, *arguments: str) -> Output:
        """Call a method."""
        return await run_node(
            node(),
            self._home,
            _SCRIPT,
            *("--cli", "--transport", "http", "--server-url", self._address),
            *("--header", f"Authorization: Bearer {token}"),
            *("--format", "json", "--stored-auth-only"),
            *("--method", method),
            *arguments,
        )
