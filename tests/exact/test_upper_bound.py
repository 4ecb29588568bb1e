"""Upper bounds: no front exceeds them, however much is cut."""

import numpy as np
import pytest

import naive
import paretoball as pb
from hulls import two_objectives
from landscapes import built, ring
from paretoball.exact.mini_buckets import relaxation_of


def volume(landscape, ref):
    """The hypervolume of the whole front, from the full table."""
    front = naive.pareto_front(naive.full_table(landscape), landscape.sense)
    return pb.hypervolume(np.array(front), ref, landscape.sense)


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


def test_references_above_the_front_leave_nothing():
    landscape = pb.mnk(20, K=2, model="random", seed=1)
    assert pb.upper_bound(landscape, [10**6, 0], width=2) == 0.0


def test_three_objectives_are_refused():
    with pytest.raises(ValueError, match="d = 3 objectives"):
        pb.upper_bound(ring(8, K=2, seed=1, d=3), [0, 0, 0])


def test_what_is_no_landscape_is_refused():
    with pytest.raises(TypeError, match="is not a Landscape"):
        pb.upper_bound("landscape", [0, 0])
