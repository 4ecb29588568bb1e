"""What the families of `generate` have in common: options, seeds, files."""

import secrets
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from paretoball.cli.parsing import tell, whole

if TYPE_CHECKING:
    from paretoball.landscape import Landscape


def add_sizes(parser: Any) -> None:
    """Add the options n and d."""
    parser.add_argument("--n", type=whole, required=True, help="variables")
    add_objectives(parser)


def add_objectives(parser: Any) -> None:
    """Add the option d."""
    parser.add_argument("--d", type=whole, default=2, help="objectives (default: 2)")


def add_seed(parser: Any) -> None:
    """Add the option seed, to a parser or to a group of options."""
    parser.add_argument("--seed", type=whole, help="the same seed, the same landscape")


def add_output(parser: Any) -> None:
    """Add the options that say what is written."""
    option = parser.add_argument
    option("-o", metavar="FILE", required=True, help="to write: .npz, .json or another")
    option("--to", metavar="NAME", help="the format to write, where the name does not")


def generate(options: Namespace, make: Callable[[int], "Landscape"]) -> int:
    """Write the landscape that a seed gives, or one of a seed that is drawn."""
    seed = secrets.randbits(32) if options.seed is None else options.seed
    return write(options, lambda: make(seed), f"seed {seed}")


def write(options: Namespace, make: Callable[[], "Landscape"], seed: str) -> int:
    """Write a landscape, and tell what it is; bad names are refused before."""
    from paretoball.formats import (
        check_landscape_format,
        check_writable,
        write_landscape,
    )

    check_landscape_format(options.o, options.to)
    check_writable(options.o)
    landscape = make()
    write_landscape(landscape, options.o, options.to)
    tell(f"{options.o}: {landscape}, {seed}")
    return 0
