"""Every kind of landscape that kernels are compiled for, each from start to front.

A kind is a number of objectives and a width of scores. One of them is also run as plain
Python and with bounds checks, where a kernel that overruns must raise.
"""

import numba
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import built, random_solution, random_weights, ring
from naive import Plain
from paretoball._jit import kernel
from paretoball.numerics.streams import next_bits

UNCHECKED = not numba.config.BOUNDSCHECK and not numba.config.DISABLE_JIT
REACH = {32: 100, 64: 2**45}  # the largest entry of a table

# Loops over one, two or three objectives are unrolled; other numbers of objectives
# share their kernels. Archives unroll more, but not 16.
KINDS = [(2, 32), (2, 64), (3, 32), (1, 32), (4, 32)]
RARE = [(3, 64), (1, 64), (4, 64), (16, 32)]  # compiled for no other test


def kind(d, width, *selection):
    """A parameter; the rare kinds take long, and the common one is run in all ways."""
    is_best = selection == ("best",)
    is_rare = (d, width) in RARE or (is_best and (d, width) != (2, 32))
    marks = [pytest.mark.long] if is_rare else []
    if (d, width) == (2, 32):
        marks += [pytest.mark.plain]
        marks += [pytest.mark.bounds_long if is_best else pytest.mark.bounds]
    return pytest.param(d, width, *selection, marks=marks)


every_kind = pytest.mark.parametrize(
    ("d", "width"), [kind(*each) for each in KINDS + RARE]
)


def ragged(rng, n, d, reach):
    """Masks of 0 to 4 variables, half of them at a hub, some variables in none."""

    def subfunction():
        mask = rng.permutation(n - 2)[: rng.integers(5)]
        if len(mask) and 0 not in mask and rng.random() < 0.5:
            mask[-1] = 0
        table = rng.integers(-reach, reach + 1, 1 << len(mask))
        return tuple(mask.tolist()), tuple(table.tolist())

    objectives = tuple(tuple(subfunction() for _ in range(n)) for _ in range(d))
    return Plain(n, objectives, tuple(rng.choice(["max", "min"], d).tolist()))


def some_landscapes(d, width):
    """A ring and some ragged landscapes of this kind, with a random stream for each."""
    yield ring(n=9, K=3, seed=1, d=d, q=REACH[width]), np.random.default_rng(0)
    for seed in range(1, 7):
        rng = np.random.default_rng(seed)
        yield built(ragged(rng, 4 + 2 * seed, d, REACH[width])), rng


def assert_exact(climb, moves):
    """Objectives and scores are those of the definitions."""
    landscape = climb.climber.landscape
    assert_array_equal(climb.fx, naive.evaluate(landscape, climb.x))
    assert_array_equal(climb.scores, naive.scores(landscape, moves, climb.x))


@pytest.mark.parametrize(
    ("d", "width", "selection"),
    [
        kind(*each, selection)
        for each in KINDS + RARE
        for selection in ("next", "best", "uniform")
    ],
)
def test_climbs_are_exact(d, width, selection):
    for landscape, rng in some_landscapes(d, width):
        radius = int(rng.integers(1, 4))
        climber = pb.Climber(landscape, radius, selection)
        assert climber.cliques.tables.itemsize == width // 8
        assert sorted(climber.moves) == sorted(naive.connected_moves(landscape, radius))
        start = random_solution(rng, landscape.n)
        climb = climber.start(start, weights=random_weights(rng, d), seed=1)
        assert_exact(climb, climber.moves)
        climb.run(max_moves=3)
        assert_exact(climb, climber.moves)
        climb.run()
        climb.flip(rng.permutation(landscape.n)[:3]).set_weights([1] * d).run()
        assert_exact(climb, climber.moves)
        assert climb.is_local_optimum
        F, X = climb.reports
        assert_array_equal(F, [naive.evaluate(landscape, x) for x in X])


@every_kind
@pytest.mark.parametrize("method", ["path", "multistart"])
def test_searches_are_exact_whatever_the_workers(d, width, method):
    for landscape, _ in some_landscapes(d, width):
        how = {"method": method, "radius": 2, "max_moves": 250, "seed": 3}
        alone = pb.solve(landscape, **how)
        two = pb.solve(landscape, **how, workers=2)
        assert_array_equal(alone.F, two.F)
        assert_array_equal(alone.X, two.X)
        assert_array_equal(alone.F, [naive.evaluate(landscape, x) for x in alone.X])
        front = naive.pareto_front(alone.F, landscape.sense)
        assert list(map(tuple, alone.F.tolist())) == front


@every_kind
def test_archives_keep_what_nothing_dominates(d, width):
    rng = np.random.default_rng(5)
    directions = rng.random((300, d)) + 0.01
    sphere = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    inside = sphere * rng.choice([0.5, 0.9, 1.0], (300, 1))
    points = (inside * REACH[width]).astype(np.int64)
    archive = pb.Archive(d)
    for number, fx in enumerate(points):
        archive.report(fx, np.arange(9) == number % 9)
    assert list(map(tuple, archive.F.tolist())) == naive.pareto_front(points)


@pytest.mark.plain
@pytest.mark.bounds
@pytest.mark.skipif(UNCHECKED, reason="nothing checks the bounds of compiled kernels")
def test_a_kernel_that_overruns_raises():
    @kernel
    def one_too_far(values):
        return values[len(values)]

    with pytest.raises(IndexError):
        one_too_far(np.zeros(3))
    with pytest.raises(IndexError):
        kernel(next_bits)(np.ones(1, np.int64))
