"""Schedules: in slices or at once, and only what fits in memory."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from hulls import assert_exact, two_objectives
from landscapes import built, ring
from memory import traced
from paretoball.exact import message_schedule
from paretoball.exact.elimination_order import MAX_WIDTH
from paretoball.exact.supported_front import Solver
from paretoball.system import memory


def test_slices_change_nothing(monkeypatch):
    for seed in range(12):
        landscape = built(two_objectives(np.random.default_rng(seed)))
        whole = pb.supported_front(landscape)
        monkeypatch.setattr(message_schedule, "SLICE", 1 + seed)
        sliced = assert_exact(landscape)
        monkeypatch.undo()
        assert_array_equal(sliced.X, whole.X)


@pytest.mark.plain
@pytest.mark.parametrize("n", [1, 2, MAX_WIDTH + 1])
def test_messages_of_every_size_up_to_the_largest_have_a_place(n):
    pairs = [(pair, [0, 1, 2, 3]) for pair in combinations(range(n), 2)]
    landscape = pb.Landscape.from_subfunctions(n, [pairs])
    schedule, room = message_schedule.schedule_of(
        landscape.cliques, landscape.cooccurrence
    )
    assert schedule.width == n - 1
    assert room == 2**n - 1  # one of each size from 1 on
    assert schedule.choice_at[-1] == 2**n - 1


def test_the_clock_is_looked_at_between_slices(monkeypatch):
    monkeypatch.setattr(message_schedule, "SLICE", 100)
    pulses = []
    solver = Solver(ring(40, K=2, seed=1), lambda: pulses.append(1))
    assert len(solver.spans) > 3
    pulses.clear()
    for number in (1, 2):
        solver.best((1, 1))
        assert len(pulses) == number * (len(solver.spans) - 1)


@pytest.mark.parametrize(
    ("n", "K", "d", "large"), [(30, 8, 2, 2**45), (30, 8, 2, 1), (30, 8, 1, 1)]
)
def test_maximisations_take_no_more_memory_than_told(monkeypatch, n, K, d, large):
    landscape, told = ring(n, K, seed=1, d=d, q=100 * large), []
    assert len(landscape.cooccurrence.at) == n + 1  # it is there already

    def note(needs, needed):
        told.append(needed)

    def maximise_twice():
        solver = Solver(landscape)
        for w in (1, 1), (large, large + 1):  # products may have more than 64 bits
            solver.best(w[:d])

    monkeypatch.setattr(message_schedule, "check_memory", note)
    _, taken = traced(maximise_twice)
    assert told[-1] / 2.5 < taken < told[-1]


def test_tables_of_many_small_parts_take_no_more_memory_than_told(monkeypatch):
    """Messages are small here, and take the places of those read before."""
    rng, told = np.random.default_rng(1), []
    parts = [tuple(range(a, a + 8)) for a in range(0, 800, 8)]
    tables = rng.integers(0, 99, (2, len(parts), 256)).tolist()
    objectives = [list(zip(parts, each)) for each in tables]
    landscape = pb.Landscape.from_subfunctions(800, objectives)
    monkeypatch.setattr(message_schedule, "check_memory", lambda *of: told.append(of))
    assert len(landscape.cooccurrence.at) == 801  # it is there already
    _, taken = traced(Solver, landscape)
    assert told[-1][0] == "elimination of width 7 takes tables of"
    assert told[-1][1] / 2.5 < taken < told[-1][1] + 500_000  # with the schedule


def test_tables_that_do_not_fit_are_refused_with_their_size(monkeypatch):
    landscape = ring(20, K=3, seed=1)
    monkeypatch.setattr(memory, "available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"width 6 .* KiB, but 1000 B are free"):
        pb.supported_front(landscape)
