"""Tests of the tool that sends messages."""
