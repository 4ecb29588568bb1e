"""The display: one line on standard error that shows the progress of a long task.

On a terminal the line replaces itself. Before it is a bar where the share done is
known, and a spinner where it is not. Elsewhere a new line is printed every ten seconds.
Nothing is shown in the first two seconds, but what is announced.
"""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from paretoball.system.checks import printable

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 2.0  # seconds before the first line
TERMINAL_EVERY = 0.1  # seconds between two lines on a terminal
PLAIN_EVERY = 10.0  # seconds between two lines elsewhere


class Display:
    """Shows progress, if the user wants to see it.

    Parameters
    ----------
    shown
        Whether to show anything; None shows progress on a terminal only, and what is
        announced anywhere.
    clock
        Returns the time in seconds.
    """

    def __init__(self, shown: bool | None, clock: Callable[[], float] = monotonic):
        self.is_terminal = sys.stderr.isatty()
        self.shown = self.is_terminal if shown is None else shown
        self.is_silent = shown is not None and not shown
        self.clock = clock
        self.due = clock() + PATIENCE
        self._bar: Progress | None = None
        self._is_measured = False  # True for a bar, False for a spinner

    def __enter__(self) -> "Display":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def restart(self) -> None:
        """Begin the two seconds without a line now."""
        self.due = self.clock() + PATIENCE

    def is_due(self) -> bool:
        """Whether it is time for the next line."""
        return self.shown and self.clock() >= self.due

    def tell(self, line: Callable[[], str], share: float | None = None) -> None:
        """Show the line if one is due; a `share` of 1 means that all is done."""
        if self.is_due():
            self.say(line(), share)
            pause = TERMINAL_EVERY if self.is_terminal else PLAIN_EVERY
            self.due = self.clock() + pause

    def announce(self, text: str) -> None:
        """Show a line now, even if progress is not shown; unless nothing is wanted."""
        if self.shown:
            self.say(text)
        elif not self.is_silent:
            print(text, file=sys.stderr, flush=True)

    def say(self, text: str, share: float | None = None) -> None:
        """Show a line now."""
        if not self.shown:
            return
        text = printable(text)
        if not self.is_terminal:
            print(text, file=sys.stderr, flush=True)
            return
        if self._bar is None or (share is not None and not self._is_measured):
            self._is_measured = share is not None
            self.__exit__()
            self._bar = _new_bar(self._is_measured)
        self._bar.update(self._bar.task_ids[0], description=text, completed=share)


def _new_bar(is_measured: bool) -> "Progress":
    """A running line of rich, with a bar or a spinner before it."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
    from rich.table import Column

    first = BarColumn(bar_width=16) if is_measured else SpinnerColumn()
    line = Column(no_wrap=True, overflow="ellipsis")
    text = TextColumn("{task.description}", markup=False, table_column=line)
    bar = Progress(first, text, console=Console(stderr=True), transient=True)
    bar.add_task("", total=1.0)
    bar.start()
    return bar
