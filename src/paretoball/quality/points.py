"""Points of fronts: matrices of numbers, or fronts of this package, checked once.

A front is a matrix of objective vectors, a row per point, in the problem's own units,
or an object with such a matrix as its `F`: a result, an archive. Points may be equal or
dominate each other.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from paretoball.landscape import EXACT, Front, checked_sense, shown_name
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief, counted

SHOWN = 8  # objectives whose ranges are told


def signs_of(F: Any, sense: str | Sequence[str] | None, d: int) -> np.ndarray:
    """One sign per objective; None stands for the front's own senses, or "max"."""
    if sense is None:
        sense = getattr(F, "sense", "max")
    return checked_sense(sense, d)


def checked_fronts(fronts: Iterable[Any]) -> tuple[list[Any], list[np.ndarray]]:
    """Fronts with equal numbers of objectives, as given and as matrices."""
    if not isinstance(fronts, Iterable):
        raise TypeError(f"fronts is {brief(fronts)}, not a list of fronts")
    given, checked = list(fronts), list[np.ndarray]()
    for at, F in enumerate(given):
        d = checked[0].shape[1] if checked else None
        checked.append(checked_front(F, f"fronts[{at}]", d))
    if not checked:
        raise ValueError("fronts is empty, but a surface needs at least one front")
    return given, checked


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

    If `lone` is true, a vector is accepted as a single point.
    """
    try:
        points = np.asarray(getattr(F, "F", F))
    except ValueError:  # rows of different lengths
        points = np.empty(0, object)
    if lone and points.ndim == 1:
        points = points[None]
    if points.dtype.kind not in "iuf" or points.ndim != 2:
        raise TypeError(f"{name} is {brief(F)}, not a matrix with a row per point")
    columns = points.shape[1]
    if columns == 0 or d not in (None, columns):
        wanted = f"not {d} as the others" if d else "not at least one"
        raise ValueError(f"{name} has {counted(columns, 'objective')}, {wanted}")
    if points.dtype.kind == "f":
        refuse(points, ~np.isfinite(points), name, "which is no finite number")
    else:
        beyond = (points > EXACT) | (points < -EXACT)
        refuse(points, beyond, name, "but exact integers end at 2**62")
    return points


def exact_floats(F: np.ndarray, name: str) -> np.ndarray:
    """The same points as floats, if that changes none of them."""
    if F.dtype.kind != "f":
        beyond = (F > LARGEST_FLOAT) | (F < -LARGEST_FLOAT)
        refuse(F, beyond, name, "but exact floats end at 2**53")
    return F.astype(float)


def refuse(F: np.ndarray, wrong: np.ndarray, name: str, why: str) -> None:
    """Raise a ValueError for the first value that is `wrong`, if there is one."""
    if wrong.any():
        row, i = np.argwhere(wrong)[0]
        raise ValueError(f"{name} has {F[row, i]} in row {row}, objective {i}, {why}")


def ranges(front: Front) -> str:
    """The lowest and the highest value of each objective, as text."""
    if len(front.F) == 0:
        return "empty"
    some = slice(SHOWN)
    ends = zip(front.names[some], front.F.min(axis=0), front.F.max(axis=0))
    texts = [
        f"{shown_name(name)} {low:,.6g} to {high:,.6g}" for name, low, high in ends
    ]
    if front.d > SHOWN:
        texts.append(f"and {front.d - SHOWN:,} more")
    return ", ".join(texts)
