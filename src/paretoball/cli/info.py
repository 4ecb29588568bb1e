"""`paretoball info`: the sizes of an instance, and the memory of its climbers."""

from argparse import Namespace
from typing import Any

from paretoball.cli.parsing import add_command, tell


def add(commands: Any) -> None:
    """Add the command and its options."""
    text = "Print the sizes of an instance, and the moves and memory of its climbers"
    parser = add_command(commands, "info", text, "info mnk.npz")
    parser.add_argument("instance", metavar="INSTANCE", help="a .json or .npz file")
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Print the sizes of an instance, and the moves and memory of its climbers."""
    from paretoball import read_landscape
    from paretoball.report import landscape_lines

    for line in landscape_lines(read_landscape(options.instance)):
        tell(line)
    return 0
