"""Best completions: how much all that is not in a table can add to a vector in it.

For each of some weights w, an elimination of numbers w · f, forwards and then
backwards, finds the most that can be added to each entry of each table.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.exact.front_steps import NOTHING, Step
from paretoball.exact.front_tables import add_cliques, new_space, packed
from paretoball.exact.message_schedule import Schedule
from paretoball.numerics import offsets


class Completions(NamedTuple):
    """The best completions: row `at[step] + entry`, a column for each weight."""

    at: np.ndarray  # (steps + 1,) int64
    values: np.ndarray  # (entries, weights) float64
    best: np.ndarray  # (weights,) float64: the largest w · f of all solutions


def entries_of(steps: list[Step]) -> np.ndarray:
    """Where the entries of each table start, if all tables lie end to end."""
    return offsets(1 << np.array([len(step.scope) for step in steps]))


def completions_of(
    steps: list[Step], schedule: Schedule, tables: np.ndarray, weights: np.ndarray
) -> Completions:
    """The best completion of each entry of each table, for each row of weights."""
    at, count = entries_of(steps), len(weights)
    values, zero = np.empty((at[-1], count)), np.zeros((1, count))
    space = new_space(tables.shape[1], schedule.width)
    base = np.empty((len(space.base) // tables.shape[1], count))
    scratch = np.empty((2 * max(1 << step.bits for step in steps), count))

    def table_of(number: int) -> np.ndarray:
        return zero if number == NOTHING else values[at[number] : at[number + 1]]

    def weigh_cliques(step: Step) -> None:
        add_cliques(schedule, tables, space, step.rank)
        _weigh(space.base, weights, base[: 1 << step.bits])

    for number, step in enumerate(steps):
        one, other = table_of(step.first), table_of(step.second)
        if step.rank == NOTHING:
            _join_best(one, other, step.first_bits, step.second_bits, table_of(number))
        else:
            weigh_cliques(step)
            _choose_best(one, step.first_bits, base, table_of(number))
    best = values[-1].copy()
    values[-1] = 0.0
    for number in range(len(steps) - 1, -1, -1):
        step, mine = steps[number], table_of(number)
        one, other = table_of(step.first), table_of(step.second)
        if step.rank == NOTHING:
            parts = scratch[: len(one)], scratch[len(one) : len(one) + len(other)]
            _complete_join(other, step.first_bits, step.second_bits, mine, parts[0])
            _complete_join(one, step.second_bits, step.first_bits, mine, parts[1])
            one[:], other[:] = parts
        elif step.first != NOTHING:
            weigh_cliques(step)
            _complete_choice(mine, step.first_bits, base, one)
    return Completions(at, values, best)


@kernel
def _weigh(base, weights, out):
    """w · the vector of each entry, for each w."""
    count, d = weights.shape
    for e in range(len(out)):
        for k in range(count):
            value = 0.0
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
    """The completions of the table that a choice reads, from those of its own."""
    half = len(mine)
    out[:] = -np.inf
    for e in range(2 * half):
        entry = packed(mask, e)
        for k in range(out.shape[1]):
            sum_here = mine[e & (half - 1), k] + base[e, k]
            out[entry, k] = max(out[entry, k], sum_here)


@kernel
def _complete_join(other, mask, other_mask, mine, out):
    """The completions of one table of a join: the join's own, and the other table."""
    out[:] = -np.inf
    for e in range(len(mine)):
        a, b = packed(mask, e), packed(other_mask, e)
        for k in range(mine.shape[1]):
            out[a, k] = max(out[a, k], mine[e, k] + other[b, k])
