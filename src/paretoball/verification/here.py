"""One solution at a time: its objectives and constraints, and those of its ball."""

from functools import partial
from typing import NamedTuple

from paretoball.landscape import Landscape
from paretoball.system import Display
from paretoball.verification.limits import Limits
from paretoball.verification.sums import Sums, sums_on


class Here(NamedTuple):
    """The objectives and the constraints of one solution."""

    sums: Sums
    limits: Limits

    @classmethod
    def on(cls, landscape: Landscape) -> "Here":
        """No solution yet."""
        return cls(sums_on(landscape), Limits(landscape))

    def set(self, bits: list[int]) -> None:
        """Sum up f and all constraints of this solution."""
        self.sums.set(bits)
        self.limits.set(bits)

    def flip(self, j: int) -> None:
        """Flip variable j."""
        self.sums.flip(j)
        self.limits.flip(j)

    def is_improved(self, j: int, fx: list[int]) -> bool:
        """Whether a flip of variable j leads to a feasible solution that dominates."""
        if not _dominates(self.sums.flipped(j), fx, self.sums.signs):
            return False
        self.limits.flip(j)
        feasible = not self.limits.violated
        self.limits.flip(j)
        return feasible


def dominating_flips(
    at: Here, fx: list[int], radius: int, first: int, display: Display
) -> list[int] | None:
    """At most `radius` variables from `first` on whose flip dominates fx, if any.

    The flips lead to a feasible solution.
    """
    for j in range(first, at.sums.n):
        if at.is_improved(j, fx):
            return [j]
        if first == 0:
            display.tell(partial(_ball_line, fx, j))
        if radius > 1:
            at.flip(j)
            found = dominating_flips(at, fx, radius - 1, j + 1, display)
            at.flip(j)
            if found is not None:
                return [j, *found]
    return None


def _dominates(one: list[int], other: list[int], signs: list[int]) -> bool:
    """Whether `one` is nowhere worse than `other` and somewhere better."""
    for sign, a, b in zip(signs, one, other):
        if sign * a < sign * b:
            return False
    return one != other


def _ball_line(fx: list[int], j: int) -> str:
    return f"checking the ball around {fx}: variable {j:,}"
