"""Public files with constraints: the ends of known fronts, by another solver."""

import re

import numpy as np
import pytest

import paretoball as pb

optimize = pytest.importorskip("scipy.optimize")

KNOWN = {  # files of points, or comments with them
    "knapsack/knapsack.100.2.txt": "knapsack/knapsack.100.2.pareto.txt",
    "zitzler/250_2.txt": "zitzler/nd_250_2.txt",
    "voptlib/2KP50-11.dat": "voptlib/2KP50-11.Y",
    "voptlib/2KP50-50.dat": "voptlib/2KP50-50.Y",
    "scuttle/set-cover.mcnf": "scuttle/set-cover.mcnf",
    "scuttle/spot5.mcnf": "scuttle/spot5.mcnf",
    "scuttle/dal.opb": "scuttle/dal.opb",
}


def points_in(path) -> np.ndarray:
    """The points of a file: `nd (1, 2)` in comments, or lines of two numbers."""
    text = path.read_text()
    found = re.findall(r"nd \(([^)]*)\)", text)
    found = found or re.findall(r"^(\d+ +\d+) *$", text, re.MULTILINE)
    return np.array([list(map(int, re.findall(r"\d+", each))) for each in found])


def best(landscape: pb.Landscape, i: int) -> int:
    """The best feasible value of a linear objective, by an integer program."""
    n, rows = landscape.n, landscape.constraint_rows
    A = np.zeros((len(landscape.constraints), n))
    for c in range(len(A)):
        own = slice(rows.row_at[c], rows.row_at[c + 1])
        A[c, rows.row_variables[own]] = rows.row_factors[own]
    lower = np.where(rows.lower > -(2**61), rows.lower - rows.constant, -np.inf)
    upper = np.where(rows.upper < 2**61, rows.upper - rows.constant, np.inf)
    bare = landscape.evaluate(np.zeros(n, int))[i]
    costs = landscape.evaluate(np.eye(n, dtype=int))[:, i] - bare
    found = optimize.milp(
        -landscape.signs[i] * costs,
        constraints=optimize.LinearConstraint(A, lower, upper),
        integrality=np.ones(n),
        bounds=optimize.Bounds(0, 1),
    )
    x = np.rint(found.x).astype(int)
    assert landscape.is_feasible(x)
    return int(landscape.evaluate(x)[i])


@pytest.mark.parametrize("name", KNOWN)
def test_the_ends_of_a_known_front_are_the_best_values(shared_folder, name):
    paths = [shared_folder / "data" / each for each in (name, KNOWN[name])]
    for path in paths:
        if not path.exists():
            pytest.skip(f"{path} does not exist")
    landscape, points = pb.read_landscape(paths[0]), points_in(paths[1])
    assert points.shape[1] == landscape.d
    ends = (points * landscape.signs).max(axis=0) * landscape.signs
    assert [best(landscape, i) for i in range(landscape.d)] == ends.tolist()
