"""Bars of dense and rugged landscapes, and of variables in disorder."""

from collections.abc import Iterator

from bars import ABSENT, Line, Record, Results, number, verdict

SIZES = (200, 1_000, 2_000, 5_000)
RUGGED = {"random, K = 5": 1_000, "3-SAT, ratio 4.2": 10_000}  # variables
MEMORY = 8  # GB


def told(row: Record) -> str:
    """Both sides, and their ratio."""
    if not row:
        return ""
    unit = "µs" if row["unit"] == "us" else row["unit"]
    ours, ratio = f"{shown(row['package'])} {unit}", number(row, "ratio")
    if ratio is None:
        return ours
    return f"{ratio:.2f} × ({ours} against {shown(row['other'])})"


def shown(cell: str) -> str:
    """A number of any size."""
    return f"{float(cell):,.0f}" if float(cell) >= 1_000 else f"{float(cell):.3f}"


def worth(row: Record, bar: float, beyond: float | None = None) -> str:
    """The verdict on a ratio that should be small, or what was missing."""
    ratio = number(row, "ratio")
    return row["beside"] if row and ratio is None else verdict(ratio, bar, beyond)


def dense(results: Results) -> Iterator[Line]:
    """A move on a dense QUBO against one of the tabu search in C++."""
    for n in SIZES:
        row = results.row("dense", what="dense QUBO", n=n)
        what = f"a move, dense QUBO, d = 2, n = {n:,}, r = 1"
        yield Line(
            what, "≤ 1.0 × tabu search", "≤ 0.5 ×", told(row), worth(row, 1, 0.5)
        )


def looks(results: Results) -> Iterator[Line]:
    """Looks of an escape against those of an annealer; G14 where it was there."""
    graphs = {row["what"]: None for row in results.rows("dense", unit="looks/s")}
    for name in graphs or ["MaxCut"]:
        for r in (1, 2):
            row = results.row("dense", what=name, r=r)
            ratio, found = number(row, "ratio"), worth(row, 1)
            if ratio is not None:
                found = verdict(1 / ratio, 1 / 0.5, 1)
            what = f"looks of an escape, {name}, n = 800, d = 1, r = {r}"
            yield Line(what, "≥ 0.5 × annealer", "≥ 1 ×", told(row), found)


def rugged(results: Results) -> Iterator[Line]:
    """The layout that is chosen against stencils, which were there before it."""
    for name, n in RUGGED.items():
        row = results.row("dense", what=name, n=n)
        what = f"a move, {name}, d = 2, n = {n:,}, r = 1"
        yield Line(what, "≤ 0.6 × stencils", "≤ 0.4 ×", told(row), worth(row, 0.6, 0.4))


def one_objective(results: Results) -> Iterator[Line]:
    """A move with one objective against one with two."""
    for r in (1, 2):
        row = results.row("dense", what="ring", n=10_000, r=r)
        what = f"a move, d = 1, n = 10,000, r = {r}"
        yield Line(what, "≤ 1.0 × d = 2", "", told(row), worth(row, 1))


def set_up_of_dense(results: Results) -> Iterator[Line]:
    """From matrices to a climber, and to the first climbs of the largest."""
    row = results.row("dense", what="set-up", n=2_000)
    found = verdict(number(row, "package"), 1)
    yield Line("matrices to climber, dense, n = 2,000", "≤ 1 s", "", told(row), found)
    row = results.row("dense", what="set-up and climbs", n=10_000)
    memory, measured, found = number(row, "peak_gb"), "", ABSENT
    if memory is not None:
        measured = f"peak {memory:.1f} GB, {told(row)} with 2 s of climbs"
        found = verdict(memory, MEMORY)
    what = "matrices to climbs, dense, n = 10,000"
    yield Line(what, f"runs in {MEMORY} GB", "", measured, found)


def order(results: Results) -> Iterator[Line]:
    """A ring whose variables were shuffled against the ring in order."""
    n = 1_000_000
    ring, row = (results.row("order", n=n, order=each) for each in ("ring", "shuffled"))
    ratio, measured = number(row, "ratio"), ""
    if ratio is not None:
        measured = f"{ratio:.2f} × ({row['us']} µs against {ring['us']})"
    what = f"a move, shuffled ring, d = 2, n = {n:,}, r = 2"
    found = verdict(ratio, 1.3, 1.1)
    yield Line(what, "≤ 1.3 × ring in order", "≤ 1.1 ×", measured, found)


SECTIONS = (dense, looks, rugged, one_objective, set_up_of_dense, order)
