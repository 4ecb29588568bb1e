"""Steps: an elimination of sets of vectors, as a list of joins and choices.

A table of fronts has a front for each assignment of its scope, a set of ranks: all
non-dominated sums of what was eliminated so far. A choice takes the tables of a rank
together with its cliques, and chooses the better values of the rank. A join adds two
tables, so that a choice reads one table at most. The last step has an empty scope, and
its front is that of the landscape. Every table is read by one later step.
"""

from typing import NamedTuple

import numpy as np

from paretoball.exact.message_schedule import Schedule
from paretoball.numerics import offsets
from paretoball.system import Pulse, nothing

NOTHING = -1  # no step, or no rank
EVERY = 1 << 12  # ranks between two pulses


class Step(NamedTuple):
    """A table of fronts, and the tables that it is made of."""

    scope: tuple[int, ...]  # the ranks that the table depends on, ascending
    rank: int  # of a choice, the rank that is eliminated; of a join, NOTHING
    # The tables read, as numbers of steps. In a choice, bits are those of scope, then
    # rank; in a join, those of scope.
    first: int  # NOTHING if a choice reads cliques only
    second: int  # of a join; of a choice, NOTHING
    first_bits: int  # the mask of the bits that the first table depends on
    second_bits: int

    @property
    def bits(self) -> int:
        """How many bits choose what is read."""
        return len(self.scope) + (self.rank != NOTHING)


class StepArrays(NamedTuple):
    """The same of all steps, for kernels."""

    rank: np.ndarray  # (steps,) int64
    first: np.ndarray  # (steps,) int64
    second: np.ndarray  # (steps,) int64
    first_bits: np.ndarray  # (steps,) int64
    second_bits: np.ndarray  # (steps,) int64
    at: np.ndarray  # (steps + 1,) int64: where tables start, if all lie end to end


def arrays_of(steps: list[Step]) -> StepArrays:
    """The steps as arrays."""
    rank, *read = np.array([step[1:] for step in steps], np.int64).T.copy()
    sizes = 1 << np.array([len(step.scope) for step in steps])
    first, second, first_bits, second_bits = read
    return StepArrays(rank, first, second, first_bits, second_bits, offsets(sizes))


def steps_of(schedule: Schedule, pulse: Pulse = nothing) -> list[Step]:
    """All steps of an elimination, in order."""
    steps: list[Step] = []
    waiting: dict[int, list[int]] = {}  # the tables that each rank is going to read
    whole = NOTHING  # the sum of all components that are finished
    bags = np.split(schedule.bags, schedule.bag_at[1:-1])
    for rank in range(len(schedule.variables) - 1, -1, -1):
        if rank % EVERY == EVERY - 1:
            pulse()
        bag = tuple(bags[rank].tolist())
        read = _joined(steps, waiting.pop(rank, []))
        bits = _mask(steps[read].scope, (*bag, rank)) if read != NOTHING else 0
        steps.append(Step(bag, rank, read, NOTHING, bits, 0))
        if bag:
            waiting.setdefault(bag[-1], []).append(len(steps) - 1)
        else:
            parts = [len(steps) - 1] if whole == NOTHING else [whole, len(steps) - 1]
            whole = _joined(steps, parts)
    return steps


def _joined(steps: list[Step], tables: list[int]) -> int:
    """The step whose table is the sum of these, after the joins that it takes."""
    if not tables:
        return NOTHING
    whole = tables[0]
    for part in tables[1:]:
        scope = tuple(sorted({*steps[whole].scope, *steps[part].scope}))
        masks = (_mask(steps[one].scope, scope) for one in (whole, part))
        steps.append(Step(scope, NOTHING, whole, part, *masks))
        whole = len(steps) - 1
    return whole


def _mask(part: tuple[int, ...], scope: tuple[int, ...]) -> int:
    """The bits of a scope at which the ranks of a part of it are."""
    return sum(1 << scope.index(rank) for rank in part)
