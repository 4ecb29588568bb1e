"""What counts as a front, for every measure alike."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from fronts import cases, every_d
from paretoball import (
    attainment_surface,
    coverage,
    epsilon,
    hypervolume,
    igd_plus,
)
from paretoball.quality import ranges

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
        ([[0, -(2**62) - 1]], ValueError, "but exact integers end at 2**62"),
        ([[0, 2**62 + 1], [2**62 + 2, 0]], ValueError, "in row 0, objective 1, but"),
        ([[0.0, -np.inf]], ValueError, "has -inf in row 0, objective 1"),
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


@pytest.mark.parametrize("measure", [epsilon, igd_plus])
@pytest.mark.parametrize("sign", [1, -1])
def test_integers_are_taken_up_to_those_that_floats_would_round(measure, sign):
    largest = [[0, sign * 2**53]]
    assert measure(largest, largest) == coverage([[0.0, 0.0]], largest) - (sign < 0)
    assert attainment_surface([largest], 1).tolist() == largest
    beyond = [[0, sign * (2**53 + 1)]]
    for refused in (
        lambda: measure(beyond, F),
        lambda: coverage([[0.5, 0.5]], beyond),
        lambda: attainment_surface([beyond]),
    ):
        with pytest.raises(ValueError, match="but exact floats end at"):
            refused()


@pytest.mark.parametrize("d", [1, 8, 9, 20])
def test_ranges_are_told_of_the_first_eight_objectives(d):
    F = np.random.default_rng(d).integers(-9_999, 10_000, (4, d))
    front = SimpleNamespace(F=F, d=d, names=[f"f{i}" for i in range(d)])
    texts = [f"f{i} {min(f):,} to {max(f):,}" for i, f in enumerate(F.T.tolist())]
    more = [f"and {d - 8} more"] if d > 8 else []
    assert ranges(front) == ", ".join(texts[:8] + more)
    assert ranges(SimpleNamespace(F=F[:0])) == "empty"


def test_ranges_of_reals_have_six_digits():
    F = np.array([[0.1234564, -9_876.543], [12.34567, 1_234.5649], [3.0, 0.0]])
    front = SimpleNamespace(F=F, d=2, names=["f0", "f1"])
    assert ranges(front) == "f0 0.123456 to 12.3457, f1 -9,876.54 to 1,234.56"
    front.F = F[:1]
    assert ranges(front) == "f0 0.123456 to 0.123456, f1 -9,876.54 to -9,876.54"


MEASURES = {
    "epsilon": lambda F, G, sense=None: epsilon(F, G, sense),
    "factors": lambda F, G, sense=None: epsilon(F, G, sense, kind="multiplicative"),
    "igd_plus": igd_plus,
    "coverage": coverage,
    "hypervolume": lambda F, G, sense=None: hypervolume(F, matrix_of(G)[0], sense),
    "surface": lambda F, G, sense=None: attainment_surface([F, G], 1, sense).tolist(),
}


def matrix_of(front):
    return getattr(front, "F", front)


@pytest.mark.parametrize("measure", MEASURES)
@every_d(3)
def test_senses_are_those_of_the_first_front_unless_others_are_given(measure, d):
    measured = MEASURES[measure]
    for F, G, senses in cases(40, d):
        F, G = F + 9, G + 9
        opposite = tuple("min" if each == "max" else "max" for each in senses)
        mine = SimpleNamespace(F=F, sense=senses)
        other = SimpleNamespace(F=G, sense=opposite)
        assert measured(mine, other) == measured(F, G, senses)
        assert measured(other, mine) == measured(G, F, opposite)
        assert measured(F, other) == measured(F, G, "max")
        assert measured(mine, G) == measured(F, G, senses)
        assert measured(mine, G, opposite) == measured(F, G, opposite)


def test_every_measure_refuses_strange_senses():
    for measure in (epsilon, igd_plus, coverage, hypervolume):
        other = [0, 0] if measure is hypervolume else F
        with pytest.raises(ValueError, match="3 senses given for 2 objectives"):
            measure(F, other, ["max"] * 3)
        with pytest.raises(ValueError, match="the sense of objective 1 is 'most'"):
            measure(F, other, ["max", "most"])
    with pytest.raises(ValueError, match="the sense of objective 0 is 'best'"):
        attainment_surface([F], sense="best")
