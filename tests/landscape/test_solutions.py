"""Solutions: vectors of n bits, and nothing else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from landscapes import one_objective
from paretoball.landscape.solutions import (
    check_is_one,
    new_solutions,
    packed_bits,
    unpacked_bits,
)
from paretoball.system import memory

ONES = [((0,), [0, 1]), ((1,), [0, 1])]


BAD_SOLUTIONS = [
    ([0, 1, 0], ValueError, "x has 3 bits, but the landscape has n = 2"),
    ([[0, 1, 0]], ValueError, "x has 3 bits"),
    ([], ValueError, "x has 0 bits"),
    ([0, 2], ValueError, "x has 2 at bit 1, which is not 0 or 1"),
    ([[0, 1], [-1, 0]], ValueError, "x has -1 at bit 0"),
    ([0.5, 0], ValueError, "x has 0.5 at bit 0"),
    ([float("nan"), 0], ValueError, "x has nan at bit 0"),
    ("01", TypeError, "x is '01', not a vector of 2 bits"),
    (["0", "1"], TypeError, "not a vector of 2 bits"),
    (None, TypeError, "x is None"),
    ([[0, 1], [0]], TypeError, "not a vector of 2 bits"),
    (np.zeros((2, 2, 2)), TypeError, "not a vector of 2 bits"),
]


@pytest.mark.parametrize(("x", "kind", "text"), BAD_SOLUTIONS)
def test_what_is_no_solution_is_refused(x, kind, text):
    with pytest.raises(kind, match=text) as refusal:
        one_objective(2, *ONES).evaluate(x)
    assert "\n" not in str(refusal.value)


def test_a_batch_is_refused_where_one_solution_is_wanted():
    words = r"x has shape \(1, 2\), but a start is one solution"
    with pytest.raises(ValueError, match=words):
        check_is_one(np.array([[0, 1]]), "x", "start")


@given(st.lists(st.lists(st.booleans(), min_size=19, max_size=19), max_size=4))
def test_packed_bits_come_back_lowest_first(rows):
    X = np.array(rows, np.uint8).reshape(-1, 19)
    packed = packed_bits(X)
    assert packed.shape == (len(X), 3)
    assert_array_equal(unpacked_bits(packed, 19), X)
    for x, row in zip(X.tolist(), packed.tolist()):
        assert [row[j // 8] >> j % 8 & 1 for j in range(19)] == x


def test_solutions_beyond_memory_are_refused_with_their_size(monkeypatch):
    assert new_solutions(3, 4).shape == (3, 4)
    monkeypatch.setattr(memory, "available_memory", lambda: 100)
    words = "to hold 2,000 solutions of 1,000 bits takes 1.9 MiB, but 100 B are free"
    with pytest.raises(MemoryError, match=f"^{words}$"):
        new_solutions(2000, 1000)
