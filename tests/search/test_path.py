"""Paths against the definitions: escapes, offspring, plans, and what is kept."""

import shutil

import numpy as np
import pytest
from disturbed import fingerprint
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from trips import check_escape, check_offspring, replay, searcher_of, two_objectives

import naive
import paretoball as pb
from clocks import Ticks, keep_pace, keep_time, work_here
from landscapes import plains, random_solution, ring
from paretoball._jit import kernel
from paretoball.archive.archive import Archive
from paretoball.archive.trails import Trail
from paretoball.climber.precision import score_bounds
from paretoball.crossover.components import list_flipped, new_component_space, shorten
from paretoball.landscape.subfunctions import EXACT
from paretoball.search.method import Block
from paretoball.search.path import searcher
from paretoball.search.path.escape import (
    EXPONENTIAL,
    FEWEST_SWEEPS,
    HOTTEST,
    MILDEST,
    MOST_SWEEPS,
    forget_large_moves,
    is_taken,
    next_heat,
    sweeps_of,
)
from paretoball.search.path.planning import (
    FEWEST,
    MOST,
    Rounds,
    _find_best,
    _list_corners,
)

taken_now, forget_now = kernel(is_taken), kernel(forget_large_moves)

SMALL = ring(n=40, K=2, seed=2)
WIDER = pb.mnk(n=1500, K=3, model="random", seed=4)


# --- Escapes and offspring, by brute force.


@pytest.mark.plain
@pytest.mark.bounds
def test_an_escape_keeps_what_is_better_of_each_component():
    for number in range(40):
        assert check_escape(number) == ""


@pytest.mark.plain
@pytest.mark.bounds
def test_offspring_along_a_path_are_exact_and_hold_the_hull():
    for number in range(40):
        assert check_offspring(number) == ""


@pytest.mark.plain
@pytest.mark.parametrize("selection", ["next", "best", "uniform"])
def test_large_moves_that_were_forgotten_come_back_exact(selection):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        landscape = two_objectives(rng)
        climber = pb.Climber(landscape, 3, selection)
        climb = climber.start(random_solution(rng, landscape.n), seed=seed).run()
        forget_now(climber.move_set, climb._state)
        climb.flip([0]).run()
        assert_array_equal(
            climb.scores, naive.scores(landscape, climber.moves, climb.x)
        )
        assert climb.is_local_optimum


def test_flips_are_taken_as_metropolis_says():
    climb = pb.Climber(ring(n=9, K=1, seed=1), 1).start(seed=1)
    state = climb._state
    state.scores[:2] = (-3, 0)
    state.w[:] = 1
    for temperature in (1.0, 3.0, 12.0):
        taken = [taken_now(state, EXPONENTIAL, 0, temperature) for _ in range(20_000)]
        assert np.mean(taken) == pytest.approx(np.exp(-3 / temperature), abs=0.015)
    state.scores[:2] = (0, 0)
    assert all(taken_now(state, EXPONENTIAL, 0, 1.0) for _ in range(100))
    state.scores[:2] = (-1, 0)
    assert not any(taken_now(state, EXPONENTIAL, 0, 0.01) for _ in range(1000))


def test_heat_falls_when_most_of_an_escape_is_one_try():
    heat = kernel(next_heat)
    assert heat(0.2, 10, 100) < 0.2 < heat(0.2, 1, 100)
    assert heat(MILDEST, 100, 100) == MILDEST
    assert heat(HOTTEST, 0, 100) == HOTTEST
    sweeps = [sweeps_of(number) for number in range(1000)]
    assert sweeps == sorted(sweeps)
    assert (sweeps[0], sweeps[-1]) == (FEWEST_SWEEPS, MOST_SWEEPS)


# --- Whole paths.


@pytest.mark.plain
@pytest.mark.bounds
def test_paths_end_in_what_they_say():
    """Also as plain Python: the same numbers, whoever computes them."""
    result = pb.solve(SMALL, max_moves=700, seed=1)
    assert_array_equal(result.F, [naive.evaluate(SMALL, x) for x in result.X])
    assert list(map(tuple, result.F.tolist())) == naive.pareto_front(result.F)
    assert (result.moves, fingerprint(result)[:12]) == (700, "7008196a1558")


@pytest.mark.parametrize(
    "slice_", [1, pytest.param(7, marks=pytest.mark.bounds), 1 << 20]
)
def test_slices_change_nothing(monkeypatch, slice_):
    expected = fingerprint(pb.solve(SMALL, max_climbs=6, seed=3))
    monkeypatch.setattr(searcher, "FIRST_SLICE", slice_)
    monkeypatch.setattr(searcher, "next_slice", lambda *_: slice_)
    assert fingerprint(pb.solve(SMALL, max_climbs=6, seed=3)) == expected


@pytest.mark.bounds
@pytest.mark.parametrize("radius", [1, 3])
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
        result = pb.solve(ring(n=14, K=2, seed=3), max_climbs=4, weights=weights)
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
    plan, archive = Rounds(SMALL, None, 1), Archive(2)
    plan.advance(archive, 0)
    for number in range(3):
        follower._begin(archive, number, plan.planned.row(number))
        assert_array_equal(follower.state.x, starts[number])


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
        result = pb.solve(landscape, max_climbs=40, seed=seed)
        assert list(map(tuple, result.F.tolist())) == front


def test_paths_beat_multi_start_in_as_many_moves():
    multi = pb.solve(WIDER, "multistart", max_moves=300_000, seed=1)
    paths = pb.solve(WIDER, "path", max_moves=300_000, seed=1)
    assert paths.hypervolume() > 1.05 * multi.hypervolume()


# --- Plans.


@pytest.mark.plain
@pytest.mark.bounds
@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1),
)
@settings(max_examples=200)
def test_corners_are_those_of_the_hull(points):
    front = np.array(naive.pareto_front(points))
    front = front[np.lexsort(front.T[::-1])]
    corners = np.empty(len(front), np.int64)
    found = corners[: _list_corners(front, corners)]
    rows = set(map(tuple, front[found].tolist()))
    assert rows == naive.hull_corners(points, ("max", "max"))


@pytest.mark.plain
def test_the_best_row_for_weights_is_the_first_of_the_best():
    fx = np.array([[0, 5], [2, 3], [3, 2], [5, 0]])
    weights = np.array([[1, 1], [1, 3], [9, 1], [2, 2]])
    best = np.empty(4, np.int64)
    _find_best(fx, weights, best)
    assert best.tolist() == [0, 0, 3, 0]


@pytest.mark.parametrize("d", [1, 2, 3])
def test_rounds_grow_and_their_weights_are_exact(d):
    landscape = ring(n=20, K=2, seed=1, d=d)
    archive = pb.solve(landscape, max_climbs=FEWEST, seed=1)
    spread = score_bounds(landscape, landscape.n).astype(float)
    filled = Archive(d)
    filled.merge(archive_of(landscape, archive))
    plan, number, sizes = Rounds(landscape, None, 7), 0, []
    for _ in range(40):
        plan.advance(filled if number else Archive(d), number)
        weights = plan.planned.weights
        assert weights.shape == (len(plan.planned), 2, d)
        assert weights.min() >= 1
        assert (weights * spread).sum(axis=2).max() < 2 * EXACT
        sizes.append(len(plan.planned))
        number = plan.round.end
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (FEWEST, MOST)


def archive_of(landscape: pb.Landscape, result: pb.Result) -> Archive:
    archive = Archive(landscape.d)
    for fx, x in zip(landscape.inside(result.F), result.X):
        archive.report(fx, x)
    return archive


def test_paths_begin_at_the_best_known_for_their_weights():
    result = pb.solve(SMALL, max_climbs=FEWEST, seed=1)
    archive = archive_of(SMALL, result)
    plan = Rounds(SMALL, None, 7)
    plan.advance(archive, FEWEST)
    fx = archive.points().fx
    for at in range(len(plan.planned)):
        near, far, start, goal = plan.planned.row(at)
        for w, x in ((near, start), (far, goal)):
            value = SMALL.inside(SMALL.evaluate(x)) @ w.astype(float)
            assert value == (fx @ w.astype(float)).max()


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


def test_shortened_flips_change_nothing_but_steps():
    """They lead where all of them led, and components come in the same order."""
    rng = np.random.default_rng(1)
    space = new_component_space(SMALL.cliques)
    shorten_now, list_now = kernel(shorten), kernel(list_flipped)
    for _ in range(200):
        flips = rng.integers(0, SMALL.n, 90).astype(np.int32)
        first, last = sorted(rng.integers(0, 91, 2).tolist())
        short = flips.copy()
        end = shorten_now(space, short, first, last)
        assert not space.marks.any()
        assert end - first <= 2 * len(set(flips[first:last].tolist()))
        changed = []
        for log, until in ((flips, last), (short, end)):
            count = list_now(space, log, first, until)
            changed.append(space.changed[:count].tolist())
            space.marks[:] = 0
        assert changed[0] == changed[1]
        assert_array_equal(flips[:first], short[:first])


def test_paths_stopped_again_and_again_lead_where_they_say(monkeypatch, tmp_path):
    """Also earlier than before, in an escape whose flips were shortened then."""
    monkeypatch.setattr(searcher, "sweeps_of", lambda number: 300 if number else 8)
    done = pb.solve(WIDER, max_climbs=1, seed=3).moves
    saved = tmp_path / "saved.npz"
    pb.solve(WIDER, max_moves=done + 150_000, seed=3, checkpoint=saved)
    for moves in (4_000, 60_000, 125_000, 126_500, 128_000, 135_500):
        run = shutil.copy(saved, tmp_path / f"{moves}.npz")
        result = pb.resume(run, max_moves=done + moves)
        assert_array_equal(WIDER.evaluate(result.X), result.F)


def test_a_path_cut_at_any_move_has_the_solution_of_its_very_last_report():
    landscape, last = ring(n=12, K=2, seed=1), 0
    follower = searcher_of(landscape)
    plan = Rounds(landscape, None, 1)
    plan.advance(Archive(2), 0)
    for moves in range(1, 120):
        archive, block = Archive(2), Block(0, 1)
        done = follower.run(archive, block, plan.tasks(block), moves, lambda _: False)
        assert done.moves == moves
        assert_array_equal(archive.F, [naive.evaluate(landscape, x) for x in archive.X])
        flips = len(follower._settled_flips())
        last += bool((archive.origins().step == flips).any())
    assert last > 2


def test_trails_are_trimmed_without_loss(monkeypatch):
    expected = pb.solve(WIDER, max_climbs=12, seed=1)
    monkeypatch.setattr("paretoball.archive.archive.MANY", 100)
    trimmed = pb.solve(WIDER, max_climbs=12, seed=1)
    assert fingerprint(trimmed) == fingerprint(expected)
