"""The house as data: reads Home Assistant, and knows nothing of MCP, tools or permissions."""
