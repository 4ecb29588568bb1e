"""Conducting a campaign: its runs on workers, one row after the other.

Workers are processes, so that runs neither wait for each other nor disturb each other's
times, or those of an executor. A run whose worker died is made again. Only the
conductor writes: what a run found, then its row. Ctrl-C and SIGTERM give up the runs
under way, which are made again next time.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from math import ceil
from time import monotonic
from typing import Any

from paretoball._jit import announced
from paretoball.climber import Climber
from paretoball.paper.folder import Campaign, Row
from paretoball.paper.plan import Plan, Trial
from paretoball.paper.trial import run_trial, start_seconds
from paretoball.problems import mnk_java
from paretoball.search.crew import Crew, DeadlyUnit, NoWorkers, Unit
from paretoball.search.driver import checked_workers
from paretoball.search.multistart import MultiStart
from paretoball.search.processes import new_processes
from paretoball.search.warm_up import warm_up
from paretoball.signals import nothing_to_lose, stopping_on_signals

LOOK_EVERY = 0.2  # seconds
PLAIN_EVERY = 10.0  # seconds between lines where there is no terminal

Made = tuple[Row, bytes]  # a run: its row, and the content of its front's file


def conduct(
    campaign: Campaign,
    workers: int | None,
    shown: bool,
    executor: Executor | None = None,
) -> str | None:
    """Make the runs that are left; why it ended early, or None if all are finished."""
    workers = checked_workers(workers, executor)
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
            pool = new_processes(workers) if executor is None else nullcontext(executor)
            with pool as means:
                run_all(campaign, workers, means, display, stopped)
        campaign.tidy()
    return stopped[0] if stopped and campaign.to_do() else None


def compile_for(plan: Plan, say: Callable[[str], None]) -> None:
    """Compile what the workers will load, rather than each of them the same."""
    with announced(say), nothing_to_lose():
        for d in plan.d:
            tiny = mnk_java(n=8, K=1, d=d, q=plan.q, pseed=plan.pseed)
            warm_up(tiny, 2, MultiStart)
            start_seconds(Climber(tiny, radius=2))


def run_all(
    campaign: Campaign,
    workers: int,
    executor: Executor,
    display: "Display",
    stopped: list[str],
) -> None:
    """Have the trials run, and write a row for each, until `stopped` has a word.

    Whatever ends it, rows of runs that were finished by then are written.
    """
    trials = {trial.run: trial for trial in campaign.to_do()}

    def call(unit: Unit, _: bool) -> tuple:
        return (work, campaign.plan, trials[unit.first]) if unit.size else (bool,)

    def keep(finished: Iterable[Made | bool]) -> None:
        for each in finished:
            if isinstance(each, tuple):  # and not the answer to a greeting
                campaign.keep(*each)
                display.finished(each[0])

    with Crew(executor, workers, call, ahead=1) as crew:
        for run in trials:
            crew.add(Unit(run))
        try:
            while not (stopped or crew.is_idle()):
                keep(crew.collect(LOOK_EVERY))
                display.tick()
        except DeadlyUnit as error:
            case = case_of(trials[error.number])
            stopped.append(f"run {error.number} ({case}) kills its worker each time")
        except NoWorkers as error:
            stopped.append(str(error))
        finally:
            crew.give_up_waiting()
            keep(crew.collect(0))


def work(plan: Plan, trial: Trial) -> Made | None:
    """One trial, in a worker; what goes wrong is told with its case."""
    try:
        return run_trial(plan, trial)
    except (ValueError, OverflowError, MemoryError) as error:
        kind = MemoryError if isinstance(error, MemoryError) else ValueError
        raise kind(f"{case_of(trial)}: {error}") from None


def case_of(run: Trial | Row) -> str:
    """What a run has in common with its repetitions, in words."""
    return f"n = {run.n:,}, d = {run.d}, r = {run.radius}"


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
        self.latest = f"; {case_of(row)}: {row.us_per_move:.3g} µs a move"

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
