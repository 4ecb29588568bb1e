"""Exact fronts, by eliminating variables, for landscapes of small width.

- `elimination_order`: the order in which variables are eliminated
- `message_schedule`: which tables each elimination reads and writes
- `dynamic_programming`: the best solution for given weights
- `supported_front`: all corners of the convex hull of the Pareto front
- `front_steps`: an elimination of sets of vectors, as joins and choices
- `front_merging`: the non-dominated vectors of two sets
- `front_tables`: what a step makes of the sets in earlier tables
- `front_tracing`: the solutions of a front
- `front_elimination`: all steps, forwards and backwards, within a bound of memory
- `front_bounding`: what cannot end on a front of two objectives
- `exact_front`: every point of the Pareto front
"""

from paretoball.exact.exact_front import ExactFront, exact_front
from paretoball.exact.supported_front import SupportedFront, supported_front

__all__ = [
    "ExactFront",
    "SupportedFront",
    "exact_front",
    "supported_front",
]
