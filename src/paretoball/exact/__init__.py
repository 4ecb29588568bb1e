"""Exact supported fronts, by eliminating variables, for landscapes of small width.

- `elimination_order`: the order in which variables are eliminated
- `message_schedule`: which tables each elimination reads and writes
- `dynamic_programming`: the best solution for given weights
- `supported_front`: all corners of the convex hull of the Pareto front
"""

from paretoball.exact.supported_front import SupportedFront, supported_front

__all__ = [
    "SupportedFront",
    "supported_front",
]
