"""Labels in masks are numbers of variables; functions of bits are tables."""

from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product
from operator import mul

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from landscape_files import assert_same
from landscapes import plains
from paretoball import Landscape
from paretoball.landscape import spelled_out


@settings(max_examples=20)
@given(plains(), st.randoms())
def test_masks_of_labels_make_the_same_landscape(plain, random):
    labels = ["a", ("b", 1), 3, None, 2.5, 0, "1"][: plain.n]
    random.shuffle(labels)
    named = [
        [([labels[j] for j in mask], table) for mask, table in objective]
        for objective in plain.objectives
    ]
    found = Landscape.from_subfunctions(plain.n, named, plain.sense, labels)
    assert found.labels == tuple(labels)
    right = Landscape.from_subfunctions(plain.n, plain.objectives, plain.sense)
    assert_same(found, right)
    assert naive.plain(found) == naive.plain(right)


def test_numbers_name_variables_as_well_where_no_label_is_a_number():
    by_number = [[((1, 0), [0, 1, 2, 3])]]
    by_label = [[(("b", "a"), [0, 1, 2, 3])]]
    mixed = [[(("b", np.int64(0)), [0, 1, 2, 3])]]
    for objectives in (by_number, by_label, mixed):
        landscape = Landscape.from_subfunctions(2, objectives, labels=["a", "b"])
        assert landscape.evaluate({"a": 0, "b": 1}).tolist() == [1]


def test_labels_that_are_numbers_are_what_masks_mean():
    landscape = Landscape.from_subfunctions(2, [[((1,), [0, 5])]], labels=[1, 0])
    assert landscape.evaluate([1, 0]).tolist() == [5]
    assert landscape.evaluate({0: 1, 1: 0}).tolist() == [0]


BAD_MASKS = [
    (["a", 7], [7, "z"], "reads 'z', which is none of the labels 'a', 7$"),
    (["a", 0], [1], "reads 1, which is none of the labels"),
    (["a", True], [0], "reads 0, which is none of the labels"),
    (["a", "b"], [2], "reads variable 2, but a landscape of n = 2"),
    (["a", "b"], [True], "reads True, which is none of the labels"),
    (["a", "b"], [["a"]], r"reads \['a'\], which is none of the labels"),
    (["a", "b"], "ab", "has 'ab' for its variables, which is not a sequence"),
    (["a", "b"], 7, "has 7 for its variables, which is not a sequence"),
]


@pytest.mark.parametrize(("labels", "mask", "text"), BAD_MASKS)
@pytest.mark.parametrize("table", [[0, 1], lambda *bits: 0], ids=["table", "function"])
def test_what_is_no_label_is_refused(labels, mask, text, table):
    objectives = [[((), [1]), (mask, table)]]
    with pytest.raises((ValueError, TypeError), match=text) as refusal:
        Landscape.from_subfunctions(2, objectives, labels=labels, names=["cost"])
    assert str(refusal.value).startswith("objective 0 ('cost'), subfunction 1 ")


@settings(max_examples=20)
@given(plains())
def test_functions_make_the_landscape_of_their_tables(plain):
    def function(table):
        k = len(table).bit_length() - 1
        entries = {
            bits: table[sum(bit << j for j, bit in enumerate(bits))]
            for bits in product((0, 1), repeat=k)
        }
        return lambda *bits: entries[bits]

    functions = [
        [(iter(mask), function(table)) for mask, table in objective]
        for objective in plain.objectives
    ]
    found = Landscape.from_subfunctions(plain.n, functions, plain.sense)
    right = Landscape.from_subfunctions(plain.n, plain.objectives, plain.sense)
    assert_same(found, right)


def test_functions_get_ints_and_return_numbers_of_any_kind():
    seen = []

    def note(*bits):
        seen.append(bits)
        return 0

    Landscape.from_subfunctions(2, [[((1, 0), note)]])
    assert seen == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert {type(bit) for bits in seen for bit in bits} == {int}
    plain = [1, 1.0, True, Fraction(1), Decimal(1)]
    for one in [*plain, np.True_, np.int8(1), np.float32(1)]:
        function = partial(mul, one)
        landscape = Landscape.from_subfunctions(1, [[((0,), function)]])
        assert landscape.evaluate([[0], [1]]).tolist() == [[0], [1]]


BAD_FUNCTIONS = [
    (lambda a, b: 1 / (a - b), ValueError, r"\(0, 0\), by ZeroDivisionError: .*zero"),
    (lambda a, b: [7][a & b], ValueError, r"\(1, 1\), by IndexError: list index"),
    (lambda a: a, ValueError, r"\(0, 0\), by TypeError: .* takes 1 positional"),
    (lambda a, b: None, TypeError, r"returns None for the bits \(0, 0\), which is not"),
    (lambda a, b: "1" if b else 1, TypeError, r"returns '1' for the bits \(0, 1\)"),
    (lambda a, b: 1j, TypeError, r"returns 1j for the bits"),
    (lambda a, b: np.inf * a if a else 0, ValueError, r"returns inf for .* \(1, 0\)"),
    (lambda a, b: Decimal("sNaN"), ValueError, r"returns sNaN .* not a finite number"),
    (lambda a, b: 10**400, OverflowError, "has a number of 1329 bits in its table"),
]


@pytest.mark.parametrize(("function", "kind", "text"), BAD_FUNCTIONS)
def test_a_function_that_goes_wrong_is_told_with_its_bits(function, kind, text):
    objectives = [[], [((), [1]), ((0, 1), function)]]
    with pytest.raises(kind, match=text) as refusal:
        Landscape.from_subfunctions(2, objectives, names=["f0", "risk"])
    assert str(refusal.value).startswith("objective 1 ('risk'), subfunction 1 has a ")
    assert "\n" not in str(refusal.value)


def test_the_error_of_a_function_is_the_cause_of_ours():
    with pytest.raises(ValueError, match="fails for the bits") as refusal:
        Landscape.from_subfunctions(1, [[((0,), lambda x: 1 // x)]], names=["cost"])
    assert isinstance(refusal.value.__cause__, ZeroDivisionError)


def test_a_function_of_too_many_bits_is_never_called():
    with pytest.raises(ValueError, match="reads 25 variables, but a table has at most"):
        Landscape.from_subfunctions(25, [[(range(25), lambda *bits: 1 / 0)]])


def test_a_function_may_have_as_many_bits_as_a_table(monkeypatch):
    monkeypatch.setattr(spelled_out, "MAX_ARITY", 3)
    landscape = Landscape.from_subfunctions(4, [[(range(3), lambda *bits: sum(bits))]])
    assert landscape.evaluate([1, 1, 1, 1]).tolist() == [3]
    with pytest.raises(ValueError, match="subfunction 0 reads 4 variables, but a tab"):
        Landscape.from_subfunctions(4, [[(range(4), lambda *bits: sum(bits))]])
