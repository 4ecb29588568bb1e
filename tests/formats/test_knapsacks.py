"""Files of knapsacks: the same items in three formats, and known fronts of samples."""

import numpy as np
import pytest

import paretoball as pb
from format_samples import SAMPLES
from fronts_of_files import feasible_front
from landscape_files import refused_at
from paretoball.formats import knapsack_gomea, knapsack_voptlib, read_described
from paretoball.formats.source import Source

TITLES = {
    "knapsack-zitzler": "knapsacks of Zitzler",
    "knapsack-gomea": "knapsacks of MO-GOMEA",
    "knapsack-voptlib": "knapsack of vOptLib",
}


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and returns its path."""

    def write(content, name="a.txt"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


@pytest.mark.parametrize("name", TITLES)
def test_profits_are_maximised_within_capacities(written, name):
    landscape, titles = read_described(written(SAMPLES[name][1]))
    assert titles == [TITLES[name]]
    assert landscape.sense == ("max", "max")
    assert landscape.evaluate([1, 1, 0]).tolist() == [11, 10]
    both = name != "knapsack-voptlib"
    assert landscape.violation([1, 1, 1]).tolist() == ([5, 7] if both else [5])
    assert landscape.constraints.bounds == ((7, 8) if both else (7,))
    assert all(type(bound) is int for bound in landscape.constraints.bounds)


def test_items_of_mo_gomea_may_have_a_line_each(written):
    lines = "1 3\n+7\n1 +4 +5\n2 +3 +6\n3 +5 +2\n"
    landscape, titles = read_described(written(lines))
    assert titles == ["knapsacks of MO-GOMEA"]
    assert landscape.evaluate([1, 1, 0]).tolist() == [11]


LOOKS = [
    (knapsack_gomea, "1 3\n7\n1 4 5\n2 3 6\n3 5 2\n", True),
    (knapsack_gomea, "1 1\n7.5\n1\n4\n5\n", True),
    (knapsack_gomea, "1 1\n7\n1 4 5\n", True),
    (knapsack_gomea, "1 3\n7\n2 4 5\n2 3 6\n3 5 2\n", False),
    (knapsack_gomea, "1 3\n7\n1 4\n5 2\n3 6\n", False),
    (knapsack_gomea, "1 3\nx\n1 4 5\n", False),
    (knapsack_gomea, "1 3 2\n7\n1 4 5\n", False),
    (knapsack_gomea, "1 3\n7 1\n1 4 5\n", False),
    (knapsack_gomea, "1.0 3\n7\n1 4 5\n", False),
    (knapsack_gomea, "1 3.0\n7\n1 4 5\n", False),
    (knapsack_gomea, "1 3\n7\n1 4.5 5\n", False),
    (knapsack_gomea, "1 3\n7\n1 4 5\nx 3 6\n", False),
    (knapsack_gomea, "1 3\n7\n", False),
    (knapsack_voptlib, "2\n1\n1\n5\n6\n3\n4\n7\n", True),
    (knapsack_voptlib, "# N\n2\n1\n# K\n1\n5\n6\n3\n4\n7\n", True),
    (knapsack_voptlib, "1\n2\n1\n5\n6\n3\n7\n", True),
    (knapsack_voptlib, "2\n1\n2\n5\n6\n3\n4\n7\n", False),
    (knapsack_voptlib, "2\n1\n1\n5\n6\n3\n4\n", False),
    (knapsack_voptlib, "2\n1\n1\n5\n6\n3\n4\n7\n8\n", False),
    (knapsack_voptlib, "2 0\n1\n1\n5\n6\n3\n4\n7\n", False),
    (knapsack_voptlib, "2\n1\n1 0\n5\n6\n3\n4\n7\n", False),
    (knapsack_voptlib, "2\n1\n1.0\n5\n6\n3\n4\n7\n", False),
    (knapsack_voptlib, "2.0\n1\n1\n5\n6\n3\n4\n7\n", False),
    (knapsack_voptlib, "2\n", False),
]


@pytest.mark.parametrize(("format", "text", "looks_right"), LOOKS)
def test_the_first_lines_tell_a_format(format, text, looks_right):
    assert format.sniff(Source("a.txt", text.encode())) == looks_right


ZITZLER, GOMEA, VOPTLIB = (SAMPLES[name][1] for name in TITLES)
WRONG = [
    ("zitzler", ZITZLER.replace("(2 k", "(two k"), 1, "the first line is not like 'kn"),
    (
        "zitzler",
        ZITZLER.replace("(2 k", "(4 k"),
        25,
        "has 22 lines, not .* = 44, below",
    ),
    ("zitzler", ZITZLER.replace("item 2", "item 3"), 8, "'item 3:' is not item 2:"),
    (
        "zitzler",
        ZITZLER.replace("weight: +4", "weight: x"),
        6,
        "'x' at column 11 is not",
    ),
    ("zitzler", ZITZLER.replace("item 2:", "item 2: x"), 8, "is not item 2:"),
    ("zitzler", ZITZLER.replace("weight: +4", "weight: 4 5"), 6, "4 5' is not weight:"),
    ("zitzler", ZITZLER.replace("weight: +4", "weight:"), 6, "is not weight: and a n"),
    (
        "zitzler",
        ZITZLER.replace("ht: +3", "ht: -3").replace("ht: +5", "ht: -5"),
        9,
        "-3",
    ),
    ("zitzler", ZITZLER.replace("weight: +4", "weight: -4"), 6, "is not a weight of 0"),
    (
        "zitzler",
        ZITZLER.replace("weight: +4", "profit: 4"),
        6,
        "is not weight: and a n",
    ),
    (
        "zitzler",
        ZITZLER.replace("+8.5", "-.5"),
        16,
        "'-.5' at column 12 is not a capac",
    ),
    ("zitzler", ZITZLER.replace("weight: +4", "weight: 4.5"), 6, "not a whole number"),
    ("gomea", GOMEA.replace("2 3", "3 3"), 23, "has 22 numbers, not .* = 32 for d = 3"),
    ("gomea", GOMEA.replace("2 3", "2 0"), 1, "d = 2 and n = 0, but both are 1 or"),
    (
        "gomea",
        GOMEA.replace("\n2\n", "\n4\n", 1),
        7,
        "'4' at column 1 is not 2, the next",
    ),
    ("gomea", GOMEA.replace("+4", "-4"), 5, "'-4' at column 1 is not a weight of 0"),
    ("gomea", GOMEA.replace("+7\n1", "-7\n1"), 3, "'-7' at column 1 is not a capacity"),
    ("gomea", GOMEA.replace("+4", "4.5"), 5, "'4.5' at column 1 is not a whole number"),
    ("gomea", "2", 1, "the header is not d and n"),
    ("gomea", "0 3\n", 1, "d = 0 and n = 3, but both are 1 or more"),
    ("gomea", "-1 3\n", 1, "d = -1 and n = 3, but both are 1 or more"),
    ("voptlib", "0\n2\n1\n5\n", 1, "n = 0 and p = 2, but both are 1 or more"),
    ("voptlib", "2\n0\n1\n3\n4\n7\n", 1, "n = 2 and p = 0, but both are 1 or more"),
    (
        "voptlib",
        VOPTLIB.replace("# N\n3", "# N\n4"),
        22,
        "has 13 numbers, not .* = 16, f",
    ),
    ("voptlib", VOPTLIB.replace("# K\n1", "# K\n2"), 8, "k = 2 constraints, but these"),
    ("voptlib", VOPTLIB.replace("5\n6", "5 6"), 10, "the line has 2 words, not 1"),
    ("voptlib", VOPTLIB.replace("4\n3", "4\n-3"), 19, "is not a weight of 0 or more"),
    ("gomea", GOMEA.replace("+7\n+8", "-7\n+8"), 22, "'-7' at column 1 is not a w"),
    ("voptlib", VOPTLIB.replace("\n7\n", "\n-7\n"), 22, "is not a capacity of 0 or m"),
    ("voptlib", "# N\n3\n", None, "it has no n, p and k"),
]


@pytest.mark.parametrize(("name", "content", "line", "text"), WRONG)
def test_what_is_no_knapsack_is_refused_by_line(written, name, content, line, text):
    refused_at(written(content), line, text, format=f"knapsack-{name}")


@pytest.mark.parametrize("name", TITLES)
def test_capacities_and_weights_may_be_0(written, name):
    text = SAMPLES[name][1].replace("\n7\n", "\n0\n").replace("+7\n", "+0\n")
    landscape = pb.read_landscape(written(text))
    assert landscape.constraints.bounds[0] == 0


def front_by_weight(profits, weights, capacity):
    """The front of a knapsack with one capacity: all that can be packed, by weight."""
    fronts = {0: {(0, 0)}}
    for j, weight in enumerate(weights):
        for used, points in sorted(fronts.items(), reverse=True):
            if used + weight <= capacity:
                more = {(p + profits[0][j], q + profits[1][j]) for p, q in points}
                both = fronts.get(used + weight, set()) | more
                fronts[used + weight] = best(both)
    return best(set().union(*fronts.values()))


def best(points):
    """Those that no other point dominates."""
    found, highest = set(), -1
    for p, q in sorted(points, reverse=True):
        if q > highest:
            found.add((p, q))
            highest = q
    return found


@pytest.mark.parametrize("name", ["2KP50-11", "2KP50-50"])
def test_fronts_of_voptlib_are_those_beside_the_files(shared_folder, name):
    path = shared_folder / "data" / "voptlib" / f"{name}.dat"
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    landscape = pb.read_landscape(path)
    units = np.eye(landscape.n, dtype=int)
    (capacity,) = landscape.constraints.bounds
    profits = landscape.evaluate(units).T.tolist()
    weights = landscape.constraint_rows.row_factors.tolist()
    rows = path.with_suffix(".Y").read_text().split("\n")
    known = {tuple(map(int, row.split())) for row in rows if row.strip()}
    assert front_by_weight(profits, weights, capacity) == known


@pytest.mark.parametrize(
    ("name", "n", "capacities"),
    [
        ("knapsack/knapsack.100.2.txt", 100, (2732, 2753)),
        ("zitzler/250_2.txt", 250, (6536, 6489)),
    ],
)
def test_samples_of_two_knapsacks_are_read(shared_folder, name, n, capacities):
    path = shared_folder / "data" / name
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    landscape = pb.read_landscape(path)
    assert (landscape.n, landscape.d) == (n, 2)
    assert landscape.constraints.bounds == capacities
    sums = landscape.violation(np.ones(n, int)) + capacities
    assert (sums // 2).tolist() == list(capacities)  # half of all weights


def test_small_knapsacks_have_the_fronts_of_their_definition(written):
    assert feasible_front(pb.read_landscape(written(VOPTLIB))) == {(11, 10): 1}
