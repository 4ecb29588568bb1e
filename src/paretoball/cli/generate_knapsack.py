"""`paretoball generate knapsack`: random knapsacks."""

from argparse import Namespace
from typing import Any

from paretoball.cli.generating import add_output, add_seed, add_sizes, generate
from paretoball.cli.parsing import add_command, whole

EXAMPLE = "generate knapsack --n 250 --d 2 --seed 1 -o knapsack.npz"


def add(families: Any) -> None:
    """Add the family and its options."""
    parser = add_command(
        families,
        "knapsack",
        "Make a random knapsack: profits to maximise, and weights within capacities",
        EXAMPLE,
        "generate knapsack --n 500 --d 3 --constraints 1 --seed 1 -o one.json",
    )
    add_sizes(parser)
    parser.add_argument(
        "--constraints",
        type=whole,
        help="capacities (default: one for each objective)",
    )
    add_seed(parser)
    add_output(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Write a random knapsack to a file."""
    from paretoball import random_knapsack

    sizes = (options.n, options.d, options.constraints)
    return generate(options, lambda seed: random_knapsack(*sizes, seed=seed))
