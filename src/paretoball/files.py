"""Files: landscapes to disk and back, as readable JSON or compact npz.

Whatever is read is distrusted: nothing is unpickled, sizes are compared with the file
and the memory there is before anything is allocated, and every refusal is one line
that starts with the path. Whatever is written is written whole or not at all.
`docs/formats.md` specifies both formats.
"""

import hashlib
import json
import math
import os
import secrets
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import numpy as np

from paretoball.landscape import Landscape
from paretoball.memory import available_memory, readable_bytes
from paretoball.subfunctions import Subfunctions, brief, offsets

LANDSCAPE = "paretoball landscape"
VERSION = 1
SUFFIXES = (".json", ".npz")
HEADER = "header"  # the member of an npz file that holds its JSON header
JSON_COPIES = 25  # bytes of Python objects per byte of JSON text, at most
NPZ_COPIES = 3  # bytes held while reading, per byte of an array
EXACT_FLOATS = 2**53  # whole numbers up to here are floats too

PathLike = str | os.PathLike[str]


def write_landscape(landscape: Landscape, path: PathLike) -> None:
    """Write a landscape to a `.json` or `.npz` file, whole or not at all."""
    if checked_suffix(path) == ".json":
        lines = json_lines(landscape)
        atomic_write(path, lambda file: file.writelines(lines))
    else:
        header = {
            "format": LANDSCAPE,
            "version": VERSION,
            "n": landscape.n,
            "d": landscape.d,
            "sense": list(landscape.sense),
            "scale": landscape.scale.tolist(),
            "real": landscape.real,
            "digest": landscape_digest(landscape),
        }
        write_npz(path, header, landscape.subfunctions._asdict())


def read_landscape(path: PathLike) -> Landscape:
    """The landscape in a `.json` or `.npz` file."""
    if checked_suffix(path) == ".npz":
        header, arrays = read_npz(path, LANDSCAPE)
        with refusing(path):
            return landscape_of_arrays(header, arrays)
    content = Path(path).read_bytes()
    with refusing(path):
        needed = JSON_COPIES * len(content)
        if needed > available_memory():
            raise MemoryError(
                f"{readable_bytes(len(content))} of JSON can take "
                f"{readable_bytes(needed)} to read: write it as .npz"
            )
        return landscape_of_json(content)


def landscape_digest(landscape: Landscape) -> str:
    """A name for the content of a landscape: SHA-256, in hexadecimal."""
    sizes = [landscape.n, landscape.d, landscape.m, int(landscape.real)]
    digest = hashlib.sha256(f"{LANDSCAPE} {VERSION}\n".encode())
    for array in (sizes, landscape.signs, *landscape.subfunctions):
        digest.update(np.asarray(array, "<i8").tobytes())
    digest.update(landscape.scale.astype("<f8").tobytes())
    return digest.hexdigest()


def checked_suffix(path: PathLike) -> str:
    """The suffix of a path, if it names a format."""
    suffix = Path(path).suffix
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: the name of a landscape file ends in .json or .npz")
    return suffix


@contextmanager
def refusing(path: PathLike) -> Iterator[None]:
    """Refuse the file for whatever is found wrong with its content, in one line."""
    try:
        yield
    except MemoryError as error:
        raise MemoryError(f"{path}: {error or 'not enough memory'}") from None
    except RecursionError:
        raise ValueError(f"{path}: its JSON is nested too deeply") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{path}: {error}") from None


def json_lines(landscape: Landscape) -> Iterator[bytes]:
    """The lines of a JSON file: one for each subfunction."""
    given = landscape.subfunctions
    mask_at, table_at = given.mask_at.tolist(), given.table_at.tolist()
    masks, tables = given.masks.tolist(), own_units(landscape).tolist()
    starts = np.searchsorted(given.objective, np.arange(landscape.d + 1)).tolist()
    head = {
        "format": LANDSCAPE,
        "version": VERSION,
        "n": landscape.n,
        "sense": list(landscape.sense),
        "digest": landscape_digest(landscape),
    }
    yield b"{\n"
    for key, value in head.items():
        yield f'  "{key}": {json.dumps(value)},\n'.encode()
    yield b'  "objectives": [\n'
    for i in range(landscape.d):
        yield b"    [\n"
        for s in range(starts[i], starts[i + 1]):
            variables = masks[mask_at[s] : mask_at[s + 1]]
            table = tables[table_at[s] : table_at[s + 1]]
            comma = "," if s + 1 < starts[i + 1] else ""
            yield f'      {{"variables": {variables}, "table": {table}}}{comma}\n'.encode()
        yield b"    ],\n" if i + 1 < landscape.d else b"    ]\n"
    yield b"  ]\n}\n"


def own_units(landscape: Landscape) -> np.ndarray:
    """All tables as they were given, or as near as the grid is."""
    given = landscape.subfunctions
    if not landscape.real:
        return given.tables
    owner = np.repeat(given.objective, np.diff(given.table_at))
    return np.asarray(given.tables / landscape.scale[owner])


def landscape_of_json(content: bytes) -> Landscape:
    """The landscape in the text of a JSON file."""
    document = parsed_json(content)
    check_format(document, LANDSCAPE, VERSION)
    check_keys(
        document, "the file", {"format", "version", "n", "sense", "objectives"}, "digest"
    )
    check_kind(document, "sense", list)
    check_kind(document, "objectives", list)
    objectives = []
    for i, objective in enumerate(document["objectives"]):
        if not isinstance(objective, list):
            raise TypeError(f"objective {i} is {brief(objective)}, not a list")
        for s, subfunction in enumerate(objective):
            if not isinstance(subfunction, dict) or subfunction.keys() != PAIR:
                check_keys(subfunction, f"objective {i}, subfunction {s}", PAIR)
        objectives.append([(each["variables"], each["table"]) for each in objective])
    landscape = Landscape.from_subfunctions(
        document["n"], objectives, document["sense"]
    )
    check_digest(document, landscape)
    return landscape


PAIR = {"variables", "table"}


def landscape_of_arrays(
    header: dict[str, Any], arrays: dict[str, np.ndarray]
) -> Landscape:
    """The landscape in the header and the arrays of an npz file."""
    keys = {"format", "version", "n", "d", "sense", "scale", "real"}
    check_keys(header, "the header", keys, "digest")
    check_keys(arrays, "the archive", set(Subfunctions._fields))
    for key, kind in ("d", int), ("sense", list), ("scale", list), ("real", bool):
        check_kind(header, key, kind)
    for name, array in arrays.items():
        if array.dtype != np.int64:
            raise TypeError(f"{name} is an array of {array.dtype}, not of int64")
    given = Subfunctions(**arrays)
    if header["real"]:
        given = given._replace(tables=in_units(given, header["scale"], header["d"]))
    elif any(type(one) not in (int, float) or one != 1 for one in header["scale"]):
        raise ValueError(f"scale is {brief(header['scale'])}, but whole tables need 1")
    landscape = Landscape.from_arrays(header["n"], header["d"], *given, header["sense"])
    check_digest(header, landscape)
    return landscape


def in_units(given: Subfunctions, scale: list[Any], d: int) -> np.ndarray:
    """The tables in units, from tables in steps and the steps per unit."""
    if len(scale) != d:
        raise ValueError(f"scale has {len(scale)} entries for {d} objectives")
    for i, one in enumerate(scale):
        if type(one) not in (int, float) or not is_power(one):
            raise ValueError(
                f"the scale of objective {i} is {brief(one)}, not a power of 10 or 2"
            )
    ...
