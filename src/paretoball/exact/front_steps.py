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

NOTHING = -1  # no step, or no rank


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


def steps_of(schedule: Schedule) -> list[Step]:
    """All steps of an elimination, in order."""
    steps: list[Step] = []
    waiting: dict[int, list[int]] = {}  # the tables that each rank is going to read
    whole = NOTHING  # the sum of all components that are finished
    bags = np.split(schedule.bags, schedule.bag_at[1:-1])
    for rank in range(len(schedule.variables) - 1, -1, -1):
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
