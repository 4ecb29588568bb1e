"""Faults, by the hundred: kills, signals, damaged files, full disks, dying workers.

    PYTHONPATH=tests python tests/audits/faults.py --only kills --kills 200

Each trial is a function of its number, up to timing, so a violation can be repeated
alone: `python -c "import faults; print(faults.kill(17))"` in this folder.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, product

from counts import tell
from disturbed import LONG, NOTHING, Tally, added, tally
from faults_of_disks import (
    ERRORS,
    failing_calls,
    failing_disk,
    folder_deleted,
    folder_deleted_in_process,
    limited_size,
)
from faults_of_files import damage, damaged_cache
from faults_of_processes import kill, polite
from faults_of_workers import EXECUTORS, deadly_unit, kill_workers, same_archive

COUNTS = {
    "kills": 200,
    "signals": 200,
    "damages": 1000,
    "worker-kills": 100,
    "dask-kills": 100,
    "caches": 50,
}
FIXED = ("archives", "disks", "folders", "deadly")  # rows that are always whole
SIDE_BY_SIDE = ("kills", "signals")  # rows that mostly wait for other processes

Trial = Callable[[], Tally]


def trials_of(name: str, counts: dict[str, int]) -> Iterator[Trial]:
    """The trials of a row."""
    match name:
        case "kills":
            yield from numbered(kill, counts[name])
        case "signals":
            yield from numbered(polite, counts[name])
        case "damages":
            yield from numbered(damage, counts[name])
        case "worker-kills":
            yield from kills_of_workers(counts[name], "processes")
        case "dask-kills":
            yield from kills_of_workers(counts[name], "dask")
        case "archives":
            who = product(LONG, ("workers", *EXECUTORS), (1, 2, 4))
            yield from (partial(same_archive, *each) for each in who)
        case "disks":
            yield from failures_of_disks()
        case "folders":
            yield from (partial(folder_deleted, workers) for workers in (1, 2))
            yield from numbered(folder_deleted_in_process, 10)
        case "deadly":
            yield from (partial(deadly_unit, workers) for workers in (1, 2, 4))
        case "caches":
            yield from numbered(damaged_cache, counts[name])


def numbered(trial: Callable[[int], Tally], count: int) -> Iterator[Trial]:
    """Trials 0, 1, ... of a kind."""
    return (partial(trial, number) for number in range(count))


def kills_of_workers(kills: int, how: str) -> Iterator[Trial]:
    """Runs whose workers are killed, until so many were."""
    killed: list[int] = []
    case = LONG[1]._replace(limit=12_000)
    for number in count():
        if len(killed) >= kills:
            return
        yield partial(kill_workers, number, how, case=case, killed=killed)


def failures_of_disks() -> Iterator[Trial]:
    """Every call, once and from then on, each with an error; then files too large."""
    for links in (True, False):
        for call in range(1, failing_calls(links) + 2):
            for lasting in (False, True):
                error = ERRORS[call % len(ERRORS)]
                yield partial(failing_disk, call, error, lasting, links)
    yield from (partial(limited_size, most) for most in range(0, 8000, 83))


def attempted(trial: Trial) -> Tally:
    """The tally of a trial; an exception is a violation, too."""
    try:
        return trial()
    except Exception as error:  # whatever it is, the others go on
        return tally(["crashed"], [f"{trial}: {error!r}"])


def conducted(name: str, trials: Iterator[Trial]) -> Tally:
    """Run all trials of a row, telling how far it is and violations as they come."""
    total, told = NOTHING, time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        at_once = pool.map if name in SIDE_BY_SIDE else map
        for found in at_once(attempted, trials):
            total = added(total, found)
            for violation in found.violations:
                print(violation, file=sys.stderr, flush=True)
            if time.monotonic() - told > 20:
                told = time.monotonic()
                print(f"  {name}: {total.trials:,} trials", file=sys.stderr, flush=True)
    return total


def main() -> int:
    """Run the rows, print what each has counted; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in COUNTS.items():
        parser.add_argument(f"--{name}", type=int, default=default, dest=name)
    rows = (*COUNTS, *FIXED)
    parser.add_argument("--only", choices=rows, help="one row")
    options = vars(parser.parse_args())
    wrong = 0
    for name in [options["only"]] if options["only"] else rows:
        began = time.monotonic()
        total = conducted(name, trials_of(name, options))
        counts: dict[str, float] = {"trials": total.trials}
        counts |= sorted(total.seen.items())
        if total.seconds:
            counts["worst seconds"] = total.seconds
        counts["violations"] = len(total.violations)
        counts["seconds"] = round(time.monotonic() - began)
        tell(name, counts)
        wrong += len(total.violations)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
