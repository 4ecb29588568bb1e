"""Searches under constraints: paths, fillings and climbs around what is feasible.

Constraints have prices, which swing: dearer while violated, cheaper while slack. Every
feasible solution on the way is offered to the front. What is not feasible is repaired,
what is feasible climbs by flips that stay so, and all combinations of a few variables
find the moves that only pay together. Plans are those of `path`.

- `ledger`: how a solution stands with its constraints, and what violations cost
- `walk`: one unit as kernels see it
- `heating`: flips by Metropolis' rule, with prices
- `repairing`: from a solution that violates constraints to a feasible one
- `climbing`: flips that are feasible and gain
- `cores`: all combinations of a few variables
- `stages`: the stages of a path
- `visiting`: the visits of a filling
- `units`: both, in one kernel
- `searcher`: units, run one after the other
- `methods`: the methods of landscapes with constraints
"""

from paretoball.search.constrained.methods import constrained

__all__ = ["constrained"]
