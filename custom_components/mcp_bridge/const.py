"""Constants of MCP Bridge."""

from typing import Final

DOMAIN: Final = "mcp_bridge"
NAME: Final = "MCP Bridge"
ENDPOINT: Final = f"/api/{DOMAIN}"

# Options: what an assistant may see. access/options.py tells what each one means.
CONF_FILTER_READS: Final = "filter_reads"
CONF_ENTITY_ALLOWLIST: Final = "entity_allowlist"
CONF_ENTITY_DENYLIST: Final = "entity_denylist"
CONF_ASSIST_EXPOSED_ONLY: Final = "assist_exposed_only"
CONF_REQUIRE_ADMIN: Final = "require_admin"

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
