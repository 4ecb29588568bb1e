"""A run together: every block counts once, whole or as far as it came."""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from clocks import Ticks, keep_pace, keep_time, work_here
from landscapes import ring
from paretoball.climber.memory_estimate import FILED
from paretoball.running import together, worker
from paretoball.running.checkpoint import read_checkpoint
from paretoball.running.run import Run
from paretoball.running.worker import BlockRequest, BlockResult, Job

SMALL = ring(n=60, K=2, seed=1)
MOVES = {"path": 20, "multistart": 4}  # between two looks at the time


@contextmanager
def two_workers(method: str, pace: float, hasty: float = np.inf) -> Any:
    """Two workers on this thread, and a list of all that they answer.

    At their first try of a block, they take no longer than `hasty`.
    """
    answers: list[BlockResult] = []
    run_block = together.run_block

    def noting(request: BlockRequest, job: Job | None) -> BlockResult | None:
        if all(each.block.first != request.block.first for each in answers):
            request = request._replace(seconds=min(hasty, request.seconds))
        for bench in worker._benches.values():
            bench.end = np.inf  # it takes each block for the only one
        answer = run_block(request, job)
        if answer is not None and answer.block.size:
            answers.append(answer)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(together, "run_block", noting)
        keep_time(patch, Ticks())
        keep_pace(patch, MOVES[method], pace)
        yield {"workers": 2, "executor": work_here(patch)}, answers


def farthest(answers: list[BlockResult]) -> list[BlockResult]:
    """Of each block the answer that came farthest, the latest of equal ones."""
    best: dict[int, BlockResult] = {}
    for each in answers:
        first = each.block.first
        if first not in best or each.done.moves >= best[first].done.moves:
            best[first] = each
    return [best[first] for first in sorted(best)]


def assert_counted_once(
    result: pb.Result, answers: list[BlockResult], units: int = 0, moves: int = 0
) -> None:
    """Units, moves and rows are those of the answers, and of what was done before."""
    each = farthest(answers)
    assert result.climbs == units + sum(answer.done.units for answer in each)
    assert result.moves == moves + sum(answer.done.moves for answer in each)
    assert_array_equal(SMALL.evaluate(result.X), result.F)


def assert_rows_are_all(result: pb.Result, answers: list[BlockResult]) -> None:
    """Rows are the front of all points, each from the first place it was found."""
    rows: dict[tuple[int, ...], tuple[int, int]] = {}
    for answer in answers:
        fx, unit, step, _ = answer.found.points
        for f, *place in zip(fx.tolist(), unit.tolist(), step.tolist()):
            at = (place[0], place[1])
            rows[tuple(f)] = min(at, rows.get(tuple(f), at))
    if not rows:  # there is a lone start
        assert len(result) == 1
        return
    every = np.array([*rows])
    beaten = (every[:, None] <= every).all(axis=2).sum(axis=1) > 1
    front = {f: rows[f] for f in map(tuple, every[~beaten].tolist())}
    places = zip(result.climb.tolist(), result.step.tolist())
    assert dict(zip(map(tuple, result.F.tolist()), places)) == front


@pytest.mark.parametrize("pace", [0.0, 1e9], ids=["single", "growing"])
@pytest.mark.parametrize("method", ["path", "multistart"])
def test_loose_blocks_count_once_in_units_moves_and_rows(method, pace, tmp_path):
    loose = 0
    for instant in range(9, 120, 18):
        path = tmp_path / f"{instant}.npz"
        with two_workers(method, pace) as (who, answers):
            result = pb.solve(
                SMALL, method, seed=5, time_limit=instant, checkpoint=path, **who
            )
        assert_counted_once(result, answers)
        assert_rows_are_all(result, answers)
        saved = read_checkpoint(path)
        assert saved.units <= result.climbs
        assert saved.moves <= result.moves
        loose += result.moves > saved.moves
        for _ in range(2):  # in vain
            idle = pb.resume(path, time_limit=1e-9)
            if saved.loose.points.size:
                assert (idle.climbs, idle.moves) == (result.climbs, result.moves)
            assert_array_equal(idle.F, result.F)
        with two_workers(method, pace) as (who, answers):
            more = pb.resume(path, time_limit=instant, **who)
        if answers and more.moves > result.moves:
            assert_counted_once(more, answers, saved.units, saved.moves)
    assert loose > 2


def test_of_two_answers_for_a_block_the_one_that_came_farther_counts():
    """Blocks are cut short while the run goes on, or by its end."""
    which = set()
    for instant, hasty in product(range(60, 90, 2), (6, 12)):
        with two_workers("path", 0.0, hasty) as (who, answers):
            result = pb.solve(SMALL, "path", seed=5, time_limit=instant, **who)
        assert_counted_once(result, answers)
        assert_rows_are_all(result, answers)
        for best in farthest(answers):
            tries = [each for each in answers if each.block == best.block]
            if best.done.units == 0 and len(tries) > 1:
                which.add(tries[0].done.moves > tries[-1].done.moves)
    assert which == {True, False}


def test_workers_have_the_memory_that_the_climber_they_share_leaves():
    climber = pb.Climber(SMALL, 2)
    vector = SMALL.d * climber.cliques.tables.itemsize
    scores = 8 * len(climber.moves) * (vector + FILED)
    limit = climber.nbytes + scores
    how = {"radius": 2, "max_climbs": 1, "seed": 1, "workers": 8}
    assert len(pb.solve(SMALL, **how, memory_limit=limit))
    with pytest.raises(MemoryError, match=r"8 workers need .* fewer workers would fit"):
        pb.solve(SMALL, **how, memory_limit=limit - 1)


class Failing(ThreadPoolExecutor):
    """Raises an error in place of all blocks from a unit on."""

    def __init__(self, first: int, error: Exception):
        super().__init__(1)
        self.first, self.error = first, error

    def submit(self, function: Any, request: Any, job: Job | None) -> Future:
        if request.block.size == 0 or request.block.end <= self.first:
            return super().submit(function, request, job)
        future: Future = Future()
        future.set_exception(self.error)
        return future


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RuntimeError("one\n  and two"), "one and two"),
        (ZeroDivisionError(), "ZeroDivisionError"),
    ],
)
def test_an_error_after_the_first_unit_ends_the_run_with_what_was_found(
    monkeypatch, error, status
):
    monkeypatch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
    how = {"max_climbs": 9, "seed": 1}
    with Failing(2, error) as pool:
        result = pb.solve(SMALL, "multistart", **how, executor=pool)
    assert (result.status, result.failed, result.climbs) == (status, True, 2)
    with Failing(0, error) as pool, pytest.raises(type(error)):
        pb.solve(SMALL, "multistart", **how, executor=pool)


@pytest.mark.parametrize(("patience", "lines"), [(-1.0, 1), (1e9, 0)])
def test_that_workers_are_waited_for_is_said_once(monkeypatch, capsys, patience, lines):
    monkeypatch.setattr(together, "PATIENCE", patience)
    with two_workers("multistart", 1e9) as (who, _):
        pb.solve(SMALL, "multistart", max_climbs=3, seed=1, progress=True, **who)
    assert capsys.readouterr().err.count("Waiting for workers ...\n") == lines


def test_a_callback_is_told_how_many_workers_have_answered(monkeypatch):
    """With those that have only said that they are there."""
    answered = together.run_block
    names: list[str] = []

    def signed(request: BlockRequest, job: Job | None) -> BlockResult | None:
        answer = answered(request, job)
        if answer is None:
            return None
        kind = "block" if request.block.size else "greeting"
        names.append(f"{kind} {sum(each.startswith(kind) for each in names) % 2}")
        return answer._replace(worker=names[-1])

    seen: list[int] = []
    workers = two_workers("multistart", 0.0)
    with workers as (who, _), monkeypatch.context() as patch:
        patch.setattr(together, "run_block", signed)
        patch.setattr("paretoball.running.progress.CALL_EVERY", 0.0)
        how = {"max_climbs": 9, "seed": 1}
        pb.solve(
            SMALL,
            "multistart",
            **how,
            **who,
            callback=lambda now: seen.append(now.workers),
        )
    assert len({each for each in names if "greeting" in each}) == 2
    assert seen[0] >= 3
    assert seen[-1] == 4
    alone: list[int] = []
    pb.solve(SMALL, "multistart", **how, callback=lambda now: alone.append(now.workers))
    assert set(alone) == {1}


def test_a_run_that_has_ended_takes_no_memory_of_this_process():
    how = {"max_climbs": 3, "seed": 1, "workers": 2}
    tokens: set[str] = set()

    def look(_: Any) -> None:
        tokens.update(worker._benches)

    pb.solve(SMALL, "multistart", **how, callback=look)
    assert len(tokens) == 1
    assert not worker._benches


def test_a_run_that_waits_for_workers_looks_at_the_time_and_shows_it(monkeypatch):
    looks: list[int] = []
    stop = Run.stop

    def noted(run: Run, moves: int) -> bool:
        looks.append(run.units)
        return stop(run, moves)

    monkeypatch.setattr(Run, "stop", noted)
    with two_workers("multistart", 0.0) as (who, _):
        pb.solve(SMALL, "multistart", max_climbs=6, seed=1, **who)
    assert looks
    assert looks[-1] == 6
