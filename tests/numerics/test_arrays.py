"""Arrays: rows laid end to end, and arrays that grow."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paretoball.numerics import arrays
from paretoball.numerics.arrays import (
    exact_sums,
    grown,
    is_rising,
    offsets,
    sums_by_row,
    with_room,
)


@given(st.lists(st.lists(st.integers(-9, 9), max_size=5), max_size=8))
def test_rows_laid_end_to_end_are_found_and_summed(rows):
    at = offsets(np.array([len(row) for row in rows], np.int64))
    values = np.array([value for row in rows for value in row], np.int64)
    assert [values[a:b].tolist() for a, b in pairwise(at)] == rows
    assert sums_by_row(at, values).tolist() == [sum(row) for row in rows]


@pytest.mark.plain
@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64])
def test_places_and_sums_of_narrow_numbers_have_64_bits(kind):
    values = np.full(9, 2**30, kind)
    at = offsets(values)
    assert at.dtype == np.int64
    assert at.tolist() == [k << 30 for k in range(10)]
    sums = sums_by_row(np.array([0, 4, 4, 9]), values)
    assert sums.dtype == np.int64
    assert sums.tolist() == [4 << 30, 0, 5 << 30]


@pytest.mark.plain
@pytest.mark.parametrize("kind", [np.int8, np.int64, np.float64])
def test_copies_with_room_have_the_kind_of_numbers_that_they_had(kind):
    for copy in grown(np.ones((3, 2), kind), 5), with_room(np.ones(3, kind), 4):
        assert copy.dtype == kind
        assert (copy[:3] == 1).all()


HUGE = st.integers(0, 2**63) | st.sampled_from([2**32 - 1, 2**61, 2**62, 2**63])


@given(st.lists(st.lists(HUGE | st.integers(0, 9), max_size=5), max_size=8))
def test_sums_beyond_64_bits_are_exact(rows):
    at = offsets(np.array([len(row) for row in rows], np.int64))
    values = np.array([value for row in rows for value in row], np.uint64)
    assert exact_sums(at, values).tolist() == [sum(row) for row in rows]


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        ([], True),
        ([0, 0, 3, 3], True),
        ([-1, 0], False),
        ([2, 1], False),
        ([5], True),
    ],
)
def test_what_rises_is_never_negative_and_never_falls(array, expected):
    assert is_rising(np.array(array, np.int64)) is expected


def test_an_array_with_room_is_itself_and_otherwise_a_copy():
    array = np.arange(6).reshape(3, 2)
    assert with_room(array, 3) is array
    grown = with_room(array, 4)
    assert grown.shape == (6, 2)  # at least twice as long, to grow seldom
    assert grown[:3].tolist() == array.tolist()
    assert with_room(array, 50).shape == (50, 2)
    assert grown.dtype == array.dtype


@pytest.mark.parametrize("rows", range(6))
def test_an_array_grows_piece_by_piece(rows, monkeypatch):
    monkeypatch.setattr(arrays, "COPIED", 2)
    array, calls = np.arange(rows), list[None]()
    copy = grown(array, rows + 3, lambda: calls.append(None))
    assert copy[:rows].tolist() == array.tolist()
    assert len(copy) == rows + 3
    assert len(calls) == -(-rows // 2)
