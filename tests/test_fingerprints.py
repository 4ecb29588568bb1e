"""Fingerprints: some runs, of all kinds, end with the very bytes they always had.

Other tests tell that a front is a right one; these tell that it is the same one, with
the same solutions from the same climbs, so that no change to the code changes what a
seed gives without anybody noticing. Where that is meant, the command
`python tests/test_fingerprints.py --write` makes the table anew.
"""

import hashlib
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paretoball as pb
from layouts import used_layout
from paretoball.climber import BY_CLIQUES, BY_ROWS
from paretoball.climber.stencils import BY_STENCILS
from paretoball.search.path.effort import HOT_DENSE, Effort

FINGERPRINTS = {
    "multistart": "17bd7f64dff357b4",
    "multistart-many-moves-to-choose-from": "d811b4a2db1c4b25",
    "multistart-uniform-selection": "f3b9951ba450c18d",
    "multistart-bounded-archive": "f3a3897f846f7ef4",
    "multistart-strong-only": "75c038d26833256b",
    "multistart-four-objectives": "b647fbc9090c014b",
    "multistart-real-tables": "dfc6019c9d6e2f33",
    "path": "7787f49fb67db18c",
    "path-ragged-minimised": "2d439e2417077740",
    "path-best-improvement": "42447dbd333b2d32",
    "path-resumed": "5f16b15f561f8d1c",
    "path-one-objective-of-two-rounds": "5ee022b1887f7c6c",
    "path-two-objectives-of-two-rounds": "bd750e05437c7fd7",
    "path-three-objectives-of-two-rounds": "61c44ef0fa274f4a",
    "path-one-objective": "cdf1d2bbcb0032d0",
    "path-three-objectives": "9c5433be24522ebd",
    "path-four-objectives": "625ea5e0cb69b140",
    "path-six-objectives": "2ffcd654e2c6dfcd",
    "path-of-pairs": "13a2d515ef70fd0d",
    "pls": "815127c3822fbff5",
    "pls-resumed": "0022dbb1b8a5db9c",
    "path-dense": "1d6f6dbafdeaa3d8",
    "path-dense-one-objective": "e28da19ccb55dfc9",
    "path-by-records": "1e54a0af3414f40f",
    "path-by-stencils": "093ab077d2479df1",
    "pls-dense": "ecfb21d24c3c7a87",
    "constrained-knapsack": "0abc47b6c990c90e",
    "constrained-knapsack-by-fillings": "72fc3347872c2a2f",
    "constrained-covering": "7c568f523b908930",
    "constrained-one-objective": "28d3f96885685c81",
    "constrained-path": "7e53373fb505a1cf",
    "constrained-path-of-two-rounds": "c1df9026ca65a936",
    "constrained-path-resumed": "568ba15a1fbe4e51",
    "constrained-multistart": "b034c9b188984fab",
}


def fingerprint(result: pb.Result) -> str:
    """16 hexadecimal digits that depend on every byte of what was found, and where."""
    parts = [
        result.F.astype("<f8" if result.F.dtype.kind == "f" else "<i8"),
        np.packbits(result.X),
        result.climb.astype("<i8"),
        result.step.astype("<i8"),
        result.optimum.astype("u1"),
        np.array([result.moves, result.climbs], "<i8"),
    ]
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()[:16]


class Run:
    """One run: its landscape, how many workers to try, and what `solve` is given.

    With `stop_at`, it is stopped after so many climbs, and resumed.
    """

    def __init__(
        self,
        landscape: Callable[[], pb.Landscape],
        workers: tuple[int, ...] = (1,),
        stop_at: int | None = None,
        **options: Any,
    ):
        self.landscape = landscape
        self.workers = workers
        self.stop_at = stop_at
        self.options = {"seed": 1} | options

    def results(self, folder: Path) -> list[pb.Result]:
        """What it ends with, by each number of workers."""
        landscape = self.landscape()
        return [self._result(landscape, folder, count) for count in self.workers]

    def _result(self, landscape: pb.Landscape, folder: Path, workers: int) -> pb.Result:
        options = self.options | {"workers": workers}
        if self.stop_at is None:
            return pb.solve(landscape, **options)
        file = folder / f"run-by-{workers}.npz"
        options |= {"max_climbs": self.stop_at, "checkpoint": file}
        assert pb.solve(landscape, **options).climbs == self.stop_at
        limit = self.options["max_climbs"]
        return pb.resume(file, max_climbs=limit, workers=workers)


def ragged(n: int, read: int) -> pb.Landscape:
    """Masks of 0 to 4 of the first `read` variables; the others change nothing."""
    rng = np.random.default_rng(1)

    def subfunction() -> tuple[list[int], list[int]]:
        mask = rng.permutation(read)[: rng.integers(5)]
        return mask.tolist(), rng.integers(-50, 51, 1 << len(mask)).tolist()

    objectives = [[subfunction() for _ in range(read)] for _ in range(2)]
    return pb.Landscape.from_subfunctions(n, objectives, ["max", "min"])


def limited(n: int, d: int = 2) -> pb.Landscape:
    """A resource, a number of ones, and pairs of neighbours few of which are ones."""
    rng = np.random.default_rng(1)
    masks = [((j, (j + 1) % n), (j, (j + 2) % n)) for j in range(n)]
    objectives = [
        [(mask, rng.integers(0, 100, 4).tolist()) for two in masks for mask in two]
        for _ in range(d)
    ]
    used = [((j,), [0, int(w)]) for j, w in enumerate(rng.integers(10, 20, n))]
    ones = [((j,), [0, 1]) for j in range(0, n, 3)]
    pairs = [(mask, [0, 0, 0, 1]) for mask, _ in masks]
    constraints = [(used, "<=", 8 * n), (ones, "==", n // 6), (pairs, "<=", n // 5)]
    return pb.Landscape.from_subfunctions(n, objectives, constraints=constraints)


mnk = partial(pb.mnk, seed=1)
dense = partial(pb.random_qubo, 60, density=0.5, seed=1)
multistart = partial(Run, method="multistart")
path = partial(Run, method="path")

RUNS = {
    "multistart": multistart(
        partial(mnk, n=300, K=2), workers=(1, 2), radius=2, max_climbs=30
    ),
    "multistart-many-moves-to-choose-from": multistart(  # more than 4,096 of a size
        partial(mnk, n=20_000, K=2), radius=2, max_moves=25_000
    ),
    "multistart-uniform-selection": multistart(  # the same, from all of them
        partial(mnk, n=20_000, K=2), radius=2, max_moves=25_000, selection="uniform"
    ),
    "multistart-bounded-archive": multistart(  # cut after 32 climbs, and at the end
        partial(mnk, n=2000, K=1), radius=1, max_climbs=40, max_archive=20
    ),
    "multistart-strong-only": multistart(
        partial(mnk, n=200, K=3, model="random"),
        radius=2,
        max_climbs=40,
        climb="strong-only",
        weights="independent",
    ),
    "multistart-four-objectives": multistart(
        partial(mnk, n=60, K=1, d=4, model="random"),
        workers=(1, 2),
        radius=3,
        max_moves=777,
    ),
    "multistart-real-tables": multistart(
        partial(mnk, n=150, K=2, q=None), radius=2, max_climbs=20
    ),
    "path": path(  # three rounds, and some of the next
        partial(mnk, n=600, K=2), workers=(1, 3), radius=2, max_climbs=26, breadth=8
    ),
    "path-ragged-minimised": path(
        partial(ragged, n=600, read=60), radius=1, max_climbs=13
    ),
    "path-best-improvement": path(
        partial(mnk, n=150, K=2, model="random"),
        radius=2,
        max_climbs=5,
        selection="best",
    ),
    "path-resumed": path(  # from the middle of a round
        partial(mnk, n=100, K=3), stop_at=6, radius=3, max_climbs=40, breadth=4
    ),
    "path-one-objective-of-two-rounds": path(
        partial(mnk, n=30, K=3, d=1), workers=(1, 2), max_climbs=11, breadth=4
    ),
    "path-two-objectives-of-two-rounds": path(
        partial(mnk, n=20, K=2), workers=(1, 2), max_climbs=11, breadth=4
    ),
    "path-three-objectives-of-two-rounds": path(
        partial(mnk, n=15, K=1, d=3), workers=(1, 2), max_climbs=11, breadth=4
    ),
    "path-one-objective": path(  # stopped on its way
        partial(mnk, n=200, K=3, d=1, model="random"), radius=2, max_moves=20_000
    ),
    "path-three-objectives": path(
        partial(mnk, n=80, K=2, d=3), stop_at=7, radius=2, max_climbs=70
    ),
    "path-four-objectives": path(
        partial(mnk, n=40, K=1, d=4), workers=(1, 2), max_climbs=30, breadth=4
    ),
    "path-six-objectives": path(  # of many variables: only local optima are reported
        partial(mnk, n=600, K=2, d=6), stop_at=5, max_climbs=13, breadth=4
    ),
    "path-of-pairs": path(  # by rows
        partial(mnk, n=60, K=1, model="random"), workers=(1, 2), max_climbs=60
    ),
    "pls": path(
        partial(mnk, n=40, K=2), workers=(1, 2), method="pls", max_climbs=30, breadth=4
    ),
    "pls-resumed": path(  # stopped in a filling
        partial(mnk, n=30, K=1, d=3),
        method="pls",
        stop_at=11,
        radius=3,
        max_climbs=23,
        breadth=4,
    ),
    "path-dense": path(  # by whole rows; anneals begin colder
        dense, workers=(1, 2), radius=1, max_climbs=20, breadth=4
    ),
    "path-dense-one-objective": path(
        partial(dense, d=1), radius=1, max_climbs=9, breadth=4
    ),
    "path-by-records": path(
        partial(mnk, n=60, K=2, model="random"), radius=1, max_climbs=20, breadth=4
    ),
    "path-by-stencils": path(
        partial(mnk, n=60, K=2), radius=1, max_climbs=20, breadth=4
    ),
    "pls-dense": path(dense, method="pls", radius=1, max_climbs=20, breadth=4),
    "constrained-knapsack": path(
        partial(pb.random_knapsack, 50, seed=1), max_climbs=12, breadth=4
    ),
    "constrained-knapsack-by-fillings": path(
        partial(pb.random_knapsack, 50, seed=1), method="pls", max_climbs=12, breadth=4
    ),
    "constrained-covering": path(
        partial(pb.random_covering, 60, 20, seed=1), max_climbs=12, breadth=4
    ),
    "constrained-one-objective": path(
        partial(limited, n=40, d=1), max_climbs=12, breadth=4
    ),
    "constrained-path": path(
        partial(limited, n=40), workers=(1, 2), max_climbs=12, breadth=4
    ),
    "constrained-path-of-two-rounds": path(
        partial(limited, n=7), workers=(1, 2), max_climbs=5, breadth=2
    ),
    "constrained-path-resumed": path(
        partial(limited, n=30), stop_at=5, max_climbs=13, breadth=4
    ),
    "constrained-multistart": multistart(
        partial(limited, n=60), workers=(1, 2), max_climbs=20
    ),
}
PLAIN = {  # also run as plain Python
    "path-one-objective-of-two-rounds": pytest.mark.plain,
    "path-two-objectives-of-two-rounds": pytest.mark.plain,
    "path-three-objectives-of-two-rounds": pytest.mark.plain,
    "pls": pytest.mark.plain_long,
    "constrained-path-of-two-rounds": pytest.mark.plain,
}


def marked(name: str) -> Any:
    """The parameter of a run; short ones are run as plain Python, too."""
    return pytest.param(name, marks=PLAIN.get(name, ()))


@pytest.mark.parametrize("name", [*map(marked, RUNS)])
def test_a_seed_gives_the_front_it_always_gave(name, tmp_path):
    for result in RUNS[name].results(tmp_path):
        assert fingerprint(result) == FINGERPRINTS[name]


@pytest.mark.parametrize("name", ["multistart", "path"])
def test_of_few_moves_uniform_selection_gives_the_same_front(name, tmp_path):
    run = RUNS[name]
    run = Run(run.landscape, **run.options | {"selection": "uniform"})
    (result,) = run.results(tmp_path)
    assert fingerprint(result) == FINGERPRINTS[name]


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("path-dense", BY_ROWS),
        ("path-by-records", BY_CLIQUES),
        ("path-by-stencils", BY_STENCILS),
    ],
)
def test_every_layout_has_a_fingerprint(name, layout):
    landscape = RUNS[name].landscape()
    assert used_layout(pb.Climber(landscape, radius=1)) == layout
    assert (Effort(landscape, 1, 4).hot == HOT_DENSE) == (name == "path-dense")


def test_every_run_has_a_fingerprint_of_its_own():
    assert FINGERPRINTS.keys() == RUNS.keys()
    assert len(set(FINGERPRINTS.values())) == len(RUNS)


def main(options: list[str]) -> None:
    """Print the table of fingerprints anew; with `--write`, put it into this file."""
    lines = ["FINGERPRINTS = {"]
    for name, run in RUNS.items():
        with tempfile.TemporaryDirectory() as folder:
            [found] = {fingerprint(result) for result in run.results(Path(folder))}
        lines.append(f'    "{name}": "{found}",')
    table = "\n".join([*lines, "}\n"])
    print(table, end="")
    if "--write" in options:
        text = Path(__file__).read_text()
        first = text.index("FINGERPRINTS = {")
        last = text.index("}\n", first) + 2
        Path(__file__).write_text(text[:first] + table + text[last:])


if __name__ == "__main__":
    main(sys.argv[1:])
