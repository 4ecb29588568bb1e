"""Supported fronts are those of the full table, and their area bounds every front."""

from fractions import Fraction
from importlib import import_module
from itertools import product
from math import inf, nextafter

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from hulls import assert_exact, pairwise, two_objectives
from landscapes import built, ring
from naive import Plain
from paretoball.exact.elimination_order import MAX_WIDTH
from paretoball.exact.supported_front import checked_ranges
from paretoball.system import display
from shares import first

MODULE = import_module("paretoball.exact.supported_front")  # not the function


@pytest.mark.parametrize("seed", first(4, range(25)))
def test_fronts_of_random_landscapes_are_exact(seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        assert_exact(built(two_objectives(rng)))


@pytest.mark.plain
def test_fronts_are_exact_as_plain_python():
    rng = np.random.default_rng(100)
    for _ in range(100):
        assert_exact(built(two_objectives(rng, max_n=7)))
    assert_exact(ring(9, K=3, seed=1, q=2**45))


@pytest.mark.bounds
def test_fronts_are_exact_within_bounds():
    for n in range(5, 13):
        assert_exact(ring(n, K=3, seed=n))
        assert_exact(ring(n, K=2, seed=n, q=2**45))


@pytest.mark.parametrize("q", [2, 3, 100, 10**6])
@pytest.mark.parametrize("K", [1, 2, 3])
def test_fronts_of_rings_are_exact(K, q):
    for n in range(5, 13):
        assert_exact(ring(n, K, seed=n, q=q))


@pytest.mark.parametrize("K", [5, 6])
def test_tables_of_many_blocks_are_exact(K):
    front = assert_exact(ring(15, K, seed=K))
    assert front.width >= 10


def test_fronts_of_trees_are_exact_and_have_width_1():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 12))
        names = rng.permutation(n).tolist()
        parents = [int(rng.integers(j)) for j in range(1, n)]
        path, star = range(n - 1), [0] * (n - 1)
        for tree in parents, path, star:
            edges = [(names[a], names[b + 1]) for b, a in enumerate(tree)]
            assert assert_exact(pairwise(rng, n, edges)).width == 1


def test_several_components_and_unread_variables_are_exact():
    rng = np.random.default_rng(3)
    edges = [(0, 1), (1, 2), (2, 0), (4, 7), (7, 5), (8, 9)]
    assert assert_exact(pairwise(rng, 11, edges)).width == 2


@pytest.mark.plain
def test_empty_landscapes_have_one_point():
    for n in 1, 5:
        landscape = pb.Landscape.from_subfunctions(n, [[], []])
        assert assert_exact(landscape).F.tolist() == [[0, 0]]
        constants = [[((), [3])], [((), [4]), ((), [-9])]]
        landscape = pb.Landscape.from_subfunctions(n, constants, ["max", "min"])
        assert assert_exact(landscape).F.tolist() == [[3, -5]]
        assert pb.supported_front(landscape).width == 0


def test_one_objective_has_its_best_value():
    for sense in "max", "min":
        for seed in range(20):
            plain = naive.plain(ring(9, K=3, seed=seed, d=1))
            assert len(assert_exact(built(plain._replace(sense=(sense,))))) == 1


def test_points_on_the_edges_of_the_hull_are_no_corners():
    ones = [((j,), [0, 1]) for j in range(6)]
    zeros = [((j,), [1, 0]) for j in range(6)]
    landscape = pb.Landscape.from_subfunctions(6, [ones, zeros])
    assert assert_exact(landscape).F.tolist() == [[0, 6], [6, 0]]


def test_weakly_dominated_ends_are_no_corners():
    nothing = [((0,), [0, 0])]
    ones = [((1,), [0, 1])]
    landscape = pb.Landscape.from_subfunctions(2, [nothing, ones])
    assert assert_exact(landscape).F.tolist() == [[0, 1]]


def test_decimals_give_the_front_of_the_whole_numbers():
    for seed in range(20):
        n, objectives, sense = naive.plain(ring(9, K=2, seed=seed, q=2000))
        tenths = [
            [(mask, [entry / 10**i for entry in table]) for mask, table in objective]
            for i, objective in enumerate(objectives)
        ]
        front = pb.supported_front(pb.Landscape.from_subfunctions(n, tenths))
        whole = naive.supported_front(Plain(n, objectives, sense))
        assert_array_equal(front.F, np.array(whole) / [1, 10])


def test_reals_give_the_front_of_their_steps():
    for seed in range(10):
        landscape = pb.mnk(9, K=3, q=None, seed=seed)
        front = pb.supported_front(landscape)
        n, objectives, sense = naive.plain(landscape)
        steps = [
            [(mask, [int(t * scale) for t in table]) for mask, table in objective]
            for objective, scale in zip(objectives, landscape.scale.tolist())
        ]
        assert front.F.dtype == float
        exact = naive.supported_front(Plain(n, steps, sense))
        assert list(map(tuple, landscape.inside(front.F).tolist())) == exact
        assert_array_equal(landscape.evaluate(front.X), front.F)


def test_products_beyond_64_bits_change_nothing(monkeypatch):
    for seed in range(40):
        landscape = built(two_objectives(np.random.default_rng(seed)))
        narrow = pb.supported_front(landscape)
        _, ranges = checked_ranges(landscape.cliques)
        monkeypatch.setattr(MODULE, "LARGEST", max(ranges))
        wide = pb.supported_front(landscape)
        monkeypatch.undo()
        assert_array_equal(wide.F, narrow.F)
        assert_array_equal(wide.X, narrow.X)


def test_products_around_64_bits_are_exact():
    for seed, q in enumerate(np.logspace(26, 32, 60, base=2).astype(int).tolist()):
        assert_exact(ring(8, K=2, seed=seed, q=q))


@pytest.mark.parametrize(("n", "K"), [(5, 3), (9, 3), (100, 1), (100, 2), (1000, 3)])
def test_rings_have_width_2_k(n, K):
    landscape = ring(n, K, seed=1)
    assert pb.supported_front(landscape).width == min(n - 1, 2 * K)


def test_wide_landscapes_are_refused_with_their_width():
    landscape = pb.mnk(200, K=4, model="random", seed=1)
    with pytest.raises(ValueError, match=rf"width \d+.* width {MAX_WIDTH} is the most"):
        pb.supported_front(landscape)


def test_ranges_beyond_64_bits_are_refused():
    table = [-(2**62), 2**62]
    landscape = pb.Landscape.from_subfunctions(1, [[((0,), table)]])
    with pytest.raises(OverflowError, match=r"objective 0 can vary by 9\.22e\+18"):
        pb.supported_front(landscape)


def test_ranges_of_64_bits_are_exact():
    table = [-(2**62), 2**62 - 1]
    landscape = pb.Landscape.from_subfunctions(1, [[((0,), table)]])
    assert pb.supported_front(landscape).F.tolist() == [[2**62 - 1]]
    assert pb.exact_front(landscape).F.tolist() == [[2**62 - 1]]


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("names", [None, ["cost", "gain"]])
def test_the_objective_whose_range_is_too_large_is_told(which, names):
    objectives = [[((0,), [0, 1])], [((0,), [1, 0])]]
    objectives[which] = [((0,), [-(2**62), 2**62])]
    landscape = pb.Landscape.from_subfunctions(1, objectives, names=names)
    name = rf" \('{names[which]}'\)" if names else ""
    words = rf"objective {which}{name} can vary by 9\.22e\+18"
    with pytest.raises(OverflowError, match=words):
        pb.supported_front(landscape)


def test_three_objectives_are_refused():
    with pytest.raises(ValueError, match="d = 3 objectives"):
        pb.supported_front(ring(8, K=2, seed=1, d=3))


def test_what_is_no_landscape_is_refused():
    with pytest.raises(TypeError, match="is not a Landscape"):
        pb.supported_front("landscape")


@pytest.mark.plain
@pytest.mark.parametrize("reach", [3, 20, 2**40])
def test_corners_of_any_points_are_those_of_their_hull(reach):
    rng = np.random.default_rng(reach)
    for _ in range(40):
        points = rng.integers(-reach, reach + 1, (int(rng.integers(1, 12)), 2))
        right = sorted(naive.hull_corners(points, ("max", "max")))
        assert MODULE.extreme_points(list(map(tuple, points.tolist()))) == right


def references(rng, front):
    """Reference points inside, on the hull, at its ends, and beyond it."""
    low, high = front.F.min(axis=0), front.F.max(axis=0)
    ends = np.transpose([low, high]).tolist()
    size = np.maximum(high - low, 1)
    for _ in range(6):
        yield rng.integers(low - size, high + size + 1).tolist()
        yield (low + (rng.random(2) * 3 - 1) * size).tolist()
    yield from front.F.tolist()
    yield from map(list, product(*ends))


def test_bounds_are_areas_below_the_hull():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        plain = two_objectives(rng, max_n=8)
        if len(plain.sense) == 2:
            front = pb.supported_front(built(plain))
            for ref in references(rng, front):
                area = naive.area_below_hull(front.F.tolist(), ref, front.sense)
                assert nextafter(front.bound(ref), -inf) < area <= front.bound(ref)


@pytest.mark.plain
@pytest.mark.parametrize("sense", list(product(["max", "min"], repeat=2)))
def test_bounds_are_areas_below_any_corners_in_any_senses(sense):
    rng = np.random.default_rng(1)
    for _ in range(30):
        points = rng.integers(-20, 21, (int(rng.integers(1, 12)), 2))
        F = np.array(sorted(naive.hull_corners(points, sense)))
        front = MODULE.SupportedFront(F, None, 1, sense, ("a", "b"), 0)
        for ref in references(rng, front):
            area = naive.area_below_hull(F.tolist(), ref, sense)
            assert nextafter(front.bound(ref), -inf) < area <= front.bound(ref)


def test_the_bound_of_one_objective_is_its_best_value_above_the_reference():
    table = [((0, 1), [2, 7, 4, 1])]
    for sense, ref, bound in ("max", 3, 4.0), ("max", 8, 0.0), ("min", 3, 2.0):
        landscape = pb.Landscape.from_subfunctions(2, [table], sense)
        assert pb.supported_front(landscape).bound([ref]) == bound


@pytest.mark.parametrize("sense", ["max", "min"])
def test_the_bound_of_one_objective_is_rounded_up(sense):
    landscape = pb.Landscape.from_subfunctions(1, [[((0,), [-7, 7])]], sense)
    front, sign = pb.supported_front(landscape), 1 if sense == "max" else -1
    for ref in np.random.default_rng(1).uniform(-7, 7, 40).tolist():
        exact = 7 - sign * Fraction(ref)
        assert nextafter(front.bound([ref]), -inf) < exact <= front.bound([ref])


@pytest.mark.parametrize(
    ("ref", "error"),
    [
        ([1], ValueError),
        ([1, 2, 3], ValueError),
        ([1, np.inf], ValueError),
        ([1, np.nan], ValueError),
        (["a", 1], TypeError),
        (None, TypeError),
        ([[1], [1, 2]], TypeError),
    ],
)
def test_references_that_are_no_point_are_refused(ref, error):
    front = pb.supported_front(ring(6, K=1, seed=1))
    with pytest.raises(error, match="ref"):
        front.bound(ref)


@pytest.mark.parametrize("sense", [("max", "max"), ("max", "min"), ("min", "min")])
def test_no_search_exceeds_the_bound(sense):
    landscape = built(naive.plain(ring(60, K=3, seed=5))._replace(sense=sense))
    result = pb.solve(landscape, radius=2, max_climbs=60, seed=1)
    front = pb.supported_front(landscape)
    volume = result.hypervolume(landscape.mean)
    assert 0.8 * front.bound(landscape.mean) < volume <= front.bound(landscape.mean)
    signs = np.array(naive.signs(sense))
    for a, b in zip(front.F[:-1], front.F[1:]):
        w = np.abs(b - a)[::-1] * signs
        assert (result.F @ w).max() <= a @ w == b @ w


def test_fronts_say_what_they_are():
    front = pb.supported_front(ring(40, K=3, seed=1))
    assert repr(front).startswith(f"SupportedFront: {len(front)} extreme points (f0 ")
    assert repr(front).endswith("; n = 40, width 6")
    assert "\n" not in repr(front)


def test_fronts_have_the_shape_and_the_names_of_their_landscape():
    masks = [(j, (j + 1) % 9) for j in range(9)]
    objectives = [[(mask, [3, i, 2, 5 * i]) for mask in masks] for i in range(2)]
    landscape = pb.Landscape.from_subfunctions(
        9, objectives, ["min", "max"], names=["cost", "gain"]
    )
    for front in pb.supported_front(landscape), pb.exact_front(landscape):
        assert (front.n, front.d) == (9, 2)
        assert front.names == ("cost", "gain")
        assert front.sense == ("min", "max")


def test_the_share_that_is_settled_is_told():
    told = []
    best = {(0, 1): (0, 8), (1, 0): (10, 0), (4, 5): (4, 6), (1, 2): (0, 8)}
    best |= {(1, 1): (4, 6)}

    def best_of(w):
        return best[w], None

    found = MODULE.search_hull(best_of, 2, lambda *what: told.append(what))
    assert sorted(found) == [(0, 8), (4, 6), (10, 0)]
    assert told == [(3, 0.0), (3, 0.4), (3, 1.0)]


def test_progress_tells_points_and_the_share_settled(monkeypatch, capsys):
    monkeypatch.setattr(display, "PATIENCE", 0.0)
    monkeypatch.setattr(display, "PLAIN_EVERY", 0.0)
    front = pb.supported_front(ring(40, K=3, seed=1), progress=True)
    shown = capsys.readouterr()
    assert f"{len(front)} points, 100.0% of the front settled" in shown.err
    assert shown.out == ""
    pb.supported_front(ring(40, K=3, seed=1))
    assert capsys.readouterr().err == ""
