"""MCP Bridge: connects AI assistants to Home Assistant."""
