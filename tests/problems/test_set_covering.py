"""Set covering: costs of columns, and rows that need some of them."""

import numpy as np
import pytest

import paretoball as pb

COSTS = [[3, 1, 2, 5], [1, 4, 2, 0]]
ROWS = [[0, 1], [1, 2, 3], [3]]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        [set(row) for row in ROWS],
        [np.array(row) for row in ROWS],
        np.array([[1, 1, 0, 0], [0, 1, 1, 1], [0, 0, 0, 1]]),
        np.array([[1, 1, 0, 0], [0, 1, 1, 1], [0, 0, 0, 1]], bool),
        np.array([[1, 1, 0, 0], [0, 1, 1, 1], [0, 0, 0, 1]], float),
    ],
)
def test_a_row_is_covered_by_any_of_its_columns(rows):
    landscape = pb.set_covering(COSTS, rows)
    assert landscape.sense == ("min", "min")
    for x in np.ndindex(2, 2, 2, 2):
        covered = [any(x[j] for j in row) for row in ROWS]
        assert landscape.violation(x).tolist() == [int(not each) for each in covered]
        assert landscape.evaluate(x).tolist() == (np.array(COSTS) @ x).tolist()


def test_sparse_matrices_are_rows():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_array(np.array([[1, 1, 0, 0], [0, 1, 1, 1], [0, 0, 0, 1]]))
    landscape = pb.set_covering(COSTS, matrix)
    plain = pb.set_covering(COSTS, ROWS)
    every = list(np.ndindex(2, 2, 2, 2))
    assert landscape.violation(every).tolist() == plain.violation(every).tolist()
    zeros = sparse.coo_array(
        ([1, 0, 1, 1, 1, 1], ([0, 0, 1, 1, 2, 1], [1, 0, 3, 1, 3, 2]))
    )
    landscape = pb.set_covering(COSTS, zeros)
    assert landscape.violation([1, 0, 0, 1]).tolist() == [1, 0, 0]
    twice = sparse.coo_array(([1, 1, 1], ([0, 1, 1], [1, 2, 2])), shape=(2, 4))
    with pytest.raises(ValueError, match="rows has 1 at row 1, column 2, but a column"):
        pb.set_covering(COSTS, twice)


def test_rows_may_need_several_columns():
    landscape = pb.set_covering(COSTS, ROWS[:2], demands=[1, 2])
    assert landscape.violation([0, 1, 0, 0]).tolist() == [0, 1]
    assert pb.set_covering(COSTS[0], ROWS[:2], 2).is_feasible([1, 1, 0, 1])
    assert pb.set_covering(COSTS, ROWS, [0, 3, 1]).is_feasible([0, 1, 1, 1])
    assert pb.set_covering(COSTS, [[], [0]], [0, 1]).is_feasible([1, 0, 0, 0])


def test_columns_are_told_by_label():
    landscape = pb.set_covering([1, 2], [["b"], ["a", "b"]], labels=["a", "b"])
    assert landscape.violation({"a": 1, "b": 0}).tolist() == [1, 0]


WRONG = [
    ({"rows": 5}, TypeError, "rows is 5, not a list of rows or a matrix"),
    ({"rows": [[0], 3]}, TypeError, "row 1 is 3, not a list of columns"),
    ({"rows": [[0, 4]]}, ValueError, "row 0 has the column 4, which is not in 0 to 3"),
    ({"rows": [[0], [-1]]}, ValueError, "row 1 has the column -1, which is not in 0"),
    ({"rows": [[0, 0]]}, ValueError, "row 0 has the column 0 twice"),
    ({"rows": [[0], []]}, ValueError, "row 1 needs 1 columns, but has 0 columns"),
    ({"rows": [[0]], "demands": 2}, ValueError, "row 0 needs 2 columns, but has 1"),
    ({"rows": [[0]], "demands": [1, 1]}, ValueError, "2 demands given for 1 row"),
    ({"rows": [[0]], "demands": -1}, ValueError, "the demand of row 0 = -1, but it"),
    ({"rows": np.eye(3)}, ValueError, r"shape \(3, 3\), but there are costs of 4 col"),
    ({"rows": 2 * np.eye(4)}, ValueError, "rows has 2.0 at row 0, column 0, but a col"),
    (
        {"rows": [["a"]], "labels": list("bcde")},
        ValueError,
        "'a', which is not in labels",
    ),
]


@pytest.mark.parametrize(("given", "kind", "text"), WRONG)
def test_what_is_no_covering_is_refused_by_place(given, kind, text):
    with pytest.raises(kind, match=text):
        pb.set_covering(COSTS, **given)


def test_random_coverings_have_rows_of_two_columns_or_more():
    landscape = pb.random_covering(200, rows=40, density=0.005, d=3, seed=3)
    sizes = np.diff(landscape.constraint_rows.row_at)
    assert len(sizes) == 40
    assert sizes.min() == 2 < sizes.max()
    assert landscape.d == 3
    many = pb.random_covering(1000, seed=3)
    costs = many.evaluate(np.eye(1000))
    assert np.unique(costs).tolist() == list(range(1, 101))
    assert costs.shape == (1000, 2)
    assert len(many.constraints) == 100
    assert len(many.constraint_rows.row_factors) == pytest.approx(10_000, rel=0.05)
    assert len(pb.random_covering(25, seed=1).constraints) == 3
    assert pb.random_covering(1, seed=1).is_feasible([1])
    with pytest.raises(ValueError, match="density = 0"):
        pb.random_covering(9, density=0)
