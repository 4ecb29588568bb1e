"""scipy: the matrix and the constant of an objective have its values."""

import sys

import numpy as np
import pytest

import paretoball as pb
from paretoball import Landscape
from paretoball.adapters.scipy import to_sparse

pytest.importorskip("scipy")


def random_pairs(rng: np.random.Generator, unit: float = 1) -> Landscape:
    """Two objectives with tables of up to two variables each."""
    n = int(rng.integers(1, 12))
    objectives = []
    for each in (unit, unit * 2):
        masks = [rng.permutation(n)[: rng.integers(3)] for _ in range(12)]
        tables = [(rng.integers(-99, 100, 1 << len(m)) * each).tolist() for m in masks]
        objectives.append(list(zip([m.tolist() for m in masks], tables)))
    return Landscape.from_subfunctions(n, objectives, ["min", "max"], names=["a", "b"])


def test_matrices_have_the_values_of_the_landscape():
    rng = np.random.default_rng(1)
    for trial in range(50):
        landscape = random_pairs(rng, 1 if trial % 2 else 0.25)
        X = rng.integers(0, 2, (1000, landscape.n))
        F = landscape.evaluate(X)
        for i, name in enumerate(landscape.names):
            Q, constant = to_sparse(landscape, name)
            assert Q.dtype == (np.int64 if trial % 2 else np.float64)
            assert (Q.tocoo().row <= Q.tocoo().col).all()
            assert ((X @ Q * X).sum(axis=1) + constant).tolist() == F[:, i].tolist()
            if hasattr(pb, "qubo"):
                again = pb.qubo(Q, offset=constant, sense=landscape.sense[i])
                assert again.evaluate(X)[:, 0].tolist() == F[:, i].tolist()


def test_an_objective_that_is_a_constant_has_an_empty_matrix():
    landscape = Landscape.from_subfunctions(3, [[((), [5])], [((1,), [0, 2])]])
    Q, constant = to_sparse(landscape)
    assert (Q.shape, Q.nnz, constant) == ((3, 3), 0, 5)
    Q, constant = to_sparse(landscape, 1)
    assert (Q[1, 1], Q.nnz, constant) == (2, 1, 0)


def test_without_scipy_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    landscape = Landscape.from_subfunctions(1, [[((0,), [0, 1])]])
    with pytest.raises(ImportError, match=r"pip install 'paretoball\[scipy\]'$"):
        to_sparse(landscape)
