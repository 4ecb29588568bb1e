"""Correlation: what is measured is what was asked for, with uniform numbers."""

from math import asin, erfc, pi, sqrt

import numpy as np
import pytest

from conftest import SHARED
from paretoball import mnk, random_qubo
from paretoball.problems.correlation import _normal_cdf, checked_rho, correlated

COUNT = 100_000
ERROR = 3 / sqrt(COUNT)  # three standard errors, and more, of a correlation
RHOS = [(2, rho) for rho in (-0.9, -0.4, 0, 0.4, 0.9)]
RHOS += [(3, -0.48), (3, 0.7), (5, -0.2), (1, 0)]


def test_the_distribution_function_is_that_of_the_normal_law():
    z = np.concatenate([np.linspace(-10, 10, 4001), [0, -0.0, 8.999, -9.001]])
    right = [erfc(-each / sqrt(2)) / 2 for each in z.tolist()]
    assert np.abs(_normal_cdf(z) - right).max() < 1e-15


@pytest.mark.parametrize(("d", "rho"), RHOS)
def test_numbers_are_uniform_and_have_the_correlation(d, rho):
    u = correlated(d, COUNT, rho, np.random.default_rng(1))
    assert u.shape == (d, COUNT)
    found = np.corrcoef(u).reshape(d, d)
    assert np.abs(found[~np.eye(d, dtype=bool)] - rho).max(initial=0) < ERROR
    for own in u:
        shares = np.histogram(own, bins=20, range=(0, 1))[0] / COUNT
        assert np.abs(shares - 1 / 20).max() < ERROR / 3


def test_at_a_correlation_of_1_all_objectives_are_the_same():
    u = correlated(3, 100, 1, np.random.default_rng(1))
    assert np.ptp(u, axis=0).max() < 1e-15


@pytest.mark.parametrize(
    ("d", "rho", "right"),
    [
        (2, -1, "above -1 and at most 1 for d = 2"),
        (2, 1.01, "at most 1"),
        (3, -0.49, "above -0.4826"),
        (2, float("nan"), "rho = nan"),
        (2, "0.5", "rho = '0.5'"),
        (2, True, "rho = True"),
    ],
)
def test_a_correlation_that_there_is_not_is_refused(d, rho, right):
    with pytest.raises(ValueError, match=right):
        checked_rho(rho, d)
    with pytest.raises(ValueError, match=right):
        mnk(n=5, K=1, d=d, rho=rho)
    with pytest.raises(ValueError, match=right):
        random_qubo(n=5, d=d, rho=rho)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 10])
def test_correlations_end_where_there_is_no_such_law(d):
    least = -1.0 if d < 3 else -6 / pi * asin(1 / (2 * (d - 1)))
    just_above = float(np.nextafter(least, 1)) + 1e-15
    assert checked_rho(just_above, d) == just_above
    assert checked_rho(1, d) == 1
    for wrong in (least - 1e-15, float(np.nextafter(1, 2))):
        with pytest.raises(ValueError, match=f"rho = .* at most 1 for d = {d}$"):
            checked_rho(wrong, d)
    u = correlated(d, 1000, just_above, np.random.default_rng(1))
    assert 0 < u.min() < u.max() < 1


def test_a_seed_is_drawn_from_in_the_order_it_always_was():
    chunk = 1 << 16
    u = correlated(2, chunk + 9, 0, np.random.default_rng(1))
    draw = np.random.default_rng(1)
    z = np.hstack([draw.standard_normal((2, count)) for count in (chunk, 9)])
    for some in (slice(9), slice(chunk - 9, None)):
        right = [[erfc(-x / sqrt(2)) / 2 for x in row] for row in z[:, some].tolist()]
        assert np.abs(u[:, some] - right).max() < 1e-14


def test_reals_with_a_correlation_have_nine_decimals():
    landscape = mnk(n=50, K=2, q=None, rho=0.5, seed=1)
    assert landscape.resolution == (1e-9, 1e-9)


@pytest.mark.parametrize("rho", [-0.9, -0.4, 0, 0.4, 0.9])
@pytest.mark.parametrize("q", [None, 100])
def test_mnk_has_the_correlation_between_tables(rho, q):
    landscape = mnk(n=2000, K=2, d=2, q=q, model="random", rho=rho, seed=1)
    entries = landscape.subfunctions.tables.reshape(2, -1)
    assert abs(np.corrcoef(entries)[0, 1] - rho) < 5 / sqrt(16_000)
    masks = landscape.subfunctions.masks.reshape(2, -1)
    assert (masks[0] == masks[1]).all()
    if q is not None:
        assert entries.min() == 0
        assert entries.max() == q - 1


def test_the_same_seed_gives_the_same_correlated_landscape():
    one, same, other = (mnk(20, 2, rho=0.5, seed=seed) for seed in (1, 1, 2))
    assert (one.subfunctions.tables == same.subfunctions.tables).all()
    assert (one.subfunctions.tables != other.subfunctions.tables).any()


@pytest.mark.parametrize(
    ("name", "rho"), [("rmnk_-0.7_2_100_2_0", -0.7), ("rmnk_0_3_100_2_0", 0)]
)
def test_instances_of_the_literature_have_the_same_law(name, rho):
    path = SHARED / "data" / "rmnk" / f"{name}.dat"
    if not path.is_file():
        pytest.skip(f"no sample: {path} does not exist")
    head, tables = path.read_text().split("p tables\n")
    links = np.array([line.split() for line in head.split("links\n")[1].splitlines()])
    entries = np.array([line.split() for line in tables.splitlines()], float)
    d, n, K = entries.shape[1], 100, 2
    ours = mnk(n, K, d, q=None, model="random", rho=rho, seed=1)
    assert (links == links[:, :1]).all()  # as ours: the same for every objective
    assert len(ours.subfunctions.masks) == links.size
    assert len(ours.subfunctions.tables) == entries.size
    own = ours.subfunctions.tables.reshape(d, -1) / ours.scale[:, None]
    for sample in (entries.T, own):
        off = np.corrcoef(sample)[~np.eye(d, dtype=bool)]
        assert np.abs(off - rho).max() < 5 / sqrt(800)
        assert np.abs(np.sort(sample) - np.linspace(0, 1, 800)).max() < 1.95 / sqrt(800)
