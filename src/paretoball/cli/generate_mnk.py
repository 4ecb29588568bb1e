"""`paretoball generate mnk`: MNK landscapes."""

import secrets
from argparse import Namespace
from typing import Any

from paretoball.cli.outcome import check_output
from paretoball.cli.parsing import add_command, entries, model, tell, whole

EXAMPLE = "generate mnk --n 10000 --K 3 --seed 1 -o mnk.npz"


def add(families: Any) -> None:
    """Add the family and its options."""
    parser = add_command(
        families,
        "mnk",
        "Make an MNK landscape: n tables per objective, each on K + 1 variables",
        EXAMPLE,
        "generate mnk --n 500 --K 2 --d 3 --q real --model random --seed 1 -o m.json",
        "generate mnk --n 10000 --K 3 --pseed 1 -o authors.npz",
    )
    option = parser.add_argument
    option("--n", type=whole, required=True, help="variables")
    option("--K", type=whole, required=True, help="other variables in each table")
    option("--d", type=whole, default=2, help="objectives (default: 2)")
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
    seeds.add_argument("--seed", type=whole, help="the same seed, the same landscape")
    seeds.add_argument(
        "--pseed", type=whole, help="a seed of the authors' program: make its landscape"
    )
    option("-o", metavar="FILE", required=True, help="to write: .json or .npz")
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Write an MNK landscape to a file."""
    check_output(options.o, ".json", ".npz")
    from paretoball import mnk, mnk_java, write_landscape

    sizes = (options.n, options.K, options.d, options.q, options.model)
    if options.pseed is not None:
        landscape = mnk_java(*sizes, pseed=options.pseed)
        seed = f"pseed {options.pseed}"
    else:
        number = secrets.randbits(32) if options.seed is None else options.seed
        landscape = mnk(*sizes, seed=number)
        seed = f"seed {number}"
    write_landscape(landscape, options.o)
    tell(f"{options.o}: {landscape}, {seed}")
    return 0
