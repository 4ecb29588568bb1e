"""The machine and its user: no optimisation, and neither numpy nor Numba.

- `words`: counts with their nouns
- `notices`: warnings that point to the user's own line
- `checks`: checks of arguments, and their error messages
- `cores`: how many this process may use
- `memory`: how much memory is free, and the refusal of what needs more
- `pulse`: what long work calls now and then
- `signals`: Ctrl-C and SIGTERM, at any moment
- `display`: a line on standard error that shows progress
"""

from paretoball.system.checks import (
    brief,
    checked_choice,
    checked_seconds,
    checked_whole,
    is_whole,
    printable,
)
from paretoball.system.cores import cores
from paretoball.system.display import Display
from paretoball.system.memory import (
    available_memory,
    capped,
    check_memory,
    checked_bytes,
    readable_bytes,
    refuse_memory,
)
from paretoball.system.notices import notice
from paretoball.system.pulse import Pulse, nothing
from paretoball.system.signals import (
    EXIT_CODES,
    INTERRUPTED,
    TERMINATED,
    Leaving,
    deaf_to_interrupts,
    forget_signals,
    hearing_signals,
    leaving_at_once,
    leaving_on_signals,
    raise_again,
    stopping_on_signals,
)
from paretoball.system.words import counted

__all__ = [
    "EXIT_CODES",
    "INTERRUPTED",
    "TERMINATED",
    "Display",
    "Leaving",
    "Pulse",
    "available_memory",
    "brief",
    "capped",
    "check_memory",
    "checked_bytes",
    "checked_choice",
    "checked_seconds",
    "checked_whole",
    "cores",
    "counted",
    "deaf_to_interrupts",
    "forget_signals",
    "hearing_signals",
    "is_whole",
    "leaving_at_once",
    "leaving_on_signals",
    "nothing",
    "notice",
    "printable",
    "raise_again",
    "readable_bytes",
    "refuse_memory",
    "stopping_on_signals",
]
