"""Dense files: read as the square that `qubo` makes of their matrix."""

import json
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from memory import MORE, traced
from paretoball.exact.band_file import Known, read_bands, write_bands
from paretoball.formats import native_json, native_npz, quadratic
from paretoball.formats.dense import quadratic_landscape
from paretoball.formats.npz import write_npz
from paretoball.landscape import (
    Landscape,
    constant,
    is_digest_of,
    landscape_digest,
    products,
    square_tables,
)
from paretoball.system import capped

N = 7
UPPER = np.triu(np.random.default_rng(1).integers(1, 9, (N, N)))
UPPER[2, 2] = UPPER[1, 4] = UPPER[0, 6] = 0
ALL = [(i, j) for i in range(N) for j in range(i, N)]


@pytest.fixture(autouse=True)
def any_size(monkeypatch):
    """Small landscapes are kept as squares, too, and written in small parts."""
    monkeypatch.setattr(square_tables, "LEAST", 1)
    for module in (native_json, quadratic):
        monkeypatch.setattr(module, "AT_ONCE", 4)


def lines(entries, base):
    return "".join(f"{i + base} {j + base} {UPPER[i, j]}\n" for i, j in entries)


def turned(entries):
    """Entries in another order, those of one triangle in the other."""
    return sorted(entries, key=lambda pair: (pair[1] % 3, -pair[0]))


def texts(entries):
    """Files with these entries, and what an entry beside the diagonal counts."""
    few, size = lines(entries, 1), f"{N} {len(entries)}\n"
    beside = sum(i != j for i, j in entries)
    head = f"p qubo 0 {N} {len(entries) - beside} {beside}\n"
    model = {
        "variable_ids": list(range(N)),
        "variable_domain": "boolean",
        "scale": 1,
        "offset": 0,
        "linear_terms": [
            {"id": i, "coeff": int(UPPER[i, i])} for i, j in entries if i == j
        ],
        "quadratic_terms": [
            {"id_tail": j, "id_head": i, "coeff": int(UPPER[i, j])}
            for i, j in entries
            if i != j
        ],
    }
    below = "".join(
        f"{max(i, j) + 1} {min(i, j) + 1} {UPPER[i, j] << (i == j)}\n"
        for i, j in entries
    )
    qplib = f"Q\nQBN\nmaximize\n{N}\n{len(entries)}\n{below}"
    return {
        "qplib": ("a.qplib", f"{qplib}0\n0\n0\n1e30\n0\n0\n0\n0\n0\n0\n", "max", 1),
        "mqlib": ("b.txt", size + few, "max", 2),
        "beasley": ("a.txt", f"1\n{size}{few}", "max", 2),
        "biqmac": ("a.bq", size + few, "min", 2),
        "qpbo": ("a.qpbo", f"{N} -{len(entries)}\n{few}", "max", 2),
        "qs": ("a.qs", f"# ObjectiveOffset 0\n{size}{few}", "min", 2),
        "quantagonia": (
            "b.qubo",
            f"MAXIMIZE\n1\n1\n0\n{size}{lines(entries, 0)}",
            "max",
            2,
        ),
        "qubo": ("a.qubo", head + lines(entries, 0), "min", 1),
        "bqpjson": ("a.json", json.dumps(model), "min", 1),
    }


@pytest.mark.parametrize("order", [list, turned])
@pytest.mark.parametrize("name", texts(ALL))
def test_a_dense_file_is_read_as_a_square(tmp_path, name, order):
    file, text, sense, times = texts(order(ALL))[name]
    path = tmp_path / file
    path.write_text(text)
    landscape = pb.read_landscape(path, format=name)
    Q = UPPER * np.where(np.eye(N) == 1, 1, times)
    right = pb.qubo(Q, sense)
    assert landscape.square is not None
    assert landscape_digest(landscape) == landscape_digest(right)
    assert_array_equal(landscape.square.pairs, right.square.pairs)


@pytest.mark.parametrize("order", [list, turned])
@pytest.mark.parametrize("name", texts(ALL))
def test_runs_of_older_versions_belong_to_a_dense_file(
    tmp_path, monkeypatch, name, order
):
    """These did not make a square of the file, and their runs name another digest."""
    file, text, *_ = texts(order(ALL))[name]
    path, run, bands = (tmp_path / each for each in (file, "run.npz", "bands.npz"))
    path.write_text(text)
    with monkeypatch.context() as older:
        older.setattr(square_tables, "LEAST", N + 1)
        before = pb.read_landscape(path, format=name)
    assert before.square is None
    pb.solve(before, method="path", max_climbs=2, seed=1, checkpoint=run)
    landscape = pb.read_landscape(path, format=name)
    assert landscape.square is not None
    assert is_digest_of(landscape_digest(before), landscape)
    assert pb.verify(landscape, run).failures == []
    found = pb.resume(run, landscape, max_climbs=4)
    assert found.landscape == landscape_digest(landscape)
    assert pb.verify(landscape, run).failures == []
    nothing = np.zeros((0, 1))
    write_bands(bands, before, Known(nothing, nothing, nothing, nothing))
    assert read_bands(bands, landscape) is not None


@pytest.mark.parametrize("order", [list, turned])
def test_several_dense_files_have_the_digest_of_what_they_list(
    tmp_path, monkeypatch, order
):
    paths = [tmp_path / "a.bq", tmp_path / "b.bq"]
    for path, entries in zip(paths, (ALL, ALL[:-1])):
        some = [(i, j) for i, j in order(entries) if UPPER[i, j]]
        path.write_text(f"{N} {len(some)}\n{lines(some, 1)}")
    found = pb.read_landscape(*paths, format="biqmac")
    monkeypatch.setattr(square_tables, "LEAST", N + 1)
    before = pb.read_landscape(*paths, format="biqmac")
    assert landscape_digest(found) == landscape_digest(before)
    assert (found.square is not None) == (order is list)


def test_a_file_is_read_as_a_square_after_several_were_refused(tmp_path):
    path = tmp_path / "a.bq"
    path.write_text(f"{N} {len(ALL)}\n{lines(ALL, 1)}")
    with pytest.raises(FileNotFoundError):
        pb.read_landscape(path, tmp_path / "missing.bq")
    assert pb.read_landscape(path).square is not None


def test_another_landscape_has_neither_digest(tmp_path):
    """Nor is the digest of what a file lists that of another file."""
    paths = [tmp_path / "a.qubo", tmp_path / "b.qubo"]
    for path, factor in zip(paths, (7, 8)):
        text = texts(turned(ALL))["qubo"][1]
        path.write_text(text.replace("0 1 ", f"0 1 {factor}"))
    a, b = map(pb.read_landscape, paths)
    assert not is_digest_of(landscape_digest(a), b)
    assert not is_digest_of(landscape_digest(a), of_two())
    run = tmp_path / "run.npz"
    pb.solve(a, method="path", max_climbs=1, seed=1).save(run)
    assert "belongs to a landscape with" in pb.verify(b, run).failures[0]


def listed(pairs, factors, *others) -> Landscape:
    """The landscape of pairs of three variables, as a reader of files lists them."""
    terms = [products(np.array(pairs), np.array(factors)), *others]
    return quadratic_landscape(3, terms, "min")


def test_products_that_are_there_twice_add_up_in_a_square():
    ones = [products(np.array([[2], [0], [2]]), np.array([5, 3, -4])), constant(6)]
    pairs = [(1, 2), (1, 0), (2, 1), (0, 1), (2, 0)]
    landscape = listed(pairs, [1, 2, 3, 4, 5], *ones, constant(-4))
    right = pb.qubo([[3, 6, 5], [0, 0, 4], [0, 0, 1]], offset=2)
    assert landscape.square is not None
    assert landscape_digest(landscape) == landscape_digest(right)


OTHERS = {
    "cancelled": ([(0, 1), (1, 0)], [5, -5]),
    "real": ([(0, 1), (1, 2)], [5, 0.5]),
    "large": ([(1, 2), (0, 1), (2, 1), (1, 2)], [2**61 + 2**20, 1, 1, 1]),
    "far below 0": ([(1, 2), (0, 1), (2, 1), (1, 2)], [-(2**61) - 2**20, 1, 1, 1]),
    "large together": ([(1, 2), (0, 1), (2, 1)], [2**60 + 2**20, -(2**60), 1]),
}


@pytest.mark.parametrize(("pairs", "factors"), OTHERS.values(), ids=OTHERS)
def test_other_products_are_kept_as_they_are_listed(pairs, factors):
    landscape = listed(pairs, factors)
    assert landscape.square is None
    assert landscape.subfunctions.masks.tolist() == [j for pair in pairs for j in pair]


@pytest.mark.parametrize("sign", [1, -1])
def test_what_is_large_together_with_linear_factors_is_kept_as_it_is_listed(sign):
    for size, is_square in ((2**59, True), (2**60 + 2**20, False)):
        ones = products(np.array([[2]]), np.array([sign * size]))
        landscape = listed([(0, 1), (1, 2)], [2**60, 5], ones)
        assert (landscape.square is not None) == is_square
        assert landscape.evaluate([1, 1, 1]).tolist() == [2**60 + 5 + sign * size]


def test_a_file_with_few_pairs_keeps_its_entries(tmp_path):
    path = tmp_path / "a.qubo"
    path.write_text(
        "p qubo 0 5 5 1\n4 1 7\n" + "".join(f"{i} {i} 0\n" for i in range(5))
    )
    landscape = pb.read_landscape(path)
    assert landscape.square is None
    assert landscape.m == 6


def test_what_a_matrix_takes_is_told_first():
    pairs = np.stack(np.triu_indices(40, 1), axis=1)
    terms = [products(pairs, np.ones(len(pairs), int))]
    needed = 8 * 40 * 40 + 16 * len(pairs)
    words = "a matrix of 40 variables and 780 pairs needs 24.7 KiB, but"
    with capped(needed - 1), pytest.raises(MemoryError, match=words):
        quadratic_landscape(40, terms, "min")
    with capped(needed):
        assert quadratic_landscape(40, terms, "min").square is not None


def test_a_dense_file_takes_no_more_than_its_matrix_and_its_square():
    n = 300
    pairs = np.stack(np.triu_indices(n, 1), axis=1)
    order = np.random.default_rng(1).permutation(len(pairs))
    terms = [products(pairs[order], np.ones(len(pairs), int))]
    landscape, peak = traced(quadratic_landscape, n, terms, "min")
    assert landscape.square is not None
    assert peak <= 40 * len(pairs) + MORE


def test_spins_are_kept_as_they_are(tmp_path):
    path = tmp_path / "a.qh"
    path.write_text("2 2\n0 0 1\n0 1 3\n")
    landscape = pb.read_landscape(path, format="qubist")
    assert landscape.square is None
    assert landscape.m == 2


def of_two() -> Landscape:
    return pb.qubo([UPPER, np.fliplr(UPPER)], "max")


@pytest.mark.parametrize("name", ["a.json", "a.npz", "a.mubqp"])
def test_a_square_that_is_written_is_read_as_one(tmp_path, name):
    square = of_two()
    pb.write_landscape(square, tmp_path / name)
    again = pb.read_landscape(tmp_path / name)
    assert landscape_digest(again) == landscape_digest(square)
    assert_array_equal(again.square.pairs, square.square.pairs)


@pytest.mark.parametrize("name", ["a.json", "a.npz"])
@pytest.mark.parametrize("senses", list(product(("max", "min"), repeat=2)))
@pytest.mark.parametrize("rows", [[], [([1] * N, "<=", 4), ([-2] * N, ">=", -9)]])
def test_squares_of_all_senses_with_constants_come_back(tmp_path, name, senses, rows):
    labels, names = [f"v{j}" for j in range(N)], ["gain", "risk"]
    square = pb.qubo(
        [UPPER, -np.fliplr(UPPER)], senses, [3, -5], "weight", labels, names, rows
    )
    pb.write_landscape(square, tmp_path / name)
    again = pb.read_landscape(tmp_path / name)
    assert landscape_digest(again) == landscape_digest(square)
    assert (again.sense, again.labels, again.names) == (
        senses,
        tuple(labels),
        (*names,),
    )
    X = np.random.default_rng(1).integers(0, 2, (9, N))
    right = np.einsum("si,dij,sj->sd", X, [UPPER, -np.fliplr(UPPER)], X)
    assert_array_equal(again.evaluate(X), right + np.array([3, -5]))
    assert_array_equal(again.violation(X), square.violation(X))


@pytest.mark.parametrize("name", ["a.qubo", "a.bqpjson"])
def test_the_form_of_a_square_is_written_without_cliques(tmp_path, name):
    square = pb.qubo(UPPER, "min")
    pb.write_landscape(square, tmp_path / name)
    again = pb.read_landscape(tmp_path / name)
    assert landscape_digest(again) == landscape_digest(square)
    assert not {"subfunctions", "cliques"} & set(vars(square))


def test_a_square_in_an_older_file_is_read_as_one(tmp_path):
    """Files of version 1 list the subfunctions of squares."""
    square, path = of_two(), tmp_path / "old.npz"
    header = native_npz._header(square) | {"version": 1}
    header["digest"] = landscape_digest(square)
    write_npz(path, header, square.subfunctions._asdict())
    again = pb.read_landscape(path)
    assert_array_equal(again.square.pairs, square.square.pairs)
    assert landscape_digest(again) == header["digest"]


@pytest.mark.parametrize(
    ("more", "offset", "said"),
    [
        (0, 5, "mUBQP has no constants, but objective 0 has 5"),
        (0.5, 0, "mUBQP has whole numbers, but objective 0 needs"),
    ],
)
def test_mubqp_of_a_square_leaves_nothing_out(tmp_path, more, offset, said):
    square = pb.qubo(UPPER + more, "max", offset=offset)
    assert more or square.square is not None
    with pytest.raises(ValueError, match=said):
        pb.write_landscape(square, tmp_path / "a.mubqp")


@pytest.mark.parametrize("d", [1, 2])
def test_mubqp_of_a_square_is_that_of_its_subfunctions(tmp_path, d):
    square = pb.qubo([UPPER, np.fliplr(UPPER)][:d], "max")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(square_tables, "LEAST", N + 1)
        plain = Landscape.from_arrays(N, d, *square.subfunctions)
    assert plain.square is None
    for name, landscape in {"square": square, "plain": plain}.items():
        pb.write_landscape(landscape, tmp_path / f"{name}.mubqp")
    written = (tmp_path / "square.mubqp").read_bytes()
    assert written == (tmp_path / "plain.mubqp").read_bytes()
