"""npz landscapes: as specified, or refused by name."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from landscape_files import (
    BAD_SCALES,
    REAL,
    WHOLE,
    int64,
    member_bytes,
    npz_of,
    refused,
    with_member,
)
from paretoball import qubo, read_landscape, write_landscape
from paretoball.formats.native import FORMAT
from paretoball.formats.npz import read_npz, write_npz


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


BAD_ARRAYS = [
    # WHOLE has masks 2 0 | | 1 and tables of 4, 1 and 2 entries, objectives 0 0 2
    ("objective", int64(0, 2, 1), "objective does not rise"),
    ("objective", int64(0, 0, 3), "objective does not rise from 0 to at most 2"),
    ("objective", int64(-1, 0, 2), "objective does not rise"),
    ("objective", int64(2**63 - 1, -2, 2), "objective does not rise"),
    ("objective", int64(0, 0), "mask_at has 4 entries, but for 2 .* have 3"),
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
    ({"version": 2}, "the header lacks 'constraints'"),
    ({"version": 7}, "version 7 .* only versions 1, 2 and 3 are known"),
    ({"n": -1}, "n = -1"),
    ({"n": 2.5}, "n = 2.5"),
    ({"n": True}, "n = True"),
    ({"d": 2}, "objective does not rise"),
    ({"d": 4}, "scale is .*, not a list of d = 4|3 senses given for 4"),
    ({"d": 10**12}, "senses given|not a list of d"),
    ({"d": "3"}, "d is '3', not a whole number"),
    ({"d": True}, "d is True, not a whole number"),
    ({"sense": "max"}, "sense is 'max', not a list"),
    ({"sense": ["max"]}, "1 sense given for 3 objectives"),
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


SQUARE = qubo(np.arange(9).reshape(3, 3), "max", offset=5)
BAD_FACTORS = [
    ({}, {"constant": int64()}, r"constant has shape \(0,\), .* it is \(1,\)"),
    ({}, {"linear": int64(0, 4, 8)}, r"linear has shape \(3,\), .* it is \(3, 1\)"),
    ({}, {"pairs": int64(4, 8)[:, None]}, r"pairs has shape \(2, 1\), .* \(3, 1\)"),
    ({"n": 4}, {}, r"linear has shape \(3, 1\), but with n = 4 and d = 1"),
    ({"d": 2}, {}, r"constant has shape \(1,\), but with n = 3 and d = 2"),
    ({}, {"pairs": np.ones((3, 1))}, "pairs is an array of float64, not of int64"),
    ({}, {"pairs": np.ones((3, 1), np.uint8)}, "pairs is an array of uint8"),
    ({}, {"linear": np.ones((3, 1), np.int32)}, "linear is an array of int32"),
    ({}, {"pairs": int64(0, 0, -(2**63))[:, None]}, r"a factor beyond 2\*\*62"),
    (
        {},
        {"pairs": int64(0, 0, 2**62)[:, None]},
        r"objective 0 can reach 2\*\*62 \+ 17 in size",
    ),
    ({}, {"linear": int64(0, 0, -(2**63))[:, None]}, "objective 0 can reach 9.22e"),
    ({}, {"pairs": int64(4, 8, 13)[:, None]}, "its digest is"),
    ({"scale": [2]}, {}, "scale of objective 0 is 2, not 1"),
    ({"real": True, "scale": [-1]}, {}, "scale of objective 0 is -1, not from"),
    ({"version": 1}, {}, "the archive lacks 'mask_at'"),
    ({"constraints": {}}, {}, "the archive lacks 'constraint_bound'"),
    ({}, {"masks": int64()}, "the archive has 'masks', which is none of"),
]


@pytest.mark.parametrize(("changed", "others", "text"), BAD_FACTORS)
def test_wrong_factors_of_a_square_are_refused(tmp_path, changed, others, text):
    path = tmp_path / "bad.npz"
    write_landscape(SQUARE, path)
    header, arrays = read_npz(path, FORMAT, 3)
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "constant": [5],
        "linear": [[0], [4], [8]],
        "pairs": [[4], [8], [12]],
    }
    write_npz(path, header | changed, arrays | others)
    refused(path, text)
