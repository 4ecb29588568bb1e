"""How many reports does the archive take per second?

On a sphere no point dominates another, so all of them stay; in the ball most are
dominated, as most reports of a climb are. Every front is compared with another way of
finding it, and the time of that is left out.
"""

import argparse
import csv
import sys
import time

import moocore
import numpy as np

import paretoball as pb

RADIUS = 2**40  # a grid so fine that rounding makes hardly any point dominate another
CASES = [("sphere", 2, 1_000_000), ("sphere", 3, 100_000), ("sphere", 5, 100_000)]
CASES += [("ball", d, points) for _, d, points in CASES]


def points_of(shape: str, d: int, count: int) -> np.ndarray:
    """Random points of the sphere or the ball, all coordinates positive."""
    rng = np.random.default_rng(d)
    directions = np.abs(rng.standard_normal((count, d)))
    sphere = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    if shape == "ball":
        sphere *= rng.random((count, 1)) ** (1 / d)
    return (sphere * RADIUS).astype(np.int64)


def main() -> None:
    """Print a line of CSV for each shape and number of objectives."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--share", type=float, default=1.0, help="of all points")
    options = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["shape", "d", "points", "size", "seconds", "reports_per_second"])
    for shape, d, count in CASES:
        points = points_of(shape, d, int(count * options.share))
        tags = np.zeros((len(points), 3), np.int64)
        tags[:, 0] = np.arange(len(points))
        pb.Archive(d).take_in(points[:10], tags[:10])  # compile
        archive = pb.Archive(d)
        began = time.perf_counter()
        archive.take_in(points, tags)
        seconds = time.perf_counter() - began
        check(archive, points)
        speed = round(len(points) / seconds)
        table.writerow([shape, d, len(points), len(archive), f"{seconds:.3f}", speed])
        sys.stdout.flush()


def check(archive: pb.Archive, points: np.ndarray) -> None:
    """The archive holds what moocore says is non-dominated."""
    front = points[moocore.is_nondominated(points.astype(float), maximise=True)]
    np.testing.assert_array_equal(archive.F, np.unique(front, axis=0))


if __name__ == "__main__":
    main()
