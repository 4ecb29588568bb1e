"""`paretoball generate maxcut`: random MaxCut."""

from argparse import Namespace
from typing import Any

from paretoball.cli.generating import add_output, add_seed, add_sizes, generate
from paretoball.cli.parsing import add_command, real, whole

EXAMPLE = "generate maxcut --n 1000 --degree 3 --seed 1 -o maxcut.npz"


def add(families: Any) -> None:
    """Add the family and its options."""
    parser = add_command(
        families,
        "maxcut",
        "Make a random graph to cut, whose edges have a weight for each objective",
        EXAMPLE,
        "generate maxcut --n 800 --density 0.06 --weights -1 1 --seed 1 -o signs.json",
    )
    add_sizes(parser)
    edges = parser.add_mutually_exclusive_group()
    edges.add_argument(
        "--density",
        type=real,
        help="the probability of an edge between two vertices (default: 0.5)",
    )
    edges.add_argument("--degree", type=whole, help="edges of each vertex")
    parser.add_argument(
        "--weights",
        type=whole,
        nargs=2,
        default=(1, 100),
        metavar=("LOW", "HIGH"),
        help="weights are whole numbers between these, but not 0 (default: 1 100)",
    )
    add_seed(parser)
    add_output(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Write a random MaxCut problem to a file."""
    from paretoball import random_maxcut

    sizes = (options.n, options.density, options.degree, options.weights, options.d)
    return generate(options, lambda seed: random_maxcut(*sizes, seed=seed))
