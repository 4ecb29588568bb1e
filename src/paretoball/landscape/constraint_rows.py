"""Rows of constraints: what kernels see of them.

Terms that read one variable are a sparse matrix of factors, kept by row and by column.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.landscape.cliques import row_read, sorted_index
from paretoball.landscape.constraints import ConstraintArrays
from paretoball.landscape.subfunctions import Subfunctions, blocks, matrix
from paretoball.numerics import offsets


class _WideTerms(NamedTuple):
    """Terms of constraints that read two variables or more."""

    rows: np.ndarray  # (terms,) int32: the constraint that each table adds to
    mask_at: np.ndarray  # (terms + 1,) int64: where each mask starts in `masks`
    masks: np.ndarray  # int32: the variables read, ascending
    table_at: np.ndarray  # (terms + 1,) int64: where each table starts in `tables`
    tables: np.ndarray  # int64: values, in steps of the constraint
    reader_at: np.ndarray  # (n + 1,) int64: where the terms of each variable start
    readers: np.ndarray  # int32: the terms that read the variable, ascending


class ConstraintRows(NamedTuple):
    """All constraints: lower <= constant + factors times x + tables <= upper."""

    lower: np.ndarray  # (m,) int64: -2^62 without such a bound
    upper: np.ndarray  # (m,) int64: 2^62 without such a bound
    constant: np.ndarray  # (m,) int64: the part that reads no variable
    row_at: np.ndarray  # (m + 1,) int64: where each constraint's factors start
    row_variables: np.ndarray  # int32: what they are factors of, ascending in a row
    row_factors: np.ndarray  # int64: none is 0
    column_at: np.ndarray  # (n + 1,) int64: where each variable's factors start
    column_rows: np.ndarray  # int32: the constraints that they stand in, ascending
    column_factors: np.ndarray  # int64: the same factors, by variable
    wide: _WideTerms


def constraint_rows(n: int, arrays: ConstraintArrays) -> ConstraintRows:
    """What kernels see of constraints over n variables."""
    given, m = arrays.subfunctions, len(arrays.lower)
    arities, first = np.diff(given.mask_at), given.table_at[:-1]
    narrow, unary = arities < 2, arities == 1
    constant = np.zeros(m, np.int64)
    np.add.at(constant, given.objective[narrow], given.tables[first[narrow]])
    cells = given.objective[unary] * n + given.masks[given.mask_at[:-1][unary]]
    cells, place = np.unique(cells, return_inverse=True)
    factors = np.zeros(len(cells), np.int64)
    own = given.tables[first[unary] + 1] - given.tables[first[unary]]
    np.add.at(factors, place.ravel(), own)
    rows, variables = np.divmod(cells[factors != 0], n)
    factors = factors[factors != 0]
    by_column = np.argsort(variables, kind="stable")
    wide = _wide_part(given)
    readers = np.repeat(np.arange(len(wide.objective)), np.diff(wide.mask_at))
    return ConstraintRows(
        lower=arrays.lower,
        upper=arrays.upper,
        constant=constant,
        row_at=offsets(np.bincount(rows, minlength=m)),
        row_variables=variables.astype(np.int32),
        row_factors=factors,
        column_at=offsets(np.bincount(variables, minlength=n)),
        column_rows=rows[by_column].astype(np.int32),
        column_factors=factors[by_column],
        wide=_WideTerms(
            rows=wide.objective.astype(np.int32),
            mask_at=wide.mask_at,
            masks=wide.masks.astype(np.int32),
            table_at=wide.table_at,
            tables=wide.tables,
            reader_at=offsets(np.bincount(wide.masks, minlength=n)),
            readers=readers[np.argsort(wide.masks, kind="stable")].astype(np.int32),
        ),
    )


def _wide_part(given: Subfunctions) -> Subfunctions:
    """The subfunctions that read two variables or more, their masks ascending."""
    arities = np.diff(given.mask_at)
    wide = arities >= 2
    masks = given.masks[np.repeat(wide, arities)]
    tables = given.tables[np.repeat(wide, 1 << arities)]
    mask_at, table_at = offsets(arities[wide]), offsets(1 << arities[wide])
    for block in blocks(mask_at):
        own = matrix(mask_at, masks, block)
        order = np.argsort(own, axis=1)
        cells = matrix(mask_at, np.arange(len(masks)), block)
        masks[cells] = np.take_along_axis(own, order, axis=1)
        cells = matrix(table_at, np.arange(len(tables)), block)
        values = matrix(table_at, tables, block)
        tables[cells] = np.take_along_axis(values, sorted_index(order), axis=1)
    return Subfunctions(given.objective[wide], mask_at, masks, table_at, tables)


@kernel
def constraint_values(rows, x, values):
    """values[c] = g_c(x), in steps."""
    for c in range(len(values)):
        values[c] = rows.constant[c]
        for e in range(rows.row_at[c], rows.row_at[c + 1]):
            if x[rows.row_variables[e]]:
                values[c] += rows.row_factors[e]
    wide = rows.wide
    for term in range(len(wide.rows)):
        values[wide.rows[term]] += wide.tables[row_read(wide, term, x)]


@kernel
def all_constraint_values(rows, X, G):
    """G[row] = g(X[row]), in steps."""
    for row in range(len(X)):
        constraint_values(rows, X[row], G[row])
