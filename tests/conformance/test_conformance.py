"""The conformance suite of the MCP project.

Two servers are put to it. The everything server has the tools, prompts and resources that the suite asks for by name,
so all of the suite runs; and what MCP Bridge itself offers has to pass what the suite asks of every server.
"""

from dataclasses import dataclass
import json
from pathlib import Path
import re

import pytest

from .packages import PACKAGES, node
from .process import run_node

_SCRIPT = PACKAGES / "conformance" / "dist" / "index.js"

# What a folder of results is called, around the name of the scenario.
_FOLDER = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z")
_PASSED = frozenset(("SUCCESS", "INFO"))

# How many scenarios and checks the suite has for each version: more is welcome, less means that some did not run.
_SUITE = {
    "2025-06-18": (27, 56),
    "2025-11-25": (33, 80),
    "2026-07-28": (40, 152),
}

# What the suite asks of every server.
_HANDSHAKE = (
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "resources-list",
)
_GENERIC = {
    "2025-06-18": _HANDSHAKE,
    "2025-11-25": (
        *_HANDSHAKE,
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
    ),
    "2026-07-28": (
        "server-stateless",
        "tools-list",
        "resources-list",
        "sep-2164-resource-not-found",
        "server-sse-multiple-streams",
        "caching",
        "http-header-validation",
        "input-required-result-unsupported-methods",
        "dns-rebinding-protection",
    ),
}

# Checks inside these scenarios that need something which MCP Bridge does not have: one of the suite's own tools, or
# prompts. The everything server has it, and passes them.
_NEEDS_FIXTURE = frozenset(
    (
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
        "sep-2575-server-sends-tools-list-changed-on-subscription",
        "sep-2575-server-sends-prompts-list-changed-on-subscription",
        "sep-2549-prompts-list-caching-hints",
    )
)


@dataclass(frozen=True)
class Check:
    """One thing that the suite has looked at."""

    scenario: str
    id: str
    status: str
    message: str

    def __str__(self) -> str:
        """Return it in one line."""
        return f"{self.status} {self.scenario} / {self.id}: {self.message}"


def _scenario(file: Path) -> str:
    match = _FOLDER.fullmatch(file.parent.name)
    assert match is not None, file
    return match[1]


class Suite:
    """Runs the suite and reads its results."""

    def __init__(self, folder: Path, address: str) -> None:
        """Run it against the server at this address, and keep the results in `folder`."""
        self._folder = folder
        self._address = address

    async def run(self, version: str) -> list[Check]:
        """Run all scenarios that there are for a version of MCP, and return what was found."""
        arguments = ("--spec-version", version, "--suite", "all", "-o", "results")
        output = await run_node(
            node(),
            self._folder,
            _SCRIPT,
            *("server", "--url", self._address),
            *arguments,
        )
        checks = self._results()
        assert checks, output.out + output.err
        return checks

    def _results(self) -> list[Check]:
        """Read the results: a folder for each scenario, which has the time at the end of its name."""
        return [
            Check(
                scenario=_scenario(file),
                id=check["id"],
                status=check["status"],
                message=check.get("errorMessage") or check["description"],
            )
            for file in sorted(self._folder.glob("results/*/checks.json"))
            for check in json.loads(file.read_text())
        ]


@pytest.fixture(name="suite")
def fixture_suite(tmp_path: Path, proxied_address: str) -> Suite:
    """Return the suite."""
    return Suite(tmp_path, proxied_address)


def _failed(checks: list[Check]) -> str:
    """Return the checks that did not pass; a warning is about a recommendation, and those are followed too."""
    return "\n".join(str(check) for check in checks if check.status not in _PASSED)


@pytest.mark.parametrize("version", _SUITE)
@pytest.mark.usefixtures("everything")
async def test_everything(suite: Suite, version: str) -> None:
    """All of the suite passes on a server that has what it asks for."""
    checks = await suite.run(version)
    assert not _failed(checks)
    scenarios, passed = _SUITE[version]
    assert len({check.scenario for check in checks}) >= scenarios
    assert sum(check.status == "SUCCESS" for check in checks) >= passed


@pytest.mark.parametrize("version", _GENERIC)
async def test_own_catalogue(suite: Suite, version: str) -> None:
    """What the suite asks of every server passes on MCP Bridge's own."""
    checks = [
        check
        for check in await suite.run(version)
        if check.scenario in _GENERIC[version] and check.id not in _NEEDS_FIXTURE
    ]
    assert not _failed(checks)
    assert {check.scenario for check in checks} == set(_GENERIC[version])
