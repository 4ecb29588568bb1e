"""Best completions: those of the definition, within the memory and work told."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import ring
from paretoball.exact import best_completions
from paretoball.exact.best_completions import (
    A_COMPARISON,
    _bytes_of,
    _work_of,
    best_values,
    completions_of,
)
from paretoball.exact.front_elimination import Elimination
from paretoball.exact.front_steps import NOTHING
from paretoball.exact.supported_front import Solver


def elimination_of(landscape):
    """The steps of a landscape without constraints, and its solver."""
    solver = Solver(landscape)
    return Elimination(solver.schedule, solver.tables, np.zeros(0, np.int64)), solver


def weights_of(count, d):
    """Some weights, whole numbers."""
    return np.random.default_rng(count).integers(0, 99, (count, d))


def nothing(_):
    """Spend it."""


@pytest.mark.parametrize("count", [1, 7])
def test_the_best_of_all_solutions_is_found_with_any_memory(monkeypatch, count):
    landscape = ring(10, K=2, seed=1, d=3)
    of, solver = elimination_of(landscape)
    w = weights_of(count, 3)
    table = np.array(naive.full_table(landscape)) - np.array(solver.lowest)
    best = (table @ w.T).max(axis=0)
    assert_array_equal(best_values(of, w, nothing), best)
    assert_array_equal(completions_of(of, w, nothing).best, best)
    of.room = of.held + _bytes_of(of, 1)  # rows are done one by one
    assert_array_equal(best_values(of, w, nothing), best)
    of.room = 10**9
    monkeypatch.setattr(best_completions, "A_PART", 1)
    assert_array_equal(best_values(of, w, nothing), best)
    of.room = of.held + _bytes_of(of, 1) - 1
    with pytest.raises(MemoryError, match="bounds of the elimination take"):
        best_values(of, w, nothing)


def test_rows_of_weights_take_half_of_the_memory_that_is_left(monkeypatch):
    of, _ = elimination_of(ring(10, K=2, seed=1, d=3))
    counts, scalars = [], best_completions._Scalars

    def counted(of, w, spend):
        counts.append(len(w))
        return scalars(of, w, spend)

    monkeypatch.setattr(best_completions, "_Scalars", counted)
    of.held = 10**6
    of.room = of.held + 8 * _bytes_of(of, 1)
    best_values(of, weights_of(10, 3), nothing)
    assert counts == [4, 4, 2]


@pytest.mark.parametrize("count", [1, 60])
@pytest.mark.parametrize("d", [2, 5])
def test_completions_take_no_more_memory_than_told_and_are_held(count, d):
    of, _ = elimination_of(ring(40, K=4, seed=1, d=d))
    w, told, held = weights_of(count, d), _bytes_of(of, count), of.held
    completions_of(of, w, nothing)  # compiled now
    of.held, of.room = held, held + told
    tracemalloc.start()
    found = completions_of(of, w, nothing)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.7 * told < taken < told + 50_000
    assert of.held == held + found.values.nbytes
    of.held, of.room = held, held + told - 1
    with pytest.raises(MemoryError, match="bounds of the elimination take"):
        completions_of(of, w, nothing)


@pytest.mark.parametrize("size", [1, 1000, 1 << 23])
def test_all_numbers_are_told_as_comparisons(monkeypatch, size):
    of, _ = elimination_of(ring(30, K=3, seed=1, d=3))
    work, steps = int(_work_of(of, 9).sum()), len(of.steps)
    assert work >= 9 * of.arrays.at[-1]
    monkeypatch.setattr(best_completions, "SLICE", size)
    told = []
    best_values(of, weights_of(9, 3), told.append)
    assert abs(sum(told) - work // A_COMPARISON) <= 2 * steps
    told.clear()
    completions_of(of, weights_of(9, 3), told.append)
    assert abs(sum(told) - 2 * work // A_COMPARISON) <= 4 * steps


@pytest.mark.plain
@pytest.mark.parametrize("count", [1, 7])
@pytest.mark.parametrize("d", [1, 3])
def test_choices_read_their_cliques_and_joins_have_none(count, d):
    """A star, whose arms are joined, beside a variable of its own."""
    masks = [(0, 1), (0, 2), (0, 3), (2,), (5, 4)]
    tables = [
        [
            (mask, [0] * (1 << len(mask) - 1) + [1] * (1 << len(mask) - 1))
            for mask in masks
        ]
    ] * d
    of, solver = elimination_of(pb.Landscape.from_subfunctions(7, tables))
    factors = np.diff(solver.schedule.factor_at).tolist()
    right = [
        (count + d * (factors[step.rank] if step.rank != NOTHING else 0))
        << len(step.scope)
        for step in of.steps
    ]
    assert any(step.rank == NOTHING for step in of.steps)
    assert _work_of(of, count).tolist() == right


def test_completions_are_what_is_missing_to_the_best():
    """For each step, the best of all its entries, completed, is the best of all."""
    landscape = ring(9, K=2, seed=2, d=2)
    of, _ = elimination_of(landscape)
    w = weights_of(5, 2)
    found = completions_of(of, w, nothing)
    values = best_completions._Scalars(of, w, nothing)
    values.go_forwards()
    for number in range(len(of.steps)):
        first, last = of.arrays.at[number : number + 2]
        whole = values.table_of(number) + found.values[first:last]
        assert_array_equal(whole.max(axis=0), found.best)


@pytest.mark.parametrize("size", [1, 30, 100, 1000])
@pytest.mark.parametrize("d", [2, 3])
def test_completions_are_the_same_however_few_numbers_are_done_at_a_time(
    monkeypatch, size, d
):
    of, _ = elimination_of(ring(12, K=3, seed=1, d=d))
    w = weights_of(5, d)
    at_once = completions_of(of, w, nothing)
    monkeypatch.setattr(best_completions, "SLICE", size)
    again = completions_of(of, w, nothing)
    assert_array_equal(again.values, at_once.values)
    assert_array_equal(again.best, at_once.best)
    assert_array_equal(best_values(of, w, nothing), at_once.best)
