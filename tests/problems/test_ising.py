"""Ising models: Σ h s + Σ J s s, with s = 2x - 1."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forms import SHAPES, as_dict, assert_values, matrices, value
from paretoball import ising

SIZES = st.integers(1, 4)


def spins(x):
    return [2 * bit - 1 for bit in x]


def energy(h, J, x):
    """By the definition; the diagonal of J counts, too."""
    s = spins(x)
    return sum(field * s[i] for i, field in enumerate(h)) + value(J, s)


@st.composite
def models(draw):
    n = draw(SIZES)
    h = draw(st.lists(st.integers(-9, 9), min_size=n, max_size=n))
    return h, draw(matrices(n))


FIELDS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "dict": lambda h: dict(enumerate(h)),
}


@given(
    shape=st.sampled_from(sorted(SHAPES)),
    model=models(),
    kind=st.sampled_from(sorted(FIELDS)),
)
def test_all_entries_count(shape, model, kind):
    h, J = model
    landscape = ising((FIELDS[kind](h), SHAPES[shape](J)))
    assert landscape.sense == ("min",)
    assert_values(landscape, lambda x: energy(h, J, x))


@given(st.lists(matrices(3), min_size=2, max_size=2), st.integers(-9, 9))
def test_models_may_have_no_fields_and_an_offset(Js, offset):
    first, second = Js
    landscape = ising([first, (None, as_dict(second), offset)], ["max", "min"])
    assert landscape.sense == ("max", "min")
    assert_values(
        landscape,
        lambda x: value(first, spins(x)),
        lambda x: value(second, spins(x)) + offset,
    )
    landscape = ising(np.array(Js))
    assert_values(landscape, *(lambda x, J=J: value(J, spins(x)) for J in Js))


def test_one_matrix_by_itself_is_one_model():
    assert ising([[0, 1], [0, 0]]).evaluate([[0, 0], [0, 1]]).tolist() == [[1], [-1]]
    assert ising(np.triu(np.ones((3, 3)), 1)).d == 1


def test_a_symmetric_matrix_counts_pairs_twice_and_edges_once():
    J = [[0, 5], [5, 0]]
    assert ising(J).evaluate([1, 1]) == [10]
    assert ising(nx.Graph([(0, 1, {"weight": 5})])).evaluate([1, 1]) == [5]
    assert ising({(0, 1): 5}).evaluate([1, 1]) == [5]


def test_couplings_may_have_linear_terms_and_a_constant():
    landscape = ising({("a", "b"): 2, ("a",): 3, (): 10, ("b", "b"): 7})
    assert landscape.evaluate([[0, 1], [1, 1]]).tolist() == [[12], [22]]


def test_fields_have_labels_of_any_kind():
    """A tuple is a label here, since no fields are multiplied."""
    h = {(0, 0): 1, (0, 1): 2}
    landscape = ising((h, {((0, 0), (0, 1)): 4}))
    assert landscape.labels == ((0, 0), (0, 1))
    assert landscape.evaluate([[1, 0], [1, 1]]).tolist() == [[-5], [7]]


def test_decimals_are_exact():
    J, h = [[0.3, 0.1], [0.2, 0]], [0.7, 0]
    exact = [[Fraction(str(entry)) for entry in row] for row in J]
    fields = [Fraction(str(field)) for field in h]
    assert_values(ising((h, J)), lambda x: float(energy(fields, exact, x)))


def test_large_whole_numbers_do_not_wrap():
    landscape = ising([[0, 2**60], [2**60, 0]])
    assert landscape.evaluate([[0, 1], [1, 1]]).ravel().tolist() == [-(2**61), 2**61]
    with pytest.raises(OverflowError):
        ising(np.array([[0, 2**62], [2**62, 0]]))
    with pytest.raises(OverflowError):
        ising(np.array([[0, 2**63], [0, 0]], np.uint64))
    with pytest.raises(OverflowError):
        ising(np.array([[0, -(2**63)], [0, 0]]))


J2 = [[0, 1], [0, 0]]


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ((J2,), r"objective 0 is a tuple of 1 entry, not \(h, J\) or \(h, J, offset\)"),
        ([(None, J2, 1, 2)], "objective 0 is a tuple of 4 entries, not"),
        (([1, 2], None), "objective 0 is None, not a matrix"),
        ([(0, J2), (0, J2)], "objective 0 has 0 for h, not a vector"),
        ((3, J2), "objective 0 has 3 for h, not a vector, a dict or None"),
        ((([1, 2], J2), ([1, 2], J2)), "objective 0 has .* several models are a list"),
        ((np.eye(2), J2), "objective 0 has .* for h, not a vector"),
        (([1, 2, 3], J2), "objective 0 has 3 fields in h, but 2 variables in J"),
        ([J2, ([1, 2, 3], {})], "objective 1 has 3 variables, but objective 0 has 2"),
        (([1, np.nan], J2), "objective 0, entry 1 of h: nan is not a finite number"),
        (([1, None], J2), "objective 0, entry 1 of h: None is not a real number"),
        (({"a": np.inf}, {}), r"objective 0, h, \('a',\): inf is not a finite number"),
        ((None, J2, "x"), "objective 0, offset: 'x' is not a real number"),
        ((None, {(0, 1, 2): 1}), r"objective 0 has the key \(0, 1, 2\), but at most"),
        (([1, 2], {("a", "b"): 1}), "objective 0 has the label 'a', which is not in 0"),
    ],
)
def test_what_is_no_model_is_refused(models, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ising(models)


def test_values_are_those_of_dimod():
    dimod = pytest.importorskip("dimod")
    rng = np.random.default_rng(2)
    for _ in range(50):
        n = int(rng.integers(1, 30))
        J = np.triu(rng.integers(-50, 50, (n, n)) * (rng.random((n, n)) < 0.5), 1)
        h = rng.integers(-50, 50, n)
        X = rng.integers(0, 2, (1000, n), np.int8)
        model = dimod.BinaryQuadraticModel.from_ising(h.tolist(), as_dict_above(J), 3)
        energies = model.energies((2 * X - 1, list(range(n)))).tolist()
        assert ising((h, J, 3)).evaluate(X)[:, 0].tolist() == energies


def as_dict_above(J):
    return {key: w for key, w in as_dict(J.tolist()).items() if key[0] < key[1]}
