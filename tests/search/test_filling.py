"""Fillings return to look at the clock, however many rows and neighbours there are."""

import numpy as np
import pytest
from trips import check_filling, searcher_of

import paretoball as pb
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.climber import REPORTS
from paretoball.search.path import filling, searcher
from paretoball.search.path.clock import FLIPPED, STAGE
from paretoball.search.path.tasks import FILL, Task, turns_of

MANY = 1 << 22  # the work after which a filling has to return


@pytest.mark.plain  # compiled kernels know the first value only
@pytest.mark.parametrize("many", [1, 20, 100])
def test_fillings_report_the_same_however_often_they_return(monkeypatch, many):
    monkeypatch.setattr(filling, "MANY", many)
    for number in range(12):
        assert check_filling(number) == ""


def test_with_three_objectives_every_row_that_is_asked_counts(monkeypatch):
    """Whether a neighbour is hidden takes a look at many rows; here, all are hidden."""
    n, d, rows = 600, 3, 2048
    landscape = ring(n=n, K=1, seed=1, d=d)
    X = np.zeros((rows, n), np.uint8)  # as close to each other as can be
    X[np.arange(1, rows), np.arange(1, rows) % n] = 1
    values = np.full((rows, d), 1 << 40)
    task = Task(
        FILL,
        0,
        np.ones((turns_of(d), d), np.int64),
        X,
        values,
        np.ones(rows, np.uint8),
    )
    filler, seen = searcher_of(landscape), []
    filler.filling = filler.filling._replace(partners=0)
    monkeypatch.setattr(searcher, "next_slice", lambda *_: 1 << 20)
    filler.slice = 1 << 20
    archive = Archive(d)
    filler.begin(archive, 0, task)

    def is_enough(moves: int) -> bool:
        seen.append(int(filler.filling.clock[STAGE]))
        return seen[-1] > 200

    assert not filler.go_on(task, archive, 0, 1 << 40, is_enough)
    work = n * rows // 32  # of one visit, at least
    assert np.diff(seen).max() <= 1 + MANY // work


@pytest.mark.parametrize(("n", "has_pairs"), [(512, True), (513, False)])
def test_pairs_are_tried_up_to_512_variables(n, has_pairs):
    """Single flips are hidden here, and two at once are better than all at hand."""
    ones = [((j,), [0, 1]) for j in range(n)]
    filler = searcher_of(pb.Landscape.from_subfunctions(n, [ones, ones]))
    task = Task(
        FILL,
        0,
        np.ones((turns_of(2), 2), np.int64),
        np.zeros((1, n), np.uint8),
        np.array([[1, 1]]),
        np.ones(1, np.uint8),
    )
    archive = Archive(2)
    filler.begin(archive, 0, task)
    assert filler.go_on(task, archive, 0, 1 << 40, lambda _: False)
    assert archive.F.tolist() == ([[2, 2]] if has_pairs else [])


@pytest.mark.plain
def test_where_there_is_room_all_pairs_of_a_variable_can_be_noted():
    n = 6
    ones = [((j,), [0, 1]) for j in range(n)]
    zeros = [((j,), [1, 0]) for j in range(n)]
    filler = searcher_of(pb.Landscape.from_subfunctions(n, [ones, zeros]))
    rows, values = np.zeros((1, n), np.uint8), np.full((1, 2), -99)
    turns, wanted = np.ones((turns_of(2), 2), np.int64), np.ones(1, np.uint8)
    noted = 0
    for flips in range(5 * n):
        for reports in range(n + 4):
            filler.begin(Archive(2), 0, Task(FILL, 0, turns, rows, values, wanted))
            state = filler.state
            state.clock[REPORTS] = len(state.notes.tags) - reports
            fill = filler.filling._replace(flips=np.zeros(flips, np.int32))
            if filling._has_room(state, fill):
                moves = filler.climber.move_set
                filling._pair(filler.graph, moves, state, filler.space, fill)
                assert fill.clock[FLIPPED] == 4 * (n - 1) <= flips
                assert state.clock[REPORTS] == len(state.notes.tags) - reports + n - 1
                noted += 1
    assert noted > 0
