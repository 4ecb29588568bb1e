"""Fillings return to look at the clock, however many rows and neighbours there are."""

import numpy as np
import pytest
import trips
from numpy.testing import assert_array_equal
from trips import check_filling, go_on_in_least_room, in_python, searcher_of

import paretoball as pb
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.search.path import engine, filling, searcher
from paretoball.search.path.clock import ENOUGH
from paretoball.search.path.engine import go_on
from paretoball.search.path.tasks import FILL, Known, Task, turns_of
from walkers import journal_of


def around(X: np.ndarray, values: np.ndarray) -> Task:
    """A filling that visits all of these solutions."""
    turns = np.ones((turns_of(values.shape[1]), values.shape[1]), np.int64)
    return Task(FILL, 0, turns, Known(X, values, np.ones(len(X), np.uint8)))


@pytest.mark.plain
@pytest.mark.parametrize("enough", [1, 20, 100])
def test_fillings_report_the_same_however_often_they_return(monkeypatch, enough):
    monkeypatch.setattr(engine, "ENOUGH", enough)
    monkeypatch.setattr(filling, "ENOUGH", enough)
    returns = []

    def go_on_a_bit(ground, unit, last):
        in_python(go_on)(ground, unit, last)
        once = max(16 * len(unit.state.x), len(unit.state.scores))
        assert unit.clock.work < enough + once
        returns.append(unit.clock.work >= enough)

    monkeypatch.setattr(trips, "go_on", go_on_a_bit)
    for number in range(12):
        assert check_filling(number) == ""
    assert sum(returns) > 20


def test_with_three_objectives_every_row_that_is_asked_counts(monkeypatch):
    """Whether a neighbour is hidden takes a look at many rows; here, all are hidden."""
    n, d, rows = 600, 3, 2048
    landscape = ring(n=n, K=1, seed=1, d=d)
    X = np.zeros((rows, n), np.uint8)  # as close to each other as can be
    X[np.arange(1, rows), np.arange(1, rows) % n] = 1
    values = np.full((rows, d), 1 << 40)
    filler, seen = searcher_of(landscape), []
    filler.effort.partners = 0
    monkeypatch.setattr(searcher, "next_slice", lambda *_: 1 << 20)
    filler.slice = 1 << 20
    archive = Archive(d)
    filler.begin(archive, 0, around(X, values))

    def is_enough(moves: int) -> bool:
        seen.append(int(filler.unit.clock.stage))
        return seen[-1] > 200

    assert not filler.go_on(archive, 0, 1 << 40, is_enough)
    work = n * rows // 32  # of one visit, at least
    assert np.diff(seen).max() <= 1 + ENOUGH // work


@pytest.mark.parametrize(("n", "has_pairs"), [(512, True), (513, False)])
def test_pairs_are_tried_up_to_512_variables(n, has_pairs):
    """Single flips are hidden here, and two at once are better than all at hand."""
    ones = [((j,), [0, 1]) for j in range(n)]
    filler = searcher_of(pb.Landscape.from_subfunctions(n, [ones, ones]))
    archive = Archive(2)
    filler.begin(archive, 0, around(np.zeros((1, n), np.uint8), np.array([[1, 1]])))
    assert filler.go_on(archive, 0, 1 << 40, lambda _: False)
    assert archive.F.tolist() == ([[2, 2]] if has_pairs else [])


@pytest.mark.plain
@pytest.mark.parametrize("radius", [1, 2])
def test_the_least_room_that_is_asked_for_suffices(radius):
    """Nothing is hidden here, and all variables differ from one row to the other."""
    n = 6
    ones = [((j,), [0, 1 << j]) for j in range(n)]
    zeros = [((j,), [1 << j, 0]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(n, [ones, zeros])
    climber = pb.Climber(landscape, radius)
    task = around(np.array([[0], [1]], np.uint8).repeat(n, 1), np.full((2, 2), -99))
    found = []
    for is_little in (False, True):
        filler, archive = searcher_of(landscape, climber=climber), Archive(2)
        filler.begin(archive, 0, task)
        if is_little:
            go_on_in_least_room(filler, archive)
        else:
            assert filler.go_on(archive, 0, 1 << 40, lambda _: False)
        found.append((journal_of(filler), archive.points()))
    (whole, points), (journal, others) = found
    assert journal[0] == whole[0] == n
    assert_array_equal(journal[1], whole[1])
    for one, other in zip(points, others):
        assert_array_equal(other, one)
    assert len(points.fx) == 2**n
