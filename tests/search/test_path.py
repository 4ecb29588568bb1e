"""Paths against the definitions: escapes, offspring, plans, and what is kept."""

from math import inf

import numpy as np
import pytest
from disturbed import fingerprint
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from trips import check_escape, check_filling, check_offspring, replay, searcher_of

import naive
import paretoball as pb
from climbs import assert_one_line
from clocks import Ticks, keep_pace, keep_time, work_here
from landscapes import plains, ring, shifted
from paretoball.archive.archive import Archive
from paretoball.archive.trails import Trail
from paretoball.landscape import unpacked_bits
from paretoball.search.method import UNLIMITED, Asked, Block
from paretoball.search.path import METHOD, planning, searcher
from paretoball.search.path.planning import _Rounds
from paretoball.search.path.tasks import PATH, Known, Task, turns_of
from walkers import journal_of

SMALL = ring(n=40, K=2, seed=2)
WIDER = pb.mnk(n=1500, K=3, model="random", seed=4)


# --- Escapes and offspring, by brute force.


@pytest.mark.plain
@pytest.mark.bounds_long
def test_an_escape_keeps_what_is_better_of_each_component():
    for number in range(40):
        assert check_escape(number) == ""


@pytest.mark.plain
@pytest.mark.bounds_long
def test_offspring_along_a_path_are_exact_and_hold_the_hull():
    for number in range(40):
        assert check_offspring(number) == ""


@pytest.mark.plain
@pytest.mark.bounds_long
def test_fillings_report_what_brute_force_finds_and_no_more():
    for number in range(40):
        assert check_filling(number) == ""


@pytest.mark.plain
@pytest.mark.long  # compiled
@pytest.mark.parametrize("d", [1, 3])
def test_units_of_other_numbers_of_objectives_equal_brute_force(d):
    for number in range(25):
        assert check_escape(number, d) == ""
        if d > 1:
            assert check_offspring(number, d) == ""
            assert check_filling(number, d) == ""


# --- Whole paths.


def test_fronts_are_filled_where_a_visit_takes_long(monkeypatch):
    monkeypatch.setattr(planning, "FILL_WORK", 1.0)
    monkeypatch.setattr(planning, "LEAST_ROWS", 3)
    found = pb.solve(SMALL, method="pls", max_climbs=60, seed=3)
    assert_array_equal(found.F, pb.exact_front(SMALL).F)


@pytest.mark.parametrize("method", ["path", "pls"])
@pytest.mark.parametrize(
    "slice_", [1, pytest.param(7, marks=pytest.mark.bounds), 1 << 20]
)
@pytest.mark.parametrize("limit", [{"max_climbs": 40}, {"max_moves": 4001}], ids=str)
def test_slices_and_room_change_nothing(monkeypatch, method, slice_, limit):
    how = {"method": method, "breadth": 4, "seed": 3} | limit
    expected = fingerprint(pb.solve(SMALL, **how))
    monkeypatch.setattr(searcher, "FIRST_SLICE", slice_)
    monkeypatch.setattr(searcher, "next_slice", lambda *_: slice_)
    assert fingerprint(pb.solve(SMALL, **how)) == expected
    monkeypatch.setattr(searcher, "ROOM", 5)
    assert fingerprint(pb.solve(SMALL, **how)) == expected


@pytest.mark.parametrize("method", ["path", "pls"])
@pytest.mark.parametrize("d", [2, pytest.param(3, marks=pytest.mark.long)])
def test_workers_change_nothing_where_escapes_report(method, d):
    """Workers have archives of their own, which know less than the run's."""
    landscape = ring(n=40, K=2, seed=2, d=d)
    how = {"method": method, "max_climbs": 40, "seed": 4, "breadth": 8}
    expected = fingerprint(pb.solve(landscape, **how))
    for workers in (2, 3):
        result = pb.solve(landscape, **how, workers=workers)
        assert fingerprint(result) == expected


def test_breadth_is_part_of_what_makes_a_run_and_workers_are_not():
    runs = [pb.solve(SMALL, max_climbs=30, seed=4, breadth=b) for b in (1, 2, 5)]
    assert len({fingerprint(run) for run in runs}) == 3
    assert [run.config["breadth"] for run in runs] == [1, 2, 5]
    two = pb.solve(SMALL, max_climbs=30, seed=4, breadth=5, workers=2)
    assert fingerprint(two) == fingerprint(runs[2])
    assert pb.solve(SMALL, max_climbs=1).config["breadth"] == 16
    assert pb.solve(WIDER, max_climbs=1).config["breadth"] == 4
    for d, breadth in ((1, 16), (3, 32)):
        landscape = ring(n=9, K=1, seed=1, d=d)
        assert METHOD.breadth(landscape) == breadth


@pytest.mark.parametrize("wrong", [0, -3, 2.5, "4", True, 1 << 17])
def test_a_wrong_breadth_is_refused_in_one_line(wrong):
    with pytest.raises((TypeError, ValueError)) as caught:
        pb.solve(SMALL, max_climbs=1, breadth=wrong)
    assert_one_line(caught, "breadth", str(wrong).strip("'").replace("131072", "131"))


@pytest.mark.parametrize(
    "radius",
    [
        pytest.param(1, marks=pytest.mark.bounds_long),
        pytest.param(3, marks=pytest.mark.bounds),
    ],
)
def test_room_suffices_where_every_variable_is_a_component(monkeypatch, radius):
    """All of them at odds, so that two solutions have as many offspring as can be."""
    rng = np.random.default_rng(1)
    ones = [((j,), [0, int(v)]) for j, v in enumerate(rng.integers(1, 99, 60))]
    zeros = [((j,), [int(v), 0]) for j, v in enumerate(rng.integers(1, 99, 60))]
    landscape = pb.Landscape.from_subfunctions(60, [ones, zeros])
    budget = {"max_moves": 20_000, "seed": 1, "radius": radius}
    expected = pb.solve(landscape, **budget)
    monkeypatch.setattr(searcher, "ROOM", 5)
    assert fingerprint(pb.solve(landscape, **budget)) == fingerprint(expected)
    assert_array_equal(landscape.evaluate(expected.X), expected.F)


@pytest.mark.parametrize("moves", [1, 100, 20_011])
@pytest.mark.parametrize("workers", [1, 3])
def test_moves_are_counted_exactly(moves, workers):
    result = pb.solve(WIDER, max_moves=moves, seed=2, workers=workers)
    assert result.moves == moves
    alone = pb.solve(WIDER, max_moves=moves, seed=2)
    assert fingerprint(result) == fingerprint(alone)


@pytest.mark.parametrize(
    "how",
    [
        {"radius": 1},
        {"radius": 3},
        {"selection": "best"},
        {"selection": "uniform"},
        {"climb": "strong-only"},
        {"weights": [1, 3]},
        {"weights": [[1, 3], [3, 1]]},
        {"weights": "independent"},
        {"max_archive": 7},
    ],
    ids=str,
)
def test_options_hold_for_paths_whatever_the_workers(how):
    alone = pb.solve(SMALL, max_climbs=9, seed=4, **how)
    two = pb.solve(SMALL, max_climbs=9, seed=4, workers=2, **how)
    assert fingerprint(alone) == fingerprint(two)
    assert_array_equal(SMALL.evaluate(alone.X), alone.F)
    assert list(map(tuple, alone.F.tolist())) == naive.pareto_front(alone.F)


def test_weights_in_one_direction_find_its_best():
    for weights in ([1, 3], [5, 2]):
        best = (naive.full_table(ring(n=14, K=2, seed=3)) @ weights).max()
        result = pb.solve(
            ring(n=14, K=2, seed=3), max_climbs=4, weights=weights, seed=1
        )
        assert (result.F @ weights).max() == best


def test_simplex_is_what_paths_do_without_weights():
    planned = pb.solve(SMALL, max_climbs=9, seed=4)
    named = pb.solve(SMALL, max_climbs=9, seed=4, weights="simplex")
    assert fingerprint(planned) == fingerprint(named)


def test_given_starts_are_reported_all():
    front = pb.solve(WIDER, max_climbs=6, seed=1)
    again = pb.solve(WIDER, max_moves=1, seed=2, start=front.X)
    assert set(map(tuple, front.F.tolist())) <= set(map(tuple, again.F.tolist()))
    assert_array_equal(WIDER.evaluate(again.X), again.F)


def test_the_first_paths_begin_where_they_are_told():
    starts = np.random.default_rng(1).integers(0, 2, (3, SMALL.n)).astype(np.uint8)
    follower = searcher_of(SMALL, starts)
    plan, archive = _Rounds(SMALL, Asked(None, 1, 1, 4)), Archive(2)
    plan.advance(archive, 0)
    for number in range(1, 3):
        follower.begin(archive, number, plan.tasks(Block(number, 1)).row(0))
        assert_array_equal(follower.state.x, starts[number])
    follower.begin(archive, 0, plan.tasks(Block(0, 1)).row(0))
    assert_array_equal(follower.state.x, starts[0])


@pytest.mark.plain
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_first_path_passes_by_all_starts_and_begins_at_the_first(count):
    starts = np.random.default_rng(1).integers(0, 2, (count, SMALL.n)).astype(np.uint8)
    follower = searcher_of(SMALL, starts)
    plan, archive = _Rounds(SMALL, Asked(None, 1, 1, 4)), Archive(2)
    plan.advance(archive, 0)
    task = plan.tasks(Block(0, 1)).row(0)
    first = unpacked_bits(follower.begin(archive, 0, task), SMALL.n)
    assert_array_equal(first, starts[-1])
    _, flips = journal_of(follower)
    points = archive.points()
    assert sorted(points.fx.tolist()) == sorted(
        map(list, naive.pareto_front(SMALL.inside(SMALL.evaluate(starts))))
    )
    X = replay(first, flips.astype(np.int64), points.step)
    assert_array_equal(SMALL.inside(SMALL.evaluate(X)), points.fx)
    assert not points.unit.any()
    assert not points.optimum.any()
    assert_array_equal(replay(first, flips, np.array([len(flips)]))[0], starts[0])
    told = task.known._replace(rows=starts[:1] ^ 1, values=points.fx[:1])
    known = task._replace(known=told)
    follower.begin(archive, 1, known)  # what is known comes before what is given
    assert_array_equal(follower.state.x, starts[0] ^ 1)


@pytest.mark.plain
@pytest.mark.parametrize("unit", [1, 0.25])
@pytest.mark.parametrize("sense", [["max", "min"], ["min", "max"], ["min", "min"]])
def test_starts_are_passed_by_in_any_sense_and_unit(unit, sense):
    rng = np.random.default_rng(2)
    tables = rng.integers(-9, 10, (2, 8, 2)) * unit
    objectives = [[((j,), list(t)) for j, t in enumerate(some)] for some in tables]
    landscape = pb.Landscape.from_subfunctions(8, objectives, sense)
    starts = rng.integers(0, 2, (9, 8)).astype(np.uint8)
    follower, archive = searcher_of(landscape, starts), Archive(2)
    plan = _Rounds(landscape, Asked(None, 1, 1, 4))
    plan.advance(archive, 0)
    follower.begin(archive, 0, plan.tasks(Block(0, 1)).row(0))
    front = naive.pareto_front(landscape.evaluate(starts), sense)
    assert len(front) > 1
    shown = landscape.shown(archive.points().fx)
    assert sorted(map(tuple, shown.tolist())) == sorted(front)


@pytest.mark.plain
@pytest.mark.parametrize(("n", "d", "rows"), [(512, 2, 2), (513, 2, 0), (9, 1, 0)])
def test_escapes_report_where_variables_are_few_and_objectives_several(n, d, rows):
    follower = searcher_of(ring(n=n, K=1, seed=1, d=d))
    turns = np.ones((turns_of(d), d), np.int64)
    for values in (np.array([[5, 1], [2, 7]])[:, :d], np.zeros((0, d), np.int64)):
        X = np.zeros((len(values), n), np.uint8)
        told = Known(X, values, np.zeros(len(values), np.uint8))
        follower.begin(Archive(d), 1, Task(PATH, 1, turns, told))
        expected = [[2, 7], [5, 1]] if len(values) else [follower.state.fx.tolist()]
        assert follower.unit.front.values.tolist() == expected[:rows]
        assert follower.unit.front.values.shape[1] == d


@pytest.mark.parametrize(
    "how",
    [{"max_archive": 50}, pytest.param({"max_moves": 10**9}, marks=pytest.mark.long)],
    ids=str,
)
def test_one_worker_of_a_short_bounded_run_brings_what_it_has(monkeypatch, how):
    """Long before the first path is over, and where loose ends are left alone."""
    landscape = pb.mnk(n=30_000, K=3, seed=1)
    keep_time(monkeypatch, Ticks())
    keep_pace(monkeypatch, moves=1000, block_seconds=0.0)
    here = work_here(monkeypatch)
    result = pb.solve(
        landscape, time_limit=100, workers=2, executor=here, seed=1, **how
    )
    assert (result.status, result.climbs) == ("time is up", 0)
    assert len(result) > 10
    assert_array_equal(landscape.evaluate(result.X), result.F)


def test_sums_past_64_bits_are_left_to_the_papers_search():
    huge = [((j,), [0, 2**58]) for j in range(8)]
    landscape = pb.Landscape.from_subfunctions(8, [huge, huge, huge])
    with pytest.raises(OverflowError, match="method='multistart' needs less"):
        pb.solve(landscape, radius=1, max_climbs=1)
    assert pb.solve(landscape, "multistart", radius=1, max_climbs=1).climbs == 1


def test_every_end_of_a_climb_is_marked_as_one():
    result = pb.solve(SMALL, max_climbs=8, seed=3)
    marked = [x for x, optimum in zip(result.X, result.optimum) if optimum]
    assert len(marked) > 5
    for x in marked:
        assert naive.is_local_optimum(SMALL, x, 1)


def test_a_path_finds_small_fronts_whole():
    for seed in range(3):
        landscape = ring(n=10, K=3, seed=seed, d=3)
        front = naive.pareto_front(naive.full_table(landscape))
        result = pb.solve(landscape, max_climbs=300, seed=seed)
        assert list(map(tuple, result.F.tolist())) == front


def test_paths_beat_multi_start_in_as_many_moves():
    multi = pb.solve(WIDER, "multistart", max_moves=300_000, seed=1)
    paths = pb.solve(WIDER, "path", max_moves=300_000, seed=1)
    assert paths.hypervolume() > 1.05 * multi.hypervolume()


# --- What is kept of paths.


@pytest.mark.plain
@given(plains(max_n=6), st.data())
@settings(max_examples=100)
def test_trails_keep_what_flips_come_to(plain, data):
    n = plain.n
    flips = data.draw(st.lists(st.integers(0, n - 1), max_size=30))
    steps = data.draw(st.sets(st.integers(0, len(flips)), min_size=1))
    ends = np.array(sorted(steps))
    x = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    x = x.astype(np.uint8)
    trail = Trail.along(x, np.array(flips, np.int32), ends, ends)
    expected = replay(x.astype(bool), np.array(flips, np.int64), ends)
    assert_array_equal(trail.unpacked(ends, n), expected)
    kept = ends[:: data.draw(st.integers(1, 3))]
    fewer = trail.only(kept, n)
    assert_array_equal(fewer.unpacked(kept, n), expected[np.isin(ends, kept)])
    assert len(fewer.flips) <= n * len(kept)


@pytest.mark.parametrize("method", ["path", "pls"])
def test_a_unit_cut_at_any_move_has_the_solutions_of_its_reports(method):
    landscape, asked = ring(n=12, K=2, seed=1), Asked(None, 1, 1, 1)
    follower, last = searcher_of(landscape), 0
    plan, known = _Rounds(landscape, asked, inf), Archive(2)
    first = {"path": 0, "pls": 3}[method]
    for number in range(first + 1):
        plan.advance(known, number)
        block = Block(number, 1)
        tasks = plan.tasks(block)
        follower.run(known, block, tasks, UNLIMITED, lambda _: False)
    assert tasks.kinds[0] == first % 2
    for moves in range(1, 120):
        archive = Archive(2)
        done = follower.run(archive, block, tasks, moves, lambda _: False)
        assert done.moves == min(moves, done.moves)
        assert done.units == (done.moves < moves)
        found = [list(naive.evaluate(landscape, x)) for x in archive.X]
        assert archive.F.tolist() == found
        end = follower.unit.clock.flipped
        last += bool((archive.points().step == end).any())
    assert last > 0 or method == "pls"  # which flips back what it has looked at


def test_trails_are_trimmed_without_loss(monkeypatch):
    expected = pb.solve(WIDER, max_climbs=12, seed=1)
    monkeypatch.setattr("paretoball.archive.archive.MANY", 100)
    trimmed = pb.solve(WIDER, max_climbs=12, seed=1)
    assert fingerprint(trimmed) == fingerprint(expected)


# --- Fronts that cannot grow, and objectives far from 0.


TINY = ring(n=6, K=2, seed=2)
MANY_CLIMBS = 10**6  # which nobody waits for, unless a run ends by itself


@pytest.mark.parametrize("method", ["path", "pls"])
def test_a_run_of_few_variables_ends_once_its_front_is_whole(tmp_path, method):
    how = {"method": method, "seed": 1, "breadth": 4}
    whole = pb.solve(TINY, max_climbs=MANY_CLIMBS, **how)
    assert whole.status == "the front is whole: all solutions were looked at"
    assert "the front is whole: all solutions were looked at after" in repr(whole)
    assert not whole.failed
    assert 60 < whole.climbs < 200
    assert_array_equal(whole.F, pb.exact_front(TINY).F)
    for workers in (2, 3):
        other = pb.solve(TINY, max_climbs=MANY_CLIMBS, workers=workers, **how)
        assert (other.status, fingerprint(other)) == (whole.status, fingerprint(whole))
        assert (other.climbs, other.moves) == (whole.climbs, whole.moves)
    for before in (whole.climbs - 5, whole.climbs):
        file = tmp_path / f"{before}.npz"
        part = pb.solve(TINY, max_climbs=before, checkpoint=file, **how)
        assert (part.climbs, part.status) == (before, "climbs done")
        for _ in range(2):  # at its end it stays there
            again = pb.resume(file, max_climbs=MANY_CLIMBS)
            assert again.status == whole.status
            assert (again.climbs, again.moves) == (whole.climbs, whole.moves)
            assert fingerprint(again) == fingerprint(whole)
        verified = pb.verify(TINY, file)
        assert verified.failures == []
        assert "that no point of the front is missing" in verified.unchecked


def test_a_run_whose_front_is_cut_does_not_say_that_it_is_whole():
    assert len(pb.exact_front(TINY)) > 2
    how = {"method": "path", "max_climbs": 150, "seed": 1, "breadth": 4}
    assert pb.solve(TINY, **how).climbs < 150
    result = pb.solve(TINY, **how, max_archive=2)
    assert (result.climbs, result.status) == (150, "climbs done")


@pytest.mark.parametrize(("d", "method"), [(2, "path"), (2, "pls"), (3, "path")])
def test_a_constant_changes_nothing_but_values(monkeypatch, d, method):
    """Of known solutions, the best for w are the same, wherever objectives lie.

    With three objectives they are compared as floats, which are rounded in both cases:
    both have to be compared by what they are beyond others.
    """
    if d == 3:
        monkeypatch.setattr(planning, "LARGE", -1)
    plain, how = ring(n=30, K=2, seed=3, d=d), {"max_climbs": 40, "breadth": 4}
    far = shifted(plain, [2**57, -(2**57), 2**55][:d])
    here = pb.solve(plain, method=method, seed=1, **how)
    there = pb.solve(far, method=method, seed=1, **how)
    assert_array_equal(there.X, here.X)
    assert_array_equal(there.climb, here.climb)
    assert_array_equal(there.step, here.step)
