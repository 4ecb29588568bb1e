"""Quadratic forms written as `.qubo` and as bqpjson: exactly, or refused."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paretoball import Landscape, read_landscape, write_landscape

SUFFIXES = ["qubo", "bqpjson"]
FLOATS = st.floats(-1e6, 1e6).filter(lambda v: v == 0 or abs(v) > 1e-100)
NUMBERS = [
    st.integers(-(10**6), 10**6),
    st.integers(-(2**58), 2**58),
    st.integers(-(10**6), 10**6).map(lambda v: v / 1000),
    FLOATS,
]


@st.composite
def quadratics(draw):
    """Subfunctions of at most two variables, with tables of one kind of numbers."""
    n = draw(st.integers(1, 5))
    numbers = draw(st.sampled_from(NUMBERS))
    masks = draw(
        st.lists(
            st.lists(st.integers(0, n - 1), max_size=2, unique=True),
            min_size=1,
            max_size=5,
        )
    )
    return n, [
        (
            mask,
            [draw(numbers) for _ in range(1 << len(mask))],
        )
        for mask in masks
    ]


def at_zero(n, subfunctions):
    """The same subfunctions, with a constant so that f(0) = 0, if that is exact."""
    value = Landscape.from_subfunctions(n, [subfunctions], "min").evaluate([0] * n)[0]
    return [*subfunctions, ((), [-value.item()])]


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=100)
@given(form=quadratics(), labelled=st.booleans())
def test_what_is_written_is_read_exactly(tmp_path_factory, suffix, form, labelled):
    n, subfunctions = form
    if suffix == "qubo":
        subfunctions = at_zero(n, subfunctions)
    labels = [3 * j + n for j in range(n)] if labelled else None
    landscape = Landscape.from_subfunctions(n, [subfunctions], "min", labels=labels)
    path = tmp_path_factory.getbasetemp() / f"form.{suffix}"
    every = np.array(list(product((0, 1), repeat=n)))
    try:
        write_landscape(landscape, path)
    except ValueError as refusal:
        said = str(refusal)
        assert "would round" in said or "exact" in said or "the constant" in said
        return
    again = read_landscape(path)
    assert (again.n, again.sense, again.real) == (n, ("min",), landscape.real)
    assert again.labels == landscape.labels
    found = again.evaluate(every)
    assert found.dtype == landscape.evaluate(every).dtype
    assert found.tolist() == landscape.evaluate(every).tolist()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_short_decimals_and_whole_numbers_are_never_refused(tmp_path, suffix):
    rng = np.random.default_rng(0)
    every = np.array(list(product((0, 1), repeat=6)))
    for unit, most in ((1, 999), (10, 999), (1000, 999), (1000, 10**9), (1, 10**15)):
        tables = rng.integers(-most, most, (15, 4))
        tables[:, 0] = 0
        pairs = [(i, j) for i in range(6) for j in range(i)]
        values = (tables / unit if unit > 1 else tables).tolist()
        landscape = Landscape.from_subfunctions(6, [list(zip(pairs, values))], "min")
        write_landscape(landscape, tmp_path / f"a.{suffix}")
        again = read_landscape(tmp_path / f"a.{suffix}")
        assert again.evaluate(every).tolist() == landscape.evaluate(every).tolist()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("objectives", "sense", "said"),
    [
        ([[((0,), [0, 1])]] * 2, "min", "d = 2 objectives, but a .* file has one"),
        ([[((0,), [0, 1])]], "max", "its objective is maximised, but that of a"),
        ([[((0, 1, 2), [0] * 7 + [1])]], "min", r"product 0 \* 1 \* 2 of 3 variables"),
        ([[((0, 1), [0, 0, 0, 2**61])] * 2], "min", ""),
        ([[((0, 1), [2**61, 0, 0, 2**61])]], "min", "exact"),
        ([[((0, 1), [0, 1 / 3, 1 / 3, 0])]], "min", "would round them"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, suffix, objectives, sense, said):
    landscape = Landscape.from_subfunctions(3, objectives, sense)
    path = tmp_path / f"a.{suffix}"
    if not said:
        write_landscape(landscape, path)
        assert read_landscape(path).evaluate([1, 1, 0]).tolist() == [2**62]
        return
    with pytest.raises(ValueError, match=said) as refusal:
        write_landscape(landscape, path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("labels", "right"),
    [
        ([2, 0, 1], [2, 0, 1]),
        ([7, 0, 10**15], [7, 0, 10**15]),
        ([2, False, 1], [0, 1, 2]),
        ([5, True, 7], [0, 1, 2]),
        ([5, -1, 7], [0, 1, 2]),
        ([5, 6.5, 7], [0, 1, 2]),
        (["a", "b", "c"], [0, 1, 2]),
    ],
)
def test_labels_that_are_whole_numbers_from_0_on_stay(tmp_path, suffix, labels, right):
    """All of them, or none: then variables have the numbers of their places."""
    terms = [((label,), [0, 3**j]) for j, label in enumerate(labels)]
    landscape = Landscape.from_subfunctions(3, [terms], "min", labels=labels)
    write_landscape(landscape, tmp_path / f"a.{suffix}")
    found = read_landscape(tmp_path / f"a.{suffix}")
    assert sorted(found.labels) == sorted(right)
    assert all(type(label) is int for label in found.labels)
    for j, label in enumerate(right):
        x = [int(each == label) for each in found.labels]
        assert found.evaluate(x).tolist() == [3**j]


def test_a_table_of_three_variables_may_have_degree_two(tmp_path):
    majority = [0, 0, 0, 1, 0, 1, 1, 3]  # the pairs among the ones
    landscape = Landscape.from_subfunctions(3, [[((0, 1, 2), majority)]], "min")
    write_landscape(landscape, tmp_path / "a.qubo")
    every = list(product((0, 1), repeat=3))
    again = read_landscape(tmp_path / "a.qubo")
    assert again.evaluate(every).tolist() == landscape.evaluate(every).tolist()
