"""Labels and names in files: read back as they were, or refused by one line."""

import json
import math
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from landscape_files import SUFFIXES, WHOLE, assert_same, document_of, npz_of, refused
from paretoball import Landscape, read_landscape, write_landscape
from paretoball.formats.naming import labels_in, names_in, naming_header
from paretoball.formats.native_npz import packed_landscape, unpacked_landscape
from paretoball.formats.npz import write_npz
from paretoball.landscape import landscape_digest

NAMED = Landscape.from_subfunctions(
    3,
    [[(("c", ("a", 0)), [0, 1, 2, 3])], [((None,), [1, 0])]],
    labels=[("a", 0), None, "c"],
    names=["cost", "Ø \x1b\n"],
)

plain = st.one_of(
    st.text(max_size=5),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
)
labels = st.recursive(plain, lambda inner: st.lists(inner, max_size=3).map(tuple))


def exact(label: Any) -> Any:
    """A label with its kind: 1, 1.0 and True are equal, 0.0 and -0.0 as well."""
    if isinstance(label, tuple):
        return tuple(map(exact, label))
    return type(label), repr(label)


@given(st.lists(labels, min_size=1, max_size=6, unique=True))
def test_labels_come_back_from_json_as_they_were(some):
    n = len(some)
    header = naming_header(tuple(some), ("f0",))
    found = labels_in(json.loads(json.dumps(header, allow_nan=False)), n)
    given = tuple(range(n)) if found is None else found
    assert exact(given) == exact(tuple(some))


@pytest.mark.parametrize("suffix", [*SUFFIXES, "json.gz", "npz.gz"])
@settings(max_examples=8)
@given(
    some=st.lists(labels, min_size=3, max_size=3, unique=True),
    names=st.lists(
        st.text(min_size=1, max_size=9).filter(str.strip),
        min_size=3,
        max_size=3,
        unique=True,
    ),
)
def test_files_hold_labels_and_names(suffix, some, names):
    given = Landscape.from_arrays(
        3, 3, *WHOLE.subfunctions, WHOLE.sense, labels=some, names=names
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"named.{suffix}"
        write_landscape(given, path)
        found = read_landscape(path)
    assert_same(found, given)
    assert exact(found.labels) == exact(tuple(some))
    assert found.names == tuple(names)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_named_landscape_has_the_digest_of_its_mathematics(tmp_path, suffix):
    path = tmp_path / f"named.{suffix}"
    write_landscape(NAMED, path)
    found = read_landscape(path)
    assert (found.labels, found.names) == (NAMED.labels, NAMED.names)
    bare = Landscape.from_arrays(3, 2, *NAMED.subfunctions)
    assert landscape_digest(found) == landscape_digest(NAMED) == landscape_digest(bare)


def test_what_is_default_is_not_written(tmp_path):
    assert not {"labels", "names"} & document_of(WHOLE, tmp_path).keys()
    header, _ = npz_of(WHOLE, tmp_path / "whole.npz")
    assert not {"labels", "names"} & header.keys()
    assert naming_header(None, ("f0", "risk")) == {"names": ["f0", "risk"]}
    assert naming_header(("a",), ("f0",)) == {"labels": ["a"]}


def test_what_is_default_may_be_written():
    assert labels_in({"labels": [0, 1]}, 2) is None
    assert names_in({"names": ["f0"]}, 1) == ("f0",)


def test_workers_get_no_names():
    odd = Landscape.from_terms(1, [[]], labels=[object()], names=["cost"])
    found = unpacked_landscape(packed_landscape(odd, named=False))
    assert (found.labels, found.names) == ((0,), ("f0",))


@pytest.mark.parametrize("suffix", [*SUFFIXES, "json.gz"])
@pytest.mark.parametrize(
    ("label", "text"),
    [
        (Fraction(1, 3), r"label Fraction\(1, 3\) cannot be in a file"),
        (math.inf, "label inf cannot"),
        (b"a", "label b'a' cannot"),
        (frozenset("a"), r"label frozenset\(\{'a'\}\) cannot"),
        (("a", ("b", 2j)), r"label \('a', \('b', 2j\)\) cannot"),
    ],
)
def test_labels_that_no_file_can_hold_are_refused(tmp_path, suffix, label, text):
    path = tmp_path / f"odd.{suffix}"
    odd = Landscape.from_terms(2, [[]], labels=["a", label])
    with pytest.raises(ValueError, match=text) as refusal:
        write_landscape(odd, path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert "texts, whole numbers, finite floats, booleans" in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not path.exists()


BAD = [
    ({"labels": {}}, "labels is {}, not a list"),
    ({"labels": None}, "labels is None, not a list"),
    ({"labels": "abc"}, "labels is 'abc', not a list"),
    ({"labels": ["a", "b"]}, "labels has 2 labels, but the landscape has n = 3"),
    ({"labels": ["a", "b", "a"]}, "label 'a' is given twice, for variables 0 and 2"),
    ({"labels": [1, True, 2]}, "label 1 is given twice"),
    ({"labels": ["a", "b", {}]}, "label {} is none of texts"),
    ({"labels": ["a", "b", ["c", {"d": 1}]]}, r"label \['c', {'d': 1}\] is none of"),
    ({"names": {}}, "names is {}, not a list"),
    ({"names": ["a", "b"]}, "2 names given for 3 objectives"),
    ({"names": ["a", "b", "a"]}, "two objectives have the name 'a'"),
    ({"names": ["a", "b", 7]}, "the name of objective 2 is 7, which is no text"),
    ({"names": ["a", "b", ""]}, "the name of objective 2 is '', which is no text"),
    ({"label": ["a", "b", "c"]}, "'label', which is none of"),
]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("changed", "text"), BAD)
def test_wrong_labels_and_names_are_refused(tmp_path, suffix, changed, text):
    path = tmp_path / f"bad.{suffix}"
    if suffix == "json":
        path.write_text(json.dumps(document_of(WHOLE, tmp_path) | changed))
    else:
        header, arrays = npz_of(WHOLE, path)
        write_npz(path, header | changed, arrays)
    refused(path, text)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("NaN", "label nan is none of"),
        ("-Infinity", "label -inf is none of"),
        ("1e999", "label inf is none of"),
        ("9" * 5000, "a whole number of too many digits"),
        ("[" * 400 + "]" * 400, ""),
        ("[" * 900 + "]" * 900, "nested too deeply"),
    ],
)
def test_odd_numbers_and_deep_lists_are_no_trap(tmp_path, written, text):
    path = tmp_path / "odd.json"
    document = document_of(WHOLE, tmp_path) | {"labels": ["a", "b", "ODD"]}
    path.write_text(json.dumps(document).replace('"ODD"', written))
    if text:
        refused(path, text)
    else:
        assert read_landscape(path).labels[:2] == ("a", "b")


def test_errors_about_a_file_tell_the_names_in_it(tmp_path):
    path = tmp_path / "bad.json"
    document = document_of(WHOLE, tmp_path) | {"names": ["cost", "risk", "time"]}
    document["objectives"][2][0]["variables"] = [9]
    path.write_text(json.dumps(document))
    refused(path, r"objective 2 \('time'\), subfunction 0 reads variable 9")
    document["objectives"][0][0]["table"][1] = None
    path.write_text(json.dumps(document))
    refused(path, r"objective 0 \('cost'\), subfunction 0 has None in its table")
