"""Exact fronts, by eliminating variables, for landscapes of small width.

- `elimination_order`: the order in which variables are eliminated
- `constraint_columns`: constraints as columns that have to reach a target
- `message_schedule`: which tables each elimination reads and writes
- `dynamic_programming`: the best solution for given weights
- `supported_front`: all corners of the convex hull of the Pareto front
- `mini_buckets`: a narrow landscape that is at least as good as a wide one
- `upper_bound`: the hypervolume that no front exceeds, where the hull is out of reach
- `front_steps`: an elimination of sets of vectors, as joins and choices
- `front_merging`: the non-dominated vectors of two sets
- `front_tables`: what a step makes of the sets in earlier tables
- `front_tracing`: the solutions of a front
- `front_elimination`: all steps, forwards and backwards, within a bound of memory
- `best_completions`: how much all that is not in a table can add
- `lagrange_multipliers`: what constraints are worth
- `front_weights`: directions in which the hull of a front is looked at
- `lone_variables`: the order of variables that no other is read with
- `front_corners`: the least that can be unknown of a front
- `front_bounding`: what cannot end on a front
- `band_file`: what is known of a front, for a run to go on from
- `front_bands`: the whole front, by passes within bands below its hull
- `exact_front`: every point of the Pareto front
"""

from paretoball.exact.constraint_columns import width_of
from paretoball.exact.elimination_order import MAX_WIDTH
from paretoball.exact.exact_front import ExactFront, exact_front
from paretoball.exact.front_elimination import GivenUp
from paretoball.exact.supported_front import SupportedFront, supported_front
from paretoball.exact.upper_bound import upper_bound

__all__ = [
    "MAX_WIDTH",
    "ExactFront",
    "GivenUp",
    "SupportedFront",
    "exact_front",
    "supported_front",
    "upper_bound",
    "width_of",
]
