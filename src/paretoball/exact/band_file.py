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
    check_kind,
    content_digest,
    read_npz,
    refusing,
    write_npz,
)
from paretoball.landscape import Landscape, landscape_digest

FORMAT = "paretoball bands"
VERSION = 1


class Known(NamedTuple):
    """What earlier bands found."""

    points: np.ndarray  # (size, 2) int64: in steps above the lowest, descending by f0
    share: float  # how wide the last band was on average, as a share of the hull


def write_bands(path: PathLike, landscape: Landscape, known: Known) -> None:
    """Keep what is known in an npz file, whole or not at all."""
    header: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    header |= {"landscape": landscape_digest(landscape), "share": known.share}
    arrays = {"points": known.points}
    header["checksum"] = content_digest(header, arrays)
    write_npz(path, header, arrays)


def read_bands(path: PathLike, landscape: Landscape) -> Known | None:
    """What is known of a landscape; None if there is no file yet."""
    if not os.path.exists(path):
        return None
    header, arrays = read_npz(path, FORMAT, VERSION)
    with refusing(path):
        keys = {"format", "version", "landscape", "share", "checksum"}
        check_keys(header, "the header", keys)
        check_keys(arrays, "the archive", {"points"})
        check_kind(header, "share", float)
        signed = {key: value for key, value in header.items() if key != "checksum"}
        if header["checksum"] != content_digest(signed, arrays):
            raise ValueError("its checksum is not that of its content: it is damaged")
        if header["landscape"] != landscape_digest(landscape):
            raise ValueError("it belongs to another landscape")
    return Known(arrays["points"], header["share"])
