"""How busy are many workers, and what is it worth?

Units of a run are planned in rounds of `breadth` units, and two rounds are under way at
a time. One run for each breadth records how long each of its units takes on one core,
and the hypervolume after each. From these a simulation tells what so many workers would
have done: a worker takes the next unit as soon as it is planned, which is when all
units before the round ahead of it are done. `busy` is the share of their time that
workers work, until the last unit is handed out; `seconds` is how long they take for all
units, `alone` how long one worker takes for the same. `hypervolume` is what they have
after the seconds in `after`, as a share of what the run had in the end.

Units are run one at a time, so `seconds` has their share of merging and planning, too.
"""

import heapq
from typing import NamedTuple

import numpy as np

import paretoball as pb
from measuring import arguments, begin, note, printer
from paretoball.running import alone
from paretoball.running.run import Run
from paretoball.search import Block, Done

BREADTHS = (4, 8, 64, 1000)
WORKERS = (1, 2, 8, 64, 1000)
COLUMNS = "n,d,breadth,workers,units,alone,seconds,busy,speedup,after,hypervolume"


class Record(NamedTuple):
    """What one run did, unit by unit."""

    seconds: np.ndarray  # of each unit
    volumes: np.ndarray  # after each unit


def recorded(landscape: pb.Landscape, breadth: int, units: int, seed: int) -> Record:
    """One run on one core, a unit at a time."""
    times, volumes = [], []
    account, count = Run.account, alone.next_count

    def noting(run: Run, block: Block, done: Done) -> None:
        account(run, block, done)
        now = run.budget.elapsed()
        times.append(now)
        F = landscape.shown(run.archive.F)
        volumes.append(pb.hypervolume(F, landscape.mean, landscape.sense))
        run.budget.restart(now)  # what is noted takes no time

    Run.account = noting  # type: ignore[method-assign, assignment]
    alone.next_count = lambda *_: 1
    try:
        result = pb.solve(
            landscape, method="path", max_climbs=units, breadth=breadth, seed=seed
        )
    finally:
        Run.account = account  # type: ignore[method-assign]
        alone.next_count = count
    seconds = np.diff(np.array(times), prepend=result.setup_seconds)
    return Record(seconds, np.array(volumes))


def simulated(record: Record, workers: int, breadth: int) -> tuple[np.ndarray, float]:
    """When each unit ends, and the share of time that workers are busy."""
    units = len(record.seconds)
    ends = np.zeros(units)
    free = [0.0] * workers
    last_begin = 0.0
    for unit in range(units):
        round_ = unit // breadth
        known = (round_ - 1) * breadth  # units that must be done before it is planned
        planned = ends[:known].max(initial=0.0) if known > 0 else 0.0
        begins = max(heapq.heappop(free), planned)
        ends[unit] = begins + record.seconds[unit]
        last_begin = max(last_begin, begins)
        heapq.heappush(free, ends[unit])
    worked = np.clip(last_begin - (ends - record.seconds), 0, record.seconds).sum()
    return ends, float(worked / (workers * last_begin)) if last_begin else 1.0


def main() -> None:
    """Record a run for each breadth, and simulate workers."""
    parser = arguments(__doc__, seconds=0.0)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=12)
    options = begin(parser)
    n = 200 if options.quick else options.n
    write = printer(COLUMNS)
    landscape = pb.mnk(n=n, K=3, d=2, model="random", seed=1)
    for breadth in BREADTHS[:2] if options.quick else BREADTHS:
        units = breadth * (4 if breadth > 64 else options.rounds)
        note(f"breadth {breadth}, {units} units")
        record = recorded(landscape, breadth, units, seed=1)
        one = record.seconds.sum()
        for workers in WORKERS:
            if workers > breadth:
                continue
            ends, busy = simulated(record, workers, breadth)
            after = one / breadth
            done = int((np.maximum.accumulate(ends) <= after).sum())
            volume = record.volumes[done - 1] / record.volumes[-1] if done else 0.0
            row = [n, 2, breadth, workers, units, f"{one:.2f}", f"{ends.max():.2f}"]
            row += [f"{busy:.3f}", f"{one / ends.max():.1f}", f"{after:.2f}"]
            write([*row, f"{volume:.5f}"])


if __name__ == "__main__":
    main()
