"""Kernels that work on plain arrays, against what Python does with the same numbers."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from landscapes import landscapes
from paretoball._jit import kernel
from paretoball.climber.buckets import LEVELS, RECENT, STRONG, new_buckets, pick, refile
from paretoball.climber.triangles import count_triangles
from paretoball.numerics import sorting, streams
from paretoball.numerics.streams import random_solution, spawn_streams

sort, below, next_bits = map(kernel, (sorting.sort, streams.below, streams.next_bits))


@given(st.lists(st.integers(-9, 9)), st.integers(0, 5), st.integers(0, 5))
def test_a_stretch_is_sorted_and_the_rest_left_alone(values, first, dropped):
    last = max(first, len(values) - dropped)
    array = np.array(values, np.int32)
    sort(array, min(first, len(values)), min(last, len(values)))
    assert array.tolist() == values[:first] + sorted(values[first:last]) + values[last:]


def test_ascending_runs_of_a_hub_are_sorted():
    runs = np.array([0, *range(5001, 10001), *range(1, 5001)], np.int32)
    sort(runs, 0, len(runs))
    assert runs.tolist() == list(range(10001))


@given(landscapes())
def test_triangles_are_those_of_brute_force(landscape):
    neighbours = naive.cooccurrence(landscape)
    expected = sum(
        all(b in neighbours[a] for a, b in combinations(three, 2))
        for three in combinations(range(landscape.n), 3)
    )
    assert count_triangles(landscape.cooccurrence) == expected


def test_random_bits_follow_the_recurrence():
    rng = spawn_streams(7, np.arange(1))[0]
    x, carry = rng.tolist()
    for _ in range(1000):
        step = 698769069 * x + carry
        x, carry = step % 2**32, step // 2**32
        assert next_bits(rng) == x ^ carry


def test_numbers_below_a_bound_are_equally_likely():
    rng = spawn_streams(1, np.arange(1))[0]
    counts = np.bincount([below(rng, 7) for _ in range(14_000)], minlength=7)
    assert len(counts) == 7
    assert ((counts - 2000) ** 2 / 2000).sum() < 22.5  # chi square, 6 degrees, 0.1 %


def test_random_solutions_have_half_ones_and_differ_between_streams():
    X = np.empty((2, 10_000), np.uint8)
    for x, rng in zip(X, spawn_streams(1, np.arange(2))):
        random_solution(rng, x)
    assert (abs(X.mean(axis=1) - 0.5) < 0.02).all()
    assert abs((X[0] != X[1]).mean() - 0.5) < 0.02


def test_a_pick_is_one_of_the_moves_filed_last():
    buckets, tier_at = new_buckets(RECENT + 10, 1, False), np.array([0, 0, RECENT + 10])
    rng = spawn_streams(1, np.arange(1))[0]
    for v in range(RECENT + 10):
        refile(buckets, tier_at, v, 1, LEVELS + 1)
    picked = [pick(buckets, tier_at, STRONG, rng) for _ in range(20_000)]
    assert set(picked) <= set(range(10, RECENT + 10))
    assert len(set(picked)) > 0.95 * RECENT
