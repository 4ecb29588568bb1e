"""Correlation: numbers of several objectives, uniform each, with a given correlation.

This is the law behind ρMNK landscapes and mUBQP. The numbers of d objectives at one
place are Φ(z_1), ..., Φ(z_d), where z is a normal vector, and Φ the distribution
function of its components. Any two components of z have the correlation 2 sin(π ρ / 6);
then any two of the numbers have the correlation ρ.
"""

from functools import cache
from math import asin, erfc, exp, pi, sin, sqrt
from numbers import Real
from typing import Any

import numpy as np

from paretoball.system import brief

FAR = 9  # beyond -9 and 9, Φ is 0 or 1 in floats
PER_UNIT = 256  # points per unit where Φ is known
CHUNK = 1 << 16  # places that are drawn at once: a seed gives other numbers otherwise


def checked_rho(rho: Any, d: int) -> float:
    """The correlation of any two of d objectives, if there is such a normal law.

    Below -1 / (d - 1) there is no such law at all; where d > 2, the sine needs a little
    more than that.
    """
    least = -1.0 if d < 3 else 6 / pi * asin(-1 / (2 * (d - 1)))
    return checked_above("rho", rho, least, f"for d = {d}")


def checked_above(name: str, value: Any, least: float, where: str = "") -> float:
    """The value as a float, if it is a number above `least` and at most 1."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not least < float(value) <= 1:
        raise ValueError(
            f"{name} = {brief(value)}, but it must be a number above {least:.4g} "
            f"and at most 1 {where}".rstrip()
        )
    return float(value)


def correlated(d: int, count: int, rho: float, draw: np.random.Generator) -> np.ndarray:
    """Numbers from 0 to 1 for d objectives at `count` places: (d, count) float64."""
    r = 1.0 if rho == 1 else 2 * sin(pi / 6 * rho)
    apart, together = sqrt(1 - r), sqrt(max(0.0, 1 + (d - 1) * r))
    numbers = np.empty((d, count))
    for first in range(0, count, CHUNK):
        own = draw.standard_normal((d, min(CHUNK, count - first)))
        mean = own[0].copy()
        for row in own[1:]:
            mean += row
        mean /= d
        own -= mean
        own *= apart
        own += together * mean
        numbers[:, first : first + CHUNK] = _normal_cdf(own)
    return numbers


def _normal_cdf(z: np.ndarray) -> np.ndarray:
    """Φ(z), to 15 digits: Taylor's series from the nearest of the known points."""
    z = np.clip(z, -FAR, FAR)
    nearest = np.rint(z * PER_UNIT)
    at = nearest.astype(np.int64) + FAR * PER_UNIT
    known, *slopes = (each[at] for each in _known_points())
    step = z - nearest / PER_UNIT
    total = slopes[-1] * step
    for slope in slopes[-2::-1]:
        total += slope
        total *= step
    return np.asarray(known + total)


@cache
def _known_points() -> tuple[np.ndarray, ...]:
    """Φ and its first five derivatives, each divided by its factorial."""
    z = np.arange(-FAR * PER_UNIT, FAR * PER_UNIT + 1) / PER_UNIT
    known = np.array([erfc(-each / sqrt(2)) / 2 for each in z.tolist()])
    density = np.array([exp(-each * each / 2) for each in z.tolist()]) / sqrt(2 * pi)
    slopes = [density, -z * density / 2, (z**2 - 1) * density / 6]
    slopes += [(3 * z - z**3) * density / 24, (z**4 - 6 * z**2 + 3) * density / 120]
    return known, *slopes
