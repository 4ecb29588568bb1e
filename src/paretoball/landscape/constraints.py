"""Constraints: sums of subfunctions that a feasible solution keeps within bounds.

All is decided in whole numbers of steps: `lower <= g(x) <= upper`. Tables of floats
that are not whole numbers of steps are rounded, and bounds widened by `tolerances`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from math import ceil, floor
from typing import Any, NamedTuple, overload

import numpy as np

from paretoball.landscape.exact_tables import EXACT_DECIMALS, exact_number
from paretoball.landscape.naming import joined_names, some_labels
from paretoball.landscape.subfunctions import EXACT, Number, Subfunctions, end_to_end
from paretoball.numerics import sums_by_row
from paretoball.system import brief, counted

Pair = tuple[tuple[int, ...], tuple[float, ...]]

HALF = Fraction(1, 2)
WRITTEN = 12  # digits of a bound that somebody wrote, not computed


class Asked(NamedTuple):
    """One constraint as given."""

    place: str  # what errors call it, such as constraint 4 ('budget')
    terms: list[Any]
    relation: str
    bound: Number
    name: str


class ConstraintArrays(NamedTuple):
    """What decides whether a solution is feasible: exact integers, in steps."""

    subfunctions: Subfunctions  # `objective` is the number of the constraint
    lower: np.ndarray  # (m,) int64: g(x) is at least that; -2^62 without such a bound
    upper: np.ndarray  # (m,) int64: g(x) is at most that; 2^62 without such a bound


class Constraint(NamedTuple):
    """One constraint, in its own units."""

    name: str
    relation: str  # "<=", ">=" or "=="
    bound: Number
    terms: tuple[Pair, ...]  # (variables, table), by numbers of variables
    tolerance: float = 0  # by how much the bound is widened, as tables are rounded

    def __repr__(self) -> str:
        terms = counted(len(self.terms), "term")
        return f"Constraint({brief(self.name)}: {terms} {self.relation} {self.bound})"


@dataclass(frozen=True, eq=False, repr=False)
class Constraints(Sequence[Constraint]):
    """The constraints of a landscape, in the order in which they were given."""

    arrays: ConstraintArrays
    scale: np.ndarray  # (m,) float64: steps per unit; 1 where tables are integers
    real: np.ndarray  # (m,) bool: whether a constraint is shown in floats
    names: tuple[str, ...]
    relations: tuple[str, ...]  # "<=", ">=" or "=="
    bounds: tuple[Number, ...]  # as given
    rounded: np.ndarray  # (m,) bool: whether tables are rounded to steps

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, c: int) -> Constraint: ...
    @overload
    def __getitem__(self, c: slice) -> list[Constraint]: ...
    def __getitem__(self, c: int | slice) -> Constraint | list[Constraint]:
        if isinstance(c, slice):
            return [self[each] for each in range(len(self))[c]]
        c, terms = range(len(self))[c], []
        for mask, table in self.arrays.subfunctions.of(c):
            own = table / self.scale[c] if self.real[c] else table
            terms.append((tuple(mask.tolist()), tuple(own.tolist())))
        room = float((len(terms) + 1) / self.scale[c]) if self.rounded[c] else 0.0
        return Constraint(
            self.names[c], self.relations[c], self.bounds[c], tuple(terms), room
        )

    def tolerances(self) -> np.ndarray:
        """By how many steps each bound is widened: (m,) int64, 0 where it is exact.

        A rounded term is wrong by half a step. Whoever adds up the terms of a solution
        in floats to get a bound is wrong by less than a quarter of a step for each.
        """
        given = self.arrays.subfunctions
        terms = np.bincount(given.objective, minlength=len(self))
        return np.where(self.rounded, terms + 1, 0)

    def renumbered(self, number: np.ndarray) -> "Constraints":
        """The same constraints, where variable j has the number `number[j]`."""
        given = self.arrays.subfunctions
        moved = given._replace(masks=number[given.masks].astype(np.int64))
        return replace(self, arrays=self.arrays._replace(subfunctions=moved))

    def violation(self, values: np.ndarray) -> np.ndarray:
        """How far values of all g, in steps, (…, m), are outside of the bounds."""
        below, above = self.arrays.lower - values, values - self.arrays.upper
        return np.maximum(np.maximum(below, above), 0)

    def shown(self, steps: np.ndarray) -> np.ndarray:
        """Values or violations from steps to units: floats if a constraint is real."""
        return steps / self.scale if self.real.any() else steps

    def __repr__(self) -> str:
        return f"Constraints({len(self):,}: {some_labels(self.names)})"


def unbounded(
    given: Subfunctions,
    scale: np.ndarray,
    real: np.ndarray,
    rounded: np.ndarray,
    rows: Sequence[Asked],
) -> Constraints:
    """Constraints of subfunctions in steps, whose bounds are not in steps yet."""
    lower, upper = np.full(len(rows), -EXACT), np.full(len(rows), EXACT)
    return Constraints(
        ConstraintArrays(given, lower, upper),
        scale,
        real,
        tuple(row.name for row in rows),
        tuple(row.relation for row in rows),
        tuple(row.bound for row in rows),
        rounded,
    )


def bounded(constraints: Constraints) -> Constraints:
    """The same constraints with bounds in steps, if each alone can be satisfied.

    A bound between two steps is as good as the step within it. Where tables are
    rounded, the bound is the nearest step, and widened.
    """
    lowest, highest = _ranges(constraints)
    lower, upper = np.full((2, len(constraints)), EXACT) * [[-1], [1]]
    tolerances = constraints.tolerances().tolist()
    for c, relation in enumerate(constraints.relations):
        steps, room = _steps(constraints, c), tolerances[c]
        if room:
            steps = floor(steps + HALF)
        at_least = ceil(steps) - room if relation != "<=" else -EXACT
        at_most = floor(steps) + room if relation != ">=" else EXACT
        if at_least > min(highest[c], at_most) or at_most < lowest[c]:
            raise ValueError(_hopeless(constraints, c, lowest[c], highest[c]))
        most = EXACT_DECIMALS if constraints.real[c] else EXACT  # that is reached
        lower[c] = at_least if at_least >= -most else -EXACT
        upper[c] = at_most if at_most <= most else EXACT
    arrays = constraints.arrays._replace(lower=lower, upper=upper)
    return replace(constraints, arrays=arrays)


def _steps(constraints: Constraints, c: int) -> Fraction | int:
    """The bound of constraint c in steps, without rounding.

    A float that is nearest to a whole number of steps is meant to be that; so is one of
    many digits that a sum of floats may give. Others count as the decimals they print.
    """
    number, scale = exact_number(constraints.bounds[c]), constraints.scale[c].item()
    assert number is not None
    if not isinstance(number, float):
        return number if scale == 1 else Fraction(number) * Fraction(scale)
    nearest = floor(Fraction(number) * Fraction(scale) + HALF)
    if float(Fraction(nearest) / Fraction(scale)) == number:
        return nearest
    exact = Fraction(repr(number)) * Fraction(scale)
    written = Decimal(repr(number)).normalize().as_tuple().digits
    if not constraints.real[c] or len(written) <= WRITTEN:
        return exact
    # how wrong a sum in floats may be; a quarter of a step is the most that counts
    terms = constraints.arrays.subfunctions.of(c)
    reach = sum(int(np.abs(table).max()) for _, table in terms)
    noise = min(Fraction(1, 4), Fraction((len(terms) + 1) * reach, 2**53))
    return nearest if abs(exact - nearest) <= noise else exact


def _ranges(constraints: Constraints) -> tuple[list[int], list[int]]:
    """The sums of the lowest and of the highest entries of each constraint's tables."""
    given, names = constraints.arrays.subfunctions, constraints.names
    lowest = np.minimum.reduceat(given.tables, given.table_at[:-1])
    highest = np.maximum.reduceat(given.tables, given.table_at[:-1])
    at = np.searchsorted(given.objective, np.arange(len(names) + 1))
    low, high = sums_by_row(at, lowest).tolist(), sums_by_row(at, highest).tolist()
    for c, (least, most) in enumerate(zip(low, high)):
        if most - least > EXACT:
            raise OverflowError(
                f"{constraint_in_words(c, names[c])} ranges from {least:.3g} to "
                f"{most:.3g} steps, but exact 64-bit arithmetic ends at a range of "
                "2**62 = 4.6e18: divide its tables by a common factor"
            )
    return low, high


def _hopeless(constraints: Constraints, c: int, least: int, most: int) -> str:
    """Why no solution satisfies constraint c, which ranges over these steps."""
    where = constraint_in_words(c, constraints.names[c])
    asks = f"{where} asks for {constraints.relations[c]} {constraints.bounds[c]}"
    per_unit, sums = float(constraints.scale[c]), f"{least} to {most}"
    if least <= _steps(constraints, c) <= most:
        sums = f"multiples of {1 / per_unit:.15g}"
    elif constraints.real[c]:
        sums = f"{least / per_unit:.15g} to {most / per_unit:.15g}"
    return f"{asks}, but its terms add up to {sums}: no solution is feasible"


NO = np.zeros(0, np.bool_)
NO_CONSTRAINTS = unbounded(end_to_end([], NO), np.zeros(0), NO, NO, [])


def joined_constraints(parts: Sequence[Constraints]) -> Constraints:
    """The constraints of all parts; their names are made distinct."""
    shifts = np.cumsum([0, *map(len, parts)])
    given = end_to_end([part.arrays.subfunctions for part in parts], shifts)
    return Constraints(
        ConstraintArrays(
            given,
            np.concatenate([part.arrays.lower for part in parts]),
            np.concatenate([part.arrays.upper for part in parts]),
        ),
        np.concatenate([part.scale for part in parts]),
        np.concatenate([part.real for part in parts]),
        joined_names([part.names for part in parts], "c"),
        tuple(chain.from_iterable(part.relations for part in parts)),
        tuple(chain.from_iterable(part.bounds for part in parts)),
        np.concatenate([part.rounded for part in parts]),
    )


def constraint_in_words(c: int, name: str) -> str:
    """Which constraint it is, for an error message.

    >>> constraint_in_words(0, "c0"), constraint_in_words(1, "budget")
    ('constraint 0', "constraint 1 ('budget')")
    """
    return f"constraint {c}" if name == f"c{c}" else f"constraint {c} ({brief(name)})"


def check_unconstrained(constraints: Constraints, who: str) -> None:
    """Refuse constraints that would be left out of account without a word."""
    if constraints:
        raise ValueError(
            f"{who} does not take constraints into account; give it "
            "landscape.unconstrained"
        )
