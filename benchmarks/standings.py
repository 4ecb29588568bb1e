"""Standings: runs of bench_search.py by landscape and method, and how they compare."""

from collections import Counter
from functools import cached_property
from statistics import median

import numpy as np

from bars import Record, number

NEVER = float("inf")


class Runs:
    """Those of one method on one landscape."""

    def __init__(self, method: str, rows: list[Record]):
        self.method = method
        self.rows = {int(row["seed"]): row for row in rows}

    def __bool__(self) -> bool:
        return bool(self.rows)

    def fact(self, column: str) -> str:
        """What is the same in all of them."""
        return next(iter(self.rows.values()))[column]

    @cached_property
    def measure(self) -> str:
        """The column that tells how good they are."""
        columns = ("value", "found", "share", "hypervolume", "worst")
        rows = self.rows.values()
        there = (name for name in columns if any(row.get(name) for row in rows))
        return next(there, "hypervolume")

    @cached_property
    def scores(self) -> dict[int, float]:
        """By seed, how good each was; 0 for one that could not be made."""
        scores = {s: number(row, self.measure) or 0.0 for s, row in self.rows.items()}
        if self.measure == "found" and not self.is_counted:
            known = {s: number(row, "known") or 1.0 for s, row in self.rows.items()}
            return {seed: score / known[seed] for seed, score in scores.items()}
        return scores

    @cached_property
    def is_counted(self) -> bool:
        """Whether all of them look for the same number of points."""
        return len({row["known"] for row in self.rows.values()}) == 1

    @cached_property
    def median(self) -> float:
        """Of the scores."""
        return median(self.scores.values())

    def numbers(self, column: str) -> list[float]:
        """What a column holds in each, ascending, where it is not empty."""
        found = [number(row, column) for row in self.rows.values()]
        return sorted(each for each in found if each is not None)

    def times(self, column: str) -> list[float]:
        """Seconds until something was reached, ascending; endless where it was not."""
        seconds = [number(row, column) for row in self.rows.values()]
        return sorted(NEVER if x is None else x for x in seconds)

    def points(self) -> float | None:
        """The median size of fronts."""
        sizes = self.numbers("size")
        return median(sizes) if sizes else None

    def notes(self) -> str:
        """What rows say in words, each thing once, and how many do if not all."""
        counts = Counter(row["note"] for row in self.rows.values() if row["note"])
        runs = len(self.rows)
        return "; ".join(
            text if count == runs else f"{text} ({count} of {runs})"
            for text, count in counts.items()
        )

    def shown(self, score: float) -> str:
        """A score as readers want it."""
        if self.measure == "value":
            return f"{score:,.10g}"
        if self.measure == "found" and self.is_counted:
            return f"{score:g} of {self.fact('known')}"
        if self.measure == "hypervolume":
            return f"{score:.5g}"
        return f"{100 * score:.{3 if self.measure == 'share' else 2}f} %"

    def range(self, lowest: float = 0.0, highest: float = 1.0) -> str:
        """Between which scores so much of them lies."""
        ends = np.quantile(list(self.scores.values()), (lowest, highest))
        low, high = map(self.shown, ends.tolist())
        return low if low == high else f"{low} to {high}"


class Field:
    """All runs, by landscape and method."""

    def __init__(self, rows: list[Record]):
        self.runs_of: dict[str, dict[str, Runs]] = {}
        cases: dict[tuple[str, str], list[Record]] = {}
        for row in rows:
            cases.setdefault((row["landscape"], method_of(row)), []).append(row)
        for (landscape, method), mine in cases.items():
            self.runs_of.setdefault(landscape, {})[method] = Runs(method, mine)

    def runs(self, landscape: str, method: str) -> Runs:
        """Those of one method on one landscape, if there are any."""
        return self.runs_of.get(landscape, {}).get(method, Runs(method, []))

    def rivals(self, landscape: str, *names: str) -> list[Runs]:
        """Those of all methods with such names, at any radius."""
        methods = self.runs_of.get(landscape, {})
        return [runs for method, runs in methods.items() if method.startswith(names)]

    def best(self, landscape: str, *names: str) -> Runs:
        """Those of such a method that have the largest median."""
        rivals = self.rivals(landscape, *names)
        return max(rivals, key=lambda runs: runs.median, default=Runs("", []))


def method_of(row: Record) -> str:
    """The name of a method, with its radius."""
    return "-".join(filter(None, (row["method"], row["radius"])))


def seconds(time: float) -> str:
    """A time, if it was reached."""
    return "" if time == NEVER else f"{time:.2f} s"


def pairs(runs: Runs, others: Runs) -> dict[int, tuple[float, float]]:
    """The scores of both, by the seeds that both have."""
    seeds = sorted(runs.scores.keys() & others.scores.keys())
    return {seed: (runs.scores[seed], others.scores[seed]) for seed in seeds}


def signed_rank(differences: list[float]) -> float:
    """The two-sided p-value of Wilcoxon's test, exact; zeros do not count."""
    sizes = sorted(abs(x) for x in differences if x)
    rank = {size: 2 * sizes.index(size) + sizes.count(size) + 1 for size in sizes}
    ways = Counter({0: 1})  # to get a sum of positive ranks, which are doubled
    for size in sizes:
        ways += Counter({total + rank[size]: count for total, count in ways.items()})
    positive = sum(rank[x] for x in differences if x > 0)
    negative = sum(rank[-x] for x in differences if x < 0)
    tail = sum(ways[total] for total in ways if total <= min(positive, negative))
    return min(1.0, 2 * tail / 2 ** len(sizes))
