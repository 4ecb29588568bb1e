"""Crossover: the best, or all the supported, offspring of two solutions.

Let x and y differ in q components. Every choice of components to flip makes an
offspring, 2^q in all. Its objectives are those of x plus the sum of the deltas of its
components. So the best offspring for given weights takes the components whose weighted
delta is positive. As weights turn from one direction to another, each component changes
its side at most once. Sorted by the moment of the change, q components give up to q + 1
offspring.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.climber import integer_weights, score_bounds
from paretoball.crossover.components import (
    find_components,
    list_differing,
    new_component_space,
    score_component,
)
from paretoball.landscape import (
    EXACT,
    Landscape,
    check_is_one,
    new_solutions,
    row_read,
)
from paretoball.numerics import sort
from paretoball.system import brief, counted

LINES = 40  # at most: lines along which weights turn, for three or more objectives
LEAST = 1e-6  # stands for a weight of 0, where weights add up to 1


class Child(NamedTuple):
    """One offspring."""

    x: np.ndarray  # (n,) bool
    fx: np.ndarray  # (d,): f(x), in the problem's units and sense


@dataclass(frozen=True, repr=False, eq=False)
class Components:
    """The components in which two solutions x and y differ."""

    landscape: Landscape
    x: np.ndarray  # (n,) uint8
    fx: np.ndarray  # (d,) int64: f(x), maximised, in steps
    at: np.ndarray  # (q + 1,) int64: where the variables of each component start
    differing: np.ndarray  # int32: all variables in which x and y differ
    gains: np.ndarray  # (q, d) int64: f(x ⊕ component) - f(x), maximised, in steps

    def __len__(self) -> int:
        return len(self.gains)

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Each component's variables with its delta."""
        return iter(zip(self.variables, self.deltas))

    @property
    def variables(self) -> list[np.ndarray]:
        """The variables of each component, ascending; components by lowest variable."""
        return np.split(self.differing, self.at[1:-1])[: len(self)]

    @property
    def deltas(self) -> np.ndarray:
        """f(x ⊕ component) - f(x) for each, (q, d), in the problem's units and sense.

        Deltas of several components add up.
        """
        return self.landscape.shown(self.gains)

    def child(self, chosen: Any) -> Child:
        """The offspring that has the chosen components from y, and all else from x.

        Components are chosen by their numbers, or by a mask of q booleans.
        """
        taken = np.zeros(len(self), np.bool_)
        taken[chosen] = True
        fx = self.fx + self.gains[taken].sum(axis=0)
        return Child(self.solution(taken), self.landscape.shown(fx))

    def solution(self, taken: np.ndarray) -> np.ndarray:
        """x with the components of a mask flipped: (n,) bool."""
        x = self.x.copy()
        x[self.differing] ^= np.repeat(taken, np.diff(self.at))
        return x.view(np.bool_)

    def __repr__(self) -> str:
        return (
            f"Components: {counted(len(self.differing), 'differing variable')} in "
            f"{counted(len(self), 'component')}"
        )


class _Line(NamedTuple):
    """Offspring as weights turn; from one to the next, one component changes side."""

    start: np.ndarray  # (q,) bool: which components the first offspring has from y
    order: np.ndarray  # int64: the components that change side, in this order

    def taken(self, steps: int) -> np.ndarray:
        """Which components come from y after the first `steps` changes."""
        taken = self.start.copy()
        taken[self.order[:steps]] ^= True
        return taken

    def vectors(self, fx: np.ndarray, gains: np.ndarray) -> np.ndarray:
        """The objectives of all on the line, in steps: (changes + 1, d)."""
        first = fx + gains[self.start].sum(axis=0)
        signs = np.where(self.start[self.order], -1, 1)
        changes = gains[self.order] * signs[:, None]
        return np.cumsum(np.vstack([first, changes]), axis=0)


@dataclass(frozen=True, repr=False, eq=False)
class Offspring:
    """Mutually non-dominated offspring of two solutions, each a `Child`."""

    F: np.ndarray  # (size, d): objective vectors, ascending
    between: Components
    lines: list[_Line]
    places: np.ndarray  # (size, 2) int64: the line of each, and the changes on it

    def __len__(self) -> int:
        return len(self.F)

    @property
    def n(self) -> int:
        """The number of variables."""
        return self.between.landscape.n

    @property
    def d(self) -> int:
        """The number of objectives."""
        return self.between.landscape.d

    @property
    def sense(self) -> tuple[str, ...]:
        """`"max"` or `"min"` for each objective."""
        return self.between.landscape.sense

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each objective."""
        return self.between.landscape.names

    def __getitem__(self, row: int) -> Child:
        """One offspring, built on its own."""
        line, steps = self.places[row]
        x = self.between.solution(self.lines[line].taken(steps))
        return Child(x, self.F[row])

    @property
    def X(self) -> np.ndarray:
        """The solutions, built on access: (size, n) bool, rows as in F."""
        X = new_solutions(len(self), self.between.landscape.n)
        for row in range(len(self)):
            X[row] = self[row].x
        return X

    def __repr__(self) -> str:
        return f"Offspring: {len(self):,} non-dominated, of {self.between!r}"


def components(landscape: Landscape, x: Any, y: Any) -> Components:
    """The components in which x and y differ, and the delta of each.

    They are the connected components of the co-occurrence graph, where only variables
    in which x and y differ are left. No subfunction reads variables of two of them.

    Examples
    --------
    >>> chain = [((j, j + 1), [0, 1, 1, 3]) for j in range(4)]
    >>> ones = [((j,), [0, 1]) for j in range(5)]
    >>> landscape = Landscape.from_subfunctions(5, [chain, ones], ["max", "min"])
    >>> between = components(landscape, [0, 0, 0, 0, 0], [1, 1, 0, 0, 1])
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
    x, y = landscape.bits_of(x, "x"), landscape.bits_of(y, "y")
    check_is_one(x, "x", "parent")
    check_is_one(y, "y", "parent")
    parents = np.array([x, y])
    d, cliques = landscape.d, landscape.cliques
    cliques = cliques._replace(tables=cliques.tables.ravel())
    fx, here = np.zeros(d, np.int64), np.zeros(len(cliques.mask_at) - 1, np.uint32)
    space = new_component_space(cliques)
    _read(cliques, parents[0], here, fx)
    found = _split(cliques, landscape.cooccurrence, space, parents, here)
    return Components(
        landscape,
        x=parents[0],
        fx=fx,
        at=space.at[: found + 1].copy(),
        differing=space.variables[: space.at[found]].copy(),
        gains=space.deltas[: found * d].reshape(found, d).copy(),
    )


def partition_crossover(landscape: Landscape, x: Any, y: Any, weights: Any) -> Child:
    """The best of all offspring of x and y in the direction of `weights`.

    With q components there are 2^q offspring; the best one is found exactly, in the
    time that it takes to find the components. It is at least as good as both parents. A
    component whose weighted delta is 0 comes from y: if x is the old solution and y the
    new one, a search keeps moving on a plateau.

    Parameters
    ----------
    weights
        Positive numbers, each per unit of its objective, for minimised objectives too.

    Examples
    --------
    >>> ones = [((j,), [0, j]) for j in range(4)]
    >>> landscape = Landscape.from_subfunctions(4, [ones])
    >>> x, fx = partition_crossover(landscape, [0, 0, 1, 0], [0, 1, 0, 0], weights=[1])
    >>> x.astype(int).tolist(), fx.tolist()
    ([0, 1, 1, 0], [3])
    """
    between = components(landscape, x, y)
    bounds = score_bounds(landscape, landscape.n)
    w = integer_weights(weights, landscape, bounds)
    return between.child(between.gains @ w >= 0)


def pareto_crossover(landscape: Landscape, x: Any, y: Any) -> Offspring:
    """The supported offspring of x and y: those that are best for some weights.

    One objective has one best offspring. For two objectives there are up to q + 1,
    where q is the number of components: every corner of the convex hull of all 2^q
    offspring, and some points on its edges. For three and more, weights turn along at
    most 40 lines, which does not find all supported offspring; from ten objectives on,
    not every two of them have a line. In any case each offspring is the best for some
    positive weights, so none of all 2^q dominates it.

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
    between = components(landscape, x, y)
    lines = [
        _line_between(between.gains @ near, between.gains @ far)
        for near, far in _turns_of(between.gains)
    ]
    paths = [line.vectors(between.fx, between.gains) for line in lines]
    F = landscape.shown(np.concatenate(paths))
    numbers = np.repeat(np.arange(len(lines)), [len(path) for path in paths])
    steps = np.concatenate([np.arange(len(path)) for path in paths])
    rows = np.lexsort(F.T[::-1])
    is_new = (F[rows[1:]] != F[rows[:-1]]).any(axis=1)
    rows = rows[np.append(True, is_new)]
    return Offspring(F[rows], between, lines, np.column_stack([numbers, steps])[rows])


def _line_between(before: np.ndarray, after: np.ndarray) -> _Line:
    """The line of a turn, given the weighted delta of each component at both ends.

    A component changes side when its weighted delta is 0. For these weights, both the
    offspring before the change and the one after it are best.
    """
    start = (before > 0) | ((before == 0) & (after >= 0))  # if it is 0, take it from y
    turning = np.flatnonzero(np.sign(before) * np.sign(after) < 0)
    order = _share_order(np.abs(before[turning]), np.abs(after[turning]))
    return _Line(start, turning[order])


def _share_order(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The order that sorts a / (a + b), exactly, where both are positive.

    Unequal fractions with denominators below 2^s differ by more than 4^-s. So, times
    4^s, their whole parts are unequal as well.
    """
    bits = int(max(a.max(initial=0), b.max(initial=0))).bit_length()
    shift = 2 * (bits + 1)
    kind = np.int64 if bits + shift < 64 else object
    a, b = a.astype(kind), b.astype(kind)
    return np.argsort((a << shift) // (a + b), kind="stable")


def _turns_of(gains: np.ndarray) -> np.ndarray:
    """Turns of weights, each with its two ends: (turns, 2, d) int64.

    For two objectives one turn finds all. For more, each weight is divided by the sum
    of its objective's absolute gains, and all are as large as sums in 64 bits allow.
    """
    d = gains.shape[1]
    if d <= 2:
        return np.eye(d, dtype=np.int64)[None, [-1, 0]]
    reach = np.maximum(1, np.abs(gains).sum(axis=0))
    return np.maximum(1, _line_ends(d) * (EXACT / 4) / reach).astype(np.int64)


@lru_cache(maxsize=8)
def _line_ends(d: int) -> np.ndarray:
    """The ends of lines through a simplex of weights: (lines, 2, d).

    Weights are multiples of 1 / steps. Along a line, two weights exchange their values
    while the others stay. `steps` is the largest number that makes at most LINES lines.
    Where even 1 makes more, LINES of the pairs have one: those that are least apart,
    evenly chosen if these are too many themselves.
    """
    steps = 1
    while comb(d, 2) * comb(steps + d - 2, d - 2) <= LINES:
        steps += 1
    apart = ((i, i + gap) for gap in range(1, d) for i in range(d - gap))
    pairs = list(islice(apart, max(LINES, d - 1)))
    ends = []
    for i, j in sorted({pairs[at * len(pairs) // LINES] for at in range(LINES)}):
        for rest in product(range(steps), repeat=d - 2):
            if sum(rest) < steps:
                near = np.insert(np.array(rest), [i, j - 1], [0, steps - sum(rest)])
                far = near.copy()
                far[[i, j]] = near[[j, i]]
                ends.append([near, far])
    return np.maximum(np.array(ends) / steps, LEAST)


@kernel
def _read(cliques, x, here, fx):
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
def _split(cliques, graph, space, parents, here):
    """Find, sort and score the components in which the parents differ; their number."""
    count = list_differing(space, parents[0], parents[1])
    found = find_components(graph, space, count)
    for p in range(found):
        sort(space.variables, space.at[p], space.at[p + 1])
        score_component(cliques, space, here, p, len(cliques.constant))
    return found
