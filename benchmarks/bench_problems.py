"""Do other problems than the ring take as long per affected move, and none grow with n?

A flip of variable j affects the moves that flip j or one of its neighbours. `affected`
is how many of them one flip updates on average over a whole climb, where only sizes
count whose scores the climb keeps at that time; `ns` is the time of a run per affected
move, and `to_ring` its ratio to that of the ring with the same radius. The ring is the
adjacent model with K = 3. Every problem comes in two sizes, n and 4 n: a step that goes
through all of a problem would make a move, or the set-up per variable, four times as
long, which is more than caches do. Both sizes make the same climbs, the larger once.
"""

from collections.abc import Callable
from functools import partial
from statistics import median
from typing import NamedTuple

import numpy as np

import paretoball as pb
from measuring import arguments, begin, note, printer, set_up
from paretoball.climber.climber import Climber
from paretoball.climber.scores import TIER

RATIO = 4.2  # clauses per variable, in each objective
FACTOR = 4  # from one size to the next
D = 2
COLUMNS = (
    "problem,n,r,moves,us,flips_per_move,affected,ns,to_ring,setup_us_per_variable,"
    "us_growth,setup_growth"
)


def three_sat(n: int) -> pb.Landscape:
    """Two sets of random clauses of three variables; satisfied ones are counted."""
    rng = np.random.default_rng(1)
    clauses = int(RATIO * n) * D
    masks = rng.integers(n, size=(clauses, 3))
    while (again := has_repetition(masks)).any():
        masks[again] = rng.integers(n, size=(again.sum(), 3))
    tables = np.ones((clauses, 8), np.int64)
    tables[np.arange(clauses), rng.integers(8, size=clauses)] = 0
    return pb.Landscape.from_arrays(
        n,
        D,
        objective=np.repeat(np.arange(D), clauses // D),
        mask_at=3 * np.arange(clauses + 1),
        masks=masks.ravel(),
        table_at=8 * np.arange(clauses + 1),
        tables=tables.ravel(),
    )


def has_repetition(masks: np.ndarray) -> np.ndarray:
    """Which rows name a variable twice."""
    return (np.diff(np.sort(masks, axis=1), axis=1) == 0).any(axis=1)


def mnk(model: str, K: int, n: int) -> pb.Landscape:
    """An MNK landscape with the parameters of the paper."""
    return pb.mnk(n, K, D, 100, model, seed=1)


class Problem(NamedTuple):
    """A family of landscapes, with the radius of its climber."""

    name: str
    make: Callable[[int], pb.Landscape]
    n: int
    r: int
    climbs: int  # in each size the same


PROBLEMS = [
    Problem("ring", partial(mnk, "adjacent", 3), 10_000, 1, 400),
    Problem("ring", partial(mnk, "adjacent", 3), 10_000, 2, 100),
    Problem("random, K = 3", partial(mnk, "random", 3), 10_000, 2, 16),
    Problem(f"3-SAT, ratio {RATIO}", three_sat, 10_000, 2, 8),
    Problem("adjacent, k = 10", partial(mnk, "adjacent", 9), 2_000, 1, 200),
    Problem("random, k = 10", partial(mnk, "random", 9), 2_000, 1, 100),
]


def affected_by(climber: Climber) -> np.ndarray:
    """How many moves of at most each size a flip of each variable affects: (n, r + 1).

    They are counted from their definition, not from what the climber stores.
    """
    at, neighbours = climber.landscape.cooccurrence
    flips, tier_at = climber.move_set.flips, climber.move_set.tier_at
    v, place = np.nonzero(flips >= 0)
    order = np.argsort(flips[v, place], kind="stable")
    containing = np.split(v[order], np.cumsum(np.bincount(flips[v, place]))[:-1])
    counts = np.zeros((climber.landscape.n, climber.radius + 1), np.int64)
    for j in range(len(counts)):
        around = [containing[i] for i in neighbours[at[j] : at[j + 1]]]
        moves = np.unique(np.concatenate([containing[j], *around]))
        counts[j] = np.searchsorted(moves, tier_at[1:])
    return counts


def work_of_a_climb(climber: Climber) -> tuple[float, float]:
    """Flips per move, and affected moves per flip, of one whole climb."""
    counts = affected_by(climber)
    climb = climber.start(seed=7)
    flipped, affected = 0, 0
    while (t := climb.step()) is not None:
        tier = climb._state.clock[TIER]
        move = list(climber.moves[t])
        flipped += len(move)
        affected += counts[move, tier].sum()
    return flipped / climb.steps, affected / flipped


class Cost(NamedTuple):
    """What one landscape takes."""

    us: float  # per move
    setup: float  # microseconds per variable
    ns: float  # per affected move
    facts: list[str]


def measured(landscape: pb.Landscape, r: int, climbs: int, repeat: int) -> Cost:
    """Run on one landscape; `facts` are the columns from `moves` to `ns`."""
    _, climber = set_up(landscape, r)
    moves = len(climber.moves)
    flips, affected = work_of_a_climb(climber)
    del climber
    runs = [
        pb.solve(
            landscape, "multistart", radius=r, max_climbs=climbs, seed=7, progress=False
        )
        for _ in range(repeat)
    ]
    us = median(1e6 * run.seconds / run.moves for run in runs)
    setup = median(1e6 * run.setup_seconds / landscape.n for run in runs)
    ns = 1e3 * us / (flips * affected)
    facts = [f"{us:.3f}", f"{flips:.2f}", f"{affected:.1f}", f"{ns:.1f}"]
    return Cost(us, setup, ns, [str(moves), *facts])


def main() -> None:
    """Print a line of CSV for each problem and size."""
    options = begin(arguments(__doc__, repeat=3))
    write = printer(COLUMNS)
    ring: dict[tuple[int, bool], float] = {}
    for name, make, full, r, climbs in PROBLEMS:
        size = 500 if options.quick else full
        small: Cost | None = None
        for n, repeat in ((size, options.repeat), (FACTOR * size, 1)):
            note(f"{name}, n = {n:,}, r = {r}")
            cost = measured(make(n), r, climbs, repeat)
            to_ring = cost.ns / ring.setdefault((r, small is None), cost.ns)
            growth = ["", ""]
            if small is not None:
                growth = [
                    f"{cost.us / small.us:.2f}",
                    f"{cost.setup / small.setup:.2f}",
                ]
            write([name, n, r, *cost.facts, f"{to_ring:.2f}", f"{cost.setup:.2f}",
                   *growth])  # fmt: skip
            small = cost


if __name__ == "__main__":
    main()
