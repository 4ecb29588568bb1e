"""Runs on a twin: nobody notices that variables have other numbers inside.

Every solution that goes in or comes out is in the landscape's own order, and the run is
the same for any workers, and however often it was stopped.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import paretoball as pb
from clocks import work_here
from landscapes import ring, shuffled
from paretoball.archive import replayed
from paretoball.landscape import Landscape, in_good_order, numbering, packed_bits
from paretoball.running.options import Options
from paretoball.running.worker import Job
from paretoball.search.method import Asked, Block
from paretoball.search.path import Searcher
from paretoball.search.path.tasks import PATH, TURNS, Tasks
from paretoball.system import nothing

METHODS = ["path", "multistart"]
IN_ORDER = ring(n=1000, K=2, seed=1)
SHUFFLED = shuffled(IN_ORDER, seed=2)
CLIMBS = {"path": 5, "multistart": 12}  # of a path, a second round


def solve(landscape: Landscape, method: str, **options: Any) -> pb.Result:
    """Some units of a run."""
    limits = {"max_climbs": CLIMBS[method], "seed": 3, "radius": 2}
    return pb.solve(landscape, method, **limits | options)


@pytest.fixture(scope="module", params=METHODS)
def alone(request) -> pb.Result:
    """A run without workers."""
    return solve(SHUFFLED, request.param)


def assert_same(one: pb.Result, other: pb.Result) -> None:
    """Both runs have the same front, found in the same places."""
    for name in ("F", "climb", "step", "optimum", "X"):
        assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.climbs, one.moves) == (other.climbs, other.moves)


@contextmanager
def everything_renumbered() -> Iterator[None]:
    """Every landscape gets other numbers, even a tiny one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbering, "FEWEST", 1)
        patch.setattr(numbering, "DISORDER", -1.0)
        patch.setattr(numbering, "HELP", np.inf)
        patch.setattr(numbering, "_share_of_far", lambda *_: 0.5)
        yield


def test_only_what_is_in_disorder_is_searched_on_a_twin():
    for landscape, has_twin in ((SHUFFLED, True), (IN_ORDER, False)):
        options = Options(**solve(landscape, "multistart", max_climbs=1).config)
        job = Job("run", landscape, options, np.empty((0, landscape.n), np.uint8))
        climber = job.new_climber(nothing)
        assert (climber.landscape.numbering is not None) == has_twin
        assert (climber.landscape is landscape) == (not has_twin)


def test_solutions_are_those_of_the_landscape(alone, tmp_path):
    assert len(alone) > 5
    assert_array_equal(SHUFFLED.evaluate(alone.X), alone.F)
    alone.save(tmp_path / "run.npz")
    report = pb.verify(SHUFFLED, tmp_path / "run.npz", local=1)
    assert report.failures == []


def test_workers_find_the_same(alone, monkeypatch):
    method = alone.config["method"]
    assert_same(alone, solve(SHUFFLED, method, workers=2))
    with ThreadPoolExecutor(2) as threads:
        assert_same(alone, solve(SHUFFLED, method, executor=threads))
    assert_same(alone, solve(SHUFFLED, method, executor=work_here(monkeypatch)))


def test_processes_find_the_same():
    alone = solve(SHUFFLED, "multistart")
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        assert_same(alone, solve(SHUFFLED, "multistart", executor=processes))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_was_stopped_and_resumed_finds_the_same(alone, tmp_path, workers):
    method, file = alone.config["method"], tmp_path / "run.npz"
    half = {"max_climbs": CLIMBS[method] // 2, "checkpoint": file}
    part = solve(SHUFFLED, method, **half, workers=workers)
    assert part.climbs < alone.climbs
    whole = pb.resume(file, max_climbs=CLIMBS[method], workers=workers)
    assert_same(alone, whole)
    assert pb.verify(SHUFFLED, file).failures == []


def test_runs_start_from_given_solutions(alone):
    """A local optimum is reported where it stands."""
    starts = alone.X[alone.optimum]
    assert len(starts) > 2
    method = alone.config["method"]
    for workers in (1, 2):
        options = {"max_climbs": len(starts), "workers": workers, "seed": 4}
        again = solve(SHUFFLED, method, start=starts, **options)
        for fx in alone.F[alone.optimum]:
            assert (fx <= again.F).all(axis=1).any()
        assert_array_equal(SHUFFLED.evaluate(again.X), again.F)


@pytest.mark.parametrize("has_twin", [False, True])
def test_paths_start_where_the_plan_says(has_twin):
    """On the landscape as on its twin, the first report is that of the start."""
    numbered = in_good_order(SHUFFLED) if has_twin else SHUFFLED
    x = solve(SHUFFLED, "path", max_climbs=1).X[:2]
    tasks = Tasks(
        n=SHUFFLED.n,
        kinds=np.array([PATH], np.uint8),
        paths=np.zeros(1, np.int64),
        weights=np.ones((1, TURNS, 2), np.int64),
        ends=np.array([2]),
        solutions=packed_bits(x),
        values=SHUFFLED.evaluate(x),
        wanted=np.zeros(2, np.uint8),
    )
    no_starts = np.empty((0, SHUFFLED.n), np.uint8)
    asked = Asked(None, 1, 1, 4)
    climber = pb.Climber(numbered, 1)
    searcher = Searcher(numbered, climber, asked, no_starts, has_fillings=True)
    archive = pb.Archive(2)
    searcher.run(archive, Block(7, 1), tasks, 1, lambda _: False)
    points = archive.points()
    first = points.some(points.step == points.step.min())
    start = replayed(archive.trails, first.unit, first.step, SHUFFLED.n)
    assert_array_equal(start, x[:1])
    known = searcher.unit.known.rows
    if numbered.numbering is not None:
        known = numbered.numbering.outward(known)
    assert_array_equal(known, x)


def test_a_start_without_a_move_comes_back():
    x = np.random.default_rng(1).integers(0, 2, SHUFFLED.n).astype(bool)
    for method in METHODS:
        for workers in (1, 2):
            one = solve(SHUFFLED, method, start=x, max_moves=1, workers=workers)
            assert (x != one.X).sum(axis=1).max() <= 2


@pytest.mark.parametrize("workers", [1, 2])
def test_callbacks_have_a_climber_in_their_own_order(workers):
    climbers = []

    def look(state: Any) -> None:
        climbers.append(state.climber)

    solve(SHUFFLED, "multistart", callback=look, workers=workers)
    assert len({id(climber) for climber in climbers}) == 1
    climber = climbers[0]
    assert climber.landscape is SHUFFLED
    assert (climber.radius, climber.selection) == (2, "next")
    assert climber.moves[7] == (7,)
    x = np.random.default_rng(1).integers(0, 2, SHUFFLED.n)
    climb = climber.start(x)
    assert_array_equal(climb.fx, SHUFFLED.evaluate(x))
    assert_array_equal(climb.flip([7]).fx, SHUFFLED.evaluate(climb.x))


def ragged(rng: np.random.Generator) -> Landscape:
    """A few variables, two objectives, masks of 0 to 4 variables."""
    n = int(rng.integers(1, 11))

    def subfunction() -> tuple[list[int], list[int]]:
        mask = rng.permutation(n)[: rng.integers(5)]
        return mask.tolist(), rng.integers(-50, 51, 1 << len(mask)).tolist()

    objectives = [[subfunction() for _ in range(rng.integers(n + 1))] for _ in range(2)]
    return Landscape.from_subfunctions(n, objectives, ["max", "min"])


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from(METHODS))
def test_any_landscape_may_have_a_twin(seed, method):
    rng = np.random.default_rng(seed)
    landscape = ragged(rng)
    starts = rng.integers(0, 2, (2, landscape.n))
    with everything_renumbered():
        result = solve(landscape, method, max_climbs=6, start=starts)
    assert_array_equal(landscape.evaluate(result.X), result.F)
