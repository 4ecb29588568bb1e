"""How good are the fronts of each search method in the same time?

Every method gets the same landscapes, the same seeds and the same seconds of one core,
set-up included and compilation not; for each seed the methods take turns, so that
whatever else the machine does meets them all. Hypervolumes start at the mean of f.
`share` is that of a bound that no front exceeds, where one is known, and `to_93` the
seconds until 93 % of it were reached.

Where the front itself is known, it is the bound, `found` tells how many of its `known`
points a run had, and `whole` after how many seconds it had them all, where it ends. It
looks after blocks of climbs, at most ten times a second, so it may have been earlier.
`small` is a hundred landscapes of up to 20 variables, a second each, whose fronts come
from all 2^n solutions: `known` are landscapes, `found` those whose front was found
whole, `whole` the median of the seconds that this took.

All of it takes hours. With `--only`, several processes can share the landscapes; their
tables, one after the other, make one.
"""

import argparse
import csv
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

from bounds import bound_of
from contenders import EVOLUTION, Method, Outcome, points, run, volume_of
from instances import MADE, OUTSIDE, Instance, made, small_ones
from measuring import arguments, begin, note, printer

SMALL, SMALL_SECONDS = "small", 1.0
SMALL_ONES, QUICK_ONES = (100, 20), (5, 12)  # how many, of up to how many variables
BOUNDED = ("adjacent-10k", "adjacent-100k")  # narrow, with two objectives
EVOLVED = ("mubqp-200",)  # where NSGA-II takes part
NAMES = (*MADE, *OUTSIDE, SMALL)
METHODS = f"path,multistart-1,multistart-2,multistart-3,{EVOLUTION}"
WARM_UP = 0.1  # seconds, for what is loaded when first used
MUCH = 0.93  # of the bound
SPACING = 1.1  # from one row of a saved trace to the next, at least
CASE = "landscape,n,d,method,radius,seed"
COLUMNS = (
    f"{CASE},seconds,setup,hypervolume,bound,share,size,climbs,moves,evaluations,"
    "to_93,known,found,whole,note"
)
TRACE_COLUMNS = f"{CASE},seconds,hypervolume,share"

Row = list[Any]
Write = Callable[[Row], None]


def options_given() -> argparse.Namespace:
    """The options, with landscapes and methods as lists."""
    parser = arguments(__doc__, seconds=60.0)
    option = parser.add_argument
    option("--only", default=",".join(NAMES), help="landscapes, by default %(default)s")
    option("--methods", default=METHODS, help="by default %(default)s")
    option("--radius", type=int, default=2, help="of methods that do not say theirs")
    option("--seeds", type=int, default=10, help="runs of each method")
    option("--first-seed", type=int, default=1)
    option("--data", type=Path, help=f"the folder with the files of {list(OUTSIDE)}")
    option("--traces", type=Path, help="a folder for traces.csv, hypervolumes by time")
    options = begin(parser)
    options.only = options.only.split(",")
    if unknown := set(options.only) - set(NAMES):
        parser.error(f"no landscape is called {unknown}, there is {', '.join(NAMES)}")
    methods = options.methods.split(",")
    options.methods = [Method.called(text, options.radius) for text in methods]
    count = 1 if options.quick else options.seeds
    options.seeds = range(options.first_seed, options.first_seed + count)
    return options


def instances(options: argparse.Namespace) -> Iterator[Instance]:
    """The landscapes asked for, one at a time, but for the small ones."""
    for name in options.only:
        if name in MADE:
            yield made(name, 1, options.quick)
        elif name in OUTSIDE and options.data is None:
            note(f"{name} is left out: --data does not tell where its files are")
        elif name in OUTSIDE:
            yield OUTSIDE[name](options.data)


def bound_for(instance: Instance) -> float | None:
    """What the hypervolume cannot exceed, if that is known."""
    if instance.front is not None:
        return volume_of(instance.front, instance.landscape)
    return bound_of(instance.landscape) if instance.name in BOUNDED else None


def compare(
    instance: Instance, options: argparse.Namespace, write: Write, trace: Write
) -> None:
    """Run all methods with all seeds, and write a row for each run."""
    bound = bound_for(instance)
    methods = [
        method
        for method in options.methods
        if method.name != EVOLUTION or instance.name in EVOLVED
    ]
    for method in methods:
        run(method, instance, WARM_UP, 0)
    for seed, method in product(options.seeds, methods):
        note(f"{instance.name}, {method}, seed {seed}")
        found = run(method, instance, options.seconds, seed)
        n, d = instance.landscape.n, instance.landscape.d
        case = [instance.name, n, d, method.name, method.radius, seed]
        write(case + told(instance, found, bound))
        began = found.moves or found.evaluations
        if began and instance.front is None:  # others end when they have it
            for seconds, volume in thinned(found.trace):
                share = volume / bound if bound else None
                numbers = (f"{seconds:.3f}", f"{volume:.6g}", shown(share, 5))
                trace([*case, *numbers])


def told(instance: Instance, found: Outcome, bound: float | None) -> Row:
    """What a row tells of a run."""
    if found.F is None:
        return [""] * 13 + [found.note]
    volume = volume_of(found.F, instance.landscape)
    share, soon = None, None
    known: tuple[int | None, int | None] = (None, None)
    if bound is not None:
        share = volume / bound
        soon = next((row[0] for row in found.trace if row[1] >= MUCH * bound), None)
    if instance.front is not None:
        wanted = points(instance.front)
        known = len(wanted), len(wanted & points(found.F))
    return [
        f"{found.seconds:.2f}",
        f"{found.setup:.2f}",
        f"{volume:.10g}",
        "" if bound is None else f"{bound:.10g}",
        shown(share, 6),
        len(found.F),
        found.climbs or "",
        found.moves or "",
        found.evaluations or "",
        shown(soon),
        *known,
        shown(found.whole),
        found.note,
    ]


def compare_small(options: argparse.Namespace, write: Write) -> None:
    """The same on many landscapes, with a row for all of them."""
    limit = min(options.seconds, SMALL_SECONDS)
    methods = [method for method in options.methods if method.name != EVOLUTION]
    for seed, method in product(options.seeds, methods):
        chosen = small_instances(*QUICK_ONES if options.quick else SMALL_ONES)
        note(f"{SMALL}, {method}, seed {seed}")
        runs = [run(method, instance, limit, seed) for instance in chosen]
        whole = [found.whole for found in runs if found.whole is not None]
        sizes, objectives = zip(*((one.landscape.n, one.landscape.d) for one in chosen))
        case = [SMALL, max(sizes), max(objectives), method.name, method.radius, seed]
        sums = [sum(one) for one in zip(*((f.climbs, f.moves) for f in runs))]
        seconds = f"{sum(found.seconds for found in runs):.2f}"
        counts = [len(runs), len(whole), shown(median(whole) if whole else None)]
        write([*case, seconds, *[""] * 5, *sums, "", "", *counts, ""])


@cache
def small_instances(count: int, largest: int) -> list[Instance]:
    """The small landscapes with their fronts, once they are needed."""
    note("the fronts of small landscapes, by brute force")
    return list(small_ones(count, largest))


def shown(number: float | None, digits: int = 3) -> str:
    """A number for a table, or nothing."""
    return "" if number is None else f"{number:.{digits}f}"


def thinned(trace: Any) -> Iterator[tuple[float, float]]:
    """Rows in which the hypervolume is known, the later the further apart."""
    known = [row for row in trace if row[1] == row[1]]  # not nan
    last = 0.0
    for row in known:
        if row[0] >= SPACING * last or row is known[-1]:
            yield row
            last = row[0]


def trace_writer(folder: Path | None) -> Write:
    """Write rows to traces.csv in this folder, if there is one."""
    if folder is None:
        return lambda row: None
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / "traces.csv").open("w", newline="", buffering=1)
    table = csv.writer(file, lineterminator="\n")
    table.writerow(TRACE_COLUMNS.split(","))
    return table.writerow


def main() -> None:
    """Print a row for each run as soon as it has ended."""
    options = options_given()
    write = printer(COLUMNS)
    trace = trace_writer(options.traces)
    for instance in instances(options):
        compare(instance, options, write, trace)
    if SMALL in options.only:
        compare_small(options, write)


if __name__ == "__main__":
    main()
