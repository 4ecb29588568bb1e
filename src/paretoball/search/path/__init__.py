"""Following the front: paths that anneal and turn, and fillings in between.

A path anneals in one direction, and then turns its weights to both sides, little by
little, with mild heat: no score is computed when weights turn. At every turn it keeps
the better side of each component, and recombines what it has with what is known nearby.
A filling visits solutions of the front and reports what is new around them.

Under constraints, these have prices, which swing: dearer while violated, cheaper while
slack. Every feasible solution on the way is offered to the front. What is not feasible
is repaired, what is feasible climbs by flips that stay so, and all combinations of a
few variables find the moves that only pay together.

How a unit goes on, choosing one flip after the other:

- `effort`: how much work units are given
- `tasks`: what units start from
- `clock`: the counters and the phases of a unit
- `ledger`: how a solution stands with its constraints, and what violations cost
- `sums`: all non-dominated offspring of two solutions
- `unit`: a unit as kernels see it
- `journal`: what a unit notes: flips, and reports
- `heat`: escapes by Metropolis' rule
- `climbing`: Algorithm 2, or flips that stay feasible
- `acceptance`: of two solutions, the better side of each component, and offspring
- `repairing`: from a solution that violates constraints to a feasible one
- `cores`: all combinations of a few variables
- `legs`, `stages`: the legs of a path, without constraints and with
- `filling`, `visiting`: the visits of a filling, without constraints and with
- `engine`: the loop of all of them: choose, offer, flip
- `units`: units, run one after the other, and their trails
- `searcher`: how units begin, and what runs them

What units start from:

- `directions`: where paths go
- `windows`: what fillings visit
- `wholeness`: whether anything is left to find
- `planning`: rounds of tasks
- `following`: `METHOD` and `PLS`
"""

from paretoball.search.path.following import METHOD, PLS
from paretoball.search.path.searcher import Searcher

__all__ = ["METHOD", "PLS", "Searcher"]
