"""The file of bands: points of a front that are known so far, for a run to go on from.

Its points have to be points of the front, or the next bands would miss others. So it
says which landscape it belongs to, and has a checksum.
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
from paretoball.landscape import Landscape, landscape_digest

FORMAT = "paretoball bands"
VERSION = 2


class Known(NamedTuple):
    """What earlier bands found."""

    points: np.ndarray  # (size, d) int64: in steps above the lowest, descending
    bits: np.ndarray  # (size, n / 8) uint8: a packed solution for each
    # (weights,) float64: how far below the best of each weight all points are known
    covered: np.ndarray


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
