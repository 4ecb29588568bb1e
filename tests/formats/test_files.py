"""Files: what is written is read back, and nothing else gets in."""

import hashlib
import io
import json
import os
import pickle
import struct
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from paretoball.formats.files import FORMAT

from landscapes import built, plains
from paretoball import Landscape, mnk, read_landscape, write_landscape
from paretoball.formats import storage
from paretoball.formats.disk import atomic_write
from paretoball.formats.npz import read_npz, write_npz
from paretoball.landscape.digest import landscape_digest

SUFFIXES = ["json", "npz"]
WHOLE = Landscape.from_subfunctions(
    3,
    [[((2, 0), [0, -1, 2, 3]), ((), [7])], [], [((1,), [10**15, 0])]],
    ["max", "min", "max"],
)
REAL = Landscape.from_subfunctions(
    3, [[((2, 0), [0.1, -1, 2, 3]), ((), [7])], [((1,), [1 / 3, 0])]], "min"
)


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
    assert str(refusal.value).startswith(f"{path}: ")
    assert "\n" not in str(refusal.value)
    assert isinstance(refusal.value, kind)


def outcome(path: Path) -> Landscape | None:
    """What reading gives: a landscape, or None for a refusal in one line."""
    try:
        return read_landscape(path)
    except (ValueError, MemoryError) as refusal:
        text = str(refusal)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return None


# --- Round trips.


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(plain=plains())
def test_whole_tables_come_back(tmp_path_factory, suffix, plain):
    path = tmp_path_factory.getbasetemp() / f"whole.{suffix}"
    landscape = built(plain)
    write_landscape(landscape, path)
    assert_same(read_landscape(path), landscape)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(
    plain=plains(max_n=3, max_d=2),
    reals=st.lists(
        st.floats(-1e15, 1e15).filter(lambda v: v == 0 or abs(v) > 1e-200), min_size=1
    ),
)
def test_real_tables_come_back_on_the_same_grid(tmp_path_factory, suffix, plain, reals):
    path = tmp_path_factory.getbasetemp() / f"real.{suffix}"
    objectives = [
        [(mask, [reals[v % len(reals)] for v in table]) for mask, table in objective]
        for objective in plain.objectives
    ]
    landscape = Landscape.from_subfunctions(plain.n, objectives, plain.sense)
    write_landscape(landscape, path)
    assert_same(read_landscape(path), landscape)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("q", [100, None])
def test_mnk_landscapes_come_back(tmp_path, suffix, q):
    landscape = mnk(200, 3, d=3, q=q, model="random", seed=1)
    write_landscape(landscape, tmp_path / f"mnk.{suffix}")
    assert_same(read_landscape(tmp_path / f"mnk.{suffix}"), landscape)
    write_landscape(landscape, str(tmp_path / f"again.{suffix}"))
    again = (tmp_path / f"again.{suffix}").read_bytes()
    assert again == (tmp_path / f"mnk.{suffix}").read_bytes()


def test_json_has_one_line_per_subfunction(tmp_path):
    path = tmp_path / "a.json"
    write_landscape(WHOLE, path)
    lines = path.read_text().splitlines()
    assert '      {"variables": [2, 0], "table": [0, -1, 2, 3]},' in lines
    assert '      {"variables": [], "table": [7]}' in lines
    assert sum("variables" in line for line in lines) == WHOLE.m
    write_landscape(REAL, path)
    assert '"table": [0.1, -1.0, 2.0, 3.0]' in path.read_text()


def test_a_file_by_hand_needs_neither_digest_nor_scale(tmp_path):
    path = tmp_path / "a.json"
    document = {
        "objectives": [[{"table": [0, 0.5], "variables": [1]}]],
        "sense": ["min"],
        "n": 2,
        "version": 1,
        "format": "paretoball landscape",
    }
    path.write_text(json.dumps(document))
    expected = Landscape.from_subfunctions(2, [[([1], [0, 0.5])]], "min")
    assert_same(read_landscape(path), expected)


def test_the_example_in_the_documentation_is_read(tmp_path):
    documentation = Path(__file__).parents[1] / "docs" / "formats.md"
    text = documentation.read_text().split("```json\n")[1].split("```")[0]
    (tmp_path / "a.json").write_text(text)
    landscape = read_landscape(tmp_path / "a.json")
    assert landscape.evaluate([[0, 1, 1], [1, 0, 1]]).tolist() == [[11, 3], [14, 0]]
    assert landscape.sense == ("max", "min")


def test_an_npz_by_hand_may_be_plain_numpy(tmp_path):
    path = tmp_path / "a.npz"
    header, arrays = npz_of(REAL, path)
    del header["digest"]
    header["scale"] = [10, 2**50]  # finer than needed: taken as it is
    arrays["tables"][5:] <<= 2
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path, header=text, **arrays)
    landscape = read_landscape(path)
    assert landscape.scale.tolist() == [10, 2**50]
    X = [[0, 0, 0], [1, 1, 1]]
    assert_array_equal(landscape.evaluate(X), REAL.evaluate(X))


def test_the_digest_is_as_specified():
    numbers = [3, 3, 3, 0, 1, -1, 1]  # n, d, m, real; signs
    for array in WHOLE.subfunctions:
        numbers += array.tolist()
    content = b"paretoball landscape 1\n" + struct.pack(f"<{len(numbers)}q", *numbers)
    content += struct.pack("<3d", 1, 1, 1)  # scale
    assert landscape_digest(WHOLE) == hashlib.sha256(content).hexdigest()


@given(plains(), plains())
def test_different_landscapes_have_different_digests(plain, other):
    assert (landscape_digest(built(plain)) == landscape_digest(built(other))) == (
        plain == other
    )


# --- Refused JSON.


def document_of(landscape: Landscape, folder: Path) -> dict[str, Any]:
    """The JSON document of a landscape, without its digest."""
    write_landscape(landscape, folder / "whole.json")
    document = json.loads((folder / "whole.json").read_text())
    del document["digest"]
    return document


def at(document: Any, *place: Any) -> Any:
    """The value at a place in a document."""
    for key in place:
        document = document[key]
    return document


FIRST = ("objectives", 0, 0)
BAD_VALUES = [
    # where in WHOLE's document, what stands there instead, what the refusal says
    (("format",), "pareto landscape", "format is 'pareto landscape', not 'paretoball"),
    (("format",), None, "format is None, not 'paretoball landscape'"),
    (("version",), 2, "version 2 .* only version 1"),
    (("version",), True, "version True"),
    (("version",), 1.0, "version 1.0"),
    (("version",), "1", "version '1'"),
    (("n",), 0, "n = 0"),
    (("n",), -5, "n = -5"),
    (("n",), 3.0, "n = 3.0 is not a whole number"),
    (("n",), True, "n = True"),
    (("n",), "3", "n = '3'"),
    (("n",), None, "n = None"),
    (("n",), 2, "subfunction 0 reads variable 2, but .* 0 to 1"),
    (("sense",), "max", "sense is 'max', not a list"),
    (("sense",), ["max"], "1 senses given for 3 objectives"),
    (("sense", 1), "least", "sense of objective 1 is 'least'"),
    (("sense", 1), ["max"], r"sense of objective 1 is \['max'\]"),
    (("sense", 1), 0, "sense of objective 1 is 0"),
    (("scale",), 1, "scale is 1, not a list"),
    (("scale",), None, "scale is None, not a list"),
    (("scale",), [1, 1], r"scale is \[1, 1\], not a list of d = 3"),
    (("scale",), [1, 1, 10], "scale of objective 2 is 10, not 1"),
    (("scale",), [1, 1, True], "scale of objective 2 is True, not 1"),
    (("digest",), "0" * 64, "digest is '0000.*damaged"),
    (("digest",), None, "digest is None"),
    (("comment",), "hello", "the file has 'comment', which is none of"),
    (("objectives",), {}, "objectives is {}, not a list"),
    (("objectives",), [], "d = 0"),
    (("objectives", 1), None, "objective 1 is None, not a list"),
    (("objectives", 1), {"variables": []}, "objective 1 is {.*}, not a list"),
    (FIRST, [[0], [0, 1]], r"objective 0, subfunction 0 is \[\[0\], \[0, 1\]\], not"),
    (FIRST, {}, "objective 0, subfunction 0 lacks 'table'"),
    (FIRST, {"table": [1]}, "objective 0, subfunction 0 lacks 'variables'"),
    ((*FIRST, "name"), "f", "objective 0, subfunction 0 has 'name', which is none of"),
    ((*FIRST, "variables"), [2, 3], "subfunction 0 reads variable 3, but"),
    ((*FIRST, "variables"), [2, -1], "subfunction 0 reads variable -1, but"),
    ((*FIRST, "variables"), [2, 2], "subfunction 0 reads variable 2 twice"),
    ((*FIRST, "variables"), [2, 0.0], "subfunction 0 has 0.0 in its variables"),
    ((*FIRST, "variables"), [2, False], "subfunction 0 has False in its variables"),
    ((*FIRST, "variables"), [2, "0"], "subfunction 0 has '0' in its variables"),
    ((*FIRST, "variables"), "20", "subfunction 0 has '20' for its variables"),
    ((*FIRST, "variables"), None, "subfunction 0 has None for its variables"),
    ((*FIRST, "variables"), {"2": 0}, "subfunction 0 has .* for its variables"),
    ((*FIRST, "variables"), [2, 10**40], "subfunction 0 has a number of 133 bits"),
    ((*FIRST, "variables"), list(range(30)), "reads variable 3"),
    ((*FIRST, "table"), [0, 1, 2], "subfunction 0 reads 2 .* 4 entries, not 3"),
    ((*FIRST, "table"), [], "subfunction 0 reads 2 .* 4 entries, not 0"),
    ((*FIRST, "table"), [0, 1, 2, True], "subfunction 0 has True in its table"),
    ((*FIRST, "table"), [0, 1, 2, "3"], "subfunction 0 has '3' in its table"),
    ((*FIRST, "table"), [0, 1, 2, None], "subfunction 0 has None in its table"),
    ((*FIRST, "table"), [0, 1, 2, [3]], r"subfunction 0 has \[3\] in its table"),
    ((*FIRST, "table"), [0, 1, 2, 10**40], "subfunction 0 has a number of 133 bits"),
    ((*FIRST, "table"), [0, 1, 2, float("nan")], "has nan at entry 3 of its table"),
    ((*FIRST, "table"), [0, float("inf"), 2, 3], "has inf at entry 1 of its table"),
    ((*FIRST, "table"), [0, float("-inf"), 2, 3], "has -inf at entry 1 of its table"),
    ((*FIRST, "table"), [0, 1, 2, 2**62 + 2**40], "objective 0 can reach 4.61e"),
]


@pytest.mark.parametrize(("place", "value", "text"), BAD_VALUES)
def test_a_wrong_value_in_json_is_refused_by_place(tmp_path, place, value, text):
    document = document_of(WHOLE, tmp_path)
    at(document, *place[:-1])[place[-1]] = value
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    refused(path, text)


@pytest.mark.parametrize("key", ["format", "version", "n", "sense", "objectives"])
def test_json_without_a_needed_key_is_refused(tmp_path, key):
    document = document_of(WHOLE, tmp_path)
    del document[key]
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    refused(path, {"format": "format is None", "version": "version None"}.get(key, key))


BAD_SCALES = [
    ([10, 3], "scale of objective 1 is 3, not a power of 10 or of 2"),
    ([0, 8], "scale of objective 0 is 0, not a power"),
    ([-10, 8], "scale of objective 0 is -10, not a power"),
    ([float("nan"), 8], "scale of objective 0 is nan, not a power"),
    ([float("inf"), 8], "scale of objective 0 is inf, not a power"),
    (["10", 8], "scale of objective 0 is '10', not a power"),
    ([True, 8], "scale of objective 0 is True, not a power"),
    ([10**400, 8], "scale of objective 0 is 1000.*, not a power"),
    ([10**16, 8], "scale of objective 0 is 10000000000000000, not a power"),
    ([10, 8, 1], r"scale is \[10, 8, 1\], not a list of d = 2"),
    ([], r"scale is \[\], not a list of d = 2"),
]


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        *BAD_SCALES,
        ([1, 2**47], "objective 0, subfunction 0 has 0.1 at entry 0 .* 1 to a unit"),
        ([10, 2**20], "objective 1, subfunction 0 has 0.33.* 1.04858e[+]06 to a unit"),
        ([10**15, 2**47], "objective 0 can reach 1e[+]16 steps .* 2[*][*]51"),
    ],
)
def test_a_scale_that_does_not_fit_the_tables_is_refused(tmp_path, scale, text):
    document = document_of(REAL, tmp_path)
    document["scale"] = scale
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    refused(path, text)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "not JSON"),
        (b"n = 5", "not JSON: .*line 1 column 1"),
        (b"\x00\x01", "not JSON"),
        (b"\xff\xfe{}", "not JSON: .*decode"),
        (b"\xef\xbb\xbf{}", "not JSON: .*BOM"),
        (b"[]", "holds \\[\\], not a JSON object"),
        (b"null", "holds None, not a JSON object"),
        (b"NaN", "holds nan, not a JSON object"),
        (b"{} {}", "not JSON: Extra data"),
        (b'{"n": 1, "n": 2}', "not JSON: .* the key 'n' twice"),
        (b'{"format": "a\\nb\\nc"}', "format is 'a"),
        (b'{"n": ' + b"9" * 5000 + b"}", "not JSON: .*limit"),
        (b'{"n": 1_000}', "not JSON"),
        ('{"n": ١٢}'.encode(), "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"n":' * 100_000, "nested too deeply"),
        (b"[" * 800 + b"]" * 800, "not a JSON object|nested too deeply"),
        (pickle.dumps({"n": 3}), "not JSON"),
        (b"PK\x03\x04", "not JSON"),
    ],
)
def test_what_is_no_landscape_in_json_is_refused(tmp_path, content, text):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    refused(path, text)


def test_numbers_beyond_floats_are_refused_by_place(tmp_path):
    document = document_of(WHOLE, tmp_path)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document).replace("[7]", "[1e999]"))
    refused(path, "objective 0, subfunction 1 has inf at entry 0 of its table")


def test_deep_nesting_where_a_number_belongs_is_refused(tmp_path):
    document = document_of(WHOLE, tmp_path)
    path = tmp_path / "bad.json"
    deep = "[" * 900 + "]" * 900
    path.write_text(json.dumps(document).replace("[7]", f"[{deep}]"))
    refused(path, "subfunction 1 has .* in its table|nested too deeply")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_ten_to_the_twelve_variables_are_refused(tmp_path, suffix):
    path = tmp_path / f"bad.{suffix}"
    if suffix == "json":
        document = document_of(WHOLE, tmp_path) | {"n": 10**12}
        path.write_text(json.dumps(document))
    else:
        header, arrays = npz_of(WHOLE, path)
        write_npz(path, header | {"n": 10**12}, arrays)
    refused(path, "n = 1000000000000, but there are 3 variables in masks: .* 1,048,576")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_million_variables_more_than_masks_have_are_all_there_may_be(
    tmp_path, suffix
):
    path = tmp_path / f"a.{suffix}"
    sparse = Landscape.from_subfunctions(2**20 + 1, [[((0,), [0, 1])]])
    write_landscape(sparse, path)
    assert_same(read_landscape(path), sparse)
    sparse = Landscape.from_subfunctions(2**20 + 2, [[((0,), [0, 1])]])
    with pytest.raises(ValueError, match="n = 1048578, but there are 1 variables"):
        write_landscape(sparse, path)


def test_files_beyond_memory_are_refused_before_they_are_read(tmp_path, monkeypatch):
    for suffix in SUFFIXES:
        write_landscape(WHOLE, tmp_path / f"a.{suffix}")
    monkeypatch.setattr(storage, "available_memory", lambda: 100)
    for suffix in SUFFIXES:
        refused(tmp_path / f"a.{suffix}", "a file of .* takes .* 100 B", MemoryError)


# --- Refused npz.


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


BAD_ARRAYS = [
    # WHOLE has masks 2 0 | | 1 and tables of 4, 1 and 2 entries, objectives 0 0 2
    ("objective", int64(0, 2, 1), "objective does not rise"),
    ("objective", int64(0, 0, 3), "objective does not rise from 0 to at most 2"),
    ("objective", int64(-1, 0, 2), "objective does not rise"),
    ("objective", int64(2**63 - 1, -2, 2), "objective does not rise"),
    ("objective", int64(0, 0), "mask_at has 4 entries, but 2 subfunctions need 3"),
    ("mask_at", int64(0, 3, 2, 3), "mask_at does not rise from 0 to 3"),
    ("mask_at", int64(0, -1, 2, 3), "mask_at does not rise"),
    ("mask_at", int64(1, 2, 2, 3), "mask_at does not rise"),
    ("mask_at", int64(0, 2, 2, 2**62), "mask_at does not rise"),
    ("mask_at", int64(0, 2**63 - 1, -2, 3), "mask_at does not rise"),
    ("mask_at", int64(), "mask_at has 0 entries"),
    ("table_at", int64(0, 5, 4, 7), "table_at does not rise from 0 to 7"),
    ("table_at", int64(0, 2**63 - 1, -2, 7), "table_at does not rise"),
    ("table_at", int64(0, 3, 5, 7), "subfunction 0 reads 2 .* 4 entries, not 3"),
    ("masks", int64(2, 3, 1), "subfunction 0 reads variable 3, but"),
    ("masks", int64(2, 2, 1), "subfunction 0 reads variable 2 twice"),
    ("masks", np.array([2.0, 0, 1]), "masks is an array of float64, not of int64"),
    ("masks", int64(2, 0, 1).astype(np.int32), "masks is an array of int32"),
    ("masks", int64(2, 0, 1)[:, None], r"masks .* shape \(3, 1\), not a vector"),
    ("tables", np.zeros(7), "tables is an array of float64, not of int64"),
    ("tables", np.zeros(7, bool), "tables is an array of bool"),
    ("tables", int64(*[2**62] * 7), "objective 0 can reach 9.22e"),
    ("tables", int64(*[-(2**63)] * 7), "objective 0 can reach 1.84e"),
    ("extra", int64(), "the archive has 'extra', which is none of"),
]


@pytest.mark.parametrize(("name", "array", "text"), BAD_ARRAYS)
def test_a_wrong_array_in_npz_is_refused_by_name(tmp_path, name, array, text):
    path = tmp_path / "bad.npz"
    header, arrays = npz_of(WHOLE, path)
    del header["digest"]
    write_npz(path, header, arrays | {name: array})
    refused(path, text)


BAD_HEADERS = [
    ({"format": "paretoball run"}, "format is 'paretoball run', not 'paretoball land"),
    ({"version": 7}, "version 7 .* only version 1"),
    ({"n": -1}, "n = -1"),
    ({"n": 2.5}, "n = 2.5"),
    ({"n": True}, "n = True"),
    ({"d": 2}, "objective does not rise"),
    ({"d": 4}, "scale is .*, not a list of d = 4|3 senses given for 4"),
    ({"d": 10**12}, "senses given|not a list of d"),
    ({"d": "3"}, "d is '3', not a whole number"),
    ({"d": True}, "d is True, not a whole number"),
    ({"sense": "max"}, "sense is 'max', not a list"),
    ({"sense": ["max"]}, "1 senses given for 3 objectives"),
    ({"real": 1}, "real is 1, not true or false"),
    ({"real": None}, "real is None, not true or false"),
    ({"scale": 1}, "scale is 1, not a list"),
    ({"scale": [1, 1, 10]}, "scale of objective 2 is 10, not 1"),
    ({"digest": "abc"}, "digest is 'abc', but that of its content is [0-9a-f]{64}:"),
    ({"sense": ["max", "max", "max"]}, "digest is"),
    ({"real": True}, "digest is|objective 2 can reach"),
    ({"author": "me"}, "the header has 'author', which is none of"),
]


@pytest.mark.parametrize(("changed", "text"), BAD_HEADERS)
def test_a_wrong_header_in_npz_is_refused(tmp_path, changed, text):
    path = tmp_path / "bad.npz"
    header, arrays = npz_of(WHOLE, path)
    write_npz(path, header | changed, arrays)
    refused(path, text)


@pytest.mark.parametrize(("scale", "text"), BAD_SCALES)
def test_a_scale_that_is_none_is_refused(tmp_path, scale, text):
    path = tmp_path / "bad.npz"
    header, _ = npz_of(REAL, path)
    text_of_header = json.dumps(header | {"scale": scale}).encode()
    header_array = np.frombuffer(text_of_header, np.uint8)
    with_member(path, "header.npy", member_bytes(header_array))
    refused(path, text)


def test_steps_beyond_exact_reals_are_refused(tmp_path):
    path = tmp_path / "bad.npz"
    header, arrays = npz_of(REAL, path)
    arrays["tables"][3] = -(2**51) - 1
    write_npz(path, header, arrays)
    refused(path, r"tables has -2251799813685249 at entry 3, .* 2\*\*51")
    arrays["tables"][3] = 2**51
    write_npz(path, header, arrays)
    refused(path, r"objective 0 can reach 2.25e\+15 steps")


MASKS = int64(2, 0, 1)
BAD_MEMBERS = [
    ("masks.npy", None, "the archive lacks 'masks'"),
    ("header.npy", None, "has no array 'header'"),
    ("header.npy", member_bytes(np.frombuffer(b"{]", np.uint8)), "not JSON"),
    ("header.npy", member_bytes(np.frombuffer(b"[1]", np.uint8)), "not a JSON object"),
    (
        "header.npy",
        member_bytes(np.frombuffer(b'{"n":1,"n":1}', np.uint8)),
        "key 'n' twice",
    ),
    ("masks.txt", b"2 0 1", "its member 'masks.txt' is not a .npy array"),
    ("masks.npy", b"", "masks.npy|EOF|magic"),
    ("masks.npy", b"\x93NUMPY\x01\x00", "EOF|magic|reading"),
    ("masks.npy", b"\x93NUMPY\x03\x00" + bytes(100), r"npy version \(3, 0\)"),
    ("masks.npy", pickle.dumps([2, 0, 1]), "magic"),
    (
        "masks.npy",
        member_bytes(MASKS, shape=(10**12,)),
        r"shape \(1000000000000,\) of int64, 8000000000000 bytes, but has 24",
    ),
    ("masks.npy", member_bytes(MASKS, shape=(2,)), "16 bytes, but has 24"),
    ("masks.npy", member_bytes(MASKS, shape=(-3, -1)), r"shape \(-3, -1\)"),
    ("masks.npy", member_bytes(MASKS, descr="|O"), "holds object, not numbers"),
    ("masks.npy", member_bytes(MASKS, descr="<U2"), "holds <U2, not numbers"),
    ("masks.npy", member_bytes(MASKS, descr=[("a", "<i8")]), "not numbers"),
    ("masks.npy", member_bytes(MASKS, descr="nonsense"), "descr|data type"),
    ("flags.npy", member_bytes(np.uint8([1, 2]), descr="|b1"), "neither true nor"),
    ("masks.npy", member_bytes(MASKS)[:-1], "24 bytes, but has 23"),
    ("masks.npy", b"\x93NUMPY\x01\x00PN" + bytes(20048), "Header info length"),
]


@pytest.mark.parametrize(("name", "content", "text"), BAD_MEMBERS)
def test_a_wrong_member_of_npz_is_refused(tmp_path, name, content, text):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)
    with_member(path, name, content)
    refused(path, text)


def test_an_array_of_pickled_objects_runs_nothing(tmp_path):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)

    class Payload:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "owned"),)

    file = io.BytesIO()
    np.save(file, np.array([Payload()], object), allow_pickle=True)
    for name in ("masks.npy", "header.npy"):
        with_member(path, name, file.getvalue())
        refused(path, "holds object, not numbers")
    (tmp_path / "bad.json").write_bytes(pickle.dumps(Payload()))
    refused(tmp_path / "bad.json", "not JSON")
    (tmp_path / "pickle.npz").write_bytes(pickle.dumps(Payload()))
    refused(tmp_path / "pickle.npz", "not an npz archive")
    assert not (tmp_path / "owned").exists()


def test_a_member_twice_is_refused(tmp_path):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(path, "a") as archive,
    ):
        archive.writestr("masks.npy", member_bytes(MASKS))
    refused(path, "two of its arrays have the same name")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    path = tmp_path / "bomb.npz"
    header, arrays = npz_of(WHOLE, path)
    write_npz(path, header, arrays | {"tables": np.zeros(10**6, np.int64)})
    assert path.stat().st_size < 50_000
    monkeypatch.setattr(storage, "available_memory", lambda: 10**6)
    refused(path, "an archive of 7.6 MiB takes .* but 976.6 KiB are free", MemoryError)


def test_what_is_packed_too_tightly_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.npz"
    write_landscape(WHOLE, path)
    with_member(path, "tables.npy", member_bytes(np.zeros(10**7, np.int64)), 9)
    assert path.stat().st_size < 80_000
    refused(path, "it has 7.* KiB, but unpacks to 76.3 MiB: more than 250 times")


def test_the_most_regular_landscape_that_is_written_is_read(tmp_path):
    path = tmp_path / "regular.npz"
    size, table = 1 << 21, np.zeros(1 << 21, np.int64)
    flat = Landscape.from_arrays(21, 1, [0], [0, 21], range(21), [0, size], table)
    write_landscape(flat, path)
    assert path.stat().st_size < table.nbytes / 200
    assert table.nbytes == storage.HARMLESS
    assert_same(read_landscape(path), flat)


def test_a_member_that_says_too_little_is_not_unpacked_beyond(tmp_path):
    path = tmp_path / "bomb.npz"
    write_landscape(WHOLE, path)
    said = member_bytes(np.zeros(10**4, np.int64))
    with_member(path, "masks.npy", said + bytes(2**26), 9)
    content = path.read_bytes()
    sizes = [struct.pack("<I", len(said) + more) for more in (2**26, 0)]
    assert content.count(sizes[0]) == 2
    path.write_bytes(content.replace(*sizes))
    tracemalloc.start()
    refused(path, "Bad CRC")
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


@pytest.mark.parametrize("shape", [b"(3L,),", b"'\\d', ", b"(0or3)"])
def test_what_numpy_doubts_is_refused_without_a_warning(tmp_path, shape, recwarn):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)
    with_member(path, "masks.npy", member_bytes(MASKS).replace(b"(3,), ", shape))
    refused(path, "Python 2|escape|header")
    assert recwarn.list == []


def test_compression_other_than_deflate_is_refused(tmp_path):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)
    with zipfile.ZipFile(path) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    refused(path, "neither stored nor deflated")


def test_arrays_of_other_byte_orders_are_read(tmp_path):
    path = tmp_path / "a.npz"
    write_landscape(WHOLE, path)
    with_member(path, "masks.npy", member_bytes(MASKS.astype(">i8")))
    assert_same(read_landscape(path), WHOLE)


def test_fortran_order_is_read(tmp_path):
    matrix = np.arange(6).reshape(2, 3)
    path = tmp_path / "a.npz"
    write_npz(
        path, {"format": "matrix", "version": 1}, {"m": np.asfortranarray(matrix)}
    )
    _, arrays = read_npz(path, "matrix")
    assert_array_equal(arrays["m"], matrix)
    assert arrays["m"].flags.writeable


def test_an_unknown_version_of_any_format_is_refused(tmp_path):
    path = tmp_path / "a.npz"
    write_npz(path, {"format": "run", "version": 3}, {})
    assert read_npz(path, "run", 3) == ({"format": "run", "version": 3}, {})
    with pytest.raises(
        ValueError, match=r"version 3 of the format 'run', .* version 2"
    ):
        read_npz(path, "run", 2)


def test_headers_that_json_cannot_hold_are_not_written(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_npz(tmp_path / "a.npz", {"seconds": float("nan")}, {})
    with pytest.raises(ValueError, match=r"[Oo]bject"):
        write_npz(tmp_path / "a.npz", {}, {"a": np.array([None])})
    assert os.listdir(tmp_path) == []


# --- Damage.


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_cut_short_anywhere_is_refused(tmp_path, suffix):
    write_landscape(WHOLE, tmp_path / f"whole.{suffix}")
    content = (tmp_path / f"whole.{suffix}").read_bytes()
    path = tmp_path / f"cut.{suffix}"
    for length in range(len(content.rstrip())):
        path.write_bytes(content[:length])
        assert outcome(path) is None, length


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_flipped_bit_is_refused_or_harmless(tmp_path, suffix):
    write_landscape(WHOLE, tmp_path / f"whole.{suffix}")
    content = (tmp_path / f"whole.{suffix}").read_bytes()
    path = tmp_path / f"flipped.{suffix}"
    refusals = 0
    for e in range(0, len(content), 3):
        changed = bytearray(content)
        changed[e] ^= 1 << e % 8
        path.write_bytes(changed)
        landscape = outcome(path)
        if landscape is None:
            refusals += 1
        else:
            assert_same(landscape, WHOLE)
    assert refusals > len(content) / 12


@given(content=st.binary(max_size=200))
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_noise_is_refused(tmp_path_factory, suffix, content):
    path = tmp_path_factory.getbasetemp() / f"noise.{suffix}"
    path.write_bytes(content)
    assert outcome(path) is None


# --- Paths.


@pytest.mark.parametrize("name", ["a.txt", "a", "json", "a.npz.gz", "a.JSON", ".npz"])
def test_other_suffixes_are_refused(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(ValueError, match=r"\.json or \.npz") as refusal:
        write_landscape(WHOLE, path)
    assert str(refusal.value).startswith(f"{path}: ")
    refused(path, r"\.json or \.npz")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_missing_files_and_folders_are_told_by_the_system(tmp_path, suffix):
    missing = tmp_path / "nowhere" / f"a.{suffix}"
    with pytest.raises(FileNotFoundError, match=str(missing)):
        read_landscape(missing)
    with pytest.raises(FileNotFoundError, match=str(missing)):
        write_landscape(WHOLE, missing)
    folder = tmp_path / f"folder.{suffix}"
    folder.mkdir()
    with pytest.raises(IsADirectoryError, match=str(folder)):
        read_landscape(folder)
    with pytest.raises(OSError, match=str(folder)):
        write_landscape(WHOLE, folder)
    assert os.listdir(tmp_path) == [folder.name]


@pytest.mark.parametrize("error", [ValueError, OSError, KeyboardInterrupt])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(file: Any) -> None:
        file.write(b"half of the ne")
        raise error("stop")

    with pytest.raises(error, match="stop"):
        atomic_write(path, fail)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_disk_that_fails_at_the_end_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    write_landscape(WHOLE, path)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=f"No space left on device: '{path}'"):
        write_landscape(REAL, path)
    assert_same(read_landscape(path), WHOLE)
    assert os.listdir(tmp_path) == ["a.npz"]


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    write_landscape(WHOLE, target)
    link.symlink_to(target)
    write_landscape(REAL, link)
    assert link.is_symlink()
    assert_same(read_landscape(target), REAL)


def test_new_files_have_the_permissions_of_any_other(tmp_path):
    write_landscape(WHOLE, tmp_path / "a.json")
    (tmp_path / "b.json").touch()
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert len(modes) == 1
