"""`paretoball info`: what an instance is, and what climbers of it take."""

from argparse import Namespace
from typing import Any

from paretoball.cli.parsing import add_command


def add(commands: Any) -> None:
    """Add the command and its options."""
    text = "Tell sizes of an instance, and what climbers of it take"
    parser = add_command(commands, "info", text, "info mnk.npz")
    parser.add_argument("instance", metavar="INSTANCE", help="a .json or .npz file")
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Print what an instance is, and what climbers of it take."""
    from paretoball import read_landscape
    from paretoball.report import landscape_lines

    for line in landscape_lines(read_landscape(options.instance)):
        print(line, flush=True)
    return 0
