"""Menders: the variables whose flips bring a constraint closer to its bounds.

The variables of a constraint stand in two parts: first those whose flips raise it, then
those whose flips lower it. A flip takes its variable from one part to the other, in
each of its constraints, in constant time. Tables that read several variables are not
listed: whoever mends looks through these.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined
from paretoball.landscape import ConstraintRows
from paretoball.numerics import sums_by_row


class Menders(NamedTuple):
    """The factors of all constraints, those that would raise one before the others."""

    variables: np.ndarray  # int32: in each row, the variables in this order
    column_entries: np.ndarray  # int32: by column: the number of each factor by row
    place: np.ndarray  # int32: where a factor stands now
    entries: np.ndarray  # int32: which factor stands where
    raising: np.ndarray  # (m,) int64: how many of a row would raise it


def new_menders(rows: ConstraintRows) -> Menders:
    """Room for the menders of these constraints."""
    count = len(rows.row_variables)
    by_column = np.argsort(rows.row_variables, kind="stable").astype(np.int32)
    variables, place, entries = (np.zeros(count, np.int32) for _ in range(3))
    return Menders(
        variables, by_column, place, entries, np.zeros(len(rows.lower), np.int64)
    )


def open_menders(menders: Menders, rows: ConstraintRows, x: np.ndarray) -> None:
    """Sort the variables of all constraints as they are at x."""
    lengths = np.diff(rows.row_at)
    raises = (rows.row_factors > 0) == (x[rows.row_variables] == 0)
    menders.raising[:] = sums_by_row(rows.row_at, raises)
    before = np.cumsum(raises) - raises  # of all that raise, and of these in its row
    before -= np.repeat((np.append(0, menders.raising.cumsum()))[:-1], lengths)
    first = np.repeat(rows.row_at[:-1], lengths)
    others = (
        np.arange(len(raises)) - first - before + np.repeat(menders.raising, lengths)
    )
    menders.place[:] = first + np.where(raises, before, others)
    menders.entries[menders.place] = np.arange(len(raises))
    menders.variables[menders.place] = rows.row_variables


@inlined
def cross_over(menders, rows, x, j):
    """After a flip of j: take it to the other part of each of its constraints."""
    for e in range(rows.column_at[j], rows.column_at[j + 1]):
        c, entry = rows.column_rows[e], menders.column_entries[e]
        raises = (rows.column_factors[e] > 0) == (x[j] == 0)
        menders.raising[c] += 1 if raises else -1
        border = rows.row_at[c] + menders.raising[c] - (1 if raises else 0)
        here, other = menders.place[entry], menders.entries[border]
        menders.entries[here], menders.place[other] = other, here
        menders.entries[border], menders.place[entry] = entry, border
        menders.variables[here] = menders.variables[border]
        menders.variables[border] = j


@inlined
def menders_of(menders, ledger, c):
    """Where the variables that bring a violated constraint closer stand: from, to."""
    first, last = ledger.rows.row_at[c], ledger.rows.row_at[c + 1]
    border = first + menders.raising[c]
    if ledger.values[c] < ledger.rows.lower[c]:
        return first, border
    return border, last
