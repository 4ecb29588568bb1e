"""Visits under constraints: pairs of flips, cores, and what lies between solutions."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from trips import replay

import naive
import paretoball as pb
from constrained import Case, random_case
from paretoball.climber import REPORTS, TAG_OPTIMUM, TAG_STEP
from paretoball.search.path import visiting
from paretoball.search.path.clock import (
    CHOOSING,
    COMBINING,
    FLIPPING,
    GOING,
    HEATING,
    MATING,
    NOTHING,
    SEEKING,
)
from paretoball.search.path.searcher import Searcher
from paretoball.search.path.tasks import FILL
from paretoball.search.path.visiting import choose_on_visit
from walkers import at_phase, go_until, task_of, walker_of


def seeking(case: Case, rng: np.random.Generator, count: int) -> Any:
    """A filling of feasible solutions that knows its prices; None if there is none."""
    landscape = case.landscape
    X = np.array(list(np.ndindex(*[2] * landscape.n)), np.uint8)
    X = X[[not any(naive.violation(case.constraints, x)) for x in X.tolist()]]
    if len(X) == 0 or not case.constraints:
        return None
    chosen = X[rng.permutation(len(X))[:count]]
    fx = landscape.inside(landscape.evaluate(chosen))
    chosen = chosen[np.lexsort((-fx[:, 1], fx[:, 0]))]
    task = task_of(landscape, FILL, chosen)
    task.known.wanted[:] = rng.random(len(chosen)) < 0.7
    walker = walker_of(landscape, task=task, seed=7)
    assert walker.unit.clock.phase == HEATING
    go_until(walker, SEEKING)
    return walker


def feasible(case: Case, solutions: Any) -> set[tuple[int, ...]]:
    """Those of these that satisfy all constraints."""
    limits = case.constraints
    return {tuple(x) for x in solutions if not any(naive.violation(limits, x))}


def reports_of(walker: Searcher, start: np.ndarray) -> set[tuple[int, ...]]:
    """The solutions that were reported so far, each with its objectives."""
    state, landscape = walker.state, walker.landscape
    count = state.clock[REPORTS]
    tags = state.notes.tags[:count]
    assert not tags[:, TAG_OPTIMUM].any()
    X = replay(start, walker.unit.flips, tags[:, TAG_STEP])
    fx = landscape.inside(landscape.evaluate(X.astype(np.uint8)))
    assert_array_equal(fx, state.notes.fx[:count])
    return set(map(tuple, X.astype(int).tolist()))


def test_a_visit_tries_pairs_of_flips_and_cores_and_what_lies_between():
    """All that is feasible there is reported, unless what is known is as good."""
    visits = combined = 0
    for number in range(40):
        rng = np.random.default_rng([number, 5])
        case = random_case(rng, 2, max_n=8)
        walker = seeking(case, rng, int(rng.integers(1, 12)))
        if walker is None:
            continue
        unit, clock, known = walker.unit, walker.unit.clock, walker.unit.known
        landscape, rows = case.landscape, known.rows.astype(int).tolist()
        start = rows[len(rows) // 2]
        stages = []
        while True:
            go_until(walker, GOING)
            if clock.stage == unit.course.stages:
                break
            stage = int(clock.stage)
            stages.append(stage)
            go_until(walker, FLIPPING)
            assert unit.state.x.tolist() == rows[stage]
            passed = go_until(walker, CHOOSING)
            assert unit.state.x.tolist() == rows[stage]
            pairs = [naive.flipped(rows[stage], v) for v in naive.ball(landscape.n, 2)]
            assert set(passed) <= set(map(tuple, [rows[stage], *pairs]))
            looked = feasible(case, pairs)
            for turn in range(visiting.CORES):
                assert (clock.phase, clock.tried) == (CHOOSING, turn)
                go_until(walker, COMBINING)
                assert clock.core == min(landscape.n, 12)
                passed = go_until(walker, CHOOSING, MATING)
                assert passed[-1] == tuple(rows[stage])
                looked |= feasible(case, passed)
            assert (clock.phase, clock.tried) == (MATING, 0)
            passed = go_until(walker)
            between = partners_of(stage, rows)
            assert sum(1 << size for size in between if size) == len(passed)
            combined += sum(size > 0 for size in between)
            assert clock.stage == stage + 1
            assert unit.state.x.tolist() == rows[stage]
            looked |= feasible(case, passed)
            reported = reports_of(walker, np.array(start))
            assert reported == feasible(case, reported)
            fx = landscape.inside(landscape.evaluate(np.array(sorted(looked))))
            told = unit.state.notes.fx[: unit.state.clock[REPORTS]]
            best = np.concatenate([known.values, told])
            for value in fx.tolist():
                assert (best >= value).all(axis=1).any()
            visits += 1
        assert stages == np.flatnonzero(known.wanted).tolist()
    assert visits > 40
    assert combined > 100


def partners_of(stage: int, rows: list[list[int]]) -> list[int]:
    """In how many variables the solutions 1, 2, 4 and 8 places away differ."""
    sizes = []
    for way in (1, 2, 4, 8):
        for at in (stage - way, stage + way):
            if 0 <= at < len(rows):
                sizes.append(sum(a != b for a, b in zip(rows[stage], rows[at])))
    return sizes


@pytest.mark.plain
def test_with_two_objectives_a_visit_faces_as_the_front_does_around_it():
    """From 8 places before to 8 after, each objective by the inverse of its range."""
    n = 24
    some = [
        [((j,), [0, j + 1]) for j in range(n)],
        [((j,), [j + 1, 0]) for j in range(n)],
    ]
    limits = [([((0,), [0, 1])], "<=", 1)]
    landscape = pb.Landscape.from_subfunctions(n, some, constraints=limits)
    rng, task = np.random.default_rng(1), task_of(landscape, FILL, np.tri(n, n, -1))
    task.known.values[:] = np.cumsum(rng.integers(1, 99, (n, 2)) * [1, -1], axis=0)
    task.known.values[3:22, 1] = task.known.values[3, 1]  # as flat as can be
    walker = walker_of(landscape, task=task)
    for stage in range(n):
        unit, clock = at_phase(walker, GOING, NOTHING)
        clock.stage = stage
        choose_on_visit(walker.ground, unit, unit.ledger)
        assert clock.phase == FLIPPING
        low, high = (
            task.known.values[max(stage - 8, 0)],
            task.known.values[min(stage + 8, n - 1)],
        )
        inverse = 1 / np.maximum(np.abs(high - low), 1)
        assert_allclose(unit.heat.shares, inverse / inverse.sum(), rtol=1e-6)
