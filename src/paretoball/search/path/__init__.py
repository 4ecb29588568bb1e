"""Following the front: paths that anneal and turn, and fillings in between.

A path anneals in one direction, and then turns its weights to both sides, little by
little. A filling visits solutions of the front and reports what is new around them.
Under constraints, these have prices, and every feasible solution on the way is offered.

How a unit goes on, choosing one flip after the other:

- `effort`: how much work units are given
- `tasks`: what units start from
- `clock`: the counters and the phases of a unit
- `ledger`: how a solution stands with its constraints, and what violations cost
- `menders`: the variables that bring a constraint closer to its bounds
- `sums`: all non-dominated offspring of two solutions
- `unit`: a unit as kernels see it
- `journal`: what a unit notes: flips, and reports
- `heat`: escapes by Metropolis' rule
- `acceptance`: of two solutions, the better side of each component, and offspring
- `cores`: all combinations of a few variables
- `chains`: flips that mend what the ones before have violated
- `legs`, `stages`: the legs of a path, without constraints and with
- `filling`, `visiting`: the visits of a filling, without constraints and with
- `engine`: the loop of all of them: choose, offer, flip
- `searcher`: how units begin, and what runs them one after the other

What units start from:

- `directions`: where paths go, and what fillings visit
- `planning`: rounds of tasks, `METHOD` and `PLS`
"""

from paretoball.search.path.planning import METHOD, PLS
from paretoball.search.path.searcher import Searcher

__all__ = ["METHOD", "PLS", "Searcher"]
