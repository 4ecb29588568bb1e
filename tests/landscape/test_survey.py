"""The survey: counts and bounds of all tables, by their definitions."""

from fractions import Fraction

import numpy as np
import pytest

from landscapes import built, random_plain, solutions_of
from paretoball import Landscape


def check(landscape: Landscape) -> None:
    """Compare the survey with what a reader of the cliques would count."""
    survey, cliques = landscape.survey, landscape.cliques
    of_all = [0] * landscape.d
    of_one = [[0] * landscape.d for _ in range(landscape.n)]
    largest = 0
    for c in range(len(cliques.mask_at) - 1):
        table = cliques.tables[cliques.table_at[c] : cliques.table_at[c + 1]].tolist()
        mask = cliques.masks[cliques.mask_at[c] : cliques.mask_at[c + 1]].tolist()
        largest = max([largest, *(abs(entry) for row in table for entry in row)])
        for i, column in enumerate(zip(*table)):
            of_all[i] += max(column) - min(column)
            for j in mask:
                of_one[j][i] += max(column) - min(column)
    assert survey.cliques == len(cliques.mask_at) - 1
    assert survey.largest_entry == largest
    assert survey.spreads_of_all == of_all
    assert survey.spreads_of_one == list(map(max, zip(*of_one)))
    assert landscape.spreads == (survey.spreads_of_one, survey.spreads_of_all)
    every = landscape.evaluate(solutions_of(landscape.n)).astype(object).sum(axis=0)
    assert survey.means == [Fraction(int(one), 2**landscape.n) for one in every]


@pytest.mark.plain
def test_counts_and_bounds_are_those_of_the_definition():
    rng = np.random.default_rng(1)
    for _ in range(20):
        check(built(random_plain(rng, max_n=6)))


@pytest.mark.plain
@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_entry_may_have_either_sign(sense, sign):
    tables = [[0, 3], [0, -7], [5, 6]]
    given = [[((j,), [sign * one for one in each])] for j, each in enumerate(tables)]
    landscape = Landscape.from_subfunctions(3, given, sense)
    check(landscape)
    assert landscape.survey.largest_entry == 7
