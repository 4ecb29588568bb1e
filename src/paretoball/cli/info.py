"""`paretoball info`: the sizes of an instance, and the memory of its climbers."""

from argparse import Namespace
from typing import Any

from paretoball.cli.instances import add_instances
from paretoball.cli.parsing import add_command, tell


def add(commands: Any) -> None:
    """Add the command and its options."""
    text = "Print the sizes of an instance, and the moves and memory of its climbers"
    examples = (
        "info mnk.npz",
        "info cost.qubo risk.qubo",
        "info bqp.txt --format mqlib",
    )
    parser = add_command(commands, "info", text, *examples)
    add_instances(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Print the format of an instance, its sizes, its moves and their memory."""
    from paretoball.formats import read_described
    from paretoball.report import landscape_lines

    landscape, titles = read_described(*options.instances, format=options.format)
    for title in dict.fromkeys(titles):
        tell(f"format            {title}")
    tell(*landscape_lines(landscape))
    return 0
