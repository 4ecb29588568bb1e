"""`paretoball resume`: go on with a run from its checkpoint."""

from argparse import Namespace
from typing import Any

from paretoball.cli.outcome import check_output
from paretoball.cli.parsing import add_command, at_least_one, seconds
from paretoball.cli.searching import add_means, searched


def add(commands: Any) -> None:
    """Add the command and its options."""
    parser = add_command(
        commands,
        "resume",
        "Go on with a run from its checkpoint",
        "resume run.npz",
        "resume run.npz --time 3600 --workers 2 -o longer.npz",
    )
    option = parser.add_argument
    option("checkpoint", metavar="RUN", help="what solve --checkpoint wrote")
    option(
        "--time",
        type=seconds,
        metavar="SECONDS",
        help="budget from now on (default: what is left of the run's own)",
    )
    option("--climbs", type=at_least_one, help="budget, with those done before")
    option("--moves", type=at_least_one, help="budget, with those done before")
    add_means(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Go on with a run from its checkpoint."""
    check_output(options.checkpoint, ".npz")
    if options.o is not None:
        check_output(options.o, ".npz")
    from paretoball import resume as search

    return searched(
        options,
        options.checkpoint,
        lambda **how: search(
            options.checkpoint, checkpoint_every=options.checkpoint_every, **how
        ),
    )
