"""The quality of fronts is what the definitions say, in any senses."""

import re
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
from paretoball import attainment_surface, coverage, epsilon, hypervolume, igd_plus
from paretoball.quality.attainment import _runs_of
from paretoball.quality.indicators import COMPARED


def random_front(rng: np.random.Generator, d: int) -> np.ndarray:
    """Few points on a small grid: tied, doubled, dominated, and often a single one."""
    return rng.integers(-3, 4, (int(rng.choice([1, 1, 2, 3, 5, 8])), d))


def random_senses(rng: np.random.Generator, d: int) -> tuple[str, ...]:
    """A sense for each objective."""
    return tuple(rng.choice(["max", "min"], d).tolist())


def cases(count: int, d: int) -> Iterator[tuple]:
    """Pairs of fronts and senses for them."""
    rng = np.random.default_rng(d)
    for _ in range(count):
        yield random_front(rng, d), random_front(rng, d), random_senses(rng, d)


def every_d(most: int) -> pytest.MarkDecorator:
    """The test, for each number of objectives up to the most."""
    return pytest.mark.parametrize("d", range(1, most + 1))


# --- One front, or two.


@every_d(4)
def test_hypervolume_counts_unit_cubes(d):
    for F, G, senses in cases(400, d):
        ref = G[0] - np.array(naive.signs(senses))
        expected = naive.hypervolume(F.tolist(), ref.tolist(), senses)
        assert hypervolume(F, ref, senses) == expected


def test_hypervolume_of_one_point_or_none_needs_no_matrix():
    assert hypervolume([2, 3], ref=[0, 0]) == 6
    assert hypervolume(np.empty((0, 2)), ref=[0, 0]) == 0


@every_d(4)
def test_additive_epsilon_is_the_largest_gap(d):
    for F, G, senses in cases(400, d):
        expected = naive.epsilon(F.tolist(), G.tolist(), senses)
        assert epsilon(F, G, senses) == expected


@every_d(4)
def test_multiplicative_epsilon_is_the_largest_ratio(d):
    for F, G, senses in cases(400, d):
        F, G = F + 4, G + 4
        expected = naive.epsilon_factor(F.tolist(), G.tolist(), senses)
        found = epsilon(F, G, senses, kind="multiplicative")
        assert found == pytest.approx(expected, rel=1e-14)


@every_d(4)
def test_adding_epsilon_makes_a_front_attain_the_reference(d):
    for F, G, senses in cases(200, d):
        step = epsilon(F, G, senses) * np.array(naive.signs(senses))
        assert coverage(F + step, G, senses) == 1


@every_d(4)
def test_igd_plus_is_the_mean_distance_to_what_is_attained(d):
    for F, G, senses in cases(400, d):
        expected = naive.igd_plus(F.tolist(), G.tolist(), senses)
        assert igd_plus(F, G, senses) == pytest.approx(expected, rel=1e-14)


@every_d(4)
def test_coverage_is_the_share_of_points_attained(d):
    for F, G, senses in cases(600, d):
        expected = naive.coverage(F.tolist(), G.tolist(), senses)
        assert coverage(F, G, senses) == expected
        assert coverage(F * 0.5, G * 0.5, senses) == expected


@every_d(4)
def test_all_agree_on_what_attains_everything(d):
    for F, G, senses in cases(400, d):
        covered = coverage(F, G, senses) == 1
        assert covered == (epsilon(F, G, senses) <= 0)
        assert covered == (igd_plus(F, G, senses) == 0)


@every_d(3)
def test_coverage_tells_large_integers_apart(d):
    large = np.full((1, d), 2**62)
    assert coverage(large - 1, large) == 0
    assert coverage(large, large - 1) == 1
    assert coverage(-large, 1 - large, sense="min") == 1


@pytest.mark.parametrize("d", [2, 3])
def test_coverage_of_many_points_is_that_of_its_parts(d):
    F, G = np.random.default_rng(d).integers(0, 1000, (2, 2_000, d))
    assert len(F) * len(G) > 2 * COMPARED
    parts = [coverage(F, part) * len(part) for part in np.array_split(G, 13)]
    assert coverage(F, G) == pytest.approx(sum(parts) / len(G), rel=1e-12)


def test_one_sense_stands_for_all():
    F, G = [[1, 4], [3, 2]], [[2, 2], [5, 1]]
    for measure in (epsilon, igd_plus, coverage):
        assert measure(F, G, "min") == measure(F, G, ("min", "min"))


# --- Attainment surfaces.


@every_d(3)
def test_the_surface_is_that_of_counting_on_the_grid(d):
    rng = np.random.default_rng(d)
    for _ in range(400):
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


# --- What makes no sense.

F = [[1, 2], [2, 1]]
HOLE = [[1.0, 2.0], [2.0, np.nan]]
FOUR = [[1, 2, 3, 4]]


@pytest.mark.parametrize("measure", [epsilon, igd_plus, coverage])
@pytest.mark.parametrize(
    ("front", "error", "words"),
    [
        (np.empty((0, 2)), ValueError, "is empty, but a front has at least one point"),
        ([], TypeError, "is [], not a matrix with a row per point"),
        ([1, 2], TypeError, "is [1, 2], not a matrix with a row per point"),
        ([[1, 2], [3]], TypeError, "is [[1, 2], [3]], not a matrix"),
        ([["a", "b"]], TypeError, "is [['a', 'b']], not a matrix"),
        ([[True, False]], TypeError, "not a matrix"),
        (None, TypeError, "is None, not a matrix"),
        (HOLE, ValueError, "has nan in row 1, objective 1, which is no finite number"),
        ([[np.inf, 0.0]], ValueError, "has inf in row 0, objective 0"),
        ([[0, 2**62 + 1]], ValueError, "but exact integers end at 2**62"),
        (np.array([[0, 2**63]], np.uint64), ValueError, "has 9223372036854775808 in"),
    ],
)
def test_what_is_no_front_is_refused(measure, front, error, words):
    for given in ((front, F), (F, front)):
        with pytest.raises(error, match=re.escape(words)) as caught:
            measure(*given)
        assert "\n" not in str(caught.value)
    with pytest.raises(error, match=r"fronts\[1\].*" + re.escape(words)):
        attainment_surface([F, front])


@pytest.mark.parametrize("measure", [epsilon, igd_plus, coverage])
def test_fronts_of_other_objectives_are_refused(measure):
    with pytest.raises(ValueError, match="has 4 objectives, not 2 as the others"):
        measure(F, FOUR)
    with pytest.raises(ValueError, match="F has 0 objectives, not at least one"):
        measure(np.empty((1, 0)), F)


@pytest.mark.parametrize("measure", [epsilon, igd_plus])
def test_integers_that_floats_would_round_are_refused(measure):
    large = [[0, 2**53 + 1]]
    words = "has 9007199254740993 in row 0, objective 1, but exact floats end at 2**53"
    with pytest.raises(ValueError, match=re.escape(f"F {words}")):
        measure(large, F)
    with pytest.raises(ValueError, match=re.escape(f"reference {words}")):
        measure(F, large)
    with pytest.raises(ValueError, match=re.escape(f"G {words}")):
        coverage([[0.5, 0.5]], large)
    with pytest.raises(ValueError, match=re.escape(f"fronts[1] {words}")):
        attainment_surface([F, large])


def test_every_measure_refuses_strange_senses():
    for measure in (epsilon, igd_plus, coverage, hypervolume):
        other = [0, 0] if measure is hypervolume else F
        with pytest.raises(ValueError, match="3 senses given for 2 objectives"):
            measure(F, other, ["max"] * 3)
        with pytest.raises(ValueError, match="the sense of objective 1 is 'most'"):
            measure(F, other, ["max", "most"])
    with pytest.raises(ValueError, match="the sense of objective 0 is 'best'"):
        attainment_surface([F], sense="best")


@pytest.mark.parametrize(
    ("points", "ref", "error", "words"),
    [
        (F, [0, 0, 0], ValueError, "ref has 3 objectives, not 2 as the others"),
        (F, [], ValueError, "ref has 0 objectives, not 2 as the others"),
        (F, 0, TypeError, "ref is 0, not a matrix"),
        (
            F,
            [[0, 0], [1, 1]],
            ValueError,
            "ref is [[0, 0], [1, 1]], but it is a single",
        ),
        (F, [0, np.nan], ValueError, "ref has nan in row 0, objective 1"),
        (HOLE, [0, 0], ValueError, "F has nan in row 1, objective 1"),
        ([[1, 2], [3]], [0, 0], TypeError, "F is [[1, 2], [3]], not a matrix"),
    ],
)
def test_hypervolume_refuses_what_does_not_fit(points, ref, error, words):
    with pytest.raises(error, match=re.escape(words)):
        hypervolume(points, ref)


def test_factors_of_numbers_that_are_not_positive_are_refused():
    words = "has 0.0 in row 0, objective 1, but factors need positive numbers"
    with pytest.raises(ValueError, match=f"F {words}"):
        epsilon([[1, 0]], F, kind="multiplicative")
    with pytest.raises(ValueError, match=f"reference {words}"):
        epsilon(F, [[1, 0]], kind="multiplicative")
    with pytest.raises(ValueError, match="kind is 'both', neither 'additive' nor"):
        epsilon(F, F, kind="both")


@pytest.mark.parametrize("level", [0, -0.5, 1.01, float("nan"), float("inf")])
def test_levels_beyond_0_to_1_are_refused(level):
    with pytest.raises(ValueError, match=f"level is {level}, but it lies above 0 and"):
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
