"""How does the time per move grow with n, r, d and K?

One adjacent MNK landscape at a time differs from n = 10,000, r = 2, d = 2 and K = 3.
A bar asks how much slower a million variables are than 10,000: these run for the full
time, the others for a share of it.
"""

import paretoball as pb
from measuring import arguments, begin, climbing, medians, note, printer, set_up

SIZES = (1_000, 10_000, 100_000, 1_000_000)
RADII = (1, 2, 3)
BAR = {(n, 3, 2, r) for n in (10_000, 1_000_000) for r in (1, 2)}
SHARE = 0.2  # of the seconds, for all others
COLUMNS = "n,K,d,r,moves,us,climbs,archive,setup_s"


def cases() -> list[tuple[int, int, int, int]]:
    """(n, K, d, r) of all landscapes, those of n first, each once."""
    chosen = [(n, 3, 2, r) for n in SIZES for r in RADII]
    chosen += [(10_000, 3, d, 4) for d in (2, 3)]
    chosen += [(10_000, 3, d, r) for d in (1, 3, 4, 5, 6) for r in RADII]
    chosen += [(10_000, K, 2, r) for K in (1, 2, 4, 5, 6) for r in RADII]
    return chosen


def main() -> None:
    """Print a line of CSV for each landscape and radius."""
    options = begin(arguments(__doc__, seconds=10, repeat=3))
    write = printer(COLUMNS)
    made: dict[tuple[int, int, int], pb.Landscape] = {}
    for n, K, d, r in cases():
        if options.quick and n > 10_000:
            continue
        note(f"n = {n:,}, K = {K}, d = {d}, r = {r}")
        if (n, K, d) not in made:  # keep one, not all
            made = {(n, K, d): pb.mnk(n=n, K=K, d=d, q=100, seed=1)}
        landscape = made[n, K, d]
        setup, climber = set_up(landscape, r)
        moves = len(climber.moves)
        del climber
        seconds = options.seconds * (1 if (n, K, d, r) in BAR else SHARE)
        speed = medians(
            [climbing(landscape, r, seconds, setup) for _ in range(options.repeat)]
        )
        counts = [f"{speed.climbs:.0f}", f"{speed.archive:.0f}"]
        write([n, K, d, r, moves, f"{speed.us:.3f}", *counts, f"{speed.setup:.3f}"])


if __name__ == "__main__":
    main()
