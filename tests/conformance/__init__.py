"""Conformance: the tools of the MCP project, run against the endpoint in a running Home Assistant."""
