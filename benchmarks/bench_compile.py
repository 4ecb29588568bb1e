"""How long does the first solve of each kind of problem compile, from an empty cache?

Each kind is a process of its own with a cache of its own; its seconds of CPU are those
of all its processes, imports included. The last row has all kinds in one process, one
after the other, from one empty cache. With `--only`, some kinds.
"""

import os
import subprocess
import sys
import tempfile
import time

from measuring import arguments, note, printer

BEGINNING = """
import numpy as np
import paretoball as pb
few = {"max_climbs": 2, "seed": 1, "progress": False, "method": "path"}
"""
KINDS = {
    "ring": "pb.solve(pb.mnk(n=1000, K=3, d=2, seed=1), **few)",
    "ring-64-bits": "pb.solve(pb.mnk(n=1000, K=3, d=2, q=None, seed=1), **few)",
    "ring-d3": "pb.solve(pb.mnk(n=1000, K=3, d=3, seed=1), **few)",
    "ring-d6": "pb.solve(pb.mnk(n=1000, K=3, d=6, seed=1), **few)",
    "dense-qubo": "pb.solve(pb.random_qubo(200, density=0.8, seed=1), **few)",
    "3-sat": "pb.solve(pb.random_sat(1000, 4200, seed=1), **few)",
    "knapsack": "pb.solve(pb.random_knapsack(100, seed=1), **few)",
    "assignment": """
costs = np.random.default_rng(1).integers(1, 20, (2, 8, 8))
terms = [{(i, j): int(c[i, j]) for i in range(8) for j in range(8)} for c in costs]
ones = lambda cells: ([((8 * i + j,), [0, 1]) for i, j in cells], "==", 1)
rows = [ones([(i, j) for j in range(8)]) for i in range(8)]
columns = [ones([(i, j) for i in range(8)]) for j in range(8)]
linear = [[((8 * i + j,), [0, v]) for (i, j), v in each.items()] for each in terms]
how = {"sense": "min", "constraints": rows + columns}
pb.solve(pb.Landscape.from_subfunctions(64, linear, **how), **few)
""",
    "maxcut-d1": "pb.solve(pb.random_maxcut(200, degree=3, d=1, seed=1), **few)",
    "exact-front": "pb.exact_front(pb.mnk(n=200, K=3, seed=1), progress=False)",
    "supported-front": "pb.supported_front(pb.mnk(n=200, K=3, seed=1), progress=False)",
    "climbs": """
climb = pb.Climber(pb.mnk(n=1000, K=3, seed=1), radius=2).start(seed=1)
climb.run().flip([3, 17]).set_weights([3, 1]).run()
climb.reports.X
""",
}
TOGETHER = "together"


def seconds(code: str) -> tuple[float, float]:
    """The seconds of CPU and of the clock that a process takes with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        began, before = time.perf_counter(), os.times()
        subprocess.run(
            [sys.executable, "-c", BEGINNING + code],
            check=True,
            cwd=folder,
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
        )
        after = os.times()
    cpu = after.children_user - before.children_user
    cpu += after.children_system - before.children_system
    return cpu, time.perf_counter() - began


def main() -> None:
    """Print a line of CSV for each kind."""
    parser = arguments(__doc__)
    parser.add_argument("--only", nargs="+", choices=[*KINDS, TOGETHER])
    options = parser.parse_args()
    write = printer("kind,cpu_s,wall_s")
    for name in options.only or ([*KINDS][:1] if options.quick else [*KINDS, TOGETHER]):
        note(name)
        together = "\n".join(KINDS.values())
        cpu, wall = seconds(together if name == TOGETHER else KINDS[name])
        write([name, f"{cpu:.2f}", f"{wall:.2f}"])


if __name__ == "__main__":
    main()
