"""Interruptions: a signal ends a run, and then the program, unless that decides not to.

The run ends first, with what it has found and with its checkpoint. Then the signal goes
on to whoever would have heard it without the run.
"""

from paretoball.running.result import Result
from paretoball.system import INTERRUPTED, raise_again

RAISE, RETURN = "raise", "return"  # after Ctrl-C
NOTE = "The attribute `result` of this error has what was found until then."


def pass_on(heard: list[str], result: Result, on_interrupt: str) -> None:
    """Let the program hear the signals that ended its run."""
    for why in heard:
        if why != INTERRUPTED or on_interrupt == RAISE:
            try:
                raise_again(why)
            except KeyboardInterrupt as error:
                error.result = result  # type: ignore[attr-defined]
                error.add_note(NOTE)
                raise
