"""Random QUBO: the law of mUBQP."""

from math import sqrt

import numpy as np
import pytest

from conftest import SHARED
from paretoball import random_qubo
from paretoball.landscape import landscape_digest
from paretoball.problems.correlation import correlated
from paretoball.problems.random_graphs import chosen
from paretoball.system import memory


def matrices(n, d, density, rho, seed):
    """The matrices that a seed stands for, entry by entry: (d, n, n)."""
    draw = np.random.default_rng(seed)
    places = chosen(n * n, density, draw)
    u = correlated(d, len(places), rho, draw)
    Q = np.zeros((d, n, n), int)
    for e, place in enumerate(places.tolist()):
        for i in range(d):
            Q[i, place // n, place % n] = round(-100 + 200 * u[i, e])
    return Q


@pytest.mark.parametrize("density", [0.05, 0.8, 1])
@pytest.mark.parametrize(("d", "rho"), [(1, 0), (2, -0.5), (3, 0.9)])
def test_an_objective_is_the_whole_quadratic_form(d, rho, density):
    n = 12
    landscape = random_qubo(n, d, density, rho, seed=4)
    Q = matrices(n, d, density, rho, seed=4)
    X = np.random.default_rng(1).integers(0, 2, (50, n))
    right = np.einsum("ba,iac,bc->bi", X, Q, X)
    assert (landscape.evaluate(X) == right).all()
    assert landscape.sense == ("max",) * d


@pytest.mark.parametrize("rho", [-0.9, -0.4, 0, 0.4, 0.9])
def test_entries_have_the_range_density_and_correlation_of_the_literature(rho):
    Q = matrices(100, 2, 0.8, rho, seed=2).reshape(2, -1)
    drawn = (Q != 0).any(axis=0)
    assert abs(drawn.mean() - 0.8) < 5 * sqrt(0.8 * 0.2 / 10_000)
    assert abs(np.corrcoef(Q[:, drawn])[0, 1] - rho) < 5 / sqrt(8_000)
    assert Q.min() == -100
    assert Q.max() == 100
    one_only = ((Q == 0).sum(axis=0) == 1).mean()  # what is rounded to 0
    assert one_only < 0.02


@pytest.mark.parametrize("name", ["mubqp_0_2_25_0.8_0", "example_mubqp_m3_n100"])
def test_instances_of_the_literature_have_the_same_law(name):
    path = SHARED / "data" / "mubqp" / f"{name}.dat"
    if not path.is_file():
        pytest.skip(f"no sample: {path} does not exist")
    rows = path.read_text().split("p matrices\n")[1].splitlines()
    Q = np.array([row.split() for row in rows], int).T
    ours = matrices(round(sqrt(Q.shape[1])), len(Q), 0.8, 0, seed=1).reshape(len(Q), -1)
    for sample in (Q, ours):
        drawn = (sample != 0).any(axis=0)
        assert abs(drawn.mean() - 0.8) < 4 / sqrt(sample.shape[1]) / 2
        assert ((sample == 0).any(axis=0) & drawn).mean() < 0.03
        values = np.sort(sample[:, drawn]) / 200 + 0.5
        even = np.linspace(0, 1, drawn.sum())
        assert np.abs(values - even).max() < 1.95 / sqrt(drawn.sum()) + 1 / 200


@pytest.mark.parametrize("density", [1e-9, 0.003, 0.5, 1])
def test_each_number_is_chosen_with_the_same_probability(density):
    draw = np.random.default_rng(3)
    counts = np.zeros(1000)
    for _ in range(200):
        numbers = chosen(1000, density, draw)
        assert (np.diff(numbers) > 0).all()
        counts[numbers] += 1  # an index that is out of range would not do
    spread = sqrt(200 * density * (1 - density))
    assert np.abs(counts - 200 * density).max() <= 5.5 * spread + 3 * (density < 0.01)
    total = 200_000 * density
    assert abs(counts.sum() - total) <= 5 * sqrt(total * (1 - density))


def test_the_same_seed_gives_the_same_landscape():
    digests = [landscape_digest(random_qubo(9, seed=seed)) for seed in (1, 1, 2)]
    assert digests[0] == digests[1] != digests[2]
    assert landscape_digest(random_qubo(9, rng=1)) == digests[0]


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        ({"n": 0}, "n = 0"),
        ({"n": 5, "d": 0}, "d = 0"),
        ({"n": 5, "density": 0}, "density = 0, but it must be a number above 0"),
        ({"n": 5, "density": 1.5}, "density = 1.5"),
        ({"n": 5, "density": "all"}, "density = 'all'"),
    ],
)
def test_bad_arguments_are_refused(arguments, right):
    with pytest.raises(ValueError, match=right):
        random_qubo(**arguments)


def test_too_many_pairs_are_refused_before_they_are_drawn(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**9)
    with pytest.raises(MemoryError, match="8,000,000 pairs of variables, for 2 obj"):
        random_qubo(10**4, density=0.08)
