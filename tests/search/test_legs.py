"""Legs of a path: after every turn, moves are filed as if a climb began there."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from layouts import every_climber
from paretoball._jit import kernel
from paretoball.archive.archive import Archive
from paretoball.climber.buckets import LEVELS, NO_MOVE
from paretoball.climber.climb import add_now, climb_now, start_now
from paretoball.climber.scores import (
    LOGGED,
    REPORTS,
    STEP,
    TIER,
    ClimbState,
    file_anew,
    flip_unfiled,
)
from paretoball.search.method import Asked
from paretoball.search.path import searcher
from paretoball.search.path.journal import FLIPPED
from paretoball.search.path.legs import (
    HEATING,
    LEG,
    MEETING,
    MET,
    PHASE,
    TAKEN,
    PathState,
    _arrive,
    _end_leg,
    _has_room,
    _next_known,
    follow,
    legs_of,
    spare_flips,
    spare_reports,
)
from paretoball.search.path.tasks import FAN, PATH, Task

end_leg_now, next_known_now = kernel(_end_leg), kernel(_next_known)
unfiled_now, anew_now = kernel(flip_unfiled), kernel(file_anew)
N, STEPS = 14, 3
MANY = 1 << 22  # the work after which a path has to return
NO_STARTS = np.empty((0, 200), np.uint8)

every_kind = pytest.mark.parametrize(
    ("d", "radius", "selection"),
    [
        pytest.param(2, 2, "next", marks=pytest.mark.bounds),
        pytest.param(2, 3, "next", marks=pytest.mark.bounds),
        pytest.param(2, 3, "best", marks=pytest.mark.bounds),
        (3, 2, "next"),
        (3, 3, "best"),
    ],
)


def begun(
    d: int, radius: int, selection: str, seed: int, climb: str = "full"
) -> searcher.PathSearcher:
    """A path that has just begun, with few legs and two known solutions."""
    rng = np.random.default_rng(seed)
    landscape = ring(n=N, K=2, seed=seed, d=d)
    climber = pb.Climber(landscape, radius, selection, climb=climb)
    asked = Asked(None, seed, radius, 4)
    follower = searcher.PathSearcher(climber, asked, np.empty((0, N), np.uint8))
    turns = np.array([[45, 45, 9], [1, 90, 9], [90, 1, 40]])[:, :d]
    known = rng.integers(0, 2, (2, N)).astype(np.uint8)
    values = landscape.inside(np.array([landscape.evaluate(x) for x in known]))
    task = Task(PATH, 0, turns, known, values, np.zeros(2, np.uint8))
    follower.begin(Archive(d), 0, task)
    follower.path = follower.path._replace(steps=STEPS)
    follower._make_room(0)
    return follower


def one_move_on(follower: searcher.PathSearcher, archive: Archive) -> PathState:
    """Go on for one move, or until it is time to return; where the path is then."""
    climber, state = follower.climber, follower.state
    follower.reporting.take_over(state, archive)
    follower._make_room(int(follower.path.clock[FLIPPED]))
    path = follower.path
    last = path.clock[TAKEN] + 1
    kernels = (climber.cliques, follower.graph, climber.move_set, state)
    follow(*kernels, follower.space, path, last)
    return path


def classes(climber: pb.Climber, state: ClimbState) -> dict[tuple[int, ...], set[int]]:
    """The moves of each list that selection picks from."""
    found: dict[tuple[int, ...], set[int]] = {}
    buckets, tier_at = state.buckets, climber.move_set.tier_at
    if buckets.by_gain:
        for bucket, move in enumerate(buckets.heads):
            while move != NO_MOVE:
                found.setdefault((bucket,), set()).add(int(move))
                move = buckets.links[1, move]
        return found
    for kind in (1, 2):
        for size in range(1, climber.radius + 1):
            first = tier_at[size]
            members = buckets.members[
                kind - 1, first : first + buckets.counts[kind, size]
            ]
            assert len(set(members.tolist())) == len(members)
            found[kind, size] = set(members.tolist())
    return found


def assert_filed_like_a_fresh_climb(climber: pb.Climber, state: ClimbState) -> None:
    """Scores and lists are those of a climb that begins at this x, with this w."""
    fresh = climber.new_state(journal=1, reports=1)
    fresh.x[:], fresh.w[:] = state.x, state.w
    start_now(climber.cliques, climber.move_set, fresh)
    while fresh.clock[TIER] < state.clock[TIER]:
        add_now(climber.cliques, climber.move_set, fresh)
    scored = climber.move_set.tier_at[state.clock[TIER] + 1]
    d = climber.landscape.d
    assert_array_equal(state.scores[: scored * d], fresh.scores[: scored * d])
    assert_array_equal(state.fx, fresh.fx)
    assert_array_equal(state.buckets.bucket[:scored], fresh.buckets.bucket[:scored])
    assert not state.buckets.bucket[scored:].any()
    assert classes(climber, state) == classes(climber, fresh)


@pytest.mark.plain
@every_kind
def test_a_turn_files_moves_of_every_size_anew(d, radius, selection):
    """And halfway the path is back where its first leg ended."""
    changed = set()
    for seed in range(4):
        follower = begun(d, radius, selection, seed)
        climber, state, path = follower.climber, follower.state, follower.path
        for leg in range(1, 1 + 2 * STEPS):
            state.clock[[STEP, LOGGED, REPORTS]] = 0
            climb_now(climber.cliques, climber.move_set, state, 1000)
            assert state.clock[TIER] == radius
            before, x = state.buckets.bucket.copy(), state.x.copy()
            path.clock[LEG] = leg - 1
            end_leg_now(climber.cliques, climber.move_set, state, path)
            assert_filed_like_a_fresh_climb(climber, state)
            turned = np.flatnonzero(before != state.buckets.bucket)
            changed |= {len(climber.moves[v]) for v in turned.tolist()}
            assert_array_equal(state.x, path.middle if leg == STEPS + 1 else x)
            end, step = (1, leg) if leg <= STEPS else (2, leg - STEPS)
            way = path.turns[end] - path.turns[0]
            assert_array_equal(state.w, path.turns[0] + way * step // STEPS)
    assert changed == set(range(1, radius + 1))  # or this test would say little


@pytest.mark.parametrize("is_turned", [True, False])
@pytest.mark.parametrize("d", [pytest.param(2, marks=pytest.mark.bounds), 4])
def test_a_fan_has_a_leg_for_each_direction_and_heat_where_none_is_new(d, is_turned):
    n = 200
    landscape = ring(n=n, K=2, seed=3, d=d)
    climber = pb.Climber(landscape, 1)
    follower = searcher.PathSearcher(climber, Asked(None, 3, 1, 4), NO_STARTS)
    rng = np.random.default_rng(3)
    turns = rng.integers(1, 99, (FAN, d)) if is_turned else np.ones((FAN, d), np.int64)
    known = rng.integers(0, 2, (6, n)).astype(np.uint8)
    values = landscape.inside(np.array([landscape.evaluate(x) for x in known]))
    task = Task(PATH, 0, turns, known, values, np.zeros(6, np.uint8))
    archive = Archive(d)
    follower.path = follower.path._replace(turns=turns.copy())  # d = 2 has none
    follower.begin(archive, 0, task)
    follower.path = follower.path._replace(steps=0)
    state, path = follower.state, follower.path
    assert legs_of(path) == FAN
    heated, weights = set(), {}
    while path.clock[LEG] < FAN:
        leg = int(path.clock[LEG])
        weights[leg] = state.w.tolist()
        if path.clock[PHASE] == HEATING:
            heated.add(leg)
        path = one_move_on(follower, archive)
    assert all(w == turns[leg].tolist() for leg, w in weights.items())
    assert 0 in heated
    assert (len(heated) == 1) == is_turned
    assert_filed_like_a_fresh_climb(climber, state)


@pytest.mark.parametrize(("n", "is_all"), [(512, True), (513, False)])
def test_with_many_objectives_and_variables_only_local_optima_are_reported(n, is_all):
    landscape = pb.mnk(n=n, K=1, d=4, seed=1)
    result = pb.solve(landscape, method="path", max_climbs=2, seed=1)
    assert result.optimum.any()
    assert is_all == (~result.optimum & (result.step > 0)).any()
    assert_array_equal(landscape.evaluate(result.X), result.F)


@pytest.mark.parametrize("climb", ["full", "strong-only"])
@every_kind
def test_moves_are_filed_right_at_every_move_of_a_path(d, radius, selection, climb):
    """Except in escapes, which file nothing."""
    follower = begun(d, radius, selection, 5, climb)
    climber, state, path = follower.climber, follower.state, follower.path
    legs, strong = set(), 0
    while path.clock[LEG] < 1 + 2 * STEPS:
        path = one_move_on(follower, Archive(d))
        legs.add(int(path.clock[LEG]))
        if path.clock[PHASE] == HEATING:
            d = climber.landscape.d
            fresh = climber.start(state.x)
            assert_array_equal(
                state.scores[: N * d].reshape(N, d),
                climber.landscape.inside(fresh.scores[:N]),
            )
            continue
        assert_filed_like_a_fresh_climb(climber, state)
        strong += int((state.buckets.bucket > LEVELS).sum())
    assert {0, 1 + 2 * STEPS} < legs  # and some take no move
    assert strong > 0


@pytest.mark.plain
@pytest.mark.bounds
@pytest.mark.parametrize("selection", ["next", "best"])
def test_flips_that_were_not_filed_end_like_a_fresh_climb(selection):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        cube = ring(n=N, K=2, seed=seed)
        pairs = ring(n=N, K=1, seed=seed)
        climbers = [pb.Climber(cube, radius, selection) for radius in (2, 3)]
        for landscape in (cube, pairs):
            climbers += every_climber(landscape, selection)
        for climber in climbers:
            climb = climber.start(rng.integers(0, 2, N), weights=[2, 3], seed=1).run()
            state = climb._state
            state.clock[TIER] = 1
            for j in rng.integers(0, N, 9).tolist():
                state.fx[:] += state.scores[2 * j : 2 * j + 2]
                unfiled_now(climber.cliques, climber.move_set, state, j)
            anew_now(climber.move_set, state)
            assert_filed_like_a_fresh_climb(climber, state)


@pytest.mark.plain
def test_the_best_known_solutions_come_first_however_large_their_values_are():
    """w · f would be just below 2^63 for some of them, and beyond it for others."""
    follower = begun(2, 2, "next", seed=1)
    values = np.array([[2**62 - 10, 0], [2**62 - 10, 100], [2**62 - 10, 50]])
    known, none = np.zeros((3, N), np.uint8), np.zeros(3, np.uint8)
    turns = np.array([[2, 1]] * 3)
    follower.begin(Archive(2), 0, Task(PATH, 0, turns, known, values, none))
    order = []
    for met in range(3):
        follower.path.clock[MET] = met
        order.append(next_known_now(follower.state, follower.path))
    assert order == [1, 2, 0]


def test_meetings_return_to_look_at_the_clock(monkeypatch):
    """With many variables each meeting takes long, and none of them takes a move."""
    n, rows = 50_000, 30
    landscape = ring(n=n, K=1, seed=1)
    asked = Asked(None, 1, 1, 4)
    follower = searcher.PathSearcher(pb.Climber(landscape, 1), asked, NO_STARTS[:, :0])
    known = np.zeros((rows, n), np.uint8)
    values = landscape.inside(landscape.evaluate(known))
    task = Task(PATH, 0, np.full((3, 2), 9), known, values, np.zeros(rows, np.uint8))
    archive, seen = Archive(2), []
    follower.begin(archive, 0, task)
    follower.path.clock[PHASE] = MEETING
    monkeypatch.setattr(searcher, "next_slice", lambda *_: 1 << 20)

    def is_enough(moves: int) -> bool:
        seen.append((moves, int(follower.path.clock[MET])))
        return follower.path.clock[PHASE] != MEETING

    assert not follower.go_on(task, archive, 0, 1 << 40, is_enough)
    met = [met for moves, met in seen if moves == 0]
    assert len(met) > 2
    assert np.diff(met).max() <= 1 + MANY // (8 * n)


@pytest.mark.plain
def test_where_there_is_room_a_meeting_at_odds_in_all_variables_can_be_noted():
    n = 7
    ones = [((j,), [0, 2]) for j in range(n)]
    zeros = [((j,), [1, 0]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(n, [ones, zeros])
    climber = pb.Climber(landscape, 1)
    nobody = np.empty((0, n), np.uint8)
    known = np.ones((1, n), np.uint8)
    values = landscape.inside(landscape.evaluate(known))
    task = Task(PATH, 0, np.ones((3, 2), np.int64), known, values, np.zeros(1, bool))
    noted = 0
    for less in range(-1, 2):
        for fewer in range(-1, 2):
            follower = searcher.PathSearcher(climber, Asked(None, 1, 1, 4), nobody)
            follower.begin(Archive(2), 0, task)
            state = follower.state._replace(journal=follower.state.journal[:0])
            state.x[:] = 0
            start_now(climber.cliques, climber.move_set, state)
            flips = np.zeros(spare_flips(n, 0, 1) - less, np.int32)
            path = follower.path._replace(flips=flips)
            path.clock[PHASE] = MEETING
            left = spare_reports(n, 0) - fewer
            state.clock[REPORTS] = len(state.notes.tags) - left
            if not _has_room(climber.move_set, state, path):
                continue
            kernels = (climber.cliques, follower.graph, climber.move_set, state)
            _arrive(*kernels, follower.space, path)
            assert path.clock[FLIPPED] == 3 * n
            assert state.clock[REPORTS] == len(state.notes.tags) - left + n + 1
            assert state.x.all()
            noted += 1
    assert noted > 0
