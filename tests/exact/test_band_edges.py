"""Points at the very edge of a band are kept, although floats round what decides."""

from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

import naive
import paretoball as pb
from paretoball.exact.best_completions import completions_of
from paretoball.exact.front_bounding import bound_of
from paretoball.exact.front_elimination import Budget, Elimination
from paretoball.exact.supported_front import Solver

BANDS = import_module("paretoball.exact.front_bands")


def large_and_small(rng, n, d):
    """A ring with tables of 2**45 and more, and small tables beside them."""
    objectives = []
    for _ in range(d):
        large = [((j, (j + 1) % n), rng.integers(0, 9, 4) << 45) for j in range(n)]
        small = [((j, (j + 2) % n), rng.integers(0, 9, 4)) for j in range(n)]
        objectives.append([(mask, table.tolist()) for mask, table in large + small])
    return pb.Landscape.from_subfunctions(n, objectives)


def run_of(solver: Solver):
    """Passes over the landscape of a solver, without limits."""
    none = np.zeros(0, np.int64)
    of = Elimination(solver.schedule, solver.tables, none, solver.pulse)
    return BANDS._Run(of, Budget(10**9, 10**9), lambda *_: None)


def at_least(below: Fraction) -> np.ndarray:
    """The least float that is not below a number."""
    gap = float(below)
    return np.array([gap if Fraction(gap) >= below else np.nextafter(gap, np.inf)])


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3])
def test_a_point_at_the_edge_of_a_band_is_kept(d):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        landscape = large_and_small(rng, 8, d)
        solver = Solver(landscape)
        run = run_of(solver)
        table = np.array(naive.full_table(landscape)) - np.array(solver.lowest)
        for point in naive.pareto_front(table.tolist(), landscape.sense):
            w = np.append(rng.random(d - 1), 1.0)[None, :]
            completions = completions_of(run.of, w, run.spend)
            value = sum(Fraction(a) * b for a, b in zip(w[0].tolist(), point))
            gaps = at_least(max(Fraction(completions.best[0].item()) - value, 0))
            kept = run.front("edge", bound_of(w, completions, gaps)).values
            assert point in set(map(tuple, kept.tolist()))


def test_the_last_step_keeps_by_half_of_the_slack(monkeypatch):
    slacks = []
    monkeypatch.setattr(BANDS, "prune", lambda bound, *_: slacks.append(bound.slack))
    run = run_of(Solver(large_and_small(np.random.default_rng(1), 8, 2)))
    w = np.array([[0.5, 1.0]])
    bound = bound_of(w, completions_of(run.of, w, run.spend), np.array([0.0]))
    run.front("slack", bound)
    assert slacks == [bound.slack] * (len(slacks) - 1) + [bound.slack / 2]
    assert len(slacks) == len(run.of.steps)
