"""Crossover: the best, or all the supported, offspring of two solutions.

Where x and y differ in q components, every choice of components to flip makes an
offspring, 2^q in all, and its objectives are those of x plus the sum of its components'
deltas. So the best one for given weights takes the components whose weighted delta is
positive; and as the weights turn from one direction to another, each component
changes its side once: sorted by when, q components give q + 1 offspring.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.archive import Archive
from paretoball.boxes import points_of
from paretoball.cliques import row_read
from paretoball.components import (
    Parts,
    find_components,
    list_differing,
    new_parts,
    score_component,
)
from paretoball.landscape import Landscape, checked_solutions
from paretoball.memory import room_for_solutions
from paretoball.sorting import sort
from paretoball.subfunctions import brief
from paretoball.weights import integer_weights, score_bounds

FINE = 1 << 31  # steps of a turn in which changes of side are told apart
LINES = 40  # along which weights turn where there are three objectives or more
LEAST = 1e-6  # of a weight that should be zero, where all should add up to one


class Child(NamedTuple):
    """One offspring."""

    x: np.ndarray  # (n,) bool
    fx: np.ndarray  # (d,): f(x), in the problem's units and sense


@dataclass(frozen=True, repr=False, eq=False)
class Components:
    """The components in which two solutions x and y differ."""

    landscape: Landscape
    x: np.ndarray  # (n,) uint8
    fx: np.ndarray  # (d,) int64: f(x), inside units
    parts: Parts  # as large as it has to be, without scratch

    def __len__(self) -> int:
        return len(self.parts.at) - 1

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Each component's variables with its delta."""
        return iter(zip(self.variables, self.deltas))

    @property
    def variables(self) -> list[np.ndarray]:
        """The variables of each component, ascending; components by their lowest."""
        return np.split(self.parts.variables, self.parts.at[1:-1])[: len(self)]

    @property
    def deltas(self) -> np.ndarray:
        """f(x ⊕ component) - f(x) for each, (q, d), in the problem's units and sense.

        Deltas of several components add up.
        """
        return self.landscape.shown(self.gains)

    @property
    def gains(self) -> np.ndarray:
        """The same inside: (q, d) int64, whole steps, more is better."""
        return self.parts.deltas.reshape(-1, self.landscape.d)

    def child(self, chosen: Any) -> Child:
        """The offspring that has these components from y, and all else from x.

        They are chosen by their numbers, or by a mask of q booleans.
        """
        taken = np.zeros(len(self), np.bool_)
        taken[chosen] = True
        fx = self.fx + self.gains[taken].sum(axis=0)
        return Child(self.solution(taken), self.landscape.shown(fx))

    def solution(self, taken: np.ndarray) -> np.ndarray:
        """x with the components of a mask flipped: (n,) bool."""
        x = self.x.copy()
        x[self.parts.variables] ^= np.repeat(taken, np.diff(self.parts.at))
        return x.view(np.bool_)

    def __repr__(self) -> str:
        differing, q = len(self.parts.variables), len(self)
        return f"Components: {differing:,} differing variables in {q:,} components"


class Line(NamedTuple):
    """Offspring that differ by a component each, as weights turn."""

    start: np.ndarray  # (q,) bool: which components the first one has from y
    order: np.ndarray  # int64: the components that change side, in this order

    def taken(self, steps: int) -> np.ndarray:
        """Which components come from y after so many changes."""
        taken = self.start.copy()
        taken[self.order[:steps]] ^= True
        return taken

    def vectors(self, fx: np.ndarray, gains: np.ndarray) -> np.ndarray:
        """The objectives of all on the line, inside units: (changes + 1, d)."""
        first = fx + gains[self.start].sum(axis=0)
        signs = np.where(self.start[self.order], -1, 1)
        changes = gains[self.order] * signs[:, None]
        return np.cumsum(np.vstack([first, changes]), axis=0)


@dataclass(frozen=True, repr=False, eq=False)
class Offspring:
    """Mutually non-dominated offspring of two solutions, each a `Child`."""

    F: np.ndarray  # (size, d): objective vectors, ascending
    between: Components
    lines: list[Line]
    places: np.ndarray  # (size, 2) int64: the line of each, and the changes on it

    def __len__(self) -> int:
        return len(self.F)

    def __getitem__(self, row: int) -> Child:
        """One offspring, built on its own."""
        line, steps = self.places[row]
        x = self.between.solution(self.lines[line].taken(steps))
        return Child(x, self.F[row])

    @property
    def X(self) -> np.ndarray:
        """The solutions, built on access: (size, n) bool, rows as in F."""
        X = room_for_solutions(len(self), self.between.landscape.n)
        for row in range(len(self)):
            X[row] = self[row].x
        return X

    def __repr__(self) -> str:
        return f"Offspring: {len(self):,} non-dominated, of {self.between!r}"


def components_between(landscape: Landscape, x: Any, y: Any) -> Components:
    """The components in which x and y differ, and what each would change.

    They are the connected components of the co-occurrence graph, where only variables
    in which x and y differ are left. No subfunction reads variables of two of them.

    Examples
    --------
    >>> chain = [((j, j + 1), [0, 1, 1, 3]) for j in range(4)]
    >>> ones = [((j,), [0, 1]) for j in range(5)]
    >>> landscape = Landscape.from_subfunctions(5, [chain, ones], ["max", "min"])
    >>> between = components_between(landscape, [0, 0, 0, 0, 0], [1, 1, 0, 0, 1])
    >>> for variables, delta in between:
    ...     print(variables, delta)
    [0 1] [4 2]
    [4] [1 1]
    >>> between.child([1]).x.astype(int).tolist()
    [0, 0, 0, 0, 1]
    """
    if not isinstance(landscape, Landscape):
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    score_bounds(landscape, landscape.n)  # refuses what 64 bits may not hold
    x, y = checked_parent(x, landscape.n, "x"), checked_parent(y, landscape.n, "y")
    parents = np.array([x, y])
    d, cliques = landscape.d, landscape.cliques
    cliques = cliques._replace(tables=cliques.tables.ravel())
    fx, here = np.zeros(d, np.int64), np.zeros(len(cliques.mask_at) - 1, np.uint32)
    parts = new_parts(cliques)
    read(cliques, parents[0], here, fx)
    found = split(cliques, landscape.cooccurrence, parts, parents, here)
    none = np.zeros(0, np.uint8)
    kept = Parts(
        at=parts.at[: found + 1].copy(),
        variables=parts.variables[: parts.at[found]].copy(),
        deltas=parts.deltas[: found * d].copy(),
        changed=none.astype(np.int32),
        marks=none,
        patterns=none.astype(np.uint32),
    )
    return Components(landscape, parents[0], fx, kept)


def checked_parent(x: Any, n: int, name: str) -> np.ndarray:
    """x as uint8, if it is one solution."""
    x = checked_solutions(x, n, name)
    if x.ndim != 1:
        raise ValueError(f"{name} has shape {x.shape}, but a parent is one solution")
    return x


def partition_crossover(landscape: Landscape, x: Any, y: Any, weights: Any) -> Child:
    """The best of all offspring of x and y in the direction of `weights`.

    With q components there are 2^q offspring; the best one is found exactly, in the
    time that it takes to find the components. It is no worse than both parents. What
    does not matter comes from y, so a search with x old and y new goes on drifting
    where the landscape is level.

    Parameters
    ----------
    weights
        Positive; each is per unit of its objective, which counts in its own sense.

    Examples
    --------
    >>> ones = [((j,), [0, j]) for j in range(4)]
    >>> landscape = Landscape.from_subfunctions(4, [ones])
    >>> x, fx = partition_crossover(landscape, [0, 0, 1, 0], [0, 1, 0, 0], weights=[1])
    >>> x.astype(int).tolist(), fx.tolist()
    ([0, 1, 1, 0], [3])
    """
    between = components_between(landscape, x, y)
    bounds = score_bounds(landscape, landscape.n)
    w = integer_weights(weights, landscape, bounds)
    return between.child(between.gains @ w >= 0)


def pareto_crossover(landscape: Landscape, x: Any, y: Any) -> Offspring:
    """The supported offspring of x and y: the best ones, whatever the weights.

    One objective has one best offspring. For two there are up to q + 1, where q is
    the number of components: of all 2^q offspring these include every corner of the
    convex hull, and what else is included lies on its edges. For three and more,
    weights turn along up to 40 lines or, with more than nine objectives, one for each
    two of them, and what is not dominated is kept. So F is a front in any case.

    Examples
    --------
    >>> ones = [((j,), [0, 1 + j]) for j in range(4)]
    >>> zeros = [((j,), [2, 0]) for j in range(4)]
    >>> landscape = Landscape.from_subfunctions(4, [ones, zeros])
    >>> offspring = pareto_crossover(landscape, [0, 0, 0, 0], [0, 1, 1, 1])
    >>> offspring.F.tolist()
    [[0, 8], [4, 6], [7, 4], [9, 2]]
    >>> offspring.X.astype(int).tolist()
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]]
    >>> offspring[1].fx.tolist()
    [4, 6]
    """
    between = components_between(landscape, x, y)
    if landscape.d <= 2:
        lines = [line_by_slope(between.gains)]
    else:
        lines = [line_between(between, ends) for ends in line_ends(landscape.d)]
    archive = Archive(landscape.d)
    for number, line in enumerate(lines):
        vectors = line.vectors(between.fx, between.gains)
        tags = np.zeros((len(vectors), 3), np.int64)
        tags[:, 0], tags[:, 1] = number, np.arange(len(vectors))
        archive.take_in(vectors, tags)
    inside, tags = points_of(archive.tree)
    F = landscape.shown(inside)
    order = np.lexsort(F.T[::-1])
    return Offspring(F[order], between, lines, tags[order, :2])


def line_by_slope(gains: np.ndarray) -> Line:
    """All changes of side from the best of the last objective to that of the first.

    For one objective these are the same, and nothing changes. For two, a component
    changes side when the weights make what it gains equal to what it loses. So the
    offspring walk along the convex hull, steeper with each step.
    """
    first, last = gains[:, 0], gains[:, -1]
    start = (last > 0) | ((last == 0) & (first >= 0))
    mixed = np.flatnonzero((first > 0) & (last < 0) | (first < 0) & (last > 0))
    rise, fall = np.abs(gains[mixed]).T[[0, -1]]
    return Line(start, mixed[slope_order(rise, fall)])


def slope_order(rise: np.ndarray, fall: np.ndarray) -> np.ndarray:
    """What sorts fall / rise, exactly; both are positive.

    Unequal fractions with denominators below 2^b are more than 4^-b apart, so in
    that unit their whole parts are unequal as well.
    """
    shift = 2 * int(rise.max(initial=0)).bit_length()
    fits = int(fall.max(initial=0)).bit_length() + shift < 64
    kind = np.int64 if fits else object
    slopes = (fall.astype(kind) << shift) // rise.astype(kind)
    return np.argsort(slopes, kind="stable")


def line_between(between: Components, ends: np.ndarray) -> Line:
    """Where components change side while weights turn from end to end.

    Weights are relative to what all components together could change.
    """
    gains = between.gains
    reach = np.maximum(np.abs(gains.astype(np.float64)).sum(axis=0), 1.0)
    start, turns = np.zeros(len(between), np.bool_), np.zeros(len(between), np.int64)
    count = walk(between.parts, ends / reach, start, turns)
    start |= ~gains.any(axis=1)  # what does not matter comes from y
    return Line(start, turns[:count] % FINE)


@lru_cache(maxsize=8)
def line_ends(d: int) -> np.ndarray:
    """The ends of lines through a simplex of weights: (lines, 2, d).

    Weights count in steps. Along a line two of them turn into each other while the
    rest, whole steps each, stay; there are as many steps as keep the lines few.
    """
    pairs, steps = comb(d, 2), 1
    while pairs * comb(steps + d - 2, d - 2) <= LINES:
        steps += 1
    ends = []
    for pair in combinations(range(d), 2):
        for rest in product(range(steps), repeat=d - 2):
            if sum(rest) < steps:
                end = np.insert(np.array(rest), [pair[0], pair[1] - 1], 0)
                ends.append([end.copy(), end.copy()])
                ends[-1][0][pair[1]] = ends[-1][1][pair[0]] = steps - sum(rest)
    return np.maximum(np.array(ends) / steps, LEAST)


@kernel
def read(cliques, x, here, fx):
    """The row that each clique reads at x, and f(x)."""
    d = len(fx)
    for i in range(d):
        fx[i] = cliques.constant[i]
    for c in range(len(here)):
        row = row_read(cliques, c, x)
        here[c] = row
        for i in range(d):
            fx[i] += cliques.tables[row * d + i]


@kernel
def split(cliques, graph, parts, parents, here):
    """Components in which the parents differ, each sorted and scored; how many."""
    count = list_differing(parts, parents[0], parents[1])
    found = find_components(graph, parts, count)
    for p in range(found):
        sort(parts.variables, parts.at[p], parts.at[p + 1])
        score_component(cliques, parts, here, p, len(cliques.constant))
    return found


@kernel
def walk(parts, ends, start, turns):
    """Which components pay at the first end, and which change side; how many do."""
    for p in range(len(start)):
        start[p] = side(parts, p, ends[0], ends.shape[1]) > 0.0
    return line_up(parts, len(start), ends[0], ends[1], turns)


@inlined
def line_up(parts, found, near, far, turns):
    """Which components change side while weights turn from `near` to `far`, in order.

    `turns[:count]` says when, and below FINE which. The others keep their side.
    """
    d, count = len(near), 0
    for p in range(found):
        before, after = side(parts, p, near, d), side(parts, p, far, d)
        if (before > 0.0) != (after > 0.0):
            when = np.int64(before / (before - after) * (FINE - 1))
            turns[count] = when * FINE + p
            count += 1
    sort(turns, 0, count)
    return count


@inlined
def side(parts, p, w, d):
    """Above zero if flipping component p pays in the direction w."""
    total = 0.0
    for i in range(d):
        total += float(w[i]) * float(parts.deltas[p * d + i])
    return total
