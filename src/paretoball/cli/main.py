"""The command line: arguments in, one call, text out.

Heavy modules are imported after the arguments are checked, so help and error messages
come at once. Exit codes: 0 all is well, 1 a check failed, 2 bad input, 130 after Ctrl-C
and 143 after SIGTERM, with what was found until then.
"""

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence

from paretoball import __version__
from paretoball.cli.outcome import in_words
from paretoball.cli.parsing import Parser, complain
from paretoball.cli.registry import COMMANDS, Command
from paretoball.system import EXIT_CODES, INTERRUPTED, Leaving, leaving_on_signals

BAD_INPUT = (ValueError, TypeError, OverflowError, MemoryError, OSError, ImportError)
BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        is_program = arguments is None
        with leaving_on_signals(is_program), warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: complain(str(message))
            code = _run(arguments)
            _flush()
    except BrokenPipeError:
        code = BROKEN_PIPE
    except (Leaving, KeyboardInterrupt) as left:
        why = str(left) or INTERRUPTED
        complain(why)
        code = EXIT_CODES[why]
    except BAD_INPUT as error:
        complain(in_words(error))
        code = 2
    try:
        _flush()
    except OSError:  # so that Python does not try again, and fail, at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _run(arguments: Sequence[str] | None) -> int:
    """Parse the arguments and carry out the command."""
    try:
        options = _new_parser().parse_args(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    run: Command = options.run_command
    return run(options)


def _new_parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    parser = Parser(
        prog="paretoball",
        description="Pareto fronts of large multi-objective pseudo-Boolean problems.",
        epilog="Begin with:        paretoball demo\n"
        "Help on a command: paretoball solve --help",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser


def _flush() -> None:
    """Write all output that is still held back."""
    if sys.stdout is not None:
        sys.stdout.flush()
