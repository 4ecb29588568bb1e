"""Bars for searches: what runs of bench_search.py are worth beside them.

A ratio is that of two runs with the same seed, on the same landscape; what is judged is
the median over seeds, unless a line says something else.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from bars import ABSENT, Line, Results, number, verdict
from standings import Field, Runs, pairs, seconds

MULTISTART = "multistart"
YARDSTICKS = ("anneal", "tabu")
RATIOS = (  # landscape, of whom, bar, beyond
    ("random-10k", "anneal", 1.0, 1.003),
    ("random-1k-K5", "anneal", 1.003, 1.01),
    ("regular-10k", "anneal", 1.006, None),
    ("cube-20", "anneal", 1.003, None),
    ("sat-5k", "anneal", 1.001, None),
    ("dense-1k-1s", "tabu", 0.999, 1.0),
    ("dense-1k-10s", "tabu", 1.0, 1.0001),
    ("dense-1k-60s", "tabu", 1.0, 1.0001),
    ("dense-2k-1s", "tabu", 0.999, 1.0),
    ("dense-2k-10s", "tabu", 1.0, 1.0001),
    ("dense-2k-60s", "tabu", 1.0, 1.0001),
    ("mubqp-200", MULTISTART, 1.0, None),
    ("random-10k", MULTISTART, 1.17, 1.2),
    ("random-1k-K5", MULTISTART, 1.0, 1.1),
    ("adjacent-10k-d3", MULTISTART, 1.0, 1.1),
)
WORST = (  # landscape, bar, beyond
    ("adjacent-10k-d3", 0.995, 0.999),
    ("adjacent-10k-d4", 0.99, 0.997),
    ("adjacent-10k-d6", 0.97, 0.99),
)
SHARES = (  # landscape, bar, beyond
    ("adjacent-10k", 0.99986, 0.99995),
    ("adjacent-100k", 0.97, 0.99),
    ("adjacent-1m", 0.97, 0.99),
)
WHOLE = (  # landscape, seconds of the slowest
    ("maxcut-25", 1.0),
    ("momaxcut-42", 5.0),
)
SAME = 0.9  # of all seeds
GOOD_CUT, BEST_CUT = 3_060, 3_064
GOOD_CUTS = 0.8  # of all seeds
FASTER = 1.8  # by a second thread


def ratios(field: Field, judged: str) -> Iterator[Line]:
    """Hypervolume against hypervolume, or against the area under a hull."""
    for name, rival, bar, beyond in RATIOS:
        runs, other = field.runs(name, judged), field.best(name, rival)
        each = [a / b for a, b in pairs(runs, other).values() if b]
        measured, found = "", ABSENT
        if each:
            middle = median(each)
            measured = f"{middle:.5f} × {other.method} ({spread(each, '.5f')})"
            found = reached(middle, bar, beyond)
        what = f"{name}, hypervolume"
        yield Line(
            what, f"≥ {bar:g} × {rival}", at_least(beyond, " ×"), measured, found
        )


def same_fronts(field: Field, judged: str) -> Iterator[Line]:
    """How many seeds lead to the same front."""
    runs = field.runs("mubqp-200", judged)
    measured, found = "", ABSENT
    if runs and all("digest" in row for row in runs.rows.values()):
        digests = Counter(row["digest"] for row in runs.rows.values())
        count, total = max(digests.values()), len(runs.rows)
        measured = f"{count} of {total}"
        found = reached(count / total, SAME, 1.0)
    yield Line("mubqp-200, the same front", "9 of 10 seeds", "all", measured, found)


def cuts(field: Field, judged: str) -> Iterator[Line]:
    """One objective: a good cut in seconds, the best known one in a minute."""
    runs, longer = (field.runs(name, judged) for name in ("g14", "g14-60s"))
    measured, found = "", ABSENT
    if runs:
        values = runs.numbers("value")
        good = sum(value >= GOOD_CUT for value in values)
        measured = f"{good} of {len(values)} ({spread(values, ',.0f')})"
        found = reached(good / len(values), GOOD_CUTS)
    if longer:
        values = longer.numbers("value")
        best = sum(value >= BEST_CUT for value in values)
        measured += f"; {BEST_CUT:,} in 60 s: {best} of {len(values)}"
        if found == "met" and 2 * best > len(values):
            found = "beyond"
    bar = f"≥ {GOOD_CUT:,} from 4 of 5 seeds"
    beyond = f"{BEST_CUT:,} in 60 s, from most"
    yield Line("g14, cut after 5 s", bar, beyond, measured, found)


def optima(field: Field, judged: str) -> Iterator[Line]:
    """Optima that are known, from every seed."""
    runs = field.runs("known-optima", judged)
    measured, found = "", ABSENT
    if runs:
        measured = runs.range()
        found = reached(min(runs.scores.values()), int(runs.fact("known")))
    yield Line("known-optima, in 1 s each", "all", "", measured, found)


def far_directions(field: Field, judged: str) -> Iterator[Line]:
    """The worst of 40 directions, from the worst seed."""
    for name, bar, beyond in WORST:
        runs = field.runs(name, judged)
        worst, middle = (runs.numbers(column) for column in ("worst", "middle"))
        measured, found = "", ABSENT
        if worst:
            measured = f"{spread(worst, '.4f')}; median {spread(middle, '.4f')}"
            found = reached(worst[0], bar, beyond)
        what = f"{name}, worst direction and seed"
        yield Line(what, at_least(bar), at_least(beyond), measured, found)


def shares(field: Field, judged: str) -> Iterator[Line]:
    """How much of the bound is reached."""
    for name, bar, beyond in SHARES:
        runs = field.runs(name, judged)
        measured, found = "", ABSENT
        if runs:
            measured = f"{runs.shown(runs.median)} ({runs.range()})"
            found = reached(runs.median, bar, beyond)
        asked = (f"≥ {100 * bar:g} %", f"≥ {100 * beyond:g} %")
        yield Line(f"{name}, share of the bound", *asked, measured, found)


def soon(field: Field, judged: str) -> Iterator[Line]:
    """How soon there is something to look at."""
    runs = field.runs("adjacent-10k", judged)
    yield timed("adjacent-10k, 93 % of the bound", runs, "to_93", 0.2, median)
    runs = field.runs("adjacent-1m", judged)
    yield timed("adjacent-1m, 100 points", runs, "to_100", 10, median)
    for name, bar in WHOLE:
        runs = field.runs(name, judged)
        yield timed(f"{name}, the whole front, slowest", runs, "whole", bar, max)


def timed(
    what: str,
    runs: Runs,
    column: str,
    bar: float,
    judge: Callable[[Sequence[float]], float],
) -> Line:
    """A line about times."""
    measured, found = "", ABSENT
    if runs:
        times = runs.times(column)
        measured = f"median {seconds(median(times)) or 'never'}"
        measured += f", slowest {seconds(times[-1]) or 'never'}"
        found = verdict(judge(times), bar)
    return Line(what, f"≤ {bar:g} s", "", measured, found)


def points_found(field: Field, judged: str) -> Iterator[Line]:
    """How much of a front is found, point by point."""
    runs = field.runs("adjacent-1k", judged)
    measured, found = "", ABSENT
    if runs:
        each = [float(row["found"]) / float(row["known"]) for row in runs.rows.values()]
        measured = f"{100 * median(each):.1f} % ({spread(each, '.1%')})"
        found = reached(median(each), 0.6, 0.95)
    what = "adjacent-1k, points of the front"
    yield Line(what, "≥ 60 %", "≥ 95 %", measured, found)
    runs = field.runs("small", judged)
    measured, found = "", ABSENT
    if runs:
        measured = f"{runs.shown(runs.median)} ({runs.range()})"
        found = reached(min(runs.scores.values()), int(runs.fact("known")))
    yield Line("small, whole fronts in 1 s", "all, every seed", "", measured, found)


SECTIONS = (
    ratios,
    same_fronts,
    cuts,
    optima,
    far_directions,
    shares,
    soon,
    points_found,
)


def two_threads(results: Results) -> Line:
    """The units of one run by two threads and by one, from bench_workers.py."""
    rows = results.rows("workers", method="path")
    speedups = [each for row in rows if (each := number(row, "speedup")) is not None]
    measured, found = "", ABSENT
    if speedups:
        measured = "; ".join(
            f"{row['landscape']}: {row['speedup']} ×, {row['one_s']} s against "
            f"{row['two_s']}"
            for row in rows
        )
        found = reached(min(speedups), FASTER)
    return Line("two threads, same units", f"≥ {FASTER} × one", "", measured, found)


def reached(value: float, bar: float, beyond: float | None = None) -> str:
    """What a value that should be large is worth."""
    return verdict(-value, -bar, None if beyond is None else -beyond)


def at_least(value: float | None, unit: str = "") -> str:
    """A bar in words, if there is one."""
    return "" if value is None else f"≥ {value:g}{unit}"


def spread(values: Sequence[float], form: str) -> str:
    """The smallest and the largest of some numbers."""
    low, high = (format(end(values), form) for end in (min, max))
    return low if low == high else f"{low} to {high}"
