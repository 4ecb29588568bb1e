"""Warming up: compile kernels before the clock of a run starts, or long before.

A kernel is compiled for a kind of landscape: a number of objectives, the width of its
integers, and whether there are constraints. Kernels are kept on disk, so each kind is
compiled once on a machine.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import pairwise, product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import COMPILES, announced, kernel_folder
from paretoball.archive import UNROLLED, Archive
from paretoball.climber import Climber, checked_radius, score_bounds, score_dtype
from paretoball.crossover import pareto_crossover
from paretoball.exact import exact_front, supported_front, upper_bound
from paretoball.landscape import Landscape, cuts, in_good_order
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
from paretoball.system import Display, brief, checked_choice, checked_whole

AHEAD = "Compiling ahead, once; for many kinds of landscapes it takes minutes ..."
MOST_UNITS = 8  # of a first round
OBJECTIVES = (1, 2, 3, 4)  # what is compiled if nobody says for how many
MOST_HULLS = 2  # objectives of supported fronts
TINY, SMALL = 4, 12  # variables
RING, STRIDE = 1024, 401  # variables, and how far neighbours are apart


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

    @classmethod
    def of(cls, landscape: Landscape, radius: int) -> "_Kind":
        """The kind of a landscape that is climbed with this radius."""
        dtype = score_dtype(landscape, score_bounds(landscape, radius))
        d = min(landscape.d, UNROLLED + 1)
        return cls(d, dtype == np.int32, bool(landscape.constraints))

    def __str__(self) -> str:
        many = "or more " * (self.d > UNROLLED)
        noun = "objective" if self.d == 1 else "objectives"
        bits = 32 if self.is_narrow else 64
        return f"{self.d} {many}{noun}, {bits} bits" + ", constraints" * (
            self.is_constrained
        )

    def tiny(self, arity: int = 2) -> Landscape:
        """A tiny landscape of this kind, whose front has several points if d > 1."""
        large = 1 if self.is_narrow else 2**31
        rising = [0, large, large + 1, 3 * large]
        tables = [rising[:: 1 if i % 2 else -1] for i in range(self.d)]
        masks = [*pairwise(range(TINY)), (TINY - 1, 0)]
        other = tuple(range(arity)) if arity > 2 else (0,)  # of (0,), a part of a pair
        last = (other, [0] * (2 ** len(other) - 1) + [1])
        terms = [[*((mask, table) for mask in masks), last] for table in tables]
        bounds = [(terms[0], "<=", 2**40)] if self.is_constrained else []
        return Landscape.from_subfunctions(TINY, terms, constraints=bounds)

    def squares(self) -> Iterator[Landscape]:
        """Tiny squares of this kind, with factors of each width that they can have.

        The last variable has no neighbour, so that its row is no whole one.
        """
        for factor in (1,) if self.is_narrow else (2**30, 2**31):
            Q = np.triu(np.full((2 * TINY, 2 * TINY), factor), 1)
            Q[:, -1] = 0
            yield qubo([Q] * self.d)


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
    as most tables of reals do, and whether there are constraints. Call this after
    installing the package, or in the recipe of a container. What is on disk already is
    not compiled again.

    Parameters
    ----------
    landscape, radius
        Compile for landscapes like this one, climbed with this radius. Without a
        landscape, compile for all that have `d` objectives, of either width, with
        constraints and without.
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
        each = product(counts, (True, False), (False, True))
        kinds = [_Kind(*kind) for kind in each]
    elif d is not None:
        raise TypeError(f"a landscape and d = {brief(d)}: give one of them")
    elif isinstance(landscape, Landscape):
        kinds = [_Kind.of(landscape, checked_radius(radius))]
    else:
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    if method is not None:
        checked_choice("method", method, tuple(METHODS))
    steps = [step for kind in kinds for step in _steps(kind, method)]
    began = perf_counter()
    with (
        Display(progress) as display,
        announced(lambda _: display.announce(AHEAD)) as done,
    ):
        for at, (name, step) in enumerate(steps):
            if done.kernels:
                display.say(f"Compiling {name} ...", at / len(steps))
            step()
    seconds = perf_counter() - began
    return WarmUp(done.kernels, seconds, str(kernel_folder()), done.unkept)


def _checked_counts(d: Any) -> list[int]:
    """The different numbers of objectives to compile for."""
    given = d if isinstance(d, Iterable) and not isinstance(d, str) else [d]
    counts = [min(checked_whole("d", one, 1), UNROLLED + 1) for one in given]
    return list(dict.fromkeys(counts))


def compile_search(landscape: Landscape, radius: int, method: str) -> None:
    """Compile every kernel of a search method for landscapes of this kind."""
    if COMPILES:
        _search_tiny(_Kind.of(landscape, radius), method)


def compile_exact(progress: bool | None) -> None:
    """Compile every kernel of exact fronts; the first time in a process, load them."""
    if COMPILES:
        with Display(progress) as display, announced(display.announce):
            _find_fronts()


def _steps(kind: _Kind, method: str | None) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What compiles all kernels for landscapes of a kind, each step with its name."""
    for name in METHODS if method is None else [method]:
        yield f"{name} for {kind}", partial(_search_tiny, kind, name)
    if method is None:
        yield f"climbs and crossover for {kind}", partial(_use_objects, kind)
        if kind.d <= MOST_HULLS:
            yield f"hulls for {kind}", partial(_find_hull, kind)
        yield "exact fronts", _find_fronts


@cache
def _search_tiny(kind: _Kind, method: str) -> None:
    """Search a tiny landscape, from the first round to the second."""
    tiny = kind.tiny()
    for one in (tiny, kind.tiny(arity=3)):
        Climber(one.unconstrained, 1)  # by rows, and by cliques
    for square in kind.squares():
        Climber(square, 1)
        _ = square.cooccurrence
    in_good_order(_ring_in_disorder())
    archive = Archive(tiny.d)
    for relative in relatives(method):
        archive = Archive(tiny.d)
        _search_on(tiny, relative, archive)
    archive.keep_least_crowded(1)
    Trace(tiny).add(0.0, 0, 0, archive)


def _search_on(tiny: Landscape, method: str, archive: Archive) -> None:
    """Some units of a method, on a landscape of few variables."""
    radius = 1 if tiny.constraints else 3
    starts, asked = np.empty((0, tiny.n), np.uint8), Asked(None, 0, radius, 1)
    one, climber = method_named(method), Climber(tiny.unconstrained, radius)
    plan, searcher = one.plan(tiny, asked), one.searcher(tiny, climber, asked, starts)
    for number in range(MOST_UNITS):
        plan.advance(archive, number)
        block = Block(number, 1)
        searcher.run(archive, block, plan.tasks(block), UNLIMITED, lambda _: False)


def _ring_in_disorder() -> Landscape:
    """A ring whose neighbours are so far apart that variables get other numbers."""
    j = np.arange(RING)
    masks = np.stack([j, (j + STRIDE) % RING], axis=1)
    return Landscape.from_terms(RING, [[cuts(masks, np.ones(RING, np.int64))]])


def _find_hull(kind: _Kind) -> None:
    """The exact front of a small ring, with more edges than there is room for first."""
    ring = mnk(n=200, K=2, d=kind.d, q=100 if kind.is_narrow else None, seed=1)
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
    tiny = kind.tiny()
    climb = Climber(tiny.unconstrained, 2).start([0] * TINY, seed=1)
    _ = climb.scores  # of moves that the climb has not come to
    climb.run().flip([0]).set_weights([1] * tiny.d)
    _ = climb.reports.X
    tiny.evaluate(climb.x)
    tiny.violation([climb.x])
    Archive(tiny.d).report(climb.fx, climb.x)
    pareto_crossover(tiny, climb.x, ~climb.x)
