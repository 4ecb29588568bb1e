"""The whole Pareto front of a ring with two objectives, by dynamic programming.

Subfunction j of the adjacent MNK model reads x_j to x_{j+K}, and variables wrap. For
each closure, the values of x_0 to x_{K-1}, subfunctions are added one by one; a state
is the values of the last K variables, and has the front of all that leads to it. A new
state has two predecessors, whose fronts are sorted, so merging them is one pass.

python benchmarks/ring_front.py --n 1000 --seed 1     prints how many points there are
python benchmarks/ring_front.py --check 100           against all 2^n solutions

Fronts are kept in the cache, by the digest of their landscape.
"""

import argparse
from pathlib import Path

import numpy as np

import paretoball as pb
from instances import brute_force
from measuring import note, seconds_of
from paretoball._jit import kernel
from paretoball.landscape.digest import landscape_digest

KEPT = Path(__file__).parent.parent / ".cache" / "fronts"
ROOM = 1 << 10  # points of a state, at first


def ring_front(landscape: pb.Landscape, K: int) -> np.ndarray:
    """The front of a ring: (size, 2) int64, ascending, kept for the next time."""
    path = KEPT / f"{landscape_digest(landscape)}.npy"
    if not path.exists():
        note(f"the whole front of {landscape}")
        KEPT.mkdir(parents=True, exist_ok=True)
        np.save(path, new_front(landscape, K))
    return np.asarray(np.load(path))


def new_front(landscape: pb.Landscape, K: int) -> np.ndarray:
    """The same, computed."""
    tables = tables_around(landscape, K)
    fronts = [closed_front(tables, closure) for closure in range(1 << K)]
    F = np.concatenate(fronts) + landscape.cliques.constant
    F = F[np.lexsort((-F[:, 1], -F[:, 0]))]
    highest = np.maximum.accumulate(F[:, 1])
    F = F[np.append(True, F[1:, 1] > highest[:-1])]
    return landscape.shown(F[::-1])


def tables_around(landscape: pb.Landscape, K: int) -> np.ndarray:
    """The table of each place of the ring: (n, 2^(K+1), 2), inside.

    Row j reads variables j to j + K; bit b of an index is the value of j + b.
    """
    n, cliques = landscape.n, landscape.cliques
    if n <= 2 * K + 1 or landscape.d != 2:
        raise ValueError(
            f"{landscape} is no ring of two objectives, longer than {2 * K + 1}"
        )
    tables = np.zeros((n, 2 << K, 2), np.int64)
    entries = np.arange(2 << K)
    for c, at in enumerate(cliques.mask_at[:-1]):
        mask = cliques.masks[at : cliques.mask_at[c + 1]].astype(np.int64)
        first = next(j for j in mask if not np.isin((j - 1) % n, mask))
        places = (mask - first) % n
        if places.max() > K:
            raise ValueError(f"a subfunction reads variables {mask.tolist()}")
        index = ((entries[:, None] >> places & 1) << np.arange(len(mask))).sum(axis=1)
        tables[first] += cliques.tables[cliques.table_at[c] + index]
    return tables


def closed_front(tables: np.ndarray, closure: int) -> np.ndarray:
    """The front of all solutions that begin with the bits of `closure`."""
    n, states = len(tables), tables.shape[1] // 2
    K = states.bit_length() - 1
    old, new = (np.empty((states, ROOM, 2), np.int64) for _ in range(2))
    sizes, grown = np.zeros(states, np.int64), np.zeros(states, np.int64)
    old[closure, 0], sizes[closure] = 0, 1
    for j in range(n):
        bit = -1 if j + K < n else closure >> (j + K - n) & 1
        if 2 * sizes.max() > new.shape[1]:
            old, new = (np.concatenate([each, each], axis=1) for each in (old, new))
        _add_subfunction(tables[j], bit, (old, sizes), (new, grown))
        old, new, sizes, grown = new, old, grown, sizes
    return old[closure, : sizes[closure]].copy()


@kernel
def _add_subfunction(table, bit, before, after):
    """Fill the fronts after a subfunction, each sorted by descending first objective.

    `bit` is what the new variable has to be, -1 for either.
    """
    old, sizes = before
    new, grown = after
    states = len(sizes)
    for state in range(states):
        top = 2 * state // states
        grown[state] = 0
        if bit >= 0 and top != bit:
            continue
        s = 2 * state % states  # the predecessor with 0 as its first bit, then with 1
        a0, a1 = table[2 * state]
        b0, b1 = table[2 * state + 1]
        i = j = size = 0
        while i < sizes[s] or j < sizes[s + 1]:
            first = j == sizes[s + 1]
            if i < sizes[s] and not first:
                u, v = old[s, i, 0] + a0, old[s + 1, j, 0] + b0
                first = u > v or (u == v and old[s, i, 1] + a1 >= old[s + 1, j, 1] + b1)
            if first:
                f0, f1 = old[s, i, 0] + a0, old[s, i, 1] + a1
                i += 1
            else:
                f0, f1 = old[s + 1, j, 0] + b0, old[s + 1, j, 1] + b1
                j += 1
            if size == 0 or f1 > new[state, size - 1, 1]:
                new[state, size, 0], new[state, size, 1] = f0, f1
                size += 1
        grown[state] = size


def check(rings: int) -> None:
    """Compare small rings with all of their solutions."""
    rng = np.random.default_rng(1)
    for seed in range(rings):
        K = int(rng.integers(1, 4))
        n, q = int(rng.integers(2 * K + 2, 15)), int(rng.choice([3, 100]))
        landscape = pb.mnk(n, K, 2, q, seed=seed)
        assert np.array_equal(new_front(landscape, K), brute_force(landscape)), (
            landscape
        )
    print(f"{rings} rings, all right")


def main() -> None:
    """Print the size of a front, and how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--java", action="store_true", help="the authors' instance")
    parser.add_argument("--check", type=int, help="so many small rings")
    options = parser.parse_args()
    if options.check:
        check(options.check)
        return
    if options.java:
        landscape = pb.mnk_java(options.n, 3, 2, 100, pseed=options.seed)
    else:
        landscape = pb.mnk(options.n, 3, 2, 100, seed=options.seed)
    seconds, front = seconds_of(new_front, landscape, 3)
    print(f"{len(front):,} points in {seconds:.1f} s")


if __name__ == "__main__":
    main()
