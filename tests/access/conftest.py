"""Fixtures for the tests of access: the building and its catalogue are those of the house."""

from tests.house.conftest import fixture_building, fixture_catalog

__all__ = ["fixture_building", "fixture_catalog"]
