"""Lone variables: in which order variables that no other is read with are eliminated.

A knapsack has such variables only. Any order gives the same front. The bounds drop most
vectors if variables come first whose better value is clear: those with the largest
reduced costs. What the others are worth together is then left to the last steps.
"""

import numpy as np

from paretoball.exact.constraint_columns import Columns
from paretoball.exact.front_elimination import Elimination, Spend
from paretoball.exact.front_weights import spread_weights
from paretoball.exact.lagrange_multipliers import multipliers_of
from paretoball.exact.supported_front import Solver
from paretoball.landscape import Landscape

LOOKS = 20  # weights for which costs are compared, about


def ordered_solver(columns: Columns, spend: Spend) -> Solver:
    """The solver of a landscape, with its lone variables in a good order."""
    solver = Solver(columns.landscape, lambda: spend(0))
    lone = np.flatnonzero(columns.landscape.degrees == 0)
    if len(columns.targets) == 0 or len(lone) < 2:
        return solver
    costs = _reduced_costs(solver, columns, spend)[lone]
    order = np.append(
        lone[np.argsort(-costs, kind="stable")],
        np.flatnonzero(columns.landscape.degrees),
    )
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    solver = Solver(_renumbered(columns.landscape, number), lambda: spend(0))
    own = order[solver.schedule.variables].astype(np.int32)
    solver.schedule = solver.schedule._replace(variables=own)
    return solver


def _reduced_costs(solver: Solver, columns: Columns, spend: Spend) -> np.ndarray:
    """How much the better value of a variable gains, on average over some weights."""
    d = columns.landscape.d - len(columns.targets)
    needs = [int(a) - b for a, b in zip(columns.targets, solver.lowest[d:])]
    caps = np.array(needs, np.int64).clip(0)
    elimination = Elimination(solver.schedule, solver.tables, caps, solver.pulse)
    extents = np.maximum(np.array(solver.ranges[:d], float), 1.0)
    w = spread_weights(extents, LOOKS).w if d > 1 else np.ones((1, 1))
    w = np.hstack([w, multipliers_of(elimination, w, spend)[0]])
    cliques = columns.landscape.cliques
    ones = np.flatnonzero(np.diff(cliques.mask_at) == 1)
    first = cliques.table_at[ones]
    gains = (cliques.tables[first + 1] - cliques.tables[first]).astype(float)
    variables = cliques.masks[cliques.mask_at[ones]]
    costs = np.zeros(columns.landscape.n)
    for weights in w:
        costs[variables] += abs((gains * weights).sum(axis=1))
    return costs


def _renumbered(landscape: Landscape, number: np.ndarray) -> Landscape:
    """The same landscape, where variable j has the number `number[j]`."""
    given = landscape.subfunctions
    return Landscape.from_arrays(
        landscape.n,
        landscape.d,
        *given._replace(masks=number[given.masks]),
        sense=landscape.sense,
    )
