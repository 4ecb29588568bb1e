"""npz landscapes: the package's own format for machines, flat arrays.

`docs/formats.md` specifies it. Other processes and checkpoints get a landscape as the
bytes of such a file.
"""

from pathlib import Path
from typing import Any

import numpy as np

from paretoball.formats.disk import PathLike, refusing
from paretoball.formats.headers import check_keys, check_kind
from paretoball.formats.native import FORMAT, VERSION, check_digest, check_unread
from paretoball.formats.npz import packed_npz, parsed_npz, read_npz, write_npz
from paretoball.landscape import (
    EXACT_DECIMALS,
    Landscape,
    Subfunctions,
    check_senses,
    checked_layout,
    checked_scale,
    landscape_digest,
    scale_of_entries,
)

SUFFIX = ".npz"


def sniff(path: PathLike) -> bool:
    """Whether a file has this format, by its name."""
    return Path(path).suffix == SUFFIX


def read(path: PathLike) -> Landscape:
    """The landscape in an npz file."""
    header, arrays = read_npz(path, FORMAT, VERSION)
    with refusing(path):
        return _from_header(header, arrays)


def write(landscape: Landscape, path: PathLike) -> None:
    """Write a landscape, whole or not at all."""
    check_unread(landscape.n, landscape.subfunctions.masks)
    write_npz(path, _header(landscape), landscape.subfunctions._asdict())


def packed_landscape(landscape: Landscape) -> bytes:
    """A landscape as the bytes of its npz file."""
    check_unread(landscape.n, landscape.subfunctions.masks)
    return packed_npz(_header(landscape), landscape.subfunctions._asdict())


def unpacked_landscape(content: bytes) -> Landscape:
    """The landscape that `packed_landscape` packed."""
    return _from_header(*parsed_npz(content, FORMAT, VERSION))


def _header(landscape: Landscape) -> dict[str, Any]:
    """The header of an npz file: all but the subfunctions."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "n": landscape.n,
        "d": landscape.d,
        "sense": landscape.sense,
        "scale": landscape.scale.tolist(),
        "real": landscape.real,
        "digest": landscape_digest(landscape),
    }


def _from_header(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Landscape:
    """The landscape of a header and arrays."""
    keys = {"format", "version", "n", "d", "sense", "scale", "real"}
    check_keys(header, "the header", keys, {"digest"})
    check_keys(arrays, "the archive", set(Subfunctions._fields))
    for key, kind in {"d": int, "sense": list, "scale": list, "real": bool}.items():
        check_kind(header, key, kind)
    check_senses(header["sense"])
    for name, array in arrays.items():
        if array.dtype != np.int64:
            raise TypeError(f"{name} is an array of {array.dtype}, not of int64")
    d, scale = header["d"], header["scale"]
    given = checked_layout(d, Subfunctions(**arrays))
    check_unread(header["n"], given.masks)
    if header["real"]:
        given = _in_units(given, checked_scale(scale, d, real=True))
    landscape = Landscape.from_arrays(header["n"], d, *given, header["sense"], scale)
    check_digest(header, landscape)
    return landscape


def _in_units(given: Subfunctions, scale: np.ndarray) -> Subfunctions:
    """Subfunctions with real tables, from tables in steps."""
    far = (given.tables > EXACT_DECIMALS) | (given.tables < -EXACT_DECIMALS)
    if far.any():
        raise ValueError(
            f"tables has {given.tables[far][0]} at entry {np.argmax(far)}, but where "
            "tables are real, steps end at 2**51 = 2.3e15"
        )
    return given._replace(tables=given.tables / scale_of_entries(given, scale))
