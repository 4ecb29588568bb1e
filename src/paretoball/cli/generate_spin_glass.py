"""`paretoball generate spin-glass`: random couplings on a torus."""

from argparse import Namespace
from typing import Any

from paretoball.cli.generating import add_objectives, add_output, add_seed, generate
from paretoball.cli.parsing import add_command, couplings, whole_list

EXAMPLE = "generate spin-glass --shape 10,10,10 --seed 1 -o spins.npz"


def add(families: Any) -> None:
    """Add the family and its options."""
    parser = add_command(
        families,
        "spin-glass",
        "Make a spin glass on a torus: random couplings for each objective",
        EXAMPLE,
        "generate spin-glass --shape 50,50 --couplings gaussian --d 3 -o gauss.json",
    )
    option = parser.add_argument
    option("--shape", type=whole_list, required=True, help="sides, as 10,10,10")
    add_objectives(parser)
    option(
        "--couplings",
        type=couplings,
        default="pm",
        help="pm: -1 or 1 (default); gaussian; or a number q: from -q to q, but not 0",
    )
    add_seed(parser)
    add_output(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Write a spin glass to a file."""
    from paretoball import spin_glass

    sizes = (options.shape, options.couplings, options.d)
    return generate(options, lambda seed: spin_glass(*sizes, seed=seed))
