"""Compile every kind of kernel that the tests use, two at a time, into the cache.

Kernels are compiled for two, for three and for any other number of objectives, each
with 32-bit and 64-bit scores. Tests that run side by side would compile them twice.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def compile_kind(kind: tuple[int, int]) -> None:
    """Use the whole interface once with d objectives and values of this size."""
    import paretoball as pb

    d, value = kind
    edges = [((j, (j + 1) % 5), [0, value, 2 * value, 0]) for j in range(5)]
    landscape = pb.Landscape.from_subfunctions(5, [edges] * d)
    pb.solve(landscape, radius=3, max_climbs=2, seed=0)
    climb = pb.Climber(landscape, radius=3).start(seed=0)
    climb.scores  # noqa: B018
    climb.step()
    climb.flip([0]).set_weights([1] * d).run()
    climb.reports  # noqa: B018
    landscape.evaluate([0] * 5)
    pb.Archive(d).report(climb.fx, climb.x)


if __name__ == "__main__":
    kinds = [(2, 1), (3, 1), (1, 1), (2, 2**40), (3, 2**40), (1, 2**40)]
    if len(sys.argv) > 1:
        kinds = kinds[: int(sys.argv[1])]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(compile_kind, kinds))
