"""npz landscapes: the package's own format for machines, flat arrays.

`docs/formats.md` specifies it. Other processes and checkpoints get a landscape as the
bytes of such a file. A square stays one: its factors above the diagonal are stored.
"""

from typing import IO, Any

import numpy as np

from paretoball.formats.headers import check_keys, check_kind
from paretoball.formats.naming import NAMING, labels_in, names_in, naming_header
from paretoball.formats.native import (
    CONSTRAINED,
    FORMAT,
    PLAIN,
    SQUARE,
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
    EXACT,
    Constraints,
    Landscape,
    Subfunctions,
    check_senses,
    checked_layout,
    checked_n,
    checked_scale,
    factors_above,
    in_units,
    landscape_digest,
    largest_size,
    square_above,
)
from paretoball.system import brief

NAME = "npz"
TITLE = "paretoball's own npz"
SUFFIXES = (".npz",)
MASKS = {"masks", "constraint_masks"}  # the arrays that say what is read
FACTORS = ("constant", "linear", "pairs")  # the arrays of a square


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
    """A landscape as the bytes of its npz file.

    If it is `named`, it has labels, names and a digest. Workers need none of these, and
    a digest takes long.
    """
    check_unread(landscape.n, mask_entries(landscape))
    header, arrays = _header(landscape), _content(landscape)
    if landscape.constraints:
        further, more = packed_constraints(landscape.constraints)
        header, arrays = header | further, arrays | more
    if named:
        header["digest"] = landscape_digest(landscape)
        header |= naming_header(landscape.given_labels, landscape.names)
    return packed_npz(header, arrays)


def _content(landscape: Landscape) -> dict[str, np.ndarray]:
    """What the objectives are stored as."""
    own, signs = landscape.square, landscape.signs
    if own is None:
        return landscape.subfunctions._asdict()
    above = factors_above(own, signs)
    return dict(zip(FACTORS, (own.constant * signs, own.linear * signs, above)))


def unpacked_landscape(content: bytes) -> Landscape:
    """The landscape that `packed_landscape` packed."""
    return _from_header(*parsed_npz(content, FORMAT, PLAIN, CONSTRAINED, SQUARE))


def _header(landscape: Landscape) -> dict[str, Any]:
    """The header of an npz file: all but the digest, labels and names."""
    return {
        "format": FORMAT,
        "version": SQUARE if landscape.square is not None else version_of(landscape),
        "n": landscape.n,
        "d": landscape.d,
        "sense": landscape.sense,
        "scale": landscape.scale.tolist(),
        "real": landscape.real,
    }


def _from_header(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Landscape:
    """The landscape of a header and arrays."""
    is_square = header["version"] == SQUARE
    keys = {"format", "version", "n", "d", "sense", "scale", "real"}
    members = set(FACTORS if is_square else Subfunctions._fields)
    if header["version"] == CONSTRAINED or (is_square and CONSTRAINTS in header):
        keys, members = keys | {CONSTRAINTS}, members | ARRAYS
    check_keys(header, "the header", keys, {"digest", *NAMING})
    check_keys(arrays, "the archive", members)
    for key, kind in {"d": int, "sense": list, "scale": list, "real": bool}.items():
        check_kind(header, key, kind)
    check_senses(header["sense"])
    for name, array in arrays.items():
        if array.dtype != np.int64 and (name != "pairs" or array.dtype.kind != "i"):
            raise TypeError(f"{name} is an array of {array.dtype}, not of int64")
    if not is_square:
        d, flat = header["d"], (arrays[name] for name in Subfunctions._fields)
        given = checked_layout(d, Subfunctions(*flat))
        check_unread(header["n"], sum(arrays[each].size for each in MASKS & members))
    n = checked_n(header["n"])
    constraints = unpacked_constraints(header, arrays, n)
    if is_square:
        landscape = _from_factors(n, header, arrays, constraints)
    else:
        landscape = _from_subfunctions(n, header, given, constraints)
    check_digest(header, landscape)
    return landscape


def _from_subfunctions(
    n: int, header: dict[str, Any], given: Subfunctions, constraints: Constraints
) -> Landscape:
    """The landscape of subfunctions whose layout is right."""
    d, scale = header["d"], header["scale"]
    if header["real"]:
        given = in_units(given, checked_scale(scale, d, real=True))
    return Landscape.from_arrays(
        n,
        d,
        *given,
        header["sense"],
        scale,
        labels=labels_in(header, n),
        names=names_in(header, d),
        constraints=constraints,
    )


def _from_factors(
    n: int,
    header: dict[str, Any],
    arrays: dict[str, np.ndarray],
    constraints: Constraints,
) -> Landscape:
    """The landscape of a square, of which there are the factors above the diagonal."""
    d, real = header["d"], header["real"]
    shapes = ((d,), (n, d), (n * (n - 1) // 2, d))
    for name, shape in zip(FACTORS, shapes):
        if arrays[name].shape != shape:
            raise ValueError(
                f"{name} has shape {brief(arrays[name].shape)}, but with n = {n} and "
                f"d = {d} it is {brief(shape)}"
            )
    if largest_size(arrays["pairs"]) > EXACT:
        raise ValueError("pairs has a factor beyond 2**62, where exact arithmetic ends")
    scale = checked_scale(header["scale"], d, real)
    return Landscape.from_square(
        square_above(*(arrays[name] for name in FACTORS)),
        header["sense"],
        labels_in(header, n),
        names_in(header, d),
        constraints,
        scale if real else None,
    )
