"""Tests of who may see and do what."""
