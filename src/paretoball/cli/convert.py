"""`paretoball convert`: write an instance in another format."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from paretoball.cli.instances import add_instances, landscape_of
from paretoball.cli.outcome import check_apart
from paretoball.cli.parsing import add_command, tell
from paretoball.system import counted

if TYPE_CHECKING:
    from paretoball.landscape import Landscape


def add(commands: Any) -> None:
    """Add the command and its options."""
    parser = add_command(
        commands,
        "convert",
        "Write an instance in another format, exactly or not at all",
        "convert G14.txt G14.npz",
        "convert cost.qubo risk.qubo both.json",
        "convert nk.dat nk.json.gz --format rmnk",
        "convert small.json small.dat --to mubqp",
        "convert cubic.opb quadratic.qubo",
    )
    add_instances(parser)
    option = parser.add_argument
    option(
        "output", metavar="OUT", help="the file to write; its suffix says the format"
    )
    option(
        "--to", metavar="NAME", help="the format to write, where the suffix does not"
    )
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Read, write, and tell what was written."""
    from paretoball.formats import (
        check_landscape_format,
        check_writable,
        write_landscape,
    )
    from paretoball.landscape import TooHighDegree

    check_landscape_format(options.output, options.to)
    check_writable(options.output)
    for instance in options.instances:
        check_apart(instance, options.output)
    landscape = landscape_of(options)
    try:
        write_landscape(landscape, options.output, options.to)
    except TooHighDegree:
        landscape = _quadratised(landscape)
        write_landscape(landscape, options.output, options.to)
    tell(f"{options.output}: {landscape}")
    return 0


def _quadratised(landscape: "Landscape") -> "Landscape":
    """A landscape of higher degree as a quadratic one, with more variables."""
    from paretoball.adapters.quadratisation import quadratised

    quadratic = quadratised(landscape)
    added = counted(quadratic.n - landscape.n, "variable")
    tell(f"made quadratic: {added} added, for products of others")
    return quadratic
