"""Faults of workers: killed from outside, or by the climb they run."""

import multiprocessing
import os
import random
import signal
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from disturbed import LATE, LONG, Case, Tally, fingerprint, tally, undisturbed

import paretoball as pb
from paretoball.running.checkpoint import read_checkpoint
from paretoball.running.dask_cluster import dask_executor
from paretoball.running.process_pools import is_sound, kill_processes
from paretoball.running.run import Run
from paretoball.search.method import Block, Done

DEADLY = 17  # the climb that kills its worker


@contextmanager
def noting_merges(event: threading.Event) -> Iterator[list[int]]:
    """Note every climb that is merged into a run; the last one waits for the event."""
    merged: list[int] = []
    right = Run.account

    def account(self: Run, block: Block, done: Done) -> None:
        merged.extend(range(block.first, block.first + done.units))
        if len(merged) >= self.budget.max_units:
            event.wait(LATE)
        right(self, block, done)

    with patch.object(Run, "account", account):
        yield merged


def processes(workers: int, *initializer: Any) -> ProcessPoolExecutor:
    """A pool of processes that start from nothing."""
    context = multiprocessing.get_context("spawn")
    first, *arguments = initializer or (None,)
    return ProcessPoolExecutor(workers, context, first, tuple(arguments))


EXECUTORS: dict[str, Callable[[int], AbstractContextManager[Executor]]] = {
    "threads": ThreadPoolExecutor,
    "processes": processes,
    "dask": partial(dask_executor, "local"),
}


def child_pids() -> list[int]:
    """The workers of pools of processes, whichever pools there are."""
    return [child.pid for child in multiprocessing.active_children() if child.pid]


def kill_workers(
    number: int,
    how: str = "processes",
    pids: Callable[[], list[int]] = child_pids,
    case: Case = LONG[1],
    kills: int = 1 << 20,
    pause: tuple[float, float] = (0.0, 2.0),
    killed: list[int] | None = None,
) -> Tally:
    """Kill workers while a run goes on: every climb counts once, and none is lost.

    The first kill comes after the first climb: workers that die before are no workers.
    It comes before the last one, however fast the machine is.

    Parameters
    ----------
    how
        Whether they are of a pool of processes, or of Dask.
    pids
        Tells the workers that live.
    kills
        At most.
    pause
        Seconds to wait before each kill, at least and at most.
    killed
        Where to note those killed.
    """
    rng = random.Random(number)
    struck, is_over = threading.Event(), threading.Event()
    killed = [] if killed is None else killed
    before = len(killed)

    def strike() -> None:
        mercy = 1.0  # how likely it is to wait for the next climbs before a kill
        while len(killed) < before + kills and not is_over.is_set():
            done = len(merged)
            if rng.random() < mercy:
                while len(merged) == done and not is_over.wait(0.01):
                    pass
            mercy = 0.7
            if not is_over.wait(rng.uniform(*pause)) and (alive := pids()):
                killed.append(rng.choice(sorted(alive)))
                with suppress(ProcessLookupError):  # it is dead already
                    os.kill(killed[-1], signal.SIGKILL)
            struck.set()

    killer = threading.Thread(target=strike)
    wrong = []
    with EXECUTORS[how](2) as pool, noting_merges(struck) as merged:
        try:
            killer.start()
            result = pb.solve(case.landscape(), executor=pool, **case.how())
        finally:
            is_over.set()
            killer.join()
            if isinstance(pool, ProcessPoolExecutor) and not is_sound(pool):
                kill_processes(pool)  # killed after the run: Python might wait for ever
    if result.failed:
        wrong.append(f"the run ended as {result.status!r}")
    elif fingerprint(result) != undisturbed(case):
        wrong.append("the archive is not that of an undisturbed run")
    if not result.failed and merged != list(range(result.climbs)):
        twice = [climb for climb, times in Counter(merged).items() if times > 1]
        wrong.append(f"climbs merged twice: {twice}; all in order: {len(merged)}")
    where = f"kill_workers({number}, {how!r})"
    return tally(
        ["kill"] * (len(killed) - before), [f"{where}: {each}" for each in wrong]
    )


def die_at(climb: int) -> None:
    """Let this worker die whenever it is to run some climb."""
    from paretoball.running.worker import BlockRequest, _Bench

    right = _Bench.run

    def run(self: _Bench, request: BlockRequest) -> Any:
        if request.block.first <= climb < request.block.end:
            os._exit(1)
        return right(self, request)

    _Bench.run = run  # type: ignore[method-assign]


def deadly_unit(workers: int) -> Tally:
    """A climb that always kills its worker ends the run; all before it are kept."""
    case = Case(300, "max_climbs", 200)
    wrong = []
    with (
        tempfile.TemporaryDirectory() as name,
        processes(workers, die_at, DEADLY) as pool,
    ):
        path = Path(name, "run.npz")
        result = pb.solve(
            case.landscape(), **case.how(), executor=pool, checkpoint=path
        )
        saved = read_checkpoint(path)
        if not result.failed or f"unit {DEADLY} " not in result.status:
            wrong.append(f"the run ended as {result.status!r}")
        if saved.units != DEADLY:
            wrong.append(f"{saved.units} climbs are saved")
        pb.resume(path, max_climbs=DEADLY + 1)
        done = pb.resume(path, max_climbs=case.limit)
        if fingerprint(done) != undisturbed(case):
            wrong.append("resumed, it ends with another archive")
    where = f"deadly_unit({workers})"
    return tally(["unit"], [f"{where}: {each}" for each in wrong])


def same_archive(case: Case, how: str, workers: int) -> Tally:
    """Run by so many workers of a kind: the archive is that of one thread."""
    if how == "workers":
        result = pb.solve(case.landscape(), workers=workers, **case.how())
    else:
        with EXECUTORS[how](workers) as pool:
            result = pb.solve(case.landscape(), executor=pool, **case.how())
    where = f"same_archive({case}, {how!r}, {workers})"
    is_same = fingerprint(result) == undisturbed(case)
    return tally([how], [] if is_same else [f"{where}: another archive"])
