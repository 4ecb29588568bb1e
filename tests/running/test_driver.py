"""Search: the same climbs give the same front, within the budget, whoever stops it."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
from clocks import keep_time, work_here
from landscapes import ring
from paretoball import (
    Archive,
    Climber,
    Landscape,
    Result,
    load,
    mnk,
    resume,
    verify,
)
from paretoball import solve as search
from paretoball.climber.scores import LOGGED
from paretoball.running import driver, trace
from paretoball.running.run import BLOCK_SECONDS
from paretoball.search import multistart
from paretoball.search.method import UNLIMITED, Asked, Block
from paretoball.search.multistart import _MultiStart
from paretoball.search.reporting import SLICE_SECONDS, next_slice
from paretoball.system import display

solve = partial(search, method="multistart")  # paths have tests of their own
SMALL = ring(n=60, K=2, seed=1)
LARGER = mnk(n=2000, K=3, seed=1)  # a climb of it takes some milliseconds
LONG = 60.0  # seconds: no machine is so busy that what is quick takes longer


def assert_same(one: Result, other: Result) -> None:
    """Both runs have the same front, found in the same places."""
    assert_array_equal(one.F, other.F)
    assert_array_equal(one.climb, other.climb)
    assert_array_equal(one.step, other.step)
    assert_array_equal(one.optimum, other.optimum)
    assert_array_equal(one.X, other.X)
    assert (one.climbs, one.moves) == (other.climbs, other.moves)


def by_hand(
    landscape: Landscape, radius: int, starts: Any, weights: Any
) -> list[tuple]:
    """The front of climbs from these starts, all reports compared with all."""
    climber = Climber(landscape, radius)
    reports = [climber.start(x, weights, seed=1).run().reports.F for x in starts]
    return naive.pareto_front(np.vstack(reports), landscape.sense)


def test_best_improvement_is_that_of_the_climber():
    landscape = ring(n=300, K=2, seed=3)
    x = np.random.default_rng(3).integers(2, size=300)
    result = solve(
        landscape, radius=3, max_climbs=1, start=x, weights=[2, 1], selection="best"
    )
    climb = Climber(landscape, 3, selection="best").start(x, [2, 1]).run()
    assert result.moves == climb.steps
    assert climb.fx.tolist() in result.F.tolist()


def test_a_slice_that_reports_cut_short_does_not_grow(monkeypatch):
    monkeypatch.setattr(multistart, "ROOM", 4)
    monkeypatch.setattr(multistart, "perf_counter", lambda: 0.0)  # no time passes
    climber, starts = Climber(SMALL, 1), np.empty((0, SMALL.n), np.uint8)
    searcher = _MultiStart(climber, Asked(None, 1, 1, 1), starts)
    searcher.slice = 1000
    searcher.run(Archive(2), Block(0, 500), None, UNLIMITED, lambda _: False)
    assert searcher.slice == 1000


@pytest.mark.parametrize("per_move", [1e-7, 1e-5, 1e-3])
def test_slices_come_to_take_as_long_as_they_should(per_move):
    moves = 64
    for _ in range(40):
        moves = next_slice(moves, moves * per_move, is_used_up=True)
    assert SLICE_SECONDS / 2 <= moves * per_move <= 2 * SLICE_SECONDS


# --- The same run again.


def test_minus_one_worker_is_a_thread_per_core(monkeypatch):
    monkeypatch.setattr(driver, "cores", lambda: 3)
    run = solve(SMALL, max_climbs=6, seed=5, workers=-1)
    assert run.config["workers"] == 3
    assert_same(solve(SMALL, max_climbs=6, seed=5), run)
    assert driver.checked_workers(np.int64(-1), None) == 3
    monkeypatch.setattr(driver, "cores", lambda: 10**6)
    assert driver.checked_workers(-1, None) == driver.MOST_WORKERS


def test_workers_are_one_or_as_many_as_asked_for_up_to_1024(monkeypatch):
    monkeypatch.setattr(driver, "cores", lambda: 3)
    with ThreadPoolExecutor(2) as pool:
        for workers, alone, on_pool in [
            (None, 1, 2),
            (-1, 3, 2),
            (1, 1, 1),
            (1024, 1024, 1024),
        ]:
            assert driver.checked_workers(workers, None) == alone
            assert driver.checked_workers(workers, pool) == on_pool
        for executor in (None, pool):
            for wrong in (0, 1025, -2):
                with pytest.raises(ValueError, match=f"workers = {wrong}, but"):
                    driver.checked_workers(wrong, executor)


def test_minus_one_worker_is_all_that_an_executor_has(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        how = {"seed": 5, "workers": -1, "executor": pool}
        run = solve(SMALL, max_climbs=3, checkpoint=tmp_path / "run.npz", **how)
        longer = resume(tmp_path / "run.npz", max_climbs=6, **how)
    assert run.config["workers"] == longer.config["workers"] == 2
    assert_same(solve(SMALL, max_climbs=6, seed=5), longer)


@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("landscape", [SMALL, LARGER], ids=["small", "larger"])
def test_workers_do_not_change_the_front(landscape, workers):
    alone = solve(landscape, radius=2, max_climbs=40, seed=5)
    together = solve(landscape, radius=2, max_climbs=40, seed=5, workers=workers)
    assert_same(alone, together)


@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("max_moves", [1, 777, 40_000])
def test_workers_do_not_change_the_front_of_so_many_moves(workers, max_moves):
    alone = solve(LARGER, radius=2, max_moves=max_moves, seed=5)
    together = solve(LARGER, radius=2, max_moves=max_moves, seed=5, workers=workers)
    assert alone.moves == max_moves
    assert_same(alone, together)


def test_a_longer_run_begins_like_a_shorter_one():
    short = solve(SMALL, radius=2, max_climbs=10, seed=5)
    long = solve(SMALL, radius=2, max_climbs=50, seed=5)
    kept = long.climb < 10
    rows = {tuple(row) for row in short.F.tolist()}
    assert {tuple(row) for row in long.F[kept].tolist()} <= rows


def test_the_seed_that_was_drawn_repeats_the_run():
    first = solve(SMALL, radius=2, max_climbs=10)
    assert_same(first, solve(SMALL, max_climbs=10, seed=first.config["seed"]))


def test_seeds_of_any_kind_are_taken():
    for seed in (0, 2**70, np.int64(3), np.random.SeedSequence(4)):
        run = solve(SMALL, max_climbs=5, seed=seed)
        assert_same(run, solve(SMALL, max_climbs=5, seed=run.config["seed"]))
    one, other = (
        solve(SMALL, max_climbs=5, seed=np.random.default_rng(1)) for _ in range(2)
    )
    assert_same(one, other)
    assert not np.array_equal(one.F, solve(SMALL, max_climbs=5, seed=2).F)


def test_rng_is_another_name_for_seed(tmp_path):
    path = tmp_path / "run.npz"
    by_seed = solve(SMALL, max_climbs=5, seed=7)
    assert_same(by_seed, solve(SMALL, max_climbs=5, rng=7, checkpoint=path))
    assert_same(by_seed, resume(path, rng=7))
    with pytest.raises(ValueError, match="its seed is 7, not 8"):
        resume(path, rng=8)
    with pytest.raises((TypeError, ValueError), match=r"seed.*rng|rng.*seed"):
        solve(SMALL, max_climbs=5, seed=7, rng=7)


@pytest.mark.parametrize("method", ["path", "multistart"])
def test_uniform_runs_are_the_same_whoever_climbs_and_however_often_stopped(
    method, tmp_path, monkeypatch
):
    monkeypatch.setattr("paretoball.climber.buckets.RECENT", 4)  # or next is the same
    how = {"method": method, "selection": "uniform", "seed": 3}
    alone = search(SMALL, max_climbs=9, **how)
    assert_same(alone, search(SMALL, max_climbs=9, workers=2, **how))
    for climbs in (2, 5, 9):
        path = tmp_path / "run.npz"
        again = search(SMALL, max_climbs=climbs, checkpoint=path, **how)
    assert_same(alone, again)
    other = search(SMALL, max_climbs=9, **how | {"selection": "next"})
    assert not np.array_equal(alone.F, other.F)


@pytest.mark.long
def test_hash_seeds_do_not_change_a_byte(tmp_path):
    code = (
        "import sys; from paretoball import mnk, solve\n"
        "run = solve(mnk(n=60, K=2, seed=1), max_climbs=20, seed=1, workers=2)\n"
        "for a in (run.F, run.climb, run.step, run.X):\n"
        "    sys.stdout.buffer.write(a.tobytes())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": number},
            stdout=subprocess.PIPE,
            timeout=300,
            check=True,
        ).stdout
        for number in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 100


# --- A bounded archive.


@pytest.mark.parametrize("d", [2, 3])
def test_a_bounded_archive_keeps_so_many_and_says_so(d):
    landscape = mnk(n=300, K=2, d=d, seed=1)
    free = solve(landscape, max_climbs=300, seed=1)
    assert not free.bounded
    run = solve(landscape, max_climbs=300, seed=1, max_archive=40)
    assert run.bounded
    assert len(run) == 40 < len(free)
    assert_array_equal(landscape.evaluate(run.X), run.F)
    assert len(naive.pareto_front(run.F.tolist())) == 40
    assert run.hypervolume() > 0.75 * free.hypervolume()
    assert run.trace[-1, 3:].tolist() == [40, run.hypervolume()]
    roomy = solve(landscape, max_climbs=300, seed=1, max_archive=10**6)
    assert_same(free, roomy)
    assert not roomy.bounded


@pytest.mark.parametrize("budget", [{"max_climbs": 250}, {"max_moves": 40_000}])
def test_a_bounded_archive_is_the_same_whoever_climbs_and_however_often_stopped(
    budget, tmp_path
):
    landscape = mnk(n=400, K=2, d=3, seed=1)
    how = {"seed": 3, "max_archive": 25}
    alone = solve(landscape, **how, **budget)
    assert_same(alone, solve(landscape, workers=3, **how, **budget))
    path = tmp_path / "run.npz"
    for share in (9, 3, 2, 1):
        part = {name: limit // share for name, limit in budget.items()}
        again = solve(landscape, checkpoint=path, workers=share, **how, **part)
    assert_same(alone, again)
    assert again.bounded


# --- Starts and directions.


def test_climbs_begin_where_they_are_told():
    starts = np.random.default_rng(1).integers(0, 2, (3, 60))
    run = solve(SMALL, radius=2, max_climbs=3, start=starts, weights=[1, 1], seed=1)
    assert run.config["starts"] == 3
    optimum = Climber(SMALL, 2).start(starts[0], weights=[1, 1]).run().x
    stay = solve(SMALL, radius=2, max_climbs=1, start=optimum, weights=[1, 1], seed=1)
    assert stay.moves == 0
    assert_array_equal(stay.X, [optimum])
    assert stay.optimum.all()


def test_later_climbs_begin_at_random():
    start = np.zeros(60)
    one = solve(SMALL, max_climbs=1, start=start, seed=1)
    two = solve(SMALL, max_climbs=2, start=start, seed=1)
    assert two.moves > one.moves


def test_a_direction_leads_to_its_end_of_the_front():
    left = solve(SMALL, max_climbs=20, weights=[1000, 1], seed=1)
    right = solve(SMALL, max_climbs=20, weights=[1, 1000], seed=1)
    assert left.F[:, 0].max() > right.F[:, 0].max()
    assert left.F[:, 1].max() < right.F[:, 1].max()
    assert left.config["weights"] == [1000, 1]


def test_rows_of_weights_are_used_in_turn():
    rows = [[1000, 1], [1, 1000]]
    both = solve(SMALL, max_climbs=2, weights=rows, seed=1)
    first = solve(SMALL, max_climbs=1, weights=rows[0], seed=1)
    assert both.moves > first.moves
    assert {tuple(row) for row in both.F[both.climb == 0].tolist()} <= {
        tuple(row) for row in first.F.tolist()
    }


def test_independent_weights_favour_the_middle():
    def spread(weights: Any) -> float:
        run = solve(SMALL, max_climbs=200, weights=weights, seed=1)
        return float(np.ptp(run.F[run.optimum], axis=0).min())

    assert spread("independent") <= spread(None)
    assert spread("simplex") == spread(None)


def test_equal_and_dominated_ends_are_left_out():
    climber = Climber(SMALL, 2)
    starts = np.random.default_rng(3).integers(0, 2, (6, 60))
    ends = np.array([climber.start(x, [1, 2]).run().x for x in starts])
    ends = np.vstack([ends, ends[::-1]])
    run = solve(SMALL, radius=2, max_climbs=12, start=ends, weights=[1, 2], seed=1)
    assert run.moves == 0
    front = naive.pareto_front([naive.evaluate(SMALL, x) for x in ends])
    assert [tuple(row) for row in run.F.tolist()] == front
    assert run.climb.max() < 6


@pytest.mark.parametrize("selection", ["next", "best", "uniform"])
def test_climbs_that_ended_are_at_local_optima(selection):
    landscape = ring(n=16, K=2, seed=4)
    run = solve(landscape, radius=2, max_climbs=15, seed=1, selection=selection)
    assert run.optimum.any()
    for x in run.X[run.optimum]:
        assert naive.is_local_optimum(landscape, x, 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_archive_takes_a_part_of_the_search(workers):
    run = solve(LARGER, max_climbs=5, seed=1, workers=workers)
    threads = 1 if workers == 1 else workers + 1  # one merges what the others find
    assert 0 < run.archive_seconds < threads * run.seconds


def test_strong_only_climbs_mark_as_optima_only_what_is():
    landscape = ring(n=40, K=2, seed=4)
    run = solve(landscape, radius=2, max_climbs=15, seed=1, climb="strong-only")
    full = solve(landscape, radius=2, max_climbs=15, seed=1)
    assert run.config["climb"] == "strong-only"
    assert run.hypervolume() < full.hypervolume()
    assert not run.optimum.all()
    for x, is_optimum in zip(run.X, run.optimum):
        assert not is_optimum or naive.is_local_optimum(landscape, x, 2)


# --- Budgets.


class Machine:
    """A machine on which a move takes so long, and all else takes no time."""

    def __init__(self, per_move: float):
        self.now = 0.0
        self.per_move = per_move

    def clock(self) -> float:
        return self.now

    def run_climbs(self, cliques: Any, moves: Any, state: Any, *rest: Any) -> None:
        """Stands in for the kernel, and takes its time."""
        before = int(state.clock[LOGGED])
        self.kernel(cliques, moves, state, *rest)
        self.now += self.per_move * (int(state.clock[LOGGED]) - before)

    kernel = staticmethod(multistart._run_climbs)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("limit", [0.02, 0.5, 2.0])
@pytest.mark.parametrize("per_move", [2e-6, 2e-5, 2e-4], ids=["fast", "medium", "slow"])
def test_time_limits_hold_on_fast_and_slow_machines(
    monkeypatch, per_move, limit, workers
):
    machine = Machine(per_move)
    solve(LARGER, time_limit=limit, max_climbs=1)  # compile
    keep_time(monkeypatch, machine.clock)
    here = None if workers == 1 else work_here(monkeypatch)
    monkeypatch.setattr(multistart, "perf_counter", machine.clock)
    monkeypatch.setattr(multistart, "_run_climbs", machine.run_climbs)
    run = solve(LARGER, time_limit=limit, seed=1, workers=workers, executor=here)
    assert run.status == "time is up"
    assert run.seconds == machine.now
    turns = 0 if workers == 1 else 2 * workers  # of blocks, here where all wait for all
    assert machine.now - limit > -2 * SLICE_SECONDS
    assert machine.now - limit < 2 * SLICE_SECONDS + turns * BLOCK_SECONDS


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("limit", [0.02, 0.5])
def test_time_limits_hold(limit, workers):
    """As far as a machine that may be busy can tell."""
    solve(LARGER, max_climbs=1)
    began = time.perf_counter()
    run = solve(LARGER, time_limit=limit, workers=workers)
    took = time.perf_counter() - began
    assert run.status == "time is up"
    assert limit / 2 <= run.setup_seconds + run.seconds <= took < LONG


def test_a_run_has_a_solution_however_short_it_is():
    run = solve(LARGER, radius=3, time_limit=1e-9)
    assert len(run) == 1
    assert_array_equal(LARGER.evaluate(run.X), run.F)
    assert run.status == "time is up"


@pytest.mark.parametrize("max_moves", [1, 2, 50])
def test_a_run_has_a_solution_after_few_moves(max_moves):
    run = solve(SMALL, max_moves=max_moves, seed=1)
    assert run.moves == max_moves
    assert_array_equal(SMALL.evaluate(run.X), run.F)


def test_the_status_says_which_budget_was_used_up():
    assert solve(SMALL, max_climbs=3, time_limit=60).status == "climbs done"
    assert solve(SMALL, max_moves=3, time_limit=60).status == "moves done"
    run = solve(SMALL, max_climbs=3, time_limit=60)
    assert (run.climbs, run.config["max_climbs"]) == (3, 3)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_callback_sees_the_run_and_stops_it(workers):
    seen: list[Any] = []

    def callback(state: Any) -> bool:
        seen.append((state.seconds, state.moves, state.climbs, state.size))
        return len(seen) == 3

    run = solve(SMALL, time_limit=60, seed=1, callback=callback, workers=workers)
    assert run.status == "stopped by the callback"
    assert run.seconds < 30
    assert len(seen) == 3
    assert seen == sorted(seen)
    assert run.moves >= seen[-1][1]


def test_a_callback_that_returns_nothing_stops_nothing():
    assert solve(SMALL, max_climbs=5, callback=print).status == "climbs done"


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_callback_raises_gets_out(workers):
    def callback(state: Any) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        solve(SMALL, time_limit=60, callback=callback, workers=workers)


def sending(number: int) -> Any:
    """A callback that sends a signal to this process soon after its first call."""
    alarms: list[threading.Timer] = []

    def send_soon(state: Any) -> None:
        if not alarms:
            alarms.append(threading.Timer(0.1, os.kill, (os.getpid(), number)))
            alarms[0].start()

    return send_soon


def check_ended_early(run: Result, status: str) -> None:
    """The run was ended by a signal, with what it had found."""
    assert run.climbs > 0
    assert run.status == status
    assert_array_equal(LARGER.evaluate(run.X), run.F)


@pytest.mark.parametrize("workers", [1, 2])
def test_control_c_raises_with_what_was_found(workers):
    before = signal.getsignal(signal.SIGINT)
    how = {"time_limit": 10 * LONG, "seed": 1, "workers": workers}
    with pytest.raises(KeyboardInterrupt) as caught:
        solve(LARGER, **how, callback=sending(signal.SIGINT))
    check_ended_early(caught.value.result, "interrupted")  # type: ignore[attr-defined]
    assert signal.getsignal(signal.SIGINT) is before


def test_control_c_returns_what_was_found_if_asked_to(tmp_path):
    path = tmp_path / "run.npz"
    how = {"time_limit": 10 * LONG, "on_interrupt": "return"}
    callback = sending(signal.SIGINT)
    run = solve(LARGER, **how, seed=1, callback=callback, checkpoint=path)
    check_ended_early(run, "interrupted")
    again = resume(path, **how, callback=sending(signal.SIGINT))
    check_ended_early(again, "interrupted")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_programs_own_handler_hears_the_signal_after_the_run(number):
    heard: list[int] = []
    before = signal.signal(number, lambda number, _: heard.append(number))
    try:
        run = solve(LARGER, time_limit=10 * LONG, callback=sending(number))
    finally:
        signal.signal(number, before)
    assert heard == [number]
    assert run.status in ("interrupted", "terminated")


def test_a_signal_that_the_program_ignores_ends_no_run():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run = solve(SMALL, max_climbs=3, callback=lambda _: signal.raise_signal(2))
    finally:
        signal.signal(signal.SIGINT, before)
    assert run.status == "climbs done"


LOOP = """
import signal
import paretoball as pb
landscape = pb.mnk(n=60, K=1, d=2, q=10, seed=1)
for run in range(1000):
    pb.solve(landscape, "multistart", radius=1, max_climbs=4, seed=run,
             checkpoint=f"{run % 2}.npz",
             callback=lambda _: run == 1 and signal.raise_signal(signal.NAME))
    print(run, flush=True)
"""


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", -15), ("SIGINT", -2)])
def test_a_signal_ends_a_loop_of_runs_as_any_other_program(tmp_path, name, code):
    loop = [sys.executable, "-c", LOOP.replace("NAME", name)]
    ended = subprocess.run(
        loop, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (code, "0\n")
    assert ("`result` of this error" in ended.stderr) == (name == "SIGINT")
    assert load(tmp_path / "1.npz").status in ("interrupted", "terminated")


def test_a_run_in_a_thread_leaves_signals_alone():
    found: list[Result] = []
    thread = threading.Thread(
        target=lambda: found.append(solve(SMALL, max_climbs=3, seed=1))
    )
    thread.start()
    thread.join()
    assert_same(found[0], solve(SMALL, max_climbs=3, seed=1))


# --- Every budget ends every run.

FLAT = Landscape.from_subfunctions(1, [[((0,), [5, 5])]])
EMPTY = Landscape.from_subfunctions(3, [[]])
OPPOSED = Landscape.from_subfunctions(1, [[((0,), [0, 1])], [((0,), [1, 0])]])


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("landscape", "climb"),
    [(FLAT, "full"), (EMPTY, "full"), (OPPOSED, "strong-only")],
    ids=["flat", "empty", "opposed"],
)
def test_climbs_without_moves_use_up_a_budget_in_moves(landscape, climb, workers):
    run = solve(landscape, max_moves=10, climb=climb, seed=1, workers=workers)
    assert (run.climbs, run.moves) == (10, 0)
    assert run.status == "climbs take few moves"
    assert not run.failed
    paths = search(landscape, max_moves=10, climb=climb, seed=1, workers=workers)
    assert paths.moves <= 10


def test_climbs_without_moves_are_the_same_however_often_they_are_stopped(tmp_path):
    path = tmp_path / "run.npz"
    for moves in (1, 3, 10):
        solve(OPPOSED, climb="strong-only", max_moves=moves, seed=1, checkpoint=path)
    whole = solve(OPPOSED, climb="strong-only", max_moves=10, seed=1)
    assert_same(load(path), whole)


def test_a_kernel_returns_after_as_many_climbs_as_moves():
    climber = Climber(FLAT, 1)
    searcher = _MultiStart(climber, Asked(None, 1, 1, 1), np.empty((0, 1), np.uint8))
    looks: list[int] = []
    searcher.run(Archive(1), Block(0, 1000), None, UNLIMITED, looks.append)
    assert len(looks) > 1


# --- Bad arguments.


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({}, ValueError, "no budget"),
        ({"time_limit": float("inf")}, ValueError, "no budget"),
        ({"time_limit": 0}, ValueError, "time_limit = 0"),
        ({"time_limit": -1.0}, ValueError, "time_limit = -1"),
        ({"time_limit": float("nan")}, ValueError, "time_limit = nan"),
        ({"time_limit": "1"}, TypeError, "time_limit = '1'"),
        ({"time_limit": True}, TypeError, "time_limit = True"),
        ({"max_climbs": 0}, ValueError, "max_climbs = 0"),
        ({"max_climbs": 1.0}, TypeError, r"max_climbs = 1\.0"),
        ({"max_moves": -3}, ValueError, "max_moves = -3"),
        ({"max_moves": True}, TypeError, "max_moves = True"),
        ({"max_climbs": 1, "radius": 0}, ValueError, "radius = 0"),
        ({"max_climbs": 1, "radius": -1}, ValueError, "radius = -1"),
        ({"max_climbs": 1, "radius": 31}, ValueError, "radius = 31"),
        ({"max_climbs": 1, "radius": 1.5}, TypeError, "radius = 1.5"),
        ({"max_climbs": 1, "workers": 0}, ValueError, "= 0, .* or -1 for all cores"),
        ({"max_climbs": 1, "workers": -2}, ValueError, "= -2, .* 1 to 1024 or -1"),
        ({"max_climbs": 1, "workers": -1.0}, TypeError, r"workers = -1\.0"),
        ({"max_climbs": 1, "workers": "2"}, TypeError, "workers = '2'"),
        ({"max_climbs": 1, "seed": -1}, ValueError, "seed = -1"),
        ({"max_climbs": 1, "seed": 1.5}, TypeError, "seed = 1.5"),
        (
            {"max_climbs": 1, "method": "nsga2"},
            ValueError,
            "method = 'nsga2' is not 'auto', 'exact', 'path', 'pls' or 'multistart'",
        ),
        ({"max_climbs": 1, "selection": "any"}, ValueError, "selection = 'any'"),
        ({"max_climbs": 1, "weights": "heavy"}, ValueError, "weights = 'heavy'"),
        ({"max_climbs": 1, "weights": [1]}, ValueError, "1 weight given for 2"),
        ({"max_climbs": 1, "weights": [0, 1]}, ValueError, "weight 0 is 0"),
        ({"max_climbs": 1, "weights": [1, -1]}, ValueError, "weight 1 is -1"),
        ({"max_climbs": 1, "weights": [1, np.nan]}, ValueError, "weight 1 is nan"),
        ({"max_climbs": 1, "weights": [1, np.inf]}, ValueError, "weight 1 is inf"),
        ({"max_climbs": 1, "weights": ["a", "b"]}, TypeError, "weights are"),
        ({"max_climbs": 1, "start": [0, 1]}, ValueError, "start has 2 bits"),
        ({"max_climbs": 1, "start": [2] * 60}, ValueError, "start has 2 at bit 0"),
        ({"max_climbs": 1, "start": "01"}, TypeError, "start is '01'"),
        (
            {"max_climbs": 1, "on_interrupt": "ignore"},
            ValueError,
            "on_interrupt = 'ignore' is not 'raise' or 'return'",
        ),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_bad_arguments_are_refused(options, kind, text):
    with pytest.raises(kind, match=text) as refusal:
        solve(SMALL, **options)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "budget",
    [
        {"time_limit": np.float32(0.1)},
        {"max_climbs": np.int64(3)},
        {"max_moves": np.int32(3)},
        {"time_limit": float("inf"), "max_climbs": 3},
        {"max_climbs": 3, "radius": np.int64(2), "workers": np.int64(1)},
        {"max_climbs": 3, "weights": np.array([1.0, 2.0])},
    ],
    ids=str,
)
def test_numbers_of_any_make_can_be_saved(budget, tmp_path):
    solve(SMALL, seed=1, **budget).save(tmp_path / "run.npz")


def test_many_objectives_do_not_make_the_trace_miss_the_time_limit(monkeypatch):
    """Hypervolumes of many objectives take for ever, so there are none."""

    def forbidden(*_: Any) -> float:
        raise AssertionError("a hypervolume")

    monkeypatch.setattr(trace, "hypervolume", forbidden)
    monkeypatch.setattr(trace, "FIRST_PAUSE", 0.0)
    result = solve(mnk(n=300, K=3, d=4, seed=1), radius=1, max_climbs=20, seed=1)
    assert len(result) > 100
    assert len(result.trace) > 3
    assert np.isnan(result.trace[:, -1]).all()


@pytest.mark.parametrize("method", ["path", "multistart"])
@pytest.mark.parametrize("d", [32, pytest.param(64, marks=pytest.mark.long)])
def test_any_number_of_objectives_is_searched(d, method, tmp_path):
    landscape = mnk(n=8, K=2, d=d, seed=1)
    how = {"method": method, "radius": 2, "seed": 1}
    part = solve(landscape, max_climbs=2, **how, checkpoint=tmp_path / "run.npz")
    assert part.climbs == 2
    result = resume(tmp_path / "run.npz", max_climbs=4)
    alone = solve(landscape, max_climbs=4, **how)
    assert_array_equal(result.F, alone.F)
    assert_array_equal(result.F, landscape.evaluate(result.X))
    assert verify(landscape, tmp_path / "run.npz", local=1).failures == []


@pytest.mark.parametrize(("d", "shown"), [(2, True), (4, False)])
def test_a_volume_that_is_not_known_is_not_shown(d, shown, capsys, monkeypatch):
    monkeypatch.setattr(display, "PATIENCE", 0.0)
    monkeypatch.setattr(display, "PLAIN_EVERY", 0.0)
    solve(mnk(n=200, K=2, d=d, seed=1), max_climbs=4, seed=1, progress=True)
    err = capsys.readouterr().err
    assert "front" in err
    assert "nan" not in err
    assert ("volume" in err) == shown


def test_runs_and_checkpoints_are_logged(caplog, tmp_path):
    with caplog.at_level("INFO", "paretoball"):
        solve(SMALL, max_climbs=2, seed=1, checkpoint=tmp_path / "run.npz")
    names = ("paretoball.running.driver", "paretoball.running.checkpoint")
    mine = [record for record in caplog.records if record.name in names]
    first, *saved, last = [record.getMessage() for record in mine]
    assert first.startswith("run begins: Landscape(")
    assert last.startswith("run ended: Result: ")
    assert saved[-1] == f"checkpoint {tmp_path / 'run.npz'} written after 2 climbs"
    assert {record.levelname for record in mine} == {"INFO"}


def test_a_budget_past_64_bits_is_no_limit():
    landscape = mnk(n=20, K=2, d=2, seed=1)
    result = solve(landscape, max_moves=10**30, max_climbs=2, seed=1)
    assert result.climbs == 2


@pytest.mark.parametrize(
    "wrong",
    [{"callback": 3}, {"method": ["x"]}, {"selection": "worst"}, {"workers": 10**7}],
)
def test_arguments_that_make_no_sense_are_refused_by_name(wrong):
    landscape = mnk(n=20, K=2, d=2, seed=1)
    with pytest.raises((TypeError, ValueError)) as caught:
        solve(landscape, max_climbs=1, **wrong)
    assert next(iter(wrong)) in str(caught.value)


def test_more_workers_than_memory_holds_are_refused(monkeypatch):
    landscape = mnk(n=1000, K=3, d=2, seed=1)
    solve(landscape, radius=2, max_climbs=1, seed=1)
    monkeypatch.setattr("paretoball.system.memory.available_memory", lambda: 10 << 20)
    with pytest.raises(MemoryError, match="1,000 workers need"):
        solve(landscape, radius=2, max_climbs=1, workers=1000, seed=1)
