"""Constraints as columns: as many as allowed, and as wide as the width allows."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from paretoball.exact.constraint_columns import MOST_COLUMNS, width_of, with_columns
from paretoball.exact.elimination_order import MAX_WIDTH

ONES = [((j,), [0, 1]) for j in range(60)]


def constrained(constraints, n=60, pairs=()):
    """A landscape whose objective reads some pairs."""
    terms = [(pair, [0, 1, 1, 3]) for pair in pairs]
    return pb.Landscape.from_subfunctions(n, [terms], constraints=constraints)


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("relation", ["<=", ">=", "=="])
@pytest.mark.parametrize("with_short", [False, True])
def test_up_to_sixteen_columns_are_taken(more, relation, with_short):
    each = 2 if relation == "==" else 1
    long = [(ONES[a : a + 9], relation, 3) for a in range(MOST_COLUMNS // each)]
    short = [(ONES[a : a + 2], ">=", 1) for a in (0, 50)]
    constraints = long[: len(long) - with_short] + short * with_short
    constraints += [(ONES[40:49], relation, 3)] * more
    landscape = constrained(constraints)
    columns = MOST_COLUMNS + each * more - (each - 1) * with_short
    if columns > MOST_COLUMNS:
        assert width_of(landscape) is None
        with pytest.raises(
            ValueError, match=f"{columns} columns of vectors.* up to 8 "
        ):
            with_columns(landscape)
    else:
        assert width_of(landscape) == int(with_short)
        assert len(with_columns(landscape).targets) == columns


@pytest.mark.parametrize(("size", "width"), [(2, 1), (7, 6), (8, 7), (9, 0), (30, 0)])
def test_constraints_over_up_to_eight_variables_are_tables(size, width):
    landscape = constrained([(ONES[:size], ">=", 2)])
    assert width_of(landscape) == width
    is_table = size <= 8
    assert_array_equal(with_columns(landscape).targets, [1 if is_table else 2])


def complete(n, but=()):
    """All pairs of n variables, but for some."""
    return [pair for pair in combinations(range(n), 2) if pair not in but]


@pytest.mark.parametrize(
    ("variables", "targets"),
    [
        ((2, 3, 4), [1]),  # a table, which adds no edge
        ((0, 1, 2), [2]),  # a table would add one, so it is a sum
        ((0, 1), [2]),
    ],
)
def test_tables_are_as_large_as_the_width_allows(variables, targets):
    """Without the pair (0, 1), the width is the largest that there may be."""
    n = MAX_WIDTH + 2
    terms = [ONES[j] for j in variables]
    landscape = constrained([(terms, ">=", 2)], n, complete(n, [(0, 1)]))
    assert_array_equal(with_columns(landscape).targets, targets)
    assert width_of(landscape) == MAX_WIDTH


def test_pairs_stay_tables_where_only_larger_ones_are_too_wide():
    n = MAX_WIDTH + 2
    wide, pair = [ONES[j] for j in (0, 1, 2)], [ONES[j] for j in (3, 4)]
    constraints = [(wide, ">=", 2), (pair, ">=", 2), (pair, "<=", 5)]
    landscape = constrained(constraints, n, complete(n, [(0, 1)]))
    assert_array_equal(with_columns(landscape).targets, [2, 2])
    assert width_of(landscape) == MAX_WIDTH


@pytest.mark.parametrize("more", [0, 1])
def test_smaller_tables_are_tried_while_columns_are_few_enough(more):
    n = MAX_WIDTH + 2
    wide = [ONES[j] for j in (0, 1, 2)]
    constraints = [(wide, ">=", 2)] * (MOST_COLUMNS + more)
    landscape = constrained(constraints, n, complete(n, [(0, 1)]))
    assert width_of(landscape) == (None if more else MAX_WIDTH)
    columns = 1 if more else MOST_COLUMNS
    assert len(with_columns(landscape).targets) == columns


def test_where_no_columns_are_narrow_the_first_ones_are_taken():
    n = MAX_WIDTH + 2
    landscape = constrained([(ONES[:3], ">=", 2)], n, complete(n))
    assert width_of(landscape) is None
    assert_array_equal(with_columns(landscape).targets, [1])


def test_no_constraints_are_no_columns():
    landscape = constrained([], 5, complete(5))
    assert with_columns(landscape).landscape is landscape
    assert len(with_columns(landscape).targets) == 0


@pytest.mark.parametrize("constraints", [[], [(ONES[:2], ">=", 1)]])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_largest_width_is_allowed_and_no_larger_one(constraints, more):
    n = MAX_WIDTH + 1 + more
    landscape = constrained(constraints, n, complete(n))
    assert width_of(landscape) == (None if more > 0 else n - 1)


def test_targets_are_in_the_units_of_their_columns():
    """A solution is feasible if all columns reach their targets, and only then."""
    rng = np.random.default_rng(1)
    n = 12
    rows = rng.integers(-9, 10, (3, n)).tolist()
    sums = [[((j,), [0, a]) for j, a in enumerate(row)] for row in rows]
    constraints = [(sums[0], "<=", 4), (sums[1], ">=", -3), (sums[2], "==", 2)]
    constraints += [(ONES[:2], "<=", 1), (ONES[5:8], ">=", 1)]
    landscape = constrained(constraints, n, [(0, 1)])
    extended, targets = with_columns(landscape)
    X = rng.integers(0, 2, (400, n))
    reached = extended.evaluate(X)[:, 1:] >= targets
    assert reached.shape == (400, 5)
    assert_array_equal(reached.all(axis=1), landscape.is_feasible(X))
    assert 0 < reached.all(axis=1).sum() < 400
