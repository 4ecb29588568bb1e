"""Which bars are met? The results of all benchmarks, each beside its bar.

python benchmarks/table.py                             prints the table
python benchmarks/table.py --into docs/performance.md  also puts it between the markers
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bars import ABSENT, Line, Results, number, verdict
from bars_dense import SECTIONS as DENSE

RESULTS = Path(__file__).parent / "results"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
SIZES, RADII = (10_000, 100_000), (1, 2, 3)
ARCHIVES = {2: 1_000_000, 3: 100_000, 5: 100_000}  # points by number of objectives
RIVALS = ("moarchiving", "list")  # as named in the columns of archive.csv
MOST_OF_MOARCHIVING = 4  # objectives that it knows
LARGE_ARCHIVE = 10_000  # points, without which three objectives are not judged
TOLERANCE = 0.2  # of the memory told
SLACK = 3  # from n to 4 n; a step that goes through all of a problem makes it 4


def against_yardstick(results: Results) -> Iterator[Line]:
    """Time per move with two objectives."""
    for n in SIZES:
        for r in RADII:
            row = results.row("yardstick", n=n, d=2, r=r)
            ratio, vector = number(row, "ratio"), number(row, "avx512_ratio")
            measured, found = "", verdict(ratio, 1.0)
            if row:
                measured = f"{row['package_us']} µs"
            if ratio is not None:
                measured = f"{ratio:.2f} × ({measured} against {row['yardstick_us']})"
                measured += f", {vector:.2f} × AVX-512" if vector else ", no AVX-512"
            if found == "met" and vector is not None and vector <= 1.3:
                found = "beyond"
            if row and ratio is None:
                found = "no yardstick"
            what = f"a move, d = 2, n = {n:,}, r = {r}"
            beyond = "≤ 1.3 × its AVX-512 build"
            yield Line(what, "≤ 1.0 × yardstick", beyond, measured, found)


def three_objectives(results: Results) -> Iterator[Line]:
    """Time per move with three objectives against two."""
    for n in SIZES:
        for r in RADII:
            row = results.row("objectives", n=n, r=r)
            measured, found = "", verdict(number(row, "ratio"), 2.0, 1.5)
            if row:
                points = int(row["d3_archive"])
                measured = (
                    f"{row['ratio']} × ({row['d3_us']} µs against {row['d2_us']}), "
                    f"archive of {points:,}"
                )
                if points < LARGE_ARCHIVE:
                    found = "small archive"
            what = f"a move, d = 3, n = {n:,}, r = {r}"
            yield Line(what, "≤ 2 × d = 2", "≤ 1.5 ×", measured, found)


def growth(results: Results) -> Iterator[Line]:
    """A million variables against 10,000."""
    for r in (1, 2):
        sizes = (1_000_000, 10_000)
        rows = [results.row("growth", n=n, K=3, d=2, r=r) for n in sizes]
        large, small = (number(row, "us") for row in rows)
        ratio, measured = None, ""
        if large is not None and small is not None:
            ratio = large / small
            measured = f"{ratio:.2f} × ({large:.3f} µs against {small:.3f})"
        what = f"a move, d = 2, n = 1,000,000, r = {r}"
        found = verdict(ratio, 3, 2)
        yield Line(what, "≤ 3 × n = 10,000", "≤ 2 ×", measured, found)


def memory(results: Results) -> Iterator[Line]:
    """The memory of a million variables, as told and as taken."""
    for r in (2, 3):
        row = results.row("memory", model="adjacent", n=1_000_000, r=r)
        told, error, measured = number(row, "predicted_per_move"), None, ""
        if told is not None:
            arrays, resident = (
                number(row, f"{kind}_per_move") for kind in ("arrays", "resident")
            )
            error = max(abs(told / each - 1) for each in (arrays, resident) if each)
            gib = float(row["peak_mib"]) / 1024
            measured = (
                f"{told:.1f} B told, {arrays:.1f} in arrays, {resident:.1f} resident; "
                f"peak {gib:.1f} GiB"
            )
        found = verdict(error, TOLERANCE)
        if r == 3 and found == "met" and float(row["peak_mib"]) < 8 * 1024:
            found = "beyond"
        what = f"memory per stored move, n = 1,000,000, r = {r}"
        beyond = "under 8 GiB" if r == 3 else ""
        yield Line(what, "runs; told within 20 %", beyond, measured, found)


def preparation(results: Results) -> Iterator[Line]:
    """Set-up of a landscape and start of a climb."""
    case = {"n": 100_000, "r": 3}
    row = results.row("setup", model="adjacent", **case)
    seconds, measured = number(row, "setup_s"), ""
    if seconds is not None:
        measured = f"{seconds:.2f} s, after {row['landscape_s']} s for the landscape"
    what = "set-up, n = 100,000, r = 3"
    yield Line(what, "≤ 1.5 s", "≤ 0.7 s", measured, verdict(seconds, 1.5, 0.7))
    row = results.row("yardstick", d=2, **case)
    ours, theirs = number(row, "package_start_ms"), number(row, "yardstick_start_ms")
    ratio, measured = None, ""
    if ours is not None:
        measured = f"{ours:.1f} ms"
    if ours is not None and theirs is not None:
        ratio = ours / theirs
        measured = f"{ratio:.2f} × ({measured} against {theirs:.1f})"
    found = verdict(ratio, 1.2, 0.995)
    if ours is not None and theirs is None:
        found = "no yardstick"
    what = "start of a climb, n = 100,000, r = 3"
    yield Line(what, "≤ 1.2 × yardstick", "faster", measured, found)


def problems(results: Results) -> Iterator[Line]:
    """Other problems than the ring, in the size asked for and four times that."""
    names = [row["problem"] for row in results.rows("problems")]
    for name in dict.fromkeys(names) or ["random model, 3-SAT, k = 10"]:
        if name == "ring":
            continue
        rows = results.rows("problems", problem=name)
        what, measured, found = name, "", ABSENT
        if len(rows) == 2:
            small, large = rows
            what = f"{name}, n = {int(small['n']):,}, r = {small['r']}"
            grows = max(float(large[f"{each}_growth"]) for each in ("us", "setup"))
            to_ring = float(small["to_ring"])
            measured = (
                f"{small['us']} µs a move, {small['ns']} ns per affected move, "
                f"{to_ring:.2f} × the ring; n to 4 n: {large['us_growth']} × a move, "
                f"{large['setup_growth']} × set-up per variable"
            )
            found = verdict(grows, SLACK)
            if found == "met" and to_ring <= 2:
                found = "beyond"
        bar = "no quadratic step"
        yield Line(what, bar, "≤ 2 × the ring per affected move", measured, found)


def archive(results: Results) -> Iterator[Line]:
    """Reports of points of which none dominates another."""
    for d, points in ARCHIVES.items():
        row = results.row("archive", shape="sphere", d=d, points=points)
        speed, measured, found = number(row, "reports_per_second"), "", ABSENT
        if speed is not None:  # it was compared with another way of finding the front
            ratios = {name: number(row, f"ours_to_{name}") for name in RIVALS}
            known = {name: x for name, x in ratios.items() if x is not None}
            told = [f", {x:,.1f} × {name}" for name, x in known.items()]
            measured = f"{speed:,.0f} reports/s" + "".join(told)
            expected = RIVALS if d <= MOST_OF_MOARCHIVING else RIVALS[1:]
            slower = all(known.get(name, 0) >= 10 for name in expected)
            found = "beyond" if slower else "met"
        what = f"archive, d = {d}, {points:,} points"
        beyond = "≥ 10 × moarchiving and a list"
        yield Line(what, "equals brute force", beyond, measured, found)


def command_line(results: Results) -> Iterator[Line]:
    """How soon the command line answers."""
    row = results.row("startup")
    seconds, measured = number(row, "help_s"), ""
    found = verdict(seconds, 0.25)
    if seconds is not None:
        loaded = row["help_loads_numba"] == "1"
        measured = f"{seconds:.2f} s, Numba {'' if loaded else 'not '}imported"
        found = "missed" if loaded else found
    bar = "≤ 0.25 s, no Numba"
    yield Line("`paretoball --help`", bar, "", measured, found)
    seconds = number(row, "solve_s")
    measured = "" if seconds is None else f"{seconds:.2f} s"
    found = verdict(seconds, 3.5, 2.5)
    what = "`solve --time 1`, fresh process"
    yield Line(what, "≤ 3.5 s in all", "≤ 2.5 s", measured, found)
    seconds, said = number(row, "compilation_s"), number(row, "said_s")
    measured, found = "", verdict(seconds, 25, 12)
    if seconds is not None:
        told = "not said" if said is None else f"said after {said:.1f} s"
        measured = f"{seconds:.1f} s, {told}"
        found = "missed" if said is None else found
    bar = "≤ 25 s, said on the screen"
    yield Line("first compilation", bar, "≤ 12 s", measured, found)


def workers(results: Results) -> Iterator[Line]:
    """Two threads against one, at the same climbs."""
    row = results.row("workers", n=100_000, r=2)
    speedup, measured = number(row, "speedup"), ""
    if speedup is not None:
        measured = f"{speedup:.2f} × ({row['one_s']} s against {row['two_s']})"
    found = verdict(None if speedup is None else 1 / speedup, 1 / 1.7)
    yield Line("two threads, n = 100,000, r = 2", "≥ 1.7 × one", "", measured, found)


SECTIONS = (
    against_yardstick,
    three_objectives,
    growth,
    memory,
    preparation,
    problems,
    *DENSE,
    archive,
    workers,
    command_line,
)


def machine(results: Results) -> str:
    """What the results were measured on."""
    row = results.row("machine")
    if not row:
        return "The machine was not noted."
    return (
        f"Measured on one core of {row['cores']} ({row['processor']}, "
        f"{row['memory_gib']} GiB, {row['system']}), with Python {row['python']}, "
        f"Numba {row['numba']} and NumPy {row['numpy']}."
    )


def drawn(results: Results) -> str:
    """The table in Markdown, and what it amounts to."""
    lines = [line for section in SECTIONS for line in section(results)]
    return "\n\n".join([machine(results), aligned(lines), tally(lines)])


def aligned(lines: Sequence[Any]) -> str:
    """Named tuples of texts as a table in Markdown, with columns in line."""
    names = [name.replace("_", " ") for name in lines[0]._fields]
    cells = [names, *lines]
    widths = [max(map(len, column)) for column in zip(*cells)]
    rows = ["| " + " | ".join(map(str.ljust, each, widths)) + " |" for each in cells]
    rows.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(rows)


def tally(lines: list[Line]) -> str:
    """How often there was which verdict."""
    counts = Counter(line.verdict for line in lines)
    parts = (f"{count} {found}" for found, count in counts.most_common())
    return f"In all: {', '.join(parts)}."


def put_between_markers(table: str, path: Path) -> None:
    """Rewrite the part of a document that the markers enclose."""
    before, rest = path.read_text().split(BEGIN)
    _, after = rest.split(END)
    path.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=RESULTS, help="where CSV is")
    parser.add_argument("--into", type=Path, help="a document with markers")
    options = parser.parse_args()
    table = drawn(Results(options.results))
    print(table)
    if options.into is not None:
        put_between_markers(table, options.into)


if __name__ == "__main__":
    main()
