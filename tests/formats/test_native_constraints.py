"""Constraints in the package's own formats: as specified, or refused by place."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from landscape_files import SUFFIXES, WHOLE, assert_same, int64, refused
from landscapes import ring, solutions_of
from paretoball import Landscape, read_landscape, write_landscape
from paretoball.formats import packed_landscape, unpacked_landscape
from paretoball.formats.native import CONSTRAINED, FORMAT
from paretoball.formats.npz import read_npz, write_npz
from paretoball.landscape import landscape_digest

ONES = [((0,), [0, 1]), ((1,), [0, 1])]
WIDE = [((2, 0), [0, 3, 5, 1]), ((), [7])]
MANY = Landscape.from_subfunctions(
    3,
    [ONES],
    "min",
    labels=["a", "b", "c"],
    constraints=[
        (ONES, "<=", 1.5),
        ([(["a", "c"], [0, 0.1, 0.2, 0.7])], ">=", Fraction(1, 3), "heavy"),
        ([(("a",), [0.1, 1 / 3]), (("b",), [0, 2 / 7])], "<=", 1 / 3, "rounded"),
        ([(("c",), [0, 2**60 + 1])], "==", 2**60 + 1),
        ([(("a",), [0.5, 1])], "<=", 10.0**30),
        ([], "==", 0, "nothing"),
    ],
)


def assert_same_constraints(one: Landscape, other: Landscape) -> None:
    """Both landscapes have the same constraints in every field."""
    assert_same(one, other)
    ours, theirs = one.constraints, other.constraints
    assert (ours.names, ours.relations) == (theirs.names, theirs.relations)
    assert_array_equal(ours.scale, theirs.scale)
    assert_array_equal(ours.real, theirs.real)
    for array, same in zip(
        (*ours.arrays.subfunctions, *ours.arrays[1:]),
        (*theirs.arrays.subfunctions, *theirs.arrays[1:]),
    ):
        assert_array_equal(array, same)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_constraints_come_back_bit_for_bit(tmp_path, suffix):
    path = tmp_path / f"many.{suffix}"
    write_landscape(MANY, path)
    again = read_landscape(path)
    assert_same_constraints(again, MANY)
    assert landscape_digest(again) == landscape_digest(MANY)
    X = solutions_of(3)
    assert_array_equal(again.violation(X), MANY.violation(X))
    written = path.read_bytes()
    write_landscape(again, path)
    assert path.read_bytes() == written


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_has_no_constraints_is_written_as_before(tmp_path, suffix):
    path = tmp_path / f"plain.{suffix}"
    write_landscape(MANY.unconstrained, path)
    if suffix == "json":
        assert json.loads(path.read_text())["version"] == 1
    else:
        assert read_npz(path, FORMAT)[0]["version"] == 1
    assert not read_landscape(path).constraints


def test_other_processes_get_the_constraints():
    again = unpacked_landscape(packed_landscape(MANY, named=False))
    assert_same_constraints(again, MANY)


def test_digests_tell_constraints_apart():
    def digest(*constraints: Any) -> str:
        return landscape_digest(
            Landscape.from_subfunctions(3, [ONES], constraints=constraints)
        )

    several = [
        digest(),
        digest((ONES, "<=", 1)),
        digest((ONES, ">=", 1)),
        digest((ONES, "==", 1)),
        digest((ONES, "<=", 2)),
        digest((WIDE, "<=", 8)),
        digest((ONES, "<=", 1), (ONES, "<=", 1)),
        digest(([((0,), [0, 1.0]), ((1,), [0, 1])], "<=", 1)),
    ]
    assert len(set(several)) == len(several)
    assert digest((ONES, "<=", 1, "name")) == digest((ONES, "<=", 1))


def test_the_digest_of_what_has_no_constraints_is_the_one_it_always_had():
    known = "3c7e2f47df453c90"
    assert landscape_digest(WHOLE).startswith(known)


def constrained() -> Landscape:
    """A landscape with two constraints."""
    return Landscape.from_subfunctions(
        3, [ONES], constraints=[(ONES, "<=", 1), (WIDE, ">=", 8, "wide")]
    )


def document_of(folder: Path) -> dict[str, Any]:
    """Its JSON document, without the digest."""
    write_landscape(constrained(), folder / "a.json")
    document = json.loads((folder / "a.json").read_text())
    del document["digest"]
    return document


def test_a_constraint_by_hand_needs_neither_name_nor_scale(tmp_path):
    document = document_of(tmp_path)
    terms = [{"variables": [0], "table": [0, 0.5]}]
    document["constraints"] = [{"terms": terms, "relation": "=", "bound": 0.5}]
    (tmp_path / "a.json").write_text(json.dumps(document))
    (constraint,) = read_landscape(tmp_path / "a.json").constraints
    assert (constraint.name, constraint.relation) == ("c0", "==")
    assert constraint.bound == 0.5


BAD_VALUES = [
    (("constraints",), None, "constraints is None, not a list"),
    (("constraints",), {}, "constraints is {}, not a list"),
    (("constraints", 0), 7, "constraint 0 is 7, not a JSON object"),
    (("constraints", 0, "relation"), "<", "constraint 0 has the relation '<', not"),
    (("constraints", 0, "bound"), "1", "constraint 0 has the bound '1', which is"),
    (("constraints", 0, "bound"), True, "constraint 0 has the bound True"),
    (("constraints", 0, "bound"), -1, "constraint 0 asks for <= -1, but its terms"),
    (("constraints", 0, "terms"), 1, "terms is 1, not a list"),
    (("constraints", 1, "name"), 1, "the name of constraint 1 is 1, which is no text"),
    (("constraints", 1, "name"), None, "constraint 1 has null for its name"),
    (("constraints", 1, "name"), "c0", "constraints 0 and 1 have the same name"),
    (("constraints", 0, "scale"), 10, "scale of constraint 0 is 10, not 1"),
    (("constraints", 0, "scale"), "x", "scale of constraint 0 is 'x', not 1"),
    (("constraints", 0, "terms", 1), 1, "constraint 0, subfunction 1 is 1, not a JSON"),
    (("constraints", 1, "terms", 0), {}, "constraint 1, subfunction 0 lacks 'table'"),
    (("constraints", 0, "terms", 0), 1, "constraint 0, subfunction 0 is 1, not a JSON"),
    (
        ("constraints", 1, "terms", 0, "variables"),
        [2, 2],
        r"constraint 1 \('wide'\), subfunction 0 reads variable 2 twice",
    ),
    (
        ("constraints", 1, "terms", 0, "variables"),
        [2, 3],
        r"constraint 1 \('wide'\), subfunction 0 reads variable 3, but",
    ),
    (
        ("constraints", 1, "terms", 0, "table"),
        [1, 2],
        r"constraint 1 \('wide'\), subfunction 0 reads 2 variables, so its",
    ),
    (("constraints", 1, "rounded"), True, "constraint 1 says rounded, but has no sca"),
    (("version",), 1, "the file has 'constraints', which is none of"),
    (("version",), 3, "it has version 3 .* only versions 1 and 2 are known"),
]


@pytest.mark.parametrize(("place", "value", "text"), BAD_VALUES)
def test_a_wrong_value_in_json_is_refused_by_place(tmp_path, place, value, text):
    document = document_of(tmp_path)
    inner: Any = document
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    (tmp_path / "a.json").write_text(json.dumps(document))
    refused(tmp_path / "a.json", text)


def test_a_changed_bound_is_noticed_by_the_digest(tmp_path):
    path = tmp_path / "a.json"
    write_landscape(constrained(), path)
    path.write_text(path.read_text().replace('"bound": 1', '"bound": 2'))
    refused(path, "its digest is")


BAD_ARRAYS = [
    # constraints have masks 0 | 1 | 2 0 | and tables of 2, 2, 4 and 1 entries
    ("constraint_objective", int64(0, 0, 2, 2), "constraint does not rise|objective"),
    ("constraint_mask_at", int64(0, 1, 2, 5, 4), "mask_at does not rise"),
    ("constraint_masks", int64(0, 1, 2, 3), r"constraint 1 \('wide'\), subfunction 0"),
    ("constraint_masks", np.zeros(4), "constraint_masks is an array of float64"),
    ("constraint_table_at", int64(0, 2, 4, 7, 9), "subfunction 0 reads 2 variables"),
    ("constraint_tables", int64(*[2**62] * 9), "constraint 0 can reach 9.22e"),
    ("constraint_bound", int64(1), "bound of constraints has 1 entries, but there are"),
    ("constraint_bound", int64(-1, 8), "constraint 0 asks for <= -1"),
    ("constraint_bound", int64([1], [8]), r"constraint_bound has shape \(2, 1\)"),
    ("constraint_more", int64(1), "the archive has 'constraint_more', which is none"),
]


def npz_of(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header, without the digest, and the arrays of its npz file."""
    write_landscape(constrained(), path)
    header, arrays = read_npz(path, FORMAT, CONSTRAINED)
    del header["digest"]
    return header, arrays


@pytest.mark.parametrize(("name", "array", "text"), BAD_ARRAYS)
def test_a_wrong_array_in_npz_is_refused_by_name(tmp_path, name, array, text):
    path = tmp_path / "bad.npz"
    header, arrays = npz_of(path)
    write_npz(path, header, arrays | {name: array})
    refused(path, text)


BAD_LISTS = [
    ({"relations": ["<="]}, "bound of constraints has 2 entries, but there are 1"),
    ({"relations": ["<=", "<"]}, r"constraint 1 \('wide'\) has the relation '<', not"),
    ({"relations": "<="}, "relations is '<=', not a list"),
    ({"real": [False, 0]}, r"real of constraint 1 \('wide'\) is 0, not true or false"),
    ({"scale": [1, 10]}, r"scale of constraint 1 \('wide'\) is 10, not 1"),
    ({"scale": [1, "1"]}, r"scale of constraint 1 \('wide'\) is '1', not 1"),
    ({"names": ["a", "a"]}, "constraints 0 and 1 have the same name 'a'"),
    ({"names": ["a", 1]}, "the name of constraint 1 is 1, which is no text"),
    ({"extra": []}, "constraints has 'extra', which is none of"),
]


@pytest.mark.parametrize(("changed", "text"), BAD_LISTS)
def test_a_wrong_list_in_the_header_is_refused(tmp_path, changed, text):
    path = tmp_path / "bad.npz"
    header, arrays = npz_of(path)
    header["constraints"] |= changed
    write_npz(path, header, arrays)
    refused(path, text)


def test_steps_beyond_exact_reals_are_refused(tmp_path):
    path = tmp_path / "bad.npz"
    header, arrays = npz_of(path)
    header["constraints"] |= {"real": [True, False], "scale": [10, 1]}
    arrays["constraint_tables"][1] = 2**51
    write_npz(path, header, arrays)
    refused(path, r"constraint 0 can reach 2.25e\+15 steps")


def test_formats_that_hold_no_constraints_say_so(tmp_path):
    text = "the landscape has 2 constraints, which .* does not hold: write another"
    for name in ("rmnk", "mubqp", "qubo", "bqpjson"):
        path = tmp_path / f"a.{name}"
        with pytest.raises(ValueError, match=text) as refusal:
            write_landscape(constrained(), path, format=name)
        assert "\n" not in str(refusal.value)
        assert not path.exists()


def test_a_large_landscape_keeps_its_constraints(tmp_path):
    given = ring(n=300, K=2, seed=1)
    weights = [((j,), [0, j + 1]) for j in range(300)]
    limits = Landscape.from_subfunctions(
        300, [[]], constraints=[(weights, "<=", 20_000)] * 1 + [(weights, ">=", 0, "b")]
    ).constraints
    landscape = Landscape.from_arrays(300, 2, *given.subfunctions, constraints=limits)
    for suffix in SUFFIXES:
        write_landscape(landscape, tmp_path / f"a.{suffix}")
        assert_same_constraints(read_landscape(tmp_path / f"a.{suffix}"), landscape)
