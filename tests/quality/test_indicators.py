"""Indicators are what the definitions say, in any senses."""

import moocore
import numpy as np
import pytest

import naive
from fronts import cases, elsewhere, every_d
from paretoball import coverage, epsilon, igd_plus
from paretoball.quality import indicators
from paretoball.quality.indicators import COMPARED

F = [[1, 2], [2, 1]]


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
        higher = G + np.where(np.array(senses) == "max", 0.5, -0.5)
        expected = naive.coverage(F.tolist(), higher.tolist(), senses)
        assert coverage(F, higher, senses) == expected
        expected = naive.coverage(higher.tolist(), G.tolist(), senses)
        assert coverage(higher, G, senses) == expected


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


@every_d(3)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int64])
def test_coverage_is_exact_for_integers_of_any_type(d, dtype):
    large = np.full((1, d), 2 ** (7 if dtype == np.uint8 else 62), dtype)
    small = large - dtype(1)
    for sense, better, worse in (("max", large, small), ("min", small, large)):
        assert coverage(better, worse, sense) == 1
        assert coverage(worse, better, sense) == 0


@pytest.mark.parametrize("d", [2, 3])
def test_coverage_of_many_points_is_that_of_its_parts(d):
    F, G = np.random.default_rng(d).integers(0, 1000, (2, 2_000, d))
    assert len(F) * len(G) > 2 * COMPARED
    parts = [coverage(F, part) * len(part) for part in np.array_split(G, 13)]
    assert coverage(F, G) == pytest.approx(sum(parts) / len(G), rel=1e-12)


@pytest.mark.parametrize("at_once", [1, 2, 7])
@pytest.mark.parametrize("d", [2, 3])
def test_what_is_compared_at_once_changes_nothing(monkeypatch, d, at_once):
    monkeypatch.setattr(indicators, "COMPARED", at_once)
    for F, G, senses in cases(200, d):
        given = F.tolist(), G.tolist(), senses
        assert igd_plus(F, G, senses) == pytest.approx(naive.igd_plus(*given))
        assert coverage(F, G, senses) == naive.coverage(*given)


def test_igd_plus_of_many_pairs_is_that_of_its_parts():
    rng = np.random.default_rng(1)
    x = np.sort(rng.random(3_000))
    F = np.column_stack([x, -(x**2)])
    G = rng.random((400, 2)) * 2 - (0.5, 1)
    parts = [igd_plus(F, part) * len(part) for part in np.array_split(G, 13)]
    assert igd_plus(F, G) == pytest.approx(sum(parts) / len(G), rel=1e-12)
    plain = [naive.igd_plus(F.tolist(), [each], ["max"] * 2) for each in G[:9].tolist()]
    assert igd_plus(F, G[:9]) == pytest.approx(np.mean(plain), rel=1e-12)


@pytest.mark.parametrize("size", [10**power for power in range(1, 9)])
def test_the_nearest_of_points_almost_as_far_is_found(size):
    other = int(2 * size**0.5) + 1  # the second is farther by one, or two
    F = np.array([[-size - 1, 0], [-size, -other]])
    for points, sense in ((F, "max"), (F[:, ::-1], "max"), (-F, "min")):
        assert igd_plus(points, [[0, 0]], sense) == size + 1


@pytest.mark.parametrize("kind", ["additive", "multiplicative"])
def test_signals_are_heard_while_moocore_works(monkeypatch, kind):
    for name in ("epsilon_additive", "epsilon_mult", "igd_plus"):
        monkeypatch.setattr(moocore, name, elsewhere(getattr(moocore, name)))
    assert epsilon(F, F, kind=kind) == (kind == "multiplicative")
    assert igd_plus(F, F) == 0


def test_one_sense_stands_for_all():
    F, G = [[1, 4], [3, 2]], [[2, 2], [5, 1]]
    for measure in (epsilon, igd_plus, coverage):
        assert measure(F, G, "min") == measure(F, G, ("min", "min"))


def test_factors_of_numbers_that_are_not_positive_are_refused():
    words = "has 0.0 in row 0, objective 1, but factors need positive numbers"
    with pytest.raises(ValueError, match=f"F {words}"):
        epsilon([[1, 0]], F, kind="multiplicative")
    with pytest.raises(ValueError, match=f"reference {words}"):
        epsilon(F, [[1, 0]], kind="multiplicative")
    with pytest.raises(ValueError, match="kind = 'both' is not 'additive' or 'mult"):
        epsilon(F, F, kind="both")


@pytest.mark.parametrize("measure", [epsilon, igd_plus])
def test_what_would_take_hours_is_refused(measure):
    F = np.ones((2_000_000, 3))
    with pytest.raises(ValueError, match=r"2,000,000 points.*takes about .*fewer"):
        measure(F, F)


@pytest.mark.parametrize(
    ("measure", "work"), [(epsilon, 8e9), (igd_plus, 2e9)], ids=["epsilon", "igd"]
)
@pytest.mark.parametrize("d", [3, 4, 8])
def test_so_many_pairs_are_compared_as_take_a_minute(monkeypatch, measure, work, d):
    monkeypatch.setattr(indicators, "hearing_signals", lambda call: 7.0)
    rows, others = 1_000, int(60 * work / (d + 2)) // 1_000
    F = np.ones((rows, d))
    many = np.broadcast_to(F[:1], (others + 1, d))
    monkeypatch.setattr(indicators, "_checked_pair", lambda F, G, _: (F, G, np.ones(d)))
    assert measure(F, many[:-1]) == 7
    words = rf"{rows:,} points and {others + 1:,} ref.* takes about 60 seconds: give"
    with pytest.raises(ValueError, match=words):
        measure(F, many)


def test_pairs_of_sorted_points_are_compared_as_many_as_take_a_minute():
    F, most = np.ones((5, 2)), 1_500_000_000
    check = indicators._check_affordable
    check("igd_plus", F, F, indicators.SORTED_PACE, most)
    with pytest.raises(ValueError, match="5 points and 5 reference points"):
        check("igd_plus", F, F, indicators.SORTED_PACE, most + 1)
