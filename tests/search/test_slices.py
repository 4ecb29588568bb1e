"""Slices: twice as long where they were short, half as long where they were long."""

import pytest

from paretoball.search.slices import LONGEST_SLICE, SLICE_SECONDS, next_slice


@pytest.mark.plain
@pytest.mark.parametrize(
    ("moves", "shares", "is_used_up", "expected"),
    [
        (100, 0.49, True, 200),
        (100, 0.49, False, 100),  # it was cut short, and tells nothing
        (100, 0.51, True, 100),
        (100, 1.99, True, 100),
        (100, 2.01, True, 50),
        (100, 2.01, False, 50),
        (7, 9.0, True, 3),
        (1, 9.0, True, 1),
        (1, 9.0, False, 1),
        (LONGEST_SLICE, 0.0, True, LONGEST_SLICE),
        (LONGEST_SLICE - 1, 0.0, True, LONGEST_SLICE),
        (LONGEST_SLICE // 2, 0.0, True, LONGEST_SLICE),
    ],
)
def test_the_next_slice_follows_from_the_time_of_the_last(
    moves, shares, is_used_up, expected
):
    assert next_slice(moves, shares * SLICE_SECONDS, is_used_up) == expected


@pytest.mark.plain
def test_a_slice_is_short_enough_for_those_who_wait():
    assert SLICE_SECONDS <= 0.02
    assert LONGEST_SLICE == 2**20
