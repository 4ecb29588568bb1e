"""f of one solution, summed from the subfunctions as given, in plain integers."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from paretoball.landscape import Landscape


class Sums:
    """f of one solution, in plain integers: steps of each objective's grid."""

    def __init__(self, landscape: Landscape):
        given = landscape.subfunctions
        tables, table_at = given.tables.tolist(), given.table_at.tolist()
        masks, mask_at = given.masks.tolist(), given.mask_at.tolist()
        self.signs = [1 if sense == "max" else -1 for sense in landscape.sense]
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
