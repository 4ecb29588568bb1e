"""`paretoball generate mnk`: MNK landscapes."""

from argparse import Namespace
from typing import Any

from paretoball.cli.generating import (
    add_output,
    add_seed,
    add_sizes,
    generate,
    write,
)
from paretoball.cli.parsing import add_command, entries, model, real, whole

EXAMPLE = "generate mnk --n 10000 --K 3 --seed 1 -o mnk.npz"


def add(families: Any) -> None:
    """Add the family and its options."""
    parser = add_command(
        families,
        "mnk",
        "Make an MNK landscape: n tables per objective, each on K + 1 variables",
        EXAMPLE,
        "generate mnk --n 500 --K 2 --d 3 --q real --model random --seed 1 -o m.json",
        "generate mnk --n 500 --K 4 --q real --model random --rho -0.7 -o rho.json",
        "generate mnk --n 10000 --K 3 --pseed 1 -o authors.npz",
    )
    add_sizes(parser)
    option = parser.add_argument
    option("--K", type=whole, required=True, help="other variables in each table")
    option(
        "--q",
        type=entries,
        default=100,
        help="entries are whole numbers below q; or: real (default: 100)",
    )
    option(
        "--model",
        type=model,
        default="adjacent",
        help="adjacent, random, or a number: the window of the other variables",
    )
    seeds = parser.add_mutually_exclusive_group()
    add_seed(seeds)
    seeds.add_argument(
        "--pseed", type=whole, help="a seed of the authors' program: make its landscape"
    )
    option(
        "--rho",
        type=real,
        help="the correlation of any two objectives, which then have the same masks",
    )
    add_output(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Write an MNK landscape to a file."""
    from paretoball import mnk, mnk_java

    sizes = (options.n, options.K, options.d, options.q, options.model)
    pseed, rho = options.pseed, options.rho
    if pseed is None:
        return generate(options, lambda seed: mnk(*sizes, seed=seed, rho=rho))
    if rho is not None:
        raise ValueError("--rho is for --seed: the authors' objectives have no rho")
    return write(options, lambda: mnk_java(*sizes, pseed=pseed), f"pseed {pseed}")
