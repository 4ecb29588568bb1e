"""Sizes: how much room there is, and how much is done at a time, changes no result.

Constants that only say so are set to 1 ... 7, one by one and all together, and
everything that the package computes must come out the same. Left out are those that
change results by what they mean: RECENT, BOUNDED_MOVES, BRISK, LINES, MOST_ROWS of a
trace, limits of what is counted or accepted, and the width of words, to which tables
and dtypes belong.
"""

from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import numba
import numpy as np
import pytest
from disturbed import fingerprint

import paretoball as pb
from clocks import work_here
from paretoball.archive import archive as archive_file
from paretoball.archive import nd_tree

# Constants that Python reads.
SIZES = (
    "archive.archive.AT_ONCE",
    "archive.archive.FEW",
    "archive.archive.MANY",
    "climber.memory_estimate.RUN",
    "climber.memory_estimate.SAMPLE",
    "climber.memory_estimate.SAMPLE_WORK",
    "climber.moves.CHUNK",
    "climber.moves.LISTED",
    "climber.one_climb.SLICE",
    "climber.stencil_writer.CHUNK",
    "climber.stencil_writer.MORE_WORDS",
    "climber.stencil_writer.MOST_ROOM",
    "climber.triangles.CORE",
    "exact.message_schedule.SLICE",
    "numerics.arrays.COPIED",
    "quality.indicators.COMPARED",
    "running.result.CHUNK",
    "running.together.MOST_FOUND",
    "running.worker.MOST_JOBS",
    "search.multistart.FIRST_SLICE",
    "search.multistart.ROOM",
    "search.path.searcher.FIRST_SLICE",
    "search.path.searcher.ROOM",
    "search.reporting.LONGEST_SLICE",
    "verification.verify.COMPARISONS",
)
# Constants that kernels read, which are compiled with the values they have.
FROZEN = ("search.path.engine.ENOUGH", "search.path.filling.ENOUGH")

DENSE = pb.mnk(n=24, K=3, model="random", seed=1)
NARROW = pb.mnk(n=16, K=1, d=3, seed=2)
TINY = pb.mnk(n=9, K=2, model="random", seed=3)


@contextmanager
def set_to(size: int, names: Iterable[str]) -> Any:
    """Let these constants be so small."""
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            module, _, constant = f"paretoball.{name}".rpartition(".")
            patch.setattr(import_module(module), constant, size)
        yield


def of_a_climber(landscape: pb.Landscape, radius: int) -> list[Any]:
    """The moves, one climb, and what it reported."""
    climber = pb.Climber(landscape, radius)
    climb = climber.start(seed=1).run()
    F, X = climb.reports
    words = [array.tolist() for array in climber.move_set.stencils]
    said = pb.verify(landscape, climb.reports).failures
    return [
        [*climber.moves],
        words,
        climb.scores.tolist(),
        F.tolist(),
        X.tolist(),
        said,
    ]


def everything() -> list[Any]:
    """What the package computes of some small landscapes."""
    with pytest.MonkeyPatch.context() as patch:
        here = work_here(patch)
        how = {"radius": 3, "seed": 1}
        multi = pb.solve(DENSE, "multistart", max_climbs=9, **how)
        path = pb.solve(DENSE, max_moves=600, **how)
        three = pb.solve(
            NARROW, max_moves=900, radius=2, seed=1, workers=2, executor=here
        )
    runs = [multi, path, three]
    return [
        *map(fingerprint, runs),
        [(run.climbs, run.moves) for run in runs],
        [run.trace[-1, 1:].tolist() for run in runs],
        [pb.count_moves(landscape, 4) for landscape in (DENSE, NARROW)],
        pb.count_moves(DENSE, 3),
        *of_a_climber(DENSE, 3),
        *of_a_climber(NARROW, 4),
        [pb.coverage(multi.F, path.F), pb.coverage(path.F, multi.F)],
        pb.supported_front(TINY).F.tolist(),
    ]


@cache
def usual() -> list[Any]:
    """All that, with the sizes that the package has."""
    return everything()


@pytest.mark.parametrize("name", SIZES)
def test_one_small_size_changes_nothing(name):
    expected = usual()
    with set_to(1, [name]):
        assert everything() == expected


@pytest.mark.parametrize("size", range(1, 8))
def test_small_sizes_change_nothing(size):
    expected = usual()
    with set_to(size, SIZES):
        assert everything() == expected


def short_runs() -> list[Any]:
    """Paths and climbs of a few variables."""
    two = pb.solve(TINY, max_moves=100, radius=2, seed=1)
    three = pb.solve(TINY, "multistart", max_climbs=4, radius=3, seed=1)
    return [fingerprint(two), fingerprint(three), two.climbs, three.moves]


@pytest.mark.bounds
@pytest.mark.parametrize("size", range(1, 8))
def test_small_sizes_change_nothing_of_short_runs(size):
    expected = short_runs()
    with set_to(size, SIZES):
        assert short_runs() == expected


# --- As plain Python, where kernels see what is set.

interpreted = pytest.mark.skipif(
    not numba.config.DISABLE_JIT, reason="kernels are compiled with what was set"
)


@interpreted
@pytest.mark.plain
def test_small_sizes_change_nothing_in_kernels():
    expected, under = short_runs(), fingerprint(limited_run())
    for size in range(1, 8):
        with set_to(size, SIZES + FROZEN):
            assert short_runs() == expected
        with set_to(size, FROZEN):
            assert fingerprint(limited_run()) == under


def limited_run() -> pb.Result:
    """A path of a few variables, of which three at most are one."""
    ones = [((j,), [0, 1]) for j in range(9)]
    bounds = pb.Landscape.from_subfunctions(9, [ones], constraints=[(ones, "<=", 3)])
    landscape = replace(TINY, constraints=bounds.constraints)
    return pb.solve(landscape, max_moves=200, seed=1)


@interpreted
@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3])
def test_small_nodes_of_a_tree_change_nothing(d):
    rng = np.random.default_rng(d)
    sphere = rng.random((150, d)) + 0.1
    sphere *= rng.choice([0.9, 1.0], (150, 1)) / np.linalg.norm(sphere, axis=1)[:, None]
    vectors = (99 * sphere).astype(np.int64).tolist()

    def kept() -> list[Any]:
        archive = pb.Archive(d)
        for fx in vectors:
            archive.report(fx, [0, 1])
        points = archive.points()
        return sorted(zip(points.fx.tolist(), points.unit.tolist()))

    expected = kept()
    for entries in (4, 5, 7):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(nd_tree, "FANOUT", entries)
            patch.setattr(nd_tree, "LEAST", entries // 4)
            for module in (nd_tree, archive_file):
                patch.setattr(module, "SPARE", 12)  # levels, and to spare
            assert kept() == expected
