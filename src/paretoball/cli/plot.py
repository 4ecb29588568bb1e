"""`paretoball plot`: draw the front of a run, or the figures of a campaign."""

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from paretoball.cli.outcome import check_output
from paretoball.cli.parsing import add_command, tell


def add(commands: Any) -> None:
    """Add the command and its options."""
    parser = add_command(
        commands,
        "plot",
        "Draw the front of a run, or the figures of a campaign",
        "plot run.npz -o front.png",
        "plot run.npz -o front.pdf",
        "plot paper-quality",
    )
    option = parser.add_argument
    option("what", metavar="RUN|CAMPAIGN", help="a file of solve, a folder of paper")
    option(
        "-o",
        metavar="FIGURE",
        help="of a run: the .png, .svg or .pdf file to write; of a campaign: the "
        "folder for all its figures, in these three formats (default: its own)",
    )
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Draw the front of a run into a file, or a campaign into several."""
    if not os.path.exists(options.what):
        raise ValueError(f"{options.what}: there is no such run or campaign")
    if Path(options.what).is_dir():
        from paretoball.report import draw_campaign

        for path in draw_campaign(options.what, options.o or options.what):
            tell(f"drawn as {path}")
        return 0
    if options.o is None:
        raise ValueError(f"{options.what}: give -o, a .png, .svg or .pdf file")
    check_output(options.o, ".png", ".svg", ".pdf")
    from paretoball import load
    from paretoball.report import save_figure

    save_figure(load(options.what), options.o)
    tell(f"drawn as {options.o}")
    return 0
