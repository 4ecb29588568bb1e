"""The file of bands: points of a front that are known so far, for a run to go on from.

Its points have to be points of the front, and its bands those of the same weights, or
the next bands would miss points. So it says which landscape it belongs to, and has a
checksum. Weights, solutions and points are compared with those of the landscape. What
is believed is that no other point lies within the bands.
"""

import os
from typing import Any, NamedTuple

import numpy as np

from paretoball.formats import (
    PathLike,
    check_keys,
    content_digest,
    read_npz,
    refusing,
    write_npz,
)
from paretoball.landscape import Landscape, landscape_digest, unpacked_bits

FORMAT = "paretoball bands"
VERSION = 3
AT_ONCE = 1 << 24  # bits of solutions that are evaluated at a time


class Known(NamedTuple):
    """What earlier bands found."""

    points: np.ndarray  # (size, d) int64: in steps above the lowest, descending
    bits: np.ndarray  # (size, n / 8) uint8: a packed solution for each
    # (weights,) float64: how far below the best of each weight all points are known
    covered: np.ndarray
    weights: np.ndarray  # (weights, columns) float64: with those of constraints


def write_bands(path: PathLike, landscape: Landscape, known: Known) -> None:
    """Keep what is known in an npz file, whole or not at all."""
    header: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    header["landscape"] = landscape_digest(landscape)
    arrays = known._asdict()
    header["checksum"] = content_digest(header, arrays)
    write_npz(path, header, arrays)


def read_bands(path: PathLike, landscape: Landscape) -> Known | None:
    """What is known of a landscape; None if there is no file yet."""
    if not os.path.exists(path):
        return None
    header, arrays = read_npz(path, FORMAT, VERSION)
    with refusing(path):
        check_keys(header, "the header", {"format", "version", "landscape", "checksum"})
        check_keys(arrays, "the archive", set(Known._fields))
        signed = {key: value for key, value in header.items() if key != "checksum"}
        if header["checksum"] != content_digest(signed, arrays):
            raise ValueError("its checksum is not that of its content: it is damaged")
        if header["landscape"] != landscape_digest(landscape):
            raise ValueError("it belongs to another landscape")
    return Known(**arrays)


def check_bands(
    known: Known, own: Known, landscape: Landscape, lowest: tuple[int, ...]
) -> None:
    """Refuse what was read, unless it fits the weights and the landscape.

    `own` is what a run would begin with.
    """
    for name, found, right in zip(Known._fields, known, own):
        if found.dtype != right.dtype or found.shape[1:] != right.shape[1:]:
            raise ValueError(
                f"{name} has rows of {found.dtype} and shape {found.shape[1:]}, but "
                f"this landscape has rows of {right.dtype} and {right.shape[1:]}"
            )
    if not np.array_equal(known.weights, own.weights):
        raise ValueError(
            "its weights are not those of this landscape and version: remove the file "
            "to begin anew"
        )
    if len(known.covered) != len(own.covered) or not np.isfinite(known.covered).all():
        raise ValueError(
            f"covered has {len(known.covered):,} numbers, but {len(own.covered):,} "
            "finite ones are needed, one for each weight"
        )
    if len(known.points) != len(known.bits):
        raise ValueError(
            f"it has {len(known.points):,} points, but {len(known.bits):,} solutions"
        )
    if not np.array_equal(known.points, np.unique(known.points, axis=0)[::-1]):
        raise ValueError("its points do not descend")
    size = max(1, AT_ONCE // landscape.n)
    for first in range(0, len(known.points), size):
        some = slice(first, first + size)
        points = known.points[some, : landscape.d]
        X = unpacked_bits(known.bits[some], landscape.n)
        right = landscape.inside(landscape.evaluate(X)) - np.array(lowest, np.int64)
        wrong = (points != right).any(axis=1)
        if landscape.constraints:
            wrong |= ~landscape.is_feasible(X)
        if wrong.any():
            raise ValueError(
                f"point {first + int(wrong.argmax()):,} is not that of its solution, "
                "or that is not feasible"
            )
