"""The hypervolume of a front: exact, by moocore, or estimated from a sample.

What an exact hypervolume costs grows with the number of objectives: 10,000 points take
milliseconds with three of them, a second with five, and years with eight. The time is
predicted from the number of points and objectives alone, so what is refused does not
depend on the machine.
"""

from collections.abc import Sequence
from math import exp, lgamma, log, pi, sqrt
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from paretoball.landscape import EXACT
from paretoball.numerics import entropy_of, one_seed
from paretoball.quality.points import (
    checked_points,
    checked_reference,
    signs_of,
)
from paretoball.system import hearing_signals

MOST_OBJECTIVES = 31  # for which moocore has exact hypervolumes
EASY = 3  # objectives up to which N points take a time of N log N; traces have no more
LONGEST = 5.0  # seconds that an exact hypervolume may take, as predicted
# For each number of objectives d: how many points take one second, and the power of
# the number of points to which time is proportional. Measured with moocore 0.3.2 on
# fronts of four shapes, the slowest of which takes twice as long.
PACE = {
    4: (50_000, 2.0),
    5: (9_000, 2.3),
    6: (750, 3.1),
    7: (250, 3.9),
    8: (120, 4.7),
    9: (70, 5.5),
    10: (43, 6.2),
    11: (29, 6.6),
    12: (25, 7.5),
    13: (21, 8.0),  # each further objective doubles the time
}
FEW = 12  # points that take no time with any number of objectives
UNITS = {"seconds": 1, "minutes": 60, "hours": 3_600, "days": 86_400, "years": 3.16e7}

WORK = 4_000_000_000  # samples times points times objectives: some seconds
FEWEST, MOST = 1_000, 100_000  # samples
AT_ONCE = 1 << 15  # samples times points that are computed at once


class Estimate(NamedTuple):
    """A value that was estimated from a random sample."""

    value: float
    error: float  # its standard error: two of them hold 95 % of the time


@overload
def hypervolume(
    F: Any,
    ref: Any,
    sense: str | Sequence[str] | None = None,
    approximate: Literal[False] = False,
    seed: Any = None,
    rng: Any = None,
) -> float: ...


@overload
def hypervolume(
    F: Any,
    ref: Any,
    sense: str | Sequence[str] | None = None,
    *,
    approximate: Literal[True],
    seed: Any = None,
    rng: Any = None,
) -> Estimate: ...


def hypervolume(
    F: Any,
    ref: Any,
    sense: str | Sequence[str] | None = None,
    approximate: bool = False,
    seed: Any = None,
    rng: Any = None,
) -> float | Estimate:
    """The volume between a front and a reference point; points beyond it add nothing.

    Large integers lose no digits before `ref` is subtracted; the volume is a float.

    Parameters
    ----------
    F
        Objective vectors, a row each, or a front: a result, an archive, ...
    sense
        `"max"` or `"min"`, for all objectives or one by one. None takes the senses of
        the front, or `"max"` for plain numbers. The same holds for all indicators.
    approximate
        Whether to estimate the volume from a random sample, for any number of points
        and objectives, in some seconds. The answer then has a `value` and an `error`.
    seed, rng
        Two names of one argument, as for `solve`: the same seed, the same estimate.

    Raises
    ------
    ValueError
        If the exact volume would take more than a few seconds, or if there are more
        than 31 objectives.

    Examples
    --------
    >>> hypervolume([[1, 2], [2, 1]], ref=[0, 0])
    3.0
    >>> estimate = hypervolume([[1, 2], [2, 1]], [0, 0], approximate=True, seed=1)
    >>> abs(estimate.value - 3) < 4 * estimate.error < 0.1
    True
    """
    points, corner = _as_minimised(F, ref, sense)
    seed = one_seed(seed, rng)
    if approximate:
        return _estimate(corner - points, seed)
    if len(points) == 0:
        return 0.0
    if points.shape[1] == 1:
        return float((corner - points).max())
    _check_affordable(*points.shape)
    import moocore

    return float(hearing_signals(lambda: moocore.hypervolume(points, ref=corner)))


def _as_minimised(
    F: Any, ref: Any, sense: str | Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray]:
    """The points that are better than `ref`, and `ref`: minimised, as floats.

    Integers are counted from `ref`, so that large ones differ in their last digits.
    """
    points = checked_points(F, "F", lone=True)
    signs = signs_of(F, sense, points.shape[1])
    corner = checked_reference(ref, points.shape[1])
    if points.dtype.kind != "f":
        origin = np.where(np.abs(corner) < EXACT, corner // 1, 0).astype(np.int64)
        points = points.astype(np.int64) - origin
        corner = corner - origin.astype(corner.dtype)
    better = (points * signs > corner * signs).all(axis=1)
    return -signs * points[better].astype(float), -signs * corner.astype(float)


def _check_affordable(rows: int, d: int) -> None:
    """Refuse an exact hypervolume that takes too long."""
    way_out = "give approximate=True for an estimate"
    if d > MOST_OBJECTIVES:
        raise ValueError(
            f"F has d = {d} objectives, but exact hypervolumes are for up to "
            f"{MOST_OBJECTIVES}: {way_out}"
        )
    seconds = _predicted_seconds(rows, d)
    if seconds > LONGEST:
        raise ValueError(
            f"the exact hypervolume of {rows:,} points with d = {d} objectives takes "
            f"{in_words(seconds)}: {way_out}, or fewer points"
        )


def _predicted_seconds(rows: int, d: int) -> float:
    """How long an exact hypervolume takes, roughly; 0 where it is easy."""
    if d <= EASY or rows <= FEW:
        return 0.0
    known = min(d, max(PACE))
    in_a_second, power = PACE[known]
    return (rows / in_a_second) ** power * 2 ** (d - known)


def in_words(seconds: float) -> str:
    """A long time, roughly."""
    if seconds > 1_000 * UNITS["years"]:
        return "more than 1,000 years"
    name, unit = [each for each in UNITS.items() if seconds >= 2 * each[1]][-1]
    return f"about {seconds / unit:.0f} {name}"


def _estimate(gains: np.ndarray, seed: Any) -> Estimate:
    """The volume of a union of boxes from the origin to each point, by sampling.

    The union reaches from the origin to s(u) in direction u. Its volume is the mean of
    s(u)**d over all directions, as a multiple of the unit ball's share of the orthant.
    Objectives are scaled to a longest box of side 1.
    """
    rows, d = gains.shape
    if rows == 0:
        return Estimate(0.0, 0.0)
    sides = gains.max(axis=0)
    draw = np.random.default_rng(entropy_of(seed))
    samples = min(max(WORK // gains.size, FEWEST), MOST)
    columns = np.ascontiguousarray((gains / sides).T)
    s = np.empty(samples)
    batch = max(1, AT_ONCE // rows)
    for first in range(0, samples, batch):
        u = np.abs(draw.standard_normal((min(batch, samples - first), d)))
        u /= np.sqrt((u * u).sum(axis=1, keepdims=True))
        s[first : first + batch] = _reaches(columns, u)
    ball = d / 2 * log(pi) - lgamma(d / 2 + 1) - d * log(2)
    logs = ball + d * np.log(s) + np.log(sides).sum()
    top = float(logs.max())
    try:
        unit = exp(top)
    except OverflowError:
        raise OverflowError(
            f"the hypervolume is about 1e{top / log(10):.0f}, beyond the largest "
            "float: divide objectives and ref by a common factor"
        ) from None
    volumes = np.exp(logs - top)
    error = volumes.std(ddof=1) / sqrt(samples)
    return Estimate(unit * float(volumes.mean()), unit * float(error))


def _reaches(columns: np.ndarray, u: np.ndarray) -> np.ndarray:
    """How far boxes with these corners, a column each, reach in each direction."""
    inverse = 1 / u
    least = inverse[:, 0, None] * columns[0]
    spare = np.empty_like(least)
    for i in range(1, len(columns)):
        np.multiply(inverse[:, i, None], columns[i], out=spare)
        np.minimum(least, spare, out=least)
    return least.max(axis=1)
