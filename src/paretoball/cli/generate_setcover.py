"""`paretoball generate setcover`: random set covering."""

from argparse import Namespace
from typing import Any

from paretoball.cli.generating import add_output, add_seed, add_sizes, generate
from paretoball.cli.parsing import add_command, real, whole

EXAMPLE = "generate setcover --n 1000 --rows 100 --seed 1 -o cover.npz"


def add(families: Any) -> None:
    """Add the family and its options."""
    parser = add_command(
        families,
        "setcover",
        "Make random set covering: costs of columns, which must cover all rows",
        EXAMPLE,
        "generate setcover --n 200 --rows 40 --density 0.05 --d 3 -o three.json",
    )
    add_sizes(parser)
    option = parser.add_argument
    option("--rows", type=whole, help="rows to cover (default: a tenth of n)")
    option(
        "--density",
        type=real,
        default=0.1,
        help="the probability that a column covers a row (default: 0.1)",
    )
    add_seed(parser)
    add_output(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Write random set covering to a file."""
    from paretoball import random_covering

    sizes = (options.n, options.rows, options.d, options.density)
    return generate(options, lambda seed: random_covering(*sizes, seed=seed))
