"""Time by a clock of one's own: budgets, set-up, rates and the spacing of traces.

On the machine of these tests a move takes a millisecond, a set-up takes what it is
told, and all else takes no time.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import paretoball as pb
from clocks import keep_time, work_here
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.climber.scores import LOGGED
from paretoball.running import checkpoint, driver, trace, worker
from paretoball.running.bound import CUTTING
from paretoball.running.budget import Budget, OutOfTime
from paretoball.running.options import Options
from paretoball.running.run import SORTING, Run
from paretoball.running.snapshot import Snapshot
from paretoball.running.trace import Trace
from paretoball.search import multistart
from paretoball.search.reporting import SLICE_SECONDS
from paretoball.system.display import Display

SMALL = ring(n=60, K=2, seed=1)
PER_MOVE = 1e-3
LATE = 3 * SLICE_SECONDS  # how late a look at the time may be: a slice, or nearly two


class Machine:
    """Moves take their time, and so do set-ups."""

    def __init__(self) -> None:
        self.now = 50.0
        self.set_up = 0.0

    def __call__(self) -> float:
        return self.now

    def run_climbs(self, cliques: Any, moves: Any, state: Any, *rest: Any) -> None:
        """Stands in for the kernel of climbs."""
        before = int(state.clock[LOGGED])
        self.kernel(cliques, moves, state, *rest)
        self.now += PER_MOVE * (int(state.clock[LOGGED]) - before)

    def new_climber(self, *job: Any) -> pb.Climber:
        """Stands in for the set-up of a climber."""
        self.now += self.set_up
        return self.climber(*job)

    kernel = staticmethod(multistart._run_climbs)
    climber = staticmethod(worker.Job.new_climber)


@pytest.fixture
def machine(monkeypatch) -> Iterator[Machine]:
    """The machine on which all runs of a test are."""
    pb.solve(SMALL, "multistart", max_climbs=1)  # compile
    machine = Machine()
    keep_time(monkeypatch, machine)
    monkeypatch.setattr(driver, "Display", partial(Display, clock=machine))
    monkeypatch.setattr(multistart, "perf_counter", machine)
    monkeypatch.setattr(multistart, "_run_climbs", machine.run_climbs)
    monkeypatch.setattr(
        worker.Job, "new_climber", lambda *job: machine.new_climber(*job)
    )
    return machine


def workers(monkeypatch: pytest.MonkeyPatch, count: int) -> dict[str, Any]:
    """Who is to work."""
    here = None if count == 1 else work_here(monkeypatch)
    return {"workers": count, "executor": here}


solve = partial(pb.solve, SMALL, "multistart", seed=1)


# --- The time limit.


def test_a_budget_ends_at_its_limit_and_counts_what_was_spent_before():
    now = [7.0]
    config = solve(time_limit=10, max_climbs=1).config
    budget = Budget(Options(**config), spent=3.0, clock=lambda: now[0])
    for seconds, left in ((0.0, 7.0), (5.5, 1.5), (6.75, 0.25)):
        now[0] = 7.0 + seconds
        assert budget.elapsed() == seconds
        assert budget.left() == left
        assert not budget.is_over()
        budget.pulse()
    now[0] = 14.0
    assert budget.is_over()
    assert budget.is_used_up(0, 0)
    with pytest.raises(OutOfTime):
        budget.pulse()
    budget.restart(2.0)
    assert budget.left() == 5.0
    assert budget.elapsed() == 2.0
    assert not budget.is_over()
    now[0] += 4.99  # a long pause before a restart is forgotten
    budget.restart(6.99)
    assert budget.left() == pytest.approx(0.01)
    assert not budget.is_over()


@pytest.mark.parametrize(
    ("limits", "units", "moves", "status"),
    [
        ((5, 9), 5, 9, "climbs done"),
        ((5, 9), 5, 0, "climbs done"),
        ((5, 9), 4, 9, "moves done"),
        ((5, 9), 4, 8, ""),
        ((9, 5), 5, 4, "climbs take few moves"),
        ((9, 5), 4, 4, ""),
        ((9, 5), 9, 5, "climbs done"),
        ((None, 5), 5, 0, "climbs take few moves"),
        ((None, 5), 4, 5, "moves done"),
        ((None, 5), 4, 4, ""),
        ((5, None), 5, 0, "climbs done"),
        ((5, None), 4, 10**9, ""),
    ],
)
def test_a_budget_is_used_up_by_the_count_that_its_status_tells(
    limits, units, moves, status
):
    climbs, most = limits
    config = solve(max_climbs=1, time_limit=10).config
    config |= {"max_climbs": climbs, "max_moves": most}
    now = [7.0]
    budget = Budget(Options(**config), clock=lambda: now[0])
    assert budget.is_used_up(units, moves) == bool(status)
    assert budget.status(units, moves) == (status or "time is up")
    budget.stop("somebody came")
    assert budget.is_used_up(units, moves)
    assert budget.status(units, moves) == (status or "somebody came")


def test_the_time_that_a_result_takes_counts(machine, monkeypatch):
    made = Snapshot.result

    def result(*of: Any) -> pb.Result:
        machine.now += 0.25
        return made(*of)

    monkeypatch.setattr(Snapshot, "result", result)
    began = machine.now
    found = solve(max_climbs=3)
    assert found.setup_seconds + found.seconds == machine.now - began > 0.25


def test_what_comes_after_the_search_has_its_time_but_not_too_much():
    now = [7.0]
    config = solve(time_limit=10, max_climbs=1).config
    budget = Budget(Options(**config), clock=lambda: now[0])
    for reserve, left in ((0.25, 9.75), (5.0, 5.0), (6.0, 5.0)):
        budget.reserve = reserve
        assert budget.left() == left


def test_a_run_reserves_what_its_last_hypervolume_and_checkpoint_took(
    machine, monkeypatch, tmp_path
):
    def hypervolume(*_: Any) -> float:
        machine.now += 0.125
        return 1.0

    def write(*_: Any) -> None:
        machine.now += 0.25

    reserves: list[float] = []
    monkeypatch.setattr(trace, "hypervolume", hypervolume)
    monkeypatch.setattr(checkpoint, "write_checkpoint", write)
    look = Budget.is_over

    def is_over(budget: Budget, moves: int = 0) -> bool:
        reserves.append(budget.reserve)
        return look(budget, moves)

    monkeypatch.setattr(Budget, "is_over", is_over)
    path = tmp_path / "run.npz"
    solve(max_climbs=20, checkpoint=path, checkpoint_every=1e-9)
    assert reserves[0] == 0
    assert reserves[-1] == pytest.approx(0.375, abs=1e-3)  # and a little for sorting


@pytest.mark.parametrize("most", [None, 3])
def test_a_run_reserves_what_its_archive_takes_to_sort_and_cut(monkeypatch, most):
    reserves: dict[int, float] = {}
    monkeypatch.setattr(trace.Trace, "took", 0.0, raising=False)
    look = Run.stop

    def stop(run: Run, moves: int) -> bool:
        is_over = look(run, moves)
        reserves[len(run.archive)] = run.budget.reserve - run.trace.took
        return is_over

    monkeypatch.setattr(Run, "stop", stop)
    solve(max_climbs=20, max_archive=most)
    assert max(reserves) > 3
    for size, reserve in reserves.items():
        cut = CUTTING if most is not None and size > most else 0.0
        assert reserve == pytest.approx(2 * size * (SORTING + cut), abs=1e-12)


@pytest.mark.parametrize("count", [1, 2])
def test_a_run_takes_its_time_limit_and_so_does_one_that_goes_on(
    machine, monkeypatch, tmp_path, count
):
    monkeypatch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
    path, who = tmp_path / "run.npz", workers(monkeypatch, count)
    late = LATE if count == 1 else 4 * LATE  # four blocks take turns here
    total = 0.0
    for limit in (2.0, 5.0):
        began = machine.now
        if total == 0:
            run = solve(time_limit=limit, checkpoint=path, **who)
        else:
            run = pb.resume(path, time_limit=limit, **who)
        total += limit
        assert run.status == "time is up"
        assert -SLICE_SECONDS < machine.now - began - limit < late
        assert total - 2 * SLICE_SECONDS < run.seconds < total + 2 * late
    began = machine.now
    assert pb.resume(path).status == "time is up"
    assert machine.now - began < LATE


@pytest.mark.parametrize("count", [1, 2])
def test_set_up_counts_in_the_time_limit(machine, monkeypatch, count):
    monkeypatch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
    who, machine.set_up = workers(monkeypatch, count), 3.0
    began = machine.now
    run = solve(time_limit=5.0, **who)
    late = LATE if count == 1 else 4 * LATE
    assert run.setup_seconds == 3.0
    assert 2.0 - LATE < run.seconds < 2.0 + late
    assert 5.0 - LATE < machine.now - began < 5.0 + late
    assert run.moves == round(run.seconds / PER_MOVE)


def test_the_compilation_of_workers_does_not_count_in_the_time_limit(
    machine, monkeypatch
):
    def compile_for_long(*_: Any, **__: Any) -> None:
        machine.now += 1.5

    monkeypatch.setattr(worker, "compile_search", compile_for_long)
    machine.set_up = 3.0
    began = machine.now
    run = solve(time_limit=5.0, **workers(monkeypatch, 2))
    assert run.setup_seconds == 3.0
    assert 6.5 <= machine.now - began < 7.5
    assert 2.0 <= run.seconds < 3.0


@pytest.mark.parametrize("count", [1, 2])
def test_what_comes_before_set_up_counts_as_set_up(machine, monkeypatch, count):
    who, machine.set_up = workers(monkeypatch, count), 3.0
    plan_on, first = Run.plan_on, [2.0, *[0.0] * 10**3]

    def slowly(run: Run) -> None:
        machine.now += first.pop(0)
        plan_on(run)

    monkeypatch.setattr(Run, "plan_on", slowly)
    began = machine.now
    run = solve(max_climbs=3, **who)
    assert run.setup_seconds == 5.0
    assert run.seconds == pytest.approx(machine.now - began - 5.0)


@pytest.mark.parametrize("count", [1, 2])
def test_compilation_does_not_count_and_nothing_is_shown_before(
    machine, monkeypatch, capsys, count
):
    def compile_for_long(*_: Any, **__: Any) -> None:
        machine.now += 100.0

    monkeypatch.setattr(driver, "compile_search", compile_for_long)
    monkeypatch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
    began = machine.now
    run = solve(time_limit=5.0, progress=True, **workers(monkeypatch, count))
    assert run.setup_seconds == 0.0
    assert 4.0 < run.seconds < 7.0
    assert machine.now - began == pytest.approx(100.0 + run.seconds)
    assert run.trace[-1, 0] == pytest.approx(run.seconds)
    assert capsys.readouterr().err.startswith("2 of 5 s  ")


@pytest.mark.parametrize("count", [1, 2])
def test_a_set_up_that_takes_all_the_time_is_no_search(machine, monkeypatch, count):
    def never_ready(*_: Any) -> None:
        machine.now += 3.0
        raise OutOfTime

    monkeypatch.setattr(worker.Job, "new_climber", never_ready)
    run = solve(time_limit=2.0, **workers(monkeypatch, count))
    assert run.status == "time is up"
    assert (run.setup_seconds, run.seconds) == (3.0, 0.0)
    assert (len(run), run.moves, run.climbs) == (1, 0, 0)


def test_a_block_is_asked_to_end_with_the_run(machine, monkeypatch):
    """What is left when it is handed out, to the second."""
    asked: list[tuple[float, float]] = []
    init = worker.BlockRequest.__new__

    def new(cls: Any, *fields: Any, **named: Any) -> Any:
        asked.append((machine.now, named["seconds"]))
        return init(cls, *fields, **named)

    monkeypatch.setattr(worker.BlockRequest, "__new__", new)
    began = machine.now
    solve(time_limit=2.0, **workers(monkeypatch, 2))
    assert len(asked) > 4
    for now, seconds in asked:
        assert seconds == pytest.approx(began + 2.0 - now, abs=1e-3)


# --- The line that shows the progress.


def rates(text: str) -> list[str]:
    """The rate in each line."""
    return [line.split("k moves/s")[0].split()[-1] for line in text.splitlines()]


def test_a_resumed_run_shows_its_own_seconds_and_rate(machine, capsys, tmp_path):
    path = tmp_path / "run.npz"
    machine.set_up = 12.0
    solve(time_limit=25.0, checkpoint=path, progress=True)
    first = capsys.readouterr().err
    machine.set_up = 4.0
    pb.resume(path, time_limit=40.0, progress=True)
    second = capsys.readouterr().err
    assert [line.split(" s  ")[0] for line in first.splitlines()] == [
        "12 of 25",
        "22 of 25",
    ]
    assert [line.split(" s  ")[0] for line in second.splitlines()] == [
        "4 of 40",
        "14 of 40",
        "24 of 40",
        "34 of 40",
    ]
    assert rates(first)[1:] == ["1"]  # thousand moves; the first line is about set-up
    assert rates(second)[1:] == ["1"] * 3


# --- The trace.


def test_rows_of_a_trace_lie_twice_as_far_apart_whenever_it_is_thinned(monkeypatch):
    monkeypatch.setattr(trace, "MOST_ROWS", 8)
    monkeypatch.setattr(trace, "FIRST_PAUSE", 1.0)
    now = [0.0]
    rows, archive = Trace(SMALL, lambda: now[0]), Archive(2)
    archive.report([1, 1], np.zeros(SMALL.n))
    added = []
    for second in range(100):
        now[0] = float(second)
        if rows.is_due(now[0]):
            rows.add(now[0], second, second, archive)
            added.append(second)
    assert added == [
        *range(9),
        *range(10, 17, 2),
        *range(20, 33, 4),
        *range(40, 65, 8),
        80,
        96,
    ]
    assert rows.array[:, 0].tolist() == [0, 16, 32, 48, 64, 80, 96]


def test_rows_of_a_trace_are_a_twentieth_of_a_second_apart_at_first():
    rows = Trace(SMALL, lambda: 0.0)
    assert rows.is_due(0.0)
    assert np.isnan(rows.hypervolume)
    rows.add(1.0, 0, 0, Archive(2))
    assert [rows.is_due(1 + wait) for wait in (0.0, 0.049, 0.051)] == [
        False,
        False,
        True,
    ]
    assert rows.array.shape == (1, 5)


def test_a_trace_ends_with_the_latest_row_however_often_it_is_thinned():
    rows, archive = Trace(SMALL, lambda: 0.0), Archive(2)
    for second in range(3 * trace.MOST_ROWS):
        rows.add(float(second), 2 * second, second, archive)
        assert rows.rows[-1][:3] == (float(second), 2 * second, second)
        assert len(rows.rows) <= trace.MOST_ROWS
    assert rows.rows[0][0] == 0
    assert len(rows.rows) > trace.MOST_ROWS // 2


def test_a_trace_that_goes_on_has_the_spacing_of_its_length(monkeypatch):
    monkeypatch.setattr(trace, "MOST_ROWS", 8)
    rows = Trace(SMALL, lambda: 0.0)
    rows.go_on_from(np.array([[0.0, 1, 1, 1, 1.0], [80.0, 2, 2, 1, 1.0]]), 80.0)
    assert [rows.is_due(seconds) for seconds in (89.9, 90.0)] == [False, True]
    rows.go_on_from(np.zeros((1, 5)), 8 * trace.FIRST_PAUSE / 2)  # a young one
    dues = [rows.is_due(share * trace.FIRST_PAUSE) for share in (0.9, 1.0)]
    assert dues == [False, True]


def test_the_last_row_of_a_trace_is_written_again_after_a_cut():
    rows, archive, fewer = Trace(SMALL, lambda: 0.0), Archive(2), Archive(2)
    above = np.array([[10, 20], [20, 10]])
    high = SMALL.inside(SMALL.mean.astype(int) + above)
    for fx in high:
        archive.report(fx, np.zeros(SMALL.n))
    fewer.report(high[0], np.zeros(SMALL.n))
    rows.add(1.0, 5, 2, fewer)
    rows.add(2.0, 9, 3, archive, last=True)
    before = rows.array
    rows.replace_last(fewer)
    assert rows.array[0].tolist() == before[0].tolist()
    assert rows.array[1].tolist() == [2.0, 9.0, 3.0, 1.0, before[0, -1]]
    assert before[1, -1] > before[0, -1] > 0


def test_hypervolumes_take_a_small_share_of_the_time(monkeypatch):
    """Each takes a second here; the first row and the last one have one anyway."""
    now = [0.0]

    def hypervolume(*_: Any) -> float:
        now[0] += 1.0
        return 7.0

    monkeypatch.setattr(trace, "hypervolume", hypervolume)
    rows, archive = Trace(SMALL, lambda: now[0]), Archive(2)
    for seconds in range(10, 171, 10):
        rows.add(float(seconds), 0, 0, archive, last=seconds == 170)
    measured = rows.array[~np.isnan(rows.array[:, -1]), 0]
    assert measured.tolist() == [10, 50, 100, 150, 170]
    assert rows.hypervolume == 7.0
