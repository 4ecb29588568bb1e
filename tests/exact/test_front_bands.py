"""Bands: when they are tried, how they widen, and what is told of them."""

from importlib import import_module
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.exact.best_completions import Completions
from paretoball.exact.front_bounding import bound_of
from paretoball.exact.front_elimination import Budget, Elimination, GivenUp
from paretoball.exact.front_weights import Weights
from paretoball.exact.supported_front import Solver, search_hull

BANDS = import_module("paretoball.exact.front_bands")


class Asked(Exception):
    """How many vectors the first pass may make."""


def capacity(n):
    """A constraint over all variables."""
    return [([((j,), (0, 1)) for j in range(n)], "<=", n // 2)]


def constrained(d):
    """A ring with a capacity."""
    rng = np.random.default_rng(d)
    masks = [(j, (j + 1) % 12) for j in range(12)]
    objectives = [
        [(mask, rng.integers(0, 99, 4).tolist()) for mask in masks] for _ in range(d)
    ]
    return pb.Landscape.from_subfunctions(12, objectives, constraints=capacity(12))


@pytest.mark.parametrize(
    ("make", "most", "asked"),
    [
        (lambda: ring(12, K=2, seed=1), None, BANDS.FEW),
        (lambda: ring(12, K=2, seed=1), BANDS.FEW + 1, BANDS.FEW),
        (lambda: ring(12, K=2, seed=1), 99, 99),
        (lambda: ring(12, K=2, seed=1, d=3), None, BANDS.FEW_OF_MORE),
        (lambda: constrained(2), None, BANDS.FEW_OF_MORE),
        (lambda: constrained(1), None, BANDS.FEW_OF_MORE),
        (lambda: ring(12, K=2, seed=1, d=1), None, None),
        (lambda: ring(12, K=2, seed=1, d=1), 99, None),
    ],
)
def test_one_pass_is_tried_before_bands(monkeypatch, make, most, asked):
    def whole(run, most=None):
        raise Asked(most)

    monkeypatch.setattr(BANDS._Run, "whole", whole)
    with pytest.raises(Asked) as told:
        pb.exact_front(make(), max_points=most)
    assert told.value.args == (asked,)


def test_more_vectors_are_tried_where_tables_have_more_entries(monkeypatch):
    monkeypatch.setattr(BANDS, "FEW", 5)

    def whole(run, most=None):
        raise Asked(most, int(run.of.arrays.at[-1]))

    monkeypatch.setattr(BANDS._Run, "whole", whole)
    with pytest.raises(Asked) as told:
        pb.exact_front(ring(12, K=2, seed=1))
    most, entries = told.value.args
    assert most == BANDS.FEW_EACH * entries


@pytest.mark.parametrize(("d", "bands"), [(2, "_below_hull"), (3, "_below_weights")])
def test_bands_that_are_no_use_hold_nothing_afterwards(monkeypatch, d, bands):
    landscape, held = ring(12, K=2, seed=1, d=d), []
    right, whole = pb.exact_front(landscape), BANDS._Run.whole

    def no_use(solver, run, kept):
        run.of.held += 10**6

    def noted(run, most=None):
        held.append(run.of.held)
        if len(held) == 1:
            raise GivenUp
        return whole(run, most)

    monkeypatch.setattr(BANDS, bands, no_use)
    monkeypatch.setattr(BANDS._Run, "whole", noted)
    assert_array_equal(pb.exact_front(landscape).F, right.F)
    assert held == [held[0]] * 2


def test_bands_are_not_tried_where_less_is_allowed_than_one_pass(monkeypatch):
    monkeypatch.setattr(BANDS, "_below_hull", None)
    with pytest.raises(GivenUp, match="max_points = 50 is passed"):
        pb.exact_front(ring(12, K=2, seed=1), max_points=50)


def run_of(landscape):
    """Passes over a landscape, without limits."""
    solver = Solver(landscape)
    of = Elimination(solver.schedule, solver.tables, np.zeros(0, np.int64))
    return BANDS._Run(of, Budget(10**9, 10**9), lambda *_: None)


@pytest.mark.plain
def test_all_comparisons_of_bounds_are_counted_and_limited():
    run, told = run_of(ring(6, K=1, seed=1)), []
    run.tell = lambda *what: told.append(what)
    run.budget = Budget(1, 10**9)
    run.spend(40)
    run.spend(24)
    assert run.of.compared == 64
    with pytest.raises(GivenUp, match=r"0 vectors and 65 comparisons by its bounds$"):
        run.spend(1)
    assert told == [("bounding", 0.0)] * 3


@pytest.mark.plain
@pytest.mark.parametrize("n", [1, 8, 9])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_where_nothing_is_feasible_the_front_has_no_rows_of_its_shape(d, n):
    tables = [[((j,), (0, 1)) for j in range(n)]] * (d + 1)
    landscape = pb.Landscape.from_subfunctions(n, tables)
    found = BANDS.whole_front(
        Solver(landscape), np.array([n + 1]), 10**9, lambda *_: None, None
    )
    assert (found.points.shape, found.bits.shape) == ((0, d), (0, -(-n // 8)))
    assert (found.points.dtype, found.bits.dtype) == (np.int64, np.uint8)
    assert found.made == 0


def test_weights_are_as_many_as_there_is_room_for(monkeypatch):
    run = run_of(ring(12, K=2, seed=1))
    assert run.most_weights() == BANDS.MOST_WEIGHTS
    entries = int(run.of.arrays.at[-1])
    monkeypatch.setattr(BANDS, "COMPLETIONS", 11 * entries - 1)
    assert run.most_weights() == 10


@pytest.mark.parametrize(("d", "is_of_use"), [(3, True), (4, False)])
def test_bands_of_more_objectives_need_two_weights_for_each(monkeypatch, d, is_of_use):
    landscape = ring(10, K=2, seed=1, d=d)
    solver, run = Solver(landscape), run_of(landscape)
    monkeypatch.setattr(BANDS, "MOST_WEIGHTS", 7)
    found = BANDS._below_weights(solver, run, BANDS.Kept(landscape, None))
    assert (found is not None) == is_of_use


def test_few_weights_are_no_use_for_two_objectives(monkeypatch):
    landscape = ring(40, K=2, seed=1)
    solver, run = Solver(landscape), run_of(landscape)
    for most in BANDS.FEWEST_WEIGHTS - 1, BANDS.FEWEST_WEIGHTS:
        monkeypatch.setattr(BANDS, "MOST_WEIGHTS", most)
        found = BANDS._below_hull(solver, run, BANDS.Kept(landscape, None))
        assert (found is not None) == (most == BANDS.FEWEST_WEIGHTS)


def test_corners_may_take_what_is_not_held(monkeypatch):
    for name in ("FEW", "FEW_OF_MORE", "FEW_EACH"):
        monkeypatch.setattr(BANDS, name, 0)
    find, runs, free = BANDS.corners_of, [], []
    start = BANDS._Run.__init__

    def started(run, *what):
        runs.append(run)
        start(run, *what)

    def find_noted(front, spend, memory):
        free.append((memory, runs[-1].of.room - runs[-1].of.held))
        return find(front, spend, memory)

    monkeypatch.setattr(BANDS._Run, "__init__", started)
    monkeypatch.setattr(BANDS, "corners_of", find_noted)
    pb.exact_front(ring(12, K=2, seed=1, d=3), memory_limit="100MB")
    assert free
    assert all(0 < memory == left < 10**8 for memory, left in free)


# Widths


def lines_of(w, lengths):
    """Weights without what they tell."""
    weights = Weights(np.array(w), np.array(lengths))
    return BANDS._Lines(weights, np.zeros((len(w), 0)), np.zeros(len(w)), None)


def known_of(points, covered):
    """So many points, and how far they are known."""
    covered = np.array(covered, float)
    return BANDS.Known(np.zeros((points, 2), np.int64), None, covered, None)


numbers = st.floats(0.001, 1000)


@given(st.data(), st.integers(1, 5), st.integers(0, 1))
def test_bands_widen_by_a_step_at_least_and_by_no_more_than_needed(data, count, found):
    def draw(values):
        return data.draw(st.lists(values, min_size=count, max_size=count))

    w, lengths = draw(st.tuples(numbers, numbers)), draw(numbers)
    covered = np.array(draw(st.one_of(st.just(-1.0), st.floats(0, 1000))))
    more = np.array(draw(st.one_of(st.just(-1.0), numbers)))
    covered[data.draw(st.integers(0, count - 1))] = 1.0  # it is not the first band
    needed = np.where(more < 0, -1.0, covered.clip(0) + more)
    lines = lines_of(w, lengths)
    gaps = lines.next_band(known_of(found, covered), needed)
    steps = covered + lines.weights.w.sum(axis=1)
    if found:
        assert (gaps[needed < 0] < 0).all()
        assert (gaps <= needed).all()
        assert ((gaps == needed) | (gaps >= steps)).all()
    else:
        assert (gaps >= steps).all()
    share = (covered / lengths)[covered >= 0].mean()
    twice = np.maximum(2 * covered, lines.weights.lengths * share)
    assert (gaps <= twice + lines.weights.w.sum(axis=1)).all()


def test_first_bands_are_narrow():
    lines, none = lines_of([(1.0, 1.0)] * 3, [4096.0, 8192.0, 4.0]), [-1.0] * 3
    needed = np.array([64.0, 0.0, -1.0])
    assert lines.next_band(known_of(1, none), needed).tolist() == [2.0, 0.0, -1.0]
    assert_array_equal(lines.next_band(known_of(0, none), needed), [1, 2, 1 / 1024])


def test_bounds_keep_what_is_no_further_below_the_best_than_a_gap():
    best = np.array([10.0, 20.0, 30.0])
    completions = Completions(np.arange(5), np.zeros((4, 3)), best)
    bound = bound_of(np.ones((3, 2)), completions, np.array([0.0, 5.0, -1.0]))
    assert bound.least.tolist() == [10.0, 15.0, np.inf]
    errors = 8 * 30 * 2.0**-53  # of sums of eight terms, each of which is rounded
    assert errors < bound.slack < 1e-9


def test_what_is_known_is_never_less_than_before():
    known = BANDS.Known(
        np.array([[9, 0], [0, 9]]),
        np.array([[1], [2]], np.uint8),
        np.array([5.0, -1.0, 2.0]),
        None,
    )

    class Done:
        values = np.array([[9, 0, 1], [4, 4, 2], [3, 5, 3]])

        def solutions(self, values):
            return values[:, 2:].astype(np.uint8) + 10

    more = BANDS._with_more(known, Done(), np.array([4.0, 1.0, -1.0]))
    assert more.covered.tolist() == [5.0, 1.0, 2.0]
    assert more.points.tolist() == [[9, 0], [4, 4], [3, 5], [0, 9]]
    assert more.bits.tolist() == [[1], [12], [13], [2]]


@pytest.mark.plain
@pytest.mark.parametrize("size", range(4))
def test_every_new_point_of_a_pass_has_its_own_solution(size):
    points = np.array([[9, 0], [6, 2], [3, 5], [0, 9]])
    bits = np.arange(1, 5, dtype=np.uint8)[:, None]
    for own in combinations(range(4), size):
        known = BANDS.Known(points[[*own]], bits[[*own]], np.zeros(1), None)

        class Done:
            values = points

            def solutions(self, values):
                return bits[[points.tolist().index(fx) for fx in values.tolist()]]

        more = BANDS._with_more(known, Done(), np.zeros(1))
        assert_array_equal(more.points, points)
        assert_array_equal(more.bits, bits)


# What is told


def test_passes_tell_their_step_counted_from_one():
    told = []
    tell = BANDS._telling(lambda *what: told.append(what), "band 2")
    tell(0, 4, 1)
    tell(3, 4, 5000)
    assert told == [
        ("band 2: step 1 of 4 steps, 1 vector", 0.25),
        ("band 2: step 4 of 4 steps, 5,000 vectors", 1.0),
    ]


def test_bands_are_told_from_the_hull_to_the_last(monkeypatch):
    for name in ("FEW", "FEW_EACH"):
        monkeypatch.setattr(BANDS, name, 0)
    landscape, told = ring(60, K=2, seed=1), []
    solver = Solver(landscape)

    def tell(text, share):
        assert 0.0 <= share <= 1.0
        told.append(text)

    kept = BANDS.Kept(landscape, None)
    BANDS.whole_front(solver, np.zeros(0, np.int64), 10**9, tell, kept)
    corners = [text for text in told if text.startswith("hull: ")]
    assert corners[0] == "hull: 3 corners"
    found = search_hull(solver.best, 2, lambda *_: None)
    assert corners[-1] == f"hull: {len(found)} corners"
    bands = [text.split(":")[0] for text in told if text.startswith("band ")]
    assert list(dict.fromkeys(bands)) == [
        f"band {number + 1}" for number in range(len(set(bands)))
    ]
    assert len(set(bands)) > 1
