"""`paretoball generate qubo`: random QUBO, as in the benchmark mUBQP."""

from argparse import Namespace
from typing import Any

from paretoball.cli.generating import add_output, add_seed, add_sizes, generate
from paretoball.cli.parsing import add_command, real

EXAMPLE = "generate qubo --n 1000 --density 0.8 --rho -0.5 --seed 1 -o qubo.npz"


def add(families: Any) -> None:
    """Add the family and its options."""
    parser = add_command(
        families,
        "qubo",
        "Make a random QUBO: matrices of numbers from -100 to 100, as in mUBQP",
        EXAMPLE,
        "generate qubo --n 1000000 --density 3e-6 --d 3 --seed 1 -o sparse.npz",
    )
    add_sizes(parser)
    option = parser.add_argument
    option(
        "--density",
        type=real,
        default=0.8,
        help="the share of entries that are not 0 (default: 0.8)",
    )
    option(
        "--rho",
        type=real,
        default=0.0,
        help="the correlation of any two objectives (default: 0)",
    )
    add_seed(parser)
    add_output(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Write a random QUBO to a file."""
    from paretoball import random_qubo

    sizes = (options.n, options.d, options.density, options.rho)
    return generate(options, lambda seed: random_qubo(*sizes, seed=seed))
