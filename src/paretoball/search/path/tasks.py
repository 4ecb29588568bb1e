"""Tasks: what the units of a round are to do, as arrays that travel and are kept."""

from typing import NamedTuple

import numpy as np

from paretoball.landscape import EXACT, Numbering, unpacked_bits
from paretoball.search.path.effort import MANY

TURNS = 3  # directions of a path: its middle and its two ends
FAN = 13  # directions of a path with many objectives
FINEST = 2.0**40  # of weights
PATH, FILL = 0, 1  # kinds of units
CHAINED = 2  # added to these: moves are chains of flips
KEPT_ARRAYS = {  # of `Tasks`, in this order
    "round_kinds": "uint8",
    "round_paths": "int64",
    "round_weights": "int64",
    "round_rows": "int64",
    "round_solutions": "uint8",
    "round_values": "int64",
    "round_wanted": "uint8",
}


def turns_of(d: int) -> int:
    """How many directions a path has with d objectives."""
    return FAN if d >= MANY else TURNS


class Known(NamedTuple):
    """What a task tells of solutions."""

    rows: np.ndarray  # (rows, n) uint8: solutions; of a filling, close to each other
    values: np.ndarray  # (rows, d) int64: their objectives
    wanted: np.ndarray  # (rows,) uint8: which of them a filling visits


class Task(NamedTuple):
    """What one unit is to do."""

    kind: int  # PATH or FILL
    path: int  # how many paths come before it in the run
    turns: np.ndarray  # (turns, d) int64: for a path, weights; the middle comes first
    known: Known  # a path starts at the first one
    is_chained: bool = False  # whether its moves are chains of flips


class Tasks(NamedTuple):
    """What units in a row are to do."""

    n: int
    kinds: np.ndarray  # (units,) uint8
    paths: np.ndarray  # (units,) int64
    weights: np.ndarray  # (units, turns, d) int64
    ends: np.ndarray  # (units,) int64: where the solutions of each unit end
    solutions: np.ndarray  # (rows, n / 8) uint8: packed
    values: np.ndarray  # (rows, d) int64
    wanted: np.ndarray  # (rows,) uint8

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self.kinds)

    def row(self, at: int, numbering: Numbering | None = None) -> Task:
        """What one of them is to do, where variables have these numbers."""
        one = self.some(at, 1)
        rows = unpacked_bits(one.solutions, self.n)
        if numbering is not None:
            rows = numbering.inward(rows)
        known = Known(np.ascontiguousarray(rows), one.values, one.wanted)
        kind = int(one.kinds[0])
        is_chained = kind >= CHAINED
        return Task(kind & FILL, int(one.paths[0]), one.weights[0], known, is_chained)

    def some(self, first: int, count: int) -> "Tasks":
        """Those of `count` units from `first` on."""
        ends, last = np.append(0, self.ends), first + count
        begun = ends[first]
        kinds, paths, weights = (each[first:last] for each in self[1:4])
        rows = [each[begun : ends[last]] for each in self[5:]]
        ends = self.ends[first:last] - begun
        return Tasks(self.n, kinds, paths, weights, ends, *rows)

    def followed_by(self, other: "Tasks") -> "Tasks":
        """These tasks and then the others."""
        later = other._replace(ends=other.ends + len(self.solutions))
        joined = (np.concatenate(both) for both in zip(self[1:], later[1:]))
        return Tasks(self.n, *joined)

    def check(self, d: int, bounds: np.ndarray, may_chain: bool = False) -> None:
        """ValueError unless they fit a landscape with so many objectives.

        Values of objectives change by at most `bounds`; chains need constraints.
        """
        units, rows = len(self.kinds), len(self.solutions)
        shapes = _shapes(self.n, d, units, rows)
        for name, array, shape in zip(KEPT_ARRAYS, self[1:], shapes):
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}, not {shape}")
        reach = (self.weights.astype(object) * bounds).sum(axis=2).max(initial=0)
        turn = np.abs(self.weights - self.weights[:, :1]).max(initial=0)
        if (self.weights < 1).any() or reach >= 2 * EXACT or turn > FINEST:
            raise ValueError(
                "round_weights holds what are no weights of this landscape"
            )
        steps = np.diff(self.ends, prepend=0)
        if (steps < 0).any() or (units and self.ends[-1] != rows):
            raise ValueError("round_rows does not count the rows of round_solutions")
        if (self.kinds > FILL + CHAINED * may_chain).any() or (self.paths < 0).any():
            raise ValueError("round_kinds or round_paths holds what is no unit")
        if (steps[self.kinds & FILL > 0] == 0).any():
            raise ValueError("a filling of round_kinds has no row of round_solutions")


def no_tasks(n: int, d: int, units: int = 0) -> Tasks:
    """The tasks of paths that are told nothing; none if nobody asks for some."""
    kinds = zip(_shapes(n, d, units, 0), KEPT_ARRAYS.values())
    return Tasks(n, *(np.zeros(shape, kind) for shape, kind in kinds))


def _shapes(n: int, d: int, units: int, rows: int) -> list[tuple[int, ...]]:
    """The shapes of all arrays of tasks."""
    of_units, turns = (units,), (units, turns_of(d), d)
    return [of_units, of_units, turns, of_units, (rows, -(-n // 8)), (rows, d), (rows,)]
