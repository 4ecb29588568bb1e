"""Campaigns: nothing that was finished is lost, and going on changes no result."""

import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from paretoball.cli.main import main
from paretoball.cli.main import main as cli
from paretoball.paper.conduct import conduct
from paretoball.paper.folder import ROWS, Campaign, Row
from paretoball.paper.plan import (
    PLANS,
    QUALITY,
    QUICK_PLANS,
    RUNTIME,
    Plan,
    Trial,
    asked_plan,
)
from paretoball.paper.quality import groups
from paretoball.paper.runtime import _moves_by_formula, summary
from paretoball.paper.trial import run_trial
from paretoball.report.campaign_figures import _volumes_in_time
from paretoball.report.front_plot import SUFFIXES

PARETOBALL = [sys.executable, "-m", "paretoball"]
SMALL = "--n 60,80 --d 2 --radius 1,2 --runs 2 --climbs 10 --quiet"
LONGER = "--n 2000,3000 --d 2 --radius 1,2 --runs 3 --climbs 300 --quiet"
UNTIMED = Row._fields.index("seconds")  # the columns before it depend on seeds alone


def untimed(folder: Path) -> list[tuple]:
    """The rows of a campaign, without their times."""
    campaign = Campaign.open(folder)
    return [campaign.rows[run][:UNTIMED] for run in sorted(campaign.rows)]


def fronts(folder: Path) -> list[list]:
    """All that the runs of a campaign found."""
    campaign = Campaign.open(folder)
    runs = [pb.load(campaign.front(run)) for run in sorted(campaign.rows)]
    return [[run.F.tolist(), run.climb.tolist(), run.X.tolist()] for run in runs]


@pytest.fixture(scope="module")
def runtime(tmp_path_factory) -> Path:
    """A finished campaign of the runtime experiment."""
    folder = tmp_path_factory.mktemp("campaigns") / "runtime"
    assert main(["paper", "runtime", *SMALL.split(), "-o", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def quality(tmp_path_factory) -> Path:
    """A finished campaign of the quality experiment, for two sizes."""
    folder = tmp_path_factory.mktemp("campaigns") / "quality"
    assert main(["paper", "quality", *SMALL.split(), "-o", str(folder)]) == 0
    return folder


# --- Plans.


def test_the_defaults_are_the_paper_s():
    assert RUNTIME.n == tuple(range(10_000, 100_001, 10_000))
    assert (RUNTIME.d, RUNTIME.radius, RUNTIME.runs) == ((2, 3), (1, 2, 3), 30)
    assert (QUALITY.n, QUALITY.d, QUALITY.radius) == ((10_000,), (2,), (1, 2, 3))
    for plan in PLANS.values():
        assert (plan.K, plan.q, plan.model, plan.time) == (3, 100, "adjacent", 60)
        assert plan.climb == "full"
    assert len(RUNTIME.trials()) == 10 * 2 * 3 * 30
    assert len(QUALITY.trials()) == 3 * 30


def test_quick_plans_have_budgets_of_less_than_two_minutes():
    for name, plan in QUICK_PLANS.items():
        assert plan.size * plan.time < 120
        assert (plan.experiment, plan.K, plan.radius) == (name, 3, (1, 2, 3))


def test_plans_are_refused_above_a_million_runs():
    with pytest.raises(ValueError, match="1,000,020 runs"):
        replace(RUNTIME, runs=16_667).check()


def test_every_run_has_a_number_and_a_seed_of_its_own():
    trials = RUNTIME.trials()
    assert [trial.run for trial in trials] == list(range(len(trials)))
    assert len({trial[1:5] for trial in trials}) == len(trials)
    assert len({trial.seed for trial in trials}) == len(trials)
    others = {trial.seed for trial in replace(RUNTIME, seed=2).trials()}
    assert not others & {trial.seed for trial in trials}


def test_a_run_has_the_same_seed_in_a_larger_plan():
    small = {trial[1:] for trial in replace(RUNTIME, runs=2, n=(20_000,)).trials()}
    assert small < {trial[1:] for trial in RUNTIME.trials()}


def test_each_round_has_one_run_of_every_case():
    plan = replace(RUNTIME, runs=3)
    cases = len(plan.n) * len(plan.d) * len(plan.radius)
    rounds = [trial.repeat for trial in plan.trials()]
    assert rounds == [0] * cases + [1] * cases + [2] * cases


def test_plans_survive_json():
    for plan in (
        RUNTIME,
        QUALITY,
        replace(RUNTIME, q=None, model=7, time=None, moves=3),
    ):
        assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_every_number_of_a_plan_is_an_option():
    options = {
        "n": (50,),
        "d": (2, 4),
        "radius": (4,),
        "runs": 2,
        "time": 5.0,
        "climbs": 6,
        "moves": 7,
        "K": 2,
        "q": None,
        "model": "random",
        "pseed": 8,
        "seed": 9,
        "climb": "strong-only",
    }
    plan = asked_plan("runtime", False, options | {"workers": 3})
    assert plan == Plan("runtime", **options)


@pytest.mark.parametrize("name", PLANS)
def test_help_tells_the_defaults_of_the_plans(name, capsys):
    assert main(["paper", name, "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    plan, quick = PLANS[name], QUICK_PLANS[name]
    lists = (plan.n[:2], plan.n[-1:], plan.d, plan.radius, (plan.runs,), (plan.K,))
    for values in lists:
        assert re.search(rf"default: ?[\d,.]*{','.join(map(str, values))}\b", text)
    assert f"(default: {plan.time:g})" in text
    assert f"{quick.runs} runs of {quick.time:g} s each" in text
    assert all(str(n) in text for n in quick.n)


def test_another_budget_takes_the_place_of_the_time():
    assert asked_plan("quality", False, {"climbs": 5}).time is None
    assert asked_plan("quality", False, {"climbs": 5, "time": 7.0}).time == 7.0


# --- Rows.


def test_a_row_is_what_its_seed_makes_of_the_landscape(runtime):
    campaign = Campaign.open(runtime)
    assert len(campaign.rows) == 8
    for row in campaign.rows.values():
        landscape = pb.mnk_java(row.n, 3, row.d, pseed=1)
        how = {"radius": row.radius, "max_climbs": 10, "seed": row.seed}
        again = pb.solve(landscape, "multistart", **how)
        assert (row.climbs, row.moves, row.size) == (10, again.moves, len(again))
        assert row.hypervolume == again.hypervolume()
        assert row.stored_moves == pb.count_moves(landscape, row.radius)
        saved = pb.load(campaign.front(row.run))
        assert_array_equal(saved.F, again.F)
        assert_array_equal(landscape.evaluate(saved.X), saved.F)
        assert 0 < row.start_seconds < 1
        assert 0 < row.archive_seconds < row.seconds


def test_workers_change_no_row(runtime, tmp_path):
    command = ["paper", "runtime", *SMALL.split(), "--workers", "2"]
    assert main([*command, "-o", str(tmp_path / "two")]) == 0
    assert untimed(tmp_path / "two") == untimed(runtime)
    assert fronts(tmp_path / "two") == fronts(runtime)


def test_a_finished_campaign_is_only_reported_again(runtime, capsys):
    before = {path: path.read_bytes() for path in runtime.rglob("*.npz")}
    rows = (runtime / ROWS).read_bytes()
    assert main(["paper", "runtime", *SMALL.split(), "-o", str(runtime)]) == 0
    assert "8 of 8 runs are finished" in capsys.readouterr().out
    assert (runtime / ROWS).read_bytes() == rows
    assert before == {path: path.read_bytes() for path in runtime.rglob("*.npz")}


def copied(folder: Path, to: Path, rows: str) -> Path:
    """A campaign with other rows."""
    to.mkdir()
    (to / "fronts").mkdir()
    (to / "campaign.json").write_text((folder / "campaign.json").read_text())
    (to / ROWS).write_text(rows)
    return to


@pytest.mark.parametrize("cut", [1, 5, 40, 200, 10_000])
def test_a_row_without_its_end_is_not_there(runtime, tmp_path, cut):
    text = (runtime / ROWS).read_text()[:-cut]
    campaign = Campaign.open(copied(runtime, tmp_path / "cut", text))
    whole = max(0, text.count("\n") - 1)
    assert len(campaign.rows) == whole
    campaign.tidy()
    campaign.append(Campaign.open(runtime).rows[7])
    assert len(Campaign.open(tmp_path / "cut").rows) == whole + 1


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda lines: [*lines, lines[1]], "line 10 is of no run"),
        (lambda lines: [lines[0], "9" + lines[1][1:]], "line 2 is of no run"),
        (lambda lines: [lines[0], "-1" + lines[1][1:]], "line 2 is of no run"),
        (lambda lines: [lines[0], "x" + lines[1]], "line 2: run is 'x0'"),
        (lambda lines: [lines[0], lines[1] + ",1"], "line 2 has 16 fields, not 15"),
        (lambda lines: [lines[1], lines[0]], "line 2: run is 'run'"),
    ],
)
def test_rows_of_something_else_are_refused(runtime, tmp_path, spoil, words):
    lines = spoil((runtime / ROWS).read_text().splitlines())
    folder = copied(runtime, tmp_path / "spoiled", "\n".join([*lines, ""]))
    with pytest.raises(ValueError, match=words) as caught:
        Campaign.open(folder)
    assert "runs.csv" in str(caught.value)


def test_a_row_that_cannot_be_written_leaves_the_others_whole(
    runtime, tmp_path, monkeypatch
):
    lines = (runtime / ROWS).read_text().splitlines(keepends=True)
    folder = copied(runtime, tmp_path / "full", "".join(lines[:-1]))

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    campaign = Campaign.open(folder)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left") as caught:
        campaign.append(Campaign.open(runtime).rows[7])
    assert caught.value.filename == str(folder / ROWS)
    assert (folder / ROWS).read_text() == "".join(lines[:-1])
    assert 7 not in campaign.rows


# --- Refusals.


def refused(capsys, *command: str) -> str:
    """The one line that a command is refused with."""
    assert main(["paper", *command]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_another_configuration_is_refused_with_what_differs(runtime, capsys):
    before = (runtime / "campaign.json").read_bytes()
    options = SMALL.replace("--runs 2", "--runs 3").replace("60,80", "60")
    err = refused(capsys, "runtime", *options.split(), "-o", str(runtime))
    assert "n = [60, 80], not [60]" in err
    assert "runs = 2, not 3" in err
    assert "radius" not in err
    assert (runtime / "campaign.json").read_bytes() == before
    err = refused(capsys, "quality", *SMALL.split(), "-o", str(runtime))
    assert "experiment = runtime, not quality" in err


def test_a_folder_that_is_no_campaign_is_left_alone(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("mine")
    err = refused(capsys, "runtime", *SMALL.split(), "-o", str(tmp_path))
    assert "not a campaign" in err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    err = refused(capsys, "runtime", "-o", str(tmp_path / "thesis.txt"))
    assert "not a campaign" in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--n 0", "0 is not at least 1"),
        ("--n 10,,20", "'' is not a whole number"),
        ("--n 60,60", "n = 60 is there twice"),
        ("--n 3", "K = 3"),
        ("--runs 0", "0 is not at least 1"),
        ("--time 0", "0 seconds"),
        ("--seed -1", "seed = -1"),
        ("--pseed 99999999999999999999", "pseed"),
        ("--climb best", "invalid choice"),
        ("--model 0", "window|model"),
        ("--q 0", "q = 0"),
    ],
)
def test_nonsense_is_refused_before_anything_is_written(
    tmp_path, capsys, monkeypatch, options, words
):
    monkeypatch.chdir(tmp_path)
    assert re.search(words, refused(capsys, "runtime", *options.split()))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "plan",
    ["", "[]", "{", '{"format": "paretoball campaign", "version": 1, "plan": {}}'],
)
def test_a_spoiled_plan_is_one_line(tmp_path, capsys, plan):
    (tmp_path / "campaign.json").write_text(plan)
    err = refused(capsys, "runtime", "-o", str(tmp_path))
    assert "campaign.json" in err


def test_a_plan_with_fields_of_other_kinds_is_refused():
    sound = RUNTIME.to_json()
    for key in sound:
        for value in ({}, [[]], True):
            with pytest.raises((TypeError, ValueError), match=key):
                Plan.from_json({**sound, key: value})
    for key, value in [("experiment", "x"), ("seed", -1), ("runs", 10**9)]:
        with pytest.raises(ValueError, match=f"{key}|'x'"):
            Plan.from_json({**sound, key: value})


def hold(folder: Path, ready, release) -> None:
    with Campaign.open(folder).locked():
        ready.set()
        release.wait(60)


def test_two_processes_do_not_work_on_one_campaign(runtime, tmp_path, capsys):
    folder = copied(runtime, tmp_path / "shared", "")
    context = multiprocessing.get_context("spawn")
    ready, release = context.Event(), context.Event()
    other = context.Process(target=hold, args=(folder, ready, release))
    other.start()
    try:
        assert ready.wait(60)
        err = refused(capsys, "runtime", *SMALL.split(), "-o", str(folder))
        assert "another process" in err
    finally:
        release.set()
        other.join()


# --- Dry runs.


def test_a_dry_run_tells_runs_and_hours_and_does_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["paper", "runtime", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "paper-runtime: 1,800 runs of 60 s, 0 finished" in out
    assert "1,800 to go: 30.00 hours with one process, at most" in out
    assert main(["paper", "quality", "--dry-run", "--workers", "2"]) == 0
    assert "90 to go: 0.75 hours with 2 processes, at most" in capsys.readouterr().out
    assert main(["paper", "quality", "--dry-run", "--moves", "500"]) == 0
    assert "cannot be told" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


# --- Kills and signals.


def started(command: str, folder: Path) -> subprocess.Popen[str]:
    """A campaign in a process group of its own."""
    return subprocess.Popen(
        [*PARETOBALL, "paper", *command.split(), "-o", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until(is_so: Callable[[], Any], seconds: float = 120) -> None:
    """Wait until something is so; fail if that takes too long."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def rows_of(folder: Path) -> int:
    """How many rows the file has, counting by the ends of lines."""
    path = folder / ROWS
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """The worker processes of a campaign."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [
        int(child)
        for child in children.read_text().split()
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def is_alive(pid: int) -> bool:
    """Whether a process still does something."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return False


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="no /proc here"
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    """A longer campaign that nobody kills."""
    folder = tmp_path_factory.mktemp("campaigns") / "undisturbed"
    command = ["paper", "runtime", *LONGER.split(), "--workers", "2"]
    assert main([*command, "-o", str(folder)]) == 0
    return folder


@needs_proc
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
        time.sleep(rng.uniform(0, 0.15))
        assert process.poll() is None
        left_behind = workers_of(process)
        kill(process.pid, signal.SIGKILL)  # with its workers, or without
        process.communicate(timeout=60)
        wait_until(lambda: not any(map(is_alive, left_behind)), 20)  # noqa: B023
    process = started(command, folder)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "12 of 12 runs are finished" in out
    assert untimed(folder) == untimed(undisturbed)
    assert fronts(folder) == fronts(undisturbed)
    assert not list(folder.glob("fronts/.*"))


@needs_proc
@pytest.mark.parametrize(
    ("number", "code", "status"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
@pytest.mark.parametrize("kill", [os.kill, os.killpg])
def test_a_signal_ends_a_campaign_politely(tmp_path, number, code, status, kill):
    folder = tmp_path / "stopped"
    process = started("quality --n 2000 --runs 2 --time 60 --workers 2", folder)
    wait_until(lambda: len(workers_of(process)) == 2)
    time.sleep(random.Random(code).uniform(0, 2))
    left_behind = workers_of(process)
    began = time.monotonic()
    kill(process.pid, number)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - began < 2.5
    assert not any(map(is_alive, left_behind))
    assert process.returncode == code, err
    assert f"{status}: 0 of 6 runs are finished; the same command goes on" in out
    assert err == ""
    assert len(Campaign.open(folder).to_do()) == 6


@needs_proc
def test_a_signal_before_the_workers_start_is_heeded_too(tmp_path):
    folder = tmp_path / "stopped"
    process = started("quality --n 2000 --runs 2 --time 60", folder)
    wait_until(lambda: (folder / "campaign.json").exists())
    process.terminate()
    out, err = process.communicate(timeout=20)
    assert process.returncode == 143, err
    assert (out + err).count("\n") == 1
    assert "terminated" in out + err


@needs_proc
def test_a_worker_that_dies_costs_nothing_but_time(undisturbed, tmp_path):
    folder = tmp_path / "died"
    process = started(f"runtime {LONGER} --workers 2", folder)
    for rows, number in [(1, signal.SIGTERM), (5, signal.SIGKILL)]:
        wait_until(lambda: rows_of(folder) >= rows and workers_of(process))  # noqa: B023
        os.kill(workers_of(process)[0], number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert err == ""
    assert "12 of 12 runs are finished" in out
    assert untimed(folder) == untimed(undisturbed)
    assert fronts(folder) == fronts(undisturbed)


@needs_proc
def test_a_killed_conductor_leaves_no_worker_behind(tmp_path):
    process = started("quality --n 2000 --time 60 --workers 2", tmp_path / "killed")
    wait_until(lambda: len(workers_of(process)) == 2)
    time.sleep(2)
    left_behind = workers_of(process)
    process.kill()
    process.communicate(timeout=20)
    wait_until(lambda: not any(map(is_alive, left_behind)), 20)


# --- Executors.


def conducted(plan: Path, folder: Path, pool: Executor) -> str | None:
    """Make the runs of a campaign like another one's, on an executor."""
    campaign = Campaign(folder, Campaign.open(plan).plan)
    return conduct(campaign, None, shown=False, executor=pool)


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
        monkeypatch.setattr(cli, "executor", lambda _: nullcontext((pool, 2)))
        assert main(command) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "run 5 (n = 60, d = 2, r = 2) kills its worker" in err
    rows = len(Campaign.open(folder).rows)
    assert f"{rows} of 8 runs are finished; the same command goes on" in err
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

    monkeypatch.setattr("paretoball.paper.conduct.run_trial", fail)
    with (
        ThreadPoolExecutor(1) as pool,
        pytest.raises(MemoryError, match="n = 60, d = 2, r = 2: Unable to allocate"),
    ):
        conducted(runtime, tmp_path / "failed", pool)
    assert sorted(Campaign.open(tmp_path / "failed").rows) == [0, 1, 2, 3, 4]


def test_a_time_that_ends_before_the_set_up_is_refused_with_its_case(tmp_path, capsys):
    options = "--n 3000 --d 2 --radius 3 --runs 1 --time 0.001 --quiet"
    folder = str(tmp_path / "short")
    err = refused(capsys, "quality", *options.split(), "-o", folder)
    assert "n = 3,000, d = 2, r = 3: 0.001 s were over before the set-up was" in err


# --- Reports.


def test_the_runtime_table_has_the_averages_of_its_rows(runtime, capsys):
    campaign = Campaign.open(runtime)
    cases = summary(campaign)
    assert len(cases) == 4
    for case in cases:
        rows = campaign.runs_of(*case[:3])
        assert case.runs == len(rows) == 2
        times = [1e6 * row.seconds / row.moves for row in rows]
        assert case.us_per_move == pytest.approx(fmean(times))
        assert case.us_deviation == pytest.approx(np.std(times, ddof=1))
        assert case.setup_ms == pytest.approx(
            1e3 * fmean(r.setup_seconds for r in rows)
        )
        assert case.stored_moves == case.formula
    assert main(["paper", "runtime", *SMALL.split(), "-o", str(runtime)]) == 0
    out = capsys.readouterr().out
    for case in cases:
        assert f"{case.us_per_move:.3f}" in out
    assert len((runtime / "summary.csv").read_text().splitlines()) == 5


def test_the_formula_is_the_paper_s():
    assert _moves_by_formula(100, 3, 1, "adjacent") == 100
    assert _moves_by_formula(100, 3, 2, "adjacent") == 400
    assert _moves_by_formula(100, 3, 3, "adjacent") == 1300
    assert _moves_by_formula(100, 1, 3, "adjacent") == 300
    assert _moves_by_formula(100, 3, 3, "random") == ""
    assert _moves_by_formula(8, 3, 3, "adjacent") == ""


def test_the_quality_report_tells_shares_of_the_exact_bound(quality, capsys):
    assert main(["paper", "quality", *SMALL.split(), "-o", str(quality)]) == 0
    out = capsys.readouterr().out
    assert out.count("exact bound") == 2
    shares = [float(share) for share in re.findall(r"(\d+\.\d\d)%", out)]
    assert shares
    assert 0 < min(shares) < max(shares) <= 100
    campaign = Campaign.open(quality)
    for n in (60, 80):
        landscape = pb.mnk_java(n, 3, 2, pseed=1)
        bound = pb.supported_front(landscape).bound(landscape.mean)
        for row in campaign.rows.values():
            if row.n == n:
                assert f"{row.hypervolume / bound:.2%}" in out


def test_the_surfaces_are_those_of_the_fronts(quality):
    table = np.genfromtxt(quality / "surfaces.csv", delimiter=",", skip_header=1)
    campaign = Campaign.open(quality)
    for n in (60, 80):
        for r in (1, 2):
            runs = campaign.runs_of(n, 2, r)
            found = [pb.load(campaign.front(row.run)).F for row in runs]
            for level in (0.25, 0.5, 0.75):
                rows = table[(table[:, [0, 2, 3]] == (n, r, level)).all(axis=1)]
                expected = pb.attainment_surface(found, level)
                assert_array_equal(rows[:, 4:], expected)


def test_pairs_tell_on_what_share_one_radius_dominates(quality):
    table = np.genfromtxt(quality / "pairs.csv", delimiter=",", names=True)
    assert table["radius"].tolist() == [2, 2]
    assert table["other"].tolist() == [1, 1]
    assert (table["dominates"] > table["is_dominated"]).all()


def test_many_objectives_and_flat_landscapes_are_reported(tmp_path, capsys):
    sizes = "--n 12 --runs 2 --climbs 2 --quiet --radius 1"
    folder = str(tmp_path / "many")
    assert main(["paper", "quality", *sizes.split(), "--d", "4", "-o", folder]) == 0
    assert "no attainment surfaces: d = 4" in capsys.readouterr().out
    assert main(["plot", folder]) == 2
    assert "up to three objectives" in capsys.readouterr().err
    folder = str(tmp_path / "flat")
    assert main(["paper", "quality", *sizes.split(), "--q", "1", "-o", folder]) == 0
    assert "the front is one point" in capsys.readouterr().out
    assert main(["plot", folder]) == 0
    folder = str(tmp_path / "mixed")
    assert main(["paper", "quality", *sizes.split(), "--d", "2,3", "-o", folder]) == 0
    table = np.genfromtxt(Path(folder, "surfaces.csv"), delimiter=",", skip_header=1)
    assert set(table[:, 1]) == {2, 3}
    assert np.isnan(table[table[:, 1] == 2, -1]).all()


def test_where_there_is_no_bound_the_report_says_why(tmp_path, capsys):
    options = "--n 60 --d 2 --K 4 --model random --radius 1 --runs 1 --climbs 2 --quiet"
    folder = str(tmp_path / "wide")
    assert main(["paper", "quality", *options.split(), "-o", folder]) == 0
    out = capsys.readouterr().out
    assert "no exact bound" in out
    assert "width" in out
    assert main(["plot", folder]) == 0


# --- Figures.


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("runtime", {"time_per_move"}),
        (
            "quality",
            {
                f"{kind}-n{n}-d2"
                for kind in ("attainment", "hypervolume")
                for n in (60, 80)
            },
        ),
    ],
)
def test_a_campaign_is_drawn_in_every_format(request, tmp_path, name, figures, capsys):
    campaign = request.getfixturevalue(name)
    into = tmp_path / "figures"
    assert main(["plot", str(campaign), "-o", str(into)]) == 0
    expected = {figure + suffix for figure in figures for suffix in SUFFIXES}
    assert {path.name for path in into.iterdir()} == expected
    heads = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
    for path in into.iterdir():
        assert path.read_bytes().startswith(heads[path.suffix])
    assert capsys.readouterr().out.count("drawn as") == len(expected)


def test_hypervolumes_against_time_are_those_of_the_traces(quality):
    campaign = Campaign.open(quality)
    for group in groups(campaign):
        for r in group.radii:
            times, volumes = _volumes_in_time(group, r)
            assert (np.diff(times) >= 0).all()
            for row, line in zip(group.rows[r], volumes):
                trace = pb.load(campaign.front(row.run)).trace
                for at, volume in zip(times[1:-1], line[1:-1]):
                    seen = trace[trace[:, 0] <= at, -1]
                    assert volume == (seen if len(seen) else trace[:1, -1])[-1]


def test_a_campaign_without_rows_has_nothing_to_draw(runtime, tmp_path, capsys):
    folder = copied(runtime, tmp_path / "new", "")
    assert main(["plot", str(folder)]) == 2
    assert "no run is finished" in capsys.readouterr().err
    assert main(["plot", str(runtime), "-o", "figure.png"]) == 2
    assert "drawn into a folder" in capsys.readouterr().err
    assert main(["plot", str(tmp_path / "nowhere")]) == 2
    assert "no such run or campaign" in capsys.readouterr().err
    assert main(["plot", str(tmp_path)]) == 2
    assert "not a campaign" in capsys.readouterr().err
