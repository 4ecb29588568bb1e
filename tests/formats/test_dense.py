"""Dense files: read as the square that `qubo` makes of their matrix."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from paretoball.formats import native_npz
from paretoball.formats.npz import write_npz
from paretoball.landscape import Landscape, landscape_digest, square_given

N = 7
UPPER = np.triu(np.random.default_rng(1).integers(1, 9, (N, N)))
UPPER[2, 2] = UPPER[1, 4] = UPPER[0, 6] = 0
ALL = [(i, j) for i in range(N) for j in range(i, N)]


@pytest.fixture(autouse=True)
def any_size(monkeypatch):
    """Small landscapes are kept as squares, too."""
    monkeypatch.setattr(square_given, "LEAST", 1)


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
    return {
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


def test_entries_that_are_there_twice_add_up_in_a_square(tmp_path):
    path = tmp_path / "a.qubo"
    entries = [*ALL, (0, 1), (0, 1), (3, 3)]
    path.write_text(f"p qubo 0 {N} {N + 1} {len(ALL) - N + 2}\n{lines(entries, 0)}")
    landscape = pb.read_landscape(path)
    Q = UPPER.copy()
    Q[0, 1] *= 3
    Q[3, 3] *= 2
    assert landscape_digest(landscape) == landscape_digest(pb.qubo(Q))


HUGE = 2**61
OTHERS = {
    "sparse": "p qubo 0 9 1 1\n0 0 0\n0 8 1\n",
    "cancelled": "p qubo 0 2 0 2\n0 1 5\n0 1 -5\n",
    "real": "p qubo 0 2 1 1\n0 0 0\n0 1 0.5\n",
    "large": f"p qubo 0 2 0 2\n1 0 {HUGE}\n0 1 -{HUGE}\n",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_files_keep_the_terms_that_they_list(tmp_path, text):
    path = tmp_path / "a.qubo"
    path.write_text(text)
    landscape = pb.read_landscape(path)
    assert landscape.square is None
    assert landscape.m == 2


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


@pytest.mark.parametrize("d", [1, 2])
def test_mubqp_of_a_square_is_that_of_its_subfunctions(tmp_path, d):
    square = pb.qubo([UPPER, np.fliplr(UPPER)][:d], "max")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(square_given, "LEAST", N + 1)
        plain = Landscape.from_arrays(N, d, *square.subfunctions)
    assert plain.square is None
    for name, landscape in {"square": square, "plain": plain}.items():
        pb.write_landscape(landscape, tmp_path / f"{name}.mubqp")
    written = (tmp_path / "square.mubqp").read_bytes()
    assert written == (tmp_path / "plain.mubqp").read_bytes()
