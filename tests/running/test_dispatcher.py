"""The dispatcher: whatever happens to workers, every unit is done, and counts once."""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import (
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.running import driver, process_pools
from paretoball.running.budget import Budget
from paretoball.running.dispatcher import (
    GREETING,
    DeadlyUnit,
    Dispatcher,
    NoWorkers,
    capacity,
)
from paretoball.running.options import Options
from paretoball.running.process_pools import new_processes
from paretoball.running.worker import BlockRequest, Job, run_block
from paretoball.search.method import Block, Done
from paretoball.search.registry import method_named

SMALL = ring(n=60, K=2, seed=1)
LARGER = pb.mnk(n=2000, K=3, seed=1)
SPAWN = multiprocessing.get_context("spawn")
LONG = 60.0  # seconds: no machine is so busy that what is quick takes longer


class Killers(ProcessPoolExecutor):
    """A pool, without processes, of which a unit breaks everything at some tries."""

    def __init__(self, *deadly: int, tries: int = 10**9):
        super().__init__(2, SPAWN)
        self.deadly, self.tries = set(deadly), tries
        self.log: list[Block] = []

    def submit(self, function: Any, block: Block, lacking: bool) -> Future:
        future: Future = Future()
        self.log.append(block)
        if self.deadly & set(range(block.first, block.end)) and self.tries > 0:
            self.tries -= 1
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(function(block, lacking))
        return future


def answer(block: Block, lacking: bool) -> tuple[Block, bool]:
    """What a block gives."""
    return block, lacking


def call(block: Block, lacking: bool) -> tuple:
    """What to submit for it."""
    return answer, block, lacking


def all_of(dispatcher: Dispatcher, found: list[Any] | None = None) -> list[Any]:
    """Everything that a dispatcher gives until it is idle."""
    found = [] if found is None else found
    while not dispatcher.is_idle():
        found += dispatcher.collect(1.0)
    return found


def numbers(found: list[Any]) -> list[int]:
    """All numbers in what was found, in order."""
    return sorted(
        number for block, _ in found for number in range(block.first, block.end)
    )


def test_every_unit_is_done_once():
    with ThreadPoolExecutor(3) as pool, Dispatcher(pool, 3, call) as dispatcher:
        for first in range(0, 40, 4):
            dispatcher.add(Block(first, 4))
        assert numbers(all_of(dispatcher)) == [*range(40)]


def test_units_of_a_dead_worker_are_done_again_in_the_end_one_by_one():
    pool = Killers(5, tries=2)
    with Dispatcher(pool, 2, call) as dispatcher:
        for first in (0, 4, 8):
            dispatcher.add(Block(first, 4))
        assert numbers(all_of(dispatcher)) == [*range(12)]
    assert pool.log.count(Block(4, 4)) == 2
    alone = [block.first for block in pool.log if block.size == 1]
    assert alone == [*range(4, 8)]
    assert GREETING in pool.log  # so that a suspect meets a living worker


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], True),
        ([None, None], True),
        ([None, 0], True),
        ([None, -9], False),
        ([1], False),
    ],
)
def test_a_pool_is_sound_unless_a_process_died(codes, expected):
    """Processes that have done their share of tasks end by themselves."""
    pool = Killers()
    pool._processes = {
        number: SimpleNamespace(exitcode=code) for number, code in enumerate(codes)
    }
    assert process_pools.is_sound(pool) == expected


@pytest.mark.parametrize("is_sound", [False, True])
def test_a_given_pool_is_broken_at_the_end_if_it_lost_a_process(monkeypatch, is_sound):
    """Python's own end of it may wait for the others for ever."""
    broken: list[Executor] = []
    where = "paretoball.running.dispatcher"
    monkeypatch.setattr(f"{where}.is_sound", lambda _: is_sound)
    monkeypatch.setattr(f"{where}.kill_processes", broken.append)
    pool = Killers()
    with Dispatcher(pool, 2, call) as dispatcher:
        dispatcher.add(Block(0, 4))
        assert numbers(all_of(dispatcher)) == [*range(4)]
        assert not broken
    assert broken == ([] if is_sound else [pool])


def test_a_unit_that_kills_three_times_is_named_and_the_rest_is_done():
    pool = Killers(6)
    found: list[Any] = []
    with Dispatcher(pool, 1, call) as dispatcher:
        for first in (0, 4, 8):
            dispatcher.add(Block(first, 4))
        with pytest.raises(DeadlyUnit, match="unit 6 killed its worker 3 times"):
            all_of(dispatcher, found)
    assert {0, 1, 2, 3, 4, 5} <= set(numbers(found)) <= set(range(12)) - {6}


@pytest.mark.parametrize("size", [1, 4])
def test_a_unit_that_killed_twice_while_it_ran_alone_has_one_more_try(size):
    block, pools = Block(4, size), []
    for tries in (4, 5):  # twice among others, then two or three times alone
        pool = Killers(6 if size == 4 else 4, tries=tries)
        pools.append(pool)
        with Dispatcher(pool, 1, call) as dispatcher:
            dispatcher.add(block)
            if tries == 4:
                assert numbers(all_of(dispatcher)) == [*range(4, 4 + size)]
            else:
                with pytest.raises(DeadlyUnit):
                    all_of(dispatcher)
    deadly = Block(6, 1) if size == 4 else block
    together = 0 if size == 4 else 2
    assert [pool.log.count(deadly) - together for pool in pools] == [3, 3]


def test_suspects_are_given_up_with_all_that_waits():
    pool = Killers(5)
    with Dispatcher(pool, 1, call) as dispatcher:
        dispatcher.add(Block(4, 4))
        while not dispatcher.suspects:
            dispatcher.collect(0)
        dispatcher.give_up_waiting()
        while dispatcher.under_way:
            dispatcher.collect(0)
        assert dispatcher.is_idle()
        handed_out = len(pool.log)
        dispatcher.collect(0)
        assert len(pool.log) == handed_out


class Stillborn(ProcessPoolExecutor):
    """A pool, without processes, that does some blocks and breaks at the next one."""

    def __init__(self, blocks: float = 0):
        super().__init__(2, SPAWN)
        self.blocks = blocks

    def submit(self, function: Any, *arguments: Any) -> Future:
        if self.blocks < 0:
            raise BrokenProcessPool
        future: Future = Future()
        if self.blocks > 0:
            future.set_result(function(*arguments))
        else:
            future.set_exception(BrokenProcessPool())
        self.blocks -= 1
        return future


@pytest.mark.parametrize(("blocks", "pools"), [(0, 3), (1, 15)])
def test_so_many_pools_in_a_row_may_break_before_a_block_is_done(
    monkeypatch, blocks, pools
):
    """More of them if workers have been at work before."""
    made: list[Stillborn] = []

    def like(broken: Stillborn) -> Stillborn:
        made.append(Stillborn(np.inf if len(made) + 1 == last else 0))
        return made[-1]

    monkeypatch.setattr("paretoball.running.dispatcher.like", like)
    for last in (pools, 0):  # the last one that is made works; none does
        made.clear()
        with Dispatcher(Stillborn(blocks), 1, call, ahead=1) as dispatcher:
            for first in range(blocks + 1):
                dispatcher.add(Block(first, 1))
            if last:
                assert numbers(all_of(dispatcher)) == [*range(blocks + 1)]
            else:
                with pytest.raises(NoWorkers, match="__main__"):
                    all_of(dispatcher)
        assert len(made) == pools


def test_pools_that_do_a_block_before_they_break_may_be_as_many_as_it_takes(
    monkeypatch,
):
    monkeypatch.setattr("paretoball.running.dispatcher.like", lambda _: Stillborn(1))
    with Dispatcher(Stillborn(1), 1, call, ahead=1) as dispatcher:
        for first in range(40):
            dispatcher.add(Block(first, 1))
        assert numbers(all_of(dispatcher)) == [*range(40)]


def test_workers_that_die_at_once_are_told_from_deadly_units():
    pool = ProcessPoolExecutor(2, SPAWN, os._exit, (1,))
    with Dispatcher(pool, 2, call) as dispatcher:
        for first in range(4):
            dispatcher.add(Block(first, 1))
        with pytest.raises(NoWorkers, match="__main__"):
            all_of(dispatcher)


def test_a_run_whose_first_climb_is_deadly_ends_politely():
    class Deadly(ThreadPoolExecutor):
        def submit(self, function: Any, request: Any, job: Job | None) -> Future:
            if request.block == GREETING:
                return super().submit(function, request, job)
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

    with Silent(2) as pool, Dispatcher(pool, None, call) as dispatcher:
        dispatcher.add(Block(0, 1))
        assert numbers(all_of(dispatcher)) == [0]


def test_who_lacks_the_job_gets_it():
    got: list[bool] = []

    def forgetful(block: Block, lacking: bool) -> Any:
        got.append(lacking)
        return (block, lacking) if lacking else None

    def ask(*question: Any) -> tuple:
        return forgetful, *question

    with ThreadPoolExecutor(1) as pool, Dispatcher(pool, 1, ask) as dispatcher:
        dispatcher.add(Block(3, 1))
        assert all_of(dispatcher) == [(Block(3, 1), True)]
    assert got == [False, True]


def test_a_closed_executor_is_one_clear_line():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(OSError, match="the executor takes no more work") as refusal:
        pb.solve(SMALL, max_climbs=3, executor=pool)
    assert "\n" not in str(refusal.value)


def test_what_a_worker_raises_gets_out():
    def ask(*_: Any) -> tuple:
        return int, "x"

    with ThreadPoolExecutor(1) as pool, Dispatcher(pool, 1, ask) as dispatcher:
        dispatcher.add(Block(0, 1))
        with pytest.raises(ValueError, match="invalid literal"):
            all_of(dispatcher)


def test_the_number_of_workers_is_asked_from_the_executor():
    with ThreadPoolExecutor(3) as pool:
        assert capacity(pool) == 3

    class Other(Executor):
        num_workers = 7

    assert capacity(Other()) == 7
    assert capacity(Executor()) == os.cpu_count()


def test_an_executor_is_asked_for_its_threads_and_has_one_at_least():
    class Client:
        def __init__(self, threads: dict[str, int]):
            self.nthreads = lambda: threads

    class Cluster(Executor):
        num_workers = 9

    cluster: Any = Cluster()
    for threads, count in (({}, 1), ({"a": 1}, 1), ({"a": 2, "b": 3}, 5)):
        cluster._client = Client(threads)
        assert capacity(cluster) == count
    odd: Any = Executor()
    for size in (0, -1, None, "4", 2.5):
        odd.num_workers = size
        assert capacity(odd) == os.cpu_count()
    odd._max_workers = 5
    odd.num_workers = 8
    assert capacity(odd) == 5


def test_the_number_of_workers_is_asked_every_two_seconds(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("paretoball.running.dispatcher.monotonic", lambda: now[0])
    growing: Any = Executor()
    growing.num_workers = 3
    with Dispatcher(growing, None, call) as dispatcher:
        assert dispatcher.workers == 3
        growing.num_workers = 4
        for seconds, count in ((101.0, 3), (101.9, 3), (102.1, 4)):
            now[0] = seconds
            assert dispatcher.workers == count
    assert Dispatcher(growing, 7, call).workers == 7


class Waiting(Executor):
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.futures: dict[Block, Future] = {}

    def submit(self, function: Any, block: Block, lacking: bool) -> Future:
        self.futures[block] = Future()
        return self.futures[block]


def test_each_worker_is_given_two_blocks_and_no_more():
    pool = Waiting()
    with Dispatcher(pool, 2, call) as dispatcher:
        for number in range(4):
            assert dispatcher.has_room()
            dispatcher.add(Block(number, 1))
        assert not dispatcher.has_room()
        dispatcher.add(Block(4, 1))
        dispatcher.collect(0)
        assert [*pool.futures] == [Block(number, 1) for number in range(4)]
        assert not dispatcher.has_room()
        pool.futures[Block(0, 1)].set_result("done")
        assert dispatcher.collect(0) == ["done"]
        assert not dispatcher.has_room()
        dispatcher.collect(0)
        assert Block(4, 1) in pool.futures
    assert [each.cancelled() for each in pool.futures.values()] == [False] + [True] * 4


def test_a_failure_is_raised_after_all_answers_are_there():
    pool = Waiting()
    with Dispatcher(pool, 2, call) as dispatcher:
        for number in range(3):
            dispatcher.add(Block(number, 1))
        dispatcher.collect(0)
        pool.futures[Block(0, 1)].set_exception(KeyError("mine"))
        for number in (1, 2):
            pool.futures[Block(number, 1)].set_result(number)
        assert dispatcher.collect(0) == [1, 2]
        with pytest.raises(KeyError, match="mine"):
            dispatcher.collect(0)


def test_calls_that_the_executor_gives_up_are_told():
    pool = Waiting()
    with Dispatcher(pool, 1, call) as dispatcher:
        dispatcher.add(Block(0, 1))
        dispatcher.collect(0)
        pool.futures[Block(0, 1)].cancel()
        pool.futures[Block(0, 1)].set_running_or_notify_cancel()
        with pytest.raises(NoWorkers, match="the executor gave up: is its scheduler"):
            dispatcher.collect(0)


class KilledWorker(Exception):
    """What Dask raises, after several tries."""


def test_a_block_of_which_dask_says_that_it_kills_is_divided_at_once():
    pool = Waiting()
    with Dispatcher(pool, 1, call) as dispatcher:
        dispatcher.add(Block(4, 3))
        dispatcher.collect(0)
        pool.futures[Block(4, 3)].set_exception(KilledWorker())
        assert dispatcher.collect(0) == []
        assert list(dispatcher.suspects) == [Block(number, 1) for number in (4, 5, 6)]
        dispatcher.collect(0)
        pool.futures[GREETING].set_result((GREETING, True))
        dispatcher.collect(0)
        dispatcher.collect(0)
        pool.futures[Block(4, 1)].set_exception(KilledWorker())
        with pytest.raises(DeadlyUnit, match="unit 4 killed"):
            dispatcher.collect(0)


def test_a_greeting_of_which_dask_says_that_it_kills_ends_the_run():
    pool = Waiting()
    with Dispatcher(pool, 1, call) as dispatcher:
        dispatcher.add(GREETING)
        dispatcher.collect(0)
        pool.futures[GREETING].set_exception(KilledWorker())
        with pytest.raises(NoWorkers, match="workers die before they do anything"):
            dispatcher.collect(0)


def test_what_comes_of_blocks_after_the_end_is_taken_if_it_is_an_answer():
    pool = Waiting()
    with Dispatcher(pool, 2, call) as dispatcher:
        for number in range(4):
            dispatcher.add(Block(number, 1))
        dispatcher.collect(0)
        dispatcher.give_up_waiting()
        pool.futures[Block(0, 1)].set_exception(KeyError("mine"))
        pool.futures[Block(1, 1)].set_result(None)
        pool.futures[Block(2, 1)].set_result("late")
        pool.futures[Block(3, 1)].set_exception(BrokenProcessPool())
        assert dispatcher.collect(0) == ["late"]
        assert dispatcher.collect(0) == []
        assert dispatcher.is_idle()


def test_a_pool_has_two_seconds_to_notice_that_a_process_died(monkeypatch):
    module, now, killed = "paretoball.running.dispatcher", [100.0], []
    sound = [False]
    monkeypatch.setattr(f"{module}.monotonic", lambda: now[0])
    monkeypatch.setattr(f"{module}.is_sound", lambda _: sound[0])
    monkeypatch.setattr(f"{module}.kill_processes", killed.append)
    pool = Killers()
    with Dispatcher(pool, 1, call) as dispatcher:
        for seconds, is_sound, kills in [
            (101.9, False, 0),
            (102.0, True, 0),
            (103.9, False, 0),
            (104.1, False, 1),
        ]:
            now[0], sound[0] = seconds, is_sound
            dispatcher.collect(0)
            assert len(killed) == kills


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


@pytest.mark.long
@pytest.mark.parametrize("budget", [{"max_climbs": 60}, {"max_moves": 30_000}], ids=str)
def test_processes_find_what_one_thread_finds(processes, budget):
    alone = pb.solve(LARGER, seed=5, **budget)
    assert_same(alone, pb.solve(LARGER, seed=5, executor=processes, **budget))
    with ThreadPoolExecutor(3) as threads:
        together = pb.solve(LARGER, seed=5, executor=threads, workers=2, **budget)
    assert_same(alone, together)


class Counting(ProcessPoolExecutor):
    """A pool that counts how often jobs travel, and for how many requests."""

    def submit(self, function: Any, request: BlockRequest, job: Job | None) -> Future:
        self.jobs = getattr(self, "jobs", 0) + (job is not None)
        self.requests = getattr(self, "requests", 0) + 1
        return super().submit(function, request, job)


@pytest.mark.long
def test_a_job_travels_to_workers_and_not_with_requests(monkeypatch):
    monkeypatch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
    with Counting(2, SPAWN) as pool:
        pb.solve(LARGER, "multistart", max_climbs=100, executor=pool)
        assert pool.requests >= 100  # one for each climb
        assert 2 <= pool.jobs < 20  # a worker may say more than once that it lacks it
        request = BlockRequest("unknown run", Block(0, 1), None, 10**9, 10.0, False)
        assert pool.submit(run_block, request, None).result() is None


def test_a_time_limit_holds_for_processes(processes):
    pb.solve(LARGER, max_climbs=1, executor=processes)
    began = time.perf_counter()
    result = pb.solve(LARGER, time_limit=0.3, executor=processes)
    assert time.perf_counter() - began < LONG
    assert result.status == "time is up"
    assert_array_equal(LARGER.evaluate(result.X), result.F)


def test_a_run_on_processes_has_what_they_found_until_its_time_is_up(
    processes, monkeypatch
):
    """The clock stands still until then, so that no machine is too slow for it."""
    now = [0.0]

    def let_time_pass(state: Any) -> None:
        now[0] += 1e6 * (state.climbs > 5)

    monkeypatch.setattr(driver, "Budget", partial(Budget, clock=lambda: now[0]))
    monkeypatch.setattr("paretoball.running.progress.CALL_EVERY", 0.0)
    result = pb.solve(
        LARGER, time_limit=LONG, executor=processes, callback=let_time_pass
    )
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


@pytest.mark.long
def test_a_process_that_dies_as_it_answers_is_missed():
    calls = iter([die_in_mid_sentence])
    with (
        new_processes(2) as pool,
        Dispatcher(pool, 2, lambda *_: (next(calls, int),)) as dispatcher,
    ):
        for number in range(2):
            dispatcher.add(Block(number, 1))
        assert set(all_of(dispatcher)) == {0}


def test_a_run_on_processes_ends_when_it_is_interrupted(processes):
    def interrupt(state: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    began = time.perf_counter()
    how = {"time_limit": 10 * LONG, "on_interrupt": "return"}
    result = pb.solve(LARGER, **how, executor=processes, callback=interrupt)
    assert time.perf_counter() - began < LONG
    assert result.status == "interrupted"
    assert_array_equal(LARGER.evaluate(result.X), result.F)


@pytest.mark.parametrize("climbs", [0, 3])
def test_a_run_ends_within_two_seconds_of_a_signal_whatever_workers_do(
    monkeypatch, climbs
):
    """By a clock that moves on while the run waits for workers, and only then."""
    now, heard = [0.0], []

    class Sleepy(ThreadPoolExecutor):
        def submit(self, function: Any, request: Any, job: Job | None) -> Future:
            if request.block.end <= climbs:
                return super().submit(function, request, job)
            if not heard:
                heard.append(now[0])
                os.kill(os.getpid(), signal.SIGINT)
            return Future()  # nobody ever works on it

    def wait_in_no_time(futures: Any, seconds: float, when: str) -> Any:
        is_asleep = len(heard) and all(not each.running() for each in futures)
        now[0] += seconds
        return wait(futures, 0 if is_asleep else LONG, when)

    monkeypatch.setattr("paretoball.running.dispatcher.wait", wait_in_no_time)
    monkeypatch.setattr("paretoball.running.together.perf_counter", lambda: now[0])
    monkeypatch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
    with Sleepy(2) as pool:
        how = {"time_limit": 10 * LONG, "on_interrupt": "return"}
        result = pb.solve(SMALL, **how, seed=1, executor=pool)
    assert result.status == "interrupted"
    assert now[0] - heard[0] < 2
    assert_array_equal(SMALL.evaluate(result.X), result.F)


def test_a_request_for_part_of_a_run_gives_what_a_whole_run_has_of_it():
    whole = pb.solve(SMALL, seed=3, max_climbs=1)
    job = Job("part", SMALL, Options(**whole.config), np.empty((0, 60), np.uint8))
    asked, block = Options(**whole.config).asked(), Block(0, 1)
    plan = method_named("path").plan(SMALL, asked)
    plan.advance(pb.Archive(2), 0)
    request = BlockRequest("part", block, plan.tasks(block), 10**9, np.inf, True)
    result = run_block(request, job)
    assert result is not None
    rows = sorted(map(tuple, result.found.points.fx.tolist()))
    assert rows == [tuple(f) for f in whole.F.tolist()]
    assert result.done == Done(1, whole.moves, whole.moves)
