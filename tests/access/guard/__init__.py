"""Tests of the write guard."""
