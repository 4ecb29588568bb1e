"""The ledger: how a solution stands with its constraints, and what violations cost.

A flip is first looked at, which tells what it costs at the prices of the day, and
whether it leads to a feasible solution. Then it may be entered.

A price says how much w · f one step of a constraint is worth. A resource, such as the
capacity of a knapsack, is a sum of many small parts; its price counts everywhere, that
of any other constraint beyond its bounds only. Prices swing: dearer while violated,
cheaper while slack.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined
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

    bad: np.ndarray  # (1,) int64: 0, as none is violated


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
    sizes, sides = _sizes_and_sides(rows, m)
    return Ledger(
        rows=rows,
        values=np.zeros(m, np.int64),
        violated=np.zeros(m, np.int32),
        place=np.full(m, -1, np.int32),
        bad=np.zeros(1, np.int64),
        prices=np.zeros(m),
        least=np.zeros(m),
        sizes=sizes,
        sides=sides,
        resources=np.flatnonzero(sides),
        touched=np.zeros(m, np.int32),
        changes=np.zeros(m, np.int64),
    )


def _sizes_and_sides(rows: ConstraintRows, m: int) -> tuple[np.ndarray, np.ndarray]:
    """How large the parts of each constraint are, and which ones are resources."""
    owners = np.repeat(np.arange(m), np.diff(rows.row_at))
    parts = np.abs(rows.row_factors.astype(np.float64))
    if len(rows.wide.rows):
        tables, first = rows.wide.tables, rows.wide.table_at[:-1]
        high = np.maximum.reduceat(tables, first).astype(np.float64)
        owners = np.append(owners, rows.wide.rows)
        parts = np.append(parts, high - np.minimum.reduceat(tables, first))
    largest, total = np.zeros(m), np.bincount(owners, parts, minlength=m)
    np.maximum.at(largest, owners, parts)
    sizes = np.maximum(total / np.maximum(np.bincount(owners, minlength=m), 1), 1.0)
    above, below = rows.upper < UNBOUNDED, rows.lower > -UNBOUNDED
    bound = np.where(above, rows.upper, rows.lower) - rows.constant
    has_many = total >= PARTS * largest
    has_room = np.abs(bound.astype(np.float64)) >= ROOM * largest
    sides = np.where(above, 1, -1) * ((above != below) & has_many & has_room)
    return sizes, sides.astype(np.int8)


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
def read_by(wide, c):
    """From where to where `masks` has the variables that tables of g_c read."""
    terms = len(wide.rows)
    if terms == 0:
        return np.int64(0), np.int64(0)
    first = find_place(wide.rows, 0, terms, c)
    last = find_place(wide.rows, first, terms, c + 1)
    return wide.mask_at[first], wide.mask_at[last]


@inlined
def toll(ledger, count, is_everywhere):
    """What the change that was looked at costs.

    The price of resources counts everywhere, or beyond their bounds only.
    """
    total = 0.0
    for at in range(count):
        c = ledger.touched[at]
        value, change = ledger.values[c], ledger.changes[c]
        if is_everywhere and ledger.sides[c] != 0:
            total += ledger.prices[c] * (ledger.sides[c] * change)
        else:
            more = _excess(ledger, c, value + change) - _excess(ledger, c, value)
            total += ledger.prices[c] * more
    return total


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
def violation_after(ledger, count):
    """By how many typical flips violations grow with the change looked at."""
    total = 0.0
    for at in range(count):
        c = ledger.touched[at]
        value = ledger.values[c]
        more = _excess(ledger, c, value + ledger.changes[c]) - _excess(ledger, c, value)
        total += more / ledger.sizes[c]
    return total


@inlined
def would_be_feasible(ledger, x, j):
    """Whether x ⊕ j is feasible."""
    return violated_after(ledger, look(ledger, x, j)) == 0


@inlined
def is_feasible(ledger):
    """Whether all constraints are satisfied."""
    return ledger.bad[0] == 0


@inlined
def enter(ledger, x, j):
    """Enter a flip of j, while x is the solution before it."""
    for at in range(look(ledger, x, j)):
        c = ledger.touched[at]
        ledger.values[c] += ledger.changes[c]
        place, is_violated = ledger.place[c], _excess(ledger, c, ledger.values[c]) > 0
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
