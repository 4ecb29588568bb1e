"""Spin glasses: bonds of the torus, the law of couplings, and the energy."""

from itertools import product
from math import sqrt

import numpy as np
import pytest

from paretoball import spin_glass
from paretoball.landscape import Landscape
from paretoball.system import memory


def couplings_of(landscape: Landscape) -> list[dict[tuple[int, int], int]]:
    """J of each bond, for each objective, off its table of energies."""
    given = landscape.subfunctions
    found: list[dict[tuple[int, int], int]] = [{} for _ in range(landscape.d)]
    pairs, tables = given.masks.reshape(-1, 2).tolist(), given.tables.reshape(-1, 4)
    for i, (a, b), table in zip(given.objective.tolist(), pairs, tables.tolist()):
        J = -table[0]
        assert table == [-J, J, J, -J]
        found[i][a, b] = J
    return found


def naive_bonds(shape: tuple[int, ...]) -> set[tuple[int, int]]:
    """Pairs of sites that differ by 1, modulo the side, in one coordinate."""
    sites = list(product(*map(range, shape)))
    bonds = set()
    for a, site in enumerate(sites):
        for axis, side in enumerate(shape):
            there = list(site)
            there[axis] = (there[axis] + 1) % side
            b = sites.index(tuple(there))
            bonds.add((min(a, b), max(a, b)))
    return bonds


@pytest.mark.parametrize("shape", [(5,), (2,), (3, 4), (2, 2), (2, 3, 4), (3, 2, 2, 3)])
def test_bonds_are_those_of_the_torus(shape):
    landscape = spin_glass(shape, seed=1)
    for own in couplings_of(landscape):
        assert own.keys() == naive_bonds(shape)
    assert landscape.m == 2 * len(naive_bonds(shape))


@pytest.mark.parametrize("couplings", ["pm", "gaussian", 7])
def test_an_objective_is_the_energy(couplings):
    landscape = spin_glass((3, 4), couplings, d=3, seed=5)
    own = couplings_of(landscape)
    X = np.random.default_rng(1).integers(0, 2, (40, 12))
    S = 2 * X - 1
    right = [
        [-sum(J * s[a] * s[b] for (a, b), J in each.items()) for each in own] for s in S
    ]
    assert landscape.evaluate(X).tolist() == right
    assert landscape.sense == ("min",) * 3


@pytest.mark.parametrize(
    ("couplings", "values"), [("pm", [-1, 1]), (3, [-3, -2, -1, 1, 2, 3])]
)
def test_couplings_are_equally_likely(couplings, values):
    own, other = couplings_of(spin_glass((60, 60), couplings, seed=1))
    found, counts = np.unique(list(own.values()), return_counts=True)
    assert found.tolist() == values
    assert np.abs(counts / 7200 - 1 / len(values)).max() < 5 / sqrt(7200) / 2
    assert own != other


def test_gaussian_couplings_are_normal():
    (own,) = couplings_of(spin_glass((60, 60), "gaussian", d=1, seed=1))
    J = np.array(list(own.values())) / 100_000
    assert abs(J.mean()) < 5 / sqrt(7200)
    assert abs(J.var() - 1) < 5 * sqrt(2 / 7200)
    assert abs((np.abs(J) < 1).mean() - 0.6827) < 5 * 0.5 / sqrt(7200)


@pytest.mark.parametrize(
    ("arguments", "error", "right"),
    [
        (((),), TypeError, r"shape = \(\) is not a tuple of sides"),
        ((7,), TypeError, "shape = 7"),
        (((5, 1),), ValueError, "a side of shape = 1, but it must be at least 2"),
        (((5, 2.5),), TypeError, "2.5 is not a whole number"),
        (((5, 5), "uniform"), ValueError, "'uniform' is not 'pm', 'gaussian' or a"),
        (((5, 5), 0), ValueError, "couplings = 0"),
        (((5, 5), "pm", 0), ValueError, "d = 0"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, right):
    with pytest.raises(error, match=right):
        spin_glass(*arguments)


def test_a_lattice_too_large_is_refused_before_it_is_drawn(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**9)
    with pytest.raises(MemoryError, match="n = 1,000,000,000 variables"):
        spin_glass((1000, 1000, 1000))
    with pytest.raises(MemoryError, match="24,000,000 pairs of variables"):
        spin_glass((200, 200, 200))
