"""Heat: sweeps take what Metropolis' rule says, whatever is skipped or cut short."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from trips import searcher_of

import naive
import paretoball as pb
from landscapes import random_solution, ring
from paretoball._jit import kernel
from paretoball.climber import NO_MOVE
from paretoball.numerics.streams import next_bits
from paretoball.search.path.clock import HEATING, SEEN
from paretoball.search.path.engine import _step
from paretoball.search.path.heat import (
    DRAWS,
    HOPELESS,
    _exponential_draws,
    begin_heat,
    choose_hot,
    is_hot,
)
from paretoball.search.path.searcher import Searcher

PLENTY = 10**9
EXPONENTIAL = _exponential_draws()


@kernel
def sweep_now(ground, unit, flips):
    """Go on with an escape, for so many flips at most; how many were taken."""
    taken = 0
    while is_hot(unit) and taken < flips:
        j = choose_hot(ground, unit)
        if j != NO_MOVE:
            _step(ground, unit, j)
            taken += 1
    return taken


def heated(
    landscape: pb.Landscape, x: Any, w: Any, first: float, last: float, work: float
) -> Searcher:
    """A path of which an escape has just begun, at x; as if weights added up to 1."""
    searcher = searcher_of(landscape)
    state = searcher.climber.start(x, weights=w, seed=5)._state
    searcher.unit = unit = searcher.unit._replace(state=state)
    unit.clock.phase, unit.heat.numbers.loss = HEATING, state.w.sum()
    begin_heat(unit, first, last, work)
    return searcher


def sweep(searcher: Searcher, flips: int = PLENTY) -> int:
    """Sweep on, for so many flips at most."""
    return int(sweep_now(searcher.ground, searcher.unit, flips))


def naive_sweep(
    landscape: pb.Landscape, x: list, shares: Any, temperature: float, draw: int
) -> tuple[list, int]:
    """Look at all variables in turn; the solution then, and how many flips."""
    single, taken = np.float32, 0
    temperature = single(temperature)
    for j in range(len(x)):
        score = naive.score(landscape, [j], x)
        gain = single(0)
        for share, change in zip(shares, naive.gains(score, landscape.sense)):
            gain += share * single(change)
        if gain > -single(HOPELESS) * temperature:
            draw += 1
            if gain >= -temperature * EXPONENTIAL[draw % DRAWS]:
                x, taken = naive.flipped(x, [j]), taken + 1
    return x, taken


@pytest.mark.plain
@pytest.mark.bounds
@pytest.mark.parametrize("n", [13, 16, 40])
def test_sweeps_take_what_looks_at_all_variables_take(n):
    """Quiet blocks are skipped at low temperatures, and nothing changes by that."""
    total = 0
    for seed in range(9):
        rng = np.random.default_rng(seed)
        landscape = ring(n=n, K=2, seed=seed)
        x, w = random_solution(rng, n), rng.integers(1, 9, 2)
        x = pb.Climber(landscape, 1).start(x, weights=w, seed=1).run().x
        first, work = [0.5, 8.0, 60.0][seed % 3], 100.0 * n
        last = first / 8
        searcher = heated(landscape, x, w, first, last, work)
        unit = searcher.unit
        heat, stream, numbers = unit.heat, unit.state.rng.copy(), unit.heat.numbers
        assert_array_equal(heat.shares, (w / w.sum()).astype(np.float32))
        expected, done, flips = x.astype(int).tolist(), 0.0, 0
        while done < work:
            now = first - (first - last) * (done / work)
            bits = int(next_bits(stream))
            expected, count = naive_sweep(landscape, expected, heat.shares, now, bits)
            flips += count
            done += n + numbers.flip_work * count
        slice_, taken = [1, 7, PLENTY][seed // 3], 0
        while is_hot(unit):
            more = sweep(searcher, slice_)
            assert more <= slice_
            taken += more
            assert taken <= flips
            assert (unit.clock.due == SEEN) == (taken > 0)
        assert_array_equal(unit.state.x, expected)
        assert (taken, numbers.done, numbers.now_t) == (flips, done, now)
        assert (unit.clock.taken, unit.clock.work) == (flips, done)
        assert_array_equal(unit.unsaid.missing, x != expected)
        pending = unit.unsaid.pending[: unit.clock.pending].tolist()
        assert sorted(pending) == np.flatnonzero(unit.unsaid.listed).tolist()
        assert set(np.flatnonzero(x != expected).tolist()) <= set(pending)
        fx = landscape.shown(unit.state.fx[None])[0].tolist()
        assert tuple(fx) == naive.evaluate(landscape, expected)
        total += flips
    assert total > 100


@pytest.mark.parametrize("loss", [0, 3])
def test_flips_are_taken_as_metropolis_says(loss):
    n = 1 << 15
    steps = [((j,), [0, loss]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(n, [steps, steps])
    for temperature in (0.2, 1.0, 3.0, 12.0):
        searcher = heated(
            landscape, np.ones(n, np.uint8), [1, 1], temperature, temperature, 1.0
        )
        taken = sweep(searcher)
        chance = np.exp(-loss / temperature) if loss <= HOPELESS * temperature else 0
        assert taken / n == pytest.approx(chance, abs=0.01)
        if loss > HOPELESS * temperature:
            assert taken == 0


def test_draws_are_exponential():
    draws = np.sort(_exponential_draws())
    assert len(draws) == DRAWS
    for q in (0.1, 0.5, 0.9, 0.999):
        assert draws[int(q * DRAWS)] == pytest.approx(-np.log(1 - q), rel=1e-2)
