"""Instances: the landscapes that searches are compared on, by name.

Most are MNK landscapes. Two come from outside, as files in a folder that is not part of
this project: `mubqp/mub200.dat`, and `maxcut/mc_instance_25_*.txt` with its front. In a
`quick` run all that are made here are small.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import paretoball as pb
from paretoball.archive.points import Points

SMALL_SEED = 2016
BATCH = 1 << 16  # solutions to evaluate at a time


class Instance(NamedTuple):
    """A landscape, and what is known about it."""

    name: str
    landscape: pb.Landscape
    front: np.ndarray | None = None  # (size, d): its Pareto front, where it is known


def made(name: str, quick: bool) -> Instance:
    """One of the landscapes that need no files."""
    shape = dict(MADE[name])
    if quick:
        shape["n"] = 60 if shape["K"] > 3 else max(200, shape["n"] // 250)
    return Instance(name, pb.mnk(q=100, seed=1, **shape))


MADE: dict[str, dict[str, Any]] = {
    "adjacent-10k": {"n": 10_000, "K": 3, "d": 2},
    "adjacent-100k": {"n": 100_000, "K": 3, "d": 2},
    "random-10k": {"n": 10_000, "K": 3, "d": 2, "model": "random"},
    "adjacent-10k-d3": {"n": 10_000, "K": 3, "d": 3},
    "random-1k-K5": {"n": 1_000, "K": 5, "d": 2, "model": "random"},
}


def mubqp_200(folder: Path) -> Instance:
    """A dense problem: 200 variables, of which 80 % of all pairs interact."""
    return Instance("mubqp-200", read_mubqp(folder / "mubqp" / "mub200.dat"))


def maxcut_25(folder: Path) -> Instance:
    """Two cuts of the complete graph with 25 nodes, and their front."""
    paths = [folder / "maxcut" / f"mc_instance_25_{i}.txt" for i in range(2)]
    front = np.loadtxt(folder / "maxcut" / "mc_pareto_front_25.txt", skiprows=1)
    return Instance("maxcut-25", read_maxcut(paths), front.astype(np.int64))


OUTSIDE = {"mubqp-200": mubqp_200, "maxcut-25": maxcut_25}


def read_mubqp(path: Path) -> pb.Landscape:
    """The sum of c_jk x_j x_k, maximised: a line for each (j, k), objectives across.

    Lines that begin with a letter are comments and headers.
    """
    lines = [line for line in path.read_text().splitlines() if line[:1] not in "cp"]
    entries = np.loadtxt(lines, dtype=np.int64)
    n = round(len(entries) ** 0.5)
    matrices = entries.T.reshape(-1, n, n)
    return pb.Landscape.from_subfunctions(n, map(quadratic, matrices))


def quadratic(matrix: np.ndarray) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """One subfunction for each variable and each pair that count."""
    for j, k in np.argwhere(np.triu(matrix + matrix.T)).tolist():
        if j == k:
            yield (j,), [0, int(matrix[j, j])]
        else:
            yield (j, k), [0, 0, 0, int(matrix[j, k] + matrix[k, j])]


def read_maxcut(paths: list[Path]) -> pb.Landscape:
    """The weights of edges cut, maximised: a graph on the same nodes per objective.

    A file has the numbers of nodes and edges, then a line (node, node, weight) for each
    edge, nodes counted from 1.
    """
    graphs = [np.loadtxt(path, skiprows=1, dtype=np.int64) for path in paths]
    n = max(int(graph[:, :2].max()) for graph in graphs)
    objectives = [
        [((j - 1, k - 1), [0, weight, weight, 0]) for j, k, weight in graph.tolist()]
        for graph in graphs
    ]
    return pb.Landscape.from_subfunctions(n, objectives)


def small_ones(count: int, largest: int) -> Iterator[Instance]:
    """Landscapes of 10 to `largest` variables and all kinds, with their fronts."""
    rng = np.random.default_rng(SMALL_SEED)
    for number in range(count):
        n, K, d = (
            int(rng.integers(*ends)) for ends in ((10, largest + 1), (1, 6), (2, 4))
        )
        model = ("adjacent", "random")[number % 2]
        landscape = pb.mnk(n=n, K=K, d=d, q=100, model=model, seed=number)
        yield Instance(f"small {number}", landscape, brute_force(landscape))


def brute_force(landscape: pb.Landscape) -> np.ndarray:
    """The Pareto front, from all 2^n solutions: (size, d), ascending."""
    archive = pb.Archive(landscape.d)
    for first in range(0, 1 << landscape.n, BATCH):
        numbers = np.arange(first, min(first + BATCH, 1 << landscape.n))
        X = (numbers[:, None] >> np.arange(landscape.n) & 1).astype(np.uint8)
        F = landscape.inside(landscape.evaluate(X))
        archive.take_in(Points.tagged(F, np.zeros((len(F), 3), np.int64)))
    F = landscape.shown(archive.F)
    return F[np.lexsort(F.T[::-1])]
