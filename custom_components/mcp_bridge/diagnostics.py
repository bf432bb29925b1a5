"""Diagnostics for a bug report: how the bridge is set up, nothing of what it sees."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .access.clients import Client
from .bridge import Bridge, McpBridgeConfigEntry
from .const import CONF_APPROVAL_PHONE, CONF_APPROVERS, CONF_PATTERNS, CONF_TARGET

# Entity ids and names tell about a home, and those of phones and users about people.
_REDACTED = (CONF_PATTERNS, CONF_TARGET, CONF_APPROVAL_PHONE, CONF_APPROVERS)


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: McpBridgeConfigEntry
) -> Mapping[str, Any]:
    """Return the options, the tools and the numbers."""
    bridge = entry.runtime_data
    runtime = bridge.runtime()
    return {
        "version": bridge.version,
        "started": runtime.started.isoformat(),
        "options": async_redact_data(dict(entry.options), _REDACTED),
        "clients": [
            _client(bridge, client) for client in bridge.access.clients.values()
        ],
        "open_sessions": runtime.open_sessions,
        "catalog": {
            "entities": len(bridge.catalog.records),
            "searchable": len(bridge.catalog.index),
            "in_step": runtime.catalog_in_step,
            "registered": len(er.async_get(hass).entities),
        },
        "tools": bridge.registry.names,
        "changes_in_journal": len(list(bridge.journal)),
        "attempts": [_attempt(record) for record in bridge.audit.records],
    }


def _attempt(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a record what tells nothing about the home: neither who, nor on what."""
    told = {key: record[key] for key in ("time", "tool", "outcome", "duration")}
    return {**told, "service": record["arguments"].get("service")}


def _client(bridge: Bridge, client: Client) -> dict[str, Any]:
    """Return what a client may do; neither who it is, nor anything of its token."""
    last_used = bridge.last_used.of(client.id)
    return {
        "id": client.id,
        "kind": "token" if client.token_hash else "login",
        "may": sorted(client.kinds),
        "may_elevate": client.may_elevate,
        "filter_reads": client.filter_reads,
        "has_lists": client.has_lists,
        "toolsets": None if client.toolsets is None else sorted(client.toolsets),
        "expires": client.expires.isoformat() if client.expires else None,
        "last_used": last_used.isoformat() if last_used else None,
    }
