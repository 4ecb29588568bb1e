"""How many reports does the archive take per second, and how many do others?

On a sphere no point dominates another, so all of them stay; in the ball most are
dominated, as most reports of a climb are. Others get the first of the same points, as
many as they can take in a few seconds, and are compared with our archive on just those:
a plain Python list, and moarchiving where it is installed and knows that many
objectives. The latter has no reference point, or it would keep a hypervolume as well.
Both are Python, so a ratio is between languages, too. Every front is compared with
another way of finding it, and the time of that is left out. Seconds are of the
processor, so that a machine that is busy or pauses does not count.
"""

import time
from collections.abc import Callable

import moocore
import numpy as np

import paretoball as pb
from measuring import arguments, begin, note, printer
from paretoball.archive.points import Points

try:
    import moarchiving
except ImportError:
    moarchiving = None

RADIUS = 2**40  # a grid so fine that rounding makes hardly any point dominate another
CASES = [("sphere", 2, 1_000_000)]
CASES += [("sphere", d, 100_000) for d in (3, 4, 5)]
CASES += [("ball", d, points) for _, d, points in CASES]
LISTED = {"sphere": 2_000, "ball": 10_000}  # points for the plain list
MOARCHIVED = {2: 100_000, 3: 1_000, 4: 200}  # points for moarchiving
COLUMNS = (
    "shape,d,points,size,seconds,reports_per_second,"
    "list_points,list_per_second,ours_on_these,ours_to_list,"
    "moarchiving_points,moarchiving_per_second,ours_on_those,ours_to_moarchiving"
)


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
    options = begin(arguments(__doc__))
    write = printer(COLUMNS)
    for shape, d, count in CASES:
        note(f"{shape}, d = {d}")
        points = points_of(shape, d, count // 100 if options.quick else count)
        ours(points[:10])  # compile
        seconds, size = ours(points, repeats=2)
        facts = [len(points), size, f"{seconds:.3f}", round(len(points) / seconds)]
        few = points[: LISTED[shape]]
        facts += compared(few, plain_list)
        few = points[: MOARCHIVED.get(d, 0)]
        facts += compared(few, moarchived) if moarchiving and len(few) else [""] * 4
        write([shape, d, *facts])


def compared(points: np.ndarray, theirs: Callable[[np.ndarray], tuple]) -> list:
    """Points, their reports per second, ours, and how many times theirs ours are."""
    slow, their_size = theirs(points)
    fast, our_size = ours(points)
    assert their_size == our_size
    speeds = [round(len(points) / seconds) for seconds in (slow, fast)]
    return [len(points), *speeds, f"{slow / fast:.1f}"]


def ours(points: np.ndarray, repeats: int = 1) -> tuple[float, int]:
    """The seconds that our archive takes, best of some, and its size."""
    tags = np.zeros((len(points), 3), np.int64)
    tags[:, 0] = np.arange(len(points))
    best = np.inf
    for _ in range(repeats):
        archive = pb.Archive(points.shape[1])
        tagged = Points.tagged(points, tags)
        began = time.process_time()
        archive.take_in(tagged)
        best = min(best, time.process_time() - began)
    check(archive, points)
    return best, len(archive)


def plain_list(points: np.ndarray) -> tuple[float, int]:
    """The same for a list that each point is compared with from end to end."""
    vectors = [tuple(point) for point in points.tolist()]
    kept: list[tuple] = []
    began = time.process_time()
    for p in vectors:
        if not any(all(a >= b for a, b in zip(q, p)) for q in kept):
            kept = [q for q in kept if not all(a <= b for a, b in zip(q, p))]
            kept.append(p)
    return time.process_time() - began, len(kept)


def moarchived(points: np.ndarray) -> tuple[float, int]:
    """The same for moarchiving, which minimises."""
    vectors = (-points).tolist()
    archive = moarchiving.get_mo_archive(n_obj=points.shape[1])
    began = time.process_time()
    for vector in vectors:
        archive.add(vector)
    return time.process_time() - began, len(archive)


def check(archive: pb.Archive, points: np.ndarray) -> None:
    """The archive holds what moocore says is non-dominated."""
    front = points[moocore.is_nondominated(points.astype(float), maximise=True)]
    np.testing.assert_array_equal(archive.F, np.unique(front, axis=0))


if __name__ == "__main__":
    main()
