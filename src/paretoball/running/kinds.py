"""Kinds: what kernels are compiled for, and tiny landscapes that use all of theirs."""

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import product
from typing import NamedTuple

import numpy as np

from paretoball._needed import is_python
from paretoball.archive import UNROLLED, Archive
from paretoball.climber import (
    BEST,
    BY_CLIQUES,
    BY_ROWS,
    BY_STENCILS,
    SELECTIONS,
    Climber,
    by_stencils,
    layout_of,
    score_dtype,
)
from paretoball.crossover import pareto_crossover
from paretoball.landscape import Landscape, cuts, in_good_order, may_get_numbers
from paretoball.problems import qubo
from paretoball.running.trace import Trace
from paretoball.search import UNLIMITED, Asked, Block, method_named, relatives

MOST_UNITS = 8  # of a first round
FEW_MOVES = 20  # of each unit, where kernels run as Python
TINY = 4  # variables
RING, STRIDE = 1024, 401  # variables, and how far neighbours are apart
MOST_RADIUS = 4  # from here on, all radii use the same kernels
LAYOUTS = {BY_STENCILS: "stencils", BY_CLIQUES: "records", BY_ROWS: "rows"}


class Kind(NamedTuple):
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
    def of(cls, landscape: Landscape, radius: int, layout: int) -> "Kind":
        """The kind of a landscape that is climbed with this radius, in this layout."""
        dtype = score_dtype(landscape, radius)
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


def all_kinds(d: int) -> Iterator[Kind]:
    """All kinds of landscapes with `d` objectives."""
    for is_narrow, is_constrained in product((True, False), (False, True)):
        kind = Kind(d, is_narrow, is_constrained, is_large=not is_constrained)
        yield kind._replace(radius=1 if is_constrained else 3)
        yield kind._replace(radius=1, layout=BY_CLIQUES)
        for bits in (0, 32) if is_narrow else (0, 32, 64):
            is_large = kind.is_large and bits == 0
            square = kind._replace(square=bits, is_large=is_large)
            yield square._replace(radius=1, layout=BY_ROWS)


def lay_out(kind: Kind) -> None:
    """Work out how the scores of a tiny landscape are laid out."""
    _number(kind)
    layout_of(kind.tiny().unconstrained, kind.radius)


def _number(kind: Kind) -> None:
    """Give variables other numbers, if they may get some."""
    if kind.is_large:
        in_good_order(_ring_in_disorder())


def _set_up(kind: Kind) -> Climber:
    """A tiny climber of this kind."""
    _number(kind)
    is_forced = kind.radius == 1 and kind.layout == BY_STENCILS
    with by_stencils() if is_forced else nullcontext():
        selection = BEST if kind.is_by_gain else SELECTIONS[0]
        return Climber(kind.tiny().unconstrained, kind.radius, selection)


def search_tiny(kind: Kind, method: str) -> None:
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


def thin_out(kind: Kind) -> None:
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


def use_objects(kind: Kind) -> None:
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
