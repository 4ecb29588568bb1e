"""Set covering: the cheapest columns that cover every row."""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from paretoball.landscape import Landscape, checked_labels, products
from paretoball.problems.linear import checked_rows, linear_terms
from paretoball.system import brief, checked_whole, counted, is_whole


def set_covering(
    costs: Any,
    rows: Any,
    demands: Any = 1,
    labels: Iterable[Hashable] | None = None,
    names: Iterable[str] | None = None,
) -> Landscape:
    """The landscape of f(x) = Σ c_j x_j, minimised, where columns cover every row.

    Parameters
    ----------
    costs
        A row of n numbers, or one for each objective.
    rows
        For each row that is to be covered the columns that cover it, by number from 0
        on or by label; or a matrix (rows, columns), an array or a sparse one, that is 1
        where a column covers a row and 0 elsewhere.
    demands
        How many chosen columns a row needs; a list has one number for each row.
    labels, names
        As in `Landscape.from_subfunctions`.

    Examples
    --------
    >>> landscape = set_covering([[3, 1, 2], [1, 4, 2]], [[0, 1], [1, 2]])
    >>> landscape.is_feasible([[1, 0, 1], [0, 1, 0], [1, 0, 0]]).tolist()
    [True, True, False]
    """
    prices = checked_rows(costs, "costs")
    n = len(prices[0])
    given = checked_labels(labels, n)
    covers = _columns(rows, n, given)
    needs = _demands(demands, [len(columns) for columns in covers])
    return Landscape.from_terms(
        n,
        [linear_terms(row) for row in prices],
        "min",
        given,
        names,
        constraints=[
            ([products(columns[:, None], np.ones(len(columns), np.int64))], ">=", need)
            for columns, need in zip(covers, needs)
        ],
    )


def _columns(
    rows: Any, n: int, labels: tuple[Hashable, ...] | None
) -> list[np.ndarray]:
    """The columns that cover each row, by number."""
    if hasattr(rows, "tocoo") or hasattr(rows, "__array__"):
        return _of_matrix(rows, n)
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise TypeError(f"rows is {brief(rows)}, not a list of rows or a matrix")
    place_of = None if labels is None else {each: j for j, each in enumerate(labels)}
    return [_of_list(row, r, n, place_of) for r, row in enumerate(rows)]


def _of_matrix(matrix: Any, n: int) -> list[np.ndarray]:
    """The places of ones in each row of a matrix, dense or sparse."""
    if len(matrix.shape) != 2 or matrix.shape[1] != n:
        raise ValueError(
            f"rows is a matrix of shape {tuple(matrix.shape)}, but there are costs of "
            f"{counted(n, 'column')}"
        )
    if hasattr(matrix, "tocoo"):
        found = matrix.tocoo()
        row, column, entries = found.row, found.col, np.asarray(found.data)
    else:
        row, column = np.nonzero(np.asarray(matrix))
        entries = np.asarray(matrix)[row, column]
    order = np.lexsort((column, row))
    row, column, entries = row[order], column[order], entries[order]
    again = (np.diff(row) == 0) & (np.diff(column) == 0)
    wrong = (entries != 1) & (entries != 0)
    wrong[1:] |= again
    if wrong.any():
        e = int(np.argmax(wrong))
        raise ValueError(
            f"rows has {entries[e]} at row {row[e]}, column {column[e]}, but a column "
            "covers a row once or not at all: 1 or 0"
        )
    row, column = row[entries == 1], column[entries == 1].astype(np.int64)
    return np.split(column, np.searchsorted(row, np.arange(1, matrix.shape[0])))


def _of_list(row: Any, r: int, n: int, place_of: Any) -> np.ndarray:
    """The columns of one row, each once, by number or by label."""
    if not isinstance(row, Sequence | Set | np.ndarray) or isinstance(row, str | bytes):
        raise TypeError(f"row {r} is {brief(row)}, not a list of columns")
    found = dict[int, None]()
    for column in row:
        if place_of is not None and column in place_of:
            j = place_of[column]
        elif place_of is None and is_whole(column) and 0 <= column < n:
            j = int(column)
        else:
            right = f"0 to {n - 1}" if place_of is None else "labels"
            raise ValueError(
                f"row {r} has the column {brief(column)}, which is not in {right}"
            )
        if j in found:
            raise ValueError(f"row {r} has the column {brief(column)} twice")
        found[j] = None
    return np.fromiter(sorted(found), np.int64, len(found))


def _demands(given: Any, sizes: list[int]) -> list[int]:
    """How many columns each row needs, if it has so many."""
    needs = [given] * len(sizes) if np.ndim(given) == 0 else list(given)
    if len(needs) != len(sizes):
        raise ValueError(
            f"{counted(len(needs), 'demand')} given for {counted(len(sizes), 'row')}"
        )
    for r, (need, size) in enumerate(zip(needs, sizes)):
        if checked_whole(f"the demand of row {r}", need, 0) > size:
            has = counted(size, "column")
            raise ValueError(f"row {r} needs {need} columns, but has {has}")
    return [int(need) for need in needs]
