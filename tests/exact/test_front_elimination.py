"""Eliminations keep their limits: they pause inside entries, and count what they take.

What takes long tells comparisons to its elimination, and looks at the clock whenever it
does. So the tests count comparisons between two looks, never seconds.
"""

import re
import tracemalloc
from contextlib import suppress
from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from clocks import Ticks
from landscapes import ring
from paretoball.exact.front_elimination import (
    A_VECTOR,
    CHECKPOINTS,
    Budget,
    Elimination,
    GivenUp,
    Pass,
    _bytes,
)
from paretoball.exact.front_steps import NOTHING
from paretoball.exact.front_tables import SLICE, Fronts
from paretoball.exact.supported_front import Solver
from paretoball.system import capped, readable_bytes

NAMES = "exact_front front_bands front_tables best_completions front_bounding"
EXACT, BANDS, *SLICED = (
    import_module(f"paretoball.exact.{name}")
    for name in (*NAMES.split(), "front_corners")
)
TABLES = SLICED[0]
SMALL = 4000  # comparisons of a slice


def chains(n, d, parts=2):
    """Chains of n variables each: the last steps join their fronts."""
    rng = np.random.default_rng(n * d)
    objectives = [
        [
            ((a, a + 1), rng.integers(0, 1000, 4).tolist())
            for part in range(parts)
            for a in range(part * n, part * n + n - 1)
        ]
        for _ in range(d)
    ]
    return pb.Landscape.from_subfunctions(parts * n, objectives)


def knapsack(n, d=2, m=2):
    """Items with d profits and m weights, of which half fits."""
    rng = np.random.default_rng(n)

    def sum_of(values):
        return [((j,), (0, value)) for j, value in enumerate(values.tolist())]

    profits, weights = rng.integers(10, 1000, (d, n)), rng.integers(10, 1000, (m, n))
    capacities = [(sum_of(each), "<=", int(each.sum() // 2)) for each in weights]
    return pb.Landscape.from_subfunctions(
        n, [sum_of(each) for each in profits], constraints=capacities
    )


def in_bands(patch):
    """Find all fronts within bands."""
    for name in ("FEW", "FEW_OF_MORE", "FEW_EACH"):
        patch.setattr(BANDS, name, 0)


def slice_by(patch, size):
    """Let kernels pause after so many comparisons."""
    for module in SLICED:
        patch.setattr(module, "SLICE", size)


@pytest.fixture
def looks(monkeypatch):
    """The comparisons so far, at each look at the limits."""
    seen, check = [], Elimination.check_made

    def look(of, *limits):
        seen.append(of.compared)
        check(of, *limits)

    monkeypatch.setattr(Elimination, "check_made", look)
    return seen


# Pauses

LIMITED = {
    "a join of five objectives": (lambda: chains(9, 5), False),
    "a join in bands": (lambda: chains(8, 4), True),
    "pairs": (lambda: ring(60, K=3, seed=1), False),
    "pairs in bands": (lambda: ring(60, K=3, seed=1), True),
    "a knapsack": (lambda: knapsack(24), False),
    "a knapsack in bands": (lambda: knapsack(24), True),
}


@pytest.fixture(params=LIMITED)
def limited(request, monkeypatch):
    """A landscape that takes many comparisons."""
    make, is_in_bands = LIMITED[request.param]
    if is_in_bands:
        in_bands(monkeypatch)
    return make()


def test_few_comparisons_are_between_two_looks(limited, looks, monkeypatch):
    slice_by(monkeypatch, SMALL)
    pb.exact_front(limited)
    assert looks[-1] > 10 * SMALL
    assert np.diff([0, *looks]).max() < 2 * SMALL


def test_pauses_change_neither_the_front_nor_the_work(limited, looks, monkeypatch):
    whole = pb.exact_front(limited)
    compared = looks[-1]
    for size in 100, SMALL:
        slice_by(monkeypatch, size)
        looks.clear()
        front = pb.exact_front(limited)
        assert_array_equal(front.F, whole.F)
        assert_array_equal(front.X, whole.X)
        assert front.vectors == pytest.approx(whole.vectors, rel=0.02)
        if size == SMALL:
            assert looks[-1] == pytest.approx(compared, rel=0.02)


@pytest.mark.bounds
@pytest.mark.parametrize("d", [2, 3, 5])
def test_joins_that_lack_room_compute_nothing_again(looks, monkeypatch, d):
    landscape = chains(7, d)
    whole = pb.exact_front(landscape)
    compared = looks[-1]
    for room in 1, 50:
        monkeypatch.setattr(TABLES, "FIRST_ROOM", room)
        slice_by(monkeypatch, SLICE if room == 1 else 100)
        looks.clear()
        front = pb.exact_front(landscape)
        assert_array_equal(front.F, whole.F)
        assert looks[-1] == compared


def test_sums_of_cliques_begin_at_0_slice_by_slice(monkeypatch):
    landscape = pb.mnk(n=12, K=3, d=2, q=20, seed=1)
    whole = pb.exact_front(landscape)
    monkeypatch.setattr(TABLES, "SLICE", 8)
    right = TABLES.add_cliques

    def add_cliques(schedule, tables, space, *more):
        space.base[:] = 10**6
        right(schedule, tables, space, *more)

    monkeypatch.setattr("paretoball.exact.front_elimination.add_cliques", add_cliques)
    assert_array_equal(pb.exact_front(landscape).F, whole.F)


def test_a_limit_of_vectors_bounds_the_comparisons_of_joins():
    """Two fronts of some 700 vectors have 500,000 sums, most of which are kept."""
    most = 8000
    with pytest.raises(GivenUp) as refusal:
        pb.exact_front(chains(11, 6), max_points=most)
    made, compared = re.findall(r"([\d,]+) (?:vector|comparison)s", str(refusal.value))
    assert int(made.replace(",", "")) <= most
    limit = A_VECTOR * most
    assert limit < int(compared.replace(",", "")) < limit + SLICE + 10**6


# The clock


def stopped_by(patch, landscape, ticks):
    """What a run says that is stopped at a look at the clock."""
    patch.setattr(EXACT, "perf_counter", Ticks())
    with pytest.raises(TimeoutError) as refusal:
        pb.exact_front(landscape, time_limit=ticks)
    return str(refusal.value)


@pytest.mark.parametrize("ticks", [1, 30, 59])
def test_multipliers_for_an_order_look_at_the_clock(monkeypatch, ticks):
    assert "ordering variables" in stopped_by(monkeypatch, knapsack(20), ticks)


@pytest.mark.parametrize("ticks", [5, 30, 59])
def test_multipliers_for_bands_look_at_the_clock(monkeypatch, ticks):
    in_bands(monkeypatch)
    monkeypatch.setattr(EXACT, "ordered_solver", lambda one, _: Solver(one.landscape))
    assert "bounding" in stopped_by(monkeypatch, knapsack(20), ticks)


def test_joins_look_at_the_clock(monkeypatch):
    slice_by(monkeypatch, SMALL)
    said = stopped_by(monkeypatch, chains(9, 6), 60)
    assert "step 18 of 19 steps" in said or "step 19 of 19 steps" in said


@pytest.mark.parametrize("d", [5, 6, 7])
def test_corners_look_at_the_clock(monkeypatch, d):
    in_bands(monkeypatch)
    slice_by(monkeypatch, 1000)
    find, clock = BANDS.corners_of, Ticks(0.0)

    def find_in_time(front, *limits):
        clock.step = float(len(front) > 100)  # it moves from here on
        return find(front, *limits)

    monkeypatch.setattr(EXACT, "perf_counter", clock)
    monkeypatch.setattr(BANDS, "corners_of", find_in_time)
    with pytest.raises(TimeoutError, match="bounding"):
        pb.exact_front(ring(12, K=2, seed=1, d=d), time_limit=3)
    assert clock.now == 4


# Memory


def constrained_ring(n, K, m):
    """A ring with m constraints over all variables."""
    rng = np.random.default_rng(n)
    masks = [tuple((j + i) % n for i in range(K + 1)) for j in range(n)]
    objectives = [
        [(mask, rng.integers(0, 99, 2 << K).tolist()) for mask in masks]
        for _ in range(2)
    ]
    capacities = [
        ([((j,), (0, w)) for j, w in enumerate(weights)], "<=", 25 * n)
        for weights in rng.integers(1, 100, (m, n)).tolist()
    ]
    return pb.Landscape.from_subfunctions(n, objectives, constraints=capacities)


TIGHT = [
    (lambda: chains(10, 5), False, 2_000_000),
    (lambda: chains(8, 6), True, 2_000_000),
    (lambda: constrained_ring(36, K=2, m=2), True, 1_500_000),
    (lambda: ring(100, K=4, seed=1), False, 1_500_000),
    (lambda: ring(16, K=3, seed=1, d=4), False, 620_000),
]
TIGHT_BUT_LONG = [
    (lambda: chains(11, 6), False, 4_000_000),
    (lambda: constrained_ring(24, K=3, m=3), True, 3_000_000),
    (lambda: ring(200, K=3, seed=1), False, 3_000_000),
    (lambda: chains(10, 5), False, 3_000_000),
]


@pytest.mark.parametrize(
    ("make", "is_in_bands", "limit"),
    [*TIGHT, *(pytest.param(*each, marks=pytest.mark.long) for each in TIGHT_BUT_LONG)],
)
def test_no_more_memory_is_taken_than_allowed(monkeypatch, make, is_in_bands, limit):
    if is_in_bands:
        in_bands(monkeypatch)
    landscape, taken = make(), 0
    for _ in range(2):  # the first time, some is compiled
        tracemalloc.start()
        with suppress(MemoryError):
            pb.exact_front(landscape, memory_limit=limit)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert limit / 3 < taken < limit + 100_000  # steps and the landscape are small


def elimination_of(landscape):
    """The steps of a landscape without constraints."""
    solver = Solver(landscape)
    return Elimination(solver.schedule, solver.tables, np.zeros(0, np.int64))


def pass_of(of, memory=10**9, vectors=10**9):
    """A forward pass that is still to run."""
    return Pass(of, Budget(vectors, memory), None, lambda *_: None)


def test_an_elimination_holds_its_tables_and_may_take_what_is_allowed():
    with capped(123_456):
        of = elimination_of(ring(12, K=2, seed=1))
    assert of.room == 123_456
    assert of.held == of.tables.nbytes


@pytest.mark.parametrize("held", [0, 1, 70_000, 10**6])
def test_what_is_held_counts_against_the_room_and_is_told(held):
    of = elimination_of(ring(12, K=2, seed=1))
    of.held, of.room = held, 10**6
    of.check_room("it takes", 10**6 - held)
    needed = 5 * 10**6
    with pytest.raises(MemoryError, match=f"it takes {readable_bytes(held + needed)}"):
        of.check_room("it takes", needed)
    with pytest.raises(MemoryError):
        of.check_room("it takes", 10**6 - held + 1)


def test_limits_of_vectors_and_comparisons_are_allowed_to_be_reached():
    of = elimination_of(ring(12, K=2, seed=1))
    of.made, of.compared = 10, 64 * 10
    of.check_made(10, "all")
    for name in ("made", "compared"):
        setattr(of, name, getattr(of, name) + 1)
        with pytest.raises(GivenUp, match=r"max_points = 10 is passed.* by all"):
            of.check_made(10, "all")
        setattr(of, name, getattr(of, name) - 1)


@pytest.mark.plain
def test_a_limit_that_is_passed_is_told_with_all_that_was_made():
    of = elimination_of(ring(12, K=2, seed=1))
    of.made, of.compared = 1234, 64 * 1233
    words = (
        "max_points = 1,233 is passed: the elimination, of width 4, has made "
        "1,234 vectors and 78,912 comparisons by its end"
    )
    with pytest.raises(ValueError, match=f"^{words}$") as refusal:
        of.check_made(1233, "its end")
    assert isinstance(refusal.value, GivenUp)


def test_a_pass_takes_half_of_what_is_free_and_no_more_than_its_budget():
    of = elimination_of(ring(12, K=2, seed=1))
    of.held, of.room = 200_000, 10**6
    assert pass_of(of).memory == 400_000
    assert pass_of(of, 400_001).memory == 400_000
    assert pass_of(of, 5000).memory == 5000


def test_all_tables_are_kept_if_a_quarter_of_the_memory_is_enough():
    of = elimination_of(ring(40, K=2, seed=1))
    whole = pass_of(of)
    whole.run()
    for memory, are_kept in (4 * whole.whole_size, True), (4 * whole.whole_size - 1, 0):
        done = pass_of(of, memory)
        done.run()
        assert (done.tables is not None) == are_kept


@pytest.mark.parametrize("share", [2, 4, 9, 30, 200])
def test_few_checkpoints_are_kept_in_half_of_the_memory(share):
    of = elimination_of(ring(120, K=2, seed=1))
    whole = pass_of(of)
    whole.run()
    done = pass_of(of, whole.whole_size // share)
    keep, counts, sizes = done._keep_some, [], []

    def keep_and_count(number, live):
        keep(number, live)
        counts.append(len(done.checkpoints))
        kept = {
            id(t): t.nbytes for at in done.checkpoints.values() for t in at.values()
        }
        sizes.append(sum(kept.values()))

    done._keep_some = keep_and_count
    done.run()
    largest = max(whole.layers)
    assert CHECKPOINTS // 3 < max(counts) <= CHECKPOINTS
    assert max(sizes) <= max(done.memory // 2, largest)
    assert_array_equal(done.solutions(done.values), whole.solutions(whole.values))


def test_places_of_checkpoints_are_as_many_as_fit():
    of = elimination_of(ring(120, K=2, seed=1))
    done = pass_of(of)
    done.run()
    counts = []
    for memory in 0, 100_000, 300_000, 600_000, 10**9:
        places = sorted(done._places(10, 110, memory))
        assert 10 < places[0] <= places[-1] < 110
        assert len(places) == 1 or done.layers[places].sum() <= memory
        counts.append(len(places))
        between = np.add.reduceat(done.sizes[10:110], [0, *np.subtract(places, 10)])
        assert between.max() < 2.5 * between.mean() or len(places) > 9
    assert counts == sorted(counts)
    assert counts[0] == 1 < counts[2] < counts[-1] == CHECKPOINTS


def test_tracing_may_take_what_neither_tables_nor_scratch_hold():
    of = elimination_of(ring(40, K=2, seed=1))
    done = pass_of(of, 50_000)
    done.run()
    given = []
    done._trace = lambda trace, last, kept, memory: given.append(memory)
    for free in 123, 49_999, 10**6:
        of.room = of.held + done.space.nbytes + free
        done.solutions(done.values)
    assert given == [123, 49_999, 50_000]


def test_a_table_that_several_checkpoints_have_counts_once():
    tables = [Fronts(np.zeros(2, np.int64), np.zeros(k, np.int64)) for k in (10, 100)]
    shared, other = tables
    kept = [{0: shared}, {0: shared, 1: other}, {1: other}]
    assert _bytes(kept) == shared.nbytes + other.nbytes == 8 * (4 + 110)
    assert _bytes([]) == 0


def test_refusals_tell_the_step_counted_from_one():
    of = elimination_of(ring(12, K=2, seed=1))
    with pytest.raises(GivenUp, match=r"by step 1 of 12 steps"):
        pass_of(of, vectors=1).run()
    of.room = of.held
    with pytest.raises(MemoryError, match=r"^step 1 of 12 steps of the elimination"):
        pass_of(of).run()


@pytest.mark.parametrize("n", [60, 120])
def test_comparisons_do_not_depend_on_the_memory(looks, monkeypatch, n):
    landscape = ring(n, K=3, seed=1)
    pb.exact_front(landscape)
    compared = looks[-1]
    monkeypatch.setattr(BANDS, "available_memory", lambda: 10**6)
    pb.exact_front(landscape)
    assert looks[-1] == compared


def test_passes_know_the_bytes_of_their_tables():
    of = elimination_of(ring(40, K=3, seed=1))
    done = pass_of(of)
    done.run()
    assert done.tables is not None
    sizes = np.array([done.tables[number].nbytes for number in range(len(of.steps))])
    assert_array_equal(done.sizes, sizes)
    assert done.whole_size == sizes.sum()
    for number in range(len(of.steps)):
        read = {each for step in of.steps[:number] for each in step[2:4]} - {NOTHING}
        unread = sorted(set(range(number)) - read)
        assert done.layers[number] == sizes[unread].sum()


@pytest.mark.parametrize("keeps_all", [True, False])
def test_a_step_counts_all_that_is_kept_and_the_space_beside_what_it_takes(keeps_all):
    solver = Solver(ring(16, K=2, seed=1))
    of = Elimination(solver.schedule, solver.tables, np.zeros(0, np.int64))
    memory = 10**9 if keeps_all else 2000
    done = of.front(Budget(10**6, memory), None, lambda *_: None)
    assert (done.tables is not None) == keeps_all
    assert keeps_all or done.checkpoints
    live = {0: Fronts(np.arange(9), np.arange(5))}
    every = [live, done.tables or {}, *done.checkpoints.values()]
    tables = {id(table): table for kept in every for table in kept.values()}
    arrays = [array for table in tables.values() for array in table]
    needed = sum(array.nbytes for array in arrays) + done.space.nbytes + 100
    of.room = of.held + needed
    done._check_room(3, live, 100)
    said = rf"step 4 of {len(of.steps)} steps of the elimination takes"
    with pytest.raises(MemoryError, match=said):
        done._check_room(3, live, 101)
