"""How good are the fronts of each search method in the same time?

On every landscape of cases.py, all methods and yardsticks get the same seconds of one
core, set-up included and compilation not; for each seed they take turns, so that
whatever else the machine does meets them all. A seed is that of the run, and of the
landscape where that is made here. `cpu` tells how much of the core a run had: where
that is much less than `seconds`, others had the rest. Hypervolumes start at the mean of
f; that of `anneal` is the area under the hull of its points. `share` is that of a bound
that no front exceeds, where one is known, `to_93` the seconds until 93 % of it were
reached, and `to_100` those until there were 100 points.

Where the front itself is known, it is the bound, `found` tells how many of its `known`
points a run had, and `whole` after how many seconds it had them all, where it ends. It
looks after blocks of climbs, at most ten times a second, so it may have been earlier.
`small` is a hundred landscapes of up to 20 variables, a second each, whose fronts come
from all 2^n solutions: `known` are landscapes, `found` those whose front was found
whole, `whole` the median of the seconds that this took. `known-optima` are files with
one objective, and likewise.

`value` is the best value of a single objective. `worst` and `middle` are the smallest
and the median share of the exact optimum in 40 directions, from the mean of f, with
three objectives and more. Fronts with the same `digest` are the same.

All of it takes hours. With `--only`, several processes can share the landscapes; their
tables, one after the other, make one.
"""

import argparse
import csv
import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import paretoball as pb
from bounds import bound_of
from cases import (
    BOUNDED,
    CASES,
    DIRECTED,
    NEEDS_FILES,
    OPTIMA,
    SMALL,
    landscape_of,
)
from contenders import Method, Outcome, points, run, volume_of
from directions import optima, worst_and_median
from instances import OUTSIDE, Instance, known_optima, made, small_ones
from measuring import QUICK_SECONDS, arguments, begin, note, printer
from paretoball.archive.points import Points
from ring_front import ring_front
from rivals import RIVALS

SMALL_ONES, QUICK_ONES = (100, 20), (5, 12)  # how many, of up to how many variables
WARM_UP = 0.1  # seconds, for what is loaded when first used
MUCH = 0.93  # of the bound
SOME = 100  # points
REPEATED = "mubqp-200"  # the same for all seeds, its front not known
SPACING = 1.1  # from one row of a saved trace to the next, at least
CASE = "landscape,n,d,method,radius,seed"
COLUMNS = (
    f"{CASE},seconds,cpu,setup,hypervolume,bound,share,size,climbs,moves,evaluations,"
    "to_93,to_100,known,found,whole,value,worst,middle,digest,note"
)
TRACE_COLUMNS = f"{CASE},seconds,hypervolume,share"

Row = list[Any]
Write = Callable[[Row], None]


class Right(NamedTuple):
    """What is known of the best fronts of an instance."""

    bound: float | None = None  # that no hypervolume exceeds
    optima: list[int] | None = None  # in each direction, inside


def options_given() -> argparse.Namespace:
    """The options, with landscapes and methods as lists."""
    parser = arguments(__doc__)
    option = parser.add_argument
    option("--only", default=",".join(CASES), help="cases, by default %(default)s")
    option("--methods", help="on every landscape; by default those of cases.py")
    option("--yardsticks", default="anneal,tabu", help="of anneal,tabu,front")
    option("--radius", type=int, help="of methods that do not say theirs")
    option("--seconds", type=float, help="of each run; by default those of cases.py")
    option("--seeds", type=int, default=10, help="runs of each method")
    option("--first-seed", type=int, default=1)
    option("--data", type=Path, help=f"the folder with files of {list(NEEDS_FILES)}")
    option("--traces", type=Path, help="a folder for traces.csv, hypervolumes by time")
    seconds = parser.parse_args().seconds
    options = begin(parser)
    options.seconds = QUICK_SECONDS if options.quick else seconds
    options.only = options.only.split(",")
    if unknown := set(options.only) - set(CASES):
        parser.error(f"no landscape is called {unknown}, there is {', '.join(CASES)}")
    options.yardsticks = [name for name in options.yardsticks.split(",") if name]
    if unknown := set(options.yardsticks) - set(RIVALS):
        parser.error(f"no yardstick is called {unknown}, there is {', '.join(RIVALS)}")
    count = 1 if options.quick else options.seeds
    options.seeds = range(options.first_seed, options.first_seed + count)
    return options


def contenders(name: str, options: argparse.Namespace) -> list[Method]:
    """Who takes part in a case."""
    case = CASES[name]
    chosen = options.methods.split(",") if options.methods else case.methods
    yardsticks = [each for each in case.yardsticks if each in options.yardsticks]
    return [Method.called(text, options.radius) for text in (*chosen, *yardsticks)]


def instance_of(name: str, seed: int, options: argparse.Namespace) -> Instance:
    """The landscape of a case, with its front where that can be had."""
    called = landscape_of(name)
    if called in OUTSIDE:
        return OUTSIDE[called](options.data)
    instance = made(called, seed, options.quick)
    if called == "adjacent-1k":
        return instance._replace(front=ring_front(instance.landscape, K=3))
    return instance


def right_of(instance: Instance) -> Right:
    """What the best fronts are compared with."""
    landscape = instance.landscape
    if instance.front is not None:
        return Right(bound=volume_of(instance.front, landscape))
    if instance.name in DIRECTED:
        return Right(optima=optima(landscape))
    return Right(bound_of(landscape) if instance.name in BOUNDED else None)


def compare(name: str, options: argparse.Namespace, write: Write, trace: Write) -> None:
    """Run all methods with all seeds, and write a row for each run."""
    seconds = options.seconds or CASES[name].seconds
    methods, warm = contenders(name, options), False
    everything: dict[Method, list[np.ndarray]] = {}
    for seed in options.seeds:
        instance = instance_of(name, seed, options)
        right = right_of(instance)
        for method in methods if not warm else ():
            run(method, instance, WARM_UP, 0)
        warm = True
        for method in methods:
            note(f"{name}, {method}, seed {seed}")
            found = run(method, instance, seconds, seed)
            n, d = instance.landscape.n, instance.landscape.d
            case = [name, n, d, method.name, method.radius, seed]
            write(case + told(instance, found, right))
            if found.F is not None and landscape_of(name) == REPEATED:
                everything.setdefault(method, []).append(found.F)
            began = found.moves or found.evaluations
            if began and instance.front is None:  # others end when they have it
                for moment, volume in thinned(found.trace):
                    share = volume / right.bound if right.bound else None
                    numbers = (f"{moment:.3f}", f"{volume:.6g}", shown(share, 5))
                    trace([*case, *numbers])
    if landscape_of(name) == REPEATED:
        for method, fronts in everything.items():
            note(f"{name}, {method}: {in_common(fronts, instance.landscape)}")


def in_common(fronts: list[np.ndarray], landscape: pb.Landscape) -> str:
    """How much of the front of all runs together each of them had."""
    archive = pb.Archive(landscape.d)
    for F in fronts:
        inside = landscape.inside(F)
        archive.take_in(Points.tagged(inside, np.zeros((len(F), 3), np.int64)))
    best = points(landscape.shown(archive.F))
    had = ", ".join(str(len(best & points(F))) for F in fronts)
    return f"of {len(best)} points of all runs, {had}"


def told(instance: Instance, found: Outcome, right: Right) -> Row:
    """What a row tells of a run."""
    share, soon, many = None, None, None
    known: tuple[Any, Any] = ("", "")
    if right.bound is not None and found.volume is not None:
        share = found.volume / right.bound
        enough = MUCH * right.bound
        soon = next((row[0] for row in found.trace if row[2] >= enough), None)
    many = next((row[0] for row in found.trace if row[1] >= SOME), None)
    value, digest = "", ""
    reached: tuple[float | None, float | None] = (None, None)
    if found.F is not None:
        digest = digest_of(found.F)
        if instance.landscape.d == 1:
            value = found.F[0, 0]
        if right.optima is not None:
            reached = worst_and_median(found.F, instance.landscape, right.optima)
        if instance.front is not None:
            wanted = points(instance.front)
            known = len(wanted), len(wanted & points(found.F))
        elif instance.known is not None and found.whole is not None:
            known = instance.known.size, found.size
    return [
        f"{found.seconds:.2f}" if found.seconds else "",
        f"{found.cpu:.2f}" if found.cpu else "",
        f"{found.setup:.2f}" if found.setup else "",
        "" if found.volume is None else f"{found.volume:.10g}",
        "" if right.bound is None else f"{right.bound:.10g}",
        shown(share, 6),
        found.size or "",
        found.climbs or "",
        found.moves or "",
        found.evaluations or "",
        shown(soon),
        shown(many),
        *known,
        shown(found.whole),
        value,
        *(shown(each, 5) for each in reached),
        digest,
        found.note,
    ]


def digest_of(F: np.ndarray) -> str:
    """A short text that is the same for the same front."""
    ordered = F[np.lexsort(F.T[::-1])]
    return hashlib.sha256(repr(ordered.tolist()).encode()).hexdigest()[:8]


def compare_group(name: str, options: argparse.Namespace, write: Write) -> None:
    """The same on many landscapes, with a row for all of them."""
    limit = min(options.seconds or CASES[name].seconds, CASES[name].seconds)
    chosen = group(name, options.quick, options.data)
    for seed, method in product(options.seeds, contenders(name, options)):
        note(f"{name}, {method}, seed {seed}")
        runs = [run(method, instance, limit, seed) for instance in chosen]
        whole = [found.whole for found in runs if found.whole is not None]
        sizes, objectives = zip(*((one.landscape.n, one.landscape.d) for one in chosen))
        case = [name, max(sizes), max(objectives), method.name, method.radius, seed]
        sums = [sum(one) for one in zip(*((f.climbs, f.moves) for f in runs))]
        seconds = f"{sum(found.seconds for found in runs):.2f}"
        counts = [len(runs), len(whole), shown(median(whole) if whole else None)]
        missed = [one.name for one, f in zip(chosen, runs) if f.whole is None]
        ending = [*[""] * 4, f"missed {'; '.join(missed)}" if missed else ""]
        write([*case, seconds, *[""] * 6, *sums, "", "", "", *counts, *ending])


@cache
def group(name: str, quick: bool, data: Path | None) -> list[Instance]:
    """The landscapes of a group with their fronts, once they are needed."""
    note(f"the fronts of {name}")
    if name == OPTIMA:
        assert data is not None
        return known_optima(data)
    return list(small_ones(*QUICK_ONES if quick else SMALL_ONES))


def shown(number: float | None, digits: int = 3) -> str:
    """A number for a table, or nothing."""
    return "" if number is None else f"{number:.{digits}f}"


def thinned(trace: Any) -> Iterator[tuple[float, float]]:
    """Rows in which the hypervolume is known, the later the further apart."""
    known = [(row[0], row[2]) for row in trace if row[2] == row[2]]  # not nan
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
    for name in options.only:
        if landscape_of(name) in NEEDS_FILES and options.data is None:
            note(f"{name} is left out: --data does not tell where its files are")
        elif name in (SMALL, OPTIMA):
            compare_group(name, options, write)
        else:
            compare(name, options, write, trace)


if __name__ == "__main__":
    main()
