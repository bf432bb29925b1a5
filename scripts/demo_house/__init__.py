"""The demo house: a real Home Assistant on this machine, furnished, with MCP Bridge set up in it."""
