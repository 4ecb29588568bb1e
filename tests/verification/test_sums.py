"""f in plain integers: after any flips, what the definition says."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import naive
from landscapes import built, plains
from paretoball.verification.sums import Sums


@given(plain=plains(), data=st.data())
def test_sums_are_those_of_the_definition_after_any_flips(plain, data):
    sums: Any = Sums(built(plain))
    x = data.draw(st.lists(st.integers(0, 1), min_size=plain.n, max_size=plain.n))
    sums.set(x)
    assert sums.totals == list(naive.evaluate(plain, x))
    for j in data.draw(st.lists(st.integers(0, plain.n - 1), max_size=5)):
        x = naive.flipped(x, [j])
        expected = list(naive.evaluate(plain, x))
        assert sums.flipped(j) == expected
        sums.flip(j)
        assert sums.totals == expected
