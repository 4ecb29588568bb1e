"""Warming up: compile kernels before the clock of a run starts, or long before.

A kernel is compiled for a kind of landscape: a number of objectives, the width of its
integers, whether there are constraints, and how climbs lay out their scores. A search
of a tiny landscape of the same kind tells which kernels those are. Kernels are kept on
disk, so each kind is compiled once on a machine.
"""

import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from time import perf_counter
from typing import Any, NamedTuple

from paretoball._jit import COMPILES, announced, can_keep, kernel_folder
from paretoball._needed import listing
from paretoball._side_by_side import Other, compile_listed
from paretoball.archive import UNROLLED
from paretoball.climber import BEST, checked_radius, layout_of, layouts_of
from paretoball.exact import exact_front, supported_front, upper_bound
from paretoball.landscape import Landscape, in_good_order
from paretoball.problems import mnk, random_covering, random_knapsack
from paretoball.running.kinds import (
    TINY,
    Kind,
    all_kinds,
    lay_out,
    search_tiny,
    thin_out,
    use_objects,
)
from paretoball.search import METHODS
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
OBJECTIVES = (1, 2, 3, 4)  # what is compiled if nobody says for how many
MOST_HULLS = 2  # objectives of supported fronts
SMALL = 12  # variables
MOST_PLANNED = 1 << 20  # pairs of neighbours; with more, it takes long to plan a layout


class WarmUp(NamedTuple):
    """What warming up has done."""

    kernels: int  # compiled; 0 if all were on disk
    seconds: float  # that it took
    folder: str  # where they are kept
    unkept: str  # why one of them could not be kept there; empty if all were


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
        kinds = [kind for one in counts for kind in all_kinds(one)]
    elif d is not None:
        raise TypeError(f"a landscape and d = {brief(d)}: give one of them")
    elif isinstance(landscape, Landscape):
        radius = 1 if landscape.constraints else checked_radius(radius)
        layouts = layouts_of(landscape, radius)
        kinds = [Kind.of(landscape, radius, layout) for layout in layouts]
    else:
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    if method is not None:
        checked_choice("method", method, tuple(METHODS))
    began, elsewhere = perf_counter(), 0
    with (
        _Crew() as crew,
        Display(progress) as display,
        announced(lambda _: display.announce(AHEAD)) as done,
    ):
        steps = [step for kind in kinds for step in _steps(kind, method, crew)]
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
    with _Crew(display) as crew:
        for layout in _layouts(landscape, radius, memory_limit, crew):
            kind = Kind.of(landscape, radius, layout)
            kind = kind._replace(is_by_gain=selection == BEST)
            crew.compile_once(partial(search_tiny, kind, method), kind, method)
            if is_bounded:
                crew.compile_once(partial(thin_out, kind), kind)


def _layouts(
    landscape: Landscape, radius: int, memory_limit: int | None, crew: "_Crew"
) -> tuple[int, ...]:
    """The layouts of scores that a run may have: one, or two if it takes long to tell.

    The climber of the run decides by sizes, after some set-up.
    """
    layouts = layouts_of(landscape, radius)
    pairs = int(landscape.degrees.sum()) // 2
    if len(layouts) == 1 or pairs > MOST_PLANNED:
        return layouts
    kind = Kind.of(landscape, radius, layouts[0])
    crew.compile_once(partial(lay_out, kind), kind, "layout")
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


_compiled: set[Any] = set()  # what has been compiled, or loaded, in this process


class _Crew:
    """Those who compile, another process among them, and the line that tells of it.

    The line says what is compiled, and how far it is.
    """

    def __init__(self, display: Display | None = None) -> None:
        self.display = display
        self.is_told = False
        self.other = Other()

    def __enter__(self) -> "_Crew":
        self.other.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.other.__exit__(*error)

    def compile_once(self, use: Callable[[], object], kind: Kind, *more: str) -> int:
        """Compile what `use` calls, the first time; how much the other process did.

        First it runs as Python where something is missing, which is listed; then that
        is compiled, and it runs as ever.
        """
        if (kind, more) in _compiled:
            return 0
        elsewhere = 0
        with announced(self.show_once):
            with listing() as needed:
                use()
            if needed:
                other = self.other if _may_share() else None
                elsewhere = compile_listed(needed, other, self.about(kind.in_short()))
                use()
        _compiled.add((kind, more))
        return elsewhere

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
        if not self.is_told:
            self.is_told = True
            self.display.announce(text)
        elif self.display.is_terminal:
            self.display.say(text)

    def show_once(self, text: str) -> None:
        """Show the line if there is none."""
        if not self.is_told:
            self.show(text)


def _may_share() -> bool:
    """Whether another process may compile, too: a core is free, and nothing forbids it.

    A worker starts none: there are others like it.
    """
    is_worker = multiprocessing.parent_process() is not None
    can_start = bool(sys.executable) and not hasattr(sys, "frozen")
    return cores() > 1 and not is_worker and can_start and can_keep()


def _steps(
    kind: Kind, method: str | None, crew: _Crew
) -> Iterator[tuple[str, Callable[[], int | None]]]:
    """What compiles all kernels for landscapes of a kind, each step with its name.

    A step returns how many kernels another process has compiled.
    """
    for name in METHODS if method is None else [method]:
        search = partial(search_tiny, kind, name)
        yield f"{name} for {kind}", partial(crew.compile_once, search, kind, name)
    cut = partial(thin_out, kind)
    yield f"archives for {kind}", partial(crew.compile_once, cut, kind)
    if method is None:
        use = partial(use_objects, kind)
        each = partial(crew.compile_once, use, kind, "objects")
        yield f"climbs and crossover for {kind}", each
        if kind.d <= MOST_HULLS:
            yield f"hulls for {kind}", partial(_find_hull, kind.d, kind.is_narrow)
        yield "exact fronts", _find_fronts


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
