"""Speaking MCP: the server, its sessions, and the way from Home Assistant's web server to it and back."""
