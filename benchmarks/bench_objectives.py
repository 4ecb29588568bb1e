"""How much longer does a move take with three objectives than with two?

Both run for a minute on the same n and radius, so that the archive of three objectives
grows past 10,000 points and its share of the time is seen.
"""

import paretoball as pb
from measuring import arguments, begin, climbing, medians, note, printer, set_up

SIZES = (10_000, 100_000)
COLUMNS = "n,r,d2_us,d3_us,ratio,d2_archive,d3_archive,d2_climbs,d3_climbs"


def main() -> None:
    """Print a line of CSV for each n and radius."""
    options = begin(arguments(__doc__, seconds=60, repeat=1))
    write = printer(COLUMNS)
    for n in SIZES[:1] if options.quick else SIZES:
        landscapes = {d: pb.mnk(n=n, K=3, d=d, q=100, seed=1) for d in (2, 3)}
        for r in (1, 2, 3):
            speed = {}
            for d, landscape in landscapes.items():
                note(f"n = {n:,}, r = {r}, d = {d}")
                setup, _ = set_up(landscape, r)
                runs = (options.seconds, setup)
                speed[d] = medians(
                    [climbing(landscape, r, *runs) for _ in range(options.repeat)]
                )
            two, three = speed[2], speed[3]
            times = [f"{two.us:.3f}", f"{three.us:.3f}", f"{three.us / two.us:.3f}"]
            archives = [f"{each.archive:.0f}" for each in (two, three)]
            climbs = [f"{each.climbs:.0f}" for each in (two, three)]
            write([n, r, *times, *archives, *climbs])


if __name__ == "__main__":
    main()
