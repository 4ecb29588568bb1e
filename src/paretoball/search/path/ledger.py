"""The ledger: how a solution stands with its constraints, and what violations cost.

A flip is first looked at: which constraints it changes, and by how much. That tells
what it costs at the prices of the day, and whether it leads to a feasible solution.
Then it may be entered.

Prices are multipliers: so much of w · f is one step of a constraint worth. A resource,
such as the capacity of a knapsack, is a sum of many small parts; its price counts
everywhere, so that what is taken in is worth its share of the resource. The price of
any other constraint counts beyond its bounds only.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from paretoball._jit import by_type, inlined
from paretoball.landscape import ConstraintRows, Landscape, constraint_values, row_read
from paretoball.numerics import find_place

UNBOUNDED = 1 << 61  # bounds as large as that are none
PARTS = 16  # a resource has at least so many parts of the size of its largest
ROOM = 4  # and a bound of at least so many
RISE = 0.75  # of the price of a resource, if each variable flips once, at most
MOST_RISE = 0.003  # with one flip
SPAN = 0.25  # times the root of n, typical parts beyond the bound: from there the most
STEEPER, MILDER = 1.02, 0.995  # factors of other prices with each sweep
MOST = 1e6  # times the least price


class NoLedger(NamedTuple):
    """In place of a ledger where there are no constraints."""

    constraints: int  # 0


class Ledger(NamedTuple):
    """All constraints at one solution."""

    rows: ConstraintRows
    values: np.ndarray  # (m,) int64: g(x), in steps
    violated: np.ndarray  # (m,) int32: the first bad[0] are violated
    place: np.ndarray  # (m,) int32: where a constraint stands there, or -1
    bad: np.ndarray  # (1,) int64: how many are violated
    prices: np.ndarray  # (m,) float64: of one step, in units of w · f
    least: np.ndarray  # (m,) float64: what the price falls to
    sizes: np.ndarray  # (m,) float64: by how many steps a flip changes it, typically
    sides: np.ndarray  # (m,) int8: of a resource, 1 if bounded above, -1 if below; or 0
    resources: np.ndarray  # int64: the constraints that are resources
    touched: np.ndarray  # scratch, (m,) int32: the constraints that a flip changes
    changes: np.ndarray  # scratch, (m,) int64: by how much, for each constraint


def new_ledger(landscape: Landscape) -> Ledger:
    """A ledger for the constraints of a landscape."""
    rows, m = landscape.constraint_rows, len(landscape.constraints)
    largest, total, count = _parts(rows, m)
    sides = _sides(rows, largest, total)
    return Ledger(
        rows=rows,
        values=np.zeros(m, np.int64),
        violated=np.zeros(m, np.int32),
        place=np.full(m, -1, np.int32),
        bad=np.zeros(1, np.int64),
        prices=np.zeros(m),
        least=np.zeros(m),
        sizes=np.maximum(total / np.maximum(count, 1), 1.0),
        sides=sides,
        resources=np.flatnonzero(sides),
        touched=np.zeros(m, np.int32),
        changes=np.zeros(m, np.int64),
    )


def _parts(rows: ConstraintRows, m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The largest part of each constraint, the sum and the number of all parts."""
    owners = np.repeat(np.arange(m), np.diff(rows.row_at))
    factors = np.abs(rows.row_factors.astype(np.float64))
    reach = np.zeros(len(rows.wide.rows))
    if len(reach):
        first = rows.wide.table_at[:-1]
        high = np.maximum.reduceat(rows.wide.tables, first).astype(np.float64)
        reach = high - np.minimum.reduceat(rows.wide.tables, first)
    owners = np.concatenate([owners, rows.wide.rows])
    parts = np.concatenate([factors, reach])
    largest = np.zeros(m)
    np.maximum.at(largest, owners, parts)
    total = np.bincount(owners, parts, minlength=m)
    return largest, total, np.bincount(owners, minlength=m)


def _sides(rows: ConstraintRows, largest: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Which constraints are resources, and on which side they are bounded."""
    above, below = rows.upper < UNBOUNDED, rows.lower > -UNBOUNDED
    bound = np.where(above, rows.upper, rows.lower) - rows.constant
    has_many = total >= PARTS * largest
    has_room = np.abs(bound.astype(np.float64)) >= ROOM * largest
    is_resource = (above != below) & has_many & has_room
    return np.where(is_resource, np.where(above, 1, -1), 0).astype(np.int8)


def look_work(rows: ConstraintRows) -> np.ndarray:
    """The work of a look at each variable: what it reads of factors and masks."""
    arities, n = np.diff(rows.wide.mask_at), len(rows.column_at) - 1
    read = np.bincount(rows.wide.masks, np.repeat(arities, arities), minlength=n)
    return 1 + np.diff(rows.column_at) + read.astype(np.int64)


@inlined
def _excess(ledger, c, value):
    """By how many steps a value of g_c is outside of its bounds."""
    return max(0, ledger.rows.lower[c] - value, value - ledger.rows.upper[c])


def open_ledger(ledger: Ledger, x: np.ndarray) -> None:
    """Enter all values at x."""
    constraint_values(ledger.rows, x, ledger.values)
    is_low = ledger.values < ledger.rows.lower
    violated = np.flatnonzero(is_low | (ledger.values > ledger.rows.upper))
    ledger.bad[0] = len(violated)
    ledger.violated[: len(violated)] = violated
    ledger.place[:] = -1
    ledger.place[violated] = np.arange(len(violated))


def set_prices(ledger: Ledger, loss: float) -> None:
    """The first prices, where a flip typically costs so much of w · f."""
    ledger.least[:] = ledger.prices[:] = loss / ledger.sizes
    ledger.prices[ledger.resources] *= 0.5 / max(len(ledger.resources), 1)


@inlined
def look(ledger, x, j):
    """List the constraints that a flip of j changes, with the changes; how many."""
    rows, count, sign = ledger.rows, 0, 1 - 2 * np.int64(x[j])
    for e in range(rows.column_at[j], rows.column_at[j + 1]):
        c = rows.column_rows[e]
        ledger.touched[count] = c
        ledger.changes[c] = sign * rows.column_factors[e]
        count += 1
    linear = count
    for e in range(rows.wide.reader_at[j], rows.wide.reader_at[j + 1]):
        count = _look_at_term(ledger, x, j, rows.wide.readers[e], count, linear)
    return count


@inlined
def _look_at_term(ledger, x, j, term, count, linear):
    """Add what a table changes; the constraint may be listed already."""
    wide = ledger.rows.wide
    here, bit, first = row_read(wide, term, x), 1, wide.mask_at[term]
    while wide.masks[first] != j:
        first += 1
        bit <<= 1
    there = here + (bit if x[j] == 0 else -bit)
    c = wide.rows[term]
    at = find_place(ledger.touched, 0, linear, c)
    if at == linear or ledger.touched[at] != c:
        at = max(linear, count - 1)  # terms ascend by constraint: it is the last one
    if at == count or ledger.touched[at] != c:
        ledger.touched[count] = c
        ledger.changes[c] = 0
        count += 1
    ledger.changes[c] += wide.tables[there] - wide.tables[here]
    return count


@inlined
def toll(ledger, count):
    """What the change that was looked at costs."""
    total = 0.0
    for at in range(count):
        c = ledger.touched[at]
        if ledger.sides[c] != 0:
            total += ledger.prices[c] * (ledger.sides[c] * ledger.changes[c])
        else:
            total += _penalty_of(ledger, c)
    return total


@inlined
def penalty(ledger, count):
    """The same, if the price of resources counts beyond their bounds only, too."""
    total = 0.0
    for at in range(count):
        total += _penalty_of(ledger, ledger.touched[at])
    return total


@inlined
def _penalty_of(ledger, c):
    """What it costs that g_c comes to be further beyond its bounds."""
    value = ledger.values[c]
    more = _excess(ledger, c, value + ledger.changes[c]) - _excess(ledger, c, value)
    return ledger.prices[c] * more


@inlined
def violated_after(ledger, count):
    """How many constraints are violated after the change that was looked at."""
    total = ledger.bad[0]
    for at in range(count):
        c = ledger.touched[at]
        total += _excess(ledger, c, ledger.values[c] + ledger.changes[c]) > 0
        total -= ledger.place[c] >= 0
    return total


@inlined
def would_be_feasible(ledger, x, j):
    """Whether x ⊕ j is feasible."""
    return violated_after(ledger, look(ledger, x, j)) == 0


@inlined
def _satisfies_all(ledger):
    """Whether all constraints are satisfied."""
    return ledger.bad[0] == 0


@inlined
def _has_none(ledger):
    """There is nothing to violate."""
    return True


is_feasible = by_type("ledger", {NoLedger: _has_none, Ledger: _satisfies_all})


@inlined
def _enter(ledger, x, j):
    """Enter a flip of j, while x is the solution before it."""
    for at in range(look(ledger, x, j)):
        c = ledger.touched[at]
        _set(ledger, c, ledger.values[c] + ledger.changes[c])


@inlined
def _enter_nothing(ledger, x, j):
    """Do nothing: there are no constraints."""


enter = by_type("ledger", {NoLedger: _enter_nothing, Ledger: _enter})


@inlined
def _set(ledger, c, value):
    """Enter a value of g_c, and list the constraint as violated or not."""
    ledger.values[c] = value
    place, is_violated = ledger.place[c], _excess(ledger, c, value) > 0
    if is_violated and place < 0:
        ledger.place[c] = ledger.bad[0]
        ledger.violated[ledger.bad[0]] = c
        ledger.bad[0] += 1
    elif place >= 0 and not is_violated:
        ledger.bad[0] -= 1
        last = ledger.violated[ledger.bad[0]]
        ledger.violated[place] = last
        ledger.place[last] = place
        ledger.place[c] = -1


@inlined
def adjust_resources(ledger):
    """After a flip: prices of scarce resources rise, those of abundant ones fall."""
    rows, n = ledger.rows, len(ledger.rows.column_at) - 1
    rise, span = min(RISE / n, MOST_RISE), SPAN * sqrt(n)
    for at in range(len(ledger.resources)):
        c = ledger.resources[at]
        if ledger.sides[c] > 0:
            over = ledger.values[c] - rows.upper[c]
        else:
            over = rows.lower[c] - ledger.values[c]
        share = min(max(over / (span * ledger.sizes[c]), -1.0), 1.0)
        price = ledger.prices[c] * (1.0 + rise * share)
        least = ledger.least[c]
        ledger.prices[c] = min(max(price, least / MOST), least * MOST)


@inlined
def adjust_others(ledger):
    """After a sweep: prices of what is violated rise, others fall."""
    for c in range(len(ledger.prices)):
        if ledger.sides[c] == 0:
            factor = STEEPER if ledger.place[c] >= 0 else MILDER
            price = max(ledger.least[c], ledger.prices[c] * factor)
            ledger.prices[c] = min(price, MOST * ledger.least[c])
