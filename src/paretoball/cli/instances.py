"""Instances: one file, or several that make one landscape, in any format."""

from argparse import Namespace
from typing import TYPE_CHECKING

from paretoball.cli.parsing import Parser

if TYPE_CHECKING:
    from paretoball.landscape import Landscape


def add_instances(parser: Parser) -> None:
    """The files of an instance, and the option that says their format."""
    parser.add_argument(
        "instances",
        metavar="INSTANCE",
        nargs="+",
        help="a file in any format; of several, the objectives are put together",
    )
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="of all files, where their content fits several formats",
    )


def landscape_of(options: Namespace) -> "Landscape":
    """The landscape in the files."""
    from paretoball import read_landscape

    return read_landscape(*options.instances, format=options.format)
