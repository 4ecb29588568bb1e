"""Conducting: nothing that was finished is lost, and going on changes no result."""

import os
import random
import signal
import sys
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from campaigns import (
    LONGER,
    SMALL,
    conducted,
    copied,
    fronts,
    is_alive,
    needs_proc,
    rows_of,
    started,
    untimed,
    wait_until,
    workers_of,
)
from command_line import PATIENCE
from paretoball.cli.main import main
from paretoball.paper.conduct import _Forecast, _readable_time, conduct, outlook
from paretoball.paper.folder import ROWS, Campaign, Row
from paretoball.paper.plan import RUNTIME, Trial
from paretoball.paper.trial import run_trial
from paretoball.system import Display

LONG = pytest.mark.long


def test_as_many_workers_are_started_as_there_are_runs_at_most(tmp_path, monkeypatch):
    asked: list[int] = []

    def threads(workers: int) -> ThreadPoolExecutor:
        asked.append(workers)
        return ThreadPoolExecutor(workers)

    module = import_module("paretoball.paper.conduct")
    monkeypatch.setattr(module, "new_processes", threads)
    sizes = "--n 20 --d 2 --radius 1 --runs 3 --climbs 2 --quiet"
    for workers in (2, 3, 9):
        command = ["paper", "runtime", *sizes.split(), "--workers", str(workers)]
        assert main([*command, "-o", str(tmp_path / str(workers))]) == 0
    assert asked == [2, 3, 3]


def unfinished(folder: Path, done: int = 0, **plan: Any) -> Campaign:
    """A campaign of one case, of which some runs are finished, but nothing on disk."""
    one = {"n": (60,), "d": (2,), "radius": (1,)}
    campaign = Campaign(folder, replace(RUNTIME, **one | plan))
    for trial in campaign.plan.trials()[:done]:
        campaign.rows[trial.run] = row_of(trial)
    return campaign


def row_of(trial: Trial) -> Row:
    """The row of a run that took 3 seconds and 2,000,000 moves."""
    row = Row(*trial, *[0] * (len(Row._fields) - len(trial)))
    return row._replace(seconds=3.0, moves=2_000_000)


@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_the_outlook_is_that_of_runs_side_by_side(tmp_path, workers):
    for size, done in ((1, 0), (7, 0), (7, 1), (7, 6), (7, 7), (30, 1)):
        campaign = unfinished(tmp_path, done, runs=size, time=5400.0)
        left, hours = size - done, 0.0
        while left > 0:
            left, hours = left - workers, hours + 1.5
        processes = "one process" if workers == 1 else f"{workers} processes"
        runs = "1 run" if size == 1 else f"{size} runs"
        assert list(outlook(campaign, workers)) == [
            f"{tmp_path}: {runs} of 5,400 s, {done} finished",
            f"{size - done} to go: {hours:.2f} hours with {processes}, at most",
        ]


def test_the_outlook_tells_every_budget(tmp_path):
    campaign = unfinished(tmp_path, runs=4, time=90.0, climbs=1, moves=2_000)
    assert list(outlook(campaign, 3)) == [
        f"{tmp_path}: 4 runs of 90 s or 1 climb or 2,000 moves, 0 finished",
        "4 to go: 0.05 hours with 3 processes, at most",
    ]
    campaign = unfinished(tmp_path, runs=4, time=None, climbs=5)
    assert list(outlook(campaign, 3)) == [
        f"{tmp_path}: 4 runs of 5 climbs, 0 finished",
        "a budget without --time does not say how long they take",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (99.4, "99 s"),
        (100, "2 min"),
        (600, "10 min"),
        (5_999, "100 min"),
        (6_000, "1.7 hours"),
        (86_400, "24.0 hours"),
    ],
)
def test_times_are_told_as_people_say_them(seconds, words):
    assert _readable_time(seconds) == words


class Shown(Display):
    """A display that keeps every line and share."""

    def __init__(self) -> None:
        super().__init__(False)
        self.last: tuple[str, float | None] = ("", None)

    def tell(self, line: Any, share: float | None = None) -> None:
        self.last = (line(), share)


def test_the_forecast_is_by_the_plan_and_then_by_what_runs_took(tmp_path, monkeypatch):
    now = [1_000.0]
    module = import_module("paretoball.paper.conduct")
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    campaign, display = unfinished(tmp_path, 1, runs=11, time=8.0), Shown()
    forecast = _Forecast(campaign, 2, display)

    def told_after(seconds: float) -> tuple[str, float | None]:
        now[0] = 1_000.0 + seconds
        forecast.tell()
        return display.last

    assert told_after(0) == ("1 of 11 runs, about 40 s left, 0 s gone", 1 / 11)
    assert told_after(10) == ("1 of 11 runs, about 30 s left, 10 s gone", 1 / 11)
    for trial, seconds in zip(campaign.to_do()[:2], (11, 14)):
        now[0] = 1_000.0 + seconds
        campaign.rows[trial.run] = row_of(trial)
        forecast.finished(row_of(trial))
    latest = "; n = 60, d = 2, r = 1: 1.5 µs a move"
    left = "3 of 11 runs, about 56 s left, 14 s gone"  # eight runs of seven seconds
    assert told_after(14) == (left + latest, 3 / 11)
    left = "3 of 11 runs, about 50 s left, 20 s gone"
    assert told_after(20) == (left + latest, 3 / 11)
    left = "3 of 11 runs, about 0 s left, 2 min gone"
    assert told_after(110) == (left + latest, 3 / 11)


def test_without_a_time_there_is_no_forecast_before_the_first_run(tmp_path):
    campaign, display = unfinished(tmp_path, runs=4, time=None, climbs=5), Shown()
    _Forecast(campaign, 2, display).tell()
    assert display.last == ("0 of 4 runs, 0 s gone", 0.0)


@pytest.mark.parametrize("left", [0, 1])
def test_a_signal_after_the_last_run_is_no_reason_to_go_on(tmp_path, monkeypatch, left):
    def run_all(campaign: Campaign, *means: Any) -> None:
        for trial in campaign.to_do()[left:]:
            campaign.append(row_of(trial))
        means[-1].append("terminated")

    module = import_module("paretoball.paper.conduct")
    monkeypatch.setattr(module, "_run_all", run_all)
    monkeypatch.setattr(module, "_compile_for", lambda *_: None)
    campaign = unfinished(tmp_path / "new", runs=3)
    with ThreadPoolExecutor(1) as pool:
        why = module.conduct(campaign, None, False, pool)
    assert why == ("terminated" if left else None)
    assert len(Campaign.open(tmp_path / "new").rows) == 3 - left


def counted_runs(monkeypatch) -> list[int]:
    """How many runs are left, each time that runs are made; none of them is made."""
    asked: list[int] = []

    def run_all(campaign: Campaign, *_: Any) -> None:
        asked.append(len(campaign.to_do()))

    module = import_module("paretoball.paper.conduct")
    monkeypatch.setattr(module, "_run_all", run_all)
    monkeypatch.setattr(module, "_compile_for", lambda *_: None)
    monkeypatch.setattr(module, "new_processes", ThreadPoolExecutor)
    return asked


@pytest.mark.parametrize("done", [0, 3, 8])
def test_what_others_finished_meanwhile_is_not_done_again(
    runtime, tmp_path, monkeypatch, done
):
    asked = counted_runs(monkeypatch)
    lines = (runtime / ROWS).read_text().splitlines(keepends=True)
    folder = copied(runtime, tmp_path / "new", "".join(lines[: done + 1]))
    campaign = Campaign(folder, Campaign.open(runtime).plan)  # with no rows so far
    assert len(campaign.to_do()) == 8
    assert conduct(campaign, 2, shown=False) is None
    assert asked == [8 - done]
    assert sorted(campaign.rows) == sorted(Campaign.open(folder).rows) == [*range(done)]


def test_a_plan_that_others_wrote_meanwhile_is_not_conducted(
    runtime, tmp_path, monkeypatch
):
    asked = counted_runs(monkeypatch)
    folder = copied(runtime, tmp_path / "other", "")
    plan = replace(Campaign.open(runtime).plan, runs=5)
    with pytest.raises(ValueError, match="this campaign has runs = 2, not 5; take an"):
        conduct(Campaign(folder, plan), 1, shown=False)
    assert asked == []
    campaign = Campaign(tmp_path / "new", plan)
    assert conduct(campaign, 1, shown=False) is None
    assert Campaign.open(tmp_path / "new").plan == plan


def test_the_first_reason_to_end_is_told(tmp_path, monkeypatch):
    counted_runs(monkeypatch)
    module = import_module("paretoball.paper.conduct")
    reasons = ["interrupted", "run 5 kills its worker"]
    monkeypatch.setattr(module, "_run_all", lambda *means: means[-1].extend(reasons))
    assert conduct(unfinished(tmp_path / "new"), 1, shown=False) == "interrupted"


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (ValueError, ValueError),
        (OverflowError, ValueError),
        (MemoryError, MemoryError),
        (KeyError, KeyError),
    ],
)
def test_what_fails_is_told_with_its_case(tmp_path, monkeypatch, raised, kind):
    def fail(*_: Any) -> None:
        raise raised("why")

    module = import_module("paretoball.paper.conduct")
    monkeypatch.setattr(module, "run_trial", fail)
    plan = unfinished(tmp_path, n=(6_000,), d=(3,), radius=(2,)).plan
    with pytest.raises(kind) as caught:
        module._work(plan, plan.trials()[0])
    told = "why" if raised is KeyError else "n = 6,000, d = 3, r = 2: why"
    assert (type(caught.value), caught.value.args) == (kind, (told,))


def test_workers_change_no_row(runtime, tmp_path):
    command = ["paper", "runtime", *SMALL.split(), "--workers", "2"]
    assert main([*command, "-o", str(tmp_path / "two")]) == 0
    assert untimed(tmp_path / "two") == untimed(runtime)
    assert fronts(tmp_path / "two") == fronts(runtime)


def test_a_finished_campaign_is_only_reported_again(runtime, capsys):
    before = {path: path.read_bytes() for path in runtime.rglob("*.npz")}
    rows = (runtime / ROWS).read_bytes()
    assert main(["paper", "runtime", *SMALL.split(), "-o", str(runtime)]) == 0
    assert "8 of 8 runs finished" in capsys.readouterr().out
    assert (runtime / ROWS).read_bytes() == rows
    assert before == {path: path.read_bytes() for path in runtime.rglob("*.npz")}


@needs_proc
@pytest.mark.long
@pytest.mark.parametrize(("workers", "kill"), [(1, os.killpg), (2, os.kill)])
def test_a_campaign_killed_again_and_again_ends_with_the_same_rows(
    undisturbed, tmp_path, workers, kill
):
    rng = random.Random(workers)
    folder = tmp_path / "killed"
    command = f"runtime {LONGER} --workers {workers}"
    for rows in (0, 4):  # to wait for, then a moment at random
        process = started(command, folder)
        wait_until(lambda: rows_of(folder) >= rows and workers_of(process))  # noqa: B023
        end = time.monotonic() + rng.uniform(0, 0.15)
        wait_until(lambda: time.monotonic() > end or rows_of(folder) >= 8)  # noqa: B023
        assert process.poll() is None  # four runs are left, at least
        left_behind = workers_of(process)
        kill(process.pid, signal.SIGKILL)  # with its workers, or without
        process.communicate(timeout=PATIENCE)
        wait_until(lambda: not any(map(is_alive, left_behind)))  # noqa: B023
    process = started(command, folder)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert "12 of 12 runs finished" in out
    assert untimed(folder) == untimed(undisturbed)
    assert fronts(folder) == fronts(undisturbed)
    assert not list(folder.glob("fronts/.*"))


@needs_proc
@pytest.mark.parametrize(
    ("number", "code", "status", "kill"),
    [
        pytest.param(signal.SIGINT, 130, "interrupted", os.killpg, marks=LONG),
        (signal.SIGTERM, 143, "terminated", os.kill),
        pytest.param(signal.SIGINT, 130, "interrupted", os.kill, marks=LONG),
        pytest.param(signal.SIGTERM, 143, "terminated", os.killpg, marks=LONG),
    ],
)
def test_a_signal_ends_a_campaign_politely(tmp_path, number, code, status, kill):
    folder = tmp_path / "stopped"
    process = started(
        "quality --n 2000 --runs 2 --time 86400 --workers 2 --quiet", folder
    )
    wait_until(lambda: len(workers_of(process)) == 2)
    time.sleep(random.Random(code).uniform(0, 2))
    left_behind = workers_of(process)
    kill(process.pid, number)
    out, err = process.communicate(timeout=PATIENCE)
    assert not any(map(is_alive, left_behind))
    assert process.returncode == code, err
    assert f"{status}: 0 of 6 runs finished; the same command goes on" in out
    assert err == ""
    assert len(Campaign.open(folder).to_do()) == 6


@needs_proc
def test_a_signal_before_the_workers_start_is_heeded_too(tmp_path):
    folder = tmp_path / "stopped"
    process = started("quality --n 2000 --runs 2 --time 86400 --quiet", folder)
    wait_until(lambda: (folder / "campaign.json").exists())
    process.terminate()
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, err
    assert (out + err).count("\n") == 1
    assert "terminated" in out + err


@pytest.mark.long
@needs_proc
def test_a_worker_that_dies_costs_nothing_but_time(undisturbed, tmp_path):
    folder = tmp_path / "died"
    process = started(f"runtime {LONGER} --workers 2", folder)
    for rows, number in [(1, signal.SIGTERM), (5, signal.SIGKILL)]:
        wait_until(lambda: rows_of(folder) >= rows and workers_of(process))  # noqa: B023
        os.kill(workers_of(process)[0], number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert err == ""
    assert "12 of 12 runs finished" in out
    assert untimed(folder) == untimed(undisturbed)
    assert fronts(folder) == fronts(undisturbed)


@pytest.mark.long
@needs_proc
def test_a_killed_conductor_leaves_no_worker_behind(tmp_path):
    process = started(
        "quality --n 2000 --time 86400 --workers 2 --quiet", tmp_path / "killed"
    )
    wait_until(lambda: len(workers_of(process)) == 2)
    time.sleep(2)
    left_behind = workers_of(process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    wait_until(lambda: not any(map(is_alive, left_behind)))


def test_any_executor_makes_the_same_rows(runtime, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        assert conducted(runtime, tmp_path / "threads", pool) is None
        assert pool.submit(int).result() == 0  # it is not ours to end
    assert untimed(tmp_path / "threads") == untimed(runtime)
    assert fronts(tmp_path / "threads") == fronts(runtime)


class Deadly(ThreadPoolExecutor):
    """Workers that die of one run, and are there again."""

    def submit(self, function: Any, *arguments: Any) -> Future:
        """Call it, unless it is deadly."""
        if not arguments or arguments[1].run != 5:
            return super().submit(function, *arguments)
        future: Future = Future()
        future.set_exception(BrokenExecutor())
        return future


def test_a_deadly_run_ends_the_campaign_with_its_number(
    runtime, tmp_path, monkeypatch, capsys
):
    folder = tmp_path / "deadly"
    command = ["paper", "runtime", *SMALL.split(), "-o", str(folder)]
    with Deadly(2) as pool:
        monkeypatch.setattr(
            "paretoball.cli.paper.executor", lambda _: nullcontext((pool, 2))
        )
        assert main(command) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "run 5 (n = 60, d = 2, r = 2) kills its worker" in err
    rows = len(Campaign.open(folder).rows)
    assert f"{rows} of 8 runs finished; the same command goes on" in err
    assert 4 <= rows < 8
    monkeypatch.undo()
    assert main(command) == 0
    assert untimed(folder) == untimed(runtime)


def test_an_executor_that_stops_working_ends_the_campaign(runtime, tmp_path):
    pool = ThreadPoolExecutor(2)
    pool.shutdown()
    why = conducted(runtime, tmp_path / "closed", pool)
    assert why is not None
    assert "the executor takes no more work" in why


def test_a_failure_loses_no_run_that_was_finished_before(
    runtime, tmp_path, monkeypatch
):
    def fail(_: Any, trial: Trial) -> Any:
        return np.empty(1 << 57) if trial.run == 5 else run_trial(_, trial)

    monkeypatch.setattr(sys.modules["paretoball.paper.conduct"], "run_trial", fail)
    with (
        ThreadPoolExecutor(1) as pool,
        pytest.raises(MemoryError, match="n = 60, d = 2, r = 2: Unable to allocate"),
    ):
        conducted(runtime, tmp_path / "failed", pool)
    assert sorted(Campaign.open(tmp_path / "failed").rows) == [0, 1, 2, 3, 4]
