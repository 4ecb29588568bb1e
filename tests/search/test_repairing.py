"""Repairs: prices rise where no flip helps, and long rows are counted as work."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from trips import replay

import naive
import paretoball as pb
from constrained import random_case
from paretoball._jit import kernel
from paretoball.archive import SPARE, new_tree, room_left
from paretoball.archive.archive import Archive
from paretoball.climber import CLIMB, NO_MOVE, REPORTS, TAG_OPTIMUM, TAG_STEP
from paretoball.landscape import EXACT, unpacked_bits
from paretoball.search.method import Asked
from paretoball.search.path import searcher
from paretoball.search.path.clock import (
    CLIMBING,
    COMBINING,
    ENOUGH,
    FLIPPING,
    FOUND,
    NOTHING,
    OPTIMUM,
    REPAIRING,
)
from paretoball.search.path.engine import _step, go_on
from paretoball.search.path.journal import has_room, offer
from paretoball.search.path.ledger import MOST, look_work, open_ledger
from paretoball.search.path.searcher import NOT_A_PATH, Searcher, _facing
from paretoball.search.path.stages import _choose_flip, _choose_repair, choose_on_stage
from paretoball.search.path.tasks import FILL, PATH, Known, Task, turns_of
from paretoball.search.path.unit import CORE, begin
from paretoball.search.path.visiting import choose_on_visit
from walkers import begin_again, climb_of, walker_of

repair_now = kernel(_choose_repair)


def torn() -> Searcher:
    """The first variable has to be 1 by one constraint, and 0 by the other."""
    one, other = [((0,), [0, 1])], [((1,), [0, 8])]
    constraints = [(one, ">=", 1), (one, "<=", 0)]
    landscape = pb.Landscape.from_subfunctions(2, [other], constraints=constraints)
    return walker_of(landscape, np.zeros(2, np.uint8))


@pytest.mark.plain
@pytest.mark.bounds
def test_prices_of_what_is_violated_rise_where_no_flip_helps():
    walker = torn()
    prices = walker.unit.ledger.prices
    first = prices.tolist()
    assert first[0] == first[1] > 0
    assert repair_now(walker.ground, walker.unit) == 0
    assert prices.tolist() == [1.1 * first[0], first[1]]
    assert walker.unit.clock.work == 2 + 3 + 1  # x, the row's flip, what is dearer
    assert repair_now(walker.ground, walker.unit) == 0  # which helps now
    assert prices.tolist() == [1.1 * first[0], first[1]]
    assert walker.unit.clock.work == 6 + 3


@pytest.mark.plain
def test_prices_have_a_bound_and_repairs_are_found_however_long_it_takes():
    walker = torn()
    ledger = walker.unit.ledger
    ledger.prices[1] = most = MOST * ledger.least[1]
    for _ in range(8000):  # 1.1 to the power of 8,000 is no float
        assert repair_now(walker.ground, walker.unit) == 0
    assert ledger.prices.tolist() == [most, most]


@pytest.mark.plain
def test_the_first_of_the_nearest_solutions_is_told_while_nothing_is_feasible():
    walker, archive = torn(), Archive(1)
    walker.state.clock[CLIMB] = 7
    walker._tell(archive)
    assert archive.near is None  # nothing was repaired so far
    for x in ([0, 1], [0, 0], [1, 0]):  # each violates one constraint
        walker.state.x[:] = x
        open_ledger(walker.unit.ledger, walker.state.x)
        repair_now(walker.ground, walker.unit)
        walker._tell(archive)
        assert archive.near is not None
        assert archive.near[:2] == (1, 7)
        assert unpacked_bits(archive.near.x, 2).tolist() == [0, 1]
        assert walker.unit.places.nearest.tolist() == [0, 1]
    found = Archive(1)
    found.report([1], np.zeros(2, np.uint8))
    walker._tell(found)
    assert found.near is None


@pytest.mark.plain
@pytest.mark.parametrize("steps", [0, 126, 127, 128])
def test_a_repair_is_given_up_after_so_many_steps_for_variables_and_constraints(steps):
    """Two of each; the next step would be one more than so many."""
    walker = torn()
    unit, clock = walker.unit, walker.unit.clock
    begin(unit, REPAIRING)
    clock.steps = steps
    j = choose_on_stage(walker.ground, unit, unit.ledger)
    assert (j, clock.stage) == ((0, 0) if steps < 32 * (2 + 2) else (NO_MOVE, 1))


@pytest.mark.plain
def test_a_flip_counts_looks_neighbours_and_resources():
    n = 40
    pairs = [((j, j + 1), [0, 1, 1, 3]) for j in range(n - 1)]
    used = [((j,), [0, 4]) for j in range(n)]
    constraints = [(used, "<=", 40), (used, ">=", 20), (used[:2], "<=", 4)]
    landscape = pb.Landscape.from_subfunctions(n, [pairs], constraints=constraints)
    walker = walker_of(landscape, np.zeros(n, np.uint8))
    looks = look_work(landscape.constraint_rows)
    assert walker.unit.ledger.resources.tolist() == [0, 1]
    assert walker.ground.flips.tolist() == (looks + landscape.degrees + 2).tolist()
    assert walker.ground.sweep == looks.sum() + 3


@pytest.mark.plain
@pytest.mark.parametrize(("n", "others"), [(512, 1), (513, 513)])
def test_pairs_of_flips_are_tried_up_to_512_variables(n, others):
    ones = [((j,), [0, 1]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(n, [ones], constraints=[(ones, ">=", 0)])
    walker = walker_of(landscape, np.ones(n, np.uint8))
    unit, clock = walker.unit, walker.unit.clock
    begin(unit, FLIPPING)
    assert clock.due == FOUND  # what x hides is not worth a try, so x is offered first
    assert choose_on_visit(walker.ground, unit, unit.ledger) == NO_MOVE
    assert (clock.steps, clock.work) == (0, 0)
    clock.due = NOTHING
    assert choose_on_visit(walker.ground, unit, unit.ledger) == 0
    assert clock.steps == others
    following = choose_on_visit(walker.ground, unit, unit.ledger)
    assert following == (1 if n == 512 else 0)
    assert clock.work == (2 if n == 512 else 0)  # of one other variable


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("weights", [None, "independent", [[1] * 3, [1, 10**12, 7]]])
@pytest.mark.parametrize("large", [2**40, 2**55])
def test_gains_of_all_flips_of_a_core_fit_together(d, weights, large):
    n = 14
    tables = [((j,), [0, large]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(
        n, [tables] * d, constraints=[([((0,), [0, 1])], "<=", 1)]
    )
    climber = pb.Climber(landscape.unconstrained, radius=1)
    if isinstance(weights, list):
        weights = [row[:d] for row in weights]
    asked = Asked(weights=weights, seed=1, radius=1, breadth=1)
    nobody = np.zeros((0, n), np.uint8)
    walker = Searcher(landscape, climber, asked, nobody, has_fillings=False)
    drawn = walker.weights.draw(np.arange(200)).tolist()
    most = max(sum(row) for row in drawn)
    assert CORE * most * large <= EXACT
    if weights is None and d > 1:
        assert CORE * most * large > EXACT / 8 or most > 2**30  # as fine as can be


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_units_have_the_heat_the_work_and_the_stages_of_their_kind(d):
    n = 9
    ones = [((j,), [0, 1]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(
        n, [ones] * d, constraints=[(ones, "<=", 5)]
    )
    climber, asked = pb.Climber(landscape.unconstrained, 1), Asked(None, 1, 1, 1)
    nobody = np.zeros((0, n), np.uint8)
    walker = Searcher(landscape, climber, asked, nobody, has_fillings=d > 1)
    turns, none = np.arange(turns_of(d) * d).reshape(-1, d) + 1, np.zeros(0, np.uint8)
    rows, values = np.zeros((3, n), np.uint8), np.arange(3 * d).reshape(3, d)

    def heat_of(task: Task, stages: int, w: list[int]) -> tuple[float, float]:
        """The first temperature of this task, in losses, and its work."""
        walker.begin(Archive(d), 0, task)
        unit = walker.unit
        assert (unit.course.stages, unit.state.w.tolist()) == (stages, w)
        assert_allclose(unit.heat.shares, np.array(w) / sum(w))
        # Each flip changes w · f by the sum of w.
        numbers = unit.heat.numbers
        assert_allclose(numbers.loss, sum(w))
        assert_allclose(numbers.last_t, 0.01)
        return round(float(numbers.first_t), 6), float(numbers.given)

    for path in (0, 7, 500):
        task, work = Task(PATH, path, turns, Known(rows, values, none)), 0.0
        work = walker.effort.of_anneal(path)
        steps = walker.effort.legs(work)
        stages = 1 + (len(turns) - 1) * steps
        assert heat_of(task, stages, turns[0].tolist()) == (0.2, work)
        assert walker.unit.course.steps == steps >= 1
    climb = task._replace(path=NOT_A_PATH)
    assert heat_of(climb, 1, turns[0].tolist()) == (0.08, 1.0)  # one sweep
    filling = task._replace(kind=FILL)
    assert heat_of(filling, 3, [1000] * d) == (0.08, 64.0 * n)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("values", "weights"),
    [
        ([[0, 0], [10, 1000]], [100_000, 1000]),
        ([[5, 3], [1, 9], [3, 5]], [1500, 1000]),
        ([[7, 7]], [1000, 1000]),
        ([[0, 0], [1, 2**40]], [2**40, 1000]),
        ([[0, 0], [3, 2]], [1000, 1500]),
    ],
)
def test_a_filling_faces_as_the_ranges_of_its_rows_say(values, weights):
    assert _facing(np.array(values)).tolist() == weights


@pytest.mark.plain
def test_where_there_is_space_all_flips_and_two_reports_can_be_noted():
    n = 5
    ones = [((j,), [0, 1]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(n, [ones], constraints=[(ones, ">=", 0)])
    walker = walker_of(landscape, np.zeros(n, np.uint8))
    state, least = walker.state, (5 * n + 2, 2, 2 * SPARE)
    some = range(5 * n, 5 * n + 5), range(4), (2 * SPARE - 1, 2 * SPARE)
    for flips, reports, nodes in product(*some):
        state.clock[REPORTS] = len(state.notes.tags) - reports
        walker.unit.clock.flipped = 0
        unit = walker.unit._replace(
            flips=np.zeros(flips, np.int32), front=new_tree(1, nodes + 2)
        )
        assert room_left(unit.front) == nodes
        is_enough = np.greater_equal((flips, reports, nodes), least).all()
        assert has_room(walker.ground, unit) == is_enough
        if (flips, reports, nodes) == least:
            for j in range(n):
                _step(walker.ground, unit, j)
            offer(unit)
            _step(walker.ground, unit, 0)
            state.fx[0] += 9  # as if that were better
            unit.clock.due = OPTIMUM
            offer(unit)
            assert state.notes.tags[:, TAG_OPTIMUM].tolist()[-2:] == [0, 1]
            assert unit.clock.flipped == n + 1
            assert state.clock[REPORTS] == len(state.notes.tags)
            assert room_left(unit.front) >= 0


@pytest.mark.plain
def test_the_most_that_a_feasible_flip_gains_is_found_however_little_it_is():
    gains = [1, 3, 2, 5]
    terms = [((j,), [0, gain]) for j, gain in enumerate(gains)]
    landscape = pb.Landscape.from_subfunctions(
        4, [terms], constraints=[(terms, "<=", 6)]
    )
    for x in product((0, 1), repeat=4):
        walker = walker_of(landscape, np.array(x, np.uint8))
        used = sum(gain for gain, bit in zip(gains, x) if bit)
        free = [gain for gain, bit in zip(gains, x) if not bit and used + gain <= 6]
        unit, clock = walker.unit, walker.unit.clock
        clock.at, clock.due, clock.most = 4, NOTHING, 99  # a pass is over
        assert _choose_flip(walker.ground, unit) == NO_MOVE
        assert clock.most == max(free, default=0)
        assert clock.due == (NOTHING if free else OPTIMUM)


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2])
def test_what_is_told_to_be_a_local_optimum_is_one_even_where_it_is_soon_dominated(d):
    optima = 0
    for number in range(30):
        rng = np.random.default_rng([number, d])
        case = random_case(rng, d, max_n=14)
        landscape = case.landscape
        if not case.constraints:
            continue
        start = rng.integers(0, 2, landscape.n).astype(np.uint8)
        walker = walker_of(landscape, start)
        clock, state = walker.unit.clock, walker.state
        while clock.stage == 0 and clock.phase < COMBINING:
            go_on(walker.ground, walker.unit, clock.taken + 1)
        tags = state.notes.tags[: state.clock[REPORTS]]
        steps = tags[tags[:, TAG_OPTIMUM] > 0, TAG_STEP]
        for x in replay(start, walker.unit.flips, steps):
            assert naive.is_feasible_optimum(
                landscape.unconstrained, case.constraints, x
            )
        optima += len(steps)
    assert optima > 5


@pytest.mark.plain
def test_a_look_reads_all_factors_and_masks_of_a_variable():
    linear = [((j,), [0, j]) for j in range(4)]
    tables = [((0, 1, 2), list(range(8))), ((0, 3), [0, 0, 0, 1])]
    landscape = pb.Landscape.from_subfunctions(
        5, [linear], constraints=[(linear, "<=", 9), (tables, "<=", 9)]
    )
    expected = [1 + 0 + 5, 1 + 1 + 3, 1 + 1 + 3, 1 + 1 + 2, 1]
    assert look_work(landscape.constraint_rows).tolist() == expected


@pytest.mark.plain
def test_where_nothing_flips_heat_climbs_and_cores_count_a_look_at_all_variables():
    """A repair has nothing to look at; heat and climb look once; a core is chosen."""
    n = 50
    ones = [((j,), [0, 1]) for j in range(n)]
    landscape = pb.Landscape.from_subfunctions(n, [ones], constraints=[(ones, ">=", 0)])
    walker = walker_of(landscape, np.ones(n, np.uint8))
    go_on(walker.ground, walker.unit, 1)
    assert walker.unit.clock.taken == 1  # of the first combination
    assert walker.unit.clock.work == 3 * (2 * n + 1) + 2


@pytest.mark.parametrize("is_wide", [False, True])
def test_a_repair_returns_to_look_at_the_clock_after_so_much_work(monkeypatch, is_wide):
    """Each flip of a repair looks at a row of all variables."""
    n = 20_000
    ones = [((j,), [0, 1]) for j in range(n)]
    if is_wide:
        ones = [((j, j + 1), [0, 1, 1, 2]) for j in range(0, n, 2)]
    landscape = pb.Landscape.from_subfunctions(n, [ones], constraints=[(ones, "<=", 1)])
    walker = walker_of(landscape, np.ones(n, np.uint8))
    walker.unit.clock.phase = REPAIRING
    monkeypatch.setattr(searcher, "next_slice", lambda *_: 1 << 20)
    walker.slice, seen = 1 << 20, []

    def is_enough(moves: int) -> bool:
        seen.append((moves, int(walker.unit.clock.work)))
        return len(seen) == 4

    assert not walker.go_on(Archive(1), 0, 1 << 40, is_enough)
    per_flip = int(look_work(landscape.constraint_rows).sum())
    assert per_flip == (3 * n if is_wide else 2 * n)
    moves = np.diff([moves for moves, _ in seen])
    assert (moves > 0).all()
    assert (moves * per_flip < ENOUGH + 2 * per_flip).all()
    assert all(looks >= ENOUGH for _, looks in seen[1:])
    flips = look_work(landscape.constraint_rows) + landscape.degrees
    assert walker.ground.flips.tolist() == flips.tolist()
    per_flip += int(flips[0])
    looks = np.array([looks for _, looks in seen[1:]])
    assert (looks == per_flip * moves + [n, 0, 0]).all()  # at first, x is kept
    assert walker.unit.clock.phase == REPAIRING
    assert walker.unit.clock.taken == moves.sum()


def climbing(known: int | None = None) -> Searcher:
    """At 0, where each flip gains more than the one before; maybe a point is known."""
    terms = [((j,), [0, j + 1]) for j in range(9)]
    pair = [((j,), [0, 1]) for j in range(2)]
    landscape = pb.Landscape.from_subfunctions(
        9, [terms], constraints=[(pair, "<=", 2)]
    )
    walker = walker_of(landscape, np.zeros(9, np.uint8))
    if known is not None:
        rows, values = np.zeros((1, 9), np.uint8), np.array([[known]])
        told = Known(rows, values, np.zeros(1, np.uint8))
        begin_again(walker, climb_of(landscape)._replace(known=told))
    begin(walker.unit, CLIMBING)
    go_on(walker.ground, walker.unit, 5)
    assert walker.state.x.tolist() == [1] * 5 + [0] * 4
    return walker


@pytest.mark.plain
def test_the_work_of_a_climb_is_that_of_its_flips():
    walker = climbing()
    assert walker.unit.clock.work == walker.ground.flips[:5].sum()


@pytest.mark.plain
@pytest.mark.parametrize(
    ("known", "told"), [(None, [0, 1, 3, 6, 10]), (3, [6, 10]), (15, [])]
)
def test_a_climb_reports_what_it_passes_unless_it_knows_better(known, told):
    state = climbing(known).state
    assert state.notes.fx[: state.clock[REPORTS], 0].tolist() == told
