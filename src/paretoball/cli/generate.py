"""`paretoball generate`: make an instance of some family.

A family is a file of this folder with `add` and `run`, as a command is. To add one, add
its file, and its name to `FAMILIES`.
"""

from typing import Any

from paretoball.cli import (
    generate_knapsack,
    generate_maxcut,
    generate_mnk,
    generate_qubo,
    generate_sat,
    generate_setcover,
    generate_spin_glass,
)
from paretoball.cli.parsing import add_command

FAMILIES = (
    generate_mnk,
    generate_qubo,
    generate_maxcut,
    generate_spin_glass,
    generate_sat,
    generate_knapsack,
    generate_setcover,
)


def add(commands: Any) -> None:
    """Add the command and its families."""
    examples = [family.EXAMPLE for family in FAMILIES]
    parser = add_command(commands, "generate", "Make an instance", *examples)
    families = parser.add_subparsers(metavar="FAMILY", required=True)
    for family in FAMILIES:
        family.add(families)
