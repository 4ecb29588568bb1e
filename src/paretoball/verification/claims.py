"""What a run says of itself, in its header and its trace, and whether that can be.

The reference point and the last hypervolume are computed again. Counts, limits and the
ending have to fit each other, the trace and the rows. Nobody can tell afterwards how
long a search took or what it drew at random: `unchecked` lists what is left.
"""

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from itertools import pairwise
from math import isfinite, prod
from typing import Any

import numpy as np

from paretoball.landscape import Landscape
from paretoball.running import (
    BY_COUNT,
    CLIMBS,
    ENDINGS,
    FEW_MOVES,
    INFEASIBLE,
    MOVES,
    NONE_FEASIBLE,
    NOT_SEARCHED,
    NOTHING_LEFT,
    PROVEN,
    TIME,
    UNDER_WAY,
    Arrays,
    Options,
    checked_options,
)
from paretoball.search import EXACT
from paretoball.system import brief, checked_whole
from paretoball.verification.sums import Sums
from paretoball.verification.volumes import MOST_OBJECTIVES, exact_hypervolume

MULTISTART, PATH = "multistart", "path"  # whose steps are moves, and flips
SECONDS, MOVED, CLIMBED, SIZE, VOLUME = range(5)  # the columns of a trace
CLOCK = 1e-6  # seconds by which sums of durations may differ
EARLY = (0.2, 1.25)  # seconds, and a factor: runs end a little before their time is up
ROUNDING = Fraction(1, 2**48)  # of coordinates, in a hypervolume of floats
SUMMING = Fraction(1, 10**9)  # of a hypervolume that is a sum of floats


def claim_failures(
    landscape: Landscape, header: dict[str, Any], arrays: Arrays, sums: Sums
) -> Iterator[str]:
    """What the header and the trace of a run file say that cannot be."""
    failures = list(_reference_failures(landscape, header, sums))
    failures += _emptiness_failures(header["status"], len(arrays["F"]))
    if header["status"] == NOT_SEARCHED:
        yield from (*failures, *_unsearched_failures(header, arrays))
        return
    if header["status"] in PROVEN:
        yield from (*failures, *_exact_failures(header, arrays))
        return
    failures += _trace_failures(header, arrays["trace"].tolist())
    try:
        options = _checked_config(landscape, header["config"])
    except (ValueError, TypeError, OverflowError) as error:
        failures.append(f"config: {error}")
    yield from failures
    if failures:
        return
    yield from _ending_failures(header, options)
    yield from _count_failures(header, arrays, options)
    yield from _step_failures(arrays, options)
    if "resume" not in header:
        yield from _last_row_failures(header, arrays, sums, options)


def unchecked(header: dict[str, Any], local: int) -> list[str]:
    """What of a run file has to be believed, if all else is well."""
    if header["status"] == NOT_SEARCHED:
        return []
    if header["status"] in PROVEN:
        return ["durations", "that no point of the front is missing"]
    believed = ["durations", "the trace before its last row"]
    if header["status"] not in BY_COUNT:
        believed.append("moves and climbs beyond those of the trace")
    if header["status"] in NOTHING_LEFT:
        believed.append("that no point of the front is missing")
    if header["status"] not in (*BY_COUNT, TIME, UNDER_WAY):
        believed.append("why the run ended")
    if "resume" in header:
        believed.append("the last row of a checkpoint's trace")
    elif len(header["sense"]) > MOST_OBJECTIVES:
        believed.append(f"the hypervolume of d = {len(header['sense'])} objectives")
    if not local:
        believed.append("local optima and the radius (--local R tests them)")
    return [*believed, "the seed, and that the search kept to its config"]


def _reference_failures(
    landscape: Landscape, header: dict[str, Any], sums: Sums
) -> Iterator[str]:
    """The reference point is the mean of f, as the nearest floats."""
    right = [
        float(mean / Fraction(scale))
        for mean, scale in zip(sums.means(), landscape.scale.tolist())
    ]
    if header["reference"] != right:
        yield f"reference says {header['reference']}, but the mean of f is {right}"


def _emptiness_failures(status: str, rows: int) -> Iterator[str]:
    """Where the whole front is known, it is empty if nothing is feasible, and only so.

    It is known by elimination, or because a search looked at all solutions.
    """
    is_known = status in (*PROVEN, *NOTHING_LEFT)
    if is_known and (status in (INFEASIBLE, NONE_FEASIBLE)) != (rows == 0):
        yield f"there are {rows} rows, but status is {status!r}"


def _unsearched_failures(header: dict[str, Any], arrays: Arrays) -> Iterator[str]:
    """A front that was saved without a search claims nothing of one."""
    nothing = {"moves": 0, "climbs": 0, "seconds": 0, "setup_seconds": 0, "config": {}}
    for name, value in (nothing | {"archive_seconds": 0, "bounded": False}).items():
        if header.get(name, value) != value:
            yield f"{name} is {brief(header[name])}, but status is {NOT_SEARCHED!r}"
    if len(arrays["trace"]):
        yield f"there is a trace, but status is {NOT_SEARCHED!r}"


def _exact_failures(header: dict[str, Any], arrays: Arrays) -> Iterator[str]:
    """A front that was found by elimination has its width, and no climb or move."""
    status = header["status"]
    for name in ("moves", "climbs", "setup_seconds", "archive_seconds", "bounded"):
        if header.get(name, 0) != 0:
            yield f"{name} is {brief(header[name])}, but status is {status!r}"
    if len(arrays["trace"]):
        yield f"there is a trace, but status is {status!r}"
    if not arrays["optimum"].all():
        yield f"a row is no local optimum, but status is {status!r}"
    config = header["config"]
    if set(config) != {"method", "width", "vectors"} or config["method"] != EXACT:
        yield f"config is {brief(config)}, which is not that of an exact front"
        return
    for name, least in (("width", 0), ("vectors", len(arrays["F"]))):
        try:
            checked_whole(name, config[name], least)
        except (ValueError, TypeError) as error:
            yield f"config: {error}"


def _trace_failures(header: dict[str, Any], trace: list[list[float]]) -> Iterator[str]:
    """Rows of the trace ascend, from 0 to what the header says."""
    if not trace:
        yield "there is no trace, but every search has one"
        return
    ends = [
        header["seconds"] + header["setup_seconds"] + CLOCK,
        header["moves"],
        header["climbs"],
    ]
    names = ("seconds", "moves", "climbs")
    for row, (before, here) in enumerate(pairwise([[0.0] * 3, *trace, ends])):
        for name, low, high in zip(names, before, here):
            if low > high:
                at = "the header" if row == len(trace) else f"row {row} of the trace"
                yield f"{name} falls from {low:g} to {high:g} in {at}"
    for row, values in enumerate(trace):
        if not all(value.is_integer() and value >= 0 for value in values[MOVED:VOLUME]):
            yield f"row {row} of the trace counts {values[MOVED:VOLUME]}"
        if values[VOLUME] < 0 or values[VOLUME] == float("inf"):
            yield f"row {row} of the trace has a hypervolume of {values[VOLUME]:g}"


def _checked_config(landscape: Landscape, config: dict[str, Any]) -> Options:
    """The options of a run, if they are some that a run can have."""
    names = {field.name for field in fields(Options)}
    missing, strange = names - set(config), set(config) - names
    if missing or strange:
        what = "lacks" if missing else "has an unknown"
        raise ValueError(f"it {what} {brief(min(missing or strange))}")
    for name, least in (("seed", 0), ("workers", 1), ("starts", 0)):
        checked_whole(name, config[name], least)
    options = checked_options(landscape, **config)
    for name, value in options.config().items():
        if config[name] != value:
            raise ValueError(f"{name} is {brief(config[name])}, not {brief(value)}")
    return options


def _ending_failures(header: dict[str, Any], options: Options) -> Iterator[str]:
    """The run ended by a limit that it had, and that it had reached."""
    status, moves, climbs = (header[name] for name in ("status", "moves", "climbs"))
    seconds = header["seconds"] + header["setup_seconds"]
    spent = {
        CLIMBS: (options.max_climbs, climbs),
        MOVES: (options.max_moves, moves),
        FEW_MOVES: (options.max_moves, climbs),
        TIME: (options.time_limit, EARLY[0] + EARLY[1] * seconds),
    }
    limit, reached = spent.get(status, (0, 0))
    if limit is None or reached < limit:
        yield (
            f"status is {status!r}, but the run has {climbs:,} climbs, {moves:,} moves "
            f"and {seconds:.3f} s of max_climbs = {options.max_climbs}, "
            f"max_moves = {options.max_moves} and time_limit = {options.time_limit}"
        )
    if status == UNDER_WAY and "resume" not in header:
        yield f"status is {status!r}, but this is no checkpoint"
    if header.get("bounded") and options.max_archive is None:
        yield "bounded is true, but there is no max_archive"


def _count_failures(
    header: dict[str, Any], arrays: Arrays, options: Options
) -> Iterator[str]:
    """Rows belong to climbs and moves that were made.

    The last row of the trace counts finished climbs, from the first on without a gap,
    and their moves. Rows of other climbs may come from workers that were ahead, except
    where a limit of climbs or moves ended the run.
    """
    status, climbs, moves = header["status"], header["climbs"], header["moves"]
    _, finished_moves, finished, *_ = arrays["trace"][-1, SECONDS:VOLUME].tolist()
    counts = [("the trace", finished, finished_moves)]
    if "resume" in header:
        settled, settled_moves = (
            header["resume"][name] for name in ("climbs", "moves")
        )
        counts.append(("resume", settled, settled_moves))
        if settled > climbs or settled_moves > moves:
            yield (
                f"resume has {settled:,} climbs and {settled_moves:,} moves, of "
                f"{climbs:,} and {moves:,} in all"
            )
    elif status in BY_COUNT:
        begun = climbs + (status == MOVES)
        last = int(arrays["climb"].max(initial=-1))
        counts.append(("the header", begun, moves))
        if last >= begun:
            yield f"climb {last} has a row, but only {begun:,} climbs were begun"
    if options.method == MULTISTART:
        for place, some, taken in counts:
            needed = _moves_of_rows(arrays, some)
            if needed > taken:
                yield (
                    f"{place} says {taken:,.0f} moves, but rows of its climbs "
                    f"have taken {needed:,}"
                )


def _moves_of_rows(arrays: Arrays, climbs: float) -> int:
    """The moves up to the last row of each of the first `climbs` climbs."""
    last: dict[int, int] = {}
    for climb, step in zip(arrays["climb"].tolist(), arrays["step"].tolist()):
        last[climb] = step
    return sum(step for climb, step in last.items() if climb < climbs)


def _step_failures(arrays: Arrays, options: Options) -> Iterator[str]:
    """From row to row of a climb, there are no more flips than its steps allow."""
    if options.method not in (MULTISTART, PATH):
        return
    climb, step = arrays["climb"], arrays["step"]
    flips = np.diff(arrays["flip_at"])[1:]
    steps = np.diff(step)
    if options.method == MULTISTART:
        wrong = -(-flips // options.radius) > steps
    else:
        wrong = (flips > steps) | ((steps - flips) % 2 == 1)
    for row in np.flatnonzero(wrong & (climb[1:] == climb[:-1])).tolist():
        yield (
            f"climb {climb[row]} flips {flips[row]} variables from step {step[row]} to "
            f"step {step[row + 1]}, which no search of radius {options.radius} does"
        )


def _last_row_failures(
    header: dict[str, Any], arrays: Arrays, sums: Sums, options: Options
) -> Iterator[str]:
    """The trace of a run that has ended ends with its front and its counts."""
    last, F = arrays["trace"][-1].tolist(), arrays["F"]
    if last[SIZE] != len(F):
        yield f"the trace ends with {last[SIZE]:,.0f} rows, but there are {len(F):,}"
    if options.max_archive is not None and len(F) > options.max_archive:
        yield f"there are {len(F):,} rows, but max_archive is {options.max_archive:,}"
    both = ("moves", "climbs")
    exact = dict.fromkeys(BY_COUNT, both) | {MOVES: ("climbs",)}
    columns = {"moves": MOVED, "climbs": CLIMBED}
    for name in exact.get(header["status"], ()):
        if last[columns[name]] != header[name]:
            yield (
                f"{name} is {header[name]:,}, but the trace ends with "
                f"{last[columns[name]]:,.0f}"
            )
    if len(sums.signs) <= MOST_OBJECTIVES and last[SIZE] == len(F):
        yield from _volume_failures(header, F, sums, last[VOLUME])


def _volume_failures(
    header: dict[str, Any], F: np.ndarray, sums: Sums, found: float
) -> Iterator[str]:
    """The hypervolume is that of the front, but for the rounding of floats."""
    if len(F) == 0:
        if found != 0:
            yield f"the trace ends with a hypervolume of {found}, but there are no rows"
        return
    reference = header["reference"]
    right = exact_hypervolume(F.tolist(), reference, sums.signs)
    sizes, sides = [], []
    for column, start in zip(F.T.tolist(), reference):
        ends = [Fraction(value) for value in (min(column), max(column), start)]
        sizes.append(max(abs(value) for value in ends))
        sides.append(max(abs(value - ends[-1]) for value in ends))
    surface = sum(
        size * prod(sides[:i] + sides[i + 1 :]) for i, size in enumerate(sizes)
    )
    slack = SUMMING * right + ROUNDING * surface
    if not isfinite(found) or abs(Fraction(found) - right) > slack:
        yield f"the trace ends with a hypervolume of {found}, but it is {float(right)}"


def ending_remarks(header: dict[str, Any]) -> Iterator[str]:
    """What to know of how the run ended."""
    if header["status"] not in ENDINGS:
        yield f"its status is that of a run that failed: {brief(header['status'])}"
