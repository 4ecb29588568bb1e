"""Legs of a path: after every turn, moves are filed as if a climb began there."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from trips import go_on_in_least_room, in_python, searcher_of

import paretoball as pb
from landscapes import ring
from layouts import every_climber
from paretoball._jit import kernel
from paretoball.archive.archive import Archive
from paretoball.climber.buckets import LEVELS, NO_MOVE, _ByGain
from paretoball.climber.climb import climb_now
from paretoball.climber.scores import (
    LOGGED,
    REPORTS,
    STEP,
    TIER,
    ClimbState,
    add_now,
    file_anew,
    flip,
    start_now,
)
from paretoball.search.path import engine, searcher
from paretoball.search.path.clock import (
    CLIMBING,
    ENOUGH,
    HEATING,
    LINING,
    MEETING,
    RETURNING,
)
from paretoball.search.path.engine import _step, go_on
from paretoball.search.path.legs import ARRIVAL, _end_leg, _next_known
from paretoball.search.path.searcher import Searcher
from paretoball.search.path.tasks import FAN, PATH, Known, Task
from paretoball.search.path.unit import Unit, next_chosen
from walkers import journal_of

anew_now = kernel(file_anew)
N, STEPS = 14, 3
LEGS = 1 + 2 * STEPS

every_kind = pytest.mark.parametrize(
    ("d", "radius", "selection"),
    [
        pytest.param(2, 2, "next", marks=pytest.mark.bounds),
        pytest.param(2, 3, "next", marks=pytest.mark.bounds_long),
        pytest.param(2, 3, "best", marks=pytest.mark.bounds_long),
        (3, 2, "next"),
        pytest.param(3, 3, "best", marks=pytest.mark.long),
    ],
)


@kernel
def unfiled_now(cliques, moves, state, j):
    """Flip j, and file nothing."""
    flip(cliques, moves, state, j, False)


def with_course(follower: Searcher, **changed: Any) -> None:
    """Let a path go elsewhere."""
    course = follower.unit.course._replace(**changed)
    follower.unit = follower.unit._replace(course=course)


def begun(
    d: int, radius: int, selection: str, seed: int, climb: str = "full"
) -> Searcher:
    """A path that has just begun, with few legs and two known solutions."""
    rng = np.random.default_rng(seed)
    landscape = ring(n=N, K=2, seed=seed, d=d)
    climber = pb.Climber(landscape, radius, selection, climb=climb)
    follower = searcher_of(landscape, climber=climber, seed=seed)
    turns = np.array([[45, 45, 9], [1, 90, 9], [90, 1, 40]])[:, :d]
    known = rng.integers(0, 2, (2, N)).astype(np.uint8)
    values = landscape.inside(np.array([landscape.evaluate(x) for x in known]))
    task = Task(PATH, 0, turns, Known(known, values, np.zeros(2, np.uint8)))
    follower.begin(Archive(d), 0, task)
    with_course(follower, steps=STEPS, stages=LEGS)
    follower.make_room()
    return follower


def one_move_on(follower: Searcher, archive: Archive) -> Unit:
    """Go on for one move, or until it is time to return; the unit then."""
    follower.take_over(follower.state, archive)
    follower.make_room()
    go_on(follower.ground, follower.unit, follower.unit.clock.taken + 1)
    return follower.unit


def classes(climber: pb.Climber, state: ClimbState) -> dict[tuple[int, ...], set[int]]:
    """The moves of each list that selection picks from."""
    found: dict[tuple[int, ...], set[int]] = {}
    buckets, tier_at = state.buckets, climber.move_set.tier_at
    if isinstance(buckets, _ByGain):
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
        climber, ground, clock = follower.climber, follower.ground, follower.unit.clock
        state = follower.state._replace(journal=np.zeros(1000, np.int32))
        unit = follower.unit._replace(state=state)
        for leg in range(1, LEGS):
            state.clock[[STEP, LOGGED, REPORTS]] = 0
            climb_now(climber.cliques, climber.move_set, state, 1000)
            assert state.clock[TIER] == radius
            before, x = state.buckets.bucket.copy(), state.x.copy()
            clock.stage, flipped, taken = leg - 1, clock.flipped, clock.taken
            _end_leg(ground, unit)
            while clock.next < clock.chosen or clock.phase == RETURNING:
                j = next_chosen(unit)
                if j == NO_MOVE:
                    j = engine._choose_anew(ground, unit, unit.ledger)
                if j != NO_MOVE:
                    _step(ground, unit, j)
            assert (clock.stage, clock.phase) == (leg, CLIMBING)
            assert clock.taken == taken
            noted = unit.flips[flipped : clock.flipped]
            assert_array_equal(noted, np.flatnonzero(state.x != x))
            assert_filed_like_a_fresh_climb(climber, state)
            turned = np.flatnonzero(before != state.buckets.bucket)
            changed |= {len(climber.moves[v]) for v in turned.tolist()}
            is_back = leg == STEPS + 1
            assert_array_equal(state.x, unit.places.middle if is_back else x)
            end, at = (1, leg) if leg <= STEPS else (2, leg - STEPS)
            turns = unit.course.turns
            way = turns[end] - turns[0]
            assert_array_equal(state.w, turns[0] + way * at // STEPS)
    assert changed == set(range(1, radius + 1))  # or this test would say little


@pytest.mark.parametrize("is_turned", [True, False])
@pytest.mark.parametrize("d", [pytest.param(2, marks=pytest.mark.bounds), 4])
def test_a_fan_has_a_leg_for_each_direction_and_heat_where_none_is_new(d, is_turned):
    n = 200
    landscape = ring(n=n, K=2, seed=3, d=d)
    follower = searcher_of(landscape, seed=3)
    rng = np.random.default_rng(3)
    turns = rng.integers(1, 99, (FAN, d)) if is_turned else np.ones((FAN, d), np.int64)
    known = rng.integers(0, 2, (6, n)).astype(np.uint8)
    values = landscape.inside(np.array([landscape.evaluate(x) for x in known]))
    task = Task(PATH, 0, turns, Known(known, values, np.zeros(6, np.uint8)))
    archive = Archive(d)
    follower.effort.is_fan = True  # d = 2 has none
    follower.begin(archive, 0, task)
    state, unit = follower.state, follower.unit
    assert unit.course.stages == FAN
    heated, weights = set(), {}
    while unit.clock.stage < FAN:
        leg = int(unit.clock.stage)
        weights[leg] = state.w.tolist()
        if unit.clock.phase == HEATING:
            heated.add(leg)
        unit = one_move_on(follower, archive)
    assert all(w == turns[leg].tolist() for leg, w in weights.items())
    assert len(weights) > FAN // 2
    assert 0 in heated
    assert (len(heated) == 1) == is_turned
    assert_filed_like_a_fresh_climb(follower.climber, state)


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
    climber, state, clock = follower.climber, follower.state, follower.unit.clock
    met, strong = set(), 0
    while clock.stage < LEGS:
        one_move_on(follower, Archive(d))
        met.add(int(clock.stage))
        if clock.phase == HEATING:
            d = climber.landscape.d
            fresh = climber.start(state.x)
            assert_array_equal(
                state.scores[: N * d].reshape(N, d),
                climber.landscape.inside(fresh.scores[:N]),
            )
            continue
        assert_filed_like_a_fresh_climb(climber, state)
        strong += int((state.buckets.bucket > LEVELS).sum())
    assert {0, LEGS} < met  # and some take no move
    assert strong > 0


@pytest.mark.plain
@pytest.mark.parametrize(
    "selection",
    [
        pytest.param("next", marks=pytest.mark.bounds),
        pytest.param("best", marks=pytest.mark.bounds_long),
    ],
)
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
    follower.begin(Archive(2), 0, Task(PATH, 0, turns, Known(known, values, none)))
    order = []
    for met in range(3):
        follower.unit.clock.tried = met
        order.append(_next_known(follower.unit))
    assert order == [1, 2, 0]


def test_meetings_return_to_look_at_the_clock(monkeypatch):
    """With many variables each meeting takes long, and none of them takes a move."""
    n, rows = 50_000, 30
    landscape = ring(n=n, K=1, seed=1)
    follower = searcher_of(landscape)
    known = np.zeros((rows, n), np.uint8)
    values = landscape.inside(landscape.evaluate(known))
    task = Task(
        PATH, 0, np.full((3, 2), 9), Known(known, values, np.zeros(rows, np.uint8))
    )
    archive, seen = Archive(2), []
    follower.begin(archive, 0, task)
    clock = follower.unit.clock
    clock.phase = MEETING
    monkeypatch.setattr(searcher, "next_slice", lambda *_: 1 << 20)

    def is_enough(moves: int) -> bool:
        seen.append((moves, int(clock.tried)))
        return clock.phase not in (MEETING, LINING)

    assert not follower.go_on(archive, 0, 1 << 40, is_enough)
    met = [met for moves, met in seen if moves == 0]
    assert len(met) > 2
    assert np.diff(met).max() <= 1 + ENOUGH // (ARRIVAL * n)


@pytest.mark.plain
def test_the_least_room_that_is_asked_for_suffices_where_all_variables_are_at_odds():
    n = 7
    ones = [((j,), [0, 2]) for j in range(n)]
    zeros = [((j,), [1, 0]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(n, [ones, zeros])
    known = np.array([[0], [1]], np.uint8).repeat(n, 1)
    values = landscape.inside(landscape.evaluate(known))
    task = Task(
        PATH, 0, np.ones((3, 2), np.int64), Known(known, values, np.zeros(2, bool))
    )
    follower, archive = searcher_of(landscape), Archive(2)
    follower.begin(archive, 0, task)
    with_course(follower, stages=1)
    follower.unit.clock.phase = MEETING
    go_on_in_least_room(follower, archive)
    unit = follower.unit
    assert unit.clock.flipped == (2 + 1 + 2) * n  # along offspring and back; there
    assert unit.state.x.all()
    assert len(archive.F) == n + 1


@pytest.mark.plain
def test_paths_are_the_same_in_the_least_room_that_they_ask_for():
    found = []
    for is_least in (False, True):
        follower, archive = begun(2, 2, "next", seed=1), Archive(2)
        with_course(follower, work=3000.0)
        if is_least:
            go_on_in_least_room(follower, archive)
        else:
            in_python(go_on)(follower.ground, follower.unit, 1 << 40)
            assert follower.unit.clock.stage == LEGS
            follower.take_over(follower.state, archive)
        found.append((journal_of(follower), archive.points()))
    (whole, points), (journal, others) = found
    assert journal[0] == whole[0]
    assert_array_equal(journal[1], whole[1])
    for one, other in zip(points, others):
        assert_array_equal(other, one)


@pytest.mark.plain
@pytest.mark.parametrize("enough", [1, 100, 1000])
def test_paths_return_after_so_much_work_and_go_on_the_same(monkeypatch, enough):
    """Of an escape, each look at a variable is work, and each flip."""
    whole, parts = (begun(2, 1, "next", seed=1) for _ in "ab")
    archives, escapes = [Archive(2), Archive(2)], 0
    most = max(ARRIVAL * N, int(parts.unit.heat.numbers.flip_work))
    for follower, archive, limit in zip((whole, parts), archives, (ENOUGH, enough)):
        with_course(follower, work=3000.0)
        monkeypatch.setattr(engine, "ENOUGH", limit)
        clock, numbers = follower.unit.clock, follower.unit.heat.numbers
        while clock.stage < LEGS:
            phase, done = clock.phase, numbers.done
            in_python(go_on)(follower.ground, follower.unit, 1 << 40)
            assert clock.work < limit + most
            assert clock.work >= limit or clock.stage == LEGS
            if limit == 1 and phase == clock.phase == HEATING:
                assert numbers.done - done == clock.work > 0
                escapes += 1
            follower.take_over(follower.state, archive)
            follower.make_room()
    assert (escapes > 100) == (enough == 1)
    (moves, flips), (same_moves, same_flips) = journal_of(whole), journal_of(parts)
    assert same_moves == moves
    for one, other in (
        (flips, same_flips),
        (whole.unit.heat.numbers, parts.unit.heat.numbers),
        (whole.state.x, parts.state.x),
        *zip(archives[0].points(), archives[1].points()),
    ):
        assert_array_equal(one, other)
