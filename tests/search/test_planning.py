"""Plans: two rounds at a time, and every unit has a task of its own."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from constrained import feasible_front, random_case
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.archive.points import Points
from paretoball.climber.precision import score_bounds
from paretoball.landscape import packed_bits, unpacked_bits
from paretoball.landscape.subfunctions import EXACT
from paretoball.search.method import Asked, Block
from paretoball.search.path import planning
from paretoball.search.path.directions import NEARBY, OTHERS
from paretoball.search.path.effort import MOST_WORK, Effort, default_breadth
from paretoball.search.path.planning import FEW, FILLED, _covers_all, _Rounds
from paretoball.search.path.tasks import (
    CHAINED,
    FILL,
    KEPT_ARRAYS,
    PATH,
    TURNS,
    Tasks,
    no_tasks,
    turns_of,
)

N, BREADTH = 20, 6
ASKED = Asked(weights=None, seed=7, radius=2, breadth=BREADTH)


def filled(
    d: int, filled: float = FILLED, breadth: int = BREADTH
) -> tuple[_Rounds, Archive]:
    """A plan, and an archive with some solutions."""
    landscape = ring(n=N, K=2, seed=1, d=d)
    archive = Archive(d)
    for x in np.random.default_rng(1).integers(0, 2, (200, N)).astype(np.uint8):
        archive.report(landscape.inside(landscape.evaluate(x)), x)
    assert len(archive) > (5 if d > 1 else 0)
    return _Rounds(landscape, ASKED._replace(breadth=breadth), filled), archive


def random_tasks(rng: np.random.Generator, units: int, n: int, d: int) -> Tasks:
    """Tasks that a landscape of n variables and d objectives may have."""
    kinds = rng.integers(0, 2, units).astype(np.uint8)
    counts = rng.integers(0, 4, units) + (kinds == FILL)
    rows = int(counts.sum())
    return Tasks(
        n,
        kinds,
        rng.integers(0, 99, units),
        rng.integers(1, 99, (units, turns_of(d), d)),
        np.cumsum(counts),
        packed_bits(rng.integers(0, 2, (rows, n)).astype(np.uint8)),
        rng.integers(-99, 99, (rows, d)),
        rng.integers(0, 2, rows).astype(np.uint8),
    )


# --- Tasks.


@pytest.mark.plain
def test_parts_of_tasks_are_what_was_put_together():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        units, n, d = (int(rng.integers(1, 9)) for _ in range(3))
        tasks = random_tasks(rng, units, n, d)
        tasks.check(d, np.ones(d))
        rows = np.split(unpacked_bits(tasks.solutions, n), tasks.ends[:-1])
        values = np.split(tasks.values, tasks.ends[:-1])
        wanted = np.split(tasks.wanted, tasks.ends[:-1])
        cut = int(rng.integers(units + 1))
        parts = tasks.some(0, cut), tasks.some(cut, units - cut)
        for whole in (tasks, parts[0].followed_by(parts[1])):
            assert whole.units == units
            for a, b in zip(whole, tasks):
                assert_array_equal(a, b)
        for at in range(units):
            task = parts[at >= cut].row(at - cut * (at >= cut))
            assert (task.kind, task.path) == (tasks.kinds[at], tasks.paths[at])
            assert_array_equal(task.turns, tasks.weights[at])
            assert_array_equal(task.known.rows, rows[at])
            assert_array_equal(task.known.values, values[at])
            assert_array_equal(task.known.wanted, wanted[at])
            assert task.known.rows.flags.c_contiguous
        nothing = no_tasks(n, d)
        for a, b in zip(nothing.followed_by(tasks).followed_by(nothing), tasks):
            assert_array_equal(a, b)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("kinds", lambda a: a + 2, "no unit"),
        ("kinds", lambda a: a[:-1], "shape"),
        ("paths", lambda a: -a - 1, "no unit"),
        ("weights", lambda a: a * 0, "no weights"),
        ("weights", lambda a: a[:, :2], "shape"),
        ("weights", lambda a: a + (np.arange(TURNS) << 45)[:, None], "no weights"),
        ("ends", lambda a: a + 1, "round_rows"),
        ("ends", lambda a: -a, "round_rows"),
        ("ends", lambda a: np.minimum(a, a[-1] - 1), "round_rows"),
        ("ends", lambda a: a * 0 + a[-1], "no row"),
        ("solutions", lambda a: a[:, :0], "shape"),
        ("values", lambda a: a[1:], "shape"),
        ("wanted", lambda a: a[1:], "shape"),
    ],
)
def test_tasks_that_fit_no_landscape_are_refused_in_one_line(name, wrong, words):
    tasks = random_tasks(np.random.default_rng(3), 5, 9, 2)
    tasks = tasks._replace(kinds=np.ones(5, np.uint8))
    if name == "ends":
        tasks = random_tasks(np.random.default_rng(1), 5, 9, 2)
        tasks = tasks._replace(kinds=np.full(5, FILL, np.uint8))
    damaged = tasks._replace(**{name: wrong(getattr(tasks, name))})
    with pytest.raises(ValueError, match=words) as caught:
        damaged.check(2, np.ones(2))
    assert "\n" not in str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("turned", "bounds", "is_right"),
    [
        (2**40, [1, 1], True),
        (2**40 + 1, [1, 1], False),
        (-(2**40), [1, 1], True),
        (-(2**40) - 1, [1, 1], False),
        (0, [2**21 - 1, 2**42 - 1], True),  # 2^42 times so much, and so much
        (0, [2**21 - 1, 2**42], False),
    ],
)
def test_weights_of_tasks_turn_and_reach_no_farther_than_is_exact(
    turned, bounds, is_right
):
    tasks = random_tasks(np.random.default_rng(3), 5, 9, 2)
    weights = np.tile([2**42, 1], (5, turns_of(2), 1))
    weights[3, 2, 0] += turned
    tasks = tasks._replace(weights=weights)
    if is_right:
        tasks.check(2, np.array(bounds))
        return
    with pytest.raises(ValueError, match="no weights of this landscape"):
        tasks.check(2, np.array(bounds))


@pytest.mark.plain
@pytest.mark.parametrize("at", [0, 4])
@pytest.mark.parametrize(("name", "wrong"), [("kinds", 2), ("paths", -1)])
def test_one_wrong_unit_is_enough_to_refuse_all(at, name, wrong):
    tasks = random_tasks(np.random.default_rng(3), 5, 9, 2)
    tasks.check(2, np.ones(2))
    getattr(tasks, name)[at] = wrong
    with pytest.raises(ValueError, match="what is no unit"):
        tasks.check(2, np.ones(2))


@pytest.mark.plain
def test_tasks_of_no_units_are_right_if_they_have_no_rows():
    tasks = no_tasks(9, 2)
    tasks.check(2, np.ones(2))
    first = random_tasks(np.random.default_rng(3), 5, 9, 2)
    with pytest.raises(ValueError, match="shape"):
        no_tasks(17, 2)._replace(n=9).check(2, np.ones(2))
    fills = first._replace(kinds=np.full(5, FILL, np.uint8), ends=np.arange(1, 6))
    fills = fills._replace(
        solutions=fills.solutions[:5], values=fills.values[:5], wanted=fills.wanted[:5]
    )
    fills.check(2, np.ones(2))
    with pytest.raises(ValueError, match="a filling of round_kinds has no row"):
        fills._replace(ends=np.array([1, 1, 3, 4, 5])).check(2, np.ones(2))


# --- _Rounds.


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("share", [FILLED, np.inf])
def test_two_rounds_are_planned_and_their_weights_are_exact(d, share):
    plan, archive = filled(d, share)
    landscape = plan.landscape
    bounds = score_bounds(landscape, N).astype(float)
    known = {tuple(fx): x for fx, x in zip(archive.points().fx.tolist(), range(999))}
    number, kinds = 0, set()
    plan.advance(Archive(d), 0)
    for _ in range(20):
        assert plan.planned.first == number
        middle = plan.round_end(number)
        assert number < middle < plan.planned.end == plan.round_end(middle)
        before = plan.tasks(Block(middle, plan.planned.end - middle))
        for at in range(number + 1, middle):
            plan.advance(archive, at)
            assert plan.planned.first == number
        plan.advance(archive, middle)
        number = middle
        for a, b in zip(plan.tasks(Block(number, before.units)), before):
            assert_array_equal(a, b)
        later = plan.both.some(before.units, plan.both.units - before.units)
        later.check(d, plan.bounds)
        assert 1 <= later.units <= BREADTH
        assert (later.weights * bounds).sum(axis=2).max() < 2 * EXACT
        for at in range(later.units):
            task = later.row(at)
            kinds.add(task.kind)
            fx = landscape.inside(
                np.array([landscape.evaluate(x) for x in task.known.rows])
            )
            assert_array_equal(fx, task.known.values)
            assert all(tuple(value) in known for value in task.known.values.tolist())
            if task.kind == PATH:
                assert len(task.known.rows) == NEARBY + (OTHERS if d > 2 else 0)
                for turn, value in zip(task.turns, task.known.values):
                    best = (archive.points().fx @ turn.astype(float)).max()
                    assert value @ turn.astype(float) == best
            else:
                assert task.known.wanted.any()
    is_too_much = d == 4 and share == FILLED  # to visit, for the work of these paths
    assert kinds == ({PATH} if d == 1 or is_too_much else {PATH, FILL})


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3])
def test_each_solution_is_visited_once_and_never_more_is_filled_than_may_be(d):
    plan, archive = filled(d)
    visited: list[tuple] = []
    number = 0
    for _ in range(20):
        plan.advance(archive, number)
        assert plan.fill_work <= FILLED * plan.path_work
        last = plan.both.some(plan.units, plan.both.units - plan.units)
        for at in range(last.units):
            task = last.row(at)
            visited += map(tuple, task.known.values[task.known.wanted > 0].tolist())
        number = plan.round_end(number)
    assert len(set(visited)) == len(visited)
    assert set(visited) == set(map(tuple, archive.points().fx.tolist()))


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3, 4])
@pytest.mark.parametrize("weights", [[1, 2, 3, 4], [[1, 2, 3, 4], [4, 3, 2, 1]]])
def test_with_given_weights_nothing_is_filled_and_no_path_turns(d, weights):
    rows = np.atleast_2d(weights)[:, :d]
    plan, archive = filled(d, np.inf)
    asked = ASKED._replace(weights=rows.tolist())
    plan, number = _Rounds(plan.landscape, asked, np.inf), 0
    for _ in range(4):
        plan.advance(archive, number)
        assert (plan.both.kinds == PATH).all()
        assert plan.both.units == 2 * BREADTH
        for task in map(plan.both.row, range(plan.both.units)):
            row = rows[task.path % len(rows)]
            share = task.turns / task.turns.sum(axis=1, keepdims=True)
            assert np.abs(share - row / row.sum()).max() < 1e-9
        number = plan.round_end(number)
    assert _Rounds(plan.landscape, ASKED._replace(weights="simplex")).given is None


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("beyond", [0, 1])
def test_paths_are_planned_up_to_sums_that_are_exact(d, beyond):
    """All variables together, in all objectives, and no part of them."""
    share = EXACT // (4 * d)
    objectives = [[((j,), [0, share]) for j in range(4)] for _ in range(d)]
    objectives[-1][3] = ((3,), [EXACT - share * (4 * d - 1) + beyond, 0])
    landscape = pb.Landscape.from_subfunctions(4, objectives, ["min"] * d)
    if not beyond:
        assert sum(_Rounds(landscape, ASKED).bounds.tolist()) == EXACT
        return
    with pytest.raises(OverflowError, match=r"radius 4 .* method='multistart'"):
        _Rounds(landscape, ASKED)


@pytest.mark.plain
def test_objectives_count_by_their_ranges_once_a_front_has_some():
    plan, _ = filled(2)
    whole = [float(spread) for spread in plan.landscape.spreads[1]]
    assert min(whole) > 1
    for fx, spans in (
        ([], whole),
        ([[3, 4]], whole),
        ([[3, 4], [7, 4]], whole),
        ([[3, 4], [7, -5]], [4.0, 9.0]),
        ([[3, 4], [7, -5], [-1, 9]], [8.0, 14.0]),
    ):
        assert plan._spans(np.array(fx).reshape(-1, 2)).tolist() == spans
    flat = pb.Landscape.from_subfunctions(2, [[((0,), [0, 0])], [((1,), [0, 9])]])
    assert _Rounds(flat, ASKED)._spans(np.empty((0, 2))).tolist() == [1.0, 9.0]


@pytest.mark.plain
def test_solutions_far_from_0_are_as_close_to_each_other_as_elsewhere(monkeypatch):
    for name, value in (("FILL_WORK", 1.0), ("LEAST_ROWS", 3), ("LARGE", -1)):
        monkeypatch.setattr(planning, name, value)
    steps = np.arange(40)
    fx = np.column_stack([steps, -steps, steps % 7])
    chosen = []
    for shift in (0, 2**60, -(2**60)):
        plan, _ = filled(3, np.inf)
        windows = plan._windows(Points(fx + shift, steps, steps, steps * 0))
        chosen.append([window.rows.tolist() for window in windows])
    assert len(chosen[0]) == BREADTH
    assert chosen[0] == chosen[1] == chosen[2]


@pytest.mark.plain
def test_solutions_of_long_units_are_not_taken_for_each_other():
    """What was visited is told by unit and step, whatever the step is."""
    for bits in range(1, 35):
        plan, _ = filled(2, np.inf)
        fx = np.array([[0, 9], [9, 0]])
        unit, step = np.array([1, 0]), np.array([0, (1 << bits) - 1])
        found = Points(fx, unit, step, step * 0)
        plan._windows(found.some(np.array([0])))
        assert len(plan.visited) == 1
        (window,) = plan._windows(found)
        assert window.rows[window.wanted].tolist() == [1]
        assert len(plan.visited) == 2
        found.step[1] += 1 if bits < 34 else 0
        assert len(plan._windows(found)) == (1 if bits < 34 else 0)


@pytest.mark.plain
@pytest.mark.parametrize("d", [3, 4])
def test_with_many_objectives_paths_begin_at_local_optima_if_there_are_any(d):
    plan, archive = filled(d)
    assert plan._ends(archive.points()).size == len(archive)
    found = archive.points()
    found.optimum[::3] = 1
    ends = plan._ends(found)
    assert ends.size == (len(archive) if d < 4 else -(-len(archive) // 3))
    assert d < 4 or ends.optimum.all()


@pytest.mark.plain
def test_every_round_has_random_numbers_of_its_own():
    plan, archive = filled(2, np.inf)
    seen: list[float] = []
    draw = plan._random
    plan._random = lambda purpose, *shape: [  # type: ignore[method-assign]
        seen.extend(found := draw(purpose, *shape).ravel()),
        found.reshape(shape),
    ][1]
    number = 0
    for at in range(30):
        seen += draw(1, 1 + at % 5).tolist()
        plan.advance(archive, number)
        number = plan.round_end(number)
        seen += draw(2, 8).tolist()
    assert len(set(seen)) == len(seen) > 30
    assert min(seen) >= 0
    assert max(seen) < 1


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3])
def test_a_plan_goes_on_from_what_was_kept(d):
    plan, archive = filled(d)
    number = 0
    for _ in range(5):
        plan.advance(archive, number)
        number = plan.round_end(number)
    kept, again = plan.kept(), _Rounds(plan.landscape, ASKED)
    assert [kept.arrays[name].dtype.name for name in KEPT_ARRAYS] == list(
        KEPT_ARRAYS.values()
    )
    for units in (plan.first - 1, number + 1):
        with pytest.raises(ValueError, match=f"unit {units} is in none of the rounds"):
            again.restore(kept, units)
    for name in ("paths", "path_work", "fill_work"):
        damaged = kept._replace(numbers={**kept.numbers, name: -1})
        with pytest.raises(ValueError, match="count nothing"):
            again.restore(damaged, number)
    again.restore(kept, number)
    for _ in range(5):
        for each in (plan, again):
            each.advance(archive, number)
        assert plan.planned == again.planned
        assert plan.tasks(Block(0, 0)).units == 0  # to greet a worker
        for a, b in zip(plan.both, again.both):
            assert_array_equal(a, b)
        number = plan.round_end(number)
    assert plan.kept().numbers == again.kept().numbers


@pytest.mark.plain
def test_what_was_kept_is_refused_where_its_numbers_do_not_fit():
    plan, archive = filled(2)
    plan.advance(archive, 0)
    kept = plan.kept()
    first, earlier, units = plan.first, plan.units, plan.both.units
    assert (first, units) == (0, 2 * BREADTH)

    def restored(finished: int, breadth: int = BREADTH, **numbers: int) -> bool:
        again = _Rounds(plan.landscape, ASKED._replace(breadth=breadth))
        try:
            again.restore(kept._replace(numbers={**kept.numbers, **numbers}), finished)
        except ValueError:
            return False
        return again.kept().numbers == {**kept.numbers, **numbers}

    assert [restored(at) for at in (-1, 0, 1, earlier, earlier + 1)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert restored(units, round_units=units)
    assert not restored(0, round_units=units + 1)
    assert not restored(units, round_units=units + 1)
    assert not restored(1, round=2)
    assert not restored(0, round=-1)
    assert restored(0, breadth=BREADTH + 1)
    assert not restored(0, breadth=BREADTH - 1)
    for name in ("paths", "path_work", "fill_work"):
        for number, is_right in ((0, True), (EXACT, True), (EXACT + 1, False)):
            assert restored(0, **{name: number}) == is_right
    for name in KEPT_ARRAYS:
        damaged = kept._replace(arrays={**kept.arrays, name: kept.arrays[name][:-1]})
        with pytest.raises(ValueError, match="has shape"):
            _Rounds(plan.landscape, ASKED).restore(damaged, 0)


@pytest.mark.plain
@pytest.mark.parametrize("breadth", [1, 2, 3, 6])
@pytest.mark.parametrize("share", [FILLED, np.inf])
@pytest.mark.parametrize("d", [2, 3])
def test_at_most_half_of_a_round_fills_unless_there_is_nothing_else(
    monkeypatch, d, share, breadth
):
    monkeypatch.setattr(planning, "FILL_WORK", 1.0)
    monkeypatch.setattr(planning, "LEAST_ROWS", 3)
    plan, archive = filled(d, share, breadth)
    for at in range(60):  # a long front, far beyond what is there
        archive.report([10**6 + at, 10**6 - at, 10**6][:d], np.arange(N) == at % N)
    visits = 60 * plan.effort.visit
    assert len(archive) == 60
    plan.path_work = visits - 1
    if share == FILLED:
        kinds = plan._next_round(archive).kinds.tolist()
        assert kinds == [PATH] * breadth  # not all of it could be visited
    plan.path_work = visits
    plan.visited, plan.fill_work = plan.visited[:0], 0
    kinds = plan._next_round(archive).kinds.tolist()
    fills = breadth if share == np.inf else max(1, breadth // 2)
    assert kinds == [FILL] * fills + [PATH] * (breadth - fills)
    assert plan.fill_work == len(plan.visited) * plan.effort.visit
    assert fills <= len(plan.visited) <= 3 * fills


@pytest.mark.plain
@pytest.mark.parametrize("bounds", [[1, 1], [2**19, 3], [2**60, 2**60], [2**61, 1]])
def test_weights_are_as_fine_as_64_bits_allow_and_no_finer_than_need_be(bounds):
    plan, _ = filled(2)
    plan.bounds = np.array(bounds)
    shares = np.random.default_rng(1).dirichlet([1, 1], 200)
    whole = plan.whole(shares)
    assert whole.min() >= 1
    assert whole.max() <= 2**40
    reach = [sum(w * b for w, b in zip(row, bounds)) for row in whole.tolist()]
    assert max(reach) <= EXACT // 4 + sum(bounds)
    if sum(bounds) <= 2**20:
        assert (whole.max(axis=1) == 2**40).all()
        assert np.abs(whole / whole.sum(axis=1, keepdims=True) - shares).max() < 1e-11


@pytest.mark.plain
def test_rounds_are_narrow_where_units_are_long():
    for n, d, breadth in [
        (999, 1, 16),
        (999, 2, 16),
        (1000, 1, 4),
        (1000, 2, 4),
        (999, 3, 32),
        (10**6, 3, 32),
    ]:
        assert default_breadth(n, d) == breadth


@pytest.mark.plain
@pytest.mark.parametrize("n", [400, 512, 513, 600])
@pytest.mark.parametrize("radius", [1, 2])
def test_the_work_of_units_follows_from_neighbours_and_radius(n, radius):
    for degree in (0, 4, n // 4, n // 4 + 1, n - 1):
        for d in (1, 2, 3, 4):
            few = SimpleNamespace(n=n, d=d, degrees=np.full(n, degree))
            effort = Effort(few, radius, breadth=1)  # type: ignore[arg-type]
            is_dense = degree > n / 4
            assert effort.hot == (0.12 if is_dense else 0.195)
            assert effort.partners == (0 if is_dense else 14)
            assert effort.flip == 16 + 2 * degree
            assert effort.first == n * (16 + effort.flip / 2) / (4 if d > 2 else 1)
            assert effort.doubled == (256 if d > 2 else 8)
            assert effort.is_fan == (d >= 4)
            assert (effort.first_paths == 24) == (is_dense and n > 512)
            looks = n + n * (1 if radius == 1 else 1 + degree / 2)
            looks += n * n / 2 if n <= 512 else 0
            assert effort.visit == int(8 * looks + 2 * n * effort.partners)
            assert effort.legs(1e18) == (1 if d >= 4 else 24)


@pytest.mark.plain
def test_the_work_of_paths_doubles_again_and_again():
    for d, doubled in ((1, 8), (2, 8), (3, 256)):
        effort = Effort(ring(n=30, K=2, seed=1, d=d), 2, breadth=1)
        for path in (0, 5, 100):
            once, twice = effort.of_anneal(path), effort.of_anneal(path + doubled)
            assert twice == 2 * once
            assert effort.of_path(path + doubled) == pytest.approx(
                2 * effort.of_path(path), abs=2
            )
        assert effort.of_anneal(10**9) == effort.most
        legs = [effort.legs(effort.of_anneal(path)) for path in range(0, 3000, 10)]
        assert legs == sorted(legs)
        assert (legs[0], legs[-1]) == (2, 24)
    broad = Effort(pb.mnk(n=30, K=2, seed=1), 2, breadth=100)
    assert broad.of_anneal(100) == 2 * broad.of_anneal(0)
    assert Effort(pb.mnk(n=9, K=8, seed=1), 1, breadth=1).partners == 0


@pytest.mark.plain
def test_the_work_of_an_anneal_has_a_cap_that_follows_from_n():
    for n, most in ((8, 50 * 8**4), (99, 50 * 99**4), (100, MOST_WORK), (10**6, 5e9)):
        for d in (1, 2, 3):
            few = SimpleNamespace(n=n, d=d, degrees=np.full(n, 4))
            effort = Effort(few, 1, breadth=1)  # type: ignore[arg-type]
            assert effort.of_anneal(10**9) == effort.most == most
            assert effort.of_anneal(0) < most / 10
            assert effort.of_path(10**9) == 3 * most
    for n in range(1, 9):  # a first anneal has less than the cap, however dense
        full = SimpleNamespace(n=n, d=2, degrees=np.full(n, n - 1))
        effort = Effort(full, 1, breadth=1)  # type: ignore[arg-type]
        assert effort.first < effort.most


@pytest.mark.plain
def test_an_archive_is_whole_if_it_has_a_vector_above_each_solution():
    for seed in range(12):
        case = random_case(np.random.default_rng(seed), 1 + seed % 3, 6)
        landscape = case.landscape
        front = landscape.inside(
            np.array(feasible_front(case)).reshape(-1, landscape.d)
        )
        whole = Archive(landscape.d)
        for fx in front:
            whole.report(fx, np.zeros(landscape.n, np.uint8))
        assert _covers_all(whole, landscape)
        assert sorted(whole.points().fx.tolist()) == sorted(front.tolist())
        for left_out in range(len(front)):
            part = Archive(landscape.d)
            rest = np.delete(front, left_out, axis=0)
            for fx in rest:
                part.report(fx, np.zeros(landscape.n, np.uint8))
            assert not _covers_all(part, landscape)
            assert sorted(part.points().fx.tolist()) == sorted(rest.tolist())


@pytest.mark.plain
@pytest.mark.parametrize("cells", [1, 7, 100, 1 << 20])
def test_all_solutions_are_looked_at_however_many_at_a_time(monkeypatch, cells):
    monkeypatch.setattr(planning, "CELLS", cells)
    ones = [((j,), [0, 1]) for j in range(6)]
    landscape = pb.Landscape.from_subfunctions(6, [ones])  # the best one comes last
    for best in (5, 6):
        archive = Archive(1)
        archive.report(np.array([best]), np.zeros(6, np.uint8))
        assert _covers_all(archive, landscape) == (best == 6)


@pytest.mark.parametrize("n", [16, 17])
def test_solutions_of_more_than_16_variables_are_never_all_looked_at(n):
    ones = [((j,), [1, 0]) for j in range(n)]
    best = Archive(1)
    best.report(np.array([n]), np.zeros(n, np.uint8))
    landscape = pb.Landscape.from_subfunctions(n, [ones])
    assert _covers_all(best, landscape) == (n <= FEW == 16)


@pytest.mark.plain
def test_nobody_looks_until_anneals_are_longest_and_a_round_begins():
    landscape = pb.Landscape.from_subfunctions(2, [[((0,), [0, 1])], [((1,), [0, 1])]])
    plan, archive = _Rounds(landscape, ASKED), Archive(2)
    archive.report(np.array([1, 1]), np.ones(2, np.uint8))
    plan.advance(archive, 0)
    for factor in (1, 2):
        plan.effort.most = factor * plan.effort.first
        asked = [plan.is_whole(archive, number) for number in (0, 1)]
        assert asked == [factor == 1, False]


@pytest.mark.plain
def test_on_large_dense_landscapes_the_work_of_later_anneals_doubles_less_often():
    for n, is_slower in ((100, False), (600, True)):
        dense = SimpleNamespace(n=n, d=2, degrees=np.full(n, n - 1))
        effort = Effort(dense, 1, breadth=1)  # type: ignore[arg-type]
        first, later = effort.of_anneal(0), effort.of_anneal(24)
        assert later == 8 * first
        assert effort.of_anneal(24 + 16) == (2 if is_slower else 4) * later


@pytest.mark.plain
@pytest.mark.parametrize(
    ("brought", "share"), [(0, 1 / 8), (30, 31 / 102), (50, 0.5), (100, 7 / 8)]
)
def test_units_go_by_chains_as_often_as_chains_brought_points(brought, share):
    one = [((j,), [0, 1]) for j in range(4)]
    limits = [(one, "==", 2)]
    landscape = pb.Landscape.from_subfunctions(4, [one, one], constraints=limits)
    plan = _Rounds(landscape, Asked(weights=None, seed=1, radius=1, breadth=8))
    plan.chains = np.array([3, 5])
    units = np.where(np.arange(100) < brought, 3, 4)
    no = np.zeros(100, np.int64)
    found = Points(np.zeros((100, 2), np.int64), units, no, no)
    planned = plan._with_chains(no_tasks(4, 2, 800), found)
    chained = planned.kinds & CHAINED > 0
    assert abs(chained.sum() - 800 * share) <= 1
    assert plan.chains.tolist() == [3, 5, *np.flatnonzero(chained).tolist()]
    assert np.diff(np.flatnonzero(chained)).max() <= np.ceil(1 / share)
