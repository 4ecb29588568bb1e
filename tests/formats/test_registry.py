"""Landscapes in every format: what is written is read back, and damage is refused."""

import json
import os
import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from landscape_files import SUFFIXES, WHOLE, assert_same, outcome
from landscapes import built, plains
from paretoball import Landscape, mnk, read_landscape, write_landscape
from paretoball.formats import check_landscape_format, read_described


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


@pytest.mark.parametrize("name", ["a.txt", "a", "json", ".gz", ".npz"])
def test_other_suffixes_are_refused(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(ValueError, match=r"named \.json, \.npz") as refusal:
        write_landscape(WHOLE, path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", ["a.{}.gz", "A.{}.GZ"])
def test_packed_files_come_back_always_the_same(tmp_path, suffix, name):
    path = tmp_path / name.format(suffix.upper())
    write_landscape(WHOLE, path)
    content = path.read_bytes()
    assert content.startswith(b"\x1f\x8b")
    assert_same(read_landscape(path), WHOLE)
    write_landscape(WHOLE, path)
    assert path.read_bytes() == content


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


def test_a_suffix_that_many_have_tells_no_format(tmp_path):
    path = tmp_path / "knapsack.dat"
    path.write_text("items and weights\n10 100\n")
    with pytest.raises(ValueError, match="it looks like none of the formats json, npz"):
        read_landscape(path)


@pytest.mark.parametrize(
    ("options", "suffix", "lost"),
    [
        ({"labels": ["a", "b"]}, "mcnf", "labels"),
        ({"names": ["cost"]}, "wcnf", "names of objectives"),
        ({"labels": ["a", "b"], "names": ["cost"]}, "opb", "names of objectives"),
        ({"names": ["cost"]}, "qubo", "names of objectives"),
        (
            {
                "labels": ["a", "b"],
                "names": ["cost"],
                "constraints": [([((0,), [0, 1])], ">=", 1, "one")],
            },
            "mcnf",
            "labels and names of objectives and names of constraints",
        ),
    ],
)
def test_names_that_a_format_has_no_place_for_are_told(tmp_path, options, suffix, lost):
    objectives = [[((0, 1), [0, 0, 0, 1])]]
    landscape = Landscape.from_subfunctions(2, objectives, "min", **options)
    path = tmp_path / f"a.{suffix}"
    said = f"a.{suffix}: {suffix} has no place for {lost}: .json and .npz files have"
    with pytest.warns(UserWarning, match=re.escape(said)):
        write_landscape(landscape, path)
    assert read_landscape(path).evaluate([1, 1]).tolist() == [1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_landscape(landscape, tmp_path / "a.json")
        write_landscape(landscape, tmp_path / "a.npz")
        plain = Landscape.from_subfunctions(2, objectives, "min")
        write_landscape(plain, path)


def test_who_writes_names_that_are_left_out_is_warned(tmp_path):
    landscape = Landscape.from_subfunctions(1, [[]], "min", names=["cost"])
    with pytest.warns(UserWarning, match="names of objectives") as warned:
        write_landscape(landscape, tmp_path / "a.wcnf")
    assert [each.filename for each in warned] == [__file__]


@pytest.mark.parametrize("suffix", ["mcnf", "wcnf", "opb"])
def test_of_names_that_nobody_gave_nothing_is_told(tmp_path, suffix):
    constraint = ([((0,), [0, 1])], ">=", 1)
    landscape = Landscape.from_subfunctions(
        2, [[((0, 1), [0, 0, 0, 1])]], "min", constraints=[constraint] * 2
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_landscape(landscape, tmp_path / f"a.{suffix}")


@pytest.mark.parametrize("suffix", ["qubo", "bqpjson", "opb", "json", "npz"])
def test_formats_that_have_labels_leave_none_out(tmp_path, suffix):
    landscape = Landscape.from_subfunctions(1, [[]], "min", labels=["a"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_landscape(landscape, tmp_path / f"a.{suffix}")


@pytest.mark.parametrize("name", ["rmnk", "mubqp", "qubo", "bqpjson"])
def test_a_single_constraint_is_not_left_out(tmp_path, name):
    limited = Landscape.from_subfunctions(
        1,
        [[((0,), [0, 1])]],
        "max" if name in ("rmnk", "mubqp") else "min",
        constraints=[([((0,), [0, 1])], "<=", 0)],
    )
    with pytest.raises(ValueError, match=r"has 1 constraint, which .* does not hold"):
        write_landscape(limited, tmp_path / "a", format=name)


@pytest.mark.parametrize("name", ["cnf", "maxcut", "JSON", "", "nothing"])
def test_a_format_that_is_not_written_is_told(tmp_path, name):
    told = "is none of json, npz, wcnf, mcnf, opb, rmnk, mubqp, qubo, bqpjson$"
    with pytest.raises(ValueError, match=told):
        write_landscape(WHOLE, tmp_path / "a.json", format=name)
    with pytest.raises(ValueError, match=told):
        check_landscape_format(tmp_path / "a.json", name)
    assert os.listdir(tmp_path) == []


def test_a_path_that_says_no_format_is_refused_before_the_work():
    check_landscape_format("a.json.gz")
    check_landscape_format("a.txt", "json")
    with pytest.raises(ValueError, match=r"^a\.txt: .* a file named \.json, \.npz"):
        check_landscape_format("a.txt")
    with pytest.raises(ValueError, match=r"^a\.dat: 'rmnk' .* have this suffix"):
        check_landscape_format("a.dat")


def test_packed_files_do_not_tell_when_they_were_written(tmp_path):
    write_landscape(WHOLE, tmp_path / "a.json.gz")
    assert (tmp_path / "a.json.gz").read_bytes()[3:8] == bytes(5)


def diagonal(suffix: str, n: int) -> str:
    """The text of a file with n variables, numbered from the first on."""
    lines, nodes = [f"{j} {j} 1\n" for j in range(n)], [{"id": j} for j in range(n)]
    model: dict[str, object] = {
        "variable_ids": list(range(n)),
        "variable_domain": "boolean",
        "scale": 1,
        "offset": 0,
        "linear_terms": [],
        "quadratic_terms": [],
    }
    return {
        "opb": f"min: {' '.join(f'1 x{j + 1}' for j in range(n))};\n",
        "qubo": f"p qubo 0 {n} {n} 0\n{''.join(lines)}",
        "qh": f"{n} {n}\n{''.join(lines)}",
        "bqpjson": json.dumps(model),
        "json": json.dumps({"nodes": nodes, "edges": []}),
        "bq": f"{n} 1\n1 1 1\n",
    }[suffix]


EACH = ["opb", "qubo", "qh", "bqpjson", "json", "bq"]


@pytest.mark.parametrize("first", EACH)
@pytest.mark.parametrize("second", EACH)
def test_files_whose_numbers_are_labels_may_have_other_variables(
    tmp_path, first, second
):
    paths = [tmp_path / f"a.{first}", tmp_path / f"b.{second}"]
    for n, path, suffix in zip((2, 3), paths, (first, second)):
        path.write_text(diagonal(suffix, n))
        assert read_landscape(path).n == n
    if "bq" in (first, second):
        with pytest.raises(ValueError, match="what has no labels must have as many"):
            read_landscape(*paths)
        return
    landscape, titles = read_described(*paths)
    assert (landscape.n, landscape.d, landscape.names) == (3, 2, ("a", "b"))
    assert titles == [read_described(path)[1][0] for path in paths]


def test_objectives_have_the_names_of_their_files_if_these_are_names(tmp_path):
    one = Landscape.from_subfunctions(1, [[((0,), [0, 1])]])
    for name in ("cost.json", "risk.json.gz", ".npz.json"):
        write_landscape(one, tmp_path / name)
    paths = [tmp_path / "cost.json", tmp_path / "risk.json.gz"]
    assert read_landscape(*paths).names == ("cost", "risk")
    assert read_landscape(*paths, tmp_path / ".npz.json").names == ("f0", "f1", "f2")
    assert read_landscape(*paths, paths[0]).names == ("f0", "f1", "f2")


@pytest.mark.parametrize("paths", [(), ("",), (["a.json", "b.json"],), (3,), (None,)])
def test_what_is_no_path_is_told(paths):
    with pytest.raises(TypeError, match="is no path: read_landscape takes the path"):
        read_landscape(*paths)


@pytest.mark.parametrize("path", [5, "", None])
def test_arguments_of_another_kind_are_one_line(tmp_path, path):
    landscape = mnk(n=6, K=1, seed=1)
    with pytest.raises((TypeError, ValueError), match="is not the path of a file"):
        write_landscape(landscape, path)
    with pytest.raises(TypeError, match=r"a landscape and then a path, but 'x\.json'"):
        write_landscape("x.json", landscape)
