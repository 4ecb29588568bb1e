"""Conducting a campaign: its runs on workers, one row after the other.

Workers are processes, or those of an executor: in threads, runs would wait for each
other and disturb each other's times. A run whose worker died is made again. Only the
process that conducts the campaign writes files: what a run found, then its row. Ctrl-C
and SIGTERM give up the runs under way; the next start makes them again.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from math import ceil
from time import monotonic

from paretoball._jit import announced
from paretoball.climber import Climber
from paretoball.paper.folder import Campaign, Row
from paretoball.paper.plan import Plan, Trial
from paretoball.paper.trial import METHOD, landscape_of, run_trial, start_seconds
from paretoball.problems import mnk_java
from paretoball.running import (
    DeadlyUnit,
    Dispatcher,
    NoWorkers,
    checked_workers,
    compile_search,
    new_processes,
)
from paretoball.search import Block
from paretoball.system import Display, counted, leaving_at_once, stopping_on_signals

LOOK_EVERY = 0.2  # seconds

Made = tuple[Row, bytes]  # a run: its row, and the content of its front's file


def conduct(
    campaign: Campaign,
    workers: int | None,
    shown: bool,
    executor: Executor | None = None,
) -> str | None:
    """Make the runs that are left; returns why it ended early, or None."""
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
        with Display(shown) as display:
            _compile_for(campaign.plan, display)
            display.restart()
            forecast = _Forecast(campaign, workers, display)
            pool = new_processes(workers) if executor is None else nullcontext(executor)
            with pool as means:
                _run_all(campaign, workers, means, forecast, stopped)
        campaign.tidy()
    return stopped[0] if stopped and campaign.to_do() else None


def _compile_for(plan: Plan, display: Display) -> None:
    """Compile once, here; the workers load the compiled kernels."""
    with announced(display.announce), leaving_at_once():
        for d in plan.d:
            smallest = landscape_of(plan, min(plan.n), d)
            for radius in plan.radius:
                compile_search(smallest, radius, METHOD, plan.selection)
            tiny = mnk_java(n=8, K=1, d=d, q=plan.q, pseed=plan.pseed)
            start_seconds(Climber(tiny, radius=2))


def _run_all(
    campaign: Campaign,
    workers: int,
    executor: Executor,
    forecast: "_Forecast",
    stopped: list[str],
) -> None:
    """Run the trials, and write a row for each, until `stopped` has a reason.

    However it ends, the rows of all runs that are finished by then are written.
    """
    trials = {trial.run: trial for trial in campaign.to_do()}

    def call(block: Block, _: bool) -> tuple:
        is_greeting = block.size == 0
        return (bool,) if is_greeting else (_work, campaign.plan, trials[block.first])

    def keep(finished: Iterable[Made | bool]) -> None:
        for each in finished:
            if isinstance(each, tuple):  # and not the answer to a greeting
                campaign.keep(*each)
                forecast.finished(each[0])

    with Dispatcher(executor, workers, call, ahead=1) as dispatcher:
        for run in trials:
            dispatcher.add(Block(run, 1))
        try:
            while not (stopped or dispatcher.is_idle()):
                keep(dispatcher.collect(LOOK_EVERY))
                forecast.tell()
        except DeadlyUnit as error:
            case = _case_of(trials[error.number])
            stopped.append(f"run {error.number} ({case}) kills its worker each time")
        except NoWorkers as error:
            stopped.append(str(error))
        finally:
            dispatcher.give_up_waiting()
            keep(dispatcher.collect(0))


def _work(plan: Plan, trial: Trial) -> Made | None:
    """One trial, in a worker; an error message begins with the case."""
    try:
        return run_trial(plan, trial)
    except (ValueError, OverflowError, MemoryError) as error:
        kind = MemoryError if isinstance(error, MemoryError) else ValueError
        raise kind(f"{_case_of(trial)}: {error}") from None


def _case_of(run: Trial | Row) -> str:
    """What a run has in common with its repetitions, in words."""
    return f"n = {run.n:,}, d = {run.d}, r = {run.radius}"


class _Forecast:
    """How far a campaign is, and how long it will still take."""

    def __init__(self, campaign: Campaign, workers: int, display: Display):
        self.campaign = campaign
        self.workers = workers
        self.display = display
        self.done_before = len(campaign.rows)
        self.began = self.last_row = monotonic()
        self.latest = ""

    def finished(self, row: Row) -> None:
        """A run is finished."""
        self.last_row = monotonic()
        self.latest = f"; {_case_of(row)}: {row.us_per_move:.3g} µs a move"

    def tell(self) -> None:
        """Show it, if it is time to."""
        self.display.tell(self._line, len(self.campaign.rows) / self.campaign.plan.size)

    def _line(self) -> str:
        done, size = len(self.campaign.rows), self.campaign.plan.size
        left = self._seconds_left(done)
        tail = "" if left is None else f", about {_readable_time(left)} left"
        gone = _readable_time(monotonic() - self.began)
        return f"{done:,} of {counted(size, 'run')}{tail}, {gone} gone{self.latest}"

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
        return max(0.0, seconds * (self.campaign.plan.size - done) - since)


def outlook(campaign: Campaign, workers: int) -> Iterator[str]:
    """How many runs and hours a campaign takes."""
    plan, done = campaign.plan, len(campaign.rows)
    limits = {"climb": plan.climbs, "move": plan.moves}
    given = [] if plan.time is None else [f"{plan.time:,.10g} s"]
    given += [counted(limit, unit) for unit, limit in limits.items() if limit]
    runs, budget = counted(plan.size, "run"), " or ".join(given)
    yield f"{campaign.folder}: {runs} of {budget}, {done:,} finished"
    if plan.time is None:
        yield "a budget without --time does not say how long they take"
        return
    hours = ceil((plan.size - done) / workers) * plan.time / 3600
    processes = "one process" if workers == 1 else f"{workers} processes"
    yield f"{plan.size - done:,} to go: {hours:,.2f} hours with {processes}, at most"


def _readable_time(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} hours"
