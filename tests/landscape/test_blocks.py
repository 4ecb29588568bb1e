"""Blocks: matrices of rows of one length, whether these lie together or not."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from landscapes import built, plains
from paretoball import Landscape
from paretoball.landscape import landscape_digest
from paretoball.landscape import subfunctions as of_blocks
from paretoball.landscape.subfunctions import blocks, exact_sum, matrix
from paretoball.numerics import offsets


@given(st.lists(st.integers(0, 3), max_size=40), st.sampled_from([0, 3, 64]))
def test_blocks_have_every_row_once_by_descending_length(lengths, few_runs):
    at = offsets(np.array(lengths, np.int64))
    values = np.arange(at[-1]) * 7
    seen, found = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_blocks, "FEW_RUNS", few_runs)
        for block in blocks(at):
            rows = matrix(at, values, block)
            members = np.arange(len(lengths))[block].tolist()
            found.append(rows.shape[1])
            for s, row in zip(members, rows.tolist(), strict=True):
                seen.append(s)
                assert row == values[at[s] : at[s + 1]].tolist()
    assert sorted(seen) == list(range(len(lengths)))
    assert found == sorted(found, reverse=True)


@given(plains())
def test_a_landscape_is_the_same_by_views_and_by_copies(plain):
    by_views = built(plain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_blocks, "FEW_RUNS", 0)
        by_copies = built(plain)
    assert landscape_digest(by_views) == landscape_digest(by_copies)
    for one, other in zip(by_views.cliques, by_copies.cliques):
        assert_array_equal(one, other)
    assert by_views.spreads == by_copies.spreads
    assert_array_equal(by_views.mean, by_copies.mean)


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_sums_are_exact_beyond_64_bits(kind):
    values = np.array([2**62, 2**62 - 1, 2**62, 2**62, 5], kind)
    assert exact_sum(values) == sum(values.tolist())
    assert exact_sum(values[:0]) == 0


def test_negative_sums_are_exact_beyond_64_bits():
    values = np.array([-(2**62), 3, -(2**62), -(2**62) + 1])
    assert exact_sum(values) == sum(values.tolist())


def test_a_mean_of_large_entries_is_exact():
    table = [2**62, 2**62 - 2, 2**62, 2**62]
    landscape = Landscape.from_subfunctions(2, [[((0, 1), table)]])
    assert landscape.mean[0] == float(Fraction(sum(table), 4))


def test_spreads_are_highest_minus_lowest_entries_of_merged_tables():
    first = [((0, 1), [-9, -5, -7, -6]), ((2,), [3, 1]), ((1, 0), [1, 0, 0, 0])]
    second = [((1, 2), [0, 4, 0, 0])]
    landscape = Landscape.from_subfunctions(3, [first, second], ["max", "min"])
    # Cliques: (0, 1) with -8, -5, -7, -6; (1, 2) with 3, 3, 1, 1 and 0, -4, 0, 0.
    assert landscape.spreads == ([5, 4], [5, 4])
    assert landscape.survey.largest_entry == 8


def test_the_reach_of_negative_tables_counts():
    with pytest.raises(OverflowError, match=r"objective 0 can reach 2\*\*62 \+ 1 in"):
        Landscape.from_subfunctions(1, [[((0,), [-(2**62), 0]), ((), [-1])]])


def test_arrays_that_change_later_leave_the_landscape_alone():
    given = [[0, 0], [0, 1, 3], [1, 2, 0], [0, 2, 6], [1, 2, 3, 4, 5, 6]]
    arrays = [np.array(each) for each in given]
    landscape = Landscape.from_arrays(3, 1, *arrays)
    for array in arrays:
        array[:] = 9
    assert [each.tolist() for each in landscape.subfunctions] == given
