"""Processes: pools of them that leave Ctrl-C to their parent, and end with it."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from typing import Any

from paretoball.system import deaf_to_interrupts


class _WorkerProcess(SpawnProcess):
    """A process that starts from nothing, and leaves Ctrl-C to its parent."""

    def start(self) -> None:
        """Let the process begin."""
        with deaf_to_interrupts():
            super().start()


class _WorkerContext(SpawnContext):
    """What pools take their processes from."""

    Process = _WorkerProcess


@contextmanager
def new_processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes that leave Ctrl-C to their parent, and end with it."""
    pool = ProcessPoolExecutor(workers, _WorkerContext(), settle_in)
    try:
        yield pool
    finally:
        end_processes(pool)


def end_processes(pool: ProcessPoolExecutor) -> None:
    """End a pool now, whatever its processes are doing."""
    kill_processes(pool)
    pool.shutdown(wait=False, cancel_futures=True)


def kill_processes(pool: ProcessPoolExecutor) -> None:
    """Break a pool, even one that waits for an answer of a process that died."""
    for process in _processes_of(pool):
        process.kill()
    answers = getattr(pool, "_result_queue", None)
    if answers is not None:
        answers._writer.close()  # the last writer: now the pool reads the end


def _processes_of(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    """The processes of a pool, dead or alive."""
    return list((getattr(pool, "_processes", None) or {}).values())


def is_sound(pool: ProcessPoolExecutor) -> bool:
    """Whether no process of a pool has died; some may have ended after their tasks."""
    return all(process.exitcode in (None, 0) for process in _processes_of(pool))


def like(pool: ProcessPoolExecutor) -> ProcessPoolExecutor:
    """A new pool with the settings of another."""
    old: Any = pool
    return ProcessPoolExecutor(
        old._max_workers,
        old._mp_context,
        old._initializer,
        old._initargs,
        max_tasks_per_child=old._max_tasks_per_child,
    )


@cache
def settle_in() -> None:
    """In a worker process: leave Ctrl-C to its parent, and end when that has ended."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def outlive_nobody() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=outlive_nobody, daemon=True).start()
