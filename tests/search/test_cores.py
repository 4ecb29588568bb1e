"""Cores: which variables are combined, all combinations of them, and the best one."""

from itertools import combinations

import numpy as np
import pytest

import naive
import paretoball as pb
from constrained import random_case
from paretoball.climber import NO_MOVE
from paretoball.search.path.clock import COMBINING as ANY
from paretoball.search.path.clock import NOTHING
from paretoball.search.path.cores import (
    JITTER,
    begin_combining,
    choose_best,
    choose_combination,
    choose_core,
    choose_difference,
)
from paretoball.search.path.engine import _step
from paretoball.search.path.unit import CORE, next_chosen
from walkers import at_phase, walker_of


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2])
def test_all_combinations_are_passed_and_the_best_feasible_one_is_known(d):
    better = 0
    for number in range(30):
        rng = np.random.default_rng([number, d])
        case = random_case(rng, d)
        landscape, constraints = case
        n = landscape.n
        if not constraints:
            continue
        start = rng.integers(0, 2, n).astype(np.uint8)
        walker = walker_of(landscape, start)
        unit, clock = at_phase(walker, ANY, NOTHING)
        size = int(rng.integers(0, min(n, 5) + 1))
        core = rng.permutation(n)[:size]
        unit.mixed.variables[:size] = core
        clock.most = clock.best = 9  # of the core before
        begin_combining(unit, size)
        passed = [tuple(start.tolist())]
        while (j := choose_combination(unit)) != NO_MOVE:
            _step(walker.ground, unit, j)
            passed.append(tuple(unit.state.x.tolist()))
        assert passed[-1] == passed[0]
        subsets = [some for k in range(size + 1) for some in combinations(core, k)]
        every = [tuple(naive.flipped(start.tolist(), some)) for some in subsets]
        assert sorted(passed[: 1 << size]) == sorted(every)
        fx = landscape.inside(landscape.evaluate(np.array(passed)))
        worth = dict(zip(passed, (fx @ unit.state.w).tolist()))
        feasible = [x for x in passed if not any(naive.violation(constraints, x))]
        most = max(worth[x] for x in [passed[0], *feasible])
        choose_best(unit)
        while (j := next_chosen(unit)) != NO_MOVE:
            _step(walker.ground, unit, j)
        x = tuple(unit.state.x.tolist())
        assert worth[x] == most
        assert x == passed[0] or x in feasible
        assert (clock.best > 0) == (most > worth[passed[0]]) == (x != passed[0])
        better += x != passed[0]
    assert better > 3


def resource(n: int) -> pb.Landscape:
    """Gains and costs at random, and pairs few of which are both one."""
    rng = np.random.default_rng(n)
    gains, used = rng.integers(1, 100, (2, n)).tolist()
    pairs = [((j, j + 1), [0, 0, 0, 1]) for j in range(n - 1)]
    return pb.Landscape.from_subfunctions(
        n,
        [[((j,), [0, gain]) for j, gain in enumerate(gains)]],
        constraints=[
            ([((j,), [0, cost]) for j, cost in enumerate(used)], "<=", 25 * n),
            (pairs, "==", n // 4),
        ],
    )


@pytest.mark.plain
def test_a_core_of_resources_has_what_is_close_to_its_costs():
    landscape, cores = resource(60), set()
    rng = np.random.default_rng(1)
    for seed in range(20):
        x = rng.integers(0, 2, 60).astype(np.uint8)
        walker = walker_of(landscape, x if seed else np.zeros(60, np.uint8), seed=seed)
        unit, ledger = walker.unit, walker.unit.ledger
        assert ledger.resources.tolist() == [0]
        before = int(unit.clock.work)
        assert choose_core(walker.ground, unit, 0) == CORE
        assert unit.clock.work == before + walker.ground.sweep
        core = unit.mixed.variables.tolist()
        gains = walker.state.scores[:60].astype(float)
        prices, sides = ledger.prices.tolist(), ledger.sides.tolist()
        bits = walker.state.x.tolist()
        rows = [(c.terms, c.relation, c.bound) for c in landscape.constraints]
        tolls = [naive.toll(rows, prices, sides, bits, j) for j in range(60)]
        ranks = np.abs(gains - tolls)
        others = np.delete(ranks, core)
        assert len(set(core)) == CORE
        assert ranks[core].max() <= (1 + JITTER) * others.min()
        told = unit.mixed.ranks
        assert (np.diff(told) >= 0).all()
        assert (ranks[core] * (1 - 1e-5) <= told).all()
        assert (told <= ranks[core] * (1 + JITTER) * (1 + 1e-5)).all()
        cores.add(tuple(sorted(core)))
    assert len(cores) == 20


@pytest.mark.plain
@pytest.mark.parametrize("turn", [1, 3])
def test_other_cores_have_what_constraints_tie_together(turn):
    """Variables of one sum, or of tables that overlap; never both."""
    n, firsts = 40, set()
    ones = [((j,), [0, 1]) for j in range(n)]
    tables = [(two, [0, 0, 0, 1]) for two in combinations(range(20, n), 2)]
    landscape = pb.Landscape.from_subfunctions(
        n, [ones], constraints=[(ones[:20], "==", 5), (tables, "<=", 3)]
    )
    for seed in range(30):
        walker = walker_of(landscape, seed=seed)
        unit = walker.unit
        for at in (turn, turn - 1):  # no constraint is a resource
            assert choose_core(walker.ground, unit, at) == CORE
            core = unit.mixed.variables.tolist()
            assert len(set(core)) == CORE
            assert len({j < 20 for j in core}) == 1
            firsts.add(core[0])
    assert {j < 20 for j in firsts} == {True, False}
    both = walker_of(resource(60))
    assert choose_core(both.ground, both.unit, turn) == CORE
    assert not (np.diff(both.unit.mixed.ranks) > 0).any()  # nothing was ranked


@pytest.mark.plain
@pytest.mark.parametrize("n", [1, 3, CORE, CORE + 1])
def test_of_few_variables_all_are_in_a_core(n):
    """Those that no constraint ties to others, too."""
    ones = [((j,), [0, 1]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(
        n, [ones], constraints=[(ones[:1], "<=", 1)]
    )
    walker = walker_of(landscape)
    assert choose_core(walker.ground, walker.unit, 0) == min(n, CORE)
    core = walker.unit.mixed.variables[: min(n, CORE)]
    assert len(set(core.tolist())) == min(n, CORE)


@pytest.mark.plain
def test_a_core_may_be_all_that_differs_from_a_solution_if_that_is_little():
    n = 2 * CORE
    ones = [((j,), [0, 1]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(n, [ones], constraints=[(ones, ">=", 0)])
    rng = np.random.default_rng(1)
    for count in range(CORE + 3):
        x = rng.integers(0, 2, n).astype(np.uint8)
        unit = walker_of(landscape, x).unit
        differing = np.sort(rng.permutation(n)[:count])
        y = np.array(naive.flipped(x.tolist(), differing), np.uint8)
        size = choose_difference(unit, y)
        assert size == (count if count <= CORE else 0)
        assert unit.mixed.variables[:size].tolist() == differing[:size].tolist()
