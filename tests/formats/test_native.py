"""Both formats of the package: no file says many more variables than it has."""

import json

import pytest

from landscape_files import SUFFIXES, WHOLE, assert_same, document_of, npz_of, refused
from paretoball import Landscape, qubo, read_landscape, write_landscape
from paretoball.formats import native, native_json
from paretoball.formats.clause_lines import check_named
from paretoball.formats.disk import Misplaced
from paretoball.formats.native import check_unread, mask_entries
from paretoball.formats.npz import write_npz
from paretoball.formats.triplets import check_size


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_ten_to_the_twelve_variables_are_refused(tmp_path, suffix):
    path = tmp_path / f"bad.{suffix}"
    if suffix == "json":
        document = document_of(WHOLE, tmp_path) | {"n": 10**12}
        path.write_text(json.dumps(document))
    else:
        header, arrays = npz_of(WHOLE, path)
        write_npz(path, header | {"n": 10**12}, arrays)
    refused(path, "n = 1000000000000, but masks have 3 entries: .* 1,048,576")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_million_variables_more_than_masks_have_are_all_there_may_be(
    tmp_path, suffix
):
    path = tmp_path / f"a.{suffix}"
    sparse = Landscape.from_subfunctions(2**20 + 1, [[((0,), [0, 1])]])
    write_landscape(sparse, path)
    assert_same(read_landscape(path), sparse)
    sparse = Landscape.from_subfunctions(2**20 + 2, [[((0,), [0, 1])]])
    with pytest.raises(ValueError, match="n = 1048578, but masks have 1 entry"):
        write_landscape(sparse, path)


@pytest.mark.parametrize(
    ("check", "per_entry"), [(check_unread, 1), (check_named, 1), (check_size, 2)]
)
@pytest.mark.parametrize("entries", [0, 1, 7])
def test_in_all_formats_a_million_variables_may_be_in_no_entry(
    check, per_entry, entries
):
    most = per_entry * entries + 2**20
    check(most, entries, 6)
    with pytest.raises(
        Misplaced, match="1,048,576 variables may be in none"
    ) as refusal:
        check(most + 1, entries, 6)
    assert refusal.value.line == 6


@pytest.mark.parametrize("at_once", [1, 2, 3, 4])
def test_subfunctions_are_written_a_few_at_a_time(tmp_path, monkeypatch, at_once):
    monkeypatch.setattr(native_json, "AT_ONCE", at_once)
    write_landscape(WHOLE, tmp_path / "a.json")
    assert_same(read_landscape(tmp_path / "a.json"), WHOLE)


ONE, TWO = [((0,), [0, 1])], [((1,), [0, 1]), ((2, 1), [0, 1, 2, 4])]


def test_entries_of_masks_are_those_of_objectives_and_of_constraints():
    limits = [(TWO, "<=", 9), (ONE, ">=", 0)]
    dense = qubo([[1, 2, 3], [0, 4, 5], [0, 0, 6]])
    assert dense.square is not None
    limited = qubo(
        [[1, 2, 3], [0, 4, 5], [0, 0, 6]], constraints=[([1, 1, 0], "<=", 1)]
    )
    for landscape, right in (
        (Landscape.from_subfunctions(3, [ONE, TWO]), 4),
        (Landscape.from_subfunctions(3, [ONE], constraints=limits), 5),
        (Landscape.from_subfunctions(3, [[], []]), 0),
        (dense, 3),
        (limited, 5),
    ):
        assert mask_entries(landscape) == right


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_variables_of_constraints_alone_are_read(tmp_path, monkeypatch, suffix):
    path = tmp_path / f"a.{suffix}"
    few, more = (
        Landscape.from_subfunctions(n, [ONE], constraints=[(TWO, "<=", 9)])
        for n in (4, 5)
    )
    write_landscape(more, tmp_path / f"more.{suffix}")
    monkeypatch.setattr(native, "MOST_UNREAD", 0)
    write_landscape(few, path)
    assert_same(read_landscape(path), few)
    refused(tmp_path / f"more.{suffix}", "n = 5, but masks have 4 entries")
    with pytest.raises(ValueError, match="n = 5, but masks have 4 entries"):
        write_landscape(more, path)
