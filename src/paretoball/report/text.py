"""A landscape, a result and a front, in a few lines of text."""

from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np

from paretoball.climber import (
    climber_memory,
    counted_moves,
    default_radius,
    seconds_for_radius_2,
)
from paretoball.exact import MAX_WIDTH, width_of
from paretoball.landscape import (
    Constraints,
    Landscape,
    default_names,
    senses_in_words,
    shown_name,
    some_labels,
)
from paretoball.quality import EASY
from paretoball.running import PROVEN, Result
from paretoball.system import available_memory, brief, counted, readable_bytes

RADII = (1, 2, 3, 4)
PATIENCE = 5.0  # seconds to count the moves of one radius
WORK = 10**9  # the most candidates for moves of four variables that are counted
SHOWN = 8  # objectives that are told one by one
WIDTH, HEIGHT = 60, 16  # of a front drawn with characters


class _OutOfPatience(Exception):
    """Counting took too long."""


def landscape_lines(landscape: Landscape) -> Iterator[str]:
    """What a landscape is, and what climbers of it would take."""
    kind = "real numbers, in steps of" if landscape.real else "whole numbers, steps of"
    steps = ", ".join(f"{step:g}" for step in landscape.resolution[:SHOWN])
    steps += ", ..." * (landscape.d > SHOWN)
    yield f"variables n       {landscape.n:,}"
    yield f"objectives d      {landscape.d:,} ({senses_in_words(landscape.sense)})"
    yield from _naming_lines(landscape)
    cliques = counted(landscape.survey.cliques, "clique")
    yield f"subfunctions m    {landscape.m:,}, merged into {cliques}"
    if landscape.constraints:
        yield f"constraints       {_constraints_in_words(landscape.constraints)}"
    yield f"arity k           {landscape.k}, at most"
    yield f"occurrence c      {landscape.c}, at most"
    yield f"resolution        {kind} {steps}"
    yield f"width             {_width_in_words(landscape)}"
    yield ""
    yield f"radius  {'moves':>23}  {'memory of a climber':>23}"
    count = 0
    for radius in RADII:
        count, exact = _count_or_bound(landscape, radius, count)
        moves = f"{'' if exact else 'more than '}{count:,}"
        memory = _memory_in_words(landscape, radius) if exact else "too much to tell"
        yield f"{radius:>6}  {moves:>23}  {memory:>23}"
    yield f"free memory: {readable_bytes(available_memory())}"
    yield f"default radius: {_default_in_words(landscape)}"


def _constraints_in_words(constraints: Constraints) -> str:
    """How many constraints there are, of which kinds, and how long they are."""
    counts = Counter(constraints.relations)
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items()))
    given = constraints.arrays.subfunctions
    terms = np.bincount(given.objective, minlength=len(constraints))
    longest = counted(int(terms.max()), "term")
    return f"{len(constraints):,} ({kinds}), of at most {longest}"


def _width_in_words(landscape: Landscape) -> str:
    """How wide an elimination is, and what that allows."""
    width = width_of(landscape)
    if width is None:
        return f"more than {MAX_WIDTH}: no exact front"
    fronts = counted(1 << width, "front")
    return f"{width}: the elimination of exact fronts has tables of {fronts}"


def _naming_lines(landscape: Landscape) -> Iterator[str]:
    """The names of objectives and the labels of variables, where they are given."""
    if landscape.names != default_names(landscape.d):
        names = ", ".join(map(shown_name, landscape.names[:SHOWN]))
        yield f"names             {names}{', ...' * (landscape.d > SHOWN)}"
    if landscape.given_labels is not None:
        yield f"labels            {some_labels(landscape.given_labels, SHOWN)}"


def _default_in_words(landscape: Landscape) -> str:
    """The radius of a run that is given none."""
    seconds = seconds_for_radius_2(landscape)
    if default_radius(landscape) == 1:
        return "1"
    return f"2, or 1 within less than {seconds:.2g} s" if seconds >= 0.1 else "2"


def _count_or_bound(landscape: Landscape, radius: int, below: int) -> tuple[int, bool]:
    """|M^r| and True, or a lower bound and False; radius - 1 has `below` moves."""
    degree = int(landscape.degrees.max())
    if radius > 3 and below * 3 * degree > WORK:
        return below, False
    try:
        return counted_moves(landscape, radius, _alarm(PATIENCE))
    except _OutOfPatience:
        return below, False


def _memory_in_words(landscape: Landscape, radius: int) -> str:
    """The memory of a climber, where it can be told."""
    try:
        memory = climber_memory(landscape, radius, _alarm(PATIENCE))
    except _OutOfPatience:
        return "too much to tell"
    except (OverflowError, MemoryError):
        return "none: it is refused"
    fits = "" if memory <= available_memory() else ", does not fit"
    return readable_bytes(memory) + fits


def _alarm(seconds: float) -> Callable[[], None]:
    """A pulse that raises after this many seconds."""
    end = perf_counter() + seconds

    def pulse() -> None:
        if perf_counter() > end:
            raise _OutOfPatience

    return pulse


def result_lines(result: Result) -> Iterator[str]:
    """What a run found and did."""
    config, optima = result.config, int(result.optimum.sum())
    solutions = counted(len(result), "non-dominated solution")
    if len(result) == 0:
        yield result.emptiness
    else:
        known = counted(optima, "known local optimum", "known local optima")
        yield f"{solutions}, {known}"
    for i, column in enumerate(result.F.T[: SHOWN if len(result) else 0]):
        low, high = column.min(), column.max()
        name = _name_and_sense(result, i)
        yield f"  {name:<11}  {low:,.10g} to {high:,.10g}"
    if result.d > SHOWN and len(result):
        yield f"  ...          and {counted(result.d - SHOWN, 'more objective')}"
    if len(result.trace) and not np.isnan(result.trace[-1, -1]):
        corner = ", ".join(f"{value:,.10g}" for value in result.reference)
        yield f"  hypervolume  {result.trace[-1, -1]:.6g} from the mean, ({corner})"
    elif len(result.trace):
        yield f"  hypervolume  left out, for more than {EASY} objectives"
    if result.bounded:
        bound = brief(result.config.get("max_archive"))
        yield f"  bounded      to {bound}: the most crowded had to go"
    if result.status in PROVEN:
        yield (
            f"  elimination  of width {brief(config.get('width'))}, "
            f"{counted(config.get('vectors', 0), 'vector')} in {result.seconds:.1f} s"
        )
        yield f"  ended as     {result.ending}"
        return
    yield (
        f"  search       {counted(result.climbs, result.unit)}, "
        f"{counted(result.moves, 'move')} in "
        f"{result.seconds:.1f} s, after {result.setup_seconds:.1f} s of set-up"
    )
    if result.moves == 0 and result.setup_seconds > result.seconds:
        advice = "" if config.get("radius") == 1 else ": a smaller radius takes less"
        yield f"  no moves     set-up took all the time{advice}"
    yield (
        f"  ended as     {result.ending}; "
        f"radius {brief(config.get('radius'))}, seed {brief(config.get('seed'))}"
    )


def drawn_front(result: Result) -> Iterator[str]:
    """A front of two objectives, drawn with characters; nothing if it is empty."""
    if len(result) == 0:
        return
    low, high = result.F.min(axis=0), result.F.max(axis=0)
    share = (result.F - low) / np.where(high > low, high - low, 1)
    columns, rows = np.rint(share * (WIDTH - 1, HEIGHT - 1)).astype(int).T
    canvas = np.full((HEIGHT, WIDTH), " ")
    canvas[HEIGHT - 1 - rows, columns] = "*"
    labels = [f"{value:,.6g}" for value in (*low, *high)]
    left, bottom, right, top = labels
    margin = max(len(top), len(bottom))
    names = {0: top, HEIGHT - 1: bottom}
    yield f"{'':>{margin}}  {_name_and_sense(result, 1)}"
    for row, line in enumerate(canvas):
        yield f"{names.get(row, ''):>{margin}} |{''.join(line)}".rstrip()
    yield f"{'':>{margin}} +{'-' * WIDTH}"
    across = _name_and_sense(result, 0)
    yield f"{'':>{margin}}  {left}{across:^{WIDTH - len(left) - len(right)}}{right}"


def _name_and_sense(result: Result, i: int) -> str:
    """What an objective is called, and what becomes of it."""
    return f"{shown_name(result.names[i])} ({result.sense[i]})"
