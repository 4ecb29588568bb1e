"""How long does it take to read a million terms, beside other libraries' readers?

Theirs give lists or a model; ours gives a landscape that is ready to be searched. The
same files are read by all, alternating, and a dense QUBO is made in memory.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import paretoball as pb
from measuring import arguments, begin, note, printer, seconds_of

TERMS, FEW = 1_000_000, 20_000
COLUMNS = "what,terms,bytes,reader,seconds"


def graph(path: Path, terms: int) -> None:
    """A random graph in G-set's format."""
    rng = np.random.default_rng(1)
    n = terms // 10
    first = rng.integers(1, n, terms)
    ends = np.column_stack([first, rng.integers(first + 1, n + 1)])
    np.savetxt(path, np.column_stack([ends, rng.integers(1, 9, terms)]), "%d")
    path.write_text(f"{n} {terms}\n{path.read_text()}")


def formula(path: Path, terms: int) -> None:
    """Random 3-SAT, at a ratio of 4.2."""
    rng = np.random.default_rng(2)
    n = int(terms / 4.2)
    literals = rng.integers(1, n + 1, (terms, 3)) * rng.choice([-1, 1], (terms, 3))
    np.savetxt(path, literals, "%d %d %d 0")
    path.write_text(f"p cnf {n} {terms}\n{path.read_text()}")


def quadratic(path: Path, terms: int) -> None:
    """A random QUBO, as triplets for dimod and, beside it, in qbsolv's format."""
    rng = np.random.default_rng(3)
    n = terms // 10
    first = rng.integers(0, n - 1, terms)
    ends = np.column_stack([first, rng.integers(first + 1, n)])
    np.savetxt(path, np.column_stack([ends, rng.integers(1, 9, terms)]), "%d")
    header = f"p qubo 0 {n} 0 {terms}\n"
    path.with_suffix(".qubo").write_text(header + path.read_text())


def pysat_reader(path: Path) -> Any:
    """PySAT's own reader."""
    from pysat.formula import CNF

    return CNF(from_file=str(path))


def networkx_reader(path: Path) -> Any:
    """The reader of weighted edges of networkx; the header is a line to skip."""
    import networkx

    with open(path) as lines:
        next(lines)
        return networkx.parse_edgelist(lines, nodetype=int, data=(("weight", int),))


def dimod_reader(path: Path) -> Any:
    """dimod's own reader of triplets."""
    from dimod.serialization import coo

    with open(path) as file:
        return coo.load(file, vartype="BINARY")


CASES: list[tuple[str, str, Callable[[Path, int], None], dict[str, Callable]]] = [
    ("graph", "a.txt", graph, {"networkx": networkx_reader}),
    ("3-SAT", "a.cnf", formula, {"PySAT": pysat_reader}),
    ("QUBO", "a.coo", quadratic, {"dimod": dimod_reader}),
]


def main() -> None:
    """Print a line of CSV for each file and reader."""
    options = begin(arguments(__doc__, repeat=3))
    terms = FEW if options.quick else TERMS
    write = printer(COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        for what, name, make, others in CASES:
            path = Path(folder) / name
            make(path, terms)
            ours = path.with_suffix(".qubo") if what == "QUBO" else path
            readers = {"paretoball": (pb.read_landscape, ours)}
            readers |= {other: (read, path) for other, read in others.items()}
            times: dict[str, list[float]] = {reader: [] for reader in readers}
            for number in range(options.repeat + 1):  # the first compiles and imports
                for reader, (read, at) in readers.items():
                    note(f"{what}, {reader}, {number}")
                    times[reader].append(seconds_of(read, at)[0])
            for reader, taken in times.items():
                size = readers[reader][1].stat().st_size
                write([what, terms, size, reader, f"{median(taken[1:]):.2f}"])
    dense = 200 if options.quick else 2000
    matrices = np.random.default_rng(4).integers(-100, 101, (2, dense, dense))
    taken = [seconds_of(pb.qubo, matrices)[0] for _ in range(options.repeat + 1)]
    pairs = dense * (dense - 1)
    write(["dense QUBO", pairs, matrices.nbytes, "pb.qubo", f"{median(taken[1:]):.2f}"])


if __name__ == "__main__":
    main()
