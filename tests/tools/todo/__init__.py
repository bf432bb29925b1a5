"""Tests of the tool for to-do lists."""
