"""npz landscapes: the package's own format for machines, flat arrays.

`docs/formats.md` specifies it. Other processes and checkpoints get a landscape as the
bytes of such a file.
"""

from typing import IO, Any

import numpy as np

from paretoball.formats.headers import check_keys, check_kind
from paretoball.formats.naming import NAMING, labels_in, names_in, naming_header
from paretoball.formats.native import (
    CONSTRAINED,
    FORMAT,
    PLAIN,
    check_digest,
    check_unread,
    mask_entries,
    version_of,
)
from paretoball.formats.native_constraints import (
    ARRAYS,
    CONSTRAINTS,
    packed_constraints,
    unpacked_constraints,
)
from paretoball.formats.npz import packed_npz, parsed_npz
from paretoball.formats.source import ZIP, Source
from paretoball.landscape import (
    Landscape,
    Subfunctions,
    check_senses,
    checked_layout,
    checked_n,
    checked_scale,
    in_units,
    landscape_digest,
)

NAME = "npz"
TITLE = "paretoball's own npz"
SUFFIXES = (".npz",)
MASKS = {"masks", "constraint_masks"}  # the arrays that say what is read


def sniff(source: Source) -> bool:
    """Whether it is a zip archive."""
    return source.content.startswith(ZIP)


def read(source: Source) -> Landscape:
    """The landscape in an npz file."""
    return unpacked_landscape(source.content)


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write a zip archive of arrays."""
    file.write(packed_landscape(landscape))


def packed_landscape(landscape: Landscape, named: bool = True) -> bytes:
    """A landscape as the bytes of its npz file; `named`, with its labels and names."""
    check_unread(landscape.n, mask_entries(landscape))
    header, arrays = _header(landscape), landscape.subfunctions._asdict()
    if landscape.constraints:
        further, more = packed_constraints(landscape.constraints)
        header, arrays = header | further, arrays | more
    if named:
        header |= naming_header(landscape.given_labels, landscape.names)
    return packed_npz(header, arrays)


def unpacked_landscape(content: bytes) -> Landscape:
    """The landscape that `packed_landscape` packed."""
    return _from_header(*parsed_npz(content, FORMAT, PLAIN, CONSTRAINED))


def _header(landscape: Landscape) -> dict[str, Any]:
    """The header of an npz file: all but the subfunctions, labels and names."""
    return {
        "format": FORMAT,
        "version": version_of(landscape),
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
    members = set(Subfunctions._fields)
    if header["version"] == CONSTRAINED:
        keys, members = keys | {CONSTRAINTS}, members | ARRAYS
    check_keys(header, "the header", keys, {"digest", *NAMING})
    check_keys(arrays, "the archive", members)
    for key, kind in {"d": int, "sense": list, "scale": list, "real": bool}.items():
        check_kind(header, key, kind)
    check_senses(header["sense"])
    for name, array in arrays.items():
        if array.dtype != np.int64:
            raise TypeError(f"{name} is an array of {array.dtype}, not of int64")
    d, scale = header["d"], header["scale"]
    flat = Subfunctions(*(arrays[name] for name in Subfunctions._fields))
    given = checked_layout(d, flat)
    check_unread(header["n"], sum(arrays[each].size for each in MASKS & members))
    n = checked_n(header["n"])
    if header["real"]:
        given = in_units(given, checked_scale(scale, d, real=True))
    landscape = Landscape.from_arrays(
        n,
        d,
        *given,
        header["sense"],
        scale,
        labels=labels_in(header, n),
        names=names_in(header, d),
        constraints=unpacked_constraints(header, arrays, n),
    )
    check_digest(header, landscape)
    return landscape
