"""The files of the house that have to be there before Home Assistant starts."""

import json
from pathlib import Path
import shutil
from typing import Any

import imageio_ffmpeg  # type: ignore[import-untyped]

PACKAGE = Path(__file__).parent
INTEGRATION = PACKAGE.parents[1] / "custom_components" / "mcp_bridge"

LONG_AGO = "2026-01-01T00:00:00+00:00"

# Home Assistant's "demo" integration can only be set up from YAML, where it brings helpers and trackers of its own.
DEMO_ENTRY = {
    "entry_id": "demohouse",
    "domain": "demo",
    "title": "Demo",
    "source": "import",
    "version": 1,
    "minor_version": 1,
    "data": {},
    "options": {},
    "subentries": [],
    "discovery_keys": {},
    "unique_id": None,
    "disabled_by": None,
    "pref_disable_new_entities": False,
    "pref_disable_polling": False,
    "created_at": LONG_AGO,
    "modified_at": LONG_AGO,
}

HTTP = {
    "server_host": ["127.0.0.1"],
    "cors_allowed_origins": [],
    "login_attempts_threshold": -1,
    "ip_ban_enabled": False,
    "ssl_profile": "intermediate_v6",
    "use_x_frame_options": True,
    "created_at": LONG_AGO,
    "error": None,
    "error_message": None,
}


def lay(folder: Path) -> None:
    """Write the configuration of a new house."""
    shutil.copytree(PACKAGE / "config", folder, dirs_exist_ok=True)
    # Home Assistant's mDNS resolver would otherwise listen on every adapter.
    _store(folder, "core.network", {"configured_adapters": ["lo"]})
    # Only the owner is left to be made: the other steps set up integrations that ask the internet.
    done = ["core_config", "analytics", "integration"]
    _store(folder, "onboarding", {"done": done}, version=4)
    _store(folder, "core.config_entries", {"entries": [DEMO_ENTRY]}, minor_version=5)


def bring_up_to_date(folder: Path, port: int) -> None:
    """Write what may have changed since the last start: the integration, the port, the place of ffmpeg."""
    installed = folder / "custom_components" / INTEGRATION.name
    shutil.rmtree(installed, ignore_errors=True)
    leave_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(INTEGRATION, installed, ignore=leave_out)
    # Written as the "stable" settings, because an http: section in YAML is tried out and reverted after five minutes.
    stable = HTTP | {"server_port": port}
    http = {"stable": stable, "pending": None, "yaml_migration_done": True}
    _store(folder, "http", http, version=3)
    ffmpeg = {"ffmpeg": {"ffmpeg_bin": imageio_ffmpeg.get_ffmpeg_exe()}}
    (folder / "packages" / "ffmpeg.yaml").write_text(json.dumps(ffmpeg))


def _store(
    folder: Path, key: str, data: Any, version: int = 1, minor_version: int = 1
) -> None:
    """Write a file of Home Assistant's storage."""
    file = folder / ".storage" / key
    file.parent.mkdir(exist_ok=True)
    versions = {"version": version, "minor_version": minor_version}
    file.write_text(json.dumps({**versions, "key": key, "data": data}))
