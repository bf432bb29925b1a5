"""Runs a program of Node while Home Assistant, in the same event loop, answers it."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

_SECONDS = 90


@dataclass(frozen=True)
class Output:
    """How a program ended and what it wrote."""

    code: int
    out: str
    err: str


async def run_node(node: Path, home: Path, script: Path, *arguments: str) -> Output:
    """Run a script with its home folder in `home`."""
    process = await asyncio.create_subprocess_exec(
        node,
        script,
        *arguments,
        cwd=home,
        env={"PATH": str(node.parent), "HOME": str(home), "NO_COLOR": "1"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_SECONDS):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return Output(process.returncode, out.decode(), err.decode())
