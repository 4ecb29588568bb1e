"""Pools of processes: as they were asked for, and gone when they are not needed."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any

import pytest

from paretoball.running import process_pools
from paretoball.running.process_pools import (
    end_processes,
    kill_processes,
    like,
    new_processes,
    settle_in,
)

SETTINGS = (
    "_max_workers",
    "_mp_context",
    "_initializer",
    "_initargs",
    "_max_tasks_per_child",
)


@pytest.fixture
def interrupts() -> Iterator[Any]:
    """Who hears Ctrl-C; it is left as it was."""
    before = signal.getsignal(signal.SIGINT)
    yield before
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("tasks", [None, 7])
def test_a_pool_like_another_has_all_its_settings(tasks):
    spawn = get_context("spawn")
    pool = ProcessPoolExecutor(3, spawn, print, ("hello",), max_tasks_per_child=tasks)
    found = like(pool)
    assert found is not pool
    for name in SETTINGS:
        assert getattr(found, name) == getattr(pool, name)


def test_new_processes_settle_in_and_take_no_work_after_the_block():
    for workers in (1, 3):
        pool: Any
        with new_processes(workers) as pool:
            assert (pool._max_workers, pool._initializer) == (workers, settle_in)
            assert pool._mp_context.Process is process_pools._WorkerProcess
        with pytest.raises(RuntimeError, match="shutdown"):
            pool.submit(int)


def with_processes(count: int) -> tuple[Any, list[str]]:
    """A pool of processes that are none, and what is done to it."""
    done: list[str] = []
    pool: Any = ProcessPoolExecutor(count, get_context("spawn"))
    each = SimpleNamespace(kill=lambda: done.append("kill"))
    pool._processes = dict.fromkeys(range(count), each)
    writer = SimpleNamespace(close=lambda: done.append("close"))
    pool._result_queue = SimpleNamespace(_writer=writer)
    pool.shutdown = lambda wait, cancel_futures: done.append(
        f"shutdown {wait} {cancel_futures}"
    )
    return pool, done


def test_every_process_of_a_pool_is_killed_and_nobody_waits():
    pool, done = with_processes(3)
    kill_processes(pool)
    assert done == ["kill"] * 3 + ["close"]
    pool, done = with_processes(2)
    end_processes(pool)
    assert done == ["kill", "kill", "close", "shutdown False True"]
    pool._processes = pool._result_queue = None  # it has ended before
    kill_processes(pool)


@pytest.mark.parametrize("is_main", [True, False])
def test_a_worker_leaves_control_c_to_its_parent_and_ends_after_it(
    monkeypatch, interrupts, is_main
):
    ended, code = threading.Event(), []
    gone = threading.Event()

    def end(number: int) -> None:
        code.append(number)
        gone.set()

    parent = SimpleNamespace(join=ended.wait)
    monkeypatch.setattr(process_pools.multiprocessing, "parent_process", lambda: parent)
    monkeypatch.setattr(process_pools.os, "_exit", end)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if is_main:
        settle_in.__wrapped__()
    else:
        thread = threading.Thread(target=settle_in.__wrapped__)
        thread.start()
        thread.join()
    assert (signal.getsignal(signal.SIGINT) is signal.SIG_IGN) == is_main
    assert not code
    ended.set()
    gone.wait()
    assert code == [1]


def test_a_program_that_is_no_worker_hears_control_c(monkeypatch, interrupts):
    monkeypatch.setattr(process_pools.multiprocessing, "parent_process", lambda: None)
    threads = threading.active_count()
    settle_in.__wrapped__()
    assert signal.getsignal(signal.SIGINT) is interrupts
    assert threading.active_count() == threads
