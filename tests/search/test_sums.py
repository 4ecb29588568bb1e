"""Sums and hiding: non-dominated offspring, and what a front dominates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
from paretoball._jit import kernel
from paretoball.search.path.journal import is_hidden
from paretoball.search.path.sums import MOST_COMPONENTS, MOST_SUMS, Sums, add_up
from paretoball.search.path.unit import Front

add_now, hidden_now = kernel(add_up), kernel(is_hidden)
SUMS = Sums(*np.zeros((3, 2, MOST_SUMS), np.int64))


def sums_of(deltas: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """The sums that are found, and which components each of them has."""
    here, count = add_now(SUMS, deltas.ravel().astype(np.int64), len(deltas))
    F = np.column_stack([SUMS.first[here, :count], SUMS.second[here, :count]])
    return F, SUMS.masks[here, :count].tolist()


def added_up(deltas: np.ndarray, mask: int) -> list[int]:
    """The sum of the components of a mask."""
    chosen = [delta for p, delta in enumerate(deltas.tolist()) if mask >> p & 1]
    return [sum(column) for column in zip([0, 0], *chosen)]


@pytest.mark.plain
@pytest.mark.bounds
@given(
    st.sampled_from([1, 3, 10**6]).flatmap(
        lambda r: st.lists(st.tuples(*[st.integers(-r, r)] * 2), max_size=9)
    )
)
def test_all_sums_that_nothing_dominates_are_found(deltas):
    deltas = np.array(deltas, np.int64).reshape(-1, 2)
    F, masks = sums_of(deltas)
    every = [added_up(deltas, mask) for mask in range(1 << len(deltas))]
    assert list(map(tuple, F.tolist())) == naive.pareto_front(every)
    assert F.tolist() == [added_up(deltas, mask) for mask in masks]


@pytest.mark.plain
@pytest.mark.bounds
def test_sums_that_do_not_fit_leave_out_the_last_components():
    powers = 1 << np.arange(20)
    deltas = np.column_stack([powers, -powers])
    F, masks = sums_of(deltas)
    assert len(F) == MOST_SUMS
    assert masks == list(range(MOST_SUMS))
    assert_array_equal(F[:, 0], np.arange(MOST_SUMS))
    F, masks = sums_of(np.tile([1, -1], (MOST_COMPONENTS + 9, 1)))
    assert_array_equal(F[:, 0], np.arange(MOST_COMPONENTS + 1))
    assert [mask.bit_count() for mask in masks] == F[:, 0].tolist()
    assert masks[-1] == (1 << MOST_COMPONENTS) - 1


@pytest.mark.plain
@pytest.mark.bounds
@given(
    st.integers(2, 3).flatmap(
        lambda d: st.lists(st.tuples(*[st.integers(0, 6)] * d), min_size=2)
    ),
    st.booleans(),
)
def test_what_a_front_dominates_or_equals_is_hidden(vectors, is_empty):
    front = np.array(naive.pareto_front(vectors))[: 0 if is_empty else None]
    d, known = front.shape[1], Front(front, np.zeros(1, np.int64))
    for value in np.ndindex(*[8] * d):
        right = naive.attains(front.tolist(), value, ["max"] * d)
        assert hidden_now(known, np.array(value)) == right
