"""Runs start from bits, from solutions of results, and from fronts."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from landscapes import ring
from paretoball import Archive, Result, solve
from paretoball.running.starts import checked_starts
from paretoball.system import memory

RING = ring(n=60, K=2, seed=1)


@pytest.fixture(scope="module")
def result() -> Result:
    return solve(RING, max_climbs=4, seed=1)


@pytest.mark.parametrize("method", ["path", "multistart"])
def test_a_result_is_a_start_like_its_solutions(result, method):
    how = {"method": method, "max_climbs": 3, "seed": 2}
    one, other = (solve(RING, start=start, **how) for start in (result, result.X))
    assert one.config["starts"] == other.config["starts"] == len(result)
    assert_array_equal(one.F, other.F)
    assert_array_equal(one.X, other.X)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("method", ["path", "pls"])
def test_every_start_is_looked_at_first(result, method, count):
    starts = result.X[:count]
    found = solve(RING, start=starts, method=method, max_moves=1, seed=2)
    for fx in result.F[:count]:
        assert (fx <= found.F).all(axis=1).any()


def test_solutions_and_fronts_are_starts(result):
    archive = Archive(2)
    for each in result[:3]:
        archive.report(each.fx, each.x)
    for start, X in [
        (result[2], result.X[[2]]),
        (result[:3], result.X[:3]),
        ([result[0], result.X[1]], result.X[:2]),
        (archive, result.X[:3]),
        (result.solutions([5, 1]), result.X[[5, 1]]),
        (None, np.zeros((0, 60))),
    ]:
        starts = checked_starts(start, RING)
        assert starts.dtype == np.uint8
        assert starts.flags.writeable
        assert_array_equal(starts, X)


def test_a_start_of_another_size_is_refused(result):
    for start in (result, result[0], result[:2], result.X):
        with pytest.raises(ValueError, match=r"start has 60 bits, but .* n = 61"):
            checked_starts(start, ring(n=61, K=2, seed=1))


def test_a_front_without_solutions_is_no_start():
    with pytest.raises(ValueError, match="start has no solutions"):
        checked_starts(Archive(2), RING)


def test_a_result_beyond_memory_is_refused_with_a_way_out(result, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 100)
    with pytest.raises(MemoryError, match=r"takes .*: .*start=result\.solutions"):
        checked_starts(result, RING)
