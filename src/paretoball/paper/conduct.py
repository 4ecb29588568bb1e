"""Conducting a campaign: its runs on worker processes, one row after the other.

Workers are processes, so that runs neither wait for each other nor disturb each other's
times. Only the conductor writes rows. Ctrl-C and SIGTERM stop the runs under way, which
are made again next time; workers whose conductor was killed stop by themselves.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from paretoball._jit import announced
from paretoball.climber import Climber
from paretoball.paper.folder import Campaign, Row
from paretoball.paper.plan import Plan, Trial
from paretoball.paper.trial import run_trial, start_seconds
from paretoball.problems import mnk_java
from paretoball.search.budget import stopping_on_signals
from paretoball.search.warm_up import COMPILING, warm_up

LOOK_EVERY = 0.2  # seconds
PLAIN_EVERY = 10.0  # seconds between lines where there is no terminal

_stop: Any = None  # in a worker: the conductor's wish that it stop


def conduct(campaign: Campaign, workers: int, shown: bool) -> str | None:
    """Make the runs that are left; why it ended early, or None if all are finished."""
    campaign.write_plan()
    with campaign.locked():
        campaign.read_rows()
        campaign.tidy()
        left = campaign.to_do()
        if left:
            with Display(campaign, workers, shown) as display:
                compile_for(campaign.plan, display.say)
                display.restart()
                stopped = run_all(campaign, left, min(workers, len(left)), display)
            campaign.tidy()
            return stopped
    return None


def compile_for(plan: Plan, say: Callable[[str], None]) -> None:
    """Compile what the workers will load, rather than each of them the same."""
    with announced(lambda: say(COMPILING)):
        for d in plan.d:
            tiny = mnk_java(n=8, K=1, d=d, q=plan.q, pseed=plan.pseed)
            warm_up(tiny, radius=2)
            start_seconds(Climber(tiny, radius=2))


def run_all(
    campaign: Campaign, left: list[Trial], workers: int, display: "Display"
) -> str | None:
    """Hand the trials to workers, and write a row for each that comes back."""
    stopped: list[str] = []
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    with (
        stopping_on_signals(stopped.append),
        ProcessPoolExecutor(workers, context, prepare_worker, (stop,)) as pool,
    ):
        try:
            with unheard():
                futures = {
                    pool.submit(work, campaign.plan, trial, campaign.front(trial.run))
                    for trial in left
                }
            while futures and not stopped:
                done, futures = wait(futures, LOOK_EVERY, FIRST_COMPLETED)
                for row in sorted(filter(None, (each.result() for each in done))):
                    campaign.append(row)
                    display.finished(row)
                display.tick()
        except BrokenProcessPool:
            raise OSError(
                "a worker process died; finished runs are kept, "
                "and the same command goes on with the others"
            ) from None
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
    return stopped[0] if stopped else None


@contextmanager
def unheard() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C; it is the conductor who tells them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def prepare_worker(stop: Any) -> None:
    """Runs once in each worker: see that it ends with its conductor, even if killed."""
    global _stop
    _stop = stop
    threading.Thread(target=outlive_nobody, daemon=True).start()


def outlive_nobody() -> None:
    """Wait until the conductor is no more, then leave."""
    conductor = multiprocessing.parent_process()
    if conductor is not None:
        conductor.join()
        os._exit(1)


def work(plan: Plan, trial: Trial, front: Path) -> Row | None:
    """One trial, in a worker."""
    return None if _stop.is_set() else run_trial(plan, trial, front, _stop.is_set)


class Display:
    """How far a campaign is, on standard error."""

    def __init__(self, campaign: Campaign, workers: int, shown: bool):
        self.campaign = campaign
        self.workers = workers
        self.all = len(campaign.plan.trials())
        self.done_before = len(campaign.rows)
        self.began = self.last_row = self.last_line = monotonic()
        self.latest = ""
        self.shown = shown
        self.bar: Any = None

    def __enter__(self) -> "Display":
        if self.shown and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            self.bar = Progress(
                BarColumn(bar_width=16),
                TextColumn("{task.description}"),
                console=Console(stderr=True),
            )
            self.bar.start()
            self.task = self.bar.add_task(self._line(), total=self.all)
        return self

    def restart(self) -> None:
        """Leave out what was before."""
        self.began = self.last_row = monotonic()

    def say(self, text: str) -> None:
        """Show something else for a while."""
        if self.bar is not None:
            self.bar.update(self.task, description=text)
        elif self.shown:
            print(text, file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.tick()
            self.bar.stop()

    def finished(self, row: Row) -> None:
        """A run is finished."""
        self.last_row = monotonic()
        self.latest = (
            f"; n = {row.n:,}, d = {row.d}, r = {row.radius}: "
            f"{row.us_per_move:.3g} µs a move"
        )

    def tick(self) -> None:
        """Show it, if it is time to."""
        if self.bar is not None:
            done = len(self.campaign.rows)
            self.bar.update(self.task, completed=done, description=self._line())
        elif self.shown and monotonic() - self.last_line > PLAIN_EVERY:
            self.last_line = monotonic()
            print(self._line(), file=sys.stderr, flush=True)

    def _line(self) -> str:
        done = len(self.campaign.rows)
        left = self._seconds_left(done)
        tail = "" if left is None else f", about {in_words(left)} left"
        gone = in_words(monotonic() - self.began)
        return f"{done:,} of {self.all:,} runs{tail}, {gone} gone{self.latest}"

    def _seconds_left(self, done: int) -> float | None:
        """By what finished runs took on average, or by the plan until there is one."""
        fresh = done - self.done_before
        if fresh:
            seconds = (self.last_row - self.began) / fresh
        elif self.campaign.plan.time is not None:
            seconds = self.campaign.plan.time / self.workers
        else:
            return None
        since = monotonic() - self.last_row
        return max(0.0, seconds * (self.all - done) - since)


def outlook(campaign: Campaign, workers: int) -> Iterator[str]:
    """How many runs and hours a campaign takes."""
    plan, left = campaign.plan, len(campaign.to_do())
    trials = len(plan.trials())
    budget = {"s": plan.time, "climbs": plan.climbs, "moves": plan.moves}
    each = ", ".join(f"{limit:,g} {unit}" for unit, limit in budget.items() if limit)
    yield f"{campaign.folder}: {trials:,} runs of {each}, {trials - left:,} finished"
    processes = "one process" if workers == 1 else f"{workers} processes"
    if plan.time is None:
        yield "how long they take cannot be told from this budget"
    else:
        at_most = "at most " if plan.climbs or plan.moves else ""
        hours = left * plan.time / workers / 3600
        yield f"{left:,} to go: {at_most}{hours:,.2f} hours with {processes}"


def in_words(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} hours"
