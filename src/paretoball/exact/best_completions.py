"""Best completions: how much all that is not in a table can add to a vector in it.

For each of some weights w, an elimination of numbers w · f, forwards and then
backwards, finds the most that can be added to each entry of each table. Weights that
are whole numbers give whole numbers.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.exact.front_elimination import Elimination, Spend
from paretoball.exact.front_steps import NOTHING, Step
from paretoball.exact.front_tables import (
    SLICE,
    add_cliques,
    add_factors,
    new_space,
    packed,
)

LOWEST = -(2**62)  # less than any completion
A_PART = 1 << 26  # numbers in a table of those rows of weights that are done together
A_COMPARISON = 4  # numbers that take as long as a comparison of vectors


class Completions(NamedTuple):
    """The best completions: row `at[step] + entry`, a column for each weight."""

    at: np.ndarray  # (steps + 1,) int64
    values: np.ndarray  # (entries, weights)
    best: np.ndarray  # (weights,): the largest w · f of all solutions


class _Tables(NamedTuple):
    """The numbers of an elimination, one for each row of weights."""

    weights: np.ndarray  # (weights, columns)
    values: np.ndarray  # (entries, weights): of all tables, end to end
    cliques: np.ndarray  # int64: a vector for each entry of a table: its cliques
    base: np.ndarray  # (entries of a table, weights): w · these vectors
    zero: np.ndarray  # (1, weights): the table of no step
    work: np.ndarray  # (steps,) int64: the numbers that each step reads and writes


class _Scalars:
    """An elimination of numbers, one for each row of weights."""

    def __init__(self, of: Elimination, weights: np.ndarray, spend: Spend):
        self.of = of
        self.spend = spend
        count, kind = len(weights), weights.dtype
        of.check_room("bounds of the elimination take", _bytes_of(of, count))
        self.space = new_space(of.caps, of.schedule.width)
        self.tables = _Tables(
            weights=weights,
            values=np.empty((of.arrays.at[-1], count), kind),
            cliques=self.space.base,
            base=np.empty((2 << of.schedule.width, count), kind),
            zero=np.zeros((1, count), kind),
            work=_work_of(of, count),
        )

    def table_of(self, number: int) -> np.ndarray:
        """The entries of the table of a step."""
        if number == NOTHING:
            return self.tables.zero
        at = self.of.arrays.at
        return np.asarray(self.tables.values[at[number] : at[number + 1]])

    def weigh_cliques(self, step: Step) -> None:
        """Fill `base` for a choice."""
        of, weights = self.of, self.tables.weights
        add_cliques(of.schedule, of.tables, self.space, step.rank, self._pulse)
        base = self.tables.base[: 1 << step.bits]
        some = max(1, SLICE // weights.size)
        for first in range(0, len(base), some):
            if first:
                self._pulse()
            cliques = self.space.base[first * of.columns :]
            _weigh(cliques, weights, base[first : first + some])

    def go_forwards(self) -> np.ndarray:
        """Fill the tables of all steps; the best of all solutions."""
        of, done, left = self.of, 0, np.zeros(1, np.int64)
        while done < len(of.steps):
            left[0], start = SLICE, (done, left)
            after = _go_forwards(of.schedule, of.tables, of.arrays, self.tables, start)
            self.spend((SLICE - int(left[0])) // A_COMPARISON)
            if after == done:  # a step that takes more than a slice
                self._fill(done)
                after += 1
            done = after
        return self.tables.values[-1].copy()

    def _fill(self, number: int) -> None:
        """Fill the table of one step."""
        step, mine = self.of.steps[number], self.table_of(number)
        self.spend(int(self.tables.work[number]) // A_COMPARISON)
        one, other = self.table_of(step.first), self.table_of(step.second)
        if step.rank == NOTHING:
            _join_best(one, other, step.first_bits, step.second_bits, mine)
        else:
            self.weigh_cliques(step)
            _choose_best(one, step.first_bits, self.tables.base, mine)

    def _pulse(self) -> None:
        """Look at the clock."""
        self.spend(0)

    def go_backwards(self) -> None:
        """Turn the tables into completions."""
        self.tables.values[-1] = 0
        for number in range(len(self.of.steps) - 1, -1, -1):
            step, mine = self.of.steps[number], self.table_of(number)
            self.spend(int(self.tables.work[number]) // A_COMPARISON)
            one, other = self.table_of(step.first), self.table_of(step.second)
            masks = step.first_bits, step.second_bits
            if step.rank == NOTHING:
                first = self.tables.base[: len(one)]
                first[:] = LOWEST
                _complete_join(other, *masks, mine, first)
                other[:] = LOWEST
                _complete_join(one, *masks[::-1], mine, other)
                one[:] = first
            elif step.first != NOTHING:
                self.weigh_cliques(step)
                one[:] = LOWEST
                _complete_choice(mine, step.first_bits, self.tables.base, one)


def best_values(of: Elimination, weights: np.ndarray, spend: Spend) -> np.ndarray:
    """The largest w · f of all solutions, for each row of weights.

    Rows are done in parts that take a half of the memory, or one by one.
    """
    some = min(
        (of.room - of.held) // (2 * _bytes_of(of, 1)), A_PART >> of.schedule.width
    )
    some = max(1, some)
    parts = np.split(weights, range(some, len(weights), some))
    return np.concatenate([_Scalars(of, w, spend).go_forwards() for w in parts])


def completions_of(of: Elimination, weights: np.ndarray, spend: Spend) -> Completions:
    """The best completion of each entry of each table, for each row of weights.

    They count as held by the elimination.
    """
    scalars = _Scalars(of, weights, spend)
    best = scalars.go_forwards()
    scalars.go_backwards()
    of.held += scalars.tables.values.nbytes
    return Completions(of.arrays.at, scalars.tables.values, best)


def _bytes_of(of: Elimination, count: int) -> int:
    """The memory of an elimination of numbers, for so many rows of weights."""
    entries = 2 << of.schedule.width
    return 8 * (count * (int(of.arrays.at[-1]) + entries) + (of.columns + 1) * entries)


def _work_of(of: Elimination, count: int) -> np.ndarray:
    """The numbers that each step reads or writes: those of cliques, and its table's."""
    factors = np.diff(of.schedule.factor_at, append=of.schedule.factor_at[-1])
    each = count + of.columns * factors[of.arrays.rank]  # NOTHING has none
    return np.asarray(np.diff(of.arrays.at) * each, np.int64)


@kernel
def _go_forwards(schedule, clique_tables, steps, tables, start):
    """Fill the tables of steps, while numbers are left for them; the first that is not.

    It starts with a step that is given.
    """
    values, at, d = tables.values, steps.at, clique_tables.shape[1]
    first, left = start
    for s in range(first, len(steps.rank)):
        out, rank = values[at[s] : at[s + 1]], steps.rank[s]
        if tables.work[s] > left[0]:
            return s
        f, g = steps.first[s], steps.second[s]
        one = tables.zero if f == NOTHING else values[at[f] : at[f + 1]]
        left[0] -= tables.work[s]
        if rank == NOTHING:
            other = values[at[g] : at[g + 1]]
            _join_best(one, other, steps.first_bits[s], steps.second_bits[s], out)
        else:
            cliques = tables.cliques[: 2 * d * len(out)]
            cliques[:] = 0
            span = schedule.factor_at[rank], schedule.factor_at[rank + 1]
            add_factors(schedule, clique_tables, cliques, span)
            _weigh(cliques, tables.weights, tables.base[: 2 * len(out)])
            _choose_best(one, steps.first_bits[s], tables.base, out)
    return len(steps.rank)


@kernel
def _weigh(base, weights, out):
    """w · the vector of each entry, for each w."""
    count, d = weights.shape
    for e in range(len(out)):
        for k in range(count):
            value = 0 * weights[k, 0]
            for i in range(d):
                value += weights[k, i] * base[e * d + i]
            out[e, k] = value


@kernel
def _choose_best(read, mask, base, out):
    """The best of all vectors of each entry, for each weight."""
    half = len(out)
    for e in range(half):
        zero, one = read[packed(mask, e)], read[packed(mask, e + half)]
        for k in range(out.shape[1]):
            out[e, k] = max(zero[k] + base[e, k], one[k] + base[e + half, k])


@kernel
def _join_best(first, second, first_mask, second_mask, out):
    """The best sums of two tables."""
    for e in range(len(out)):
        a, b = packed(first_mask, e), packed(second_mask, e)
        for k in range(out.shape[1]):
            out[e, k] = first[a, k] + second[b, k]


@kernel
def _complete_choice(mine, mask, base, out):
    """Raise the completions of the table that a choice reads, from its own."""
    half = len(mine)
    for e in range(2 * half):
        entry = packed(mask, e)
        for k in range(out.shape[1]):
            sum_here = mine[e & (half - 1), k] + base[e, k]
            out[entry, k] = max(out[entry, k], sum_here)


@kernel
def _complete_join(other, mask, other_mask, mine, out):
    """Raise those of one table of a join: the join's own, and the other table."""
    for e in range(len(mine)):
        a, b = packed(mask, e), packed(other_mask, e)
        for k in range(mine.shape[1]):
            out[a, k] = max(out[a, k], mine[e, k] + other[b, k])
