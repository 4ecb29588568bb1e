"""Merged fronts are the non-dominated vectors of both, best first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from paretoball.exact import front_merging
from paretoball.exact.front_merging import BLOCK, LEFT, PAUSED, merge, new_seen


def merged(first, second, moves, caps=None):
    """Two lists of vectors, merged by the kernel."""
    d = len(moves[0])
    caps = np.array([2**62] * d if caps is None else caps)
    size = len(first) + len(second)
    out = np.zeros(size * d, np.int64)
    arrays = [np.array(each, np.int64).ravel() for each in (first, second)]
    moved = tuple(np.array(move, np.int64) for move in moves)
    count = merge(*arrays, moved, out, new_seen(caps, size))
    return [tuple(fx) for fx in out.reshape(-1, d)[:count].tolist()]


def front_of(vectors, d):
    """The non-dominated of these, best first."""
    return naive.pareto_front(np.reshape(vectors, (-1, d)))[::-1]


def moved(vectors, move):
    """All vectors plus the move."""
    return [tuple(a + b for a, b in zip(fx, move)) for fx in vectors]


@pytest.mark.plain
@given(st.data(), st.integers(2, 5), st.sampled_from([2, 9, 2**40]))
def test_merged_fronts_have_all_that_is_not_dominated(data, d, reach):
    vectors = st.lists(st.lists(st.integers(0, reach), min_size=d, max_size=d))
    first, second = (front_of(data.draw(vectors), d) for _ in range(2))
    moves = data.draw(st.lists(st.tuples(*[st.integers(-2, 2)] * d), min_size=2))[:2]
    both = moved(first, moves[0]) + moved(second, moves[1])
    assert merged(first, second, moves) == front_of(both, d)


@pytest.mark.plain
@given(st.data(), st.integers(3, 5), st.integers(0, 9))
def test_merged_fronts_have_no_more_than_caps_in_the_last_objectives(data, d, cap):
    vectors = st.lists(st.tuples(*[st.integers(0, 9)] * d))
    first, second = (front_of(data.draw(vectors), d) for _ in range(2))
    caps = [2**62] * 2 + [cap] * (d - 2)
    both = [tuple(map(min, zip(fx, caps))) for fx in first + second]
    zeros = [(0,) * d] * 2
    found = merged(first, second, zeros, caps)
    assert front_of(found, d) == front_of(both, d)
    assert [fx[:2] for fx in found] == sorted((fx[:2] for fx in found), reverse=True)


@pytest.mark.plain
@pytest.mark.parametrize("every", [1, 7, 2**40])
@pytest.mark.parametrize("d", [2, 3, 4])
def test_merges_that_pause_go_on_and_compare_no_more(monkeypatch, d, every):
    monkeypatch.setattr(front_merging, "STRETCH", 4)  # compiled, it stays as it is
    rng = np.random.default_rng(d)
    sphere = abs(rng.normal(size=(2, 100, d)))
    sphere *= 300 / np.linalg.norm(sphere, axis=2, keepdims=True)
    first, second = (front_of(each.astype(int), d) for each in sphere)
    assert len(first) > BLOCK < len(second)
    arrays = [np.array(each, np.int64).ravel() for each in (first, second)]
    moves = (np.arange(d), np.arange(d)[::-1].copy())
    compared, pauses = [], []
    for size in 2**40, every:
        seen = new_seen(np.full(d, 2**62), len(first) + len(second))
        out, count = np.zeros(sum(map(len, arrays)), np.int64), PAUSED
        compared.append(0)
        pauses.append(-1)
        while count == PAUSED:
            seen.state[LEFT] = size
            count = merge(*arrays, moves, out, seen)
            compared[-1] += size - int(seen.state[LEFT])
            pauses[-1] += 1
        both = moved(first, moves[0]) + moved(second, moves[1])
        found = out.reshape(-1, d)[:count].tolist()
        assert list(map(tuple, found)) == front_of(both, d)
    assert compared[0] == compared[1] >= len(first) + len(second)
    assert pauses[0] == 0


@pytest.mark.bounds
@pytest.mark.parametrize("d", [2, 3, 4, 6])
def test_large_fronts_are_merged(d):
    rng = np.random.default_rng(d)
    for reach in 20, 10**6:
        sphere = rng.normal(size=(2, 1500, d))
        sphere = abs(sphere) / np.linalg.norm(sphere, axis=2, keepdims=True)
        first, second = (front_of((each * reach).astype(int), d) for each in sphere)
        moves = [(1, *[0] * (d - 1)), (*[0] * (d - 1), 1)]
        both = moved(first, moves[0]) + moved(second, moves[1])
        assert merged(first, second, moves) == front_of(both, d)
        assert d == 2 or len(first) > 2 * BLOCK
