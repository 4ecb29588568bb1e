"""Constraints as columns: objectives that need not be large, but reach a target.

A constraint over few variables is a table that is 1 where the constraint is satisfied.
All such tables are one column, whose target is their number. A constraint over many
variables is a column by itself: the sum of its tables, with the sign that lets a
feasible solution reach the bound; an equality is two columns. Terms that read one
variable add no edge to the co-occurrence graph.
"""

from typing import NamedTuple

import numpy as np

from paretoball.exact.elimination_order import MAX_WIDTH, width_of_graph
from paretoball.landscape import EXACT, Landscape
from paretoball.numerics import offsets
from paretoball.system import Pulse, counted, nothing

FEW_VARIABLES = (8, 2, 0)  # that a table of 0 and 1 reads at most; the first that does
MOST_COLUMNS = 16  # for more, few vectors dominate each other


class Columns(NamedTuple):
    """A landscape whose constraints are objectives, after its own."""

    landscape: Landscape
    targets: np.ndarray  # (columns,) int64: what each of these has to reach, in steps


class _Column(NamedTuple):
    """A sum of tables that has to reach a target."""

    terms: list[tuple[np.ndarray, np.ndarray]]  # (variables, table)
    target: int


def with_columns(landscape: Landscape, pulse: Pulse = nothing) -> Columns:
    """The landscape with its constraints as columns.

    Tables of 0 and 1 are as large as the width allows.
    """
    if not landscape.constraints:
        return Columns(landscape, np.zeros(0, np.int64))
    columns = _checked(_columns_of(landscape, FEW_VARIABLES[0]))
    extended = first = _extended(landscape, columns)
    for few in FEW_VARIABLES[1:]:
        if width_of_graph(extended.landscape.cooccurrence, pulse) is not None:
            return extended
        columns = _columns_of(landscape, few)
        if len(columns) > MOST_COLUMNS:
            break
        extended = _extended(landscape, columns)
    is_wide = width_of_graph(extended.landscape.cooccurrence, pulse) is None
    return first if is_wide else extended


def width_of(landscape: Landscape) -> int | None:
    """The width of the elimination of a landscape; None if it is above MAX_WIDTH."""
    if landscape.degrees.min() > MAX_WIDTH:
        return None
    if len(_columns_of(landscape, FEW_VARIABLES[0])) > MOST_COLUMNS:
        return None
    return width_of_graph(with_columns(landscape).landscape.cooccurrence)


def _checked(columns: list[_Column]) -> list[_Column]:
    """The columns, unless they are too many."""
    if len(columns) > MOST_COLUMNS:
        raise ValueError(
            f"constraints make {len(columns):,} columns of vectors: one for all over "
            f"up to {counted(FEW_VARIABLES[0], 'variable')}, one for each other bound; "
            f"{MOST_COLUMNS} columns are the most"
        )
    return columns


def _columns_of(landscape: Landscape, few: int) -> list[_Column]:
    """The columns, with tables of 0 and 1 for constraints over so many variables."""
    satisfied = _Column([], 0)
    columns: list[_Column] = []
    arrays = landscape.constraints.arrays
    for c, (lower, upper) in enumerate(zip(arrays.lower, arrays.upper)):
        terms = arrays.subfunctions.of(c)
        none = np.zeros(0, np.int64)
        scope = np.unique(np.concatenate([none, *(each for each, _ in terms)]))
        if len(scope) <= few:
            sums = _sums_over(scope, terms)
            table = ((sums >= lower) & (sums <= upper)).astype(np.int64)
            satisfied.terms.append((scope, table))
            continue
        if lower > -EXACT:
            columns.append(_Column(terms, int(lower)))
        if upper < EXACT:
            turned = [(variables, -table) for variables, table in terms]
            columns.append(_Column(turned, -int(upper)))
    if satisfied.terms:
        columns.insert(0, satisfied._replace(target=len(satisfied.terms)))
    return columns


def _extended(landscape: Landscape, columns: list[_Column]) -> Columns:
    """The landscape with these columns."""
    targets = np.array([column.target for column in columns], np.int64)
    return Columns(_with_objectives(landscape, columns), targets)


def _sums_over(
    scope: np.ndarray, terms: list[tuple[np.ndarray, np.ndarray]]
) -> np.ndarray:
    """The sum of all terms, for each assignment of the scope."""
    assignments = np.arange(1 << len(scope))
    sums = np.zeros(len(assignments), np.int64)
    for variables, table in terms:
        index = np.zeros_like(assignments)
        for bit, place in enumerate(np.searchsorted(scope, variables).tolist()):
            index |= (assignments >> place & 1) << bit
        sums += table[index]
    return sums


def _with_objectives(landscape: Landscape, columns: list[_Column]) -> Landscape:
    """The landscape, without constraints, and with columns as more objectives."""
    own, d = landscape.subfunctions, landscape.d
    terms = [term for column in columns for term in column.terms]
    numbers = np.repeat(
        d + np.arange(len(columns)), [len(column.terms) for column in columns]
    )
    arities = [len(variables) for variables, _ in terms]
    none = np.zeros(0, np.int64)
    return Landscape.from_arrays(
        landscape.n,
        d + len(columns),
        np.concatenate([own.objective, numbers]),
        offsets(np.concatenate([np.diff(own.mask_at), np.array(arities, np.int64)])),
        np.concatenate([own.masks, none, *(variables for variables, _ in terms)]),
        offsets(
            np.concatenate([np.diff(own.table_at), 1 << np.array(arities, np.int64)])
        ),
        np.concatenate([own.tables, none, *(table for _, table in terms)]),
        sense=(*landscape.sense, *("max",) * len(columns)),
    )
