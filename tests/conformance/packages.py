"""Node and the packages of the MCP project, installed by scripts/node."""

from functools import cache
from pathlib import Path
import subprocess

_ROOT = Path(__file__).parents[2]
PACKAGES = _ROOT / "tests" / "node" / "node_modules" / "@modelcontextprotocol"


@cache
def node() -> Path:
    """Return the path of node, with the packages installed."""
    script = [_ROOT / "scripts" / "node"]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()) / "node"
