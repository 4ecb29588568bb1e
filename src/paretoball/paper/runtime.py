"""The runtime experiment, Section 5.1: the time of a move, a start and the set-up."""

from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from paretoball.formats import write_table
from paretoball.paper.folder import Campaign, Row
from paretoball.paper.tables import deviation


class _Case(NamedTuple):
    """The averages of all runs of one n, d and radius."""

    n: int
    d: int
    radius: int
    runs: int
    us_per_move: float  # without the set-up that depends on the problem
    us_deviation: float  # of that, between runs; nan for a single one
    setup_ms: float
    start_ms: float
    archive_share: float  # of the search
    stored_moves: int  # |M^r|
    formula: int | str  # N(K^r - 1)/(K - 1), for the adjacent model with r ≤ N/K
    climbs: float
    moves: float
    size: float


def summary(campaign: Campaign) -> list[_Case]:
    """A line for each case that has finished runs."""
    plan = campaign.plan
    return [
        _averages(rows, _moves_by_formula(n, plan.K, r, plan.model))
        for d in plan.d
        for r in plan.radius
        for n in plan.n
        if (rows := campaign.runs_of(n, d, r))
    ]


def _averages(rows: list[Row], formula: int | str) -> _Case:
    """One case."""
    times = [row.us_per_move for row in rows]
    return _Case(
        *rows[0].case,
        runs=len(rows),
        us_per_move=fmean(times),
        us_deviation=deviation(times),
        setup_ms=1e3 * fmean(row.setup_seconds for row in rows),
        start_ms=1e3 * fmean(row.start_seconds for row in rows),
        archive_share=fmean(row.archive_seconds / row.seconds for row in rows),
        stored_moves=rows[0].stored_moves,
        formula=formula,
        climbs=fmean(row.climbs for row in rows),
        moves=fmean(row.moves for row in rows),
        size=fmean(row.size for row in rows),
    )


def _moves_by_formula(n: int, K: int, r: int, model: str | int) -> int | str:
    """The paper's number of stored moves, or nothing where it does not apply."""
    if model != "adjacent" or r * K > n:
        return ""
    return n * r if K == 1 else n * (K**r - 1) // (K - 1)


def report(campaign: Campaign) -> Iterator[str]:
    """Write `summary.csv`, and tell what is in it."""
    cases = summary(campaign)
    yield (
        f"{'d':>2} {'r':>2} {'n':>9}  {'µs a move':>15}  {'set-up':>9}  "
        f"{'start':>9}  {'archive':>7}  {'|M^r|':>11}  {'formula':>11}  runs"
    )
    for case in cases:
        spread = f"{case.us_per_move:.3f} ± {case.us_deviation:.3f}"
        formula = f"{case.formula:,}" if case.formula else "-"
        yield (
            f"{case.d:>2} {case.radius:>2} {case.n:>9,}  {spread:>15}  "
            f"{case.setup_ms:>6,.0f} ms  {case.start_ms:>6.2f} ms  "
            f"{case.archive_share:>7.1%}  {case.stored_moves:>11,}  "
            f"{formula:>11}  {case.runs:>4}"
        )
    write_table(campaign.folder / "summary.csv", _Case._fields, cases)
