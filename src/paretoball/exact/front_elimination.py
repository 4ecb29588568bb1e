"""Elimination of sets of vectors, forwards for the front, backwards for its solutions.

The tables of all steps are kept if a quarter of the memory is enough for them. If not,
the forward pass keeps checkpoints: the tables that are still to be read at some step.
The backward pass goes from checkpoint to
checkpoint, the last one first: it repeats the steps between two of them, keeps what
they write, and traces solutions through it. A stretch whose tables do not fit either is
done in the same way, with checkpoints of its own.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from paretoball.exact.front_steps import NOTHING, Step, steps_of
from paretoball.exact.front_tables import (
    DONE,
    STATE,
    Fronts,
    Space,
    add_cliques,
    choose,
    chosen_room,
    copied_fronts,
    join,
    new_space,
    nothing_read,
    with_more,
    with_values,
)
from paretoball.exact.front_tracing import (
    Trace,
    new_trace,
    solutions_of,
    trace_choice,
    trace_join,
)
from paretoball.exact.message_schedule import Schedule
from paretoball.system import check_memory, counted

UNCAPPED = 2**63 - 1
CHECKPOINTS = 16  # at most so many at a time, for each level of stretches

Live = dict[int, Fronts]  # the tables still to be read, by step
Keep = Callable[[int, Live], None]
Prune = Callable[
    [int, Space], None
]  # drops, of the table of a step, what cannot matter
Tell = Callable[[int, int, int], None]  # of the step, all steps, and vectors made


class GivenUp(ValueError):
    """More vectors were made than allowed."""


class Budget(NamedTuple):
    """What an elimination may take."""

    vectors: int  # made, by all steps together
    memory: int  # bytes of tables kept


class Elimination:
    """The steps of one landscape, over tables with the lowest entries of 0.

    The last columns of tables are those of constraints, and reach their caps.
    """

    def __init__(self, schedule: Schedule, tables: np.ndarray, needs: np.ndarray):
        self.schedule = schedule
        self.tables = tables
        self.columns = tables.shape[1]
        self.needs = needs
        self.d = self.columns - len(needs)
        self.caps = np.append(np.full(self.d, UNCAPPED), needs)
        self.steps: list[Step] = steps_of(schedule)
        self.made = 0  # vectors, by all passes

    def front(self, budget: Budget, prune: Prune | None, tell: Tell) -> "Pass":
        """The forward pass."""
        done = Pass(self, budget, prune, tell)
        done.run()
        return done


class Pass:
    """A forward pass: the front, and what it takes to find its solutions."""

    def __init__(
        self, of: Elimination, budget: Budget, prune: Prune | None, tell: Tell
    ):
        self.of = of
        self.budget = budget
        self.prune = prune
        self.tell = tell
        self.space = new_space(of.caps, of.schedule.width)
        self.nothing = nothing_read(of.columns)
        self.sizes = np.zeros(len(of.steps), np.int64)  # bytes of each table
        self.layers = np.zeros(len(of.steps), np.int64)  # of what is live before each
        self.tables: Live | None = {}  # of all steps; None if they are too large
        self.checkpoints: dict[int, Live] = {}
        self.gap = budget.memory // (2 * CHECKPOINTS)  # bytes between two of them
        self.since = 0  # bytes of tables since the last one
        self.values = np.empty((0, of.columns), np.int64)
        self.is_found = False  # afterwards, steps are repeated

    def run(self) -> None:
        """Find the front; `values` has its vectors, descending."""
        last = len(self.of.steps)
        live = self._stretch(0, last, {}, self._keep_some)
        self.values = live[last - 1].values.reshape(-1, self.of.columns)
        self.is_found = True

    def solutions(self, values: np.ndarray) -> np.ndarray:
        """The packed solutions of some vectors of the front, by tracing backwards."""
        last, schedule = len(self.of.steps), self.of.schedule
        trace = new_trace(len(schedule.variables), last - 1, values.copy(), self.of.d)
        if self.tables is not None:
            self._trace_back(trace, 0, last, self.tables)
        else:
            self._trace(trace, last, {0: {}, **self.checkpoints}, self.budget.memory)
        return solutions_of(trace, schedule.variables, len(values))

    def _stretch(self, first: int, last: int, live: Live, keep: Keep) -> Live:
        """Do steps first, ..., last - 1; offer to keep what is live before each."""
        live = dict(live)
        for number in range(first, last):
            keep(number, live)
            live[number] = self._step(number, live)
        return live

    def _keep_table(self, number: int, table: Fronts) -> None:
        """Keep a table, as long as those of all steps fit."""
        if self.tables is not None:
            self.tables[number] = table
            if self.sizes.sum() > self.budget.memory // 4:
                self.tables = None

    def _keep_some(self, number: int, live: Live) -> None:
        """Keep a checkpoint if the last one is far back; drop every second if need be.

        Up to a half of the memory is for them.
        """
        self.layers[number] = _bytes([live])
        if self.since <= self.gap:
            return
        self.checkpoints[number] = dict(live)
        self.since = 0
        room, kept = self.budget.memory // 2, _bytes(self.checkpoints.values())
        if kept > room or len(self.checkpoints) > CHECKPOINTS:
            for old in sorted(self.checkpoints)[::2]:
                del self.checkpoints[old]
            self.gap *= 2

    def _step(self, number: int, live: Live) -> Fronts:
        """The table of a step; those that it reads are taken from `live`."""
        of, step = self.of, self.of.steps[number]
        if step.rank == NOTHING:
            tables = live.pop(step.first), live.pop(step.second)
            self._join(number, step, tables)
        else:
            read = self.nothing if step.first == NOTHING else live.pop(step.first)
            add_cliques(of.schedule, of.tables, self.space, step.rank)
            room = chosen_room(read, step.bits, step.first_bits)
            self._check_room(number, 8 * room)
            self.space = with_values(self.space, of.columns, room)
            choose(read, step.bits, step.first_bits, of.columns, self.space)
        if self.prune is not None:
            self.prune(number, self.space)
        table = copied_fronts(self.space, len(step.scope))
        self.sizes[number] = table.nbytes
        self.since += table.nbytes
        self._account(number, table)
        return table

    def _join(self, number: int, step: Step, tables: tuple[Fronts, Fronts]) -> None:
        """Write the sums of two tables, with more room if there is too little."""
        masks = step.first_bits, step.second_bits
        self.space.state[:] = 0
        join(tables, masks, step.bits, self.of.columns, self.space)
        while self.space.state[STATE] != DONE:
            self._check_room(number, 16 * len(self.space.values) + 8)
            self.space = with_more(self.space, self.of.columns)
            join(tables, masks, step.bits, self.of.columns, self.space)

    def _check_room(self, number: int, needed: int) -> None:
        """Refuse a step whose numbers do not fit."""
        if needed > len(self.space.values) * 8:
            steps = f"step {number:,} of {counted(len(self.of.steps), 'step')}"
            check_memory(f"{steps} of the elimination takes", 2 * needed)

    def _account(self, number: int, table: Fronts) -> None:
        """Count the vectors of a table, once, and give up if these are too many."""
        if not self.is_found:
            self.of.made += len(table.values) // self.of.columns
            self._keep_table(number, table)
        self.tell(number, len(self.of.steps), self.of.made)
        if self.of.made > self.budget.vectors:
            raise GivenUp(
                f"max_points = {self.budget.vectors:,} is passed: the elimination, of "
                f"width {self.of.schedule.width}, has made "
                f"{counted(self.of.made, 'vector')} by step {number + 1:,} of "
                f"{counted(len(self.of.steps), 'step')}"
            )

    def _trace(
        self, trace: Trace, last: int, kept: dict[int, Live], memory: int
    ) -> None:
        """Trace back from step last - 1 to the first checkpoint kept."""
        for start in sorted(kept, reverse=True):
            live, room = kept.pop(start), memory - _bytes(kept.values())
            if self.sizes[start:last].sum() <= room or last - start <= 2:
                self._trace_stretch(trace, start, last, live)
            else:
                inner, places = {start: live}, self._places(start, last, room // 2)

                def keep(number: int, live: Live) -> None:
                    if number in places:  # noqa: B023 (it is called at once)
                        inner[number] = dict(live)  # noqa: B023

                self._stretch(start, max(places) + 1, live, keep)
                self._trace(trace, last, inner, room)
            last = start

    def _places(self, first: int, last: int, memory: int) -> set[int]:
        """Where to keep checkpoints between two steps, one at least.

        They are as many as fit, and as many bytes of tables are between any two.
        """
        done = np.cumsum(self.sizes[first:last])
        for count in range(CHECKPOINTS, 0, -1):
            shares = done[-1] * np.arange(1, count + 1) // (count + 1)
            places = first + 1 + np.searchsorted(done[:-2], shares)
            if self.layers[places].sum() <= memory:
                break
        return set(places.tolist())

    def _trace_stretch(self, trace: Trace, first: int, last: int, live: Live) -> None:
        """Repeat steps first, ..., last - 1, keep their tables, and trace them back."""
        tables, live = dict(live), dict(live)
        for number in range(first, last - 1):
            tables[number] = live[number] = self._step(number, live)
        self._trace_back(trace, first, last, tables)

    def _trace_back(self, trace: Trace, first: int, last: int, tables: Live) -> None:
        """Trace steps last - 1, ..., first, whose tables are there, and drop these."""
        of = self.of
        for number in range(last - 1, first - 1, -1):
            step = of.steps[number]
            if step.rank == NOTHING:
                pair = tables[step.first], tables[step.second]
                trace_join(trace, number, step, *pair)
            else:
                read = self.nothing if step.first == NOTHING else tables[step.first]
                add_cliques(of.schedule, of.tables, self.space, step.rank)
                trace_choice(trace, number, step, read, self.space.base)
            tables.pop(number, None)


def _bytes(kept: Iterable[Live]) -> int:
    """The memory of some checkpoints; tables that several have count once."""
    tables = {id(table): table.nbytes for live in kept for table in live.values()}
    return sum(tables.values())
