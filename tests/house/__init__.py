"""Tests of the house floor."""
