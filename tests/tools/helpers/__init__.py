"""Tests of the tools for helpers."""
