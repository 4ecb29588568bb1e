"""Which search finds the better fronts? Runs of bench_search.py, method by method.

python benchmarks/summary.py                  prints how methods stand, and the bars
python benchmarks/summary.py --into PAGE      also puts both between the page's markers
python benchmarks/summary.py --judge path-2   holds this method to the bars

Methods are compared with the yardstick of a landscape or, where it has none, with
multi-start at the radius with the largest median: by the median of the ratios seed by
seed, and by the p-value of Wilcoxon's signed-rank test over the same runs, exact and
two-sided.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bars import Results
from bars_search import MULTISTART, SECTIONS, YARDSTICKS, two_threads
from standings import Field, Runs, pairs, seconds, signed_rank
from table import RESULTS, aligned, machine, put_between_markers, tally


class Standing(NamedTuple):
    """How one method stands on one landscape."""

    landscape: str
    method: str
    runs: str
    median: str  # share of the bound, points or fronts found, or hypervolume
    quartiles: str
    lowest_and_highest: str
    to_another: str
    p: str
    points: str
    to_93_percent: str
    until_whole: str
    note: str


def standings(field: Field) -> Iterator[Standing]:
    """A line for each landscape and method."""
    for landscape, methods in field.runs_of.items():
        best = field.best(landscape, *YARDSTICKS) or field.best(landscape, MULTISTART)
        for method, runs in methods.items():
            points = runs.points()
            yield Standing(
                landscape,
                method,
                str(len(runs.rows)),
                runs.shown(runs.median),
                runs.range(0.25, 0.75),
                runs.range(),
                *compared(runs, best),
                "" if points is None else f"{points:,.0f}",
                seconds(median(runs.times("to_93"))),
                seconds(median(runs.times("whole"))),
                runs.notes(),
            )


def compared(runs: Runs, best: Runs) -> tuple[str, str]:
    """The median of ratios, and the p-value."""
    both = pairs(runs, best).values()
    if runs is best or not both or any(b == 0 for _, b in both):
        return "", ""
    ratio = f"{median(a / b for a, b in both):.4f} × {best.method}"
    return ratio, f"{signed_rank([a - b for a, b in both]):.2g}"


def drawn(results: Results, judged: str) -> str:
    """How methods stand, and which bars one of them meets."""
    field = Field(results.rows("search"))
    if not field.runs_of:
        return f"There is no {results.folder / 'search.csv'}, or nothing in it."
    lines = [line for section in SECTIONS for line in section(field, judged)]
    lines.append(two_threads(results))
    bars = [f"Bars of {judged}:", aligned(lines), tally(lines)]
    return "\n\n".join([machine(results), aligned(list(standings(field))), *bars])


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=RESULTS, help="where CSV is")
    parser.add_argument("--judge", default="path", help="the method that has bars")
    parser.add_argument("--into", type=Path, help="a document with markers")
    options = parser.parse_args()
    tables = drawn(Results(options.results), options.judge)
    print(tables)
    if options.into is not None:
        put_between_markers(tables, options.into)


if __name__ == "__main__":
    main()
