"""Following the front: paths that anneal and turn, and fillings in between.

A path anneals in one direction, and then turns its weights to both sides, little by
little, with mild heat: no score is computed when weights turn. At every turn it keeps
the better side of each component, and recombines what it has with what is known nearby.
A filling visits solutions of the front and reports what is new around them.

Under constraints, these have prices, which swing: dearer while violated, cheaper while
slack. Every feasible solution on the way is offered to the front. What is not feasible
is repaired, what is feasible climbs by flips that stay so, and all combinations of a
few variables find the moves that only pay together.

What all units have:

- `effort`: how much work units are given
- `tasks`: what units start from
- `clock`: the counters of a unit
- `journal`: what a unit notes: flips, and reports
- `units`: units, run one after the other, and their trails
- `searcher`: what runs units

Without constraints:

- `heat`: escapes from local optima
- `acceptance`: of two solutions, the better side of each component
- `offspring`: what two solutions have between them, reported
- `legs`: one path as kernels see it
- `sums`: all non-dominated offspring of two solutions
- `filling`: one filling as kernels see it
- `paths`: paths and fillings as units

With constraints:

- `ledger`: how a solution stands with its constraints, and what violations cost
- `walk`: one unit as kernels see it
- `priced_heat`: flips by Metropolis' rule, with prices
- `repairing`: from a solution that violates constraints to a feasible one
- `feasible_climb`: flips that are feasible and gain
- `cores`: all combinations of a few variables
- `stages`: the stages of a path
- `visiting`: the visits of a filling
- `walking`: both, in one kernel
- `walks`: paths, fillings and climbs as units

What units start from:

- `directions`: where paths go
- `windows`: what fillings visit
- `wholeness`: whether anything is left to find
- `planning`: rounds of tasks
- `following`: `METHOD` and `PLS`
"""

from paretoball.search.path.following import METHOD, PLS
from paretoball.search.path.walks import ConstrainedSearcher

__all__ = ["METHOD", "PLS", "ConstrainedSearcher"]
