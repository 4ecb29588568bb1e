"""Moves: a sequence of tuples, by number and by variables."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import paretoball as pb
from landscapes import landscapes, ring
from paretoball.climber import moves as moves_module
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


@pytest.mark.plain
@pytest.mark.parametrize(
    "pairs", [[*combinations(range(8), 2)], [(0, j) for j in range(1, 9)]]
)
@pytest.mark.parametrize(
    "limits", [{"MET": 1}, {"CHUNK": 3}, {"LISTED": 1}, {"LISTED": 5}]
)
def test_moves_are_the_same_however_few_are_grown_or_listed_at_a_time(
    monkeypatch, pairs, limits
):
    terms = [(pair, [0, 1, 2, 4]) for pair in pairs]
    landscape = pb.Landscape.from_subfunctions(9, [terms])
    graph = landscape.cooccurrence
    at_once = enumerate_moves(graph, 4)
    for name, value in limits.items():
        monkeypatch.setattr(moves_module, name, value)
    pulses = iter(range(10_000))  # it does not try for ever
    for mine, theirs in zip(enumerate_moves(graph, 4, lambda: next(pulses)), at_once):
        assert mine.tolist() == theirs.tolist()
    for j in range(9):
        some = at_once.containing[at_once.at[j] : at_once.at[j + 1]].tolist()
        assert some == [v for v, move in enumerate(Moves(at_once)) if j in move]
    count = pb.count_moves(landscape, 4, lambda: next(pulses))
    assert count == len(naive.connected_moves(landscape, 4)) == len(at_once.flips)


@pytest.mark.plain
def test_moves_are_counted_up_to_just_the_limit(monkeypatch):
    landscape = ring(9, 1, seed=1)
    exact = len(naive.connected_moves(landscape, 5))
    monkeypatch.setattr(moves_module, "MET", 1)
    for more in range(-12, 3):
        monkeypatch.setattr(moves_module, "COUNT_LIMIT", exact + more)
        count, is_counted = moves_module.counted_moves(landscape, 5)
        assert is_counted == (more >= 0)
        assert count == exact if is_counted else exact + more < count <= exact
