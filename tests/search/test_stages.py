"""Legs under constraints: where they turn to, what they begin at, and when they end."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import naive
import paretoball as pb
from constrained import random_case
from paretoball.climber import NO_MOVE
from paretoball.search.path import stages
from paretoball.search.path.clock import (
    CHOOSING,
    CLIMBING,
    COMBINING,
    FOUND,
    GOING,
    HEATING,
    NOTHING,
    REPAIRING,
)
from paretoball.search.path.ledger import open_ledger
from paretoball.search.path.stages import choose_on_stage
from paretoball.search.path.tasks import PATH
from walkers import at_phase, go_until, task_of, walker_of

N = 6
ONES = [[((j,), [0, (3 * j + 5 * i) % 7 + 1]) for j in range(N)] for i in range(2)]
FEW = ([((j,), [0, 1]) for j in range(N)], "<=", 4)
LANDSCAPE = pb.Landscape.from_subfunctions(N, ONES, constraints=[FEW])
TURNS = [[600, 400], [1000, 1], [10, 990]]


def put(walker: Any, x: Any) -> None:
    """Let the unit be at x, as if it had gone there."""
    state, unit = walker.state, walker.unit
    state.x[:] = x
    state.fx[:] = walker.landscape.inside(walker.landscape.evaluate(state.x))
    open_ledger(unit.ledger, state.x)


def end_leg(walker: Any) -> list[int]:
    """Give up the leg at hand; where the next one begins."""
    unit, clock = at_phase(walker, COMBINING, NOTHING)
    clock.chosen = clock.next = clock.core = clock.best = 0  # of a core that was empty
    clock.tried = stages.CORES - 1
    assert choose_on_stage(walker.ground, unit, unit.ledger) == NO_MOVE
    assert (clock.phase, clock.next) == (GOING, 0)
    flips = unit.chosen[: clock.chosen].tolist()
    return naive.flipped(unit.state.x.tolist(), flips)


@pytest.mark.plain
def test_legs_turn_from_the_middle_to_each_end_and_are_mild():
    walker = walker_of(LANDSCAPE, task=task_of(LANDSCAPE, PATH, [], TURNS))
    walker.unit = walker.unit._replace(
        course=walker.unit.course._replace(steps=3, stages=7, work=30.0)
    )
    unit, clock, numbers = walker.unit, walker.unit.clock, walker.unit.heat.numbers
    middle, places = [1, 0, 1, 0, 1, 0], []
    put(walker, middle)
    legs = [(end, at) for end in TURNS[1:] for at in (1, 2, 3)]
    for stage, (end, at) in enumerate(legs, 1):
        places.append(end_leg(walker))
        assert clock.stage == stage
        w = [a + (b - a) * at // 3 for a, b in zip(TURNS[0], end)]
        assert unit.state.w.tolist() == w
        assert_allclose(unit.heat.shares, np.array(w) / sum(w), rtol=1e-6)
        assert_allclose(numbers.first_t * sum(w), stages.MILD * numbers.loss)
        assert_allclose(numbers.last_t * sum(w), stages.COLD * numbers.loss)
        assert numbers.given == stages.MILD_WORK * 30.0 / 3
        put(walker, [stage >> bit & 1 for bit in range(N)])
    expected = [[stage >> bit & 1 for bit in range(N)] for stage in range(6)]
    expected[0] = expected[3] = middle  # where the first leg ended
    assert places == expected
    assert unit.places.middle.tolist() == middle
    end_leg(walker)
    assert clock.stage == unit.course.stages


@pytest.mark.plain
@pytest.mark.parametrize("is_good", [False, True])
@pytest.mark.parametrize("stage", [1, 2])
def test_a_leg_begins_at_the_best_that_is_known_if_that_is_better(is_good, stage):
    """The second leg to an end begins where the first of these ended."""
    rows = [[1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 1], [0, 0, 0, 1, 0, 0]]
    rng = np.random.default_rng(stage)
    heads = set()
    for _ in range(60):
        turns = rng.integers(1, 1000, (3, 2))
        walker = walker_of(LANDSCAPE, task=task_of(LANDSCAPE, PATH, rows, turns))
        x = rng.permutation([1] * (2 if is_good else 5) + [0] * (4 if is_good else 1))
        put(walker, x)
        walker.unit.clock.stage = stage - 1
        there = end_leg(walker)
        fx = LANDSCAPE.inside(LANDSCAPE.evaluate(np.array([*rows, x])))
        *worth, here = (fx @ walker.state.w).tolist()
        best = rows[worth.index(max(worth))]
        assert there == (best if not is_good or max(worth) > here else x.tolist())
        heads.add(tuple(there) in map(tuple, rows))
    assert heads == {True, False} if is_good else {True}


@pytest.mark.plain
def test_a_middle_that_is_not_feasible_is_no_good_to_come_back_to():
    known = [0, 0, 0, 0, 0, 0]
    for bits, there in ((0b111111, known), (0b111, [1, 1, 1, 0, 0, 0])):
        x = [bits >> j & 1 for j in range(N)]
        walker = walker_of(LANDSCAPE, task=task_of(LANDSCAPE, PATH, [known], TURNS))
        clock = walker.unit.clock
        steps = walker.unit.course.steps
        put(walker, x)
        assert end_leg(walker) == there
        assert clock.has_middle == (bits == 0b111)
        put(walker, [1, 0, 0, 0, 0, 0])
        clock.stage = steps  # the next one is the first to the other end
        assert end_leg(walker) == there


def test_phases_follow_each_other_until_no_core_helps():
    """Heat, repair, climb, combine; what helps is flipped, and climbs on."""
    helped = ended = 0
    for number in range(20):
        case = random_case(np.random.default_rng([number, 2]), 2)
        landscape = case.landscape
        if not case.constraints:
            continue
        walker = walker_of(landscape, seed=number)
        unit, clock = walker.unit, walker.unit.clock
        assert (clock.phase, clock.due) == (HEATING, FOUND)
        go_until(walker, REPAIRING)
        assert clock.steps == clock.at == 0
        go_until(walker, CLIMBING)
        while clock.stage == 0:
            assert not any(naive.violation(case.constraints, unit.state.x))
            go_until(walker, CHOOSING)
            assert naive.is_feasible_optimum(
                landscape.unconstrained, case.constraints, unit.state.x
            )
            worth = [int(unit.state.w @ unit.state.fx)]
            for turn in range(stages.CORES):
                assert (clock.stage, clock.tried) == (0, turn)
                before = unit.state.x.copy()
                go_until(walker, COMBINING)
                tried = go_until(walker, CHOOSING, CLIMBING)
                worth.append(int(unit.state.w @ unit.state.fx))
                if clock.phase == CLIMBING:
                    break
                assert_array_equal(unit.state.x, before)
                assert len(tried) == 1 << clock.core
            if clock.phase == CLIMBING:
                helped += 1
                assert clock.tried == 0
                assert worth[-1] > max(worth[:-1])
            else:
                ended += 1
                assert clock.stage == 1 == unit.course.stages
                assert len(set(worth)) == 1
    assert helped > 2
    assert ended > 10
