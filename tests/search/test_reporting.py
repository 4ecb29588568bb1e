"""Reporting: notes go to the archive once, and all time that this takes is counted."""

import numpy as np
import pytest

import paretoball as pb
from clocks import Ticks
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.climber.scores import REPORTS
from paretoball.search import reporting
from paretoball.search.reporting import Reporting


@pytest.mark.plain
def test_the_time_of_all_reports_adds_up(monkeypatch):
    monkeypatch.setattr(reporting, "perf_counter", Ticks(2.0))
    hands = Reporting()
    assert hands.seconds == 0
    for times in (1, 2, 3):
        with hands.timed():
            pass
        assert hands.seconds == 2.0 * times


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
    assert hands.seconds == 2
    points = archive._ascending()
    assert points.fx.tolist() == [[1, 9], [5, 5]]
    assert np.column_stack(points[1:]).tolist() == [[7, 0, 0], [7, 2, 1]]
