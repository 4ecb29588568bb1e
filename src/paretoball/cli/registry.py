"""The registry of commands.

A command is a file of this folder with `add`, which says its name and options, and
`run`, which carries it out. To add one, add its file, and its name to `COMMANDS`.
"""

from argparse import Namespace
from collections.abc import Callable
from typing import Any, Protocol

from paretoball.cli import (
    compile,
    convert,
    demo,
    exact,
    generate,
    info,
    paper,
    plot,
    resume,
    solve,
    verify,
)

Command = Callable[[Namespace], int]


class CommandFile(Protocol):
    """What a file of this folder offers that is a command."""

    def add(self, commands: Any) -> None:
        """Add the command and its options to the parser."""


COMMANDS: tuple[CommandFile, ...] = (
    demo,
    generate,
    convert,
    info,
    solve,
    exact,
    resume,
    verify,
    plot,
    paper,
    compile,
)
