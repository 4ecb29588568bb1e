"""What knows nothing of optimisation, and needs neither numpy nor Numba.

- `checks`: arguments, and what is wrong with them, in words
- `memory`: how much there is, and the refusal of what needs more
- `signals`: Ctrl-C and SIGTERM, at any moment
- `display`: a line on standard error that tells how far something is
"""

from paretoball.system.checks import (
    brief,
    checked_choice,
    checked_seconds,
    checked_whole,
    is_whole,
)
from paretoball.system.display import Display
from paretoball.system.memory import (
    available_memory,
    capped,
    check_memory,
    checked_bytes,
    readable_bytes,
    refuse_memory,
)
from paretoball.system.signals import (
    EXIT_CODES,
    INTERRUPTED,
    TERMINATED,
    Leaving,
    deaf_to_interrupts,
    forget_signals,
    leaving_on_signals,
    nothing_to_lose,
    stopping_on_signals,
)

__all__ = [
    "EXIT_CODES",
    "INTERRUPTED",
    "TERMINATED",
    "Display",
    "Leaving",
    "available_memory",
    "brief",
    "capped",
    "check_memory",
    "checked_bytes",
    "checked_choice",
    "checked_seconds",
    "checked_whole",
    "deaf_to_interrupts",
    "forget_signals",
    "is_whole",
    "leaving_on_signals",
    "nothing_to_lose",
    "readable_bytes",
    "refuse_memory",
    "stopping_on_signals",
]
