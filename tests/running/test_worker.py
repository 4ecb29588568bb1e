"""Workers: a block is what its units are, whatever this worker has run before."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.running import worker
from paretoball.running.budget import OutOfTime
from paretoball.running.options import Options
from paretoball.running.worker import (
    UNUSED,
    BlockRequest,
    BlockResult,
    Job,
    climber_at_hand,
    end_run,
    forget_runs,
    run_block,
)
from paretoball.search.method import Block, Done
from paretoball.search.registry import method_named
from paretoball.system import nothing

SMALL = ring(n=60, K=2, seed=1)


@cache
def job_of(method: str) -> Job:
    """A run of SMALL in one direction, so that climbs dominate one another."""
    config = pb.solve(SMALL, method, max_climbs=1, weights=[1, 1], seed=3).config
    options = Options(**config)
    return Job("run", SMALL, options, np.empty((0, SMALL.n), np.uint8))


def run(method: str, block: Block, seconds: float = np.inf) -> BlockResult:
    """What a worker answers that may use what it has found before."""
    plan = method_named(method).plan(SMALL, job_of(method).options.asked())
    plan.advance(Archive(2), 0)
    tasks = plan.tasks(block)
    request = BlockRequest("run", block, tasks, 10**9, seconds, fresh=False)
    result = run_block(request, job_of(method))
    assert result is not None
    return result


@pytest.mark.parametrize("method", ["path", "multistart"])
def test_later_units_take_nothing_from_earlier_ones(method):
    """The run may end before it merges the later ones."""
    blocks = [Block(number, 1) for number in range(4)]
    alone = []
    for block in blocks:
        forget_runs()
        alone.append(run(method, block))
    forget_runs()
    for block, expected in zip(blocks[::-1], alone[::-1]):
        result = run(method, block)
        assert result.done == expected.done
        for one, other in zip(result.found.points, expected.found.points):
            assert_array_equal(np.sort(one, axis=0), np.sort(other, axis=0))
        assert result.found.trails.keys() == expected.found.trails.keys()


def test_what_earlier_units_dominate_is_left_out():
    forget_runs()
    alone = run("multistart", Block(4, 4)).found.points
    forget_runs()
    earlier = run("multistart", Block(0, 4)).found.points
    points = run("multistart", Block(4, 4)).found.points
    kept = [fx for fx in alone.fx.tolist() if not (earlier.fx >= fx).all(axis=1).any()]
    assert sorted(points.fx.tolist()) == sorted(kept)
    assert 0 < len(kept) < alone.size


def test_a_block_is_given_its_seconds_and_no_more(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(worker, "perf_counter", lambda: now[0])
    watch = worker._Watch("run", 105.0)
    for seconds, is_over in ((104.5, False), (104.8, False), (105.0, True)):
        now[0] = seconds
        assert watch.is_over() == is_over


def test_blocks_that_waited_in_a_line_end_with_the_run(monkeypatch):
    """A block that began late was told its seconds when it was sent, not now."""
    ends: list[float] = []

    class Watch(worker._Watch):
        def __init__(self, token: str, end: float):
            super().__init__(token, end)
            ends.append(end)

    now = [100.0]
    monkeypatch.setattr(worker, "perf_counter", lambda: now[0])
    monkeypatch.setattr(worker, "_Watch", Watch)
    job = job_of("multistart")._replace(token="line")
    for number, (at, seconds) in enumerate([(100.0, 50.0), (103.0, 50.0), (104, 2.0)]):
        now[0] = at
        request = BlockRequest("line", Block(number, 1), None, 10, seconds, fresh=False)
        run_block(request, job)
    forget_runs()
    assert ends[-3:] == [150.0, 150.0, 106.0]


def test_climbers_of_older_runs_are_dropped_once_they_are_not_used(monkeypatch):
    """The two latest runs keep theirs in any case."""
    now = [100.0]
    monkeypatch.setattr(worker, "perf_counter", lambda: now[0])

    def ask(token: str, seconds: float) -> str:
        """Greet a worker after so many seconds; the runs that it knows then."""
        now[0] += seconds
        request = BlockRequest(token, Block(0, 0), None, 10**9, np.inf, fresh=False)
        run_block(request, job_of("multistart")._replace(token=token))
        return "".join(each for each in "abcdef" if climber_at_hand(each) is not None)

    forget_runs()
    assert ask("a", 0) == "a"
    assert ask("b", 1000) == "ab"
    assert ask("c", UNUSED - 1) == "bc"
    assert ask("d", 0) == "bcd"
    assert ask("b", UNUSED) == "bcd"
    assert ask("e", 10) == "bde"
    assert ask("f", UNUSED + 1) == "ef"


def test_a_block_tells_the_seconds_that_it_took_itself(monkeypatch):
    """Those of blocks before it, and of compilation, are not its own."""
    now = [100.0]
    ends: list[float] = []

    class Watch(worker._Watch):
        def __init__(self, token: str, end: float):
            super().__init__(token, end)
            ends.append(end)

    def compile_search(*_: object, **__: object) -> None:
        now[0] += 10.0

    def new_climber(job: Job, pulse: object) -> pb.Climber:
        now[0] += 3.0
        return climber(job, nothing)

    def unpacked(job: Job) -> Job:
        now[0] += 2.0
        return job

    climber = Job.new_climber
    job_of("multistart")
    forget_runs()
    monkeypatch.setattr(worker, "perf_counter", lambda: now[0])
    monkeypatch.setattr(worker, "_Watch", Watch)
    monkeypatch.setattr(worker, "compile_search", compile_search)
    monkeypatch.setattr(Job, "new_climber", new_climber)
    monkeypatch.setattr(Job, "unpacked", unpacked)
    first = run("multistart", Block(0, 2), seconds=50.0)
    assert (first.seconds, first.setup_seconds) == (15.0, 5.0)
    assert ends == [160.0, 150.0]  # of the set-up, which knows what compilation took
    ((searcher, _),) = worker._benches["run"].idle
    assert first.archive_seconds == searcher.archive_seconds
    searcher.archive_seconds = 1000.0  # since the searcher began
    search = searcher.run

    def search_for_long(*block: Any) -> Done:
        done = search(*block)
        searcher.archive_seconds = 1007.0
        return done

    monkeypatch.setattr(searcher, "run", search_for_long)
    second = run("multistart", Block(2, 2))
    assert (second.seconds, second.setup_seconds) == (0.0, 0.0)
    assert second.archive_seconds == 7.0


def test_a_set_up_that_runs_out_of_time_is_tried_again(monkeypatch):
    def too_slow(*_: object) -> None:
        raise OutOfTime

    forget_runs()
    with monkeypatch.context() as patch:
        patch.setattr(Job, "new_climber", too_slow)
        idle = run("multistart", Block(0, 2))
    assert (idle.done, idle.found.points.size) == ((0, 0, 0), 0)
    assert climber_at_hand("run") is None
    assert run("multistart", Block(0, 2)).done.units == 2
    assert climber_at_hand("run") is not None


def test_a_run_that_has_ended_has_no_more_time():
    watch, other = (worker._Watch(token, np.inf) for token in ("over", "on"))
    watch.pulse()
    end_run("over")
    assert (watch.is_over(), other.is_over()) == (True, False)
    with pytest.raises(OutOfTime):
        watch.pulse()
    other.pulse()
    forget_runs()
    watch.pulse()
