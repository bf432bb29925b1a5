"""Tests against a real Home Assistant process."""
