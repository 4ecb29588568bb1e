"""Public files of graphs and quadratic forms, and what is known of their answers."""

import json
from itertools import product

import numpy as np
import pytest

from fronts_of_files import front_of_quadratic
from paretoball import Landscape, hypervolume, read_landscape, solve
from paretoball.formats.registry import read_described

BLOCK = 1 << 16  # solutions that are evaluated at a time


@pytest.fixture
def data(shared_folder):
    """The folder of public files."""
    folder = shared_folder / "data"
    if not folder.is_dir():
        pytest.skip(f"no public files: {folder} does not exist")
    return folder


def edges_of(path) -> tuple[int, list[tuple[int, int, int]]]:
    """A graph by its numbers alone."""
    n, m, *rest = map(int, path.read_text().split())
    edges = list(zip(rest[::3], rest[1::3], rest[2::3]))
    assert len(edges) == m
    return n, edges


def cut(edges, x) -> int:
    return sum(w for i, j, w in edges if x[i - 1] != x[j - 1])


def all_cuts(landscape: Landscape) -> np.ndarray:
    """All points, by enumeration; the last bit is 0, as cuts of others are the same."""
    n, points = landscape.n, np.zeros((0, landscape.d), np.int64)
    for start in range(0, 1 << (n - 1), BLOCK):
        numbers = np.arange(start, min(start + BLOCK, 1 << (n - 1)))
        found = landscape.evaluate(numbers[:, None] >> np.arange(n) & 1)
        points = np.unique(np.concatenate([points, found]), axis=0)
    return points


def known_front(path) -> list[tuple[float, ...]]:
    """The points below the number of points."""
    count, *rows = path.read_text().split("\n")
    points = sorted(tuple(map(float, row.split())) for row in rows if row.strip())
    assert len(points) == int(count)
    return points


@pytest.mark.parametrize(
    "name",
    [
        "gset/G11.txt",
        "gset/G14.txt",
        "maxcut/maxcut_instance_50_0.txt",
        "maxcut/mc_instance_12_0.txt",
        "maxcut/mc_instance_25_1.txt",
        "maxcut/mc_instance_6_1.txt",
        "maxcut_single/n0000016i00.txt",
        "maxcut_single/n0000100i00.txt",
    ],
)
def test_cuts_of_public_graphs(data, name):
    n, edges = edges_of(data / name)
    landscape, titles = read_described(data / name)
    assert titles == ["a MaxCut graph, as in the G-set"]
    X = np.random.default_rng(0).integers(0, 2, (20, n))
    right = [[cut(edges, x)] for x in X.tolist()]
    assert landscape.evaluate(X).tolist() == right


@pytest.mark.parametrize("n", [6, 12, pytest.param(25, marks=pytest.mark.long)])
def test_fronts_of_two_graphs_are_the_known_ones(data, n):
    folder = data / "maxcut"
    paths = [folder / f"mc_instance_{n}_{i}.txt" for i in range(2)]
    landscape = read_landscape(*paths)
    assert landscape.names == (f"mc_instance_{n}_0", f"mc_instance_{n}_1")
    known = known_front(folder / f"mc_pareto_front_{n}.txt")
    assert front_of_quadratic(landscape) == known


def test_a_search_finds_all_known_points_of_two_graphs(data):
    folder = data / "maxcut"
    paths = [folder / f"maxcut_instance_50_{i}.txt" for i in range(2)]
    found = solve(read_landscape(*paths), max_climbs=100, seed=1).F
    known = known_front(folder / "maxcut_pareto_front_50.txt")
    assert len(known) == 42
    assert all((found >= point).all(axis=1).any() for point in known)


def test_the_best_cut_of_16_nodes_is_the_known_one(data):
    landscape = read_landscape(data / "maxcut_single" / "n0000016i00.txt")
    best = int((data / "maxcut_single" / "n0000016i00.bkv").read_text())
    assert all_cuts(landscape).max() == best == 98


@pytest.mark.parametrize(
    ("name", "best", "climbs"),
    [
        ("maxcut_single/n0000016i00", 98, 40),
        ("maxcut_single/n0000100i00", 586, 80),
        ("gset/G11", 564, 110),
    ],
)
def test_a_search_finds_the_best_known_cut(data, name, best, climbs):
    landscape = read_landscape(data / f"{name}.txt")
    assert solve(landscape, max_climbs=climbs, seed=1).F.max() == best


def three_graphs(data) -> Landscape:
    return read_landscape(*(data / "momaxcut42" / f"q42_3o_{i}.json" for i in range(3)))


def test_three_graphs_make_one_landscape(data):
    landscape = three_graphs(data)
    assert (landscape.n, landscape.d) == (42, 3)
    assert sorted(landscape.labels) == list(range(42))
    x = np.random.default_rng(0).integers(0, 2, 42)
    side = dict(zip(landscape.labels, x.tolist()))
    for i in range(3):
        graph = json.loads((data / "momaxcut42" / f"q42_3o_{i}.json").read_text())
        edges = graph.get("links", graph.get("edges"))
        right = sum(
            e["weight"] for e in edges if side[e["source"]] != side[e["target"]]
        )
        assert landscape.evaluate(x)[i] == pytest.approx(right, abs=1e-10)


@pytest.mark.long
def test_the_front_of_three_graphs_is_the_known_one(data):
    lower = json.loads((data / "momaxcut42" / "q42_3o_lower_bounds.json").read_text())
    found = solve(three_graphs(data), time_limit=60, seed=1)
    volume = hypervolume(found.F, ref=lower, sense="max")
    assert volume == pytest.approx(43471.7037, abs=1e-4)
    assert len(found) == 2067


def energies(landscape: Landscape, labels) -> list[float]:
    """All values, by the bits of these labels."""
    order = [landscape.labels.index(label) for label in labels]
    found = []
    for bits in product((0, 1), repeat=len(labels)):
        x = np.zeros(landscape.n, np.int64)
        x[order] = bits
        found.append(landscape.evaluate(x).item())
    return found


def test_four_files_of_one_model_agree(data):
    folder, labels = data / "qubo", (2, 4, 6)
    right = [
        1.3 * a - 0.7 * c if c == 0 or a == 0 else 0.6
        for a, _, c in product((0, 1), repeat=3)
    ]
    for name in ("01.bool.json", "01.bool.qubo", "01.spin.json"):
        landscape = read_landscape(folder / name)
        assert landscape.labels == labels
        assert energies(landscape, labels) == right
    ising = read_landscape(folder / "01.spin.qh")  # has no place for the offset 0.3
    assert ising.labels == labels
    assert energies(ising, labels) == pytest.approx([each - 0.3 for each in right])


def test_two_files_of_a_larger_model_agree_but_for_the_offset(data):
    one = read_landscape(data / "qubo" / "04.bool.json")
    other = read_landscape(data / "qubo" / "04.bool.qubo")
    offset = json.loads((data / "qubo" / "04.bool.json").read_text())["offset"]
    assert one.labels == other.labels
    X = np.random.default_rng(0).integers(0, 2, (50, one.n))
    assert one.evaluate(X).tolist() == (other.evaluate(X) + offset).tolist()


def test_the_sample_of_qbsolv(data):
    lines = (data / "qubo" / "factoring.qubo").read_text().split("\n")
    rows = [line.split() for line in lines if line[:1].isdigit()]
    landscape = read_landscape(data / "qubo" / "factoring.qubo")
    x = np.random.default_rng(0).integers(0, 2, landscape.n)
    bit = dict(zip(landscape.labels, x.tolist()))
    right = sum(int(w) * bit[int(i)] * bit[int(j)] for i, j, w in rows)
    assert landscape.evaluate(x).tolist() == [right]


def test_the_sample_of_mqlib_is_asked_back(data):
    path = data / "qubo" / "mqlib_sampleQUBO.txt"
    with pytest.raises(ValueError, match=r"any of 'biqmac' .* 'mqlib' .* give format="):
        read_landscape(path)
    landscape = read_landscape(path, format="mqlib")
    Q = np.array([[5, -6, 0], [-6, 3, -1], [0, -1, 1]])
    for x in product((0, 1), repeat=3):
        assert landscape.evaluate(x).item() == np.array(x) @ Q @ x
    assert landscape.sense == ("max",)
