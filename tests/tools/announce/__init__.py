"""Tests of announcements."""
