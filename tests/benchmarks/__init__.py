"""Benchmarks: how long the costly parts take on a large house."""
