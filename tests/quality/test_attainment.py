"""Attainment surfaces are what the definition says, in any senses."""

from fractions import Fraction

import moocore
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
from fronts import cases, elsewhere, every_d, random_front, random_senses
from paretoball import attainment_surface
from paretoball.quality.attainment import _runs_of

F = [[1, 2], [2, 1]]
FOUR = [[1, 2, 3, 4]]


@every_d(3)
def test_the_surface_is_that_of_counting_on_the_grid(d):
    rng = np.random.default_rng(d)
    for _ in range(150):
        runs = int(rng.integers(1, 7))
        fronts = [random_front(rng, d)[:5] for _ in range(runs)]
        attaining = int(rng.integers(1, runs + 1))
        senses = random_senses(rng, d)
        surface = attainment_surface(fronts, attaining / runs, senses)
        plain = [F.tolist() for F in fronts]
        expected = naive.attainment_surface(plain, attaining, senses)
        assert surface.dtype == np.int64
        assert [tuple(row) for row in surface.tolist()] == expected


@every_d(3)
def test_one_front_attains_its_non_dominated_points(d):
    for F, _, senses in cases(200, d):
        surface = attainment_surface([F], sense=senses)
        expected = naive.pareto_front(F, senses)
        assert [tuple(row) for row in surface.tolist()] == expected


@every_d(3)
def test_a_level_means_just_as_many_runs(d):
    for runs in (*range(1, 25), 49, 100):
        ladder = [np.full((1, d), step) for step in range(runs)]
        for attaining in range(1, runs + 1):
            surface = attainment_surface(ladder, attaining / runs)
            assert surface.tolist() == [[runs - attaining] * d]


def test_shares_are_rounded_up_but_not_by_their_last_bits():
    assert _runs_of(0.5, 3) == 2
    assert _runs_of(1 / 3, 3) == 1
    assert _runs_of(0.1, 30) == 3
    assert _runs_of(0.55, 100) == 55
    assert _runs_of(0.1 + 0.2, 10) == 3
    assert _runs_of(1e-12, 7) == 1
    assert _runs_of(np.float64(0.51), 100) == 51
    for runs in range(1, 301):
        for k in range(1, runs + 1):
            assert _runs_of(k / runs, runs) == k
            assert _runs_of(Fraction(k, runs), runs) == k
            assert _runs_of((k - 0.999) / runs, runs) == k


@every_d(3)
@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint16, np.int32, np.uint64, np.float32, np.float64]
)
def test_the_surface_has_the_type_of_the_fronts(d, dtype):
    fronts = [np.array([[3] * d], dtype), np.array([[5] * d], dtype)]
    for senses, worst in (("max", 3), ("min", 5)):
        surface = attainment_surface(iter(fronts), level=1, sense=senses)
        assert surface.dtype == dtype
        assert surface.tolist() == [[worst] * d]


@every_d(3)
@pytest.mark.parametrize("order", [1, -1])
def test_the_surface_of_whole_numbers_beside_reals_is_real(d, order):
    fronts = [np.full((1, d), 3), np.full((1, d), 2.5), np.full((1, d), 1)][::order]
    surface = attainment_surface(fronts, level=0.5)
    assert surface.dtype == np.float64
    assert surface.tolist() == [[2.5] * d]


@every_d(3)
def test_the_surface_of_large_integers_is_exact(d):
    fronts = [np.full((1, d), 2**53 - step) for step in (0, 1, 2)]
    surface = attainment_surface(fronts)
    assert surface.tolist() == [[2**53 - 1] * d]


@every_d(3)
def test_no_zero_of_the_surface_is_negative(d):
    for senses in ("max", "min"):
        surface = attainment_surface([np.zeros((1, d))], sense=senses)
        assert not np.signbit(surface).any()


def test_reals_come_back_bit_by_bit():
    rng = np.random.default_rng(1)
    fronts = rng.random((5, 30, 2))
    surface = attainment_surface(fronts, level=0.4)
    assert np.isin(surface, fronts).all()
    assert_array_equal(surface, surface[np.argsort(surface[:, 0])])


@pytest.mark.parametrize("level", [0, -0.5, 1.01, float("nan"), float("inf")])
def test_levels_beyond_0_to_1_are_refused(level):
    with pytest.raises(ValueError, match=f"level is {level}, but must be above 0 and"):
        attainment_surface([F], level=level)


@pytest.mark.parametrize("level", ["half", None, True, 1j])
def test_levels_that_are_no_numbers_are_refused(level):
    with pytest.raises(
        TypeError, match=r"level is .*, not a number above 0 and up to 1"
    ):
        attainment_surface([F], level=level)


def test_surfaces_of_four_objectives_are_refused():
    with pytest.raises(ValueError, match=r"fronts have 4 objectives, but .* up to 3"):
        attainment_surface([FOUR])


def test_surfaces_need_fronts():
    with pytest.raises(ValueError, match="fronts is empty, but a surface needs"):
        attainment_surface([])
    with pytest.raises(TypeError, match="fronts is 3, not a list of fronts"):
        attainment_surface(3)
    with pytest.raises(TypeError, match=r"fronts\[0\] is array.*, not a matrix"):
        attainment_surface(np.array(F))
    with pytest.raises(ValueError, match=r"fronts\[1\] has 4 objectives, not 2 as the"):
        attainment_surface([F, FOUR])


def test_signals_are_heard_while_moocore_works(monkeypatch):
    monkeypatch.setattr(moocore, "eaf", elsewhere(moocore.eaf))
    assert attainment_surface([F], 1).tolist() == F
