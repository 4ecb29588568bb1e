"""Upper bounds: no front exceeds them, however much is cut."""

from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from math import inf, nextafter
from operator import mul

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from hulls import two_objectives
from landscapes import built, ring
from paretoball.exact.constraint_columns import width_of
from paretoball.exact.mini_buckets import relaxation_of
from paretoball.system import display

MODULE = import_module("paretoball.exact.upper_bound")  # not the function


def volume(landscape, ref):
    """The hypervolume of the whole front, from the full table."""
    front = naive.pareto_front(naive.full_table(landscape), landscape.sense)
    return pb.hypervolume(np.array(front), ref, landscape.sense)


@pytest.mark.plain
def test_areas_within_lines_are_those_below_the_hull():
    """With a line along each edge, nothing but the hull is left of the plane."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        points = rng.integers(-20, 21, (int(rng.integers(1, 9)), 2))
        hull = sorted(naive.hull_corners(points, ("max", "max")))
        lines = [((2, 0), 2 * hull[-1][0])]
        for (a, b), (c, d) in pairwise(hull):
            lines[1:1] = [((b - d, c - a), (b - d) * a + (c - a) * b)] * 2
        lines += [((1, 1), max(map(sum, hull)))]  # it may touch a corner only
        lines.append(((0, 3), 3 * hull[0][1]))
        for ref in rng.integers(-25, 26, (6, 2)).tolist():
            start = (Fraction(ref[0]), Fraction(ref[1]))
            area = naive.area_below_hull(hull, ref, ("max", "max"))
            assert MODULE._area(lines, start) == area


@pytest.mark.parametrize("seed", range(6))
def test_no_front_exceeds_the_bound(seed):
    rng = np.random.default_rng(seed)
    for width in (1, 2, 4):
        for _ in range(12):
            plain = two_objectives(rng, max_n=9)
            if (
                max(
                    (max(map(abs, t)) for o in plain.objectives for _, t in o),
                    default=0,
                )
                > 1e6
            ):
                continue
            landscape = built(plain)
            exact = volume(landscape, landscape.mean)
            rounds = int(rng.integers(1, 20))
            bound = pb.upper_bound(landscape, landscape.mean, width, rounds)
            assert bound >= exact * (1 - 1e-12)


def test_narrow_landscapes_have_the_bound_of_the_hull():
    landscape = ring(60, K=2, seed=1)
    hull = pb.supported_front(landscape).bound(landscape.mean)
    assert pb.upper_bound(landscape, landscape.mean, width=4) == hull
    assert pb.upper_bound(landscape, landscape.mean, width=3) > hull


def test_more_width_and_more_rounds_give_better_bounds():
    landscape = pb.mnk(40, K=2, model="random", seed=1)
    bounds = [
        pb.upper_bound(landscape, landscape.mean, width, rounds)
        for width, rounds in ((3, 1), (3, 30), (9, 30))
    ]
    assert bounds[0] > 1.2 * bounds[1] > 1.2 * bounds[2]
    found = pb.solve(landscape, max_climbs=20, radius=1, seed=1).hypervolume()
    assert found < bounds[2] < 1.4 * found


def test_landscapes_that_are_far_too_wide_to_eliminate_are_bounded():
    landscape = pb.mnk(100, K=4, d=1, model="random", seed=1)
    assert width_of(landscape) is None
    best = pb.solve(landscape, max_climbs=3, radius=2, seed=1).F.max()
    assert best <= pb.upper_bound(landscape, [0], width=5, rounds=1)


def test_one_objective_is_bounded():
    landscape = pb.mnk(30, K=2, d=1, model="random", seed=1)
    best = pb.solve(landscape, max_climbs=30, radius=2, seed=1).F.max()
    bound = pb.upper_bound(landscape, [0], width=3)
    assert best <= bound < 1.3 * best


def test_senses_and_units_are_those_of_the_landscape():
    masks = [((j, (j + 1) % 9, (j + 4) % 9), j) for j in range(9)]
    rng = np.random.default_rng(4)
    tables = [[rng.integers(0, 40, 8) for _ in masks] for _ in range(2)]

    def landscape(scale, sense):
        signs = naive.signs(sense)
        objectives = [
            [
                (mask, (sign * table / scale).tolist())
                for (mask, _), table in zip(masks, each)
            ]
            for sign, each in zip(signs, tables)
        ]
        return pb.Landscape.from_subfunctions(9, objectives, sense)

    right = pb.upper_bound(landscape(1, ["max", "max"]), [150, 150], width=3)
    turned = pb.upper_bound(landscape(1, ["min", "max"]), [-150, 150], width=3)
    scaled = pb.upper_bound(landscape(4, ["max", "min"]), [37.5, -37.5], width=3)
    assert right == turned == pytest.approx(16 * scaled)


def random_threes(scales, constants=(0, 0)):
    """Objectives that read the same random threes, in steps of 1 / scale."""
    rng = np.random.default_rng(3)
    masks = [rng.permutation(40)[:3].tolist() for _ in range(80)]
    objectives = [
        [(mask, (rng.integers(0, 5, 8) / scale).tolist()) for mask in masks]
        + [((), [constant])]
        for scale, constant in zip(scales, constants)
    ]
    return pb.Landscape.from_subfunctions(40, objectives)


@pytest.mark.parametrize("d", [1, 2])
def test_bounds_do_not_depend_on_units(d):
    plain = pb.upper_bound(random_threes([1] * d), [0] * d, width=4, rounds=20)
    scales = [0.001, 8][:d]
    scaled = pb.upper_bound(random_threes(scales), [0] * d, width=4, rounds=20)
    assert scaled * np.prod(scales) == pytest.approx(plain, rel=1e-3)


@pytest.mark.plain
@pytest.mark.parametrize("senses", [("max", "max"), ("max", "min"), ("min", "max")])
@pytest.mark.parametrize("d", [1, 2])
def test_references_are_in_the_units_and_senses_of_their_objectives(d, senses):
    """A triangle, cut into a tree: refs above 0, in steps of 1 / 4 and of 1 / 10."""
    rng = np.random.default_rng(3)
    tables, refs = rng.integers(0, 40, (2, 3, 4)), [20, 30]
    masks = [(0, 1), (1, 2), (2, 0)]

    def bound(scales, signs):
        objectives = [
            [
                (mask, (sign * table / scale).tolist())
                for mask, table in zip(masks, each)
            ]
            for each, scale, sign in zip(tables, scales, signs)
        ]
        landscape = pb.Landscape.from_subfunctions(
            3, objectives[:d], ["max" if sign > 0 else "min" for sign in signs[:d]]
        )
        ref = [sign * r / scale for r, scale, sign in zip(refs, scales, signs)]
        hull = pb.supported_front(landscape).bound(ref[:d])
        found = pb.upper_bound(landscape, ref[:d], width=1, rounds=2)
        assert 0 < hull <= found
        return found

    right, scales = bound([1, 1], [1, 1]), [4, 10]
    scaled = bound(scales, naive.signs(senses))
    assert scaled * np.prod(scales[:d]) == pytest.approx(right, rel=1e-9)


@pytest.mark.plain
def test_the_largest_range_is_told_where_sums_might_not_fit():
    for sizes in (2**62 - 9, 5), (5, 2**62 - 9):
        triangle = [((a, b), [0, 0, 0, 1]) for a, b in ((0, 1), (1, 2), (2, 0))]
        objectives = [[*triangle, ((0, 1), [0, 0, 0, most])] for most in sizes]
        landscape = pb.Landscape.from_subfunctions(3, objectives)
        with pytest.raises(OverflowError, match=r"vary by 4\.61e\+18, but"):
            pb.upper_bound(landscape, [0, 0], width=1, rounds=1)


@pytest.mark.parametrize("d", [1, 2])
def test_constants_cost_a_bound_nothing(d):
    plain = pb.upper_bound(random_threes([1] * d), [0] * d, width=4, rounds=20)
    far = [10**6, -(10**9)][:d]
    moved = pb.upper_bound(random_threes([1] * d, far), far, width=4, rounds=20)
    assert moved == pytest.approx(plain, rel=1e-9)


def test_relaxations_read_copies_of_the_same_variables():
    rng = np.random.default_rng(5)
    for width in (1, 2, 3, 20):
        for _ in range(20):
            landscape = built(two_objectives(rng))
            masks, owners = relaxation_of(landscape.cliques, landscape.n, width)
            assert owners[masks].tolist() == landscape.cliques.masks.tolist()
            assert set(owners.tolist()) == set(range(landscape.n))
            if width == 20:
                assert len(owners) == landscape.n


def test_relaxations_are_no_wider_than_asked_for():
    rng = np.random.default_rng(6)
    for width in (1, 2, 3, 5):
        for _ in range(20):
            landscape = built(two_objectives(rng))
            relaxed = MODULE._Relaxed(landscape, width)
            largest = int(np.diff(landscape.cliques.mask_at).max(initial=1))
            assert relaxed.schedule.width <= max(width, largest - 1)


@pytest.mark.parametrize("K", [1, 2, 3])
def test_variables_are_cut_only_where_they_have_to_be(K):
    landscape = ring(30, K=K, seed=1)
    for width in (2 * K - 1, 2 * K):
        owners = relaxation_of(landscape.cliques, 30, width).owners
        assert (len(owners) > 30) == (width < 2 * K)


@pytest.mark.parametrize("low", [[10**6, 0], [0, 10**6]])
def test_references_above_one_end_leave_nothing(low):
    landscape = pb.mnk(20, K=2, model="random", seed=1)
    assert pb.upper_bound(landscape, low, width=2) == 0.0


def test_references_above_the_front_leave_nothing():
    landscape = pb.mnk(20, K=2, model="random", seed=1)
    assert pb.upper_bound(landscape, [10**6, 0], width=2) == 0.0


@pytest.mark.parametrize(("ref", "sense"), [(10**4, "max"), (-(10**4), "min")])
def test_a_reference_above_one_objective_leaves_nothing(ref, sense):
    plain = naive.plain(pb.mnk(20, K=2, d=1, model="random", seed=1))
    landscape = built(plain._replace(sense=(sense,)))
    assert pb.upper_bound(landscape, [ref], width=2) == 0.0


@pytest.mark.parametrize("numbers", [{"width": 0}, {"rounds": 0}, {"width": -1}])
def test_numbers_that_are_too_small_are_refused(numbers):
    landscape = pb.mnk(9, K=2, model="random", seed=1)
    (name,) = numbers
    with pytest.raises(ValueError, match=f"{name} = .* it must be at least 1"):
        pb.upper_bound(landscape, [0, 0], **numbers)


@pytest.mark.parametrize("d", [1, 2])
def test_ranges_are_refused_where_sums_might_not_fit(d):
    """Half of the room is for shares, and each sum has both objectives."""
    for most, fits in (2**61 // d - 1, True), (2**61 // d, False):
        triangle = [((a, b), [0, 0, 0, 0]) for a, b in ((0, 1), (1, 2), (2, 0))]
        terms = [*triangle, ((0, 1), [0, 0, 0, most])]
        landscape = pb.Landscape.from_subfunctions(3, [terms] * d)
        if fits:
            bound = pb.upper_bound(landscape, [0] * d, width=1, rounds=3)
            assert bound >= float(most) ** d
        else:
            with pytest.raises(OverflowError, match=r"ranges up to 2\*\*61"):
                pb.upper_bound(landscape, [0] * d, width=1, rounds=3)


@pytest.mark.parametrize("d", [1, 2])
def test_bounds_are_rounded_up(monkeypatch, d):
    landscape = pb.mnk(20, K=2, d=d, model="random", seed=1)
    monkeypatch.setattr(MODULE, "_directions", lambda _: [(21,)] * d)
    for most in range(7, 99, 4):
        area = Fraction(most, 21)
        monkeypatch.setattr(MODULE, "_area", lambda *_, area=area: area)
        monkeypatch.setattr(MODULE._Relaxed, "bound", lambda *_, most=most: most)
        bound = pb.upper_bound(landscape, [0] * d, width=2)
        assert nextafter(bound, -inf) < area <= bound


def test_shares_stay_as_they_are_where_sums_might_not_fit():
    relaxed = MODULE._Relaxed(pb.mnk(20, K=2, d=1, model="random", seed=1), 2)
    x = np.arange(len(relaxed.owners)) % 2
    relaxed.reach = 1000
    assert relaxed._rebalance(x, 1e6)
    shares = relaxed.shares.copy()
    assert shares.any()
    assert not np.bincount(relaxed.owners, weights=shares).any()
    assert not relaxed._rebalance(x, 1e20)
    relaxed.reach = 2**63 - 1 - int(abs(shares).sum())
    assert not relaxed._rebalance(x, 1e6)
    assert not relaxed._rebalance(np.ones_like(x), 1e6)
    assert_array_equal(relaxed.shares, shares)


def test_more_rounds_never_give_a_worse_bound():
    relaxed = MODULE._Relaxed(pb.mnk(30, K=2, d=1, model="random", seed=1), 3)
    (w,) = MODULE._directions(relaxed.ranges)
    bounds = [relaxed.bound(w, rounds) for rounds in (1, 2, 5, 10, 30, 60)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < 0.94 * bounds[0]


def test_directions_turn_from_one_objective_to_the_other():
    ranges = (1000, 2**40)
    directions = MODULE._directions(ranges)
    assert len(directions) == MODULE.DIRECTIONS + 2
    assert [0 in w for w in directions] == [True, *[False] * MODULE.DIRECTIONS, True]
    angles = [np.arctan2(w[1] * ranges[1], w[0] * ranges[0]) for w in directions]
    np.testing.assert_allclose(np.diff(angles), np.pi / 2 / (len(angles) - 1), rtol=0.1)
    assert all(0 < sum(map(mul, w, ranges)) < 2**60 for w in directions)


def test_progress_tells_the_share_of_directions(monkeypatch, capsys):
    monkeypatch.setattr(display, "PATIENCE", 0.0)
    monkeypatch.setattr(display, "PLAIN_EVERY", 0.0)
    landscape = pb.mnk(20, K=2, model="random", seed=1)
    pb.upper_bound(landscape, [0, 0], width=2, rounds=1, progress=True)
    shown = capsys.readouterr().err
    assert "4% of all directions" in shown
    assert "100% of all directions" in shown


def test_three_objectives_are_refused():
    with pytest.raises(ValueError, match="d = 3 objectives"):
        pb.upper_bound(ring(8, K=2, seed=1, d=3), [0, 0, 0])


def test_what_is_no_landscape_is_refused():
    with pytest.raises(TypeError, match="is not a Landscape"):
        pb.upper_bound("landscape", [0, 0])
