"""What does the order of variables cost: a ring in order, shuffled, and left shuffled?

`ring` is the adjacent MNK landscape; `shuffled` has its variables numbered at random,
and the search gives them other numbers; `as given` keeps the random numbers. The three
take turns. A time per move is processor time, from the end of the first climb to the
end of the last, so that what else the machine does counts little.
"""

from statistics import median
from time import thread_time
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

import paretoball as pb
from measuring import ENDLESS, arguments, begin, compile_for, note, printer, seconds_of
from paretoball.running import worker

SIZES = (1_000, 10_000, 100_000, 1_000_000)
R, K, D, Q = 2, 3, 2, 100
COLUMNS = "order,n,K,d,r,us,ratio,setup_s,landscape_s"


class Measured(NamedTuple):
    """One run."""

    us: float  # per move
    setup: float  # seconds


def shuffled(landscape: pb.Landscape) -> pb.Landscape:
    """The same landscape with its variables numbered at random."""
    number = np.random.default_rng(5).permutation(landscape.n)
    given = landscape.subfunctions
    given = given._replace(masks=number[given.masks])
    return pb.Landscape.from_arrays(landscape.n, landscape.d, *given)


def climbed(landscape: pb.Landscape, seconds: float) -> Measured:
    """Whole climbs, for so many seconds of processor time, and at least two."""
    marks: list[tuple[float, int]] = []

    def look(state: Any) -> bool:
        marks.append((thread_time(), state.moves))
        return len(marks) > 1 and marks[-1][0] - marks[0][0] >= seconds

    result = pb.solve(
        landscape,
        "multistart",
        radius=R,
        seed=7,
        max_climbs=ENDLESS,
        callback=look,
        progress=False,
    )
    (began, before), (ended, moves) = marks[0], marks[-1]
    return Measured(1e6 * (ended - began) / (moves - before), result.setup_seconds)


def left_as_given(landscape: pb.Landscape, seconds: float) -> Measured:
    """The same with the numbers that variables have."""
    with patch.object(worker, "in_good_order", lambda landscape, pulse: landscape):
        return climbed(landscape, seconds)


def main() -> None:
    """Print a line of CSV for each n and order."""
    options = begin(arguments(__doc__, seconds=5, repeat=3))
    write = printer(COLUMNS)
    compile_for(D)
    for n in SIZES[:2] if options.quick else SIZES:
        ring_s, ring = seconds_of(pb.mnk, n, K, D, Q, "adjacent", 1)
        shuffled_s, other = seconds_of(shuffled, ring)
        cases = {
            "ring": (climbed, ring, ring_s),
            "shuffled": (climbed, other, shuffled_s),
            "as given": (left_as_given, other, shuffled_s),
        }
        runs: dict[str, list[Measured]] = {order: [] for order in cases}
        for turn in range(options.repeat):
            for order, (measure, landscape, _) in cases.items():
                note(f"n = {n:,}, {order}, turn {turn + 1}")
                runs[order].append(measure(landscape, options.seconds))
        least = median(run.us for run in runs["ring"])
        for order, (_, _, made) in cases.items():
            us = median(run.us for run in runs[order])
            setup = median(run.setup for run in runs[order])
            times = [f"{us:.3f}", f"{us / least:.2f}", f"{setup:.3f}", f"{made:.3f}"]
            write([order, n, K, D, R, *times])


if __name__ == "__main__":
    main()
