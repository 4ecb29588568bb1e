"""Squares: matrices of whole numbers, tile by tile, or none where that is no use."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from paretoball.landscape import EXACT, SHARE
from paretoball.problems import squares
from paretoball.problems.products import Dense, Products
from paretoball.problems.squares import square_of, square_of_matrices


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("d", [1, 3])
def test_a_square_has_the_sums_of_both_entries_in_all_tiles(monkeypatch, n, d):
    monkeypatch.setattr(squares, "TILE", 2)
    matrices = np.random.default_rng(1).integers(-9, 10, (d, n, n))
    square = square_of_matrices(list(matrices), -5)
    assert square.constant.tolist() == [-5] * d
    both = matrices + matrices.transpose(0, 2, 1)
    for i in range(d):
        assert_array_equal(square.linear[:, i], matrices[i].diagonal())
        assert_array_equal(square.pairs[:, :, i], both[i] - np.diag(both[i].diagonal()))


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("below", [False, True])
def test_a_square_is_made_from_a_certain_share_of_pairs_on(d, below):
    n = 2 * SHARE  # so that d (n - 1) pairs are this share of all
    first, *others = np.zeros((d, n, n), np.int64)
    pairs = np.argwhere(np.triu(np.ones((n, n)), 1))[: d * (n - 1)]
    first[tuple(pairs.T[::-1] if below else pairs.T)] = -1
    np.fill_diagonal(first, 4)
    assert square_of_matrices([first, *others]) is not None
    first[tuple(pairs[-1])] = first[tuple(pairs[-1, ::-1])] = 0
    assert square_of_matrices([first, *others]) is None


@pytest.mark.parametrize("sign", [1, -1])
def test_factors_of_a_square_end_at_the_largest_number(sign):
    one, half = np.array([[0, 1], [0, 0]]), sign * (EXACT // 2)
    most = np.array([[0, half], [half, 0]])
    assert square_of_matrices([one, most]).pairs[0, 1].tolist() == [1, 2 * half]
    most[1, 0] += sign
    assert square_of_matrices([one, most]) is None
    wrapped = np.array([[0, 2**63 - 1], [2**63 - 1, 0]])
    assert square_of_matrices([one, sign * wrapped]) is None


def test_only_whole_matrices_and_constants_make_a_square():
    dense = Dense(np.array([[1, 2], [3, 4]]))
    pair = Products(np.array([[0, 1]]), np.array([2]))
    whole, real = np.array([7]), np.array([0.5])
    assert square_of([[dense], [dense]], [whole, whole]) is not None
    assert square_of([[dense], [dense]], [whole, real]) is None
    assert square_of([[dense], [pair]], [whole, whole]) is None
    assert square_of([[dense, dense], [dense]], [whole, whole]) is None
    assert square_of([[dense, pair]], [whole]) is None
