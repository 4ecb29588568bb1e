"""Menders: which variables raise and lower each constraint, after any flips."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from constrained import Case, cases
from paretoball._jit import kernel
from paretoball.search.path.ledger import enter, new_ledger, open_ledger
from paretoball.search.path.menders import (
    Menders,
    cross_over,
    new_menders,
    open_menders,
)
from paretoball.search.path.menders import menders_of as menders_in_kernels


@kernel
def flip(menders, ledger, x, j):
    """Flip j, and enter it everywhere."""
    enter(ledger, x, j)
    x[j] ^= 1
    cross_over(menders, ledger.rows, x, j)


menders_of = kernel(menders_in_kernels)


def check(case: Case, menders: Menders, ledger, x: np.ndarray) -> None:
    """Both parts of all constraints are those of the definitions."""
    rows = ledger.rows
    for c, (terms, *_) in enumerate(case.constraints):
        first, last = rows.row_at[c], rows.row_at[c + 1]
        border = first + menders.raising[c]
        raise_it = menders.variables[first:border].tolist()
        lower_it = menders.variables[border:last].tolist()
        assert sorted(raise_it) == sorted(naive.raises(terms, x.tolist()))
        turned = [1 - bit for bit in x.tolist()]
        assert sorted(lower_it) == sorted(naive.raises(terms, turned))
        assert len(set(raise_it + lower_it)) == last - first
        if ledger.place[c] >= 0:
            start, end = menders_of(menders, ledger, c)
            wanted = raise_it if ledger.values[c] < rows.lower[c] else lower_it
            assert menders.variables[start:end].tolist() == wanted


@pytest.mark.plain
@pytest.mark.bounds
@given(cases(), st.data())
def test_flips_take_variables_to_the_other_part_of_their_constraints(case, data):
    n = case.landscape.n
    x = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    x = x.astype(np.uint8)
    ledger = new_ledger(case.landscape)
    menders = new_menders(ledger.rows)
    open_ledger(ledger, x)
    open_menders(menders, ledger.rows, x)
    check(case, menders, ledger, x)
    for j in data.draw(st.lists(st.integers(0, n - 1), max_size=8)):
        flip(menders, ledger, x, j)
        check(case, menders, ledger, x)
    menders.raising[:] = 0
    open_menders(menders, ledger.rows, x)  # as if nothing had been there
    check(case, menders, ledger, x)
