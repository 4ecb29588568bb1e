"""Elimination of sets of vectors, forwards for the front, backwards for its solutions.

The tables of all steps are kept if a quarter of the memory is enough for them. If not,
the forward pass keeps checkpoints: the tables that are still to be read at some step.
The backward pass goes from checkpoint to
checkpoint, the last one first: it repeats the steps between two of them, keeps what
they write, and traces solutions through it. A stretch whose tables do not fit either is
done in the same way, with checkpoints of its own.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from paretoball.exact.front_merging import room_of
from paretoball.exact.front_steps import (
    NOTHING,
    Step,
    StepArrays,
    arrays_of,
    steps_of,
)
from paretoball.exact.front_tables import (
    DONE,
    END,
    FIRST_ROOM,
    MORE_ROOM,
    NEEDED,
    PAUSE,
    WHY,
    Fronts,
    Space,
    add_cliques,
    choose,
    chosen_room,
    copied_fronts,
    join,
    more_bytes,
    new_space,
    nothing_read,
    with_more,
)
from paretoball.exact.front_tracing import (
    Trace,
    new_trace,
    solutions_of,
    trace_choice,
    trace_join,
)
from paretoball.exact.message_schedule import Schedule
from paretoball.system import Pulse, available_memory, counted, nothing, refuse_memory

UNCAPPED = 2**63 - 1
CHECKPOINTS = 16  # at most so many at a time, for each level of stretches
A_VECTOR = 64  # comparisons that are allowed for each vector allowed

Live = dict[int, Fronts]  # the tables still to be read, by step
Keep = Callable[[int, Live], None]
# Drops, of the table of a step, what cannot matter; calls a pulse where it pauses.
Prune = Callable[[int, Space, Pulse], None]
Tell = Callable[[int, int, int], None]  # of the step, all steps, and vectors made
Spend = Callable[[int], None]  # told of comparisons that were made, now and then


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

    def __init__(
        self,
        schedule: Schedule,
        tables: np.ndarray,
        needs: np.ndarray,
        pulse: Pulse = nothing,
    ):
        self.schedule = schedule
        self.tables = tables
        self.columns = tables.shape[1]
        self.needs = needs
        self.d = self.columns - len(needs)
        self.caps = np.append(np.full(self.d, UNCAPPED), needs)
        self.room = available_memory()  # bytes, for all that an elimination keeps
        self.held = tables.nbytes  # bytes, but for those of passes
        self.steps: list[Step] = steps_of(schedule, pulse)
        self.made = 0  # vectors, in the tables of all passes
        self.compared = 0  # vectors with others, or with bounds

    @cached_property
    def arrays(self) -> StepArrays:
        """The steps, for kernels."""
        return arrays_of(self.steps)

    def check_made(self, most: int, where: str) -> None:
        """Give up if more vectors were made than that, or compared too often."""
        if self.made > most or self.compared > A_VECTOR * most:
            raise GivenUp(
                f"max_points = {most:,} is passed: the elimination, of width "
                f"{self.schedule.width}, has made {counted(self.made, 'vector')} "
                f"and {counted(self.compared, 'comparison')} by {where}"
            )

    def check_room(self, needs: str, needed: int) -> None:
        """Refuse to take so many bytes more than are held, if they do not fit."""
        if self.held + needed > self.room:
            refuse_memory(needs, self.held + needed)

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
        self.memory = min(budget.memory, (of.room - of.held) // 2)
        self.space = new_space(of.caps, of.schedule.width)
        self.nothing = nothing_read(of.columns)
        self.sizes = np.zeros(len(of.steps), np.int64)  # bytes of each table
        self.whole_size = 0  # bytes of all tables so far
        self.layers = np.zeros(len(of.steps), np.int64)  # of what is live before each
        self.layer = 0  # bytes of what is live now
        self.tables: Live | None = {}  # of all steps; None if they are too large
        self.checkpoints: dict[int, Live] = {}
        self.gap = self.memory // (2 * CHECKPOINTS)  # bytes between two of them
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
            room = self.of.room - self.of.held - self.space.nbytes
            kept = {0: {}, **self.checkpoints}
            self._trace(trace, last, kept, min(self.memory, room))
        pause = self._pause_at(0)
        return solutions_of(trace, schedule.variables, len(values), pause)

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
            if self.whole_size > self.memory // 4:
                self.tables = None

    def _keep_some(self, number: int, live: Live) -> None:
        """Keep a checkpoint if the last one is far back; drop every second if need be.

        Up to a half of the memory is for them.
        """
        self.layers[number] = self.layer
        if self.since <= self.gap:
            return
        self.checkpoints[number] = dict(live)
        self.since = 0
        room, kept = self.memory // 2, _bytes(self.checkpoints.values())
        if kept > room or len(self.checkpoints) > CHECKPOINTS:
            for old in sorted(self.checkpoints)[::2]:
                del self.checkpoints[old]
            self.gap *= 2

    def _step(self, number: int, live: Live) -> Fronts:
        """The table of a step; those that it reads are taken from `live`."""
        step, pause = self.of.steps[number], self._pause_at(number)
        self.space.start_step()
        self.space.allow_more()
        if step.rank == NOTHING:
            self._join(number, step, live)
        else:
            self._choose(number, step, live)
        if self.prune is not None:
            self.prune(number, self.space, pause)
        size = 8 * int(self.space.at[1 << len(step.scope)])
        if size > self.memory // CHECKPOINTS:
            self._check_room(number, live, size)
        table = copied_fronts(self.space, len(step.scope))
        self._account(number, live, table)
        pause()
        for read in (step.first, step.second):
            live.pop(read, None)
        return table

    def _choose(self, number: int, step: Step, live: Live) -> None:
        """Write the table of a choice."""
        of, pause = self.of, self._pause_at(number)
        read = self.nothing if step.first == NOTHING else live[step.first]
        add_cliques(of.schedule, of.tables, self.space, step.rank, pause)
        room = chosen_room(read, step.bits, step.first_bits)
        if room > len(self.space.values):
            room = max(room, FIRST_ROOM, len(self.space.values) * 5 // 4)
            self.space = self.space._replace(values=np.empty(0, np.int64))
        points = 2 * int(np.diff(read.at).max()) // of.columns
        if points > room_of(self.space.seen):
            points = points * 5 // 4
        self._make_room(number, live, (room, 0, points))
        while not choose(read, step.bits, step.first_bits, of.columns, self.space):
            pause()

    def _join(self, number: int, step: Step, live: Live) -> None:
        """Write the sums of two tables, with more room if there is too little."""
        masks, columns = (step.first_bits, step.second_bits), self.of.columns
        tables, pause = (live[step.first], live[step.second]), self._pause_at(number)
        while True:
            join(tables, masks, step.bits, columns, self.space)
            state = self.space.seen.state
            if state[WHY] == DONE:
                return
            pause()
            if state[WHY] == MORE_ROOM:
                values = 2 * len(self.space.values) + int(state[END])
                self._make_room(number, live, (values, 0, 0))
            elif state[WHY] != PAUSE:
                needed, have = int(state[NEEDED]), len(self.space.work)
                work = int(state[END]) + needed
                work = max(work, 2 * have) if work > have else 0
                self._make_room(number, live, (0, work, 2 * needed // columns))

    def _make_room(self, number: int, live: Live, room: tuple[int, int, int]) -> None:
        """Let the space have room for so many numbers and points, if they fit."""
        more = more_bytes(self.space, *room)
        if more > 0:
            self._check_room(number, live, more)
            self.space = with_more(self.space, *room)

    def _check_room(self, number: int, live: Live, more: int) -> None:
        """Refuse a step that takes so many bytes more, if they do not fit."""
        held = _bytes([live, self.tables or {}, *self.checkpoints.values()])
        steps = f"step {number + 1:,} of {counted(len(self.of.steps), 'step')}"
        needed = held + self.space.nbytes + more
        self.of.check_room(f"{steps} of the elimination takes", needed)

    def _pause_at(self, number: int) -> Pulse:
        """What kernels of a step call where they pause."""

        def pause() -> None:
            if not self.is_found:
                self.of.compared += self.space.compared
            self.space.allow_more()
            self.tell(number, len(self.of.steps), self.of.made)
            step = f"step {number + 1:,} of {counted(len(self.of.steps), 'step')}"
            self.of.check_made(self.budget.vectors, step)

        return pause

    def _account(self, number: int, live: Live, table: Fronts) -> None:
        """Count the vectors and bytes of a table, once."""
        self.since += table.nbytes
        if self.is_found:
            return
        step = self.of.steps[number]
        self.of.made += len(table.values) // self.of.columns
        self.sizes[number] = table.nbytes
        self.whole_size += table.nbytes
        self.layer += table.nbytes
        self.layer -= sum(
            live[read].nbytes for read in (step.first, step.second) if read != NOTHING
        )
        self._keep_table(number, table)

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
            step, pause = of.steps[number], self._pause_at(number)
            pause()
            if step.rank == NOTHING:
                pair = tables[step.first], tables[step.second]
                trace_join(trace, number, step, *pair, pause)
            else:
                read = self.nothing if step.first == NOTHING else tables[step.first]
                add_cliques(of.schedule, of.tables, self.space, step.rank, pause)
                trace_choice(trace, number, step, read, self.space.base, pause)
            tables.pop(number, None)


def _bytes(kept: Iterable[Live]) -> int:
    """The memory of some checkpoints; tables that several have count once."""
    tables = {id(table): table.nbytes for live in kept for table in live.values()}
    return sum(tables.values())
