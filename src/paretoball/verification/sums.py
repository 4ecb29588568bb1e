"""f of one solution, summed from what the landscape was given as, in plain integers."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from paretoball.landscape import Landscape, Square
from paretoball.system import check_memory, counted

# Bytes of Python's lists: of a subfunction, of a variable in its mask, of an entry.
SUBFUNCTION, VARIABLE, ENTRY = 250, 150, 30


class _TableSums:
    """f of one solution, in plain integers: steps of each objective's grid."""

    def __init__(self, landscape: Landscape):
        given = landscape.subfunctions
        needed = SUBFUNCTION * landscape.m + VARIABLE * given.masks.size
        check_memory(
            f"to check {counted(landscape.m, 'subfunction')} takes",
            needed + ENTRY * given.tables.size,
        )
        tables, table_at = given.tables.tolist(), given.table_at.tolist()
        masks, mask_at = given.masks.tolist(), given.mask_at.tolist()
        self.n = landscape.n
        self.signs = _signs(landscape)
        self.tables = [tables[a:b] for a, b in pairwise(table_at)]
        self.masks = [masks[a:b] for a, b in pairwise(mask_at)]
        self.objectives: list[int] = given.objective.tolist()
        self.here = [0] * landscape.m  # which entry of its table each one reads
        self.totals = [0] * landscape.d
        self.readers: list[list[Any]] = [[] for _ in range(landscape.n)]
        for s, i in enumerate(self.objectives):
            for b, j in enumerate(self.masks[s]):
                self.readers[j].append((s, 1 << b, i, self.tables[s]))

    def means(self) -> list[Fraction]:
        """The mean of each objective over all solutions."""
        most = max(map(len, self.tables), default=1)  # all lengths are powers of two
        totals = [0] * len(self.signs)
        for i, table in zip(self.objectives, self.tables):
            totals[i] += sum(table) * (most // len(table))
        return [Fraction(total, most) for total in totals]

    def set(self, bits: list[int]) -> None:
        """Sum up f of this solution."""
        self.totals = [0] * len(self.signs)
        for s, mask in enumerate(self.masks):
            self.here[s] = sum(bits[j] << b for b, j in enumerate(mask))
            self.totals[self.objectives[s]] += self.tables[s][self.here[s]]

    def flipped(self, j: int) -> list[int]:
        """f after a flip of variable j."""
        totals, here = self.totals.copy(), self.here
        for s, bit, i, table in self.readers[j]:
            totals[i] += table[here[s] ^ bit] - table[here[s]]
        return totals

    def flip(self, j: int) -> None:
        """Flip variable j."""
        self.totals = self.flipped(j)
        for s, bit, _, _ in self.readers[j]:
            self.here[s] ^= bit


class _SquareSums:
    """The same for a square of factors, which are not copied.

    NumPy only picks the factors of variables that are 1. They are added as Python's own
    integers, one row at a time, so no sum can wrap.
    """

    def __init__(self, landscape: Landscape, square: Square):
        self.n = landscape.n
        self.signs = _signs(landscape)
        self.square = square  # maximised: factors of minimised objectives are negated
        self.x = np.zeros(landscape.n, np.bool_)
        self.totals = self._own(square.constant.tolist())

    def _own(self, maximised: list[int]) -> list[int]:
        """Numbers in the objectives' own senses."""
        return [sign * each for sign, each in zip(self.signs, maximised)]

    def means(self) -> list[Fraction]:
        """The mean of each objective over all solutions: x_j is 1 in half of them."""
        constant, linear, pairs = self.square
        fourfold = [4 * each for each in constant.tolist()]
        for i, alone in enumerate(linear.T.tolist()):
            fourfold[i] += 2 * sum(alone)
        for j in range(self.n):
            for i, factors in enumerate(pairs[j, :j].T.tolist()):
                fourfold[i] += sum(factors)
        return [Fraction(each, 4) for each in self._own(fourfold)]

    def set(self, bits: list[int]) -> None:
        """Sum up f of this solution."""
        self.x[:] = False
        self.totals = self._own(self.square.constant.tolist())
        for j, bit in enumerate(bits):
            if bit:
                self.flip(j)

    def flipped(self, j: int) -> list[int]:
        """f after a flip of variable j."""
        alone, beside = self.square.linear[j].tolist(), self.square.pairs[j, self.x]
        each = [one + sum(factors) for one, factors in zip(alone, beside.T.tolist())]
        sign = -1 if self.x[j] else 1
        return [now + sign * own for now, own in zip(self.totals, self._own(each))]

    def flip(self, j: int) -> None:
        """Flip variable j."""
        self.totals = self.flipped(j)
        self.x[j] = not self.x[j]


Sums = _TableSums | _SquareSums


def sums_on(landscape: Landscape) -> Sums:
    """Sums of a landscape's objectives, at no solution yet."""
    if landscape.square is not None:
        return _SquareSums(landscape, landscape.square)
    return _TableSums(landscape)


def _signs(landscape: Landscape) -> list[int]:
    """1 for a maximised objective, -1 for a minimised one."""
    return [1 if sense == "max" else -1 for sense in landscape.sense]
