"""Tests of MCP Bridge."""
