"""Constraints of one solution at a time, in plain integers.

Bounds are worked out here once more, in fractions, from the numbers as given.
"""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from paretoball.landscape import Constraints, Landscape, constraint_in_words

COMPUTED = 13  # digits of a float from which on it may be a sum of floats
FAR = 2**63  # steps: beyond all sums


class Limits:
    """Which constraints one solution violates; g is in steps of each constraint."""

    def __init__(self, landscape: Landscape):
        self.constraints = landscape.constraints
        given = self.constraints.arrays.subfunctions
        tables, table_at = given.tables.tolist(), given.table_at.tolist()
        masks, mask_at = given.masks.tolist(), given.mask_at.tolist()
        self.tables = [tables[a:b] for a, b in pairwise(table_at)]
        self.masks = [masks[a:b] for a, b in pairwise(mask_at)]
        self.owners: list[int] = given.objective.tolist()
        tables_of: list[list[list[int]]] = [[] for _ in self.constraints.names]
        for c, table in zip(self.owners, self.tables):
            tables_of[c].append(table)
        self.ranges = [(sum(map(min, some)), sum(map(max, some))) for some in tables_of]
        bounds = [
            _allowed(self.constraints, c, some) for c, some in enumerate(tables_of)
        ]
        self.lower = [least for least, _ in bounds]
        self.upper = [most for _, most in bounds]
        self.here = [0] * len(self.masks)  # which entry of its table each term reads
        self.totals = [0] * len(self.lower)
        self.violated: set[int] = set()
        self.readers: list[list[Any]] = [[] for _ in range(landscape.n)]
        for s, c in enumerate(self.owners):
            for b, j in enumerate(self.masks[s]):
                self.readers[j].append((s, 1 << b, c, self.tables[s]))

    def bound_failures(self) -> Iterator[str]:
        """Bounds that the landscape has otherwise than they were given."""
        _, lower, upper = self.constraints.arrays
        for c, (lowest, highest) in enumerate(self.ranges):
            right = max(self.lower[c], lowest), min(self.upper[c], highest)
            found = max(int(lower[c]), lowest), min(int(upper[c]), highest)
            if found != right:
                name, asked = self.constraints.names[c], self.constraints.relations[c]
                yield (
                    f"{constraint_in_words(c, name)} asks for {asked} "
                    f"{self.constraints.bounds[c]}, from {right[0]} to {right[1]} "
                    f"steps, but the landscape has {found[0]} to {found[1]}"
                )

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


def _allowed(
    constraints: Constraints, c: int, tables: list[list[int]]
) -> tuple[int, int]:
    """The least and the most steps that constraint c allows, from its bound as given.

    A float is the decimal that it is printed as. It is a whole number of steps if it is
    the float nearest to that, or has 13 digits or more and is as near to that as sums
    of the terms in floats are. Where tables are rounded, it is the nearest whole number
    of steps, and widened by one step for each term and one for itself.
    """
    bound, per_unit = constraints.bounds[c], Fraction(constraints.scale[c].item())
    printed = repr(bound) if isinstance(bound, float) else bound
    exact, room = Fraction(printed) * per_unit, 0
    whole = (2 * exact + 1) // 2
    if constraints.rounded[c]:
        exact, room = Fraction(whole), len(tables) + 1
    elif isinstance(bound, float):
        digits = Decimal(repr(bound)).normalize().as_tuple().digits
        reach = sum(max(map(abs, table)) for table in tables)
        errs = min(Fraction(1, 4), Fraction((len(tables) + 1) * reach, 2**53))
        is_sum = len(digits) >= COMPUTED and abs(exact - whole) <= errs
        if float(whole / per_unit) == bound or (constraints.real[c] and is_sum):
            exact = Fraction(whole)
    relation = constraints.relations[c]
    least = -(-exact // 1) - room if relation in (">=", "==") else -FAR
    most = exact // 1 + room if relation in ("<=", "==") else FAR
    return least, most
