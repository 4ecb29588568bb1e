"""Searches under constraints against brute force, and whatever happens to a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from disturbed import fingerprint
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from climbs import assert_one_line
from clocks import Ticks, keep_time, work_here
from constrained import (
    Case,
    feasible_front,
    fewest_violated,
    random_case,
    wrong_of,
)
from landscapes import ring, shifted
from paretoball.landscape import EXACT
from paretoball.running import run as run_file
from paretoball.running.process_pools import new_processes
from paretoball.search.path import searcher
from shares import first

METHODS = ("path", "pls", "multistart")
CLIMBS = {"path": 24, "pls": 24, "multistart": 60}

every_method = pytest.mark.parametrize("method", METHODS)


def with_constraints(landscape: pb.Landscape, constraints: list[Any]) -> pb.Landscape:
    """The same landscape with these constraints."""
    terms = [((j,), [0, 1]) for j in range(landscape.n)]
    bounds = pb.Landscape.from_subfunctions(
        landscape.n, [terms], constraints=constraints
    ).constraints
    return replace(landscape, constraints=bounds)


def limits_of(n: int) -> list[Any]:
    """A resource, a number of ones, and a ring of pairs of which few are both one."""
    rng = np.random.default_rng(n)
    weights = rng.integers(10, 60, n).tolist()
    return [
        ([((j,), [0, w]) for j, w in enumerate(weights)], "<=", sum(weights) // 2),
        ([((j,), [0, 1]) for j in range(0, n, 2)], "==", n // 5),
        ([((j, (j + 1) % n), [0, 0, 0, 1]) for j in range(n)], "<=", n // 8),
        ([((j, (j + 3) % n), [1, 0, 0, 1]) for j in range(n)], ">=", n // 4),
    ]


LIMITS = limits_of(40)
LIMITED = with_constraints(ring(n=40, K=2, seed=2), LIMITS)

# Three of six are one, of each three at least two, and none of the last three: at
# least one of the four constraints is violated.
TRIPLE = [[((j,), [0, 1]) for j in some] for some in (range(6), (0, 1, 2), (3, 4, 5))]
HOPELESS_ONES = [
    (TRIPLE[0], "==", 3),
    (TRIPLE[1], "<=", 1),
    (TRIPLE[2], "<=", 1),
    ([((0, 1), [0, 0, 0, 1])], ">=", 1),
]
HOPELESS = Case(with_constraints(ring(n=6, K=1, seed=1), HOPELESS_ONES), HOPELESS_ONES)


# --- By brute force.


def share_whole(
    numbers: range,
    method: str,
    d: int = 2,
    max_n: int = 10,
    more: int = 1,
    widest: int = 3,
) -> float:
    """The share of random landscapes whose whole front is found; nothing is wrong."""
    whole = 0
    for number in numbers:
        case = random_case(np.random.default_rng([number, d]), d, max_n, widest)
        climbs = more * CLIMBS[method]
        result = pb.solve(case.landscape, method=method, max_climbs=climbs, seed=number)
        assert wrong_of(case, result) == "", number
        front = feasible_front(case)
        assert len(result) == 0 or front, number
        whole += list(map(tuple, result.F.tolist())) == front
        if result.nearest is not None:
            assert result.nearest.violated >= fewest_violated(case)
    return whole / len(numbers)


@pytest.mark.parametrize("numbers", first(1, [range(25), range(25, 100)]), ids=str)
@every_method
def test_small_fronts_are_whole_and_nothing_is_claimed_wrongly(method, numbers):
    assert share_whole(numbers, method) >= 0.95


@pytest.mark.parametrize(
    ("d", "numbers", "widest"),
    [
        (1, range(20), 2),
        pytest.param(1, range(60), 3, marks=pytest.mark.long),
        pytest.param(3, range(60), 3, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_fronts_of_other_numbers_of_objectives_are_whole(d, numbers, widest):
    assert share_whole(numbers, "path", d, more=d, widest=widest) >= 0.95


@pytest.mark.bounds_long
@pytest.mark.parametrize(
    "method",
    [
        pytest.param("path", marks=pytest.mark.plain),
        *(pytest.param(each, marks=pytest.mark.plain_long) for each in METHODS[1:]),
    ],
)
def test_tiny_fronts_are_whole(method):
    assert share_whole(range(6), method, max_n=4) == 1.0


@every_method
def test_rows_are_feasible_and_evaluate_to_their_objectives(method):
    result = pb.solve(LIMITED, method=method, max_climbs=30, seed=1)
    assert len(result) > 10
    assert wrong_of(Case(LIMITED, LIMITS), result) == ""
    assert_array_equal(LIMITED.evaluate(result.X), result.F)
    assert LIMITED.is_feasible(result.X).all()
    assert result.nearest is None


@every_method
def test_some_rows_are_known_to_be_local_optima(method):
    result = pb.solve(LIMITED, method=method, max_climbs=30, seed=1)
    assert result.optimum.any()
    for x in result.X[result.optimum]:
        assert naive.is_feasible_optimum(LIMITED.unconstrained, LIMITS, x)


def test_of_one_objective_a_local_optimum_is_one_of_what_is_feasible():
    optima = 0
    for number in range(40):
        case = random_case(np.random.default_rng(number), d=1, widest=2)
        result = pb.solve(
            case.landscape, method="multistart", max_climbs=1, seed=number
        )
        assert wrong_of(case, result) == "", number
        optima += int(result.optimum.sum())
    assert optima > 5


# --- The same seed gives the same front.


@every_method
def test_workers_change_nothing(method):
    how = {"method": method, "max_climbs": 24, "seed": 4, "breadth": 8}
    expected = fingerprint(pb.solve(LIMITED, **how))
    for workers in (2, 3):
        assert fingerprint(pb.solve(LIMITED, **how, workers=workers)) == expected


def test_processes_change_nothing():
    expected = {}
    how = {"max_climbs": 12, "seed": 4, "breadth": 8}
    for method in METHODS:
        expected[method] = fingerprint(pb.solve(LIMITED, method=method, **how))
    nearest = pb.solve(HOPELESS.landscape, **how).nearest
    with new_processes(2) as pool:
        for method in METHODS:
            result = pb.solve(LIMITED, method=method, **how, executor=pool, workers=2)
            assert fingerprint(result) == expected[method]
        other = pb.solve(HOPELESS.landscape, **how, executor=pool, workers=2).nearest
    assert_array_equal(other.x, nearest.x)


@pytest.mark.parametrize(
    ("slice_", "limit"),
    [
        (1, {"max_moves": 1001}),
        (7, {"max_moves": 4001}),
        (997, {"max_climbs": 9}),
        (1 << 20, {"max_climbs": 9}),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "method",
    [
        pytest.param("path", marks=pytest.mark.bounds),
        *(pytest.param(each, marks=pytest.mark.bounds_long) for each in METHODS[1:]),
    ],
)
def test_slices_and_room_change_nothing(monkeypatch, method, slice_, limit):
    how = {"method": method, "breadth": 4, "seed": 3} | limit
    expected = fingerprint(pb.solve(LIMITED, **how))
    monkeypatch.setattr(searcher, "FIRST_SLICE", slice_)
    monkeypatch.setattr(searcher, "next_slice", lambda *_: slice_)
    assert fingerprint(pb.solve(LIMITED, **how)) == expected
    monkeypatch.setattr(searcher, "ROOM", 130)
    assert fingerprint(pb.solve(LIMITED, **how)) == expected


@every_method
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_goes_on_as_if_never_stopped(tmp_path, method, workers):
    how = {"method": method, "seed": 4, "breadth": 4}
    expected = fingerprint(pb.solve(LIMITED, **how, max_climbs=22))
    file = tmp_path / "run.npz"
    for climbs in (3, 9, 17):
        pb.solve(LIMITED, **how, max_climbs=climbs, checkpoint=file, workers=workers)
    result = pb.resume(file, max_climbs=22)
    assert fingerprint(result) == expected
    assert pb.verify(LIMITED, file, local=1).failures == []


@contextmanager
def by_ticks(workers: int) -> Iterator[dict[str, Any]]:
    """Runs in here look at the time every 500 moves, and are cut by the look."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searcher, "FIRST_SLICE", 500)
        patch.setattr(searcher, "next_slice", lambda *_: 500)
        patch.setattr(run_file, "BLOCK_SECONDS", 8)
        keep_time(patch, Ticks())
        yield {
            "workers": workers,
            "executor": None if workers == 1 else work_here(patch),
        }


@every_method
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("seconds", first(2, [7, 111, 30]))
def test_a_run_cut_anywhere_goes_on_as_if_never_cut(tmp_path, method, workers, seconds):
    how = {"method": method, "seed": 4, "breadth": 4}
    expected = fingerprint(pb.solve(LIMITED, **how, max_climbs=10))
    file = tmp_path / "run.npz"
    with by_ticks(workers) as who:
        part = pb.solve(LIMITED, **how, time_limit=seconds, checkpoint=file, **who)
        assert wrong_of(Case(LIMITED, LIMITS), part) == ""
        assert pb.verify(LIMITED, file, local=1).failures == []
    if part.climbs <= 10:
        result = pb.resume(file, max_climbs=10, time_limit=1e6)
        assert fingerprint(result) == expected


# --- Nothing feasible.


@every_method
def test_where_nothing_is_feasible_the_nearest_is_told(tmp_path, method):
    file = tmp_path / "run.npz"
    result = pb.solve(HOPELESS.landscape, method=method, max_climbs=5, seed=1)
    assert len(result) == 0
    assert wrong_of(HOPELESS, result) == ""
    assert result.nearest is not None
    assert result.nearest.violated == fewest_violated(HOPELESS) == 1
    assert "no feasible solution was found; the nearest violates 1 of 4" in repr(result)
    result.save(file)
    again = pb.load(file)
    assert again.nearest is not None
    assert_array_equal(again.nearest.x, result.nearest.x)
    assert_array_equal(again.nearest.violation, result.nearest.violation)
    assert pb.verify(HOPELESS.landscape, file).failures == []


@pytest.mark.parametrize("workers", [1, 2])
def test_where_variables_are_few_a_run_ends_once_all_solutions_are_looked_at(workers):
    how = {"method": "path", "max_climbs": 10**6, "breadth": 4, "workers": workers}
    hopeless = pb.solve(HOPELESS.landscape, seed=1, **how)
    assert hopeless.status == "no solution is feasible: all were looked at"
    assert hopeless.nearest is not None
    assert (len(hopeless), hopeless.failed) == (0, False)
    case = random_case(np.random.default_rng([1, 2]), 2, 6)
    whole = pb.solve(case.landscape, seed=1, **how)
    assert whole.status == "the front is whole: all solutions were looked at"
    assert list(map(tuple, whole.F.tolist())) == feasible_front(case) != []
    assert {hopeless.climbs, whole.climbs} < set(range(20, 300))


@every_method
@pytest.mark.parametrize("workers", [1, 2])
def test_the_nearest_is_the_same_however_a_run_is_stopped(tmp_path, method, workers):
    how = {"method": method, "seed": 3, "breadth": 4}
    expected = pb.solve(HOPELESS.landscape, **how, max_climbs=20).nearest
    file = tmp_path / "run.npz"
    for climbs in (1, 6):
        part = pb.solve(
            HOPELESS.landscape,
            **how,
            max_climbs=climbs,
            checkpoint=file,
            workers=workers,
        )
        assert (len(part), part.climbs) == (0, climbs)
    result = pb.resume(file, max_climbs=20, workers=workers)
    assert (result.climbs, result.nearest.violated) == (20, expected.violated)
    assert_array_equal(result.nearest.x, expected.x)
    assert pb.verify(HOPELESS.landscape, file).failures == []


def test_a_run_that_found_nothing_goes_on_and_may_find_something(tmp_path):
    """A single solution is feasible, so a few moves do not find it."""
    n = 24
    rng = np.random.default_rng(1)
    target = rng.integers(0, 2, n).tolist()
    pairs = [
        ([((j, (j + 1) % n), [int(k == t) for k in range(4)])], "==", 1)
        for j in range(n)
        for t in [target[j] + 2 * target[(j + 1) % n]]
    ]
    landscape = with_constraints(ring(n=n, K=1, seed=1), pairs)
    file = tmp_path / "run.npz"
    part = pb.solve(landscape, method="path", max_moves=3, seed=1, checkpoint=file)
    assert len(part) == 0
    assert part.nearest is not None
    assert part.nearest.violated > 0
    result = pb.resume(file, max_climbs=8, max_moves=10**9)
    assert result.X.astype(int).tolist() == [target]
    assert result.nearest is None
    whole = pb.solve(landscape, method="path", max_climbs=8, seed=1)
    assert fingerprint(result) == fingerprint(whole)


# --- Starts.


def start_that_is_feasible() -> np.ndarray:
    """A feasible solution of LIMITED which is not very good."""
    result = pb.solve(LIMITED, method="multistart", max_climbs=2, seed=9)
    return result.X[0].astype(np.uint8)


@every_method
@pytest.mark.parametrize("limit", [{"max_moves": 1}, {"max_climbs": 1}], ids=str)
def test_a_feasible_start_is_in_the_front_or_below_it(method, limit):
    start = start_that_is_feasible()
    fx = LIMITED.evaluate(start)
    result = pb.solve(LIMITED, method=method, start=start, seed=1, **limit)
    assert (fx <= result.F).all(axis=1).any()
    assert wrong_of(Case(LIMITED, LIMITS), result) == ""


@every_method
def test_a_start_need_not_be_feasible(method):
    ones = np.ones(40, np.uint8)
    assert not LIMITED.is_feasible(ones)
    first = pb.solve(LIMITED, method=method, start=ones, seed=1, max_moves=1)
    assert len(first) == 0
    assert_array_equal(first.nearest.x, ones)
    result = pb.solve(LIMITED, method=method, start=ones, seed=1, max_climbs=4)
    assert wrong_of(Case(LIMITED, LIMITS), result) == ""
    assert len(result)
    other = pb.solve(LIMITED, method=method, seed=1, max_climbs=4)
    assert result.moves != other.moves


# --- Limits, and what else is asked for.


@every_method
@pytest.mark.parametrize("moves", [1, 100, 20_011])
@pytest.mark.parametrize("workers", [1, 3])
def test_moves_are_counted_exactly(tmp_path, method, moves, workers):
    file = tmp_path / "run.npz"
    how = {"method": method, "max_moves": moves, "seed": 2}
    result = pb.solve(LIMITED, **how, workers=workers, checkpoint=file)
    assert result.moves == moves
    assert result.status == "moves done"
    assert pb.verify(LIMITED, file, local=1).failures == []
    assert fingerprint(result) == fingerprint(pb.solve(LIMITED, **how))


@every_method
def test_time_limits_and_callbacks_end_a_run(method):
    seen: list[int] = []

    def callback(state: Any) -> bool:
        seen.append(state.climbs)
        return state.climbs >= 3

    result = pb.solve(LIMITED, method=method, time_limit=60, seed=1, callback=callback)
    assert result.status == "stopped by the callback"
    assert seen[-1] == result.climbs >= 3
    timed = pb.solve(LIMITED, method=method, time_limit=0.2, seed=1)
    assert timed.status == "time is up"
    assert timed.seconds < 5
    assert wrong_of(Case(LIMITED, LIMITS), timed) == ""


def test_climbs_look_at_single_flips():
    for radius in (2, 3):
        with pytest.raises(ValueError, match="radius") as caught:
            pb.solve(LIMITED, radius=radius, max_climbs=1)
        assert_one_line(caught, f"radius = {radius}", "constraints", "leave it out")
    one = pb.solve(LIMITED, radius=1, max_climbs=2, seed=1)
    assert fingerprint(one) == fingerprint(pb.solve(LIMITED, max_climbs=2, seed=1))
    assert one.config["radius"] == 1


@pytest.mark.parametrize(
    "weights", [[1, 3], [[1, 3], [3, 1]], "independent", [1e-9, 1]], ids=str
)
@every_method
def test_weights_are_as_asked_for(method, weights):
    how = {"method": method, "weights": weights, "max_climbs": 6, "seed": 1}
    result = pb.solve(LIMITED, **how)
    assert wrong_of(Case(LIMITED, LIMITS), result) == ""
    assert len(result)
    plain = pb.solve(LIMITED, method=method, max_climbs=6, seed=1)
    assert fingerprint(result) != fingerprint(plain)


def test_archives_have_a_size_at_most():
    result = pb.solve(LIMITED, max_climbs=20, max_archive=7, seed=1)
    assert len(result) == 7
    assert result.bounded
    assert wrong_of(Case(LIMITED, LIMITS), result) == ""


# --- Landscapes of other kinds.


@cache
def dense() -> pb.Landscape:
    """Two dense matrices, kept as such, with constraints."""
    rng = np.random.default_rng(3)
    return with_constraints(pb.qubo(rng.integers(-50, 51, (2, 40, 40))), LIMITS)


@every_method
def test_squares_are_searched_under_constraints(method):
    assert dense().square is not None
    result = pb.solve(dense(), method=method, max_climbs=8, seed=1)
    assert len(result)
    assert_array_equal(dense().evaluate(result.X), result.F)
    assert dense().is_feasible(result.X).all()


def test_a_square_has_the_same_front_as_its_tables():
    given = dense().unconstrained.subfunctions
    tables = pb.Landscape.from_arrays(40, 2, *given, dense().sense)
    assert tables.square is None
    how = {"method": "path", "max_climbs": 4, "seed": 1, "breadth": 4}
    expected = pb.solve(with_constraints(tables, LIMITS), **how)
    assert_array_equal(pb.solve(dense(), **how).F, expected.F)


def test_variables_are_not_renumbered_under_constraints():
    """Neighbours lie far apart, so that a search without constraints has a twin."""
    n = 1200
    masks = [(j, (j + 401) % n) for j in range(n)]
    rng = np.random.default_rng(1)
    tables = rng.integers(0, 100, (2, n, 4)).tolist()
    scattered = pb.Landscape.from_subfunctions(n, [list(zip(masks, t)) for t in tables])
    landscape = with_constraints(scattered, limits_of(n))
    result = pb.solve(landscape, method="multistart", max_climbs=2, seed=1)
    assert len(result)
    assert_array_equal(landscape.evaluate(result.X), result.F)
    assert landscape.is_feasible(result.X).all()


def test_real_tables_labels_and_senses_come_back_as_they_were_given():
    rng = np.random.default_rng(5)
    labels = [f"item {j}" for j in range(12)]
    values = (rng.integers(1, 100, (2, 12)) / 8).tolist()
    objectives = [[((j,), [0, v]) for j, v in zip(labels, row)] for row in values]
    weights = (rng.integers(1, 30, 12) / 10).tolist()
    heavy = [((j,), [0, w]) for j, w in zip(labels, weights)]
    landscape = pb.Landscape.from_subfunctions(
        12,
        objectives,
        ["max", "min"],
        labels=labels,
        constraints=[(heavy, "<=", 9.5, "light"), (heavy, ">=", 3.2)],
    )
    result = pb.solve(landscape, method="path", max_climbs=24, seed=1)
    assert result.F.dtype == np.float64
    X = np.array([[row >> j & 1 for j in range(12)] for row in range(1 << 12)])
    F = landscape.evaluate(X[landscape.is_feasible(X)])
    assert list(map(tuple, result.F.tolist())) == naive.pareto_front(F, ["max", "min"])
    for solution in result:
        weight = sum(w for j, w in zip(labels, weights) if solution.by_label[j])
        assert 3.2 - 1e-9 <= weight <= 9.5 + 1e-9


@pytest.mark.long
def test_gains_of_whole_combinations_fit_where_tables_are_huge():
    """Weights of climbs are as fine as 64 bits allow, for all flips of a core."""
    rng = np.random.default_rng(1)
    n, large = 20, EXACT // 80
    values = rng.integers(large // 2, large, (2, n)).tolist()
    objectives = [
        [((j,), [0, v if (j + i) % 2 else -v]) for j, v in enumerate(row)]
        for i, row in enumerate(values)
    ]
    ones = [((j,), [0, 1]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(
        n, objectives, constraints=[(ones, "<=", n // 2)]
    )
    result = pb.solve(landscape, method="multistart", max_climbs=20, seed=1)
    assert len(result)
    assert wrong_of(Case(landscape, [(ones, "<=", n // 2)]), result) == ""


@every_method
def test_bounds_that_bind_nothing_leave_the_whole_front(method):
    landscape = ring(n=8, K=2, seed=3)
    ones = [((j,), [0, 1]) for j in range(8)]
    loose = with_constraints(landscape, [(ones, "<=", 8)])
    result = pb.solve(loose, method=method, max_climbs=CLIMBS[method], seed=1)
    front = naive.pareto_front(naive.full_table(landscape))
    assert list(map(tuple, result.F.tolist())) == front


def test_a_constant_changes_nothing_but_values():
    far = shifted(LIMITED.unconstrained, [2**57, -(2**57)])
    far = replace(far, constraints=LIMITED.constraints)
    how = {"method": "path", "max_climbs": 24, "seed": 1, "breadth": 4}
    here, there = pb.solve(LIMITED, **how), pb.solve(far, **how)
    assert_array_equal(there.X, here.X)
    assert_array_equal(there.climb, here.climb)
    assert_array_equal(there.step, here.step)
