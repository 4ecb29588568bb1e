"""Polynomials in bits and spins, by labels of any kind."""

from decimal import Decimal
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forms import assert_values
from paretoball import from_polynomials
from paretoball.problems import products

KEYS = st.lists(st.integers(0, 3), max_size=6).map(tuple)
POLYNOMIALS = st.dictionaries(KEYS, st.integers(-9, 9), max_size=6)


def value(polynomial, x, spins):
    """By the definition; labels are numbers of variables."""
    s = [2 * bit - 1 if spins else bit for bit in x]
    return sum(w * prod(s[j] for j in key) for key, w in polynomial.items())


@pytest.mark.parametrize("vartype", ["BINARY", "SPIN"])
@given(polynomials=st.lists(POLYNOMIALS, min_size=1, max_size=3))
def test_products_of_any_degree_are_added(vartype, polynomials):
    landscape = from_polynomials(polynomials, vartype=vartype, labels=range(4))
    assert set(landscape.sense) == {"max"}
    each = [lambda x, one=one: value(one, x, vartype == "SPIN") for one in polynomials]
    assert_values(landscape, *each)


def test_one_mapping_is_one_objective():
    landscape = from_polynomials({("a", "b"): 2, "c": -1, (): 5}, "min", names=["cost"])
    assert (landscape.d, landscape.names, landscape.sense) == (1, ("cost",), ("min",))
    assert landscape.labels == ("a", "b", "c")
    assert landscape.evaluate([1, 1, 1]) == [6]


def test_a_text_is_one_label():
    landscape = from_polynomials({"ab": 2, ("a", "b"): 3})
    assert landscape.labels == ("ab", "a", "b")


def test_whole_numbers_are_sorted_and_others_stay_in_order():
    assert from_polynomials({(2, 0): 1, (1,): 1}).given_labels is None
    assert from_polynomials({(7, 0): 1, (np.int64(3),): 1}).labels == (0, 3, 7)
    assert from_polynomials({("b", 7): 1, ("a",): 1}).labels == ("b", 7, "a")
    both = from_polynomials([{(5,): 1}, {(-1, 5): 1}])
    assert both.labels == (-1, 5)
    assert both.evaluate([0, 1]).tolist() == [1, 0]


def test_given_labels_say_the_order_and_may_be_more():
    landscape = from_polynomials({("a", "b"): 2, "c": 1}, labels=iter("dcba"))
    assert landscape.labels == ("d", "c", "b", "a")
    assert landscape.evaluate([0, 1, 0, 1]) == [1]
    with pytest.raises(ValueError, match="objective 1 has the label 'e', which is not"):
        from_polynomials([{"a": 1}, {("a", "e"): 1}], labels=["a", "b"])
    with pytest.raises(ValueError, match="label 'a' is given twice"):
        from_polynomials({"a": 1}, labels=["a", "a"])
    with pytest.raises(TypeError, match="not hashable"):
        from_polynomials({"a": 1}, labels=["a", []])


def test_the_labels_of_a_frozenset_are_sorted():
    keys = [frozenset(["d", "c"]), frozenset(["b", "d", "a"]), frozenset([2, "e", 1])]
    landscape = from_polynomials(dict.fromkeys(keys, 1))
    assert landscape.labels == ("c", "d", "a", "b", "e", 1, 2)
    assert landscape.evaluate([1] * 7) == [3]


def test_constants_alone_need_labels():
    assert from_polynomials({(): 3}, labels=["a"]).evaluate([1]) == [3]
    with pytest.raises(ValueError, match="no variable is named"):
        from_polynomials({(): 3})


def test_products_have_at_most_24_variables():
    labels = [f"x{j}" for j in range(25)]
    with pytest.raises(
        ValueError, match="objective 1 has a product of 25 variables, b"
    ):
        from_polynomials([{"x0": 1}, {tuple(labels): 1}])
    product = tuple(labels[:12] * 3)
    assert from_polynomials({product: 3}).k == 12
    assert from_polynomials({product: 3}, vartype="SPIN").k == 12
    assert (
        from_polynomials({product + product: 3}, vartype="SPIN", labels=labels).k == 0
    )


def test_products_may_be_as_long_as_a_table(monkeypatch):
    monkeypatch.setattr(products, "MAX_ARITY", 3)
    assert from_polynomials({(0, 1, 2): 1}).k == 3
    with pytest.raises(ValueError, match="objective 0 has a product of 4 variables, b"):
        from_polynomials({(0, 1, 2): 1, (0, 1, 2, 3): 1})


def test_too_many_long_products_are_refused_before_they_are_made():
    long = {tuple(range(j, j + 24)): 1 for j in range(1000)}
    with pytest.raises(MemoryError, match="tables of 1,000 products of 24 variables"):
        from_polynomials(long)


def test_factors_may_be_of_any_kind():
    mixed = {"a": 1, "b": 0.5, "c": Decimal("0.25"), ("a", "b"): np.int8(3), "d": True}
    assert from_polynomials(mixed).evaluate([1, 1, 1, 1]) == [5.75]
    whole = {"a": 2**62, "b": np.uint64(0)}
    assert from_polynomials(whole).evaluate([1, 0]).tolist() == [2**62]
    rounded = {"a": 2**53 + 1, "b": 0.5}
    with pytest.raises(ValueError, match=r"whole numbers end at 2\*\*53"):
        from_polynomials(rounded)


class Told(dict):
    """A polynomial that says what its variables are."""

    vartype = "SPIN"


def test_polynomials_may_say_their_vartype():
    told = Told({"a": 3})
    assert from_polynomials([told, {"a": 3}]).evaluate([0]).tolist() == [-3, 0]
    assert from_polynomials(told, vartype="spin").evaluate([0]) == [-3]
    with pytest.raises(
        ValueError, match="objective 1 has variables of vartype 'SPIN', "
    ):
        from_polynomials([{}, told], vartype="BINARY")


def test_spins_of_qubovert_are_asked_back():
    """They are 1 - 2x, and nothing in a QUSO says so."""
    kind = type("QUSO", (dict,), {"__module__": "qubovert._quso"})
    for vartype in (None, "SPIN", "BINARY"):
        with pytest.raises(
            ValueError, match="is a QUSO of qubovert, whose spins are 1"
        ):
            from_polynomials(kind({("a",): 1}), vartype=vartype)
    kind = type("PUBO", (dict,), {"__module__": "qubovert._pubo"})
    assert from_polynomials(kind({("a",): 1})).evaluate([1]) == [1]


@pytest.mark.parametrize(
    ("polynomials", "options", "message"),
    [
        (3, {}, "3 is neither a mapping, nor a list of these"),
        ([{"a": 1}, [1]], {}, r"objective 1 is \[1\], not a mapping"),
        ([], {}, "an empty list has no objective"),
        (
            {"a": 1},
            {"vartype": "INTEGER"},
            "vartype is 'INTEGER', neither 'BINARY' nor",
        ),
        ({("b", "a"): "x"}, {}, r"objective 0, \('b', 'a'\): 'x' is not a real number"),
        ({frozenset("ba"): np.nan}, {}, r"objective 0, \('a', 'b'\): nan is not a fin"),
    ],
)
def test_what_is_no_polynomial_is_refused(polynomials, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        from_polynomials(polynomials, **options)


@pytest.mark.parametrize("vartype", ["BINARY", "SPIN"])
def test_values_are_those_of_dimod(vartype):
    dimod = pytest.importorskip("dimod")
    rng = np.random.default_rng(4)
    for _ in range(50):
        n = int(rng.integers(1, 20))
        labels = [f"x{j}" for j in range(n)]
        keys = [rng.choice(labels, min(n, int(rng.integers(7)))) for _ in range(2 * n)]
        terms = {tuple(set(key.tolist())): int(rng.integers(-50, 50)) for key in keys}
        model = dimod.BinaryPolynomial(terms, vartype)
        X = rng.integers(0, 2, (1000, n), np.int8)
        own = X if vartype == "BINARY" else 2 * X - 1
        energies = model.energies((own, labels)).tolist()
        landscape = from_polynomials(model, labels=labels)
        assert landscape.evaluate(X)[:, 0].tolist() == energies
