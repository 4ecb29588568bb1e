"""The crew: whatever happens to workers, every unit is done, and counts once."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.running.dispatcher import Crew, DeadlyUnit, NoWorkers, Unit, capacity
from paretoball.running.process_pools import new_processes
from paretoball.running.worker import Job, Order, run_units

SMALL = ring(n=60, K=2, seed=1)
LARGER = pb.mnk(n=2000, K=3, seed=1)
SPAWN = multiprocessing.get_context("spawn")


class Killers(ProcessPoolExecutor):
    """A pool, without processes, of which a unit breaks everything at some tries."""

    def __init__(self, *deadly: int, tries: int = 10**9):
        super().__init__(2, SPAWN)
        self.deadly, self.tries = set(deadly), tries
        self.log: list[tuple[int, int]] = []

    def submit(self, function: Any, unit: Unit, lacking: bool) -> Future:
        future: Future = Future()
        self.log.append((unit.first, unit.size))
        numbers = set(range(unit.first, unit.first + unit.size))
        if numbers & self.deadly and self.tries > 0:
            self.tries -= 1
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(function(unit, lacking))
        return future


def answer(unit: Unit, lacking: bool) -> tuple[Unit, bool]:
    """What a unit gives."""
    return unit, lacking


def call(unit: Unit, lacking: bool) -> tuple:
    """What to submit for it."""
    return answer, unit, lacking


def all_of(crew: Crew, found: list[Any] | None = None) -> list[Any]:
    """Everything that a crew gives until it is idle."""
    found = [] if found is None else found
    while not crew.is_idle():
        found += crew.collect(1.0)
    return found


def numbers(found: list[Any]) -> list[int]:
    """All numbers in what was found, in order."""
    return sorted(
        number
        for unit, _ in found
        for number in range(unit.first, unit.first + unit.size)
    )


def test_every_unit_is_done_once():
    with ThreadPoolExecutor(3) as pool, Crew(pool, 3, call) as crew:
        for first in range(0, 40, 4):
            crew.add(Unit(first, 4))
        assert numbers(all_of(crew)) == [*range(40)]


def test_units_of_a_dead_worker_are_done_again_in_the_end_one_by_one():
    pool = Killers(5, tries=2)
    with Crew(pool, 2, call) as crew:
        for first in (0, 4, 8):
            crew.add(Unit(first, 4))
        assert numbers(all_of(crew)) == [*range(12)]
    assert pool.log.count((4, 4)) == 2
    assert [unit for unit in pool.log if unit[1] == 1] == [(n, 1) for n in range(4, 8)]
    assert (0, 0) in pool.log  # a greeting, so that a suspect meets a living worker


def test_a_unit_that_kills_three_times_is_named_and_the_rest_is_done():
    pool = Killers(6)
    found: list[Any] = []
    with Crew(pool, 1, call) as crew:
        for first in (0, 4, 8):
            crew.add(Unit(first, 4))
        with pytest.raises(DeadlyUnit, match="unit 6 killed its worker 3 times"):
            all_of(crew, found)
    assert {0, 1, 2, 3, 4, 5} <= set(numbers(found)) <= set(range(12)) - {6}


def test_workers_that_die_at_once_are_told_from_deadly_units():
    with Crew(ProcessPoolExecutor(2, SPAWN, os._exit, (1,)), 2, call) as crew:
        for first in range(4):
            crew.add(Unit(first))
        with pytest.raises(NoWorkers, match="__main__"):
            all_of(crew)


def test_a_run_whose_first_climb_is_deadly_ends_politely():
    class Deadly(ThreadPoolExecutor):
        def submit(self, function: Any, order: Order, job: Job | None) -> Future:
            if order.size == 0:
                return super().submit(function, order, job)
            future: Future = Future()
            future.set_exception(KilledWorker("dead"))
            return future

    class KilledWorker(Exception):
        """What Dask raises."""

    with Deadly(1) as pool:
        result = pb.solve(SMALL, max_climbs=3, seed=1, executor=pool)
    assert result.failed
    assert "unit 0 killed its worker" in result.status
    assert len(result) == 1


def test_an_executor_that_does_not_tell_its_size_any_more_is_asked_in_vain():
    class Silent(ThreadPoolExecutor):
        @property
        def _client(self) -> Any:
            raise OSError("the scheduler is gone")

    with Silent(2) as pool, Crew(pool, None, call) as crew:
        crew.add(Unit(0))
        assert numbers(all_of(crew)) == [0]


def test_who_lacks_the_job_gets_it():
    got: list[bool] = []

    def forgetful(unit: Unit, lacking: bool) -> Any:
        got.append(lacking)
        return (unit, lacking) if lacking else None

    with (
        ThreadPoolExecutor(1) as pool,
        Crew(pool, 1, lambda unit, lacking: (forgetful, unit, lacking)) as crew,
    ):
        crew.add(Unit(3))
        assert all_of(crew) == [(Unit(3), True)]
    assert got == [False, True]


def test_a_closed_executor_is_one_clear_line():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(OSError, match="the executor takes no more work") as refusal:
        pb.solve(SMALL, max_climbs=3, executor=pool)
    assert "\n" not in str(refusal.value)


def test_what_a_worker_raises_gets_out():
    with ThreadPoolExecutor(1) as pool, Crew(pool, 1, lambda *_: (int, "x")) as crew:
        crew.add(Unit(0))
        with pytest.raises(ValueError, match="invalid literal"):
            all_of(crew)


def test_the_number_of_workers_is_asked_from_the_executor():
    with ThreadPoolExecutor(3) as pool:
        assert capacity(pool) == 3

    class Other(Executor):
        num_workers = 7

    assert capacity(Other()) == 7
    assert capacity(Executor()) == os.cpu_count()


# --- Real workers.


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, SPAWN) as pool:
        yield pool


def assert_same(one: pb.Result, other: pb.Result) -> None:
    """Both runs have the same front, found in the same places."""
    for name in ("F", "climb", "step", "optimum", "X"):
        assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.climbs, one.moves) == (other.climbs, other.moves)


@pytest.mark.parametrize("budget", [{"max_climbs": 60}, {"max_moves": 30_000}], ids=str)
def test_processes_find_what_one_thread_finds(processes, budget):
    alone = pb.solve(LARGER, seed=5, **budget)
    assert_same(alone, pb.solve(LARGER, seed=5, executor=processes, **budget))
    with ThreadPoolExecutor(3) as threads:
        together = pb.solve(LARGER, seed=5, executor=threads, workers=2, **budget)
    assert_same(alone, together)


class Counting(ProcessPoolExecutor):
    """A pool that counts how often jobs travel, and for how many orders."""

    def submit(self, function: Any, order: Order, job: Job | None) -> Future:
        self.jobs = getattr(self, "jobs", 0) + (job is not None)
        self.orders = getattr(self, "orders", 0) + 1
        return super().submit(function, order, job)


def test_a_job_travels_to_workers_and_not_with_orders():
    with Counting(2, SPAWN) as pool:
        pb.solve(LARGER, time_limit=1.0, executor=pool)
        assert 2 <= pool.jobs <= 6 < pool.orders
        order = Order("unknown run", 0, 1, 10**9, 10.0, None, False)
        assert pool.submit(run_units, order, None).result() is None


def test_a_time_limit_holds_for_processes(processes):
    pb.solve(LARGER, max_climbs=1, executor=processes)
    began = time.perf_counter()
    result = pb.solve(LARGER, time_limit=0.7, executor=processes)
    assert time.perf_counter() - began < 2.5
    assert result.status == "time is up"
    assert result.climbs > 5
    assert_array_equal(LARGER.evaluate(result.X), result.F)


def test_time_runs_out_during_the_set_up_of_workers():
    with ThreadPoolExecutor(2) as threads:
        result = pb.solve(LARGER, radius=3, time_limit=1e-6, executor=threads)
    assert result.status == "time is up"
    assert len(result) == 1


def die_in_mid_sentence() -> None:
    """In a worker: give the beginning of an answer, then no more."""
    frame = sys._getframe(1)
    if "result_queue" in frame.f_locals:
        os.write(frame.f_locals["result_queue"]._writer.fileno(), b"\0\0\1\0...")
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_as_it_answers_is_missed():
    calls = iter([die_in_mid_sentence])
    with (
        new_processes(2) as pool,
        Crew(pool, 2, lambda *_: (next(calls, int),)) as crew,
    ):
        for number in range(2):
            crew.add(Unit(number))
        assert set(all_of(crew)) == {0}


def test_a_run_on_processes_stops_within_two_seconds(processes):
    pb.solve(LARGER, max_climbs=1, executor=processes)
    alarm = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    alarm.start()
    began = time.perf_counter()
    result = pb.solve(LARGER, time_limit=60, executor=processes)
    assert time.perf_counter() - began < 2.5
    assert result.status == "interrupted"
    assert_array_equal(LARGER.evaluate(result.X), result.F)


def test_an_order_for_part_of_a_run_gives_what_a_whole_run_has_of_it():
    whole = pb.solve(SMALL, seed=3, max_climbs=1)
    job = Job("part", SMALL, whole.config, np.empty((0, 60), np.uint8))
    plan = job.new_plan()
    plan.advance(pb.Archive(2), 0)
    tasks = plan.tasks_of(0, 1)
    found = run_units(Order("part", 0, 1, 10**9, 60.0, tasks, True), job)
    assert found is not None
    assert sorted(map(tuple, found.fx.tolist())) == [tuple(f) for f in whole.F.tolist()]
    assert found.settled == found.moves == whole.moves
