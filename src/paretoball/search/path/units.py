"""Units, run one after the other into an archive, with the trails of what they find.

A unit has a start and a journal of flips. What the archive keeps of its reports is
rebuilt from these.
"""

from typing import NamedTuple, Protocol

import numpy as np

from paretoball.archive import Archive, Trail
from paretoball.landscape import Landscape, unpacked_bits
from paretoball.search.method import Block, Done, Stop
from paretoball.search.path.tasks import Task, Tasks
from paretoball.search.reporting import Reporting


class _Log(NamedTuple):
    """What is kept of a unit that has ended: its start, and all flips."""

    number: int
    start: np.ndarray  # packed bits
    flips: np.ndarray


class _Runner(Protocol):
    """What runs one unit at a time; `Searcher` says what its methods do."""

    landscape: Landscape  # the one that units search, maybe a twin
    reporting: Reporting

    def begin(self, archive: Archive, number: int, task: Task) -> np.ndarray: ...

    def go_on(
        self, archive: Archive, before: int, max_moves: int, stop: Stop
    ) -> bool: ...

    def journal(self) -> tuple[int, np.ndarray]: ...


def run_units(
    runner: _Runner,
    archive: Archive,
    block: Block,
    tasks: Tasks,
    max_moves: int,
    stop: Stop,
) -> Done:
    """Run the units of a block into the archive, while `stop(moves)` is false."""
    landscape = runner.landscape
    finished = moves = settled = 0
    logs: list[_Log] = []
    while finished < block.size and moves < max_moves:
        number = block.first + finished
        if stop(moves) and (finished or number or len(archive)):
            break
        task = tasks.row(finished, landscape.numbering)
        start = runner.begin(archive, number, task)
        is_over = runner.go_on(archive, moves, max_moves, stop)
        taken, flips = runner.journal()
        moves += taken
        logs.append(_Log(number, start, flips))
        if not is_over:
            break
        finished += 1
        settled = moves
    with runner.reporting.timed():
        archive.keep_trails(landscape.n, _trails(archive, logs, landscape))
    return Done(finished, moves, settled)


def _trails(
    archive: Archive, logs: list[_Log], landscape: Landscape
) -> dict[int, Trail]:
    """The parts of the units that the archive's reports need, by unit."""
    found = archive.points()
    trails = {}
    for log in logs:
        steps = np.sort(found.step[found.unit == log.number])
        steps = steps[steps <= len(log.flips)]  # others are from before
        if len(steps):
            x = unpacked_bits(log.start, landscape.n)
            trail = Trail.along(x, log.flips, steps, steps)
            trails[log.number] = trail.outward(landscape.numbering)
    return trails
