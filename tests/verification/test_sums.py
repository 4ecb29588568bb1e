"""f in plain integers: after any flips, what the definition says."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from landscapes import built, plains
from memory import MORE, traced
from paretoball import Landscape, mnk, qubo, random_qubo, solve, verify
from paretoball.system import capped
from paretoball.verification.sums import sums_on


@given(plain=plains(), data=st.data())
def test_sums_are_those_of_the_definition_after_any_flips(plain, data):
    sums = sums_on(built(plain))
    x = data.draw(st.lists(st.integers(0, 1), min_size=plain.n, max_size=plain.n))
    sums.set(x)
    assert sums.totals == list(naive.evaluate(plain, x))
    for j in data.draw(st.lists(st.integers(0, plain.n - 1), max_size=5)):
        x = naive.flipped(x, [j])
        expected = list(naive.evaluate(plain, x))
        assert sums.flipped(j) == expected
        sums.flip(j)
        assert sums.totals == expected


@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 8),
    reach=st.sampled_from([9, 2**31, 2**55]),
)
def test_sums_of_a_square_are_those_of_its_matrices(seed, n, reach):
    rng = np.random.default_rng(seed)
    Q = rng.integers(-reach, reach, (2, n, n), endpoint=True)
    landscape = qubo(Q, ["min", "max"], offset=[5, -reach])
    assert landscape.square is not None or not Q.any()
    sums = sums_on(landscape)
    exact = Q.astype(object)

    def values(x: np.ndarray) -> list[int]:
        return [x @ exact[0] @ x + 5, x @ exact[1] @ x - reach]

    every = [values(np.array([e >> j & 1 for j in range(n)])) for e in range(1 << n)]
    means = [Fraction(sum(column), 1 << n) for column in zip(*every)]
    assert sums.means() == means
    for _ in range(2):
        x = rng.integers(0, 2, n)
        sums.set(x.tolist())
        assert sums.totals == values(x)
        for j in rng.integers(0, n, 4).tolist():
            x[j] ^= 1
            assert sums.flipped(j) == values(x)
            sums.flip(j)
            assert sums.totals == values(x)


def test_what_checking_subfunctions_takes_is_told_first():
    landscape = Landscape.from_subfunctions(3, [[((0, 1), [0, 1, 2, 3])]])
    needed = 250 + 2 * 150 + 4 * 30  # bytes
    with capped(needed - 1), pytest.raises(MemoryError, match="to check 1 subfunction"):
        sums_on(landscape)
    with capped(needed):
        sums_on(landscape)


@pytest.mark.parametrize(
    "landscape", [mnk(300, K=4, d=2, seed=1), random_qubo(100, density=0.1, seed=1)]
)
def test_checking_subfunctions_takes_no_more_than_is_told(landscape):
    assert landscape.square is None
    _, peak = traced(sums_on, landscape)
    with capped(peak - 1), pytest.raises(MemoryError, match="to check"):
        sums_on(landscape)


def test_verifying_a_square_takes_no_memory_for_its_pairs(tmp_path):
    n, path = 400, tmp_path / "run.npz"
    landscape = random_qubo(n, d=2, seed=1)
    solve(landscape, method="multistart", max_climbs=2, seed=1).save(path)
    verify(landscape, path)  # computes the digest
    report, peak = traced(verify, landscape, path)
    assert report.failures == []
    assert peak <= MORE
    assert not {"subfunctions", "cliques"} & set(vars(landscape))
