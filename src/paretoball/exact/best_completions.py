"""Best completions: how much all that is not in a table can add to a vector in it.

For each of some weights w, an elimination of numbers w · f, forwards and then
backwards, finds the most that can be added to each entry of each table. Weights that
are whole numbers give whole numbers.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.exact.front_elimination import Elimination
from paretoball.exact.front_steps import NOTHING, Step
from paretoball.exact.front_tables import add_cliques, new_space, packed
from paretoball.numerics import offsets

LOWEST = -(2**62)  # less than any completion


class Completions(NamedTuple):
    """The best completions: row `at[step] + entry`, a column for each weight."""

    at: np.ndarray  # (steps + 1,) int64
    values: np.ndarray  # (entries, weights)
    best: np.ndarray  # (weights,): the largest w · f of all solutions


def entries_of(steps: list[Step]) -> np.ndarray:
    """Where the entries of each table start, if all tables lie end to end."""
    return offsets(1 << np.array([len(step.scope) for step in steps]))


class _Scalars:
    """An elimination of numbers, one for each row of weights."""

    def __init__(self, of: Elimination, weights: np.ndarray):
        self.of = of
        self.weights = weights
        self.at = entries_of(of.steps)
        count, kind = len(weights), weights.dtype
        self.values = np.empty((self.at[-1], count), kind)
        self.zero = np.zeros((1, count), kind)
        self.space = new_space(of.caps, of.schedule.width)
        self.base = np.empty((2 << of.schedule.width, count), kind)

    def table_of(self, number: int) -> np.ndarray:
        """The entries of the table of a step."""
        if number == NOTHING:
            return self.zero
        return np.asarray(self.values[self.at[number] : self.at[number + 1]])

    def weigh_cliques(self, step: Step) -> None:
        """Fill `base` for a choice."""
        add_cliques(self.of.schedule, self.of.tables, self.space, step.rank)
        _weigh(self.space.base, self.weights, self.base[: 1 << step.bits])

    def go_forwards(self) -> np.ndarray:
        """Fill the tables of all steps; the best of all solutions."""
        for number, step in enumerate(self.of.steps):
            one, other = self.table_of(step.first), self.table_of(step.second)
            mine, masks = self.table_of(number), (step.first_bits, step.second_bits)
            if step.rank == NOTHING:
                _join_best(one, other, *masks, mine)
            else:
                self.weigh_cliques(step)
                _choose_best(one, step.first_bits, self.base, mine)
        return self.values[-1].copy()

    def go_backwards(self) -> None:
        """Turn the tables into completions."""
        self.values[-1] = 0
        for number in range(len(self.of.steps) - 1, -1, -1):
            step, mine = self.of.steps[number], self.table_of(number)
            one, other = self.table_of(step.first), self.table_of(step.second)
            masks = step.first_bits, step.second_bits
            if step.rank == NOTHING:
                first, second = np.full_like(one, LOWEST), np.full_like(other, LOWEST)
                _complete_join(other, *masks, mine, first)
                _complete_join(one, *masks[::-1], mine, second)
                one[:], other[:] = first, second
            elif step.first != NOTHING:
                self.weigh_cliques(step)
                one[:] = LOWEST
                _complete_choice(mine, step.first_bits, self.base, one)


def best_values(of: Elimination, weights: np.ndarray) -> np.ndarray:
    """The largest w · f of all solutions, for each row of weights."""
    return _Scalars(of, weights).go_forwards()


def completions_of(of: Elimination, weights: np.ndarray) -> Completions:
    """The best completion of each entry of each table, for each row of weights."""
    scalars = _Scalars(of, weights)
    best = scalars.go_forwards()
    scalars.go_backwards()
    return Completions(scalars.at, scalars.values, best)


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
