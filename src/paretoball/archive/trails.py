"""Trails: a start and the flips from which reported solutions are rebuilt."""

from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.landscape import Numbering, new_solutions, packed_bits, unpacked_bits


class Trail(NamedTuple):
    """Solutions of one unit: the first as bits, each next one as flips of the last."""

    steps: np.ndarray  # (rows,) int64: the step of each solution, ascending
    base: np.ndarray  # (n / 8,) uint8: the first solution, packed, lowest bit first
    flip_at: np.ndarray  # (rows + 1,) int64: where the flips of each row start
    flips: np.ndarray  # int32: variables; the first row has none

    @classmethod
    def along(
        cls, x: np.ndarray, flips: np.ndarray, ends: np.ndarray, steps: np.ndarray
    ) -> "Trail":
        """The solutions at `steps`: number s is x after the first `ends[s]` flips."""
        first, n = ends[0], len(x)
        base = x ^ (np.bincount(flips[:first], minlength=n) & 1).astype(np.uint8)
        kept = np.empty(ends[-1] - first, np.int32)
        flip_at = np.zeros(len(steps) + 1, np.int64)
        _keep_net_flips(flips, ends, kept, flip_at, np.zeros(n, np.bool_))
        return cls(steps, packed_bits(base), flip_at, kept[: flip_at[-1]].copy())

    @classmethod
    def of_one(cls, x: np.ndarray) -> "Trail":
        """The trail of a single solution, at step 0."""
        zeros = np.zeros(2, np.int64)
        return cls(zeros[:1], packed_bits(x), zeros, np.zeros(0, np.int32))

    def only(self, steps: np.ndarray, n: int) -> "Trail":
        """The trail of these steps only, which are ascending and in this trail."""
        x = unpacked_bits(self.base, n)
        ends = self.flip_at[np.searchsorted(self.steps, steps) + 1]
        return Trail.along(x, self.flips, ends, steps)

    def unpacked(self, steps: np.ndarray, n: int) -> np.ndarray:
        """The solutions at these steps, ascending: (len(steps), n) uint8."""
        X = np.empty((len(steps), n), np.uint8)
        self.unpack(steps, X, np.arange(len(steps)))
        return X

    def unpack(self, steps: np.ndarray, X: np.ndarray, rows: np.ndarray) -> None:
        """Write the solutions at these steps, ascending, to these rows of X."""
        x, at = unpacked_bits(self.base, X.shape[1]), 0
        ends = self.flip_at[np.searchsorted(self.steps, steps) + 1]
        for row, end in zip(rows.tolist(), ends.tolist()):
            np.bitwise_xor.at(x, self.flips[at:end], 1)
            X[row], at = x, end

    def outward(self, numbering: Numbering | None) -> "Trail":
        """The trail of the same solutions before variables got these numbers."""
        if numbering is None:
            return self
        base = numbering.outward(unpacked_bits(self.base, len(numbering.number)))
        flips = numbering.variable[self.flips]
        return self._replace(base=packed_bits(base), flips=flips)

    def has(self, steps: np.ndarray) -> bool:
        """Whether all these steps are in this trail."""
        return bool(np.isin(steps, self.steps).all())

    def joined(self, other: "Trail", steps: np.ndarray, n: int) -> "Trail":
        """The trail of these steps of one unit; each is in this trail or the other."""
        X = np.empty((len(steps), n), np.uint8)
        for trail in (self, other):
            known = np.flatnonzero(np.isin(steps, trail.steps))
            trail.unpack(steps[known], X, known)
        rows, flips = np.nonzero(np.diff(X, axis=0))
        flip_at = np.searchsorted(rows, np.arange(len(steps)))
        base = packed_bits(X[0])
        return Trail(steps, base, np.append(0, flip_at), flips.astype(np.int32))


def replayed(
    trails: dict[int, Trail], units: np.ndarray, steps: np.ndarray, n: int
) -> np.ndarray:
    """The solutions at these steps of these units: (len(units), n) bool."""
    X = new_solutions(len(units), n)
    order = np.lexsort((steps, units))
    starts = np.flatnonzero(np.diff(units[order], prepend=-1))
    for rows in np.split(order, starts[1:]):
        if len(rows):
            trails[int(units[rows[0]])].unpack(steps[rows], X.view(np.uint8), rows)
    return X


@kernel
def _keep_net_flips(flips, ends, kept, kept_at, marks):
    """From each end to the next, keep the variables flipped an odd number of times."""
    count = 0
    for row in range(1, len(ends)):
        for at in range(ends[row - 1], ends[row]):
            marks[flips[at]] ^= True
        for at in range(ends[row - 1], ends[row]):
            j = flips[at]
            if marks[j]:
                marks[j] = False
                kept[count] = j
                count += 1
        kept_at[row + 1] = count
