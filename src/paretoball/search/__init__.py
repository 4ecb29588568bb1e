"""Searches above the climber, and `solve`, which runs them."""

from paretoball.search.driver import solve

__all__ = ["solve"]
