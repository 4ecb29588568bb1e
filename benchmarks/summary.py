"""Which search finds the better fronts? Runs of bench_search.py, method by method.

python benchmarks/summary.py                  prints how methods stand, and the bars
python benchmarks/summary.py --into PAGE      also puts both between the page's markers
python benchmarks/summary.py --judge path-3   holds this method to the bars

Methods are compared with multi-start at the radius with the largest median on that
landscape: by the ratio of the medians, and by the p-value of Wilcoxon's signed-rank
test over runs with the same seed, exact and two-sided.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bars import ABSENT, Line, Results, verdict
from standings import NEVER, Field, Runs, pairs, signed_rank
from table import RESULTS, aligned, machine, put_between_markers, tally

MULTISTART = "multistart"


class Standing(NamedTuple):
    """How one method stands on one landscape."""

    landscape: str
    method: str
    runs: str
    median: str  # share of the bound, points or fronts found, or hypervolume
    quartiles: str
    lowest_and_highest: str
    to_multi_start: str
    p: str
    points: str
    to_93_percent: str
    until_whole: str
    note: str


def standings(field: Field) -> Iterator[Standing]:
    """A line for each landscape and method."""
    for landscape, methods in field.runs_of.items():
        best = field.best(landscape, MULTISTART)
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
    """The ratio of medians, and the p-value."""
    if runs is best or not best or best.median == 0:
        return "", ""
    differences = [a - b for a, b in pairs(runs, best).values()]
    ratio = f"{runs.median / best.median:.4f} × {best.method}"
    return ratio, f"{signed_rank(differences):.2g}"


def seconds(time: float) -> str:
    """A time, if it was reached."""
    return "" if time == NEVER else f"{time:.2f} s"


def shares(field: Field, judged: str) -> Iterator[Line]:
    """How much of the bound is reached, and how soon most of it."""
    for name, bar, beyond in (("adjacent-10k", 0.995, 0.999),
                              ("adjacent-100k", 0.97, 0.99)):  # fmt: skip
        runs = field.runs(name, judged)
        measured, found = "", ABSENT
        if runs:
            measured = f"{runs.shown(runs.median)} ({runs.range()})"
            found = verdict(-runs.median, -bar, -beyond)
        asked = (f"≥ {100 * bar:g} %", f"≥ {100 * beyond:g} %")
        yield Line(f"{name}, share of the bound", *asked, measured, found)
    runs = field.runs("adjacent-10k", judged)
    measured, found = "", ABSENT
    if runs:
        times = runs.times("to_93")
        found = verdict(median(times), 6, 2)
        measured = seconds(median(times)) or "not reached"
        measured += f", slowest {seconds(times[-1]) or 'never'}"
    yield Line("adjacent-10k, 93 % of the bound", "≤ 6 s", "≤ 2 s", measured, found)


def ratios(field: Field, judged: str) -> Iterator[Line]:
    """Median against median."""
    cases = (
        ("random-10k", ("multistart-2",), "multistart-2", 1.17, 1.2),
        ("mubqp-200", (MULTISTART, "nsga2"), "multi-start and NSGA-II", 1.0, None),
    )
    for name, rivals, called, bar, beyond in cases:
        runs, rival = field.runs(name, judged), field.best(name, *rivals)
        measured, found = "", ABSENT
        if runs and rival and rival.median:
            ratio = runs.median / rival.median
            each = [a / b for a, b in pairs(runs, rival).values()]
            ends = f"seed by seed {min(each):.4f} to {max(each):.4f}" if each else ""
            measured = f"{ratio:.4f} × {rival.method} ({ends})"
            found = verdict(-ratio, -bar, None if beyond is None else -beyond)
        more = "" if beyond is None else f"≥ {beyond:g} ×"
        yield Line(f"{name}, median", f"≥ {bar:g} × {called}", more, measured, found)


def everywhere(field: Field, judged: str) -> Iterator[Line]:
    """Better than multi-start at every radius with every seed."""
    for name in ("adjacent-10k-d3", "random-1k-K5"):
        runs, rivals = field.runs(name, judged), field.rivals(name, MULTISTART)
        compared = {
            (a / b, f"{rival.method}, seed {seed}")
            for rival in rivals
            for seed, (a, b) in pairs(runs, rival).items()
            if b > 0 and rival.method != judged
        }
        measured, found = "", ABSENT
        if compared:
            ratio, where = min(compared)
            measured = f"at least {ratio:.4f} × ({where})"
            found = "met" if ratio > 1 else "missed"
            found = "beyond" if ratio >= 1.1 else found
            measured += "".join(
                f"; {rival.method}: {rival.notes()}"
                for rival in rivals
                if rival.notes()
            )
        what = f"{name}, every seed and radius"
        yield Line(what, "> 1 × multi-start", "≥ 1.1 ×", measured, found)


def whole_fronts(field: Field, judged: str) -> Iterator[Line]:
    """Whether fronts that are known are found whole, in the worst run."""
    runs = field.runs("maxcut-25", judged)
    measured, found = "", ABSENT
    if runs:
        times = runs.times("whole")
        measured = f"{runs.range()} points, whole after {seconds(median(times)) or '–'}"
        measured += f", slowest {seconds(times[-1]) or 'never'}"
        found = "met" if times[-1] < 1 else "missed"
    yield Line("maxcut-25, the whole front", "< 1 s, every seed", "", measured, found)
    runs = field.runs("small", judged)
    measured, found = "", ABSENT
    if runs:
        count = int(runs.fact("known"))
        fewest = min(runs.scores.values())
        measured = f"{runs.shown(runs.median)} ({runs.range()})"
        found = verdict(-fewest, -0.95 * count, -count)
    bar, beyond = "≥ 95 of 100, every seed", "all"
    yield Line("small, whole fronts in 1 s", bar, beyond, measured, found)


SECTIONS = (shares, ratios, everywhere, whole_fronts)


def drawn(results: Results, judged: str) -> str:
    """How methods stand, and which bars one of them meets."""
    field = Field(results.rows("search"))
    if not field.runs_of:
        return f"There is no {results.folder / 'search.csv'}, or nothing in it."
    lines = [line for section in SECTIONS for line in section(field, judged)]
    bars = [f"Bars of {judged}:", aligned(lines), tally(lines)]
    return "\n\n".join([machine(results), aligned(list(standings(field))), *bars])


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=RESULTS, help="where CSV is")
    parser.add_argument("--judge", default="path-2", help="the method that has bars")
    parser.add_argument("--into", type=Path, help="a document with markers")
    options = parser.parse_args()
    tables = drawn(Results(options.results), options.judge)
    print(tables)
    if options.into is not None:
        put_between_markers(tables, options.into)


if __name__ == "__main__":
    main()
