"""Moves: a sequence of tuples, by number and by variables."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import paretoball as pb
from landscapes import landscapes, ring
from paretoball.climber.moves import Moves, enumerate_moves


def moves_of(landscape, radius):
    """The moves of a climber, without its scores."""
    return Moves(enumerate_moves(landscape.cooccurrence, radius))


@pytest.mark.plain
@settings(max_examples=25)
@given(landscapes(max_n=5), st.integers(1, 3))
def test_moves_are_a_sequence_of_the_connected_sets(landscape, radius):
    moves = moves_of(landscape, radius)
    every = list(moves)
    assert sorted(every) == sorted(map(tuple, naive.connected_moves(landscape, radius)))
    assert len(moves) == len(every)
    for at in range(-len(every), len(every)):
        assert moves[at] == every[at]
    for part in (slice(1, 3), slice(None, None, -2), slice(-2, 99), slice(99, None)):
        assert moves[part] == every[part]
    for at in (len(every), -len(every) - 1, 10**6):
        with pytest.raises(IndexError, match=f"move {at} of a set of {len(every)}"):
            moves[at]
    for at, move in enumerate(every):
        assert moves.index(move) == moves.index(reversed(move)) == at
        assert set(move) in moves


@pytest.mark.plain
def test_what_is_no_move_has_no_number():
    moves = moves_of(ring(6, 1, seed=1), 2)
    for strange in ([0, 2], [0, 1, 2], [0, 0], [], [6], [-1], ["0"]):
        with pytest.raises(ValueError, match="connected sets of 1 to 2 distinct"):
            moves.index(strange)
        assert strange not in moves
    for strange in (0, None, [0, "1"]):
        assert strange not in moves
    assert (5, 0) in moves


@pytest.mark.plain
def test_a_radius_has_at_most_thirty_variables():
    landscape = ring(4, 1, seed=1)
    assert pb.count_moves(landscape, 30) == pb.count_moves(landscape, 4)
    for radius in (31, 2**62):
        with pytest.raises(ValueError, match="radius"):
            pb.count_moves(landscape, radius)
        with pytest.raises(ValueError, match="radius"):
            pb.Climber(landscape, radius)
