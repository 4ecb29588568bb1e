"""The bound of an archive: when it is looked at, and how much is left then."""

import pytest

from paretoball.archive.archive import Archive
from paretoball.running import bound
from paretoball.running.bound import Bound


def front(size: int) -> Archive:
    """An archive of so many points."""
    archive = Archive(2)
    for value in range(size):
        archive.report([value, -value], [0, 1])
    return archive


@pytest.fixture
def of_four(monkeypatch) -> Bound:
    """A bound of 4 points, looked at after every 10 units."""
    monkeypatch.setattr(bound, "BOUNDED_MOVES", 200)
    return Bound(4, n=20, has_climbs=True)


def test_an_archive_is_cut_above_twice_its_bound(of_four):
    for size, left in ((4, 4), (5, 5), (8, 8), (9, 4)):
        archive = front(size)
        of_four.look(archive, 10)
        assert len(archive) == left
        assert of_four.has_cut == (left < size)


def test_an_archive_is_looked_at_after_units_whose_numbers_depend_on_n(of_four):
    for units in (0, 10, 30):
        assert of_four.units_until_look(units) == 10
        assert of_four.units_until_look(units + 7) == 3
    for units, left in ((9, 20), (11, 20), (20, 4)):
        archive = front(20)
        of_four.look(archive, units)
        assert len(archive) == left


def test_in_the_end_an_archive_is_cut_to_its_bound(of_four):
    for size in (3, 4):
        assert not of_four.finish(front(size))
    assert not of_four.has_cut
    archive = front(5)
    assert of_four.finish(archive)
    assert (len(archive), of_four.has_cut) == (4, True)
    assert not of_four.finish(front(4))
    assert of_four.has_cut  # once is enough


def test_an_archive_is_looked_at_after_each_unit_that_is_no_climb():
    every = Bound(4, n=20, has_climbs=False)
    assert [every.units_until_look(units) for units in range(3)] == [1, 1, 1]
    archive = front(9)
    every.look(archive, 3)
    assert len(archive) == 4


def test_archives_of_any_number_of_variables_are_looked_at(monkeypatch):
    monkeypatch.setattr(bound, "BOUNDED_MOVES", 200)
    for n, stride in ((1, 200), (66, 3), (67, 2), (200, 1), (201, 1), (10**6, 1)):
        assert Bound(4, n, has_climbs=True).units_until_look(0) == stride


def test_a_cut_is_predicted_by_the_numbers_of_the_archive(of_four):
    assert of_four.seconds(front(4)) == 0
    assert of_four.seconds(front(50)) == bound.CUTTING * 50 * 2
    assert of_four.seconds(front(5)) == pytest.approx(8e-6)
    assert Bound(None, n=20, has_climbs=True).seconds(front(50)) == 0


def test_without_a_bound_nothing_is_cut():
    free, archive = Bound(None, n=20, has_climbs=True), front(50)
    free.look(archive, 0)
    assert free.units_until_look(10**6) > 10**9
    assert not free.finish(archive)
    assert len(archive) == 50
