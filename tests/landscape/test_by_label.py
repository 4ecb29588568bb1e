"""Solutions by label: each label once, with 0 or 1."""

from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
from landscapes import plains
from paretoball import Climber, Landscape, components

LABELS = ("a", ("b", 1), 7)
LANDSCAPE = Landscape.from_subfunctions(
    3, [[((label,), [0, 2**j]) for j, label in enumerate(LABELS)]], labels=LABELS
)


@settings(max_examples=20)
@given(plains(), st.data())
def test_a_dict_has_the_value_of_its_bits(plain, data):
    labels = [f"x{j}" for j in range(plain.n)]
    landscape = Landscape.from_subfunctions(
        plain.n, plain.objectives, plain.sense, labels
    )
    bits = st.lists(st.integers(0, 1), min_size=plain.n, max_size=plain.n)
    X = data.draw(st.lists(bits, min_size=1, max_size=3))
    dicts = [dict(zip(labels, x)) for x in X]
    right = [naive.evaluate(landscape, x) for x in X]
    assert_array_equal(landscape.evaluate(dicts), right)
    assert_array_equal(landscape.evaluate(tuple(dicts)), right)
    for x, values in zip(dicts, right):
        turned = dict(reversed(x.items()))
        assert landscape.evaluate(turned).tolist() == list(values)


def test_without_labels_a_dict_is_by_number():
    landscape = Landscape.from_subfunctions(2, [[((0,), [0, 1]), ((1,), [0, 2])]])
    assert landscape.evaluate({1: 1, 0: 0}).tolist() == [2]


def test_values_are_0_and_1_of_any_kind():
    for one in (1, True, 1.0, np.int8(1), np.True_, np.float32(1)):
        x = MappingProxyType({"a": one, ("b", 1): 0, 7: one})
        assert LANDSCAPE.evaluate(x).tolist() == [5]


def test_dicts_and_bits_mix_in_a_batch():
    X = [[1, 0, 0], {"a": 0, ("b", 1): 1, 7: 0}]
    assert LANDSCAPE.evaluate(X).tolist() == [[1], [2]]


RIGHT = dict.fromkeys(LABELS, 0)
BAD = [
    ({}, r"x has no value for 'a', \('b', 1\), 7$"),
    ({"a": 0, 7: 1}, r"x has no value for \('b', 1\)$"),
    (RIGHT | {"z": 0}, r"x has a value for 'z', which is none of the labels 'a', "),
    (RIGHT | {"a": 2}, "x has 2 for 'a', which is not 0 or 1"),
    (RIGHT | {"a": "1"}, "x has '1' for 'a', which is not 0 or 1"),
    (RIGHT | {"a": None}, "x has None for 'a', which is not 0 or 1"),
    (RIGHT | {7: np.nan}, "x has nan for 7, which is not 0 or 1"),
    (RIGHT | {7: np.zeros(2)}, r"x has array\(.* for 7, which is not 0 or 1"),
    ([RIGHT, {"a": 1}], r"x\[1\] has no value for \('b', 1\), 7$"),
    ([RIGHT, [0, 1]], "x is .*, not a vector of 3 bits"),
]


@pytest.mark.parametrize(("x", "text"), BAD)
def test_other_dicts_are_refused_by_label(x, text):
    with pytest.raises((ValueError, TypeError), match=f"^{text}"):
        LANDSCAPE.evaluate(x)


def test_climbs_and_crossover_take_dicts():
    ones = dict.fromkeys(LABELS, 1)
    climb = Climber(LANDSCAPE, radius=1).start(ones)
    assert climb.x.tolist() == [True] * 3
    between = components(LANDSCAPE, RIGHT, ones)
    assert [variables.tolist() for variables, _ in between] == [[0], [1], [2]]
    with pytest.raises(ValueError, match=r"y has shape \(1, 3\), but a parent is one"):
        components(LANDSCAPE, RIGHT, [ones])


def test_tables_of_pandas_go_by_label():
    pandas = pytest.importorskip("pandas")
    order = [2, 0, 1]
    labels = pandas.Index([LABELS[j] for j in order], tupleize_cols=False)
    frame = pandas.DataFrame([[1, 0, 0], [0, 1, 1]], columns=labels)
    assert LANDSCAPE.evaluate(frame).tolist() == [[4], [3]]
    assert LANDSCAPE.evaluate(frame.iloc[0]).tolist() == [4]
    others = pandas.DataFrame([[1, 0, 0]], columns=["x0", "x1", "x2"])
    assert LANDSCAPE.evaluate(others).tolist() == [[1]]
    with pytest.raises(ValueError, match="x has 2 bits, but the landscape has n = 3"):
        LANDSCAPE.evaluate(frame.iloc[:, :2])
