"""Weights: positive, spread over all directions, and no more than asked for."""

from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from paretoball.exact.front_weights import STEEPEST, spread_weights, weights_along


def hull_of(edges, seed, sizes=(1, 1)):
    """A hull with so many edges, in steps of these sizes, ascending by f0."""
    rng = np.random.default_rng(seed)
    steps = np.unique(rng.integers(1, 1000, (edges, 2)), axis=0) * sizes
    steep = steps[np.argsort(steps[:, 1] / steps[:, 0])]
    f0 = np.cumsum(np.append(0, steep[:, 0]))
    f1 = np.cumsum(np.append(0, steep[:, 1]))
    return np.column_stack([f0, f1[-1] - f1])


@pytest.mark.parametrize("sizes", [(1, 1), (10**6, 1), (1, 10**6)])
@pytest.mark.parametrize(("edges", "most"), [(1, 9), (8, 9), (40, 9), (40, 2)])
def test_weights_along_a_hull_are_those_of_its_edges(edges, most, sizes):
    hull = hull_of(edges, edges, sizes)
    w, lengths = weights_along(hull, most)
    every = weights_along(hull, 10**6).w
    assert len(w) == min(most, len(every))
    assert_array_equal(w[:, 1], 1)
    assert (np.diff(w[:, 0]) < 0).all()
    assert_array_equal(w[0], every[0])
    assert len(w) == 1 or (w[-1] == every[-1]).all()
    extents = hull.max(axis=0) - hull.min(axis=0)
    assert_allclose(lengths, w @ extents, rtol=1e-12)
    for each in w:
        values = np.sort(hull @ each)
        assert values[-1] == pytest.approx(values[-2], rel=1e-12)


def test_edges_that_are_far_too_steep_or_flat_have_no_weights():
    """Both ends vary by 100,000; the slopes are 10,000, 1 and 1 / 10,000."""
    hull = np.array([[0, 100_000], [10**4, 99_999], [99_999, 10**4], [100_000, 0]])
    w = weights_along(hull, 9).w
    assert_array_equal(w, [[1.0, 1.0]])
    for share, count in (0.9, 3), (1.1, 1):
        steps = np.array([[share * STEEPEST, 1], [1, 1], [1, share * STEEPEST]])
        ends = np.cumsum(np.vstack([[0, 0], steps]), axis=0)
        hull = np.column_stack([ends[:, 0], ends[-1, 1] - ends[:, 1]])
        assert len(weights_along(hull, 9).w) == count


@pytest.mark.parametrize("most", [4, 6, 9, 10, 11, 150])
@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_weights_are_spread_evenly_in_units_of_their_objectives(d, most):
    extents = 10.0 ** np.arange(d)
    w, lengths = spread_weights(extents, most)
    sizes = [comb(parts + d - 1, d - 1) for parts in range(1, most + 2)]
    right = max([size for size in sizes if size <= most], default=d)
    assert len(w) == max(right, d)
    shares = w * extents
    assert_allclose(lengths, shares.sum(axis=1))
    assert (shares >= 0.99 / STEEPEST).all()
    assert_allclose(shares.sum(axis=1), 1, atol=d / STEEPEST)
    assert len({tuple(each) for each in np.round(shares, 9).tolist()}) == len(w)
    for i in range(d):
        assert shares[:, i].max() == pytest.approx(1)
