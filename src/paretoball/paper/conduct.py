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
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any

from paretoball._jit import announced
from paretoball.climber import Climber
from paretoball.paper.folder import Campaign, Row
from paretoball.paper.plan import Plan, Trial
from paretoball.paper.trial import run_trial, start_seconds
from paretoball.problems import mnk_java
from paretoball.search.warm_up import warm_up
from paretoball.signals import stopping_on_signals

LOOK_EVERY = 0.2  # seconds
PLAIN_EVERY = 10.0  # seconds between lines where there is no terminal

_stop: Any = None  # in a worker: the conductor's wish that it stop


def conduct(campaign: Campaign, workers: int, shown: bool) -> str | None:
    """Make the runs that are left; why it ended early, or None if all are finished."""
    if not campaign.to_do():
        return None
    stopped: list[str] = []
    with campaign.locked(), stopping_on_signals(stopped.append):
        campaign.check_folder()
        campaign.write_plan()
        campaign.read_rows()
        campaign.tidy()
        workers = min(workers, max(1, len(campaign.to_do())))
        with Display(campaign, workers, shown) as display:
            compile_for(campaign.plan, display.say)
            display.restart()
            if not stopped:
                run_all(campaign, workers, display, stopped)
        campaign.tidy()
    return stopped[0] if stopped and campaign.to_do() else None


def compile_for(plan: Plan, say: Callable[[str], None]) -> None:
    """Compile what the workers will load, rather than each of them the same."""
    with announced(say):
        for d in plan.d:
            tiny = mnk_java(n=8, K=1, d=d, q=plan.q, pseed=plan.pseed)
            warm_up(tiny, radius=2)
            start_seconds(Climber(tiny, radius=2))


def run_all(
    campaign: Campaign, workers: int, display: "Display", stopped: list[str]
) -> None:
    """Hand the trials to workers, and write a row for each, until `stopped` has a word.

    Whatever ends it, rows of runs that were finished by then are written.
    """
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    futures: set[Future[Row | None]] = set()
    with ProcessPoolExecutor(workers, context, prepare_worker, (stop,)) as pool:
        try:
            for trial in campaign.to_do():
                with unheard():  # the first one starts the workers
                    front = campaign.front(trial.run)
                    futures.add(pool.submit(work, campaign.plan, trial, front))
            while futures and not stopped:
                done, futures = wait(futures, LOOK_EVERY, FIRST_COMPLETED)
                keep_finished(done, campaign, display)
                for future in done:
                    future.result()  # raises what the run has raised
                display.tick()
        except BrokenProcessPool:
            if not stopped:
                raise OSError(
                    "a worker process died; finished runs are kept, "
                    "and the same command goes on with the others"
                ) from None
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            keep_finished(futures, campaign, display)


def keep_finished(
    futures: "set[Future[Row | None]]", campaign: Campaign, display: "Display"
) -> None:
    """Write the rows of runs that were finished, in the order of their numbers."""
    ended = [each for each in futures if each.done() and not each.cancelled()]
    rows = [each.result() for each in ended if each.exception() is None]
    for row in sorted(filter(None, rows)):
        campaign.append(row)
        display.finished(row)


@contextmanager
def unheard() -> Iterator[None]:
    """Processes started here leave Ctrl-C to the conductor."""
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
    """One trial, in a worker; what goes wrong is told with its case."""
    if _stop.is_set():
        return None
    try:
        return run_trial(plan, trial, front, _stop.is_set)
    except (ValueError, OverflowError, MemoryError) as error:
        case = f"n = {trial.n:,}, d = {trial.d}, r = {trial.radius}"
        raise type(error)(f"{case}: {error}") from None


class Display:
    """How far a campaign is, on standard error."""

    def __init__(self, campaign: Campaign, workers: int, shown: bool):
        self.campaign = campaign
        self.workers = workers
        self.all = campaign.plan.size
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
        tail = "" if left is None else f", about {readable_time(left)} left"
        gone = readable_time(monotonic() - self.began)
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
    plan, done = campaign.plan, len(campaign.rows)
    limits = {"s": plan.time, "climbs": plan.climbs, "moves": plan.moves}
    given = [f"{limit:,.10g} {unit}" for unit, limit in limits.items() if limit]
    budget = " or ".join(given)
    yield f"{campaign.folder}: {plan.size:,} runs of {budget}, {done:,} finished"
    if plan.time is None:
        yield "how long they take cannot be told from this budget"
        return
    hours = ceil((plan.size - done) / workers) * plan.time / 3600
    processes = "one process" if workers == 1 else f"{workers} processes"
    yield f"{plan.size - done:,} to go: {hours:,.2f} hours with {processes}, at most"


def readable_time(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} hours"
