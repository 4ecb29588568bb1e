"""Constraints of one solution at a time, in plain integers."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from paretoball.landscape import Landscape, constraint_in_words


class Limits:
    """Which constraints one solution violates; g is in steps of each constraint."""

    def __init__(self, landscape: Landscape):
        self.constraints = landscape.constraints
        given, lower, upper = self.constraints.arrays
        tables, table_at = given.tables.tolist(), given.table_at.tolist()
        masks, mask_at = given.masks.tolist(), given.mask_at.tolist()
        self.tables = [tables[a:b] for a, b in pairwise(table_at)]
        self.masks = [masks[a:b] for a, b in pairwise(mask_at)]
        self.owners: list[int] = given.objective.tolist()
        self.lower, self.upper = lower.tolist(), upper.tolist()
        self.here = [0] * len(self.masks)  # which entry of its table each term reads
        self.totals = [0] * len(self.lower)
        self.violated: set[int] = set()
        self.readers: list[list[Any]] = [[] for _ in range(landscape.n)]
        for s, c in enumerate(self.owners):
            for b, j in enumerate(self.masks[s]):
                self.readers[j].append((s, 1 << b, c, self.tables[s]))

    def set(self, bits: list[int]) -> None:
        """Sum up every constraint of this solution."""
        self.totals = [0] * len(self.lower)
        for s, mask in enumerate(self.masks):
            self.here[s] = sum(bits[j] << b for b, j in enumerate(mask))
            self.totals[self.owners[s]] += self.tables[s][self.here[s]]
        self.violated = {c for c in range(len(self.lower)) if self.violation(c)}

    def flip(self, j: int) -> None:
        """Flip variable j."""
        touched = set()
        for s, bit, c, table in self.readers[j]:
            there = self.here[s] ^ bit
            self.totals[c] += table[there] - table[self.here[s]]
            self.here[s] = there
            touched.add(c)
        self.violated -= touched
        self.violated |= {c for c in touched if self.violation(c)}

    def violation(self, c: int) -> int:
        """How far constraint c is from being satisfied, in steps."""
        return max(self.lower[c] - self.totals[c], self.totals[c] - self.upper[c], 0)

    def violations(self) -> list[float]:
        """The same for all constraints, in their own units."""
        real, scales = self.constraints.real.any(), self.constraints.scale.tolist()
        steps: list[float] = [self.violation(c) for c in range(len(scales))]
        return [each / scale for each, scale in zip(steps, scales)] if real else steps

    def failures(self) -> Iterator[str]:
        """The constraints that the solution violates, in words."""
        for c in sorted(self.violated):
            name, asked = self.constraints.names[c], self.constraints.relations[c]
            found: float = self.totals[c]
            if self.constraints.real[c]:
                found /= float(self.constraints.scale[c])
            yield (
                f"{constraint_in_words(c, name)}, as {found} is not {asked} "
                f"{self.constraints.bounds[c]}"
            )
