"""The hypervolume is what its definition says, or it is refused, or estimated."""

import re

import moocore
import numpy as np
import pytest

import naive
from fronts import cases, elsewhere, every_d
from paretoball import hypervolume
from paretoball.quality import volume
from paretoball.quality.volume import (
    LONGEST,
    PACE,
    _check_affordable,
    _predicted_seconds,
    in_words,
)

F = [[1, 2], [2, 1]]
HOLE = [[1.0, 2.0], [2.0, np.nan]]


def sphere(rows: int, d: int) -> np.ndarray:
    """Random points of a sphere: none dominates another."""
    points = np.abs(np.random.default_rng(d).normal(size=(rows, d)))
    return points / np.sqrt((points**2).sum(axis=1, keepdims=True))


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
@pytest.mark.parametrize("half", [0, 0.5])
def test_large_integers_keep_their_last_digits(d, half):
    for F, G, senses in cases(40, d):
        ref = G[0] - np.array(naive.signs(senses))
        far = np.full(d, 2**61 + 12345)
        expected = hypervolume(F, ref + half, senses)
        assert hypervolume(F + far, ref + far, senses) == hypervolume(F, ref, senses)
        if half:
            far //= 2**10  # so that ref + far + half is a float
            assert hypervolume(F + far, ref + (far + half), senses) == expected


@every_d(4)
def test_integers_are_counted_from_one_end_to_the_other(d):
    high, low = np.full((1, d), 2**62), [-(2**62)] * d
    assert hypervolume(high, low) == 2.0 ** (63 * d)
    assert hypervolume(-high, [2**62] * d, "min") == 2.0 ** (63 * d)
    assert hypervolume(high, [float(-(2**62))] * d) == 2.0 ** (63 * d)
    assert hypervolume(high, [2**62 - 1] * d) == 1
    assert hypervolume(-high, [1 - 2**62] * d, "min") == 1
    assert hypervolume(high, [2**62] * d) == 0
    assert hypervolume(np.ones((1, d), int), [-(2.0**70)] * d) == 2.0 ** (70 * d)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_reference_beyond_integers_costs_other_objectives_no_digit(order, sign):
    point, ref = [2**61 + 3, 5][::order], [2.0**61, -(2.0**70)][::order]
    sense = "max" if sign > 0 else "min"
    F, corner = sign * np.array([point]), sign * np.array(ref)
    assert hypervolume(F, corner, sense) == 3 * 2.0**70


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


# --- What takes too long is refused.


@pytest.mark.parametrize(
    ("rows", "d", "time"),
    [
        (100_883, 5, "about 4 minutes"),
        (1_600, 6, "about 10 seconds"),
        (1_000, 8, "about 6 hours"),
        (4_000, 8, "about 166 days"),
        (300_000, 10, "more than 1,000 years"),
    ],
)
def test_an_exact_hypervolume_that_takes_long_is_refused(monkeypatch, rows, d, time):
    monkeypatch.delattr(moocore, "hypervolume")  # it is not even begun
    words = (
        f"the exact hypervolume of {rows:,} points with d = {d} objectives takes "
        f"{time}: give approximate=True for an estimate, or fewer points"
    )
    with pytest.raises(ValueError, match=re.escape(words)):
        hypervolume(sphere(rows, d), np.zeros(d))


def test_only_points_better_than_the_reference_count_towards_the_time():
    F = np.concatenate([sphere(50, 8), -np.ones((100_000, 8))])
    assert hypervolume(F, np.zeros(8)) == hypervolume(F[:50], np.zeros(8))


def test_more_objectives_than_exact_hypervolumes_have_are_refused():
    words = "F has d = 32 objectives, but exact hypervolumes are for up to 31: give app"
    with pytest.raises(ValueError, match=words):
        hypervolume(np.eye(32) + 1, np.zeros(32))
    assert hypervolume(np.ones((1, 31)), np.zeros(31)) == 1


def test_more_points_or_objectives_never_take_less_time():
    rows = [1, 12, 13, 30, 100, 1_000, 10_000, 100_000]
    for d in range(2, 40):
        times = [_predicted_seconds(n, d) for n in rows]
        assert times == sorted(times)
        more = [_predicted_seconds(n, d + 1) for n in rows]
        assert all(a <= b for a, b in zip(times[1:], more[1:]) if b > 1e-3)
    assert all(_predicted_seconds(n, d) == 1 for d, (n, _) in PACE.items())
    assert _predicted_seconds(10**9, 3) < LONGEST  # a trace needs these


@pytest.mark.parametrize(
    ("d", "rows"),
    [
        (4, 111_803),
        (5, 18_119),
        (6, 1_260),
        (7, 377),
        (8, 169),
        (9, 93),
        (10, 55),
        (11, 37),
        (12, 30),
        (13, 25),
        (14, 23),
        (15, 21),
        (20, 14),
        (21, 12),
        (31, 12),
    ],
)
def test_so_many_points_are_taken_and_no_more(d, rows):
    _check_affordable(rows, d)
    with pytest.raises(ValueError, match=f"of {rows + 1:,} points with d = {d} "):
        _check_affordable(rows + 1, d)


def test_a_time_that_is_just_allowed_is_taken(monkeypatch):
    monkeypatch.setattr(volume, "LONGEST", 1.0)
    for d, (rows, _) in PACE.items():
        _check_affordable(rows, d)
        with pytest.raises(ValueError, match="takes about"):
            _check_affordable(2 * rows, d)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (5.4, "about 5 seconds"),
        (119, "about 119 seconds"),
        (120, "about 2 minutes"),
        (2 * 3_600 - 31, "about 119 minutes"),
        (2 * 3_600, "about 2 hours"),
        (47.4 * 3_600, "about 47 hours"),
        (48 * 3_600, "about 2 days"),
        (500 * 86_400, "about 500 days"),
        (750 * 86_400, "about 2 years"),
        (999 * 365.25 * 86_400, "about 998 years"),
        (1_002 * 365.25 * 86_400, "more than 1,000 years"),
    ],
)
def test_long_times_are_told_in_the_largest_unit_of_which_there_are_two(seconds, words):
    assert in_words(seconds) == words


def test_signals_are_heard_while_moocore_works(monkeypatch):
    monkeypatch.setattr(moocore, "hypervolume", elsewhere(moocore.hypervolume))
    assert hypervolume(F, [0, 0]) == 3


# --- Estimates.


@pytest.mark.parametrize("d", range(1, 8))
def test_an_estimate_is_as_close_as_it_says(monkeypatch, d):
    monkeypatch.setattr(volume, "WORK", 0)  # the fewest samples
    for F in (sphere(40, d), 1.01 - sphere(30, d), np.round(9 * sphere(30, d)) + 1):
        exact = hypervolume(F, np.zeros(d))
        for seed in range(3):
            value, error = hypervolume(F, np.zeros(d), approximate=True, seed=seed)
            assert abs(value - exact) <= 4 * error + 1e-12 * exact
            assert error < 0.1 * exact


@every_d(4)
def test_estimates_have_senses_and_a_reference_like_exact_ones(monkeypatch, d):
    monkeypatch.setattr(volume, "WORK", 0)
    for F, G, senses in cases(40, d):
        ref = G[0] - np.array(naive.signs(senses))
        exact = hypervolume(F, ref, senses)
        value, error = hypervolume(F, ref, senses, approximate=True, seed=1)
        assert abs(value - exact) <= 5 * error + 1e-12 * exact


@pytest.mark.parametrize("d", [2, 5])
def test_the_error_of_an_estimate_is_its_deviation_from_seed_to_seed(monkeypatch, d):
    monkeypatch.setattr(volume, "WORK", 0)
    F, ref = sphere(10, d), np.zeros(d)
    found = [hypervolume(F, ref, approximate=True, seed=seed) for seed in range(300)]
    values, errors = np.array(found).T
    assert values.std(ddof=1) == pytest.approx(errors.mean(), rel=0.15)


def test_the_same_seed_gives_the_same_estimate():
    F = sphere(100, 5)

    def estimate(**seed):
        return hypervolume(F, np.zeros(5), approximate=True, **seed)

    assert estimate(seed=1) == estimate(seed=1) == estimate(rng=1) != estimate(seed=2)
    assert estimate() != estimate()
    for approximate in (True, False):
        with pytest.raises(TypeError, match="two names of one argument"):
            hypervolume(F, np.zeros(5), approximate=approximate, seed=1, rng=1)


def test_many_objectives_have_estimates(monkeypatch):
    monkeypatch.setattr(volume, "WORK", 0)
    box = np.full((1, 40), 2.0)
    value, error = hypervolume(box, np.zeros(40), approximate=True, seed=1)
    assert abs(value - 2.0**40) <= 5 * error
    assert hypervolume(box, box[0], approximate=True) == (0, 0)
    with pytest.raises(OverflowError, match=r"about 1e[34]\d\d, beyond the largest"):
        hypervolume(box * 1e9, np.zeros(40), approximate=True, seed=1)


def test_estimates_take_a_bounded_number_of_samples(monkeypatch):
    taken = []
    monkeypatch.setattr(
        volume, "_reaches", lambda columns, u: taken.append(len(u)) or np.ones(len(u))
    )
    monkeypatch.setattr(volume, "WORK", 10**9)
    for rows, samples in ((9, 100_000), (2_000, 50_000), (10**5, 1_000)):
        taken.clear()
        hypervolume(np.ones((rows, 10)), np.zeros(10), approximate=True, seed=1)
        assert sum(taken) == samples
        assert max(taken) * rows <= max(volume.AT_ONCE, rows)


def test_estimates_of_few_points_take_all_samples_in_some_seconds(monkeypatch):
    taken = []
    monkeypatch.setattr(
        volume, "_reaches", lambda columns, u: taken.append(len(u)) or np.ones(len(u))
    )
    for rows, samples in ((2_000, 100_000), (50_000, 40_000)):
        taken.clear()
        hypervolume(np.ones((rows, 2)), np.zeros(2), approximate=True, seed=1)
        assert sum(taken) == samples
