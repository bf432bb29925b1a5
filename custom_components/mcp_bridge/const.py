"""Constants of MCP Bridge."""

from typing import Final

DOMAIN: Final = "mcp_bridge"
NAME: Final = "MCP Bridge"
ENDPOINT: Final = f"/api/{DOMAIN}"

# What assistants may do, globally and per client. access/options.py and access/clients.py tell what each one means.
CONF_ALLOW_WRITE: Final = "allow_write"
CONF_ALLOW_CONFIG_WRITE: Final = "allow_config_write"
CONF_ALLOW_CAMERA: Final = "allow_camera"
CONF_ALLOW_RAW_API: Final = "allow_raw_api"
CONF_TOOLSETS: Final = "toolsets"
# What they may see.
CONF_FILTER_READS: Final = "filter_reads"
CONF_ENTITY_ALLOWLIST: Final = "entity_allowlist"
CONF_ENTITY_DENYLIST: Final = "entity_denylist"
CONF_ASSIST_EXPOSED_ONLY: Final = "assist_exposed_only"
CONF_REQUIRE_ADMIN: Final = "require_admin"
# Confirmation and limits.
CONF_SERVICE_DENYLIST: Final = "service_denylist"
CONF_CONFIRM_DOMAINS: Final = "confirm_domains"
CONF_APPROVAL: Final = "approval"
CONF_APPROVAL_PHONE: Final = "approval_phone"
CONF_APPROVERS: Final = "approvers"
CONF_NOTIFICATION_LIMIT: Final = "notifications_per_minute"
CONF_ANNOUNCEMENT_LIMIT: Final = "announcements_per_minute"
CONF_WRITE_LIMIT: Final = "writes_per_minute"

# A client: a subentry of the config entry.
SUBENTRY_CLIENT: Final = "client"
CONF_USER_ID: Final = "user_id"
CONF_TOKEN_HASH: Final = "token_hash"
CONF_OAUTH_CLIENT_ID: Final = "oauth_client_id"
CONF_ALLOW_ELEVATED: Final = "allow_elevated"
CONF_EXPIRES: Final = "expires"

DEFAULT_SERVICE_DENYLIST: Final = (
    "backup.*",
    # Pictures, into folders that others may read.
    "camera.record",
    "camera.snapshot",
    "hassio.*",
    # They take integrations down for a while, this one and its record included.
    "homeassistant.reload_all",
    "homeassistant.reload_config_entry",
    "homeassistant.restart",
    # Moves the home, and with it everybody who is at home.
    "homeassistant.set_location",
    "homeassistant.stop",
    "image.snapshot",
    # What would let an assistant falsify or silence the record of what it does.
    "logbook.log",
    "logger.*",
    "python_script.*",
    "recorder.disable",
    "recorder.purge*",
    "shell_command.*",
    "system_log.*",
)
DEFAULT_CONFIRM_DOMAINS: Final = ("alarm_control_panel", "lock")
# Per minute: messages to one target, announcements on one speaker, changes by one client.
DEFAULT_NOTIFICATION_LIMIT: Final = 6
DEFAULT_ANNOUNCEMENT_LIMIT: Final = 3
DEFAULT_WRITE_LIMIT: Final = 60

# Keys inside an entity list.
CONF_PATTERNS: Final = "patterns"
CONF_TARGET: Final = "target"

# Largest text of one answer in UTF-8 bytes: about 5,000 tokens, well under what clients cut off or spill to a file.
ANSWER_BYTES: Final = 15_000
# Largest body of one resource, which has no paging.
RESOURCE_BYTES: Final = 64_000
# Largest request body in bytes.
REQUEST_BYTES: Final = 4 * 1024 * 1024
# Sessions that may be open at a time, and after how many seconds without a request one ends.
MAX_SESSIONS: Final = 200
SESSION_IDLE_SECONDS: Final = 1800
# Sessions and streams that one login may have open at a time.
SESSIONS_PER_LOGIN: Final = 20
