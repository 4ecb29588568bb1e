"""Notes go to the archive once, in time that is counted; slices fit the clock."""

import numpy as np
import pytest

import paretoball as pb
from clocks import Ticks
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.climber.scores import REPORTS
from paretoball.search import reporting
from paretoball.search.reporting import (
    LONGEST_SLICE,
    SLICE_SECONDS,
    Reporting,
    next_slice,
)


@pytest.mark.plain
def test_the_time_of_all_reports_adds_up(monkeypatch):
    monkeypatch.setattr(reporting, "perf_counter", Ticks(2.0))
    hands = Reporting()
    assert hands.archive_seconds == 0
    for times in (1, 2, 3):
        with hands.timed():
            pass
        assert hands.archive_seconds == 2.0 * times


@pytest.mark.plain
def test_notes_are_handed_over_once(monkeypatch):
    monkeypatch.setattr(reporting, "perf_counter", Ticks())
    state = pb.Climber(ring(6, 1, seed=1), 1).new_state(journal=1, reports=4)
    state.notes.fx[:] = [[1, 9], [5, 5], [0, 0], [9, 1]]
    state.notes.tags[:] = [[7, 0, 0], [7, 2, 1], [8, 3, 0], [8, 4, 0]]
    state.clock[REPORTS] = 3
    hands, archive = Reporting(), Archive(2)
    hands.take_over(state, archive)
    assert state.clock[REPORTS] == 0
    hands.take_over(state, archive)
    assert hands.archive_seconds == 2
    points = archive._ascending()
    assert points.fx.tolist() == [[1, 9], [5, 5]]
    assert np.column_stack(points[1:]).tolist() == [[7, 0, 0], [7, 2, 1]]


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
