"""`paretoball generate sat`: random k-SAT."""

from argparse import Namespace
from typing import Any

from paretoball.cli.generating import add_output, add_seed, add_sizes, generate
from paretoball.cli.parsing import add_command, real, whole

EXAMPLE = "generate sat --n 1000 --ratio 4.2 --seed 1 -o sat.npz"


def add(families: Any) -> None:
    """Add the family and its options."""
    parser = add_command(
        families,
        "sat",
        "Make random k-SAT: for each objective clauses to satisfy, as many as can be",
        EXAMPLE,
        "generate sat --n 500 --clauses 2000 --k 4 --d 3 --seed 1 -o four.json",
    )
    add_sizes(parser)
    clauses = parser.add_mutually_exclusive_group()
    clauses.add_argument("--clauses", type=whole, help="clauses of each objective")
    clauses.add_argument(
        "--ratio",
        type=real,
        default=4.2,
        help="clauses of each objective per variable (default: 4.2)",
    )
    parser.add_argument(
        "--k", type=whole, default=3, help="variables of each clause (default: 3)"
    )
    parser.add_argument(
        "--weights",
        type=whole,
        metavar="HIGH",
        help="weights are whole numbers from 1 to this (default: all clauses count 1)",
    )
    add_seed(parser)
    add_output(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Write a random k-SAT problem to a file."""
    from paretoball import random_sat

    names = ("clauses", "ratio", "k", "d", "weights")
    sizes = {name: getattr(options, name) for name in names}
    return generate(options, lambda seed: random_sat(options.n, **sizes, seed=seed))
