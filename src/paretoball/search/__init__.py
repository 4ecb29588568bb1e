"""Searches above the climber, and `solve` and `resume`, which run them."""

from paretoball.search.driver import resume, solve

__all__ = ["resume", "solve"]
