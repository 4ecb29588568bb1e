"""Trails: solutions as flips of the one before come back as they were."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from paretoball.archive.trails import Trail, replayed
from paretoball.landscape import Numbering


def random_walk(rng, n, length):
    """Solutions of a climb: a start, its flips, and the solution after each of them."""
    start = rng.integers(2, size=n).astype(np.uint8)
    flips = rng.integers(n, size=length).astype(np.int32)
    X = np.repeat(start[None], length + 1, axis=0)
    for at, j in enumerate(flips):
        X[at + 1 :, j] ^= 1
    return start, flips, X


def trail_of(X: np.ndarray, steps: np.ndarray) -> Trail:
    """The trail of these steps of a climb."""
    rows, flips = np.nonzero(np.diff(X[steps], axis=0))
    flip_at = np.append(0, np.searchsorted(rows, np.arange(len(steps))))
    base = np.packbits(X[steps[0]], bitorder="little")
    return Trail(steps, base, flip_at, flips.astype(np.int32))


def some_steps(rng, length):
    """Some of the steps 0, ..., length - 1, at least one, ascending."""
    return np.sort(rng.permutation(length)[: rng.integers(1, length + 1)])


@pytest.mark.bounds
def test_a_trail_along_flips_has_the_solutions_at_its_steps():
    rng = np.random.default_rng(1)
    for _ in range(200):
        n, length = int(rng.integers(1, 40)), int(rng.integers(1, 30))
        start, flips, X = random_walk(rng, n, length)
        steps = some_steps(rng, length + 1)
        trail = Trail.along(start, flips, steps, steps)
        assert_array_equal(trail.unpacked(steps, n), X[steps])
        fewer = steps[some_steps(rng, len(steps))]
        assert_array_equal(trail.unpacked(fewer, n), X[fewer])
        for first, last in zip(trail.flip_at[:-1], trail.flip_at[1:]):
            between = trail.flips[first:last].tolist()
            assert len(set(between)) == len(between)  # nothing is flipped twice


def test_a_trail_with_fewer_steps_has_the_same_solutions_there():
    rng = np.random.default_rng(2)
    for _ in range(200):
        n, length = int(rng.integers(1, 40)), int(rng.integers(1, 30))
        start, flips, X = random_walk(rng, n, length)
        every = np.arange(length + 1)
        steps = some_steps(rng, length + 1)
        less = Trail.along(start, flips, every, every).only(steps, n)
        assert_array_equal(less.steps, steps)
        assert_array_equal(less.unpacked(steps, n), X[steps])
        assert less.has(steps)
        assert less.has(every) == (len(steps) == len(every))


def test_trails_of_one_climb_join_to_one_with_steps_of_both():
    rng = np.random.default_rng(4)
    for _ in range(200):
        n, length = int(rng.integers(1, 40)), int(rng.integers(1, 30))
        X = rng.integers(2, size=(length, n)).astype(np.uint8)
        sizes = rng.integers(1, length + 1, size=2)
        some = [np.sort(rng.permutation(length)[:size]) for size in sizes]
        one, other = (trail_of(X, steps) for steps in some)
        steps = np.union1d(one.steps, other.steps)
        steps = steps[rng.random(len(steps)) < 0.8]
        if not len(steps):
            continue
        both = one.joined(other, steps, n)
        assert_array_equal(both.steps, steps)
        assert_array_equal(both.unpacked(steps, n), X[steps])


@pytest.mark.parametrize("n", [1, 7, 8, 9, 64])
def test_solutions_of_several_units_are_replayed_in_any_order(n):
    rng = np.random.default_rng(n)
    X = rng.integers(2, size=(3, 5, n)).astype(np.uint8)
    trails = {10 * unit: trail_of(X[unit], np.arange(5)) for unit in range(3)}
    order = rng.permutation(15)
    units, steps = order // 5, order % 5
    replay = replayed(trails, 10 * units, steps, n)
    assert replay.dtype == bool
    assert_array_equal(replay, X[units, steps])
    assert replayed({}, units[:0], steps[:0], n).shape == (0, n)


def test_one_solution_is_a_trail_of_one_step():
    x = np.array([1, 0, 0, 1, 1, 0, 1, 0, 1], np.uint8)
    trail = Trail.of_one(x)
    assert trail.has(np.array([0]))
    assert_array_equal(trail.unpacked(np.array([0]), 9), [x])


def test_solutions_are_replayed_into_one_matrix_and_no_other():
    rng = np.random.default_rng(5)
    n, rows = 1000, 300
    start, flips, _ = random_walk(rng, n, 1)
    steps = np.arange(rows)
    flips = np.resize(flips, rows).astype(np.int32)
    trail = Trail.along(start, flips, steps, steps)
    tracemalloc.start()
    try:
        replayed({7: trail}, np.full(rows, 7), steps, n)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * rows * n


def test_a_trail_goes_back_to_the_numbers_that_variables_had_before():
    rng = np.random.default_rng(1)
    for n in (1, 3, 8, 9, 20):
        start, flips, X = random_walk(rng, n, 12)
        steps = some_steps(rng, 13)
        variable = rng.permutation(n).astype(np.int32)
        numbering = Numbering(np.argsort(variable).astype(np.int32), variable)
        trail = Trail.along(start, flips, steps, steps)
        outside = np.empty((len(steps), n), np.uint8)
        outside[:, variable] = X[steps]
        assert_array_equal(trail.outward(numbering).unpacked(steps, n), outside)
        assert_array_equal(trail.outward(None).unpacked(steps, n), X[steps])
