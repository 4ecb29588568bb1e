"""Files of landscapes, whole and spoiled, for the tests of all formats."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from paretoball import Landscape, read_landscape, write_landscape
from paretoball.formats.native import FORMAT
from paretoball.formats.npz import read_npz

SUFFIXES = ["json", "npz"]


WHOLE = Landscape.from_subfunctions(
    3,
    [[((2, 0), [0, -1, 2, 3]), ((), [7])], [], [((1,), [10**15, 0])]],
    ["max", "min", "max"],
)


REAL = Landscape.from_subfunctions(
    3, [[((2, 0), [0.1, -1, 2, 3]), ((), [7])], [((1,), [1 / 3, 0])]], "min"
)


BAD_SCALES = [
    ([0, 8], r"scale of objective 0 is 0, not from 2\*\*-900 to 2\*\*959"),
    ([-10, 8], "scale of objective 0 is -10, not from"),
    ([float("nan"), 8], "scale of objective 0 is nan, not from"),
    ([float("inf"), 8], "scale of objective 0 is inf, not from"),
    (["10", 8], "scale of objective 0 is '10', not from"),
    ([True, 8], "scale of objective 0 is True, not from"),
    ([10**400, 8], "scale of objective 0 is 1000.*, not from"),
    ([10, 8, 1], r"scale is \[10, 8, 1\], not a list of d = 2"),
    ([], r"scale is \[\], not a list of d = 2"),
]


def assert_same(one: Landscape, other: Landscape) -> None:
    """Both landscapes are the same in every field."""
    assert (one.n, one.sense, one.real) == (other.n, other.sense, other.real)
    assert_array_equal(one.scale, other.scale)
    for array, same in zip(one.subfunctions, other.subfunctions):
        assert_array_equal(array, same)
        assert array.dtype == same.dtype == np.int64


def refused(path: Path, text: str, kind: type = ValueError) -> None:
    """Reading fails with one line that starts with the path and says `text`."""
    with pytest.raises(kind, match=text) as refusal:
        read_landscape(path)
    assert str(refusal.value).startswith(f"{path}:")
    assert "\n" not in str(refusal.value)
    assert isinstance(refusal.value, kind)


def refused_at(
    path: Path, line: int | None, text: str, format: str | None = None
) -> None:
    """Reading fails with one line that names the path and this line of it, if any."""
    with pytest.raises(ValueError, match=text) as refusal:
        read_landscape(path, format=format)
    where = f"{path}: " if line is None else f"{path}:{line}: "
    assert str(refusal.value).startswith(where)
    assert "\n" not in str(refusal.value)


def outcome(path: Path) -> Landscape | None:
    """What reading gives: a landscape, or None for a refusal in one line."""
    try:
        return read_landscape(path)
    except (ValueError, MemoryError) as refusal:
        text = str(refusal)
    assert text.startswith(f"{path}:")
    assert "\n" not in text
    return None


def document_of(landscape: Landscape, folder: Path) -> dict[str, Any]:
    """The JSON document of a landscape, without its digest."""
    write_landscape(landscape, folder / "whole.json")
    document = json.loads((folder / "whole.json").read_text())
    del document["digest"]
    return document


def npz_of(landscape: Landscape, path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays of a landscape's npz file."""
    write_landscape(landscape, path)
    return read_npz(path, FORMAT)


def member_bytes(array: np.ndarray, **changed: Any) -> bytes:
    """The bytes of a npy file, some fields of its header changed."""
    file = io.BytesIO()
    fields = np.lib.format.header_data_from_array_1_0(array) | changed
    np.lib.format.write_array_header_1_0(file, fields)
    return file.getvalue() + array.tobytes()


def with_member(
    path: Path, name: str, content: bytes | None, level: int | None = None
) -> None:
    """Replace or add one member of a zip file; without content, leave it out."""
    with zipfile.ZipFile(path) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    members.pop(name, None)
    if content is not None:
        members[name] = content
    method = zipfile.ZIP_STORED if level is None else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w", method, compresslevel=level) as archive:
        for each, data in members.items():
            archive.writestr(each, data)


def int64(*values: int) -> np.ndarray:
    return np.array(values, np.int64)
