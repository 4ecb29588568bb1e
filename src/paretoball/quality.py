"""Quality: how good fronts are, by moocore, in any senses.

A front is a matrix of objective vectors, a row per point, in the problem's own units;
points may repeat or dominate each other. Whatever a front is asked, it is checked here
once. moocore computes in floats, which are exact for integers up to 2**53: where a
difference of 1 would matter, larger ones are refused.
"""

from collections.abc import Iterable, Sequence
from math import ceil
from numbers import Real
from typing import Any

import numpy as np

from paretoball.landscape import checked_sense
from paretoball.subfunctions import brief

EXACT = 2**53  # all integers up to here are floats
LARGEST = 2**62  # all integers up to here can be turned around, as in an archive
MOST_ATTAINED = 3  # objectives for which moocore knows attainment surfaces
ROUNDING = 1e-9  # of a run: 0.1 + 0.2 of ten runs means three
COMPARED = 1 << 18  # pairs of points that `coverage` compares at once


def hypervolume(F: Any, ref: Any, sense: str | Sequence[str] = "max") -> float:
    """The volume between a front and a reference point; points beyond it add nothing.

    Examples
    --------
    >>> hypervolume([[1, 2], [2, 1]], ref=[0, 0])
    3.0
    """
    import moocore

    F = checked_points(F, "F", lone=True).astype(float)
    signs = checked_sense(sense, F.shape[1])
    ref = checked_reference(ref, F.shape[1]).astype(float)
    better = (F * signs > ref * signs).all(axis=1)
    if len(ref) == 1:
        return float(np.max((F - ref)[better] * signs, initial=0.0))
    if not better.any():
        return 0.0
    return float(moocore.hypervolume(-F[better] * signs, ref=-ref * signs))


def epsilon(
    F: Any,
    reference: Any,
    sense: str | Sequence[str] = "max",
    kind: str = "additive",
) -> float:
    """By how much a front has to get better to attain all of a reference front.

    It is the smallest amount that, added to every objective of F (taken off, where it
    is minimised), makes each reference point weakly dominated; below 0 where F is
    better everywhere.

    Parameters
    ----------
    kind
        `"additive"`, or `"multiplicative"`: the smallest factor instead, for positive
        values only; 1 says that F attains the reference.

    Examples
    --------
    >>> epsilon([[1, 2], [2, 1]], reference=[[2, 3]])
    1.0
    >>> epsilon([[1, 2], [2, 1]], reference=[[2, 3]], kind="multiplicative")
    2.0
    """
    import moocore

    F, reference, signs = checked_pair(F, reference, sense)
    if kind not in ("additive", "multiplicative"):
        raise ValueError(
            f"kind is {brief(kind)}, neither 'additive' nor 'multiplicative'"
        )
    if kind == "additive":
        return float(moocore.epsilon_additive(F, reference, maximise=signs > 0))
    for name, points in (("F", F), ("reference", reference)):
        refuse(points, points <= 0, name, "but factors need positive numbers")
    return float(moocore.epsilon_mult(F, reference, maximise=signs > 0))


def igd_plus(F: Any, reference: Any, sense: str | Sequence[str] = "max") -> float:
    """How far a front is from the points of a reference front, on average.

    The distance of a reference point is that to the nearest point of F, where only
    objectives in which F is worse count.

    Examples
    --------
    >>> igd_plus([[1, 2], [2, 1]], reference=[[1, 1], [5, 5]])
    2.5
    """
    import moocore

    F, reference, signs = checked_pair(F, reference, sense)
    return float(moocore.igd_plus(F, reference, maximise=signs > 0))


def coverage(F: Any, G: Any, sense: str | Sequence[str] = "max") -> float:
    """The share of the points of G that some point of F dominates or equals.

    1 says that F attains all that G attains. Comparisons are exact.

    Examples
    --------
    >>> coverage([[1, 2], [2, 1]], [[1, 1], [2, 1], [3, 0], [0, 3]])
    0.5
    """
    F = checked_front(F, "F")
    G = checked_front(G, "G", F.shape[1])
    signs = checked_sense(sense, F.shape[1])
    if "f" in (F.dtype.kind, G.dtype.kind):
        F, G = exact_floats(F, "F"), exact_floats(G, "G")
    else:
        F, G = F.astype(np.int64), G.astype(np.int64)
    return float(is_covered(F * signs, G * signs).mean())


def attainment_surface(
    fronts: Iterable[Any], level: float = 0.5, sense: str | Sequence[str] = "max"
) -> np.ndarray:
    """The best points that at least a share `level` of the fronts attain, ascending.

    A front attains what its points dominate or equal. With `level=0.5` the surface is
    that of the median run; with 1 it bounds what every run attains, and with anything
    up to one over their number what any does.

    Parameters
    ----------
    fronts
        One front per run, of up to three objectives.
    level
        Above 0, up to 1. A share that is no whole number of fronts is rounded up.

    Examples
    --------
    >>> runs = [[[1, 3], [3, 1]], [[2, 2]], [[0, 4]]]
    >>> attainment_surface(runs).tolist()
    [[0, 3], [1, 2], [2, 1]]
    >>> attainment_surface(runs, level=1).tolist()
    [[0, 2]]
    """
    import moocore

    checked = checked_fronts(fronts)
    runs, d = len(checked), checked[0].shape[1]
    signs = checked_sense(sense, d)
    attaining = runs_of(level, runs)
    if d > MOST_ATTAINED:
        raise ValueError(
            f"fronts have {d} objectives, but attainment surfaces are known for up to "
            f"{MOST_ATTAINED}"
        )
    exact = [exact_floats(F, f"fronts[{at}]") for at, F in enumerate(checked)]
    minimised = [-signs * F for F in exact]
    if d == 1:
        best = np.sort([F.min() for F in minimised])
        surface = best[attaining - 1].reshape(1, 1)
    else:
        run = np.repeat(np.arange(runs), [len(F) for F in checked])
        between = 100 * (attaining - 0.5) / runs  # rounded up, it is `attaining` runs
        points = np.concatenate(minimised)
        surface = moocore.eaf(points, run, percentiles=[between])[:, :d]
    surface = 0.0 - signs * surface  # 0.0 - 0.0 has no sign
    dtype = np.result_type(*checked)
    return surface[np.lexsort(surface.T[::-1])].astype(dtype)


def ranges(F: np.ndarray) -> str:
    """How far a front reaches, in words."""
    ends = zip(F.min(axis=0), F.max(axis=0))
    return ", ".join(
        f"f{i} {low:,.6g} to {high:,.6g}" for i, (low, high) in enumerate(ends)
    )


def is_covered(F: np.ndarray, G: np.ndarray) -> np.ndarray:
    """Whether some point of F weakly dominates it, for each point of G; maximised."""
    if F.shape[1] == 2:
        order = np.argsort(-F[:, 0])
        best = np.maximum.accumulate(F[order, 1])  # of the points up to here
        rivals = np.searchsorted(-F[order, 0], -G[:, 0], side="right")
        return (rivals > 0) & (best[rivals - 1] >= G[:, 1])
    covered = np.empty(len(G), np.bool_)
    columns = np.ascontiguousarray(F.T)
    rows = max(1, COMPARED // len(F))
    for first in range(0, len(G), rows):
        some = G[first : first + rows]
        attained = np.ones((len(some), len(F)), np.bool_)
        for i, column in enumerate(columns):
            attained &= column >= some[:, i, None]
        covered[first : first + rows] = attained.any(axis=1)
    return covered


def runs_of(level: float, runs: int) -> int:
    """How many of the runs are a share of `level` of them, rounded up."""
    if isinstance(level, bool | np.bool_) or not isinstance(level, Real):
        raise TypeError(f"level is {brief(level)}, not a number above 0 and up to 1")
    if not 0 < level <= 1:
        raise ValueError(f"level is {brief(level)}, but it lies above 0 and up to 1")
    return max(1, ceil(level * runs - ROUNDING))


def checked_pair(
    F: Any, reference: Any, sense: str | Sequence[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A front and a reference front as floats, and the signs of their objectives."""
    F = exact_floats(checked_front(F, "F"), "F")
    reference = checked_front(reference, "reference", F.shape[1])
    signs = checked_sense(sense, F.shape[1])
    return F, exact_floats(reference, "reference"), signs


def checked_fronts(fronts: Iterable[Any]) -> list[np.ndarray]:
    """The fronts of some runs, all of as many objectives."""
    if not isinstance(fronts, Iterable):
        raise TypeError(f"fronts is {brief(fronts)}, not a list of fronts")
    checked: list[np.ndarray] = []
    for at, F in enumerate(fronts):
        d = checked[0].shape[1] if checked else None
        checked.append(checked_front(F, f"fronts[{at}]", d))
    if not checked:
        raise ValueError("fronts is empty, but a surface needs at least one front")
    return checked


def checked_reference(ref: Any, d: int) -> np.ndarray:
    """A reference point: d numbers."""
    points = checked_points(ref, "ref", d, lone=True)
    if len(points) != 1:
        raise ValueError(f"ref is {brief(ref)}, but it is a single point")
    return points[0]


def checked_front(F: Any, name: str, d: int | None = None) -> np.ndarray:
    """The same as `checked_points`, with at least one point."""
    points = checked_points(F, name, d)
    if len(points) == 0:
        raise ValueError(f"{name} is empty, but a front has at least one point")
    return points


def checked_points(
    F: Any, name: str, d: int | None = None, lone: bool = False
) -> np.ndarray:
    """F as a matrix of finite numbers, with d columns where d is given.

    Where points may be `lone`, a vector is one of them.
    """
    try:
        points = np.asarray(F)
    except ValueError:  # rows of different lengths
        points = np.empty(0, object)
    if lone and points.ndim == 1:
        points = points[None]
    if points.dtype.kind not in "iuf" or points.ndim != 2:
        raise TypeError(f"{name} is {brief(F)}, not a matrix with a row per point")
    columns = points.shape[1]
    if columns == 0 or d not in (None, columns):
        wanted = f"not {d} as the others" if d else "not at least one"
        raise ValueError(f"{name} has {columns} objectives, {wanted}")
    if points.dtype.kind == "f":
        refuse(points, ~np.isfinite(points), name, "which is no finite number")
    else:
        beyond = (points > LARGEST) | (points < -LARGEST)
        refuse(points, beyond, name, "but exact integers end at 2**62")
    return points


def exact_floats(F: np.ndarray, name: str) -> np.ndarray:
    """The same points as floats, if that changes none of them."""
    if F.dtype.kind != "f":
        beyond = (F > EXACT) | (F < -EXACT)
        refuse(F, beyond, name, "but exact floats end at 2**53")
    return F.astype(float)


def refuse(F: np.ndarray, wrong: np.ndarray, name: str, why: str) -> None:
    """Complain about the first value that is wrong, if there is one."""
    if wrong.any():
        row, i = np.argwhere(wrong)[0]
        raise ValueError(f"{name} has {F[row, i]} in row {row}, objective {i}, {why}")
