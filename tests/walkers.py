"""Units under constraints that have just begun, and how they go on in plain Python."""

from typing import Any

import numpy as np

import paretoball as pb
from paretoball.archive.archive import Archive
from paretoball.climber import NO_MOVE
from paretoball.search.method import Asked
from paretoball.search.path.engine import _choose_anew, _step
from paretoball.search.path.journal import offer
from paretoball.search.path.searcher import NOT_A_PATH, Searcher
from paretoball.search.path.tasks import FILL, PATH, Known, Task, turns_of
from paretoball.search.path.unit import begin, next_chosen


def walker_of(
    landscape: pb.Landscape,
    start: np.ndarray | None = None,
    task: Task | None = None,
    seed: int = 1,
) -> Searcher:
    """A searcher whose unit begins with this task; a climb, if none is given."""
    asked = Asked(weights=None, seed=seed, radius=1, breadth=1)
    climber = pb.Climber(landscape.unconstrained, radius=1)
    starts = np.zeros((0, landscape.n), np.uint8) if start is None else start[None]
    task = climb_of(landscape) if task is None else task
    walker = Searcher(landscape, climber, asked, starts, task.kind == FILL)
    begin_again(walker, task)
    return walker


def begin_again(walker: Searcher, task: Task) -> None:
    """Begin another unit."""
    walker.begin(Archive(walker.landscape.d), 0, task)
    walker.make_room()


def climb_of(landscape: pb.Landscape) -> Task:
    """The task of a climb that knows nothing."""
    n, d = landscape.n, landscape.d
    turns, none = np.ones((turns_of(d), d), np.int64), np.zeros(0, np.uint8)
    rows, values = np.zeros((0, n), np.uint8), np.zeros((0, d), np.int64)
    return Task(PATH, NOT_A_PATH, turns, Known(rows, values, none))


def task_of(landscape: pb.Landscape, kind: int, rows: Any, turns: Any = None) -> Task:
    """The task of a path or a filling that knows these solutions, and visits all."""
    X = np.array(rows, np.uint8).reshape(-1, landscape.n)
    values = np.zeros((0, landscape.d), np.int64)
    if len(X):
        values = landscape.inside(landscape.evaluate(X))
    if turns is None:
        turns = np.ones((turns_of(landscape.d), landscape.d))
    wanted = np.ones(len(X), np.uint8)
    return Task(kind, 0, np.array(turns, np.int64), Known(X, values, wanted))


def at_phase(walker: Searcher, phase: int, due: int) -> Any:
    """The unit at the beginning of a phase, and its clock; so much is due."""
    begin(walker.unit, phase)
    walker.unit.clock.due = due
    return walker.unit, walker.unit.clock


def go_until(walker: Searcher, *phases: int) -> list[tuple[int, ...]]:
    """Go on until one of these phases begins, or a stage ends; what was passed.

    It is what the engine does, without a look at room and work.
    """
    unit, clock, passed = walker.unit, walker.unit.clock, []
    stage = clock.stage
    for _ in range(10**5):
        j = next_chosen(unit)
        if j == NO_MOVE and (clock.phase in phases or clock.stage != stage):
            return passed
        if j == NO_MOVE:
            j = _choose_anew(walker.ground, unit, unit.ledger)
        offer(unit)
        if j != NO_MOVE:
            _step(walker.ground, unit, j)
            passed.append(tuple(unit.state.x.tolist()))
    raise AssertionError(f"none of the phases {phases} began")


def journal_of(searcher: Searcher) -> tuple[int, np.ndarray]:
    """The moves that a unit has taken, and the flips that it has noted."""
    clock = searcher.unit.clock
    return int(clock.taken), searcher.unit.flips[: clock.flipped].copy()
