"""Files: landscapes to disk and back, as readable JSON or as compact npz.

`docs/formats.md` specifies both. A file holds what was given, not what the package
made of it, so reading one goes through the same checks as any other landscape.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from paretoball.grid import EXACT_DECIMALS, checked_scale, scale_of_entries
from paretoball.landscape import Landscape
from paretoball.storage import (
    PathLike,
    atomic_write,
    check_format,
    check_keys,
    check_kind,
    packed_npz,
    parsed_json,
    parsed_npz,
    read_bytes,
    read_npz,
    refusing,
    write_npz,
)
from paretoball.subfunctions import Subfunctions, brief, checked_layout, flattened

FORMAT = "paretoball landscape"
VERSION = 1
JSON_COPIES = 25  # bytes of Python objects per byte of JSON, at most
MOST_UNREAD = 1 << 20  # variables in no mask, so that small files stay small inside

PAIR = {"variables", "table"}


def write_landscape(landscape: Landscape, path: PathLike) -> None:
    """Write a landscape to a `.json` or `.npz` file, whole or not at all."""
    check_unread(landscape.n, landscape.subfunctions.masks)
    if checked_suffix(path) == ".json":
        atomic_write(path, lambda file: file.writelines(json_lines(landscape)))
        return
    write_npz(path, npz_header(landscape), landscape.subfunctions._asdict())


def npz_header(landscape: Landscape) -> dict[str, Any]:
    """What an npz file says besides the subfunctions."""
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


def packed_landscape(landscape: Landscape) -> bytes:
    """A landscape as the bytes of its npz file."""
    check_unread(landscape.n, landscape.subfunctions.masks)
    return packed_npz(npz_header(landscape), landscape.subfunctions._asdict())


def unpacked_landscape(content: bytes) -> Landscape:
    """The landscape that `packed_landscape` packed."""
    return from_header(*parsed_npz(content, FORMAT, VERSION))


def read_landscape(path: PathLike) -> Landscape:
    """The landscape in a `.json` or `.npz` file."""
    if checked_suffix(path) == ".json":
        content = read_bytes(path, JSON_COPIES)
        with refusing(path):
            return from_json(parsed_json(content))
    header, arrays = read_npz(path, FORMAT, VERSION)
    with refusing(path):
        return from_header(header, arrays)


def checked_suffix(path: PathLike) -> str:
    """The suffix of a path, if it names a format."""
    suffix = Path(path).suffix
    if suffix not in (".json", ".npz"):
        raise ValueError(f"{path}: a landscape is in a file named .json or .npz")
    return suffix


def check_unread(n: Any, masks: np.ndarray) -> None:
    """A file does not say many more variables than it has in masks."""
    if type(n) is int and n > len(masks) + MOST_UNREAD:
        raise ValueError(
            f"n = {brief(n)}, but there are {len(masks):,} variables in masks: in a "
            f"file, at most {MOST_UNREAD:,} may be in none"
        )


def landscape_digest(landscape: Landscape) -> str:
    """A name for the content of a landscape: SHA-256, in hexadecimal."""
    sizes = [landscape.n, landscape.d, landscape.m, landscape.real]
    digest = hashlib.sha256(f"{FORMAT} {VERSION}\n".encode())
    for whole in (sizes, landscape.signs, *landscape.subfunctions):
        digest.update(np.asarray(whole, "<i8").tobytes())
    digest.update(landscape.scale.astype("<f8").tobytes())
    return digest.hexdigest()


def check_digest(header: dict[str, Any], landscape: Landscape) -> None:
    """The digest, where there is one, is that of the content."""
    found, right = header.get("digest"), landscape_digest(landscape)
    if "digest" in header and found != right:
        raise ValueError(
            f"its digest is {brief(found)}, but that of its content is {right}: "
            "it is damaged, or was edited and needs the new digest or none"
        )


def json_lines(landscape: Landscape) -> Iterator[bytes]:
    """The lines of a JSON file, one per subfunction."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "n": landscape.n,
        "sense": landscape.sense,
        "digest": landscape_digest(landscape),
    }
    if landscape.real:
        head["scale"] = landscape.scale.tolist()
    yield b"{\n"
    for key, value in head.items():
        yield f'  "{key}": {json.dumps(value)},\n'.encode()
    yield b'  "objectives": [\n'
    objective = landscape.subfunctions.objective
    starts = np.searchsorted(objective, np.arange(landscape.d + 1))
    pairs = list(pairs_of(landscape))
    for i in range(landscape.d):
        lines = [
            f'\n      {{"variables": {variables}, "table": {table}}}'
            for variables, table in pairs[starts[i] : starts[i + 1]]
        ]
        end = "\n    ]" if lines else "]"
        comma = "," if i + 1 < landscape.d else ""
        yield f"    [{','.join(lines)}{end}{comma}\n".encode()
    yield b"  ]\n}\n"


def pairs_of(landscape: Landscape) -> Iterator[tuple[list[int], list[float]]]:
    """Every subfunction as (variables, table), in the problem's own units."""
    given = landscape.subfunctions
    tables = given.tables
    if landscape.real:
        tables = tables / scale_of_entries(given, landscape.scale)
    masks, values = given.masks.tolist(), tables.tolist()
    mask_at, table_at = given.mask_at.tolist(), given.table_at.tolist()
    for s in range(landscape.m):
        yield (
            masks[mask_at[s] : mask_at[s + 1]],
            values[table_at[s] : table_at[s + 1]],
        )


def from_json(document: Any) -> Landscape:
    """The landscape that a JSON file says."""
    check_format(document, FORMAT, VERSION)
    keys = {"format", "version", "n", "sense", "objectives"}
    check_keys(document, "the file", keys, {"digest", "scale"})
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
    d, given = flattened(objectives)
    check_unread(document["n"], given.masks)
    scale = document.get("scale")
    if "scale" in document:
        check_kind(document, "scale", list)
    landscape = Landscape.from_arrays(
        document["n"], d, *given, document["sense"], scale
    )
    check_digest(document, landscape)
    return landscape


def from_header(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Landscape:
    """The landscape that an npz file says."""
    keys = {"format", "version", "n", "d", "sense", "scale", "real"}
    check_keys(header, "the header", keys, {"digest"})
    check_keys(arrays, "the archive", set(Subfunctions._fields))
    for key, kind in {"d": int, "sense": list, "scale": list, "real": bool}.items():
        check_kind(header, key, kind)
    for name, array in arrays.items():
        if array.dtype != np.int64:
            raise TypeError(f"{name} is an array of {array.dtype}, not of int64")
    d, scale = header["d"], header["scale"]
    given = checked_layout(d, Subfunctions(**arrays))
    check_unread(header["n"], given.masks)
    if header["real"]:
        given = in_units(given, checked_scale(scale, d, real=True))
    landscape = Landscape.from_arrays(header["n"], d, *given, header["sense"], scale)
    check_digest(header, landscape)
    return landscape


def in_units(given: Subfunctions, scale: np.ndarray) -> Subfunctions:
    """Subfunctions with real tables, from tables in steps."""
    far = (given.tables > EXACT_DECIMALS) | (given.tables < -EXACT_DECIMALS)
    if far.any():
        raise ValueError(
            f"tables has {given.tables[far][0]} at entry {np.argmax(far)}, but where "
            "tables are real, steps end at 2**51 = 2.3e15"
        )
    return given._replace(tables=given.tables / scale_of_entries(given, scale))
