"""Warming up: compile kernels before the clock of a run starts, or long before.

A kernel is compiled for a kind of landscape: a number of objectives, the width of its
integers, whether there are constraints, and how climbs lay out their scores. A search
of a tiny landscape of the same kind tells which kernels those are. Kernels are kept on
disk, so each kind is compiled once on a machine.
"""

import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import cache, partial
from itertools import product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import COMPILES, announced, can_keep, kernel_folder
from paretoball._needed import is_python, listing
from paretoball._side_by_side import compile_listed
from paretoball.archive import UNROLLED, Archive
from paretoball.climber import (
    BEST,
    BY_CLIQUES,
    BY_ROWS,
    BY_STENCILS,
    SELECTIONS,
    Climber,
    by_stencils,
    checked_radius,
    layout_of,
    layouts_of,
    score_bounds,
    score_dtype,
)
from paretoball.crossover import pareto_crossover
from paretoball.exact import exact_front, supported_front, upper_bound
from paretoball.landscape import Landscape, cuts, in_good_order, may_get_numbers
from paretoball.problems import mnk, qubo, random_covering, random_knapsack
from paretoball.running.trace import Trace
from paretoball.search import (
    METHODS,
    UNLIMITED,
    Asked,
    Block,
    method_named,
    relatives,
)
from paretoball.system import (
    Display,
    brief,
    capped,
    checked_choice,
    checked_whole,
    cores,
    counted,
)

AHEAD = "Compiling ahead, once; for many kinds of landscapes it takes minutes ..."
MOST_UNITS = 8  # of a first round
FEW_MOVES = 20  # of each unit, where kernels run as Python
OBJECTIVES = (1, 2, 3, 4)  # what is compiled if nobody says for how many
MOST_HULLS = 2  # objectives of supported fronts
TINY, SMALL = 4, 12  # variables
RING, STRIDE = 1024, 401  # variables, and how far neighbours are apart
MOST_RADIUS = 4  # from here on, all radii use the same kernels
MOST_PLANNED = 1 << 20  # pairs of neighbours; with more, it takes long to plan a layout
LAYOUTS = {BY_STENCILS: "stencils", BY_CLIQUES: "records", BY_ROWS: "rows"}


class WarmUp(NamedTuple):
    """What warming up has done."""

    kernels: int  # compiled; 0 if all were on disk
    seconds: float  # that it took
    folder: str  # where they are kept
    unkept: str  # why one of them could not be kept there; empty if all were


class _Kind(NamedTuple):
    """What kernels of searches are compiled for."""

    d: int  # objectives; for more than UNROLLED, as for one more
    is_narrow: bool  # whether scores have 32 bits, not 64
    is_constrained: bool = False
    layout: int = BY_STENCILS  # of scores
    radius: int = 2  # of climbs; for more than MOST_RADIUS, as for that
    square: int = 0  # the bits of a factor where a square is given; 0 for none
    is_large: bool = False  # whether its variables may get other numbers
    is_by_gain: bool = False  # whether climbs look for the best improvement

    @classmethod
    def of(cls, landscape: Landscape, radius: int, layout: int) -> "_Kind":
        """The kind of a landscape that is climbed with this radius, in this layout."""
        dtype = score_dtype(landscape, score_bounds(landscape, radius))
        square = landscape.square
        return cls(
            d=min(landscape.d, UNROLLED + 1),
            is_narrow=dtype == np.int32,
            is_constrained=bool(landscape.constraints),
            layout=layout,
            radius=min(radius, MOST_RADIUS),
            square=0 if square is None else 8 * square.pairs.itemsize,
            is_large=may_get_numbers(landscape),
        )

    def __str__(self) -> str:
        bits = 32 if self.is_narrow else 64
        return f"{self.in_short()}, {bits} bits, by {LAYOUTS[self.layout]}"

    def in_short(self) -> str:
        """What users know of it."""
        many = "or more " * (self.d > UNROLLED)
        noun = "objective" if self.d == 1 else "objectives"
        return f"{self.d} {many}{noun}" + " with constraints" * self.is_constrained

    def tiny(self) -> Landscape:
        """A tiny landscape of this kind, whose front has several points if d > 1."""
        if self.square:
            return self._tiny_square()
        large = 1 if self.is_narrow else 2**31
        rising = [0, large, large + 1, 3 * large]
        masks: list[tuple[int, ...]] = [(j, (j + 1) % TINY) for j in range(TINY)]
        if self.radius == 1 and self.layout != BY_ROWS:  # no rows for three variables
            masks[:2] = [(0, 1, 2)]
        tables = {3: [rising[b & 3] + rising[b >> 1] for b in range(8)], 2: rising}
        terms = [
            [(mask, tables[len(mask)][:: -1 if i % 2 else 1]) for mask in masks]
            for i in range(self.d)
        ]
        bounds = [(terms[0], "<=", 2**40)] if self.is_constrained else []
        return Landscape.from_subfunctions(TINY, terms, constraints=bounds)

    def _tiny_square(self) -> Landscape:
        """A tiny square. The last variable has no neighbour, and so no whole row."""
        factor = 1 if self.is_narrow else 2**30 if self.square == 32 else 2**31
        Q = np.triu(np.full((2 * TINY, 2 * TINY), factor), 1)
        Q[:, -1] = 0
        signs = [-1 if i % 2 else 1 for i in range(self.d)]
        ones = [((j,), [0, 1]) for j in range(TINY)]
        bounds = [(ones, "<=", TINY)] if self.is_constrained else []
        return qubo([sign * Q for sign in signs], constraints=bounds)


def warm_up(
    landscape: Landscape | None = None,
    radius: int = 2,
    d: int | Iterable[int] | None = None,
    method: str | None = None,
    progress: bool | None = None,
) -> WarmUp:
    """Compile ahead of time, so that no later call has to; once for each machine.

    Kernels are compiled for kinds of landscapes, when a kind is first met, and kept on
    disk. A kind is a number of objectives, whether scores fit into 32 bits or take 64,
    as most tables of reals do, whether there are constraints, and one of three ways to
    lay out scores. Call this after installing the package, or in the recipe of a
    container. What is on disk already is not compiled again.

    Parameters
    ----------
    landscape, radius
        Compile for landscapes like this one, climbed with this radius. Without a
        landscape, compile for all that have `d` objectives, of either width, with
        constraints and without, in every layout.
    d
        One or several numbers of objectives; None stands for 1, 2, 3 and 4.
    method
        `"path"` or `"multistart"`; None compiles for both, and besides what climbs as
        objects, archives, crossover and exact fronts use.
    progress
        As for `solve`.

    Examples
    --------
    >>> warm_up(d=2).kernels  # doctest: +SKIP
    31
    """
    if landscape is None:
        counts = _checked_counts(OBJECTIVES if d is None else d)
        kinds = [kind for one in counts for kind in _all_kinds(one)]
    elif d is not None:
        raise TypeError(f"a landscape and d = {brief(d)}: give one of them")
    elif isinstance(landscape, Landscape):
        radius = 1 if landscape.constraints else checked_radius(radius)
        layouts = layouts_of(landscape, radius)
        kinds = [_Kind.of(landscape, radius, layout) for layout in layouts]
    else:
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    if method is not None:
        checked_choice("method", method, tuple(METHODS))
    steps = [step for kind in kinds for step in _steps(kind, method)]
    began, elsewhere = perf_counter(), 0
    with (
        Display(progress) as display,
        announced(lambda _: display.announce(AHEAD)) as done,
    ):
        for at, (name, step) in enumerate(steps):
            if done.kernels:
                display.say(f"Compiling {name} ...", at / len(steps))
            elsewhere += step() or 0
    seconds = perf_counter() - began
    kernels = done.kernels + elsewhere
    return WarmUp(kernels, seconds, str(kernel_folder()), done.unkept)


def _checked_counts(d: Any) -> list[int]:
    """The different numbers of objectives to compile for."""
    given = d if isinstance(d, Iterable) and not isinstance(d, str) else [d]
    counts = [min(checked_whole("d", one, 1), UNROLLED + 1) for one in given]
    return list(dict.fromkeys(counts))


def _all_kinds(d: int) -> Iterator[_Kind]:
    """All kinds of landscapes with `d` objectives."""
    for is_narrow, is_constrained in product((True, False), (False, True)):
        kind = _Kind(d, is_narrow, is_constrained, is_large=not is_constrained)
        yield kind._replace(radius=1 if is_constrained else 3)
        yield kind._replace(radius=1, layout=BY_CLIQUES)
        for bits in (0, 32) if is_narrow else (0, 32, 64):
            is_large = kind.is_large and bits == 0
            square = kind._replace(square=bits, is_large=is_large)
            yield square._replace(radius=1, layout=BY_ROWS)


def compile_search(
    landscape: Landscape,
    radius: int,
    method: str,
    selection: str = "next",
    is_bounded: bool = False,
    memory_limit: int | None = None,
    display: Display | None = None,
) -> None:
    """Compile every kernel that a search of this landscape needs, and no other.

    Parameters
    ----------
    is_bounded
        Whether the size of the archive has a limit.
    memory_limit
        That of the run: it has a say in how scores are laid out.
    display
        Where to say what is compiled, and how far it is.
    """
    if not COMPILES:
        return
    line = _Line(display)
    for layout in _layouts(landscape, radius, memory_limit, line):
        kind = _Kind.of(landscape, radius, layout)
        kind = kind._replace(is_by_gain=selection == BEST)
        _compile_once(partial(_search_tiny, kind, method), line, kind, method)
        if is_bounded:
            _compile_once(partial(_thin_out, kind), line, kind)


def _layouts(
    landscape: Landscape, radius: int, memory_limit: int | None, line: "_Line"
) -> tuple[int, ...]:
    """The layouts of scores that a run may have: one, or two if it takes long to tell.

    The climber of the run decides by sizes, after some set-up.
    """
    layouts = layouts_of(landscape, radius)
    pairs = int(landscape.degrees.sum()) // 2
    if len(layouts) == 1 or pairs > MOST_PLANNED:
        return layouts
    kind = _Kind.of(landscape, radius, layouts[0])
    _compile_once(partial(_set_up, kind), line, kind, "set-up")
    try:
        with capped(memory_limit):
            return (layout_of(in_good_order(landscape).unconstrained, radius),)
    except MemoryError:  # the run will say so
        return layouts[:1]


def compile_exact(progress: bool | None) -> None:
    """Compile every kernel of exact fronts; the first time in a process, load them."""
    if COMPILES:
        with Display(progress) as display, announced(display.announce):
            _find_fronts()


class _Line:
    """The line on the screen that says what is compiled, and how far it is."""

    def __init__(self, display: Display | None) -> None:
        self.display = display
        self.is_there = False

    def about(self, what: str) -> Callable[[int, int, float], None]:
        """What says how far the kernels of something are, and how long they take."""

        def tell(done: int, total: int, seconds: float) -> None:
            far = f"{done} of " * (done > 0) + counted(total, "kernel")
            self.show(f"Compiling for {what}, once: {far}, about {seconds:.0f} s")

        return tell

    def show(self, text: str) -> None:
        """Show the line; where it cannot be replaced, only the first time."""
        if self.display is None:
            return
        if not self.is_there:
            self.is_there = True
            self.display.announce(text)
        elif self.display.is_terminal:
            self.display.say(text)

    def show_once(self, text: str) -> None:
        """Show the line if there is none."""
        if not self.is_there:
            self.show(text)


_compiled: set[Any] = set()  # what has been compiled, or loaded, in this process


def _compile_once(
    use: Callable[[], object], line: _Line, kind: _Kind, *more: str
) -> int:
    """Compile what `use` calls, the first time; how much of it another process did.

    First it runs as Python where something is missing, which is listed; then that is
    compiled, and it runs as ever.
    """
    if (kind, more) in _compiled:
        return 0
    elsewhere = 0
    with announced(line.show_once):
        with listing() as needed:
            use()
        if needed:
            tell = line.about(kind.in_short())
            elsewhere = compile_listed(needed, _may_share(), tell)
            use()
    _compiled.add((kind, more))
    return elsewhere


def _may_share() -> bool:
    """Whether another process may compile, too: a core is free, and nothing forbids it.

    A worker starts none: there are others like it.
    """
    is_worker = multiprocessing.parent_process() is not None
    can_start = bool(sys.executable) and not hasattr(sys, "frozen")
    return cores() > 1 and not is_worker and can_start and can_keep()


def _steps(
    kind: _Kind, method: str | None
) -> Iterator[tuple[str, Callable[[], int | None]]]:
    """What compiles all kernels for landscapes of a kind, each step with its name.

    A step returns how many kernels another process has compiled.
    """
    line = _Line(None)
    for name in METHODS if method is None else [method]:
        search = partial(_search_tiny, kind, name)
        yield f"{name} for {kind}", partial(_compile_once, search, line, kind, name)
    thin_out = partial(_thin_out, kind)
    yield f"archives for {kind}", partial(_compile_once, thin_out, line, kind)
    if method is None:
        use = partial(_use_objects, kind)
        each = partial(_compile_once, use, line, kind, "objects")
        yield f"climbs and crossover for {kind}", each
        if kind.d <= MOST_HULLS:
            yield f"hulls for {kind}", partial(_find_hull, kind.d, kind.is_narrow)
        yield "exact fronts", _find_fronts


def _set_up(kind: _Kind) -> Climber:
    """A tiny climber of this kind."""
    if kind.is_large:
        in_good_order(_ring_in_disorder())
    is_forced = kind.radius == 1 and kind.layout == BY_STENCILS
    with by_stencils() if is_forced else nullcontext():
        selection = BEST if kind.is_by_gain else SELECTIONS[0]
        return Climber(kind.tiny().unconstrained, kind.radius, selection)


def _search_tiny(kind: _Kind, method: str) -> None:
    """Search a tiny landscape, from the first round to the second."""
    tiny, climber = kind.tiny(), _set_up(kind)
    archive = Archive(tiny.d)
    for relative in relatives(method):
        archive = Archive(tiny.d)
        _search_on(tiny, climber, relative, archive)
    Trace(tiny).add(0.0, 0, 0, archive)


def _search_on(
    tiny: Landscape, climber: Climber, method: str, archive: Archive
) -> None:
    """Some units of a method, on a landscape of few variables."""
    starts, asked = np.empty((0, tiny.n), np.uint8), Asked(None, 0, climber.radius, 1)
    one = method_named(method)
    plan, searcher = one.plan(tiny, asked), one.searcher(tiny, climber, asked, starts)
    for number in range(MOST_UNITS):
        plan.advance(archive, number)
        block, limit = Block(number, 1), FEW_MOVES if is_python() else UNLIMITED
        searcher.run(archive, block, plan.tasks(block), limit, lambda _: False)


def _thin_out(kind: _Kind) -> None:
    """Keep some points of an archive."""
    archive, ends = Archive(kind.d), np.eye(max(kind.d, 2), dtype=np.int64)
    for fx in ends[:, : kind.d]:
        archive.report(fx, [0])
    archive.keep_least_crowded(1)


def _ring_in_disorder() -> Landscape:
    """A ring whose neighbours are so far apart that variables get other numbers."""
    j = np.arange(RING)
    masks = np.stack([j, (j + STRIDE) % RING], axis=1)
    return Landscape.from_terms(RING, [[cuts(masks, np.ones(RING, np.int64))]])


@cache
def _find_hull(d: int, is_narrow: bool) -> None:
    """The exact front of a small ring, with more edges than there is room for first."""
    ring = mnk(n=200, K=2, d=d, q=100 if is_narrow else None, seed=1)
    supported_front(ring, progress=False)


@cache
def _find_fronts() -> None:
    """Exact fronts with bands, joins and constraints; a bound with copied variables."""
    ring = mnk(n=150, K=3, q=100, seed=1)
    exact_front(ring, progress=False)
    upper_bound(ring, [0, 0], width=4, rounds=1, progress=False)
    ends = [((j, j + 1), [0, 1, 1, 0]) for j in range(0, TINY, 2)]
    exact_front(Landscape.from_subfunctions(TINY, [ends] * 3), progress=False)
    for constrained in (random_knapsack(SMALL, seed=1), random_covering(SMALL, seed=1)):
        exact_front(constrained, progress=False)


def _use_objects(kind: _Kind) -> None:
    """Climb, evaluate, report and recombine, all on a tiny landscape."""
    tiny, climber = kind.tiny(), _set_up(kind)
    climb = climber.start([0] * tiny.n, seed=1)
    _ = climb.scores  # of moves that the climb has not come to
    climb.run().flip([0]).set_weights([1] * tiny.d)
    _ = climb.reports.X
    tiny.evaluate(climb.x)
    tiny.violation([climb.x])
    Archive(tiny.d).report(climb.fx, climb.x)
    pareto_crossover(tiny, climb.x, ~climb.x)
    part = [((0, 1), [0, 1, 1, 0]), ((0,), [0, 1])]  # of a pair
    Landscape.from_subfunctions(2, [part])
